"""Do the kernels play the game that the referee plays, and deal the cards that probability demands?

    python analysis/validate.py --deals 100000 [--jobs 2] [--only KEY]
    python analysis/validate.py --statistics [--deals 10000000] [--jobs 2]
    python analysis/validate.py --melds [--deals 100000] [--jobs 2]
    python analysis/validate.py --matches [--deals 2000] [--jobs 2] [--only KEY]

The first compares every column and every legal set of kernels and referee for the preset and every rule switch turned
alone; the second sets means over many deals beside exact ones, and puts the dealer to the test; the last compares whole
matches, --deals of them for each switch.  Exit code 1 tells that something differs.  The tests do the same for few
deals; the lists of switches and values are theirs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from engine import naive_melds
from kernels import exact
from kernels.compare import Difference, compare
from kernels.exact import EXPERIMENTS, Estimate
from kernels.switches import SWITCHES
from kernels.switches_matches import MATCH_SWITCHES, match_differences
from mpsim.kernels import cache_folder
from mpsim.studies.fairness import MIN_DEALS, Certificate, certify

SEED = 2025
CHUNK = 2_500
MATCH_CHUNK = 100
SMALL = 1e-6
"""A p-value below this is a difference: some 50 values raise a false alarm once in 20,000 runs."""

Chunk = tuple[int, int, int, int]
"""Switch, table, first deal, deals."""


def chunks_of(number: int, deals: int) -> list[Chunk]:
    """A switch's deals, dealt out to its tables in turn."""
    tables = len(SWITCHES[number].pairs)
    starts = range(0, deals, CHUNK)
    return [(number, place % tables, first, min(CHUNK, deals - first)) for place, first in enumerate(starts)]


def compare_chunk(chunk: Chunk) -> tuple[Difference, float]:
    """Differences and seconds."""
    number, table, first, count = chunk
    start = time.perf_counter()
    switch = SWITCHES[number]
    return compare(switch.settings, switch.pairs[table], SEED, first, count, switch.base), time.perf_counter() - start


def compare_all(numbers: list[int], deals: int, pool: ProcessPoolExecutor) -> bool:
    """Print a line a switch; whether anything differs."""
    chunks = {number: chunks_of(number, deals) for number in numbers}
    found = pool.map(compare_chunk, [chunk for number in numbers for chunk in chunks[number]])
    say(f"{'deals':>8} {'differ':>7} {'seconds':>8}  switch")
    total = 0
    for number in numbers:
        differences, seconds = zip(*(next(found) for _ in chunks[number]), strict=True)
        differing = sum(difference.deals for difference in differences)
        say(f"{deals:8} {differing:7} {sum(seconds):8.1f}  {SWITCHES[number].name}")
        shown = [line for difference in differences for line in difference.shown]
        for deal, column, fast, slow in shown[:6]:
            say(f"         deal {deal}: {column} is {fast}, not {slow}")
        total += differing
    say(f"{len(numbers)} switches, {len(numbers) * deals} deals, {total} differ")
    return total > 0


def check_melds(chunk: tuple[int, int, int]) -> str:
    """What differs first, if anything."""
    number, first, count = chunk
    try:
        naive_melds.check_counts(*naive_melds.SWITCHES[number], SEED, first, count)
    except AssertionError as difference:
        return str(difference) or "differs"
    return ""


def melds(deals: int, pool: ProcessPoolExecutor) -> bool:
    """Print a line a switch; whether anything differs."""
    starts, differ = range(0, deals, CHUNK), False
    parts = [(first, min(CHUNK, deals - first)) for first in starts]
    found = pool.map(check_melds, [(number, *part) for number in range(len(naive_melds.SWITCHES)) for part in parts])
    for settings, bid in naive_melds.SWITCHES:
        differing = [text for text in (next(found) for _ in starts) if text]
        say(f"{deals:8} deals, {len(differing)} of {len(starts)} chunks differ: {' '.join((*settings, bid))}")
        say("\n".join(differing[:1])) if differing else None
        differ = differ or bool(differing)
    return differ


def check_matches(chunk: tuple[int, int, int]) -> list[tuple[int, str, int, int]]:
    """What differs, column by column."""
    number, first, count = chunk
    return match_differences(MATCH_SWITCHES[number], SEED, first, count)


