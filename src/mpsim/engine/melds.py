"""Melds counted in deals: dealt and bid for the purpose, or read from a run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pyarrow as pa

from mpsim.engine.batch import bid_batch
from mpsim.engine.plan import thread_count
from mpsim.engine.pool import in_order
from mpsim.engine.results import Run
from mpsim.kernels.held import count_fours, count_pairs, count_points, count_runs, undo_swaps
from mpsim.kernels.meld_points import meld_points
from mpsim.policies.load import Policies
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables
from mpsim.stats.exact_melds import king_and_queen
from mpsim.stats.meld_counts import (
    AFTER,
    BEFORE,
    GROUPS,
    RUN_KINDS,
    TURNED,
    UNSWAPPED,
    Array,
    MeldCounts,
    add_runs,
    fours_of_ranks,
    in_steps,
    no_counts,
    runs_base,
    runs_of_holdings,
)
from mpsim.store.schema import Arrays, to_arrays

Item = TypeVar("Item")

BATCH = 1 << 16
BLOCK = 1 << 14
"""Deals looked at together: few enough that their arrays stay in the cache and in memory that is there already."""
COLUMNS = ("hand_0", "hand_1", "hand_2", "hand_3", "upcard", "round", "taker", "contract", "exchanger")
Progress = Callable[[int], None]


def melds_of_deals(
    rules: Rules, policies: Policies, seed: int, first: int, deals: int, threads: int | None = None,
    progress: Progress | None = None,
) -> MeldCounts:
    """Deal and bid so many deals of a seed, and count their melds."""
    def blocks(start: int) -> Iterator[Arrays]:
        end = min(start + BATCH, first + deals)
        return (bid_batch(rules, policies, seed, at, min(BLOCK, end - at)) for at in range(start, end, BLOCK))

    return _counted(rules, blocks, range(first, first + deals, BATCH), threads, progress)


def melds_of_run(run: Run, threads: int | None = None, progress: Progress | None = None) -> MeldCounts:
    """Count the melds of a run's deals, batch by batch."""
    def blocks(batch: pa.RecordBatch) -> Iterator[Arrays]:
        columns = to_arrays(batch)
        return ({name: values[at : at + BLOCK] for name, values in columns.items()}
                for at in range(0, batch.num_rows, BLOCK))

    return _counted(run.rules, blocks, run.batches(COLUMNS), threads, progress)


def _counted(
    rules: Rules, blocks: Callable[[Item], Iterable[Arrays]], items: Iterable[Item], threads: int | None,
    progress: Progress | None,
) -> MeldCounts:
    """What the blocks of all items hold.  Counts are whole numbers: who counted what, and when, does not matter."""
    idle, width = deque([_Counter(rules)]), thread_count(threads)

    def work(item: Item) -> int:
        try:
            counter = idle.pop()
        except IndexError:
            counter = _Counter(rules)
        deals = sum(_count_block(rules, columns, counter) for columns in blocks(item))
        idle.append(counter)
        return deals

    with ThreadPoolExecutor(width, "mpsim") as executor:
        for deals in in_order(work, items, executor, 2 * width):
            if progress:
                progress(deals)
    return sum((counter.finished() for counter in idle), no_counts(rules))


def _count_block(rules: Rules, columns: Arrays, counter: _Counter) -> int:
    """Count the deals given by the arrays of `COLUMNS`; in thrown-in ones the turned suit stands in for trumps."""
    after = np.stack([columns[f"hand_{seat}"] for seat in range(4)])
    turned, thrown_in = columns["upcard"] >> np.int8(3), columns["round"] == 0
    trump = np.where(thrown_in, turned, columns["contract"])
    auction = np.where(thrown_in, np.int8(0), np.int8(4) * columns["round"] - np.int8(3) + columns["taker"])
    before, receiver = after.copy(), np.full(len(trump), 3, np.int8)
    if rules.deal.upcard_to == "taker":
        receiver = np.where(thrown_in, receiver, columns["taker"])
    seven = np.int8(8) * (trump if rules.exchange.exchange_suit == "trump" else turned)
    seven = seven + np.int8(rules.deck.ranks.index(rules.exchange.exchange_rank))
    swapped = np.flatnonzero(undo_swaps(before, columns["exchanger"], receiver, columns["upcard"], seven))
    stage = np.full(len(trump), UNSWAPPED, np.int8)
    stage[swapped] = BEFORE
    counter.count_points(before, turned, np.full(len(trump), TURNED, np.int8))
    counter.count_all(before, trump, auction + stage)
    counter.count_all(after[:, swapped], trump[swapped], auction[swapped] + np.int8(AFTER))
    return len(trump)


class _Counter:
    """Counts of one thread's deals, and the tables that its kernels take."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.counts = no_counts(rules)
        self._field, self._pair = len(rules.deck.ranks), king_and_queen(rules)
        self._runs_of, self._fours_of = runs_of_holdings(rules), fours_of_ranks(rules)
        self._base = runs_base(rules)
        self._runs = np.zeros((GROUPS, self._base**4), np.int64)
        self._scoring = rule_tables(in_steps(rules)).melds
        self._declaring = self._scoring._replace(compare=0)

    def finished(self) -> MeldCounts:
        """All that was counted; once."""
        add_runs(self.counts.held, self._runs, self._rules)
        # Where nothing is compared, what is declared is scored.
        compared = self._rules.melds.meld_compare != "none"
        return self.counts if compared else replace(self.counts, scored=self.counts.declared)

    def count_all(self, hands: Array, trump: Array, group: Array) -> None:
        """What is held, and its points."""
        count_runs(hands, group, self._field, self._runs_of, self._base, self._runs)
        count_fours(hands, group, self._field, self._fours_of, self.counts.held[:, len(RUN_KINDS) :])
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
