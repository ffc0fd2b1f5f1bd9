"""Rules of thumb, fitted to tables made by hand in which the best count is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import mpsim
from acceptance_by_hand import POINTS, THRESHOLDS, by_a_count, plain_strength
from mpsim.engine.batch import bid_batch
from mpsim.errors import UsageError
from mpsim.policies import Policies
from mpsim.policies.chart import CLASSES, PASS, TURNED, Chart, write_chart
from mpsim.policies.classes import class_tables, named_sides, turned_classes
from mpsim.store.acceptance import Acceptance
from mpsim.studies.thumb import Count, Judge, decisions_of, fit, full_form, thumb_form, weights_of
from mpsim.studies.verdicts import design

ROUND2 = slice(4, 8)


@pytest.fixture(scope="module")
def judge() -> Judge:
    """Of a table in which taking gains a hand's strength by `POINTS` less the node's threshold, plus a half."""
    return Judge(by_a_count())


@pytest.fixture(scope="module")
def truth() -> Count:
    form = thumb_form()
    return Count(form, dict.fromkeys(form, 0) | POINTS, THRESHOLDS)


def test_strengths_are_those_of_plain_arithmetic(judge: Judge, truth: Count) -> None:
    nodes, classes = judge.nodes(truth.weights), turned_classes()
    for number in range(0, CLASSES, 5_003):
        held = [int(classes.trumps[number]), *(int(side[number]) for side in classes.sides)]
        for seat in range(4):
            with_up = [held[0] | (1 << int(classes.up[number]) if seat == 3 else 0), *held[1:]]
            strengths = [plain_strength(with_up, suit) for suit in range(4)]
            assert nodes[seat].strength[number] == strengths[0]
            assert nodes[4 + seat].strength[number] == max(strengths)


def test_the_true_count_loses_nothing(judge: Judge, truth: Count) -> None:
    assert judge.fit_thresholds(truth.weights)[0] == THRESHOLDS
    for node in judge.report(truth):
        assert node.gain == pytest.approx(node.best) == pytest.approx(node.chart)
        assert node.steps == pytest.approx(node.gain)
        assert node.takes == pytest.approx(node.chart_takes)
        assert node.agrees == pytest.approx(1) or node.round == 2  # where equal suits are named equally often


def test_the_fit_finds_as_good_a_count(judge: Judge) -> None:
    found = fit(judge, thumb_form(), 5, starts=1)
    best = sum(node.best for node in judge.report(found))
    assert sum(node.gain for node in judge.report(found)) > 0.999 * best
    assert max(map(abs, found.points.values())) <= 5


def test_a_count_that_may_not_be_large_enough_loses(judge: Judge, truth: Count) -> None:
    found = fit(judge, thumb_form(), 1, starts=1)
    best = sum(node.best for node in judge.report(truth))
    assert sum(node.gain for node in judge.report(found)) < 0.99 * best
    assert set(found.points.values()) <= {-1, 0, 1}


def test_thresholds_are_the_best_of_all(judge: Judge) -> None:
    """Against every threshold tried one by one, in a table of noise."""
    random = np.random.default_rng(1)
    noise = judge.decisions._replace(gain1=random.normal(size=(4, CLASSES)), gain2=random.normal(size=(4, 4, CLASSES)))
    other = Judge(noise)
    weights = weights_of(thumb_form(), dict.fromkeys(thumb_form(), 1))
    thresholds, total = other.fit_thresholds(weights)
    gained = 0.0
    for node, threshold in zip(other.nodes(weights), thresholds, strict=True):
        tried = {t: node.value[node.strength >= t].sum() for t in range(node.strength.min(), node.strength.max() + 2)}
        assert tried[threshold] == pytest.approx(max(tried.values()))
        gained += tried[threshold]
    assert total == pytest.approx(gained)


def test_nothing_to_gain_is_never_taken(judge: Judge, truth: Count) -> None:
    losing = Judge(judge.decisions._replace(gain1=np.full((4, CLASSES), -1.0)))
    thresholds, _ = losing.fit_thresholds(truth.weights)
    report = losing.report(Count(truth.form, truth.points, thresholds))
    assert [node.takes for node in report[:4]] == [0, 0, 0, 0]
    assert [node.gain for node in report[:4]] == [0, 0, 0, 0]


def test_strong_hands_that_wait_cost_a_threshold(judge: Judge, truth: Count) -> None:
    """Taking gains with strengths 8 to 12 only: a threshold must take what is above or leave what is between."""
    strength = judge.nodes(truth.weights)[0].strength
    gain = np.where((strength >= 8) & (strength <= 12), 1.0, -1.0)
    waiting = Judge(judge.decisions._replace(gain1=np.stack([gain] * 4)))
    node = waiting.report(Count(truth.form, truth.points, waiting.fit_thresholds(truth.weights)[0]))[0]
    between = waiting.decisions.reach[0][gain > 0].sum()
    above = waiting.decisions.reach[0][strength > 12].sum()
    assert node.steps == pytest.approx(between)
    assert node.gain == pytest.approx(max(between - above, 0))
    assert node.best == pytest.approx(between)


def test_of_suits_held_alike_either_agrees(judge: Judge, truth: Count) -> None:
    """The chart names one of two suits that hold the same cards, the count both equally often."""
    classes = turned_classes()
    alike = (classes.sides[1] == classes.sides[2]) & (classes.sides[0] != classes.sides[1])
    node = judge.nodes(truth.weights)[4]
    tied = np.flatnonzero(alike & (node.named[2] == 0.5) & (node.strength >= THRESHOLDS[4]))
    reach = np.zeros_like(judge.decisions.reach)
    reach[4, tied] = 1 / len(tied)
    for action, agrees in ((4, 1), (3, 1), (2, 0), (TURNED, 0), (PASS, 0)):
        chart = np.full_like(judge.decisions.chart, PASS)
        chart[4] = action
        only = Judge(judge.decisions._replace(reach=reach, chart=chart))
        assert only.report(truth)[4].agrees == pytest.approx(agrees)


def test_the_policy_takes_what_the_count_takes(judge: Judge, truth: Count) -> None:
    """How often seat 0 takes in the kernels' deals, against the share of all hands."""
    policy = truth.policy("thumb")
    deals = 200_000
    bids = Policies(("random",) * 4, (policy,) * 4)
    rows = bid_batch(mpsim.load_rules("mpourloto"), bids, 1, 0, deals)
    share = judge.report(truth)[0].takes
    assert 0.05 < share < 0.95
    found = np.count_nonzero((rows["round"] == 1) & (rows["taker"] == 0))
    assert abs(found - deals * share) < 5 * (deals * share * (1 - share)) ** 0.5


