"""Bidders and players in plain words: the policies that the fast engine must agree with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from mpsim.referee.auction import BidView
from mpsim.referee.streams import below
from mpsim.referee.trick import Order, winner


class PlayView(NamedTuple):
    """What a player knows when it is his turn."""

    hand: Sequence[int]         # his cards, ascending
    trick: Sequence[int]        # the cards on the table, the leader's first
    played: frozenset[int] | set[int]   # every card played so far, those on the table included
    order: Order
    own_team_took: bool


class Player(Protocol):
    """Whoever plays the cards of a seat."""

    def choose(self, view: PlayView, legal: Sequence[int], draw: int) -> int:
        """One of the legal cards; `draw` are 32 random bits that belong to this ply, used or not."""


class RandomPlayer:
    """Any legal card, all equally likely."""

    def choose(self, view: PlayView, legal: Sequence[int], draw: int) -> int:
        order = view.order
        by_suit = sorted(legal, key=lambda card: (order.field[card], order.rank[card]))
        return by_suit[below(draw, len(by_suit))]


def lowest(cards: Sequence[int], order: Order) -> int:
    """The card of lowest rank, whatever its suit; among equals the first suit after trumps."""
    return min(cards, key=lambda card: (order.rank[card], order.field[card]))


def highest(cards: Sequence[int], order: Order) -> int:
    """The card of highest rank, whatever its suit; among equals the first suit after trumps."""
    return min(cards, key=lambda card: (-order.rank[card], order.field[card]))


class GreedyPlayer:
    """Draws trumps for its own contract, cashes masters, wins cheaply, feeds a sure partner, else throws the least.

    A card is master when no card that ranks above it in its suit is still out, that is in another hand unplayed.
    """

    def choose(self, view: PlayView, legal: Sequence[int], draw: int) -> int:
        order = view.order
        known = view.played.union(view.hand)
        out = {card for card in order.suit if card not in known}
        if view.trick:
            return self._follow(view, legal, out)
        return self._lead(view, legal, out)

    def _lead(self, view: PlayView, legal: Sequence[int], out: set[int]) -> int:
        order = view.order
        trumps, side = _split(legal, order)
        if view.own_team_took and trumps and any(order.suit[card] == order.trump for card in out):
            top = highest(trumps, order)
            if _is_master(top, out, order):
                return top
        masters = [card for card in side if _is_master(card, out, order)]
        if masters:
            return highest(masters, order)
        return lowest(side or trumps, order)

    def _follow(self, view: PlayView, legal: Sequence[int], out: set[int]) -> int:
        order, trick = view.order, view.trick
        place, last = winner(trick, order), len(trick) == 3
        best = trick[place]
        trumps, side = _split(legal, order)
        if place == len(trick) - 2 and (last or _is_master(best, out, order)):
            to_spare = [card for card in side if not _is_master(card, out, order)]
            if to_spare:
                return highest(to_spare, order)
            return lowest(side or trumps, order)
        strength = order.strength[order.suit[trick[0]]]
        winning = [card for card in legal if strength[card] > strength[best]]
        if winning:
            sure = [] if last else [card for card in winning if _is_master(card, out, order)]
            return lowest(sure or winning, order)
        return lowest(side or trumps, order)


def _is_master(card: int, out: set[int], order: Order) -> bool:
    return out.isdisjoint(order.stronger[card])


def _split(cards: Sequence[int], order: Order) -> tuple[list[int], list[int]]:
    """Trumps and side cards."""
    trumps: list[int] = []
    side: list[int] = []
    for card in cards:
        (trumps if order.suit[card] == order.trump else side).append(card)
    return trumps, side


class HoldingPoints(Protocol):
    """What the cards of one suit are worth: by card along the ranks, and by their number."""

    @property
    def cards(self) -> Sequence[int]: ...
    @property
    def length(self) -> Sequence[int]: ...


class Thresholds(Protocol):
    """Strength that each seat needs to take, by round."""

    @property
    def round1(self) -> Sequence[int]: ...
    @property
    def round2(self) -> Sequence[int]: ...


class PointTable(Protocol):
    """A point count: what a holding is worth as trumps and as a side suit, and what it takes to bid."""

    @property
    def trump(self) -> HoldingPoints: ...
    @property
    def side(self) -> HoldingPoints: ...
    @property
    def accept(self) -> Thresholds: ...
    @property
    def counts_upcard(self) -> bool: ...


def hand_strength(cards: Sequence[int], trump: int, count: PointTable) -> int:
    """What a hand is worth under a point count with `trump` as trump suit."""
    as_trumps, as_side = count.trump, count.side
    width = len(as_trumps.cards)
    total = 0
    for suit in range(4):
        worth = as_trumps if suit == trump else as_side
        holding = [card % width for card in cards if card // width == suit]
        total += sum(worth.cards[rank] for rank in holding) + worth.length[len(holding)]
    return total


@dataclass(frozen=True)
class PointBidder:
    """Takes when the hand's strength reaches the seat's threshold, in round 2 with the best suit."""

    count: PointTable

    def call(self, view: BidView) -> int | None:
        cards = view.cards
        if self.count.counts_upcard and view.brings_upcard:
            cards = (*cards, view.upcard)
        worth = {suit: hand_strength(cards, suit, self.count) for suit in view.allowed}
        best = max(view.allowed, key=lambda suit: (worth[suit], -suit))
        thresholds = self.count.accept.round1 if view.round == 1 else self.count.accept.round2
        return best if worth[best] >= thresholds[view.seat] else None


@dataclass(frozen=True)
class ChanceBidder:
    """Takes with a fixed probability whatever it holds, in round 2 with any allowed suit."""

    probability: float

    def call(self, view: BidView) -> int | None:
        if view.draws[0] >> 5 >= round(self.probability * 2**27):
            return None
        return view.allowed[0] if view.round == 1 else view.allowed[below(view.draws[1], len(view.allowed))]


class AlwaysBidder:
    """Takes at the first chance; in round 2 with the lowest allowed suit."""

    def call(self, view: BidView) -> int | None:
        return view.allowed[0]


class NeverBidder:
    """Passes."""

    def call(self, view: BidView) -> int | None:
        return None
