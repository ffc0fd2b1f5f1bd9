"""Rows as whole columns, with the views of them that the checks need.

Legend: rows are arrays of shape (n,) by column name, categories as codes; words are sets of cards as uint64.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mpsim.rules import Rules
from mpsim.store.schema import OUTCOMES, Array, Arrays

NT, AT, NONE = 4, 5, 6
"""Codes of contracts that are no suit."""

MADE, FAILED, HUNG, THROWN_IN, SCORED = range(len(OUTCOMES))


class Rows:
    """Rows and the rules that they were played by."""

    def __init__(self, arrays: Arrays, rules: Rules) -> None:
        self.arrays, self.rules = arrays, rules
        self.width, self.field = len(rules.deck.ranks), rules.deck.field
        self.deck = sum(1 << card for card in rules.deck.cards)
        self.thrown_in = arrays["round"] == 0
        self.played = ~self.thrown_in

    def __getitem__(self, name: str) -> Array:
        return self.arrays[name]

    def seats(self, prefix: str) -> list[Array]:
        """A column of each seat, as uint64 words."""
        return [self.arrays[f"{prefix}_{seat}"].astype(np.uint64) for seat in range(4)]

    def teams(self, prefix: str) -> tuple[Array, Array]:
        """A column of each team, as int64."""
        return self.arrays[f"{prefix}_0"].astype(np.int64), self.arrays[f"{prefix}_1"].astype(np.int64)

    @cached_property
    def hands(self) -> list[Array]:
        """The hands played."""
        return self.seats("hand")

    @cached_property
    def first(self) -> list[Array]:
        """The hands held while bidding."""
        return self.seats("first")

    @cached_property
    def turned_suit(self) -> Array:
        """Suit of the turned card."""
        return self.arrays["upcard"] // self.field

    @cached_property
    def turned_rank(self) -> Array:
        """Its rank, in natural order; 0 for what is no rank."""
        rank = self.arrays["upcard"] % self.field
        return np.where(rank < self.width, rank, 0)

    @property
    def dealers_own(self) -> bool:
        """Whether the turned card is the last of the dealer's first cards."""
        deal = self.rules.deal
        return deal.turn_up and deal.upcard_index < 4 * sum(deal.packets)

    @cached_property
    def receiver(self) -> Array:
        """Who has the turned card before any exchange."""
        to_dealer = self.rules.deal.upcard_to == "dealer" or self.dealers_own
        return np.where(self.thrown_in | to_dealer, 3, self.arrays["taker"])

    @cached_property
    def capo(self) -> Array:
        """Deals in which one team won every trick."""
        tricks_0, tricks_1 = self.teams("tricks")
        capo: Array = self.played & ((tricks_0 == 0) | (tricks_1 == 0))
        return capo

    def by_contract(self, suit: Any, all_trumps: Any, no_trumps: Any) -> Array:
        """Of three values the one for a row's contract."""
        contract = self.arrays["contract"]
        value: Array = np.where(contract == NT, no_trumps, np.where(contract == AT, all_trumps, suit))
        return value

    def strength(self, order: str) -> Array:
        """Place of each rank in an order, by natural order; 0 for the weakest."""
        return np.array([len(order) - 1 - order.index(rank) for rank in self.rules.deck.ranks])

    def holdings(self, hand: Array) -> list[Array]:
        """A hand's four suits, each as the bits of its ranks."""
        field = np.uint64((1 << self.field) - 1)
        return [(hand >> np.uint64(suit * self.field) & field).astype(np.intp) for suit in range(4)]


def bit(cards: Array) -> Array:
    """The word of a card, 0 for -1."""
    shift = np.clip(cards, 0, 63).astype(np.uint64)
    return np.where(cards >= 0, np.uint64(1) << shift, np.uint64(0))


def popcount(words: Array) -> Array:
    """Number of bits set in each uint64 word."""
    one, two, four = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
    x = words - (words >> np.uint64(1) & one)
    x = (x & two) + (x >> np.uint64(2) & two)
    x = x + (x >> np.uint64(4)) & four
    count: Array = (x * np.uint64(0x0101010101010101) >> np.uint64(56)).astype(np.int64)
    return count


def of_seat(columns: Sequence[Array], seat: Array) -> Array:
    """Of a column a seat, or a suit, the value of the one that a row names."""
    picked: Array = np.choose(seat.astype(np.intp), columns, mode="clip")
    return picked


def disjoint(words: Sequence[Array]) -> Array:
    """Whether no bit is set twice."""
    union: Array = np.bitwise_or.reduce(words)
    # Words without a common bit, and only those, add up to their union.
    total: Array = np.add.reduce(words)
    apart: Array = total == union
    return apart