def test_forms_say_what_their_names_say() -> None:
    points = dict.fromkeys(thumb_form(), 0) | {"J": 4, "each trump": 3, "side A": 1, "void": 2}
    weights = weights_of(thumb_form(), points)
    assert weights[:8].tolist() == [0, 0, 0, 0, 4, 0, 0, 0]
    assert weights[8:17].tolist() == [0, 3, 6, 9, 12, 15, 18, 21, 24]
    assert weights[17:25].tolist() == [0, 0, 0, 0, 0, 0, 0, 1]
    assert weights[25:].tolist() == [2, 0, 0, 0, 0, 0, 0, 0, 0]
    assert len(np.unique(np.stack([*full_form().values()]), axis=0)) == len(full_form()) == 29


def table_by_hand(folder: Path, **settings: str) -> Acceptance:
    """A table whose numbers tell where they stand: `pooled` is the record's number, cells were seen unevenly."""
    tables = class_tables()
    records = 8 * tables.turned + 4 * tables.other
    actions = np.zeros((8, CLASSES), np.uint8)
    write_chart(Chart(actions, "by hand"), folder / "chart.npz")
    n = np.ones(records, np.int64)
    n[:CLASSES:2] = 3
    cells = pa.table({"visits": np.full(8 * design(False).cells + 4 * 1752, 0.001)})
    rules = {"auction": {"round2_any_suit": True}, "deal": {"upcard_to": "dealer"}}
    for key, value in settings.items():
        rules["auction" if key in rules["auction"] else "deal"][key] = value
    classes = pa.table({"n": n, "pooled": np.arange(records, dtype=float)})
    return Acceptance(classes, cells, {"rules": rules}, folder)


def test_a_table_becomes_decisions(tmp_path: Path) -> None:
    found = decisions_of(table_by_hand(tmp_path))
    turned, other = class_tables().turned, class_tables().other
    assert found.gain1[2, 7] == 2 * turned + 7
    assert found.gain2[1, 0, 7] == 5 * turned + 7
    assert found.gain2[1, 3, 7] == 8 * turned + other + named_sides()[2, 7]
    assert found.reach.sum(axis=1) == pytest.approx(0.96)
    cell = design(False).cell
    first = np.flatnonzero(cell == cell[0])
    n = np.where(first % 2 == 0, 3, 1)
    assert found.reach[0, first] == pytest.approx(0.001 * n / n.sum())
    assert found.brings_upcard == (3,)


def test_the_turned_card_may_be_the_takers(tmp_path: Path) -> None:
    found = decisions_of(table_by_hand(tmp_path, upcard_to="taker"))
    assert found.brings_upcard == (0, 1, 2, 3)
    strengths = [node.strength for node in Judge(found).nodes(weights_of(thumb_form(), dict.fromkeys(thumb_form(), 1)))]
    assert (strengths[0] == strengths[3]).all()


def test_a_barred_suit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="bar the turned suit"):
        decisions_of(table_by_hand(tmp_path, round2_any_suit=False))
