"""The auction: accept the turned suit, or, in a second round, name one; the first to do so ends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from mpsim.cards import SUITS
from mpsim.errors import PolicyError
from mpsim.referee.deal import FirstDeal
from mpsim.referee.streams import AUCTION, draws
from mpsim.rules.check import one_of
from mpsim.rules.model import Rules

AUCTION_DRAWS = 12
"""Draw s is seat s's in round 1; draws 4+2s and 5+2s are its two in round 2."""


class BidView(NamedTuple):
    """What a bidder knows when it is his turn, and the random bits that are his to use."""

    seat: int
    round: int
    cards: tuple[int, ...]
    upcard: int
    allowed: tuple[int, ...]    # the suits he may name: the turned one in round 1
    brings_upcard: bool         # the turned card would be his if he took
    draws: tuple[int, ...]      # 32 random bits each: one in round 1, two in round 2


class Bidder(Protocol):
    """Whoever bids for a seat."""

    def call(self, view: BidView) -> int | None:
        """The suit to make trumps, one of `view.allowed`; None to pass."""


class Call(NamedTuple):
    """One call of the auction; `suit` is None for a pass."""

    seat: int
    round: int
    suit: int | None


class Auction(NamedTuple):
    """How the auction went; thrown in: round 0, taker -1, contract `none`."""

    calls: tuple[Call, ...]
    round: int
    taker: int
    contract: str


THROWN_IN_UNSPOKEN = Auction((), 0, -1, "none")
"""The auction of a deal thrown in before anybody spoke."""


def hold_auction(dealt: FirstDeal, rules: Rules, bidders: Sequence[Bidder], bits: Sequence[int]) -> Auction:
    """Ask the seats in turn for two rounds, until one fixes trumps; `bits` are the auction's 12 draws."""
    turned = dealt.upcard // len(rules.deck.ranks)
    any_suit = tuple(suit for suit in range(4) if rules.auction.round2_any_suit or suit != turned)
    calls = []
    for number, allowed in ((1, (turned,)), (2, any_suit)):
        for seat in range(4):
            own = (bits[seat],) if number == 1 else (bits[4 + 2 * seat], bits[5 + 2 * seat])
            brings = rules.deal.upcard_to == "taker" or seat == 3
            view = BidView(seat, number, dealt.first[seat], dealt.upcard, allowed, brings, own)
            suit = bidders[seat].call(view)
            calls.append(Call(seat, number, suit))
            if suit is not None:
                _check(suit, view)
                return Auction(tuple(calls), number, seat, SUITS[suit])
    return Auction(tuple(calls), 0, -1, "none")


def _check(suit: int, view: BidView) -> None:
    if suit not in view.allowed:
        numbers = one_of(f"{number} ({SUITS[number]})" for number in view.allowed)
        raise PolicyError(f"seat {view.seat} named suit {suit!r} in round {view.round}: name {numbers}, or pass (None)")


def auction_draws(seed: int, deal: int) -> list[int]:
    """The random bits of a deal's auction."""
    return draws(seed, deal, AUCTION, AUCTION_DRAWS)
