"""Play out many positions side by side in numpy, asking the kernels only which cards are legal."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.harness import AT, NT, Words, legal_words, moved, places
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables, word_type

Ints = npt.NDArray[Any]


class Table:
    """n positions at the same ply of a trick; words are in play order, `to_place` [n, card] says which bit is whose."""

    def __init__(self, rules: Rules, trump: Ints, hands: Words, leader: Ints) -> None:
        """Contracts 0-5 [n], hands [n, 4] in natural order, seats [n] that lead."""
        self.rules = rule_tables(rules).play
        self.to_place = places(rules)[trump]
        self.word, self.field = word_type(rules.deck), rules.deck.field
        none, whole = self.word(0), self.word((1 << 4 * self.field) - 1)
        top = self.word(((1 << self.field) - 1) << 3 * self.field)
        self.ruffs = np.where(trump < NT, top, none)
        self.highs = np.where(trump < NT, top, np.where(trump == AT, whole, none))
        self.hands = np.stack([moved(np.ascontiguousarray(hands[:, seat]), self.to_place) for seat in range(4)], axis=1)
        self.leader = leader.astype(np.int64)
        self.count = 0
        self.led, self.best = np.zeros(len(hands), self.word), np.zeros(len(hands), self.word)
        self.winner = np.zeros(len(hands), np.int64)

    def take(self, rows: Ints) -> Table:
        """Some of the positions, in any order, each as often as it is named."""
        other = object.__new__(Table)
        other.rules, other.count, other.word, other.field = self.rules, self.count, self.word, self.field
        for name in ("to_place", "hands", "leader", "led", "best", "winner", "ruffs", "highs"):
            setattr(other, name, getattr(self, name)[rows])
        return other

    @property
    def turn(self) -> Ints:
        """Whose turn it is [n]."""
        return (self.leader + self.count) % 4

    def legal(self) -> Words:
        """The legal cards of whoever's turn it is [n]."""
        own = self.hands[np.arange(len(self.hands)), self.turn]
        if self.count == 0:
            return own
        partner_wins = (self.count >= 2) & (self.winner == self.count - 2)
        out = np.empty_like(own)
        partner = np.where(partner_wins, ~self.word(0), self.word(0))
        legal_words(own, self.led, self.best, partner, self.ruffs, self.highs, self.rules, out)
        return out

    def play(self, card: Words) -> None:
        """Put a card [n] on the table; the fourth one ends the trick and its winner leads."""
        self.hands[np.arange(len(card)), self.turn] &= ~card
        self._put(card)

    def show(self, card: Words) -> None:
        """The same for a card that is in nobody's hand."""
        self._put(card)

    def _put(self, card: Words) -> None:
        if self.count == 0:
            field = np.zeros_like(card)
            for suit in range(4):
                mask = self.word(((1 << self.field) - 1) << self.field * suit)
                field |= np.where(card & mask != 0, mask, self.word(0))
            self.led, self.best, self.winner = field, card, np.zeros(len(card), np.int64)
        else:
            wins = (card > self.best) & (card & (self.led | self.ruffs) != 0)
            self.best = np.where(wins, card, self.best)
            self.winner = np.where(wins, self.count, self.winner)
        self.count += 1
        if self.count == 4:
            self.leader, self.count = (self.leader + self.winner) % 4, 0

    def natural(self, words: Words) -> Words:
        """Words [n] of play order back in natural order."""
        return moved(words, np.argsort(self.to_place, axis=1).astype(self.word))


class Replay:
    """Recorded deals played again: legal cards at every ply and who won each trick."""

    def __init__(self, rules: Rules, columns: dict[str, Ints]) -> None:
        """Columns of a batch with `plays`; thrown-in deals have no legal cards and winners of -1."""
        played = np.flatnonzero(columns["round"] != 0)
        hands = np.stack([columns[f"hand_{seat}"][played] for seat in range(4)], axis=1)
        plays = columns["plays"][played].astype(np.int64)
        table = Table(rules, columns["contract"][played], hands, np.zeros(len(played)))
        rows = np.arange(len(played))
        deals, cards, word = len(columns["round"]), 4 * rules.hand_size, table.word
        self.legal = np.zeros((deals, cards), word)
        self.winners = np.full((deals, rules.hand_size), -1)
        self.held = np.zeros((deals, cards), bool)
        for ply in range(cards):
            card = word(1) << table.to_place[rows, plays[:, ply]]
            self.held[played, ply] = table.hands[rows, table.turn] & card != 0
            self.legal[played, ply] = table.natural(table.legal())
            table.play(card)
            if table.count == 0:
                self.winners[played, ply // 4] = table.leader
