"""How fast is each layer?  Rates in deals/s, median and spread of repeats, beside the goal."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mpsim.engine.batch import play_batch
from mpsim.kernels import layers
from mpsim.kernels.batch import deal_and_bid
from mpsim.kernels.lanes import LANES, new_state
from mpsim.policies import load_policies
from mpsim.policies.tables import bid_tables
from mpsim.rules import load_rules
from mpsim.rules.tables import rule_tables

BLOCKS = 2048
PART = 1 << 20


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


def _in_lanes(kernel: Callable[..., Any], *arguments: Any) -> Callable[[], int]:
    """The kernel over BLOCKS blocks, on a state that has been dealt and bid."""
    rules, policies = load_rules("mpourloto"), load_policies()
    state = new_state(np.zeros(1, np.uint32))
    deal_and_bid(state, np.uint64(1), np.uint64(0), rule_tables(rules), bid_tables(policies, rules))

    def run() -> int:
        kernel(state, BLOCKS, *arguments)
        return BLOCKS * LANES

    return run


def layer_benchmarks() -> list[Benchmark]:
    """Kernels on one core, without columns or files."""
    rules = load_rules("mpourloto")
    tables, bid = rule_tables(rules), bid_tables(load_policies(), rules)
    return [
        Benchmark("deal", _in_lanes(layers.deal_blocks, tables.deal)),
        Benchmark("auction and exchange", _in_lanes(layers.bid_blocks, tables, bid)),
        Benchmark("melds", _in_lanes(layers.meld_blocks, tables)),
        Benchmark("random play", _in_lanes(layers.play_blocks, tables, 15, 0)),
        Benchmark("greedy play", _in_lanes(layers.play_blocks, tables, 0, 15)),
        Benchmark("deal, random play, points", _in_lanes(layers.random_deal_blocks, tables, bid), goal=25e6),
        Benchmark("whole deal, greedy", _in_lanes(layers.whole_blocks, tables, bid, 0, 15), goal=12e6),
        Benchmark("whole deal, random", _in_lanes(layers.whole_blocks, tables, bid, 15, 0)),
    ]


def _columns() -> int:
    play_batch(load_rules("mpourloto"), load_policies(), 1, 0, PART)
    return PART


def _parquet() -> Callable[[], int]:
    from mpsim.store.provenance import PARTS_FOLDER, RunSpec
    from mpsim.store.writer import PartWriter

    spec = RunSpec(load_rules("mpourloto"), load_policies(), seed=1, first=0, deals=PART)
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


def _end_to_end(deals: int, threads: int) -> Callable[[], int]:
    from mpsim.engine.simulate import simulate

    def run() -> int:
        with tempfile.TemporaryDirectory() as folder:
            simulate(deals=deals, seed=1, threads=threads, out=Path(folder) / "run")
        return deals

    return run


def file_benchmarks() -> list[Benchmark]:
    """Columns, Parquet and whole runs; the goal of the last is ten million deals in six seconds on two cores."""
    return [
        Benchmark("columns of a part", _columns),
        Benchmark("Parquet of a part", _parquet()),
        Benchmark("end to end, 1 thread", _end_to_end(4 * PART, 1)),
        Benchmark("end to end, 2 threads", _end_to_end(4 * PART, 2), goal=1e7 / 6),
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


def two_threads_against_one(repeats: int) -> Rate:
    """How many times faster two threads fill columns than one, in pairs of runs right after one another."""
    def run(threads: int) -> float:
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda _: _columns(), range(4)))
        return time.perf_counter() - start

    run(2)
    ratios = [run(1) / run(2) for _ in range(repeats)]
    return Rate("two threads against one", statistics.median(ratios), min(ratios), max(ratios), "x", repeats, 1.9)


def measure_all(repeats: int) -> Iterator[Rate]:
    """Every benchmark in turn; two threads only where there are two cores."""
    for benchmark in [*layer_benchmarks(), *file_benchmarks()]:
        yield measure(benchmark, repeats)
    if (os.cpu_count() or 1) > 1:
        yield two_threads_against_one(repeats)
