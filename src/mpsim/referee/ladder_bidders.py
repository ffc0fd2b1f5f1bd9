"""Bidders on the ladder in plain words: the policies that the fast engine must agree with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mpsim.referee.ladder import DOUBLE, PASS, REDOUBLE, LadderView
from mpsim.referee.players import HoldingPoints
from mpsim.referee.streams import below

SUIT_CONTRACTS = range(4)
NO_TRUMPS, ALL_TRUMPS = 4, 5
"""Contracts by number from the lowest."""


class LadderTable(Protocol):
    """A point count for the ladder: what a holding is worth in each kind of contract, and what each call takes.

    The strengths that calls take stand along the contracts, from the lowest.
    """

    @property
    def trump(self) -> HoldingPoints: ...
    @property
    def side(self) -> HoldingPoints: ...
    @property
    def no_trumps(self) -> HoldingPoints: ...
    @property
    def all_trumps(self) -> HoldingPoints: ...
    @property
    def opening(self) -> Sequence[int]: ...
    @property
    def over_partner(self) -> Sequence[int]: ...
    @property
    def over_opponents(self) -> Sequence[int]: ...
    @property
    def double(self) -> Sequence[int]: ...
    @property
    def redouble(self) -> Sequence[int]: ...


def contract_strength(cards: Sequence[int], contract: int, count: LadderTable) -> int:
    """What a hand is worth in a contract: the sum over its four suits."""
    width = len(count.trump.cards)
    total = 0
    for suit in range(4):
        if contract == NO_TRUMPS:
            worth = count.no_trumps
        elif contract == ALL_TRUMPS:
            worth = count.all_trumps
        else:
            worth = count.trump if suit == contract else count.side
        holding = [card % width for card in cards if card // width == suit]
        total += sum(worth.cards[rank] for rank in holding) + worth.length[len(holding)]
    return total


def contracts_to_call(view: LadderView) -> list[int]:
    """The contracts that may be called, by number: all above the one that stands, or none after a double."""
    named = [call for call in view.legal if call not in (PASS, DOUBLE, REDOUBLE)]
    return list(range(6 - len(named), 6))


def name_of(contract: int, view: LadderView) -> str:
    """What one says to call a contract that may be called."""
    return view.legal[1 + contracts_to_call(view).index(contract)]


@dataclass(frozen=True)
class LadderPointBidder:
    """Calls the contract in which its strength is furthest above what the call takes, and doubles what it can beat."""

    count: LadderTable

    def call(self, view: LadderView) -> str:
        count = self.count
        strength = [contract_strength(view.cards, contract, count) for contract in range(6)]
        standing = view.contract
        if DOUBLE in view.legal and standing is not None and strength[standing] >= count.double[standing]:
            return DOUBLE
        needed = self._needed(view)
        above = {contract: strength[contract] - needed[contract] for contract in contracts_to_call(view)}
        best = max(above, key=lambda contract: (above[contract], -contract), default=None)
        if best is not None and above[best] >= 0:
            return name_of(best, view)
        if REDOUBLE in view.legal and standing is not None and strength[standing] >= count.redouble[standing]:
            return REDOUBLE
        return PASS

    def _needed(self, view: LadderView) -> Sequence[int]:
        if view.contract is None:
            return self.count.opening
        return self.count.over_partner if view.own else self.count.over_opponents


@dataclass(frozen=True)
class LadderChanceBidder:
    """Makes a call with a fixed probability whatever it holds, any legal one but a pass."""

    probability: float

    def call(self, view: LadderView) -> str:
        calls = view.legal[1:]
        if not calls or view.draws[0] >> 5 >= round(self.probability * 2**27):
            return PASS
        return calls[below(view.draws[1], len(calls))]


class LadderAlwaysBidder:
    """Calls the lowest contract while there is none, then passes."""

    def call(self, view: LadderView) -> str:
        return view.legal[1] if view.contract is None else PASS


class LadderNeverBidder:
    """Passes."""

    def call(self, view: LadderView) -> str:
        return PASS
