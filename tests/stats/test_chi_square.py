"""Chi-square: the distribution beside scipy's, Pearson's statistic beside values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chi2, chisquare

from mpsim.stats.chi_square import ChiSquare, chi_square_p, chi_square_tails, pearson

FREEDOMS = [1, 2, 3, 4, 7, 31, 100, 341, 1000, 10_000, 58_974]
CHANCES = [1 - 1e-9, 0.999, 0.9, 0.5, 0.1, 1e-3, 1e-6, 1e-10, 1e-50, 1e-100, 1e-200, 1e-300]


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("chance", CHANCES)
def test_tails_are_those_of_scipy(freedom: int, chance: float) -> None:
    far = chi2.isf(chance, freedom)
    assert chi_square_p(far, freedom) == pytest.approx(chi2.sf(far, freedom), rel=1e-9, abs=0)
    near = chi2.ppf(chance, freedom)
    assert chi_square_tails(near, freedom)[0] == pytest.approx(chi2.cdf(near, freedom), rel=1e-9, abs=0)


def test_two_degrees_of_freedom_are_an_exponential() -> None:
    """P(X >= x) = e^(-x / 2)."""
    for x in (1e-9, 0.1, 1.0, 3.9, 4.1, 50.0, 1400.0):
        assert chi_square_p(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12, abs=0)


def test_ends() -> None:
    assert chi_square_tails(0.0, 5) == (0.0, 1.0)
    assert chi_square_tails(math.inf, 5) == (1.0, 0.0)
    assert chi_square_p(1e9, 5) == 0.0
    with pytest.raises(ValueError, match="not 0"):
        chi_square_p(1.0, 0)


def test_p_looks_to_both_sides() -> None:
    freedom = 40
    for chance in (1e-8, 0.01, 0.3):
        for value in (chi2.isf(chance / 2, freedom), chi2.ppf(chance / 2, freedom)):
            assert ChiSquare(value, freedom, 41).p == pytest.approx(chance, rel=1e-6)
    assert ChiSquare(chi2.median(freedom), freedom, 41).p == pytest.approx(1)


def test_pearson_is_that_of_scipy() -> None:
    observed, probability = np.array([43, 26, 31, 100]), np.array([0.2, 0.15, 0.15, 0.5])
    expected = chisquare(observed, observed.sum() * probability)
    found = pearson(observed, probability)
    assert (found.freedom, found.cells) == (3, 4)
    assert found.statistic == pytest.approx(expected.statistic)


def test_small_cells_are_thrown_together() -> None:
    """Of 100 things 50, 38, 6, 6 expected: the last two make a cell of 12."""
    found = pearson(np.array([4, 40, 6, 50]), np.array([0.06, 0.38, 0.06, 0.5]))
    assert found == ChiSquare(pytest.approx((50 - 50) ** 2 / 50 + (40 - 38) ** 2 / 38 + (10 - 12) ** 2 / 12), 2, 3)


def test_a_rest_that_is_small_still_joins_the_smallest_cell() -> None:
    """Of 100 things 60, 33, 4, 3 expected: the last three make a cell of 40."""
    found = pearson(np.array([5, 30, 0, 65]), np.array([0.04, 0.33, 0.03, 0.6]))
    assert found == ChiSquare(pytest.approx((65 - 60) ** 2 / 60 + (35 - 40) ** 2 / 40), 1, 2)


def test_what_cannot_be_has_no_chance() -> None:
    assert pearson(np.array([50, 50, 1]), np.array([0.5, 0.5, 0.0])).p == 0.0
    assert math.isfinite(pearson(np.array([50, 50, 0]), np.array([0.5, 0.5, 0.0])).statistic)


def test_too_few_things() -> None:
    with pytest.raises(ValueError, match="5 things are too few"):
        pearson(np.array([3, 2]), np.array([0.5, 0.5]))


def test_independent_ones_add() -> None:
    assert ChiSquare(1.5, 2, 3) + ChiSquare(2.0, 5, 7) == ChiSquare(3.5, 7, 10)
