"""Decisions of many deals played out both ways and summed by class: whole numbers that add, whatever the threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import numpy.typing as npt

from mpsim.engine.plan import thread_count
from mpsim.engine.pool import as_they_come
from mpsim.kernels.branches import Visits, add_visits, visit_deals
from mpsim.policies.classes import class_tables
from mpsim.policies.load import Policies
from mpsim.policies.tables import bid_tables, player_tables
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables

Sums = npt.NDArray[np.int64]
"""[record, 6]: decisions, gain of taking, gain of passing, their squares, their product."""

BATCH = 1 << 13
VISITS = 20
"""Decisions of a deal, at the most: one a seat in round 1, four in round 2."""
RECORDS = 8 * class_tables().turned + 4 * class_tables().other
"""Round 1 by seat and class; round 2 with the turned suit, by seat and class; round 2 with another suit, likewise."""


def no_sums() -> Sums:
    """Of no decision."""
    return np.zeros((RECORDS, 6), np.int64)


def add_decisions(
    sums: Sums, rules: Rules, policies: Policies, seed: int, first: int, deals: int, threads: int | None = None,
    progress: Callable[[int], None] | None = None, stop: threading.Event | None = None,
) -> int:
    """Deal, bid and play out so many deals from number `first` on; returns how many were before `stop` was set.

    Deals are begun in order, and those begun are finished.
    """
    return add_batches(sums, partial(_play, rules, policies, seed), VISITS, first, deals, threads, progress, stop)


def add_batches(
    sums: Sums, play: Callable[[int, int, Visits], int], most: int, first: int, deals: int,
    threads: int | None = None, progress: Callable[[int], None] | None = None, stop: threading.Event | None = None,
) -> int:
    """Add what `play(first, count, out)` visits, at most `most` decisions a deal, a batch at a time."""
    width, free, adding = thread_count(threads), threading.local(), threading.Lock()

    def work(start: int) -> int:
        if not hasattr(free, "visits"):
            free.visits = _room(most)
        count = min(BATCH, first + deals - start)
        found = play(start, count, free.visits)
        with adding:
            add_visits(free.visits, found, sums)
        return count

    done = 0
    with ThreadPoolExecutor(width, "mpsim") as executor:
        for count in as_they_come(work, range(first, first + deals, BATCH), executor, width, stop or threading.Event()):
            done += count
            if progress:
                progress(count)
    return done


def _room(most: int) -> Visits:
    size = most * BATCH
    return Visits(np.empty(size, np.uint32), np.empty(size, np.int16), np.empty(size, np.int16))


def _play(rules: Rules, policies: Policies, seed: int, first: int, count: int, out: Visits) -> int:
    players = player_tables(policies)
    found = visit_deals(
        np.uint64(seed), np.uint64(first), count, rule_tables(rules), bid_tables(policies, rules),
        players.random_seats, players.greedy_seats, class_tables(), out,
    )
    return int(found)
