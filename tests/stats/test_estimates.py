"""Intervals against published values and exact arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from mpsim.stats.estimates import Moments, mean, normal_quantile, rate, student_quantile, wilson
from mpsim.stats.tally import moments_of, paired_difference


def test_normal_quantile_is_the_textbook_value() -> None:
    assert normal_quantile() == pytest.approx(1.959963985, abs=1e-9)


@pytest.mark.parametrize("df", [2, 3, 5, 10, 29, 1000, 10**7])
def test_student_quantile_against_scipy(df: int) -> None:
    assert student_quantile(df) == pytest.approx(stats.t.ppf(0.975, df), rel=8e-3 if df == 2 else 3e-3)


@pytest.mark.parametrize(("count", "n"), [(0, 10), (10, 10), (1, 10), (81, 263), (15, 148), (500_000, 10**6)])
def test_wilson_against_scipy(count: int, n: int) -> None:
    expected = stats.binomtest(count, n).proportion_ci(0.95, "wilson")
    assert wilson(count, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_is_never_of_no_width_and_none_without_trials() -> None:
    low, high = wilson(0, 5) or (0, 0)
    assert low == 0
    assert high > 0.4
    assert wilson(0, 0) is None
    assert rate(0, 0, "deals").rate is None


@given(st.lists(st.integers(-1000, 1000), min_size=3, max_size=50))
def test_mean_against_numpy(values: list[int]) -> None:
    estimate = mean(moments_of(np.array(values, np.int16)), "deals")
    assert estimate.mean == pytest.approx(np.mean(values))
    spread = np.std(values, ddof=1)
    if len(set(values)) == 1:
        assert estimate.se is None
        assert estimate.low is None
    else:
        assert estimate.se == pytest.approx(spread / math.sqrt(len(values)))
        assert estimate.low is not None
        assert estimate.low < estimate.mean < estimate.high


def test_two_values_or_equal_values_give_no_interval() -> None:
    assert mean(Moments(2, 10, 68), "deals").se is None
    assert mean(Moments(100, 500, 2500), "deals").low is None
    assert mean(Moments(), "deals").mean is None


def test_moments_do_not_overflow_small_types() -> None:
    values = np.full(1 << 20, 32_767, np.int16)
    assert moments_of(values) == Moments(1 << 20, 32_767 << 20, 32_767**2 << 20)


def test_variance_does_not_cancel_far_from_zero() -> None:
    estimate = mean(moments_of(np.array([10**8, 10**8 + 1, 10**8 + 2], np.int32)), "deals")
    assert estimate.se == pytest.approx(1 / math.sqrt(3))


def test_paired_difference_is_of_rows() -> None:
    assert paired_difference(np.array([5, 7], np.int8), np.array([1, 9], np.int8)) == Moments(2, 2, 20)
    assert paired_difference(np.array([127], np.int8), np.array([-128], np.int8)) == Moments(1, 255, 255**2)
