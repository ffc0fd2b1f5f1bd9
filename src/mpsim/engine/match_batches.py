"""Matches played batch by batch on threads, given back in order: memory is flat however many."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial

from mpsim.engine.match import play_matches
from mpsim.engine.pool import Stopped, in_order
from mpsim.stats.match_tally import MatchTally, tally_matches
from mpsim.store.match_spec import MatchSpec
from mpsim.store.schema import Arrays

BATCH = 1 << 15
"""Matches played between two looks at the stop event; divides a row group."""

Advance = Callable[[int], None]


def match_batches(
    spec: MatchSpec, executor: Executor, width: int, stop: threading.Event, advance: Advance
) -> Iterator[tuple[Arrays, MatchTally]]:
    """Rows and their counts, BATCH matches at a time from the first on; Stopped once `stop` is set."""
    work = partial(_play, spec, stop, advance)
    return in_order(work, range(spec.first, spec.end, BATCH), executor, 2 * width)


def _play(spec: MatchSpec, stop: threading.Event, advance: Advance, first: int) -> tuple[Arrays, MatchTally]:
    if stop.is_set():
        raise Stopped
    count = min(BATCH, spec.end - first)
    rows = play_matches(spec.rules, spec.policies, spec.seed, first, count)
    tally = tally_matches(rows)
    advance(count)
    return rows, tally
