"""Is the dealer fair?  Deals of the dealer that all runs use, counted, and chi-squares of all that can be asked."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from mpsim.engine.plan import MAX_DEALS, WORD, thread_count
from mpsim.engine.pool import Stopped, apart, as_they_come
from mpsim.engine.stop import Interrupted, stop_on_interrupt
from mpsim.errors import UsageError
from mpsim.kernels.deck import Counts, count_deals
from mpsim.rules import load_rules
from mpsim.rules.tables import rule_tables
from mpsim.stats.chi_square import ChiSquare
from mpsim.studies.dealer import Question, answers

MIN_DEALS = 1_000_000
"""With fewer, most of the 58,975 sharings of the trumps are too rare to be compared."""
PART = 1 << 18
"""Deals counted in one go.  Parts begin at fixed deals, so that results do not depend on threads: the last deal of one
and the first of the next are not looked at together."""
UNFAIR, LOOK_AGAIN = 1e-6, 1e-2
"""Verdicts, by the corrected p: below the first, and below the second."""

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """A question and what came of it."""

    question: Question
    found: ChiSquare

    @property
    def p(self) -> float:
        """Chance that a fair dealer is as far off as this, either way."""
        return self.found.p


@dataclass(frozen=True, slots=True)
class Certificate:
    """All answers on the deals 0 .. deals - 1 of a seed."""

    seed: int
    deals: int
    answers: tuple[Answer, ...]

    @property
    def smallest(self) -> Answer:
        """The answer with the smallest p."""
        return min(self.answers, key=lambda answer: answer.p)

    @property
    def corrected(self) -> float:
        """At most so likely is it that a fair dealer gives a p so small to any of the questions (Bonferroni).

        It holds for questions that depend on each other, as these do.
        """
        return min(1.0, len(self.answers) * self.smallest.p)

    @property
    def verdict(self) -> str:
        """`nothing found`, `look again` or `unfair`."""
        if self.corrected < UNFAIR:
            return "unfair"
        return "look again" if self.corrected < LOOK_AGAIN else "nothing found"


def certify(seed: int, deals: int, threads: int | None = None, progress: Advance | None = None) -> Certificate:
    """Count the deals and put every question; MIN_DEALS at least, UsageError otherwise.  Interrupted on Ctrl-C."""
    counts = count(seed, deals, threads, progress)
    return Certificate(seed, deals, tuple(Answer(*answered) for answered in answers(counts)))


def count(seed: int, deals: int, threads: int | None = None, progress: Advance | None = None) -> Counts:
    """Where the cards of the deals 0 .. deals - 1 of a seed fall.  `progress` gets numbers of deals, from any thread.

    The same for any number of threads, in memory that does not grow with the deals.  Interrupted on Ctrl-C.
    """
    if not MIN_DEALS <= deals <= MAX_DEALS or not 0 <= seed < WORD:
        raise UsageError(f"{deals} deals of seed {seed} cannot be judged: give 10^6 to 2^40, of seed 0 .. 2^64 - 1")
    width, advance, total = thread_count(threads), progress or (lambda deals: None), no_counts()
    apart(count_part, seed, 0, 1)

    def work(first: int) -> Counts:
        if stop.is_set():
            raise Stopped
        here = min(PART, deals - first)
        counted = count_part(seed, first, here)
        advance(here)
        return counted

    with stop_on_interrupt() as stop, ThreadPoolExecutor(width, "mpsim") as executor:
        for counted in as_they_come(work, range(0, deals, PART), executor, width, stop):
            for table, more in zip(total, counted, strict=True):
                table += more
    if stop.is_set():
        raise Interrupted("interrupted before all was dealt")
    return total


def count_part(seed: int, first: int, deals: int) -> Counts:
    """Where the cards of the deals first .. first + deals - 1 fall, on this thread."""
    counts = no_counts()
    count_deals(rule_tables(load_rules()), np.uint64(seed), np.uint64(first), deals, counts)
    return counts


def no_counts() -> Counts:
    """Counts of no deals."""
    shapes: tuple[Any, ...] = ((12, 32), (4, 32, 32), (4, 729), (1 << 16,), (2, 256), (32, 32), (32, 4, 4))
    return Counts(*(np.zeros(shape, np.int64) for shape in shapes))
