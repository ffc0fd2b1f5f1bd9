"""Bidders of the referee who are told what to say, and what tells classes of hands apart, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mpsim import referee


@dataclass
class Told:
    """A bidder who says what he is told at one turn, and elsewhere what another one says."""

    other: referee.Bidder
    round: int
    suit: int | None

    def call(self, view: referee.BidView) -> int | None:
        return self.suit if view.round == self.round else self.other.call(view)


def margin(record: referee.DealRecord, seat: int) -> int:
    ours, theirs = record.settlement.scores[seat % 2], record.settlement.scores[1 - seat % 2]
    return ours - theirs


def class_key(hand: Sequence[int], upcard: int, suit: int) -> tuple[Any, ...]:
    """What tells classes apart, in words: trumps, the turned suit, side suits in any order."""
    holdings = [tuple(card % 8 for card in hand if card // 8 == s) for s in range(4)]
    turned = upcard // 8
    alike = sorted(holdings[s] for s in range(4) if s not in (suit, turned))
    return upcard % 8, holdings[suit], "turned" if suit == turned else holdings[turned], tuple(alike)
