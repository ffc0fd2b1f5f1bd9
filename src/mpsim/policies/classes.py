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
    """How to number classes; every table is int32 and read-only, all of them small enough to stay in a core's cache.

    `place` [256] numbers holdings, ascending, `size` [place] counts their cards, `nth` [place] numbers those with as
    many cards.  Sets of side holdings have ranks among those with as many cards in all: three with places a <= b <= c
    have `three`[b + c(c+1)/2, size of a] + `nth`[a], two with places a <= b have `two`[b, size of a] + `nth`[a].  The
    class is that rank plus `turned_base`[up, trumps], or plus `up_base`[up, turned holding] and
    `other_base`[its size, trumps].
    """

    place: Array
    size: Array
    nth: Array
    three: Array         # [C(220, 2), 6]: -1 where there are too many cards
    two: Array           # [219, 6]
    turned_base: Array   # [8, 256]: -1 where the hand cannot be
    up_base: Array       # [8, 256]
    other_base: Array    # [6, 256]
    turned: int          # classes with the turned suit as trumps
    other: int           # classes with another


@lru_cache(maxsize=1)
def class_tables() -> ClassTables:
    """The tables, made once."""
    sizes = SIZE[HOLDINGS]
    place = np.full(256, -1)
    place[HOLDINGS] = np.arange(len(HOLDINGS))
    nth = _up_to(len(HOLDINGS))[np.arange(len(HOLDINGS)), sizes] - 1
    two, ways_of_two = _ranks(sizes, np.arange(len(HOLDINGS)))
    b, c = _pairs(len(HOLDINGS))
    three, ways_of_three = _ranks(sizes[b] + sizes[c], b)
    turned_base, turned = _bases(_counts(_left_after_trumps(), ways_of_three))
    of_two_suits = _counts(CARDS - np.arange(CARDS + 1)[:, None] - SIZE, ways_of_two)
    up_base, other = _bases(_counts(_left_after_trumps(), of_two_suits.sum(axis=1)[::-1]))
    other_base = of_two_suits.cumsum(axis=1) - of_two_suits
    bases = _frozen(turned_base), _frozen(up_base), _frozen(other_base)
    ranks = _frozen(three), _frozen(two)
    return ClassTables(_frozen(place), _frozen(sizes), _frozen(nth), *ranks, *bases, turned, other)


def _frozen(table: Array) -> Array:
    table = table.astype(np.int32)
    table.flags.writeable = False
    return table


def _pairs(count: int) -> Array:
    """[2, n]: places a <= b, in the order of their numbers a + b(b+1)/2."""
    b = np.repeat(np.arange(count), np.arange(1, count + 1))
    return np.stack([np.arange(len(b)) - b * (b + 1) // 2, b])


def _triples(count: int) -> Array:
    """[3, n]: places a <= b <= c, in the order of c, then b, then a."""
    ways = np.arange(1, count + 1) * np.arange(2, count + 2) // 2
    c = np.repeat(np.arange(count), ways)
    below = np.arange(len(c)) - c * (c + 1) * (c + 2) // 6
    a, b = _pairs(count)[:, below]
    return np.stack([a, b, c])


def _up_to(count: int) -> Array:
    """[place, size]: holdings with so many cards up to a place."""
    return np.cumsum(SIZE[HOLDINGS[:count], None] == np.arange(CARDS + 1), axis=0)


def _ranks(cards: Array, highest: Array) -> tuple[Array, Array]:
    """Sets of holdings with so many cards are joined by one holding more, whose place is `highest` or lower.

    [set, size of the one more]: the rank of the lowest one among all with as many cards in all; and how many there are
    of each number of cards.
    """
    joins = _up_to(len(HOLDINGS))[highest]
    totals = cards[:, None] + np.arange(CARDS + 1)
    ranks, ways = np.full(joins.shape, -1), np.zeros(CARDS + 1, np.int64)
    for total in range(CARDS + 1):
        these = np.where(totals == total, joins, 0)
        ends = these.cumsum().reshape(these.shape)
        ranks = np.where(totals == total, ends - these, ranks)
        ways[total] = these.sum()
    return ranks, ways


def _left_after_trumps() -> Array:
    """[up, trumps]: cards left for the side suits, negative where the hand cannot be."""
    up, trumps = np.ogrid[:RANKS, :256]
    return np.where(trumps >> up & 1, -1, CARDS - SIZE[trumps])


def _left_after_two_suits() -> Array:
    """[up, turned holding, trumps]: the same for two side suits, the turned one being held too."""
    up, turned, trumps = np.ogrid[:RANKS, :256, :256]
    return np.where(turned >> up & 1, -1, CARDS - SIZE[turned] - SIZE[trumps])


def _counts(left: Array, ways: Array) -> Array:
    """Ways of holding as many cards as are left, none where that is negative."""
    return np.where(left >= 0, ways[np.maximum(left, 0)], 0)


def _bases(counts: Array) -> tuple[Array, int]:
    """Where the classes of each begin, one after the other, -1 where there are none; and how many there are."""
    ends = counts.cumsum().reshape(counts.shape)
    return np.where(counts > 0, ends - counts, -1), int(ends[-1, -1])


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
        rank = tables.two[b, tables.size[a]] + tables.nth[a]
        trumps = tables.other_base[SIZE[classes.trumps], classes.sides[named]]
        found.append(tables.up_base[classes.up, classes.trumps] + trumps + rank)
    return np.stack(found)


def _listed(left: Array, places: Array) -> tuple[list[Array], Array]:
    """Of every class the index into `left`, and the places of its side suits [side, class]."""
    cards = SIZE[HOLDINGS][places].sum(axis=0)
    of_total = [np.flatnonzero(cards == total) for total in range(CARDS + 1)]
    held = np.nonzero(left >= 0)
    totals = left[held]
    lengths = np.array([len(rows) for rows in of_total])[totals]
    return [np.repeat(index, lengths) for index in held], places[:, np.concatenate([of_total[t] for t in totals])]
