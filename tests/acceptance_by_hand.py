"""An acceptance table made by hand: taking gains what a count says, so that the best count is known."""

from __future__ import annotations

import numpy as np

from mpsim.policies.chart import PASS, SIDE, TURNED
from mpsim.policies.classes import turned_classes
from mpsim.studies.thumb import Decisions

POINTS = {"J": 4, "9": 2, "each trump": 3, "side A": 1, "void": -1}
THRESHOLDS = (10, 9, 11, 12, 11, 12, 10, 13)
"""Round 1 by seat, round 2 by seat."""
NINE, JACK, ACE = 4, 16, 128


def plain_strength(held: list[int], suit: int) -> int:
    """By `POINTS`, of holdings as bytes: the hand's four suits, one of them trumps."""
    trumps = held[suit]
    sides = [cards for place, cards in enumerate(held) if place != suit]
    strength = 4 * bool(trumps & JACK) + 2 * bool(trumps & NINE) + 3 * trumps.bit_count()
    return strength + sum(bool(cards & ACE) - (cards == 0) for cards in sides)


def by_a_count() -> Decisions:
    """Every hand as likely as it is dealt, at every node; the chart takes what gains most."""
    classes = turned_classes()
    held = np.stack([classes.trumps, *classes.sides])
    first = strengths(held)
    held[0] |= 1 << classes.up
    of_seat = [first, first, first, strengths(held)]
    gain1 = np.stack([of_seat[seat][0] - THRESHOLDS[seat] + 0.5 for seat in range(4)])
    gain2 = np.stack([of_seat[seat] - THRESHOLDS[4 + seat] + 0.5 for seat in range(4)])
    later = np.where(gain2.max(axis=1) > 0, np.array([TURNED, SIDE, SIDE + 1, SIDE + 2])[gain2.argmax(axis=1)], PASS)
    chart = np.concatenate([np.where(gain1 > 0, TURNED, PASS), later]).astype(np.uint8)
    return Decisions(np.tile(classes.hands / classes.hands.sum(), (8, 1)), gain1, gain2, chart)


def strengths(held: np.ndarray) -> np.ndarray:
    """`plain_strength` of many hands, [suit, class]."""
    size = np.array([byte.bit_count() for byte in range(256)])[held]
    trump = 4 * (held & JACK > 0) + 2 * (held & NINE > 0) + 3 * size
    side = 1 * (held & ACE > 0) - (held == 0)
    return trump + side.sum(axis=0) - side
