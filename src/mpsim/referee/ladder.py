"""The ladder auction: contracts outbid each other, with doubles and redoubles, until three in a row pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from mpsim.errors import PolicyError
from mpsim.referee.deal import Hands
from mpsim.referee.trick import contracts
from mpsim.rules.check import one_of
from mpsim.rules.model import Rules

PASS, DOUBLE, REDOUBLE = "pass", "double", "redouble"

LADDER_TURNS = 58
"""No auction is longer: three passes, then six contracts, each doubled and redoubled, two passes before each of these
18 calls but the first, and three passes at the end."""

LADDER_DRAWS = 2 * LADDER_TURNS
"""Draws 2t and 2t+1 are for turn t = 0, 1, 2, ..., which is seat t % 4's."""


class LadderView(NamedTuple):
    """What a bidder knows when it is his turn, and the random bits that are his to use."""

    seat: int
    cards: tuple[int, ...]
    legal: tuple[str, ...]      # what he may call: `pass`, contracts from the lowest, `double`, `redouble`
    contract: int | None        # the one that stands, by its number from the lowest; None: nobody has called one
    own: bool                   # his own side holds it
    multiplier: int             # 1, 2 doubled, 4 redoubled
    draws: tuple[int, int]      # 32 random bits each


class LadderBidder(Protocol):
    """Whoever bids for a seat on the ladder."""

    def call(self, view: LadderView) -> str:
        """One of `view.legal`."""


class LadderCall(NamedTuple):
    """One call: `pass`, a contract (a suit's letter, `NT` or `AT`), `double` or `redouble`; four turns make a round."""

    seat: int
    round: int
    said: str


class Climbed(NamedTuple):
    """How the auction went; thrown in: round 0, taker -1, contract `none`."""

    calls: tuple[LadderCall, ...]
    round: int                  # in which the final contract was called
    taker: int                  # who called it
    contract: str
    multiplier: int


@dataclass
class Standing:
    """The contract that stands."""

    contract: int | None = None
    taker: int = -1
    turn: int = -1              # in which it was called
    multiplier: int = 1

    def held_by(self, seat: int) -> bool:
        """Whether the seat's side called it."""
        return self.contract is not None and self.taker % 2 == seat % 2


def legal_calls(standing: Standing, seat: int, rules: Rules) -> tuple[str, ...]:
    """What a seat may call: pass, higher contracts, and a double or redouble where it is due."""
    ladder = contracts(rules.deck)
    calls = [PASS]
    if standing.multiplier == 1 or rules.auction.overcall_cancels_double:
        lowest = 0 if standing.contract is None else standing.contract + 1
        calls += ladder[lowest:]
    if standing.contract is not None:
        if standing.multiplier == 1 and not standing.held_by(seat):
            calls.append(DOUBLE)
        if standing.multiplier == 2 and standing.held_by(seat):
            calls.append(REDOUBLE)
    return tuple(calls)


def climb(first: Hands, rules: Rules, bidders: Sequence[LadderBidder], bits: Sequence[int]) -> Climbed:
    """Ask the seats in turn, from seat 0, until three in a row pass, or all four do before there is a contract."""
    ladder = contracts(rules.deck)
    standing = Standing()
    calls: list[LadderCall] = []
    passes = 0
    while passes < (4 if standing.contract is None else 3):
        turn = len(calls)
        seat = turn % 4
        legal = legal_calls(standing, seat, rules)
        view = LadderView(
            seat, first[seat], legal, standing.contract, standing.held_by(seat), standing.multiplier,
            (bits[2 * turn], bits[2 * turn + 1]),
        )
        said = bidders[seat].call(view)
        if said not in legal:
            raise PolicyError(f"seat {seat} called {said!r}, which may not be called: call {one_of(legal)}")
        calls.append(LadderCall(seat, turn // 4 + 1, said))
        passes = passes + 1 if said == PASS else 0
        if said in (DOUBLE, REDOUBLE):
            standing.multiplier *= 2
        elif said != PASS:
            standing = Standing(ladder.index(said), seat, turn)
    if standing.contract is None:
        return Climbed(tuple(calls), 0, -1, "none", 1)
    return Climbed(
        tuple(calls), standing.turn // 4 + 1, standing.taker, ladder[standing.contract], standing.multiplier
    )
