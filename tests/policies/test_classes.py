"""Classes listed: against the referee's, which are counted out in words, and against hands sorted one by one."""

from __future__ import annotations

import random
from math import comb

import numpy as np

from mpsim.policies.classes import class_tables, named_sides, other_classes, turned_classes
from mpsim.referee.chart_bidder import class_numbers


def test_turned_classes_are_those_of_the_referee() -> None:
    classes, numbers = turned_classes(), class_numbers()
    listed = zip(classes.up.tolist(), classes.trumps.tolist(), map(tuple, classes.sides.T.tolist()), strict=True)
    assert list(listed) == list(numbers)


def test_classes_stand_for_all_hands() -> None:
    assert turned_classes().hands.sum() == 32 * comb(31, 5)
    assert other_classes().hands.sum() == 3 * 32 * comb(31, 5)
    assert len(turned_classes().up) == class_tables().turned == 255_304
    assert len(other_classes().up) == class_tables().other == 707_896


def test_a_class_counts_the_hands_that_are_alike() -> None:
    """A class with three void side suits, one with two, one with none: hands found by trying all."""
    classes = turned_classes()
    sizes = np.array([holding.bit_count() for holding in range(256)])[classes.sides]
    for voids, hands in ((3, 4), (2, 12)):
        assert set(classes.hands[(sizes == 0).sum(axis=0) == voids].tolist()) == {hands}
    different = (classes.sides[0] < classes.sides[1]) & (classes.sides[1] < classes.sides[2])
    assert set(classes.hands[different].tolist()) == {24}


def test_naming_a_side_suit() -> None:
    classes, others, named = turned_classes(), other_classes(), named_sides()
    for number in random.Random(1).sample(range(len(classes.up)), 2_000):
        sides = classes.sides[:, number].tolist()
        for side in range(3):
            other = named[side, number]
            rest = sides[:side] + sides[side + 1 :]
            assert others.up[other] == classes.up[number]
            assert others.trumps[other] == sides[side]
            assert others.sides[:, other].tolist() == [classes.trumps[number], *rest]
