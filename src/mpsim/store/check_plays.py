"""Checks of recorded plays: whose cards, whose tricks, whose points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mpsim.store.rows import AT, NT, Rows, bit, of_seat
from mpsim.store.schema import NO_CARD, Array

Faults = Iterator[tuple[str, Array]]


def check_plays(rows: Rows) -> Faults:
    """Every card once, from the hand of the seat whose turn it is; the highest card of a trick wins it and leads."""
    if "plays" not in rows.arrays:
        return
    plays = rows["plays"]
    union = np.bitwise_or.reduce(np.uint64(1) << np.minimum(plays, 63).astype(np.uint64), axis=1)
    yield "every card is played once", rows.played & (union != rows.deck)
    yield "no card is played in a thrown-in deal", rows.thrown_in & (plays != NO_CARD).any(axis=1)
    table = _Tricks(rows)
    for trick in range(rows.width):
        table.play(plays[:, 4 * trick : 4 * trick + 4].T.astype(np.int64))
    yield "every card is of the seat whose turn it is", rows.played & table.foreign
    tricks, points = rows.teams("tricks")[0], rows.teams("points")
    yield "the plays win team 0 its tricks", rows.played & (tricks != table.tricks)
    for team in range(2):
        cards = points[team] - np.where(table.leader % 2 == team, _bonus(rows), 0)
        won = table.points if team == 0 else table.total - table.points
        yield f"the plays bring team {team} its points", rows.played & (cards != won)


def _bonus(rows: Rows) -> Array:
    """What the winner of the last trick gets for it, and for all tricks."""
    score = rows.rules.score
    factor = np.where(rows["contract"] == NT, score.nt_multiplier, 1)
    last = score.last_trick * ~(rows.capo & (score.capo_mode == "replace")) * factor
    worth = score.all_tricks * (score.capo_mode != "wins_match")
    worth -= score.last_trick if score.mp_totals == "text152" else 0
    return last + worth * rows.capo * (factor if score.nt_capot_doubled else 1)


class _Tricks:
    """Tricks played on all rows at once: who leads, and what team 0 has won."""

    def __init__(self, rows: Rows) -> None:
        count, deck = len(rows.played), rows.rules.deck
        self._rows = rows
        # Strength and worth of a rank in a side suit and in trumps; a card that is none counts as the lowest rank.
        self._strength = np.array([rows.strength(order) for order in (deck.plain_order, deck.trump_order)])
        self._worth = np.array([self._values(deck.plain_order, deck.plain_values),
                                self._values(deck.trump_order, deck.trump_values)])
        self._factor = np.where(rows["contract"] == NT, rows.rules.score.nt_multiplier, 1)
        self.leader, self.tricks = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.points, self.total = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.foreign = np.zeros(count, bool)

    def _values(self, order: str, values: tuple[int, ...]) -> Array:
        return np.array([values[order.index(rank)] for rank in self._rows.rules.deck.ranks])

    def play(self, cards: Array) -> None:
        """One trick, cards as [place, row]."""
        rows, contract = self._rows, self._rows["contract"]
        suit, rank = cards // rows.field, np.where(cards % rows.field < rows.width, cards % rows.field, 0)
        trump = (suit == contract) | (contract == AT)
        kind = trump.astype(np.intp)
        strength = np.where(suit == suit[0], 100, 0) + np.where((suit == contract) & (contract < 4), 200, 0)
        strength += self._strength[kind, rank]
        for place in range(4):
            hand = of_seat(rows.hands, (self.leader + place) % 4)
            self.foreign |= hand & bit(cards[place]) == 0
        self.leader = (self.leader + strength.argmax(axis=0)) % 4
        points = self._worth[kind, rank].sum(axis=0) * self._factor
        self.tricks += self.leader % 2 == 0
        self.points += np.where(self.leader % 2 == 0, points, 0)
        self.total += points
