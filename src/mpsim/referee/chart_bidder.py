"""A bidder who looks his hand up in a chart: classes of hands counted out in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol

from mpsim.referee.auction import BidView

RANKS, CARDS = 8, 5

Sides = tuple[int, int, int]
"""Three holdings, each the sum of 2^rank over its cards, ascending."""


class Actions(Protocol):
    """What to do by seat and round, and class: 0 pass, 1 the turned suit, 2 to 4 a side suit."""

    def __getitem__(self, place: tuple[int, int]) -> int: ...


def _cards(holding: int) -> int:
    return sum(holding // 2**rank % 2 for rank in range(RANKS))


@cache
def _side_holdings() -> dict[int, list[Sides]]:
    """All holdings of three side suits by the number of their cards; the largest holding counts up last."""
    sizes = {holding: _cards(holding) for holding in range(2**RANKS) if _cards(holding) <= CARDS}
    holdings = sorted(sizes)
    found: dict[int, list[Sides]] = {number: [] for number in range(CARDS + 1)}
    for place, c in enumerate(holdings):
        for inner, b in enumerate(holdings[: place + 1]):
            left = CARDS - sizes[c] - sizes[b]
            if left >= 0:
                for a in holdings[: inner + 1]:
                    if sizes[a] <= left:
                        found[sizes[a] + sizes[b] + sizes[c]].append((a, b, c))
    return found


@cache
def class_numbers() -> dict[tuple[int, int, Sides], int]:
    """The number of each class: by the turned rank, the holding of the turned suit, and the side holdings."""
    numbers: dict[tuple[int, int, Sides], int] = {}
    for turned in range(RANKS):
        for trumps in range(2**RANKS):
            held = _cards(trumps)
            if held <= CARDS and trumps // 2**turned % 2 == 0:
                for sides in _side_holdings()[CARDS - held]:
                    numbers[turned, trumps, sides] = len(numbers)
    return numbers


class ChartBidder:
    """Says what the chart has for his seat, round and hand."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions

    def call(self, view: BidView) -> int | None:
        turned = view.upcard // RANKS
        holdings = [sum(2 ** (card % RANKS) for card in _of_suit(view.cards, suit)) for suit in range(4)]
        after = sorted(((turned + step) % 4 for step in (1, 2, 3)), key=lambda suit: holdings[suit])
        a, b, c = (holdings[suit] for suit in after)
        number = class_numbers()[view.upcard % RANKS, holdings[turned], (a, b, c)]
        action = int(self.actions[4 * (view.round - 1) + view.seat, number])
        if action == 0:
            return None
        suit = turned if action == 1 else after[action - 2]
        return suit if suit in view.allowed else None


def _of_suit(cards: Sequence[int], suit: int) -> list[int]:
    return [card for card in cards if card // RANKS == suit]
