"""Exact probabilities and means, counted by hand, beside what the kernels deal, declare, exchange and bid.

An experiment is one way to play; each of its values is a number a deal whose mean is known exactly.  The tests play
10^6 deals, analysis/validate.py --statistics 10^7.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.engine.batch import play_batch
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.store.rows import popcount

Array = npt.NDArray[Any]
Columns = dict[str, Array]
HANDS = 10_518_300
"""Hands of 8 out of 32 cards."""


class Value(NamedTuple):
    """What is counted in each deal, or in each hand of a deal ([seat, deal]: their mean), and its exact mean."""

    name: str
    exact: Fraction
    count: Callable[[Batch], Array]


class Experiment(NamedTuple):
    """Rules and bidding of a table, and what is known of it; `play` is as on the command line."""

    settings: tuple[str, ...]
    bid: str
    values: tuple[Value, ...]
    play: str = "greedy"


class Estimate(NamedTuple):
    """A mean over n deals with its standard error, and how far it is from the exact one."""

    name: str
    exact: float
    mean: float
    error: float
    deals: int

    @property
    def z(self) -> float:
        """Distance in standard errors."""
        return (self.mean - self.exact) / self.error if self.error else math.copysign(math.inf, self.mean - self.exact)

    @property
    def p(self) -> float:
        """Chance of a distance at least as great, were the exact mean the true one."""
        return math.erfc(abs(self.z) / math.sqrt(2))


# --- What a hand holds, by the byte of a suit -------------------------------------------------------------------------

_RUNS = [[len(run) for run in f"{byte:08b}".split("0")] for byte in range(256)]
LONGEST = np.array([max(runs) for runs in _RUNS], np.int8)
_POINTS = {0: 0, 1: 0, 2: 0, 3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 120}
POINTS = np.array([sum(_POINTS[length] for length in runs) for runs in _RUNS], np.int16)
PAIR = np.array([byte & 0x60 == 0x60 for byte in range(256)])


class Batch:
    """Columns of a batch, and what every hand in it holds: arrays [seat, deal], worked out when first asked for."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    @cached_property
    def suits(self) -> Array:
        """Bytes [suit, seat, deal]."""
        hands = np.stack([self[f"hand_{seat}"] for seat in range(4)])
        return np.stack([(hands >> np.uint32(8 * suit)).astype(np.uint8) for suit in range(4)])

    @cached_property
    def longest(self) -> Array:
        """Cards of the longest run."""
        return LONGEST[self.suits].max(axis=0)

    @cached_property
    def points(self) -> Array:
        """Points of all runs."""
        return POINTS[self.suits].sum(axis=0, dtype=np.int16)

    @cached_property
    def pairs(self) -> Array:
        """Pairs of king and queen."""
        return PAIR[self.suits].sum(axis=0, dtype=np.int8)

    @cached_property
    def fours(self) -> Array:
        """Ranks held in all suits, a bit each."""
        return np.bitwise_and.reduce(self.suits)


def _pair_of_trumps(seats: tuple[int, ...]) -> Callable[[Batch], Array]:
    def count(batch: Batch) -> Array:
        shift = 8 * batch["contract"].astype(np.uint32)
        return np.add.reduce([PAIR[batch[f"hand_{seat}"] >> shift & np.uint32(255)] for seat in seats], dtype=float)

    return count


def _melds(batch: Batch) -> Array:
    return batch["meld_0"].astype(float) + batch["meld_1"]


def _lead(place: int) -> Callable[[Batch], Array]:
    """The first card led is the `place`-th lowest of the hand."""
    def count(batch: Batch) -> Array:
        lead = batch["plays"][:, 0].astype(np.uint32)
        lower = batch["hand_0"] & ((np.uint32(1) << lead) - np.uint32(1))
        return popcount(lower.astype(np.uint64)) == place

    return count


_LENGTHS = {3: 2_013_216, 4: 319_650, 5: 39_200, 6: 3_504}
_RUN_POINTS = {0: 8_142_534, 20: 1_956_816, 40: 56_400, 50: 311_484, 70: 8_016, 100: 42_758, 120: 292}
_CAPPED = _RUN_POINTS | {100: 42_762, 120: 288}
_PAIR_COUNTS = ("0.360732", "0.416981", "0.183329", "0.036245", "0.002713")
_NO_RUN = Fraction(4300129458907, 11428040914875)


def _mean(table: dict[int, int]) -> Fraction:
    return Fraction(sum(points * hands for points, hands in table.items()), HANDS)


