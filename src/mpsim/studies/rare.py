"""More decisions where deals dealt at random bring few: cells of rare trump holdings, dealt on purpose.

The decider gets a cell's trumps, the turned card is of its rank, all else is random: within a cell decisions are as
they would be at random deals, so they may be added to those.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mpsim.engine.decisions import Sums
from mpsim.engine.given import Question, add_given
from mpsim.policies.classes import other_classes, turned_classes
from mpsim.policies.load import Policies
from mpsim.rules.model import Rules
from mpsim.stats.estimates import normal_quantile
from mpsim.studies.acceptance_tables import cell_sums, cells_of
from mpsim.studies.verdicts import Group, design, groups

ROUNDS = 4
"""How often the deals still needed are reckoned anew."""
FEW = 50
"""Decisions that tell what share of deals comes to them, and how much they vary."""
FIRST_TRY = 1 << 14
"""Deals for a cell of which less is known."""
LEAST_REACH = 0.02
BLOCK = 1 << 10
QUESTION_BITS = 32
"""Every question has its own range of 2^32 deal numbers."""
ROOM = (1 << QUESTION_BITS) - BLOCK
ALL_HANDS = 5_437_152
"""Hands of five beside a turned card."""


@dataclass(frozen=True, slots=True)
class Need:
    """A question about one cell, its number, how many deals it still needs, and whether its verdict is open."""

    number: int
    question: Question
    deals: int
    open: bool


@dataclass(slots=True)
class Rare:
    """What is known before: visits by record in so many random deals; and the deals of each question so far."""

    natural: npt.NDArray[np.int64]
    deals: int
    asked: dict[int, int] = field(default_factory=dict)

    def needs(self, sums: Sums, half_width: float) -> list[Need]:
        """What cells still need for intervals of +- half_width, those without a verdict first.

        In round 1 every cell, in round 2 those without a verdict.
        """
        found, number = [], 0
        for seat in range(4):
            for other in (False, True):
                here = [group for group in groups() if (group.seat, group.other) == (seat, other)]
                tables = [(group.round == 1, *self._cells(group, sums)) for group in here]
                classes = other_classes() if other else turned_classes()
                hands = np.bincount(design(other).cell, classes.hands)
                for cell, (up, trumps) in enumerate(zip(*cells_of(classes), strict=True)):
                    come = self.deals * int(hands[cell]) / ALL_HANDS
                    asked = self.asked.get(number, 0)
                    still = [
                        _still(cells[cell], int(natural[cell]), come, asked, half_width, every)
                        for every, cells, natural in tables
                    ]
                    deals = min(max(more for more, _ in still), ROOM - asked)
                    if deals > 0:
                        question = _question(seat, other, int(trumps), int(up))
                        found.append(Need(number, question, deals, any(undecided for _, undecided in still)))
                    number += 1
        return sorted(found, key=lambda need: (not need.open, need.number))

    def _cells(self, group: Group, sums: Sums) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Sums of a group's cells, and the visits of them that random deals made."""
        here = slice(group.start, group.stop)
        natural = cell_sums(self.natural[here, None], group.other)[:, 0]
        return cell_sums(sums[here], group.other), natural


def _still(
    sums: npt.NDArray[np.int64], natural: int, come: float, asked: int, half_width: float, every: bool
) -> tuple[int, bool]:
    """Deals that a cell of these sums needs, and whether its verdict is open; it came up in `come` random deals.

    Unless `every` one is to be known, a cell with a verdict needs none.
    """
    n = int(sums[0])
    if n < FEW:
        return (FIRST_TRY if not asked else 4 * asked), True
    mean = int(sums[1] - sums[2]) / n
    variance = int(sums[3] - 2 * sums[5] + sums[4]) / n - mean**2
    z = normal_quantile()
    reach = natural / come if natural >= FEW else (n - natural) / asked if asked else LEAST_REACH
    undecided = abs(mean) <= z * math.sqrt(variance / n)
    missing = variance * (z / half_width) ** 2 - n if every or undecided else 0.0
    return _blocks(missing / min(max(reach, LEAST_REACH), 1.0)), undecided


def _blocks(deals: float) -> int:
    return max(0, -(-int(deals) // BLOCK) * BLOCK)


def _question(seat: int, other: bool, trumps: int, up: int) -> Question:
    """The named suit is the turned one, suit 0, or the one after it."""
    if other:
        named, turned = 0xFF00, 1 << up
        return Question(seat, trumps << 8, 0xFFFFFFFF & ~named & ~turned, up, round1=False, places=0b10)
    return Question(seat, trumps, 0xFFFFFF00, up, round1=True, places=0b1)


def add_rare(
    sums: Sums, rules: Rules, policies: Policies, seed: int, rare: Rare, half_width: float,
    threads: int | None, stop: threading.Event,
) -> Iterator[int]:
    """Add decisions until no cell needs more, or all were asked `ROUNDS` times.

    Yields numbers of deals, after each question; once `stop` is set nothing new begins.
    """
    for _ in range(ROUNDS):
        wanted = rare.needs(sums, half_width)
        if not wanted:
            return
        for need in wanted:
            first = (need.number << QUESTION_BITS) + rare.asked.get(need.number, 0)
            done = add_given(sums, rules, policies, seed, first, need.deals, need.question, threads, None, stop)
            rare.asked[need.number] = rare.asked.get(need.number, 0) + done
            yield done
            if stop.is_set():
                return


