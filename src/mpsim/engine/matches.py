"""`mpsim.simulate_matches`: from arguments to whole matches, played over threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from mpsim.engine.match import MAX_MATCHES, play_matches
from mpsim.engine.match_batches import Advance, match_batches
from mpsim.engine.match_results import Matches
from mpsim.engine.plan import MAX_DEALS, Request, make_plan, parse_count, thread_count
from mpsim.engine.pool import Stopped, apart
from mpsim.engine.simulate import whole
from mpsim.engine.stop import Interrupted, stop_on_interrupt
from mpsim.errors import UsageError
from mpsim.rules import Rules
from mpsim.stats.match_tally import MatchTally
from mpsim.store.match_schema import to_match_batch
from mpsim.store.match_spec import MatchSpec
from mpsim.store.match_writer import check_match_path, match_writer
from mpsim.store.schema import Arrays

KEEP = 1 << 22
"""Without a file so many rows are kept in memory (33 bytes each); of more matches all are played again when asked."""


def simulate_matches(
    matches: int | str | None = None,
    *,
    rules: str | Path | Rules | None = None,
    settings: str | Iterable[str] = (),
    seed: int | None = None,
    play: str | None = None,
    bid: str | None = None,
    first: int | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Matches:
    """Play the matches `first` .. `first + matches - 1` to their end and return them.

    rules, settings, seed, threads: as in `simulate`.
    play, bid: policies (default `greedy`, `points`), one for all players or four parted by commas.  Players keep them
    while they move from seat to seat; players 0 and 2 are team 0.
    out: a file to write, FILE.parquet or FILE.csv, replaced in one step; none: the rows are in memory, or played again.
    progress: called with numbers of matches just played, from any thread.
    Raises a subclass of MpsimError for what the caller can mend, and KeyboardInterrupt on Ctrl-C, no file left.
    """
    request = Request(
        deals=None if matches is None else parse_count(str(matches), "matches", 1),
        rules=rules,
        settings=(settings,) if isinstance(settings, str) else tuple(settings),
        seed=whole(seed, "seed"),
        play=play,
        bid=bid,
        first=whole(first, "first"),
    )
    return run_matches(match_spec(request), None if out is None else Path(out), whole(threads, "threads"), progress)


def match_spec(request: Request) -> MatchSpec:
    """The matches asked for, `deals` of the request being their number."""
    if request.deals is None:
        raise UsageError("how many matches? give --matches 1e6, or matches=1e6 in Python")
    first, last = request.first or 0, (request.first or 0) + request.deals - 1
    if not 1 <= request.deals <= MAX_DEALS:
        raise UsageError(f"{request.deals} matches cannot be played: give 1 to 2^40 (about 1.1e12)")
    if not 0 <= first <= last < MAX_MATCHES:
        raise UsageError(f"matches {first} .. {last} leave 0 .. 2^54 - 1: give another first match")
    run = make_plan(request).spec
    return MatchSpec(run.rules, run.policies, run.seed, run.first, run.deals)


class _Rows(Protocol):
    def write(self, rows: Arrays) -> None: ...


class _Keep:
    """Holds rows in memory, or none."""

    def __init__(self, keep: bool) -> None:
        self.batches: list[pa.RecordBatch] | None = [] if keep else None

    def write(self, rows: Arrays) -> None:
        if self.batches is not None:
            self.batches.append(to_match_batch(rows))


def run_matches(
    spec: MatchSpec, out: Path | None = None, threads: int | None = None, progress: Advance | None = None,
    keep: bool = True,
) -> Matches:
    """Play them, into a file or, if `keep`, into memory where they are at most KEEP.  Interrupted on Ctrl-C."""
    width, kept = thread_count(threads), _Keep(keep and out is None and spec.matches <= KEEP)
    if out is not None:
        check_match_path(out)
    apart(play_matches, spec.rules, spec.policies, spec.seed, spec.first, 1)
    with _sink(out, spec, kept) as sink:
        start = time.perf_counter()
        tally = _play_into(sink, spec, width, progress or (lambda matches: None), out)
        seconds = time.perf_counter() - start
    return Matches(spec, tally, seconds, out, kept.batches)


@contextmanager
def _sink(out: Path | None, spec: MatchSpec, kept: _Keep) -> Iterator[_Rows]:
    if out is None:
        yield kept
        return
    with match_writer(out, spec) as writer:
        yield writer


def _play_into(sink: _Rows, spec: MatchSpec, width: int, advance: Advance, out: Path | None) -> MatchTally:
    tally = MatchTally()
    with stop_on_interrupt() as stop, ThreadPoolExecutor(width, "mpsim") as executor:
        try:
            for rows, counted in match_batches(spec, executor, width, stop, advance):
                sink.write(rows)
                tally = tally + counted
        except Stopped:
            lost = "nothing was kept" if out is None else f"{out} is not written"
            raise Interrupted(
                f"interrupted after {tally.matches:,} of {spec.matches:,} matches, which are lost; {lost}"
            ) from None
    return tally
