"""Estimates with their uncertainty: rates with Wilson intervals, means with standard error and Student interval.

Sums are exact Python integers; only the last step is a float.  An interval that the data cannot give (no trials, fewer
than three values, values all equal) is None, never a width of zero.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Moments:
    """n integer values by their sum and their sum of squares; adds exactly."""

    n: int = 0
    total: int = 0
    squares: int = 0

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.n + other.n, self.total + other.total, self.squares + other.squares)


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` of `n`, named by `of`, with its Wilson interval."""

    count: int
    n: int
    of: str
    rate: float | None
    low: float | None
    high: float | None

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `n` values, named by `of`, with standard error and interval in the same unit."""

    n: int
    of: str
    mean: float | None
    se: float | None
    low: float | None
    high: float | None

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def normal_quantile(level: float = LEVEL) -> float:
    """z such that a standard normal value lies within +-z with probability `level`."""
    return NormalDist().inv_cdf((1 + level) / 2)


def student_quantile(df: int, level: float = LEVEL) -> float:
    """t such that a Student value with `df` >= 2 degrees of freedom lies within +-t; off by less than 1 % at df = 2.

    Series in 1/df around the normal quantile: Abramowitz and Stegun 26.7.5.
    """
    z = normal_quantile(level)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum((term / float(df) ** power for power, term in enumerate(terms)), 0.0)


def wilson(count: int, n: int, level: float = LEVEL) -> tuple[float, float] | None:
    """Wilson's interval for the probability behind `count` successes in `n` trials; None without trials."""
    if n == 0:
        return None
    z = normal_quantile(level)
    p, spread = count / n, z * z / n
    centre = (p + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(p * (1 - p) / n + spread / (4 * n))
    low = 0.0 if count == 0 else max(0.0, centre - half)
    high = 1.0 if count == n else min(1.0, centre + half)
    return low, high


def rate(count: int, n: int, of: str, level: float = LEVEL) -> Rate:
    """`count` of the `n` things that `of` names."""
    interval = wilson(count, n, level)
    if interval is None:
        return Rate(count, n, of, None, None, None)
    return Rate(count, n, of, count / n, *interval)


def mean(moments: Moments, of: str, level: float = LEVEL) -> Mean:
    """The mean of the values, with interval mean +- t * se."""
    n, total = moments.n, moments.total
    if n == 0:
        return Mean(0, of, None, None, None, None)
    average = total / n
    # n * squares - total^2 = n * (n - 1) * variance, exact in integers, so nothing cancels.
    scaled = n * moments.squares - total * total
    if n < 3 or scaled == 0:
        return Mean(n, of, average, None, None, None)
    se = math.sqrt(scaled / (n * n * (n - 1)))
    half = student_quantile(n - 1, level) * se
    return Mean(n, of, average, se, average - half, average + half)
