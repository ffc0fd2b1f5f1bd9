"""Melds counted in deals: dealt and bid for the purpose, or read from a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pyarrow as pa

from mpsim.engine.batch import bid_batch
from mpsim.engine.plan import thread_count
from mpsim.engine.pool import in_order
from mpsim.engine.results import Run
from mpsim.kernels.held import count_held, count_pairs, count_points, undo_swaps
from mpsim.kernels.meld_points import meld_points
from mpsim.policies.load import Policies
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables
from mpsim.stats.exact_melds import king_and_queen
from mpsim.stats.meld_counts import (
    AFTER,
    BEFORE,
    GROUPS,
    TURNED,
    UNSWAPPED,
    Array,
    MeldCounts,
    fours_of_ranks,
    in_steps,
    no_counts,
    runs_of_holdings,
)
from mpsim.store.schema import Arrays, to_arrays

Item = TypeVar("Item")

BATCH = 1 << 18
BLOCK = 1 << 14
"""Deals looked at together: few enough that their arrays stay in the cache and in memory that is there already."""
COLUMNS = ("hand_0", "hand_1", "hand_2", "hand_3", "upcard", "round", "taker", "contract", "exchanger")
Progress = Callable[[int], None]


def melds_of_deals(
    rules: Rules, policies: Policies, seed: int, first: int, deals: int, threads: int | None = None,
    progress: Progress | None = None,
) -> MeldCounts:
    """Deal and bid so many deals of a seed, and count their melds."""
    def work(start: int) -> MeldCounts:
        end = min(start + BATCH, first + deals)
        blocks = (bid_batch(rules, policies, seed, at, min(BLOCK, end - at)) for at in range(start, end, BLOCK))
        return count_melds(rules, blocks)

    return _added(rules, work, range(first, first + deals, BATCH), threads, progress)


def melds_of_run(run: Run, threads: int | None = None, progress: Progress | None = None) -> MeldCounts:
    """Count the melds of a run's deals, batch by batch."""
    def work(batch: pa.RecordBatch) -> MeldCounts:
        columns = to_arrays(batch)
        blocks = ({name: values[at : at + BLOCK] for name, values in columns.items()}
                  for at in range(0, batch.num_rows, BLOCK))
        return count_melds(run.rules, blocks)

    return _added(run.rules, work, run.batches(COLUMNS), threads, progress)


def _added(
    rules: Rules, work: Callable[[Item], MeldCounts], items: Iterable[Item], threads: int | None,
    progress: Progress | None,
) -> MeldCounts:
    total, width = no_counts(rules), thread_count(threads)
    with ThreadPoolExecutor(width, "mpsim") as executor:
        for counts in in_order(work, items, executor, 2 * width):
            total = total + counts
            if progress:
                progress(int(counts.deals[TURNED]))
    return total


def count_melds(rules: Rules, blocks: Iterable[Arrays]) -> MeldCounts:
    """Of blocks of deals, each given by the arrays of `COLUMNS`."""
    counter = _Counter(rules)
    for columns in blocks:
        _count_block(rules, columns, counter)
    counts = counter.counts
    # Where nothing is compared, what is declared is scored.
    return counts if rules.melds.meld_compare != "none" else replace(counts, scored=counts.declared)


def _count_block(rules: Rules, columns: Arrays, counter: _Counter) -> None:
    """In thrown-in deals the turned suit stands in for trumps."""
    after = np.stack([columns[f"hand_{seat}"] for seat in range(4)])
    turned, thrown_in = columns["upcard"] >> np.int8(3), columns["round"] == 0
    trump = np.where(thrown_in, turned, columns["contract"])
    auction = np.where(thrown_in, np.int8(0), np.int8(4) * columns["round"] - np.int8(3) + columns["taker"])
    before, receiver = after.copy(), np.full(len(trump), 3, np.int8)
    if rules.deal.upcard_to == "taker":
        receiver = np.where(thrown_in, receiver, columns["taker"])
    seven = np.int8(8) * (trump if rules.exchange.exchange_suit == "trump" else turned)
    swapped = np.flatnonzero(undo_swaps(before, columns["exchanger"], receiver, columns["upcard"], seven))
    stage = np.full(len(trump), UNSWAPPED, np.int8)
    stage[swapped] = BEFORE
    counter.count_points(before, turned, np.full(len(trump), TURNED, np.int8))
    counter.count_all(before, trump, auction + stage)
    counter.count_all(after[:, swapped], trump[swapped], auction[swapped] + np.int8(AFTER))


class _Counter:
    """Counts of one batch, and the tables that its kernels take."""

    def __init__(self, rules: Rules) -> None:
        self.counts = no_counts(rules)
        self._field, self._pair = len(rules.deck.ranks), king_and_queen(rules)
        self._runs_of, self._fours_of = runs_of_holdings(rules), fours_of_ranks(rules)
        self._scoring = rule_tables(in_steps(rules)).melds
        self._declaring = self._scoring._replace(compare=0)

    def count_all(self, hands: Array, trump: Array, group: Array) -> None:
        """What is held, and its points."""
        count_held(hands, group, self._field, self._runs_of, self._fours_of, self.counts.held)
        self.count_points(hands, trump, group)

    def count_points(self, hands: Array, trump: Array, group: Array) -> None:
        """Trump pairs, points declared by hand, points scored by team."""
        self.counts.deals[:] += np.bincount(group, minlength=GROUPS)
        count_pairs(hands, trump, group, self._field, self._pair, self.counts.held[:, -1])
        declared = np.empty((4, hands.shape[1]), np.int16)
        teams = np.empty((2, hands.shape[1]), np.int16)
        for two in (slice(0, 2), slice(2, 4)):
            meld_points(hands[two], trump, self._declaring, declared[two])
        np.add(declared[:2], declared[2:], out=teams)
        count_points(declared, teams, group, self.counts.declared)
        if self._scoring.compare:
            meld_points(hands, trump, self._scoring, teams)
            count_points(declared, teams, group, self.counts.scored)