HAND_VALUES = (
    Value("hand holds K+Q of hearts", Fraction(7, 124), lambda b: PAIR[b.suits[2]]),
    *(Value(f"deal holds {n} pairs K+Q", Fraction(p), lambda b, n=n: b.pairs.sum(axis=0) == n)
      for n, p in enumerate(_PAIR_COUNTS)),
    Value("pairs K+Q in a deal", Fraction(28, 31), lambda b: b.pairs.sum(axis=0)),
    Value("hand has no run", Fraction(8_142_534, HANDS), lambda b: b.longest < 3),
    *(Value(f"longest run is {n}", Fraction(hands, HANDS), lambda b, n=n: b.longest == n)
      for n, hands in _LENGTHS.items()),
    Value("longest run is 7 or 8", Fraction(196, HANDS), lambda b: b.longest >= 7),
    *(Value(f"runs are worth {points}", Fraction(hands, HANDS), lambda b, points=points: b.points == points)
      for points, hands in _RUN_POINTS.items() if points),
    Value("points of runs in a hand", _mean(_RUN_POINTS), lambda b: b.points),
    Value("deal has no run", _NO_RUN, lambda b: (b.longest < 3).all(axis=0)),
    Value("hand holds four tens", Fraction(7, 3596), lambda b: b.fours & 0b1000 != 0),
    Value("hand has a four, 8 ranks", Fraction(40_943, 2_629_575), lambda b: b.fours != 0),
    Value("hand has a four, 6 ranks", Fraction(8_189, 701_220), lambda b: b.fours & 0b11111100 != 0),
    Value("hand has a four, 3 ranks", Fraction(353, 60_450), lambda b: b.fours & 0b11100000 != 0),
)

_NO_SWAP = ("exchange_policy=never",)
_NO_FOURS = "fours_table=[0, 0, 0, 0, 0, 0, 0, 0]"
_NO_RUNS = "run_points=[0, 0, 0]"
_P = Fraction(1, 10)
_ALL_PASS = (1 - _P) ** 4

EXPERIMENTS = (
    Experiment((), "never", HAND_VALUES),
    Experiment((), "always", (
        Value("turned card is a seven", Fraction(1, 8), lambda b: b["upcard"] % 8 == 0),
        Value("a non-dealer swaps the seven", Fraction(105, 248), lambda b: np.isin(b["exchanger"], (0, 1, 2))),
        Value("somebody swaps the seven", Fraction(35, 62), lambda b: b["exchanger"] >= 0),
        Value("the seven is in the stock", Fraction(77, 248), lambda b: (b["exchanger"] < 0) & (b["upcard"] % 8 != 0)),
    )),
    Experiment((*_NO_SWAP, _NO_FOURS, _NO_RUNS), "always", (
        Value("somebody declares K+Q of trumps", Fraction(7, 31), lambda b: _melds(b) == 20),
        Value("the dealer holds K+Q of trumps", Fraction(14, 155), _pair_of_trumps((3,))),
        Value("another seat holds K+Q of trumps", Fraction(7, 155), lambda b: _pair_of_trumps((0, 1, 2))(b) / 3),
    )),
    Experiment((*_NO_SWAP, _NO_FOURS, "trump_pair=0"), "always", (
        Value("declared points of runs", 4 * _mean(_RUN_POINTS), _melds),
        Value("no run declared", _NO_RUN, lambda b: _melds(b) == 0),
    )),
    Experiment((*_NO_SWAP, _NO_FOURS, "trump_pair=0", "long_run=cap"), "always", (
        Value("declared points of runs, capped", 4 * _mean(_CAPPED), _melds),
    )),
    Experiment((*_NO_SWAP, _NO_RUNS, "trump_pair=0"), "always", (
        Value("declared fours", 32 * Fraction(7, 3596), lambda b: _melds(b) / 100),
    )),
    Experiment((), "chance:0.1", (
        Value("thrown in, each takes with 0.1", _ALL_PASS**2, lambda b: b["round"] == 0),
        Value("taken in round 1", 1 - _ALL_PASS, lambda b: b["round"] == 1),
        Value("taken by seat 2 in round 1", (1 - _P) ** 2 * _P, lambda b: (b["round"] == 1) & (b["taker"] == 2)),
        Value("clubs named in round 2", _ALL_PASS * (1 - _ALL_PASS) / 4,
              lambda b: (b["round"] == 2) & (b["contract"] == 0)),
    )),
    Experiment(("round2_any_suit=false",), "chance:0.1", (
        Value("the suit after the turned one named", _ALL_PASS * (1 - _ALL_PASS) / 3,
              lambda b: (b["round"] == 2) & (b["contract"] == (b["upcard"] // 8 + 1) % 4)),
    )),
    Experiment((), "always", tuple(
        Value(f"random lead is card {place + 1} of 8", Fraction(1, 8), _lead(place)) for place in range(8)
    ), "random"),
)


def estimates(experiment: Experiment, seed: int, deals: int, block: int = 1 << 18) -> Iterator[Estimate]:
    """Means of an experiment's values over the deals 0 .. deals - 1 of a seed."""
    rules, policies = load_rules("mpourloto", experiment.settings), load_policies(experiment.play, experiment.bid)
    sums, squares = np.zeros(len(experiment.values)), np.zeros(len(experiment.values))
    for first in range(0, deals, block):
        record = experiment.play == "random"
        batch = Batch(play_batch(rules, policies, seed, first, min(block, deals - first), record))
        for i, value in enumerate(experiment.values):
            counted = value.count(batch)
            counted = counted.mean(axis=0) if counted.ndim == 2 else counted.astype(float)
            sums[i], squares[i] = sums[i] + counted.sum(), squares[i] + (counted**2).sum()
    for value, total, square in zip(experiment.values, sums, squares, strict=True):
        mean = total / deals
        yield Estimate(value.name, float(value.exact), mean, math.sqrt((square / deals - mean**2) / deals), deals)
