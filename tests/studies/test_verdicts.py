"""From differences to charts, class by class in plain Python; tables against decisions counted one by one."""

from __future__ import annotations

import numpy as np
import pytest

from mpsim.policies.classes import class_tables, named_sides
from mpsim.rules import load_rules
from mpsim.studies.acceptance_tables import cell_table, class_table
from mpsim.studies.verdicts import best_actions, design, groups, pooled_groups, taken_records

TURNED, OTHER = class_tables().turned, class_tables().other
RECORDS = 8 * TURNED + 4 * OTHER


@pytest.fixture(scope="module")
def differences() -> np.ndarray:
    return np.random.default_rng(1).normal(-30, 40, RECORDS)


def test_groups_cover_all_records() -> None:
    found = groups()
    assert [(group.round, group.seat, group.other) for group in found] == [
        *((round_, seat, False) for round_ in (1, 2) for seat in range(4)), *((2, seat, True) for seat in range(4)),
    ]
    ends = [group.stop for group in found]
    assert [group.start for group in found] == [0, *ends[:-1]]
    assert ends[-1] == RECORDS
    assert all(len(group.classes.up) == group.stop - group.start for group in found)


def test_cells() -> None:
    """120 trump holdings by 8 ranks; with another suit named 219 holdings by 8."""
    assert design(False).cells == 960
    assert design(True).cells == 219 * 8


def test_best_actions(differences: np.ndarray) -> None:
    actions, named = best_actions(differences), named_sides()
    for number in np.random.default_rng(2).integers(0, TURNED, 500).tolist():
        for seat in range(4):
            assert actions[seat, number] == (differences[seat * TURNED + number] > 0)
            worth = [0.0, differences[(4 + seat) * TURNED + number]]
            worth += [differences[8 * TURNED + seat * OTHER + named[side, number]] for side in range(3)]
            assert actions[4 + seat, number] == worth.index(max(worth))


def test_what_a_chart_takes(differences: np.ndarray) -> None:
    actions, named = best_actions(differences), named_sides()
    takes = taken_records(actions)
    assert takes.shape == (RECORDS,)
    assert np.array_equal(takes[: 8 * TURNED].reshape(8, TURNED), actions == 1)
    expected = np.zeros((4, OTHER), bool)
    for seat in range(4):
        for number in range(0, TURNED):
            if actions[4 + seat, number] > 1:
                expected[seat, named[actions[4 + seat, number] - 2, number]] = True
    assert np.array_equal(takes[8 * TURNED :].reshape(4, OTHER), expected)


def test_tables_by_hand() -> None:
    """Three decisions of one class, two of another one in its cell; nobody else decides anything."""
    deck = load_rules().deck
    sums = np.zeros((RECORDS, 6), np.int64)
    group = groups()[2]
    first, second = np.flatnonzero(design(False).cell == 500)[:2]
    for number, pairs in ((first, [(10, 0), (20, 10), (60, -30)]), (second, [(4, 4), (-6, 0)])):
        for take, leave in pairs:
            sums[group.start + number] += [1, take, leave, take * take, leave * leave, take * leave]
    actions = np.zeros((8, TURNED), np.uint8)
    actions[2, first] = 1
    classes = class_table(sums, pooled_groups(sums), actions, deck).slice(group.start, TURNED).to_pydict()
    cells = cell_table(sums, sums[:, 0], 10, actions, deck).slice(2 * 960, 960).to_pydict()
    assert {name: classes[name][first] for name in ("round", "seat", "n", "take", "pass", "difference", "plays")} == {
        "round": 1, "seat": 2, "n": 3, "take": 30, "pass": -20 / 3, "difference": 110 / 3, "plays": True,
    }
    assert classes["se"][first] == pytest.approx(np.std([10, 10, 90], ddof=1) / 3**0.5)
    assert np.isnan(classes["se"][second])
    assert classes["difference"][second] == -3
    values = [10, 10, 90, 0, -6]
    assert cells["n"][500] == 5
    assert cells["difference"][500] == pytest.approx(np.mean(values))
    assert cells["se"][500] == pytest.approx(np.std(values, ddof=1) / 5**0.5)
    assert cells["visits"][500] == 0.5
    hands = np.array(classes["hands"])[design(False).cell == 500]
    assert cells["hands"][500] == hands.sum()
    assert cells["accepting"][500] == pytest.approx(hands[0] / hands.sum())
    assert cells["trumps"][500] == classes["trumps"][first]
    assert cells["up"][500] == classes["up"][first]
    assert cells["verdict"][0] == "undecided"


def test_holdings_are_named_the_strongest_card_first() -> None:
    """All side cards of a class are its own: five cards and the turned one, no card twice in a suit."""
    nothing = np.zeros((RECORDS, 6), np.int64)
    table = class_table(nothing, pooled_groups(nothing), np.zeros((8, TURNED), np.uint8), load_rules().deck)
    rows = table.take(np.random.default_rng(3).integers(0, RECORDS, 300)).to_pylist()
    for row in rows:
        suits = [row[name].replace("-", "") for name in ("trumps", "side_1", "side_2", "side_3")[: 4]]
        held = [suits[0], suits[1], suits[2], suits[3]]
        assert sum(map(len, held)) == 5
        assert row["up"] not in (held[0] if row["named"] == "turned" else held[1])
        assert sorted(held[0], key="J9ATKQ87".index) == list(held[0])
        assert all(sorted(side, key="ATKQJ987".index) == list(side) for side in held[1:])
