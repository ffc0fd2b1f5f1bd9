"""How fast is each layer?  Rates in deals/s, median and spread of repeats, beside the goal."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mpsim.engine.batch import play_batch
from mpsim.kernels import layers
from mpsim.kernels.batch import deal_and_bid
from mpsim.kernels.lanes import LANES, new_state
from mpsim.policies import load_policies
from mpsim.policies.tables import bid_tables
from mpsim.rules import Rules, load_rules
from mpsim.rules.tables import rule_tables, word_type
from mpsim.stats.summary import has_melds

BLOCKS = 2048
PART = 1 << 20
WHOLE_DEALS = {"mpourloto": 12e6, "bulgarian": 6e6, "madrasso": 4e6}
"""Goals for whole greedy deals on one core, by preset."""


@dataclass(frozen=True, slots=True)
class Rate:
    """One benchmark's result; `goal` in the same unit as `median`, None where none is set."""

    name: str
    median: float
    low: float
    high: float
    unit: str
    repeats: int
    goal: float | None = None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A named piece of work: `run` does it once and returns how many deals it did."""

    name: str
    run: Callable[[], int]
    goal: float | None = None


def _in_lanes(rules: Rules, kernel: Callable[..., Any], *arguments: Any) -> Callable[[], int]:
    """The kernel over BLOCKS blocks, on a state that has been dealt and bid."""
    tables, bid = rule_tables(rules), bid_tables(load_policies(rules=rules), rules)
    state = new_state(np.zeros(1, word_type(rules.deck)))
    deal_and_bid(state, np.uint64(1), np.uint64(0), tables, bid)

    def run() -> int:
        kernel(state, BLOCKS, *arguments)
        return BLOCKS * LANES

    return run


def layer_benchmarks(rules: Rules | None = None) -> list[Benchmark]:
    """Kernels on one core, without columns or files; Mpourloto's unless told otherwise."""
    rules = rules or load_rules()
    tables, bid = rule_tables(rules), bid_tables(load_policies(rules=rules), rules)

    def lanes(name: str, kernel: Callable[..., Any], *arguments: Any, goal: float | None = None) -> Benchmark:
        return Benchmark(name, _in_lanes(rules, kernel, *arguments), goal)

    benchmarks = [
        lanes("deal", layers.deal_blocks, tables.deal),
        lanes("auction and exchange", layers.bid_blocks, tables, bid),
    ]
    if has_melds(rules):
        benchmarks.append(lanes("melds", layers.meld_blocks, tables))
    benchmarks += [
        lanes("random play", layers.play_blocks, tables, 15, 0),
        lanes("greedy play", layers.play_blocks, tables, 0, 15),
    ]
    if rules.name == "mpourloto":
        benchmarks.append(lanes("deal, random play, points", layers.random_deal_blocks, tables, bid, goal=25e6))
    return [
        *benchmarks,
        lanes("whole deal, greedy", layers.whole_blocks, tables, bid, 0, 15, goal=WHOLE_DEALS.get(rules.name)),
        lanes("whole deal, random", layers.whole_blocks, tables, bid, 15, 0),
    ]


def _columns(rules: Rules) -> int:
    play_batch(rules, load_policies(rules=rules), 1, 0, PART)
    return PART


def _parquet(rules: Rules) -> Callable[[], int]:
    from mpsim.store.provenance import PARTS_FOLDER, RunSpec
    from mpsim.store.writer import PartWriter

    spec = RunSpec(rules, load_policies(rules=rules), seed=1, first=0, deals=PART)
    rows = [play_batch(spec.rules, spec.policies, 1, first, PART // 4) for first in range(0, PART, PART // 4)]

    def run() -> int:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / PARTS_FOLDER).mkdir()
            writer = PartWriter(Path(folder), spec, spec.part(0))
            for quarter in rows:
                writer.write(quarter)
            writer.finish()
        return PART

    return run


def _end_to_end(rules: Rules, deals: int, threads: int) -> Callable[[], int]:
    from mpsim.engine.simulate import simulate

    def run() -> int:
        with tempfile.TemporaryDirectory() as folder:
            simulate(deals=deals, rules=rules, seed=1, threads=threads, out=Path(folder) / "run")
        return deals

    return run


def file_benchmarks(rules: Rules | None = None) -> list[Benchmark]:
    """Columns, Parquet and whole runs; Mpourloto's goal is ten million deals in six seconds on two cores."""
    rules = rules or load_rules()
    goal = 1e7 / 6 if rules.name == "mpourloto" else None
    return [
        Benchmark("columns of a part", partial(_columns, rules)),
        Benchmark("Parquet of a part", _parquet(rules)),
        Benchmark("end to end, 1 thread", _end_to_end(rules, 4 * PART, 1)),
        Benchmark("end to end, 2 threads", _end_to_end(rules, 4 * PART, 2), goal),
    ]


def measure(benchmark: Benchmark, repeats: int) -> Rate:
    """Median, lowest and highest rate of `repeats` runs, after one that is not counted."""
    benchmark.run()
    rates = []
    for _ in range(repeats):
        start = time.perf_counter()
        deals = benchmark.run()
        rates.append(deals / (time.perf_counter() - start))
    median = statistics.median(rates)
    return Rate(benchmark.name, median, min(rates), max(rates), "deals/s", repeats, benchmark.goal)


def two_threads_against_one(repeats: int, rules: Rules | None = None) -> Rate:
    """How many times faster two threads fill columns than one, in pairs of runs right after one another."""
    game = rules or load_rules()

    def run(threads: int) -> float:
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda _: _columns(game), range(4)))
        return time.perf_counter() - start

    run(2)
    ratios = [run(1) / run(2) for _ in range(repeats)]
    return Rate("two threads against one", statistics.median(ratios), min(ratios), max(ratios), "x", repeats, 1.9)


def measure_all(repeats: int, rules: Rules | None = None) -> Iterator[Rate]:
    """Every benchmark of a game in turn; two threads only where there are two cores."""
    for benchmark in [*layer_benchmarks(rules), *file_benchmarks(rules)]:
        yield measure(benchmark, repeats)
    if (os.cpu_count() or 1) > 1:
        yield two_threads_against_one(repeats, rules)
