"""Order of the cards under a contract, and who wins a trick (docs/rules.md, Cards and Play).

A contract is a letter of `cdhs`, `NT` (no trumps) or `AT` (all trumps).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mpsim.cards import SUITS
from mpsim.rules.model import Deck

RUFF = 100
"""Strength of the weakest trump; every card of another suit is below it."""

NOT_WINNING = -1
"""Strength of a card that neither follows suit nor is a trump."""


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """How the cards rank and count under one contract; every tuple is indexed by card."""

    contract: str
    trump_suits: tuple[int, ...]
    suit: tuple[int, ...]
    rank: tuple[int, ...]                   # 0 for the weakest card of its suit
    field: tuple[int, ...]                  # the suit counted from the one after trumps, trumps being 3
    points: tuple[int, ...]
    stronger: tuple[frozenset[int], ...]    # the cards of the same suit that rank higher
    strength: tuple[tuple[int, ...], ...]   # [suit led][card]

    @property
    def trump(self) -> int | None:
        """The trump suit of a suit contract, None in NT and AT."""
        return self.trump_suits[0] if len(self.trump_suits) == 1 else None


@lru_cache(maxsize=256)
def order_of(deck: Deck, contract: str) -> Order:
    """The order of a deck's cards under a contract."""
    width = len(deck.ranks)
    cards = range(4 * width)
    trump_suits = {"NT": (), "AT": (0, 1, 2, 3)}.get(contract) if contract in ("NT", "AT") else (SUITS.index(contract),)
    assert trump_suits is not None
    top = trump_suits[0] if len(trump_suits) == 1 else 3
    suit = tuple(card // width for card in cards)
    rank, points = [], []
    for card in cards:
        is_trump = suit[card] in trump_suits
        by_strength = deck.trump_order if is_trump else deck.plain_order
        place = by_strength.index(deck.ranks[card % width])
        rank.append(width - 1 - place)
        points.append((deck.trump_values if is_trump else deck.plain_values)[place])
    return Order(
        contract=contract,
        trump_suits=trump_suits,
        suit=suit,
        rank=tuple(rank),
        field=tuple((suit[card] - top - 1) % 4 for card in cards),
        points=tuple(points),
        stronger=tuple(frozenset(c for c in cards if suit[c] == suit[card] and rank[c] > rank[card]) for card in cards),
        strength=tuple(tuple(_strength(card, led, contract, suit, rank) for card in cards) for led in range(4)),
    )


def _strength(card: int, led: int, contract: str, suit: Sequence[int], rank: Sequence[int]) -> int:
    """In a suit contract a trump is above all other cards; in NT and AT only the suit led can win."""
    if contract in SUITS and suit[card] == SUITS.index(contract):
        return RUFF + rank[card]
    return rank[card] if suit[card] == led else NOT_WINNING


def winner(trick: Sequence[int], order: Order) -> int:
    """The place in the trick (0: the leader) of the card that is winning; the trick is not empty."""
    strength = order.strength[order.suit[trick[0]]]
    best = 0
    for place in range(1, len(trick)):
        if strength[trick[place]] > strength[trick[best]]:
            best = place
    return best


def trick_points(trick: Sequence[int], order: Order) -> int:
    """The card points that a trick holds."""
    return sum(order.points[card] for card in trick)