def matches(numbers: list[int], count: int, pool: ProcessPoolExecutor) -> bool:
    """Print a line a switch; whether anything differs."""
    starts, differing = range(0, count, MATCH_CHUNK), 0
    parts = [(first, min(MATCH_CHUNK, count - first)) for first in starts]
    found = pool.map(check_matches, [(number, *part) for number in numbers for part in parts])
    say(f"{'matches':>8} {'differ':>7}  switch")
    for number in numbers:
        differences = [line for _ in starts for line in next(found)]
        different = {match for match, *_ in differences}
        say(f"{count:8} {len(different):7}  {switch_name(number)}")
        for match, column, fast, slow in differences[:6]:
            say(f"         match {match}: {column} is {fast}, not {slow}")
        differing += len(different)
    say(f"{len(numbers)} switches, {len(numbers) * count} matches, {differing} differ")
    return differing > 0


def switch_name(number: int) -> str:
    base, settings, pair = MATCH_SWITCHES[number]
    return " ".join((base, *settings, *pair))


def estimate(job: tuple[int, int]) -> list[Estimate]:
    """An experiment's estimates over so many deals."""
    experiment, deals = job
    return list(exact.estimates(EXPERIMENTS[experiment], SEED, deals))


def certificate(deals: int) -> Certificate:
    """What a sceptic asks of the dealer."""
    return certify(SEED, deals, threads=1)


def statistics(deals: int, pool: ProcessPoolExecutor) -> bool:
    """Print a line a value; whether any is beyond chance."""
    dealer = pool.submit(certificate, max(deals, MIN_DEALS))
    found = pool.map(estimate, [(number, deals) for number in range(len(EXPERIMENTS))])
    say(f"{'exact':>11} {'simulated':>11} {'error':>9} {'z':>6} {'p':>8}  value, {deals} deals of seed {SEED}")
    smallest, count = 1.0, 0
    for experiment, values in zip(EXPERIMENTS, found, strict=True):
        say(f"# play {experiment.play}, bid {experiment.bid} {' '.join(experiment.settings)}")
        for e in values:
            say(f"{e.exact:11.8f} {e.mean:11.8f} {e.error:9.2e} {e.z:6.2f} {e.p:8.5f}  {e.name}")
            smallest, count = min(smallest, e.p), count + 1
    for answer in dealer.result().answers:
        name, chi, p = answer.question.name, answer.found, answer.p
        say(f"{name}: chi-square {chi.statistic:.1f} with {chi.freedom} degrees of freedom, p = {p:.5f}")
        smallest, count = min(smallest, p), count + 1
    say(f"smallest p of {count} values: {smallest:.5f}; expected by chance about {1 / (count + 1):.5f}")
    return smallest < SMALL


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def chosen(only: str | None, names: list[str]) -> list[int]:
    """Numbers of the switches whose name holds the text."""
    return [number for number, name in enumerate(names) if only is None or only in name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=lambda text: int(float(text)),
                        help="100000, or 10000000 with --statistics, or 2000 matches with --matches")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--only", help="switches whose name holds this text")
    parser.add_argument("--melds", action="store_true", help="melds counted, under the switches that concern them")
    parser.add_argument("--matches", action="store_true", help="whole matches, under the switches that concern them")
    parser.add_argument("--statistics", action="store_true", help="exact values, and what a sceptic asks of the dealer")
    asked = parser.parse_args()
    of_matches = [switch_name(number) for number in range(len(MATCH_SWITCHES))]
    numbers = chosen(asked.only, of_matches if asked.matches else [switch.name for switch in SWITCHES])
    if not numbers:
        parser.error(f"no switch is named {asked.only!r}: give a rule key, like head_plain")
    say(f"kernels {cache_folder().name.removeprefix('kernels-')}")
    start = time.perf_counter()
    compare((), SWITCHES[0].pairs[0], SEED, 0, 1)  # compiles, so that not every process has to
    with ProcessPoolExecutor(asked.jobs, multiprocessing.get_context("spawn")) as pool:
        if asked.statistics:
            differ = statistics(asked.deals or 10_000_000, pool)
        elif asked.matches:
            differ = matches(numbers, asked.deals or 2_000, pool)
        elif asked.melds:
            differ = melds(asked.deals or 100_000, pool)
        else:
            differ = compare_all(numbers, asked.deals or 100_000, pool)
    say(f"{time.perf_counter() - start:.0f} s, {'DIFFERENT' if differ else 'the same'}")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
