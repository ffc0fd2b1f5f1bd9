"""Order of the cards under a contract, and who wins a trick (docs/rules.md, Cards and Play).

A contract is a letter of the deck's suits, `NT` (no trumps) or `AT` (all trumps).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mpsim.rules.model import Deck

NO_TRUMPS, ALL_TRUMPS = "NT", "AT"

RUFF = 100
"""Strength of the weakest trump; every card of another suit is below it."""

NOT_WINNING = -1
"""Strength of a card that neither follows suit nor is a trump."""


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """How the cards rank and count under one contract; every mapping is by card."""

    contract: str
    trump_suits: tuple[int, ...]
    suit: Mapping[int, int]
    rank: Mapping[int, int]                     # 0 for the weakest card of its suit
    field: Mapping[int, int]                    # the suit counted from the one after trumps, trumps being 3
    points: Mapping[int, int]
    stronger: Mapping[int, frozenset[int]]      # the cards of the same suit that rank higher
    strength: tuple[Mapping[int, int], ...]     # [suit led], by card

    @property
    def trump(self) -> int | None:
        """The trump suit of a suit contract, None in NT and AT."""
        return self.trump_suits[0] if len(self.trump_suits) == 1 else None


def contracts(deck: Deck) -> tuple[str, ...]:
    """All contracts from the lowest: the suits in the deck's order, no trumps, all trumps."""
    return (*deck.suits, NO_TRUMPS, ALL_TRUMPS)


@lru_cache(maxsize=256)
def order_of(deck: Deck, contract: str) -> Order:
    """The order of a deck's cards under a contract."""
    trump_suits = _trump_suits(deck, contract)
    top = trump_suits[0] if len(trump_suits) == 1 else 3
    suit = {card: card // deck.field for card in deck.cards}
    rank, points = {}, {}
    for card in deck.cards:
        is_trump = suit[card] in trump_suits
        by_strength = deck.trump_order if is_trump else deck.plain_order
        place = by_strength.index(deck.ranks[card % deck.field])
        rank[card] = len(by_strength) - 1 - place
        points[card] = (deck.trump_values if is_trump else deck.plain_values)[place]
    return Order(
        contract=contract,
        trump_suits=trump_suits,
        suit=suit,
        rank=rank,
        field={card: (suit[card] - top - 1) % 4 for card in deck.cards},
        points=points,
        stronger={
            card: frozenset(other for other in deck.cards if suit[other] == suit[card] and rank[other] > rank[card])
            for card in deck.cards
        },
        strength=tuple(
            {card: _strength(suit[card], rank[card], led, trump_suits) for card in deck.cards} for led in range(4)
        ),
    )


def _trump_suits(deck: Deck, contract: str) -> tuple[int, ...]:
    if contract == NO_TRUMPS:
        return ()
    return (0, 1, 2, 3) if contract == ALL_TRUMPS else (deck.suits.index(contract),)


def _strength(suit: int, rank: int, led: int, trump_suits: tuple[int, ...]) -> int:
    """In a suit contract a trump is above all other cards; in NT and AT only the suit led can win."""
    if trump_suits == (suit,):
        return RUFF + rank
    return rank if suit == led else NOT_WINNING


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
