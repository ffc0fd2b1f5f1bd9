"""Partial pooling: on data drawn from its own model and another one, and against normal equations solved directly."""

from __future__ import annotations

import numpy as np
import pytest

from mpsim.stats.pooling import (
    BORROWED,
    CELL_WIDTH,
    COMMON_WIDTH,
    SIDE_WIDTH,
    START_WIDTH,
    Design,
    Observed,
    _Model,
    observed,
    of_classes,
    pool,
)

CELLS, EFFECTS, CLASSES = 12, 20, 60_000


def design(seed: int = 1) -> Design:
    random = np.random.default_rng(seed)
    cell = np.concatenate([np.arange(CELLS), random.integers(0, CELLS, CLASSES - CELLS)])
    sides = random.integers(0, EFFECTS, (3, CLASSES))
    sides[0, :EFFECTS] = np.arange(EFFECTS)
    return Design(cell, CELLS, sides, EFFECTS)


def truth(shape: Design, seed: int, width: float) -> np.ndarray:
    random = np.random.default_rng(seed)
    cells, sides = random.normal(0, 50, CELLS), random.normal(0, 15, EFFECTS)
    return cells[shape.cell] + sides[shape.sides].sum(axis=0) + random.normal(0, width, CLASSES)


def visits(true: np.ndarray, seed: int, most: int, spread: float = 85.0) -> Observed:
    random = np.random.default_rng(seed)
    n = random.integers(0, most, CLASSES)
    mean = np.where(n > 0, true + random.normal(0, spread, CLASSES) / np.sqrt(np.maximum(n, 1)), 0.0)
    return Observed(n, mean, np.full(CLASSES, spread**2))


@pytest.mark.parametrize(("most", "width"), [(10, 8.0), (30, 8.0), (400, 12.0), (3_000, 5.0)])
def test_intervals_hold_the_truth(most: int, width: float) -> None:
    """95 % intervals of 60,000 classes: 93 to 97 % of them, in each of three draws."""
    shape = design()
    for seed in (1, 2, 3):
        true = truth(shape, seed, width)
        pooled = pool(visits(true, seed + 10, most), shape)
        assert 0.93 <= (abs(pooled.mean - true) <= 1.96 * pooled.se).mean() <= 0.97


def test_deviations_too_small_to_be_told_make_intervals_wide_not_narrow() -> None:
    shape = design()
    true = truth(shape, 1, 1.0)
    pooled = pool(visits(true, 11, 30), shape)
    assert (abs(pooled.mean - true) <= 1.96 * pooled.se).mean() >= 0.93


def test_pooling_is_nearer_to_the_truth_than_own_means() -> None:
    shape = design()
    true = truth(shape, 4, 8.0)
    seen = visits(true, 5, 60)
    pooled, some = pool(seen, shape), seen.n > 0
    assert ((pooled.mean - true)[some] ** 2).mean() < 0.5 * ((seen.mean - true)[some] ** 2).mean()


def test_many_visits_speak_for_themselves() -> None:
    shape = design()
    true = truth(shape, 6, 20.0)
    seen = visits(true, 7, 50)._replace(n=np.full(CLASSES, 10**9), mean=true)
    pooled = pool(seen, shape)
    assert np.allclose(pooled.mean, true, atol=0.01)
    assert np.allclose(pooled.se, 85 / np.sqrt(1e9), rtol=0.01)


def test_effects_solve_the_normal_equations() -> None:
    """Every class as a row of a matrix of zeros and ones, solved as they stand."""
    shape = design()
    seen = visits(truth(shape, 8, 8.0), 9, 50)
    weight = np.where(seen.n > 0, 1 / (seen.variance / np.maximum(seen.n, 1) + START_WIDTH**2), 0.0)
    rows = np.zeros((CLASSES, CELLS + EFFECTS + 1))
    rows[np.arange(CLASSES), shape.cell] = 1
    for side in shape.sides:
        np.add.at(rows, (np.arange(CLASSES), CELLS + side), 1)
    rows[:, -1] = 1
    prior = np.array([CELL_WIDTH**-2] * CELLS + [SIDE_WIDTH**-2] * EFFECTS + [COMMON_WIDTH**-2])
    exact = np.linalg.solve(rows.T @ (weight[:, None] * rows) + np.diag(prior), rows.T @ (weight * seen.mean))
    model = _Model(shape, weight)
    found = model.solved(seen.mean, np.zeros(CELLS + EFFECTS + 1))
    assert np.allclose(of_classes(shape, found), rows @ exact, atol=0.05)


def test_observed_by_hand() -> None:
    """Two classes in one cell, differences 10, 20, 60 and none; the other class borrows all of its variance."""
    shape = Design(np.array([0, 0]), 1, np.zeros((3, 2), np.int64), 1)
    taking, passing = np.array([15, 30, 50]), np.array([5, 10, -10])
    sums = np.array([
        [3, taking.sum(), passing.sum(), (taking**2).sum(), (passing**2).sum(), (taking * passing).sum()], [0] * 6,
    ])  # fmt: skip
    seen = observed(sums, shape)
    assert seen.n.tolist() == [3, 0]
    assert seen.mean.tolist() == [30, 0]
    squares, spread = 100 + 400 + 3600, (20**2 + 10**2 + 30**2)
    cell = (spread + BORROWED * squares / 3) / (3 + BORROWED)
    assert np.allclose(seen.variance, [(spread + BORROWED * cell) / (3 + BORROWED), cell])
