"""Hands of five cards and a turned card, told apart only as far as they differ: side suits have no names.

A class is a holding of the trump suit, the turned card's rank, and the holdings of the side suits in any order.  Where
the turned suit is trumps (or is looked at as if it were) the three others are side suits: 255,304 classes.  Where
another suit is named in round 2, the turned suit is a side suit of its own and two others are alike: 707,896 classes.
A holding is a byte, bit i for rank i.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

RANKS = 8
CARDS = 5
"""Cards of a hand in the auction."""

SIZE = np.array([byte.bit_count() for byte in range(256)])
HOLDINGS = np.flatnonzero(SIZE <= CARDS)
"""The 219 holdings that a hand of five can have, ascending."""


class ClassTables(NamedTuple):
    """How to number classes; every table is read-only.

    `place` [256] numbers holdings, ascending.  Three side holdings with places a <= b <= c have the number
    a + b(b+1)/2 + c(c+1)(c+2)/6, which `three` maps to a rank among those with as many cards; two with places
    a <= b have a + b(b+1)/2, mapped by `two`.  The class is that rank plus `turned_base`[up, trumps], or
    `other_base`[up, turned holding, trumps].
    """

    place: Array         # int32 [256]
    three: Array         # int32 [C(221, 3)]
    two: Array           # int32 [C(220, 2)]
    turned_base: Array   # int32 [8, 256]: -1 where the hand cannot be
    other_base: Array    # int32 [8, 256, 256]
    turned: int          # classes with the turned suit as trumps
    other: int           # classes with another


@lru_cache(maxsize=1)
def class_tables() -> ClassTables:
    """The tables, made once."""
    sizes = SIZE[HOLDINGS]
    place = np.full(256, -1, np.int32)
    place[HOLDINGS] = np.arange(len(HOLDINGS))
    two, ways_of_two = _ranks(_pairs(len(HOLDINGS)), sizes)
    three, ways_of_three = _ranks(_triples(len(HOLDINGS)), sizes)
    turned_base, turned = _bases(_left_after_trumps(), ways_of_three)
    other_base, other = _bases(_left_after_two_suits(), ways_of_two)
    for table in (place, two, three, turned_base, other_base):
        table.flags.writeable = False
    return ClassTables(place, three, two, turned_base, other_base, turned, other)


def _pairs(count: int) -> Array:
    """[2, n]: places a <= b, in the order of their numbers."""
    b = np.repeat(np.arange(count), np.arange(1, count + 1))
    return np.stack([np.arange(len(b)) - b * (b + 1) // 2, b])


def _triples(count: int) -> Array:
    """[3, n]: places a <= b <= c, in the order of their numbers."""
    ways = np.arange(1, count + 1) * np.arange(2, count + 2) // 2
    c = np.repeat(np.arange(count), ways)
    below = np.arange(len(c)) - c * (c + 1) * (c + 2) // 6
    a, b = _pairs(count)[:, below]
    return np.stack([a, b, c])


def _ranks(places: Array, sizes: Array) -> tuple[Array, list[int]]:
    """The rank of each number among those with as many cards, -1 for too many, and how many there are of each."""
    cards = sizes[places].sum(axis=0)
    ranks, ways = np.full(places.shape[1], -1, np.int32), []
    for total in range(CARDS + 1):
        these = np.flatnonzero(cards == total)
        ranks[these] = np.arange(len(these))
        ways.append(len(these))
    return ranks, ways


def _left_after_trumps() -> Array:
    """[up, trumps]: cards left for the side suits, negative where the hand cannot be."""
    up, trumps = np.ogrid[:RANKS, :256]
    return np.where(trumps >> up & 1, -1, CARDS - SIZE[trumps])


def _left_after_two_suits() -> Array:
    """[up, turned holding, trumps]: the same for two side suits, the turned one being held too."""
    up, turned, trumps = np.ogrid[:RANKS, :256, :256]
    return np.where(turned >> up & 1, -1, CARDS - SIZE[turned] - SIZE[trumps])


def _bases(left: Array, ways: list[int]) -> tuple[Array, int]:
    """Where the classes of each begin, -1 where there are none, and how many classes there are."""
    counts = np.where(left >= 0, np.array(ways)[np.maximum(left, 0)], 0)
    ends = counts.cumsum().reshape(counts.shape)
    return np.where(left >= 0, ends - counts, -1).astype(np.int32), int(counts.sum())


class Classes(NamedTuple):
    """What the classes are, an array each [class]: a rank, bytes of holdings, how many raw hands each stands for."""

    up: Array
    trumps: Array
    sides: Array   # [3, class]; with another suit as trumps the first is the turned suit
    hands: Array   # of 5,437,152 pairs of hand and turned card, or of three times as many with each suit named


@lru_cache(maxsize=1)
def turned_classes() -> Classes:
    """The classes with the turned suit as trumps; side suits by their holdings, ascending."""
    (up, trumps), sides = _listed(_left_after_trumps(), _triples(len(HOLDINGS)))
    different = 1 + (sides[0] != sides[1]) + (sides[1] != sides[2])
    return Classes(up, trumps, HOLDINGS[sides], 4 * np.array([0, 1, 3, 6])[different])


@lru_cache(maxsize=1)
def other_classes() -> Classes:
    """The classes with another suit as trumps; the two suits that are alike by their holdings, ascending."""
    (up, turned, trumps), sides = _listed(_left_after_two_suits(), _pairs(len(HOLDINGS)))
    hands = np.where(sides[0] == sides[1], 12, 24)
    return Classes(up, trumps, np.stack([turned, *HOLDINGS[sides]]), hands)


@lru_cache(maxsize=1)
def named_sides() -> Array:
    """[3, class with the turned suit]: the class when its first, second, third side suit is named instead."""
    tables, classes = class_tables(), turned_classes()
    found = []
    for named in range(3):
        a, b = (tables.place[classes.sides[side]] for side in range(3) if side != named)
        base = tables.other_base[classes.up, classes.trumps, classes.sides[named]]
        found.append(base + tables.two[a + b * (b + 1) // 2])
    return np.stack(found)


def _listed(left: Array, places: Array) -> tuple[list[Array], Array]:
    """Of every class the index into `left`, and the places of its side suits [side, class]."""
    cards = SIZE[HOLDINGS][places].sum(axis=0)
    of_total = [np.flatnonzero(cards == total) for total in range(CARDS + 1)]
    held = np.nonzero(left >= 0)
    totals = left[held]
    lengths = np.array([len(rows) for rows in of_total])[totals]
    return [np.repeat(index, lengths) for index in held], places[:, np.concatenate([of_total[t] for t in totals])]
