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
    trump, other = {NO_TRUMPS: (count.no_trumps,) * 2, ALL_TRUMPS: (count.all_trumps,) * 2}.get(
        contract, (count.trump, count.side)
    )
    width = len(trump.cards)
    total = 0
    for suit in range(4):
        worth = trump if suit == contract else other
        holding = [card % width for card in cards if card // width == suit]
        total += sum([worth.cards[rank] for rank in holding]) + worth.length[len(holding)]
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
        standing = view.contract
        if standing is not None and DOUBLE in view.legal and self._strength(view, standing) >= count.double[standing]:
            return DOUBLE
        needed = self._needed(view)
        above = {contract: self._strength(view, contract) - needed[contract] for contract in contracts_to_call(view)}
        best = max(above, key=lambda contract: (above[contract], -contract), default=None)
        if best is not None and above[best] >= 0:
            return name_of(best, view)
        if standing is None or REDOUBLE not in view.legal:
            return PASS
        return REDOUBLE if self._strength(view, standing) >= count.redouble[standing] else PASS

    def _strength(self, view: LadderView, contract: int) -> int:
        return contract_strength(view.cards, contract, self.count)

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
