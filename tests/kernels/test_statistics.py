"""Exact values beside 10^6 deals, and which cards fall where.

Seeds are fixed, so nothing here fails by chance twice.  With a new seed, or new streams, each of some 50 values is
beyond 4 standard errors once in 16,000 times, each chi-square beyond its limits once in 1,000: 0.5 % together.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from kernels import exact
from kernels.exact import EXPERIMENTS, PACKETS, Experiment, dealt, packet_chi_square, pair_chi_square
from mpsim.kernels.lanes import LANES


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda e: f"{e.play} {e.bid} {' '.join(e.settings)}")
def test_exact_values(experiment: Experiment) -> None:
    far = [found for found in exact.estimates(experiment, 8, 1_000_000) if not abs(found.z) <= 4]
    assert not far


def within(chi_square: float, freedom: int) -> bool:
    """Neither too far from the exact frequencies nor too near to them."""
    return bool(0.0005 < chi2.sf(chi_square, freedom) < 0.9995)


def test_every_packet_gets_every_card_alike() -> None:
    found = dealt(8, 500 * LANES)
    assert found.packets.sum(axis=1).tolist() == [size * found.deals for size in PACKETS.values()]
    assert found.packets.sum(axis=0).tolist() == [found.deals] * 32
    assert within(packet_chi_square(found.packets), exact.PACKET_FREEDOM)


def test_every_two_cards_meet_alike() -> None:
    found = dealt(8, 500 * LANES)
    assert found.pairs.sum(axis=0).tolist() == [8 * found.deals] * 32
    assert within(pair_chi_square(found.pairs, found.deals), exact.PAIR_FREEDOM)


def test_chi_squares_are_scaled_for_permutations() -> None:
    """Mean and variance over 400 tables of 320 random permutations: the degrees of freedom and twice as many."""
    random = np.random.default_rng(1)
    by_packet, by_pair = [], []
    ends = np.cumsum(list(PACKETS.values()))[:-1]
    for _ in range(400):
        decks = random.permuted(np.tile(np.arange(32), (320, 1)), axis=1)
        counts = [np.bincount(part.ravel(), minlength=32) for part in np.split(decks, ends, axis=1)]
        by_packet.append(packet_chi_square(np.array(counts)))
        seats = np.argsort(decks, axis=1) // 8
        same = seats[:, :, None] == seats[:, None, :]
        by_pair.append(pair_chi_square(same.sum(axis=0), 320))
    for found, freedom in ((by_packet, exact.PACKET_FREEDOM), (by_pair, exact.PAIR_FREEDOM)):
        assert abs(np.mean(found) - freedom) < 4 * (2 * freedom / 400) ** 0.5
        assert 0.75 < np.var(found) / (2 * freedom) < 1.33


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
