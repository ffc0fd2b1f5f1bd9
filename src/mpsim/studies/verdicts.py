"""From sums of decisions to verdicts: every class's difference, pooled, and the chart that follows.

The decisions of one round, one seat and one kind of trumps (the turned suit or another) are a group; groups are pooled
by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.policies.chart import PASS, SIDE, TURNED, Actions
from mpsim.policies.classes import (
    CARDS,
    HOLDINGS,
    RANKS,
    SIZE,
    Classes,
    class_tables,
    named_sides,
    other_classes,
    turned_classes,
)
from mpsim.stats.pooling import Design, Pooled, observed, pool

Array = npt.NDArray[Any]


class Group(NamedTuple):
    """A round, a seat, whether another suit than the turned one is trumps, and where its records begin and end."""

    round: int
    seat: int
    other: bool
    start: int
    stop: int

    @property
    def classes(self) -> Classes:
        """What its classes are."""
        return other_classes() if self.other else turned_classes()


def groups() -> list[Group]:
    """All twelve, in the order of their records (engine/decisions.py)."""
    tables = class_tables()
    lengths = [(turn // 4 + 1, turn % 4, False, tables.turned) for turn in range(8)]
    lengths += [(2, seat, True, tables.other) for seat in range(4)]
    found, start = [], 0
    for round_, seat, other, length in lengths:
        found.append(Group(round_, seat, other, start, start + length))
        start += length
    return found


@lru_cache(maxsize=2)
def design(other: bool) -> Design:
    """Cells are trumps held by rank turned; a side holding's effect hangs on the number of trumps held."""
    classes = other_classes() if other else turned_classes()
    _, cell = np.unique(cell_codes(classes), return_inverse=True)
    place = np.searchsorted(HOLDINGS, classes.sides) + len(HOLDINGS) * SIZE[classes.trumps]
    if other:
        place[0] += (CARDS + 1) * len(HOLDINGS)
    _, sides = np.unique(place, return_inverse=True)
    sides = sides.reshape(place.shape)
    return Design(cell, int(cell.max()) + 1, sides, int(sides.max()) + 1)


def cell_codes(classes: Classes) -> Array:
    """A number of each class's cell: 8 times the trumps held plus the rank turned."""
    codes: Array = classes.trumps.astype(np.int64) * RANKS + classes.up
    return codes


def pooled_groups(sums: Array) -> list[Pooled]:
    """Pooled differences of every group."""
    found = []
    for group in groups():
        shape = design(group.other)
        found.append(pool(observed(sums[group.start : group.stop], shape), shape))
    return found


def differences_of(pooled: Iterable[Pooled]) -> Array:
    """Of all records, float64: taking minus passing, pooled."""
    return np.concatenate([group.mean for group in pooled])


def best_actions(differences: Array) -> Actions:
    """What differences of all records recommend, uint8 [8, class]: what is worth most, a pass being worth 0."""
    turned, other = class_tables().turned, class_tables().other
    of_turned, of_other = differences[: 8 * turned].reshape(8, turned), differences[8 * turned :].reshape(4, other)
    actions = np.empty((8, turned), np.uint8)
    actions[:4] = np.where(of_turned[:4] > 0, TURNED, PASS)
    for seat in range(4):
        worth = np.stack([np.zeros(turned), of_turned[4 + seat], *of_other[seat][named_sides()]])
        actions[4 + seat] = worth.argmax(axis=0)
    return actions


def taken_records(actions: Actions) -> Array:
    """Of all records, whether a chart takes: bool; of side suits held alike, whichever of them it names."""
    other = class_tables().other
    takes = np.zeros((4, other), bool)
    for seat in range(4):
        for side, classes in enumerate(named_sides()):
            takes[seat, classes[actions[4 + seat] == SIDE + side]] = True
    return np.concatenate([(actions == TURNED).ravel(), takes.ravel()])
