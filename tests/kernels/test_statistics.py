"""Exact values beside 10^6 deals.

Seeds are fixed, so nothing here fails by chance twice.  With a new seed, or new streams, each of some 50 values is
beyond 4 standard errors once in 16,000 times: 0.3 % together.
"""

from __future__ import annotations

import pytest

from kernels import exact
from kernels.exact import EXPERIMENTS, Experiment


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: f"{e.play} {e.bid} {' '.join(e.settings)}")
def test_exact_values(experiment: Experiment) -> None:
    far = [found for found in exact.estimates(experiment, 8, 1_000_000) if not abs(found.z) <= 4]
    assert not far


def test_points_of_runs_by_enumeration() -> None:
    """The table of holdings used above gives the exact distribution back: hands by suit, 8 cards in all."""
    ways = {(0, 0): 1}
    for _ in range(4):
        after: dict[tuple[int, int], int] = {}
        for (cards, points), number in ways.items():
            for byte in range(256):
                key = cards + byte.bit_count(), points + int(exact.POINTS[byte])
                after[key] = after.get(key, 0) + number
        ways = {key: number for key, number in after.items() if key[0] <= 8}
    hands = {points: number for (cards, points), number in ways.items() if cards == 8}
    assert sum(hands.values()) == exact.HANDS
    assert hands == {0: 8142534, 20: 1956816, 40: 56400, 50: 311484, 70: 8016, 100: 42758, 120: 292}
