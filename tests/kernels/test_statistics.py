"""Exact values beside 10^6 deals, and which card falls where.

Seeds are fixed, so nothing here fails by chance twice.  With a new seed, or new streams, each of some 50 values is
beyond 4 standard errors once in 16,000 times, the chi-square beyond its limit once in 1,000: 0.5 % together.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from kernels.exact import EXPERIMENTS, HANDS, POINTS, Experiment, estimates, position_chi_square, positions
from mpsim.kernels.lanes import LANES


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: f"{e.play} {e.bid} {' '.join(e.settings)}")
def test_exact_values(experiment: Experiment) -> None:
    far = [found for found in estimates(experiment, 8, 1_000_000) if not abs(found.z) <= 4]
    assert not far


def test_every_position_gets_every_card_alike() -> None:
    counts, laid_otherwise = positions(8, 500 * LANES)
    assert laid_otherwise == 0
    assert (counts.sum(axis=0) == counts.sum(axis=1)).all()
    assert chi2.sf(position_chi_square(counts), 31**2) > 0.0005
    assert chi2.cdf(position_chi_square(counts), 31**2) > 0.0005


def test_the_chi_square_is_scaled_for_permutations() -> None:
    """Mean and variance over 400 tables of 320 random permutations: 961 and 2 * 961."""
    random = np.random.default_rng(1)
    found = []
    for _ in range(400):
        order = random.permuted(np.tile(np.arange(32), (320, 1)), axis=1)
        counts = np.bincount((order + 32 * np.arange(32)).ravel(), minlength=1024).reshape(32, 32)
        found.append(position_chi_square(counts))
    assert abs(np.mean(found) - 961) < 4 * (2 * 961 / 400) ** 0.5
    assert 0.75 < np.var(found) / (2 * 961) < 1.33


def test_points_of_runs_by_enumeration() -> None:
    """The table of holdings used above gives the exact distribution back: hands by suit, 8 cards in all."""
    ways = {(0, 0): 1}
    for _ in range(4):
        after: dict[tuple[int, int], int] = {}
        for (cards, points), number in ways.items():
            for byte in range(256):
                key = cards + byte.bit_count(), points + int(POINTS[byte])
                after[key] = after.get(key, 0) + number
        ways = {key: number for key, number in after.items() if key[0] <= 8}
    hands = {points: number for (cards, points), number in ways.items() if cards == 8}
    assert sum(hands.values()) == HANDS
    assert hands == {0: 8142534, 20: 1956816, 40: 56400, 50: 311484, 70: 8016, 100: 42758, 120: 292}
