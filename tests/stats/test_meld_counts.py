"""Small numbers for the runs of a hand, and deals counted by them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from mpsim.rules import load_rules
from mpsim.stats.meld_counts import (
    DEAL_ROW,
    HAND_SQUARES,
    NUMBERS,
    ROWS,
    RUN_KINDS,
    TEAM_SQUARES,
    add_runs,
    hands_of_runs,
    runs_base,
    runs_of_holdings,
)


@pytest.mark.parametrize("size", [8, 10])
def test_the_runs_of_a_hand_have_a_number_each_that_adds_up(size: int) -> None:
    numbers = hands_of_runs(size)
    possible = {lengths for count in range(size // 3 + 1)
                for lengths in combinations_with_replacement(range(3, size + 1), count) if sum(lengths) <= size}
    assert set(numbers) == possible
    assert len(set(numbers.values())) == len(possible)
    for lengths, number in numbers.items():
        assert number == sum(numbers[(length,)] for length in lengths)
    assert max(numbers.values()) < 256 / 4


def test_a_holding_has_the_number_of_its_runs() -> None:
    rules = load_rules("mpourloto")
    numbers, table = hands_of_runs(8), runs_of_holdings(rules)
    # Cards from the lowest: x.xxx... is a run of three, xxx.xxxx runs of three and four, x.x.x.x. none.
    for holding, lengths in ((0b00011101, (3,)), (0b11110111, (3, 4)), (0b01010101, ()), (0b11111111, (8,))):
        assert table[holding] == numbers[lengths]


def test_deals_by_runs_become_counts_of_every_kind() -> None:
    """In three deals seat 0 has runs of 3 and 4, seat 2 one of 5; in two seat 1 has two of 3; in one nobody has any."""
    rules, numbers, base = load_rules("mpourloto"), hands_of_runs(8), runs_base(load_rules("mpourloto"))
    deals = np.zeros((2, base**4), np.int64)
    deals[1, numbers[(3, 4)] + base**2 * numbers[(5,)]] = 3
    deals[0, base * numbers[(3, 3)]] = 2
    deals[0, 0] = 1
    held = np.zeros((2, len(RUN_KINDS) + 10, ROWS, NUMBERS), np.int64)
    add_runs(held, deals, rules)

    def counts(group: int, kind: str, row: int) -> Counter[int]:
        return Counter({value: int(n) for value, n in enumerate(held[group, RUN_KINDS.index(kind), row]) if n})

    assert counts(1, "run_3", 0) == {1: 3}
    assert counts(1, "run_3", 2) == {0: 3}
    assert counts(1, "run_3_up", DEAL_ROW) == {3: 3}
    assert counts(1, "run_3_up", 4) == {3: 3}                      # seats 0 and 2 are a team
    assert counts(1, "run_3_up", 5) == {0: 3}
    assert counts(1, "run_3_up", HAND_SQUARES) == {2: 3, 1: 3, 0: 12}   # two hands without: 2^2 a deal
    assert counts(1, "run_4_up", HAND_SQUARES) == {1: 12, 0: 12}   # two with one each, two without
    assert counts(0, "run_3", DEAL_ROW) == {2: 2}                  # a deal without any is not counted
    assert counts(0, "run_3", HAND_SQUARES) == {2: 2, 0: 18}
    assert counts(0, "run_3", TEAM_SQUARES) == {2: 2, 0: 2}
    assert not held[:, len(RUN_KINDS) :].any()
