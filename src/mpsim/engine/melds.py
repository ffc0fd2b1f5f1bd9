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
from mpsim.kernels.held import PairTable, count_fours, count_pairs, count_points, count_runs, undo_swaps
from mpsim.kernels.lanes import AT, NT
from mpsim.kernels.meld_points import meld_points
from mpsim.policies.load import Policies
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables
from mpsim.stats.meld_counts import (
    AFTER,
    ALL_TRUMPS,
    BEFORE,
    GROUPS,
    RUN_KINDS,
    TURNED,
    UNSWAPPED,
    Array,
    MeldCounts,
    add_runs,
    fours_of_ranks,
    has_all_trumps,
    in_steps,
    no_counts,
    runs_base,
    runs_of_holdings,
    taker_gets_upcard,
)
from mpsim.store.schema import Arrays, layout_of, to_arrays

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
    layout = layout_of(run.rules)

    def blocks(batch: pa.RecordBatch) -> Iterator[Arrays]:
        columns = to_arrays(batch, layout)
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
    """Count the deals given by the arrays of `COLUMNS`.

    Cards as dealt and those of thrown-in deals have the turned suit as trumps, or the lowest where nothing is turned.
    """
    after = np.stack([columns[f"hand_{seat}"] for seat in range(4)])
    field, thrown_in = np.int8(rules.deck.field), columns["round"] == 0
    turned = columns["upcard"] // field if rules.deal.turn_up else np.zeros_like(columns["upcard"])
    contract = np.where(thrown_in, turned, columns["contract"])
    auction = np.where(thrown_in, np.int8(0), _fixed(rules, columns))
    before, receiver = after.copy(), np.full(len(contract), 3, np.int8)
    if taker_gets_upcard(rules):
        receiver = np.where(thrown_in, receiver, columns["taker"])
    seven = field * (contract if rules.exchange.exchange_suit == "trump" else turned)
    seven = seven + np.int8(rules.deck.ranks.index(rules.exchange.exchange_rank))
    swapped = np.flatnonzero(undo_swaps(before, columns["exchanger"], receiver, columns["upcard"], seven))
    stage = np.full(len(contract), UNSWAPPED, np.int8)
    stage[swapped] = BEFORE
    counter.count_dealt(before, turned, contract, auction + stage)
    if len(swapped):
        counter.count_swapped(after[:, swapped], contract[swapped], auction[swapped] + np.int8(AFTER))
    return len(contract)


def _fixed(rules: Rules, columns: Arrays) -> Array:
    """Which turn it was and who took, as a number from 1 on; where nobody takes as if seat 0 had."""
    turn = columns["round"]
    if rules.auction.kind == "ladder":
        turn = np.int8(1) + (columns["contract"] >= NT) + (columns["contract"] == AT)
    elif rules.auction.kind != "accept":
        turn = np.ones_like(turn)
    numbers: Array = np.int8(4) * turn - np.int8(3) + np.maximum(columns["taker"], np.int8(0))
    return numbers


class _Counter:
    """Counts of one thread's deals, and the tables that its kernels take."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.counts = no_counts(rules)
        self._field, self._pair = rules.deck.field, _pair_table(rules)
        self._runs_of, self._fours_of = runs_of_holdings(rules), fours_of_ranks(rules)
        self._base = runs_base(rules)
        self._runs = np.zeros((GROUPS, self._base**4), np.int64)
        # Pairs are counted apart: they alone hang on the contract, but that nothing counts in no trumps.
        tables = rule_tables(in_steps(rules)).melds
        self._no_trumps = tables.no_trumps
        self._scoring = tables._replace(pair_points=0, no_trumps=0)
        self._declaring = self._scoring._replace(compare=0)

    def finished(self) -> MeldCounts:
        """All that was counted; once."""
        add_runs(self.counts.held, self._runs, self._rules)
        # Where nothing is compared, what is declared is scored.
        compared = self._rules.melds.meld_compare != "none"
        return self.counts if compared else replace(self.counts, scored=self.counts.declared)

    def count_dealt(self, hands: Array, turned: Array, contract: Array, group: Array) -> None:
        """Hands before the exchange: under the trumps that dealt cards are looked at with, and as trumps were fixed."""
        points = self._points(hands)
        self._count_points(hands, turned, np.full_like(group, TURNED), points)
        if has_all_trumps(self._rules):
            self._count_points(hands, np.full_like(contract, AT), np.full_like(group, ALL_TRUMPS), points)
        self._count_held(hands, group)
        self._count_points(hands, contract, group, points)

    def count_swapped(self, hands: Array, contract: Array, group: Array) -> None:
        """Hands after somebody swapped."""
        self._count_held(hands, group)
        self._count_points(hands, contract, group, self._points(hands))

    def _count_held(self, hands: Array, group: Array) -> None:
        count_runs(hands, group, self._field, self._runs_of, self._base, self._runs)
        count_fours(hands, group, self._field, self._fours_of, self.counts.held[:, len(RUN_KINDS) :])

    def _points(self, hands: Array) -> tuple[Array, Array]:
        """Points of everything but pairs: declared by hand [4, n]; scored by team [2, n] where melds are compared."""
        declared, anything = np.empty((4, hands.shape[1]), np.int16), np.zeros(hands.shape[1], np.int8)
        for two in (slice(0, 2), slice(2, 4)):
            meld_points(hands[two], anything, self._declaring, declared[two])
        scored = np.zeros((2, hands.shape[1]), np.int16)
        if self._scoring.compare:
            meld_points(hands, anything, self._scoring, scored)
        return declared, scored

    def _count_points(self, hands: Array, contract: Array, group: Array, points: tuple[Array, Array]) -> None:
        """Trump pairs, points declared by hand, points scored by team; in no trumps there are none."""
        self.counts.deals[:] += np.bincount(group, minlength=GROUPS)
        counts = contract != NT if self._no_trumps else np.True_
        declared, scored = points[0] * counts, points[1] * counts
        count_pairs(hands, contract, group, self._pair, self.counts.held[:, -1], declared, scored)
        count_points(declared, declared[:2] + declared[2:], group, self.counts.declared)
        if self._scoring.compare:
            count_points(declared, scored, group, self.counts.scored)


def _pair_table(rules: Rules) -> PairTable:
    """Of the rules, points in units of `points_step`."""
    ranks, field = rules.deck.ranks, rules.deck.field
    suits = [1 << suit * field for suit in range(4)]
    trumps = [*suits, 0, sum(suits)] if {"K", "Q"} <= set(ranks) else [0] * 6
    declared = rules.melds.meld_policy == "always"
    return PairTable(
        king=np.uint64(max(ranks.find("K"), 0)),
        queen=np.uint64(max(ranks.find("Q"), 0)),
        suits=np.array(trumps, np.uint64),
        points=in_steps(rules).melds.trump_pair if declared else 0,
    )
