"""Acceptance studies: interrupted or not, on any number of threads the same; what is known beforehand comes out."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mpsim.engine.batch import play_batch
from mpsim.engine.decisions import add_decisions, no_sums
from mpsim.engine.stop import Interrupted
from mpsim.errors import RunError, UsageError
from mpsim.policies import load_policies
from mpsim.policies.chart import read_chart
from mpsim.rules import load_rules
from mpsim.store.acceptance import CELLS, CHART, CLASSES, read_acceptance
from mpsim.studies import acceptance
from mpsim.studies.acceptance import AcceptancePlan, Study, prepare
from mpsim.studies.acceptance_tables import cell_sums
from mpsim.studies.rare import Rare, add_rare
from mpsim.studies.responses import paired_gains
from mpsim.studies.verdicts import groups


@contextlib.contextmanager
def no_bar(total: int, step: str) -> Iterator[None]:
    yield None


def plan(**changes: object) -> AcceptancePlan:
    usual = {"rules": load_rules(), "policies": load_policies(), "seed": 5, "deals": 40_000, "iterations": 1,
             "iteration_deals": 20_000, "half_width": None}
    return AcceptancePlan(**(usual | changes))


def study(folder: Path, threads: int = 2, **changes: object) -> Path:
    Study(prepare(folder, plan(**changes), False), folder, False, threads, no_bar).run()
    return folder


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceptance, "CHUNK", 1 << 13)
    monkeypatch.setattr(acceptance, "ANSWER_DEALS", 1 << 12)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(acceptance, "CHUNK", 1 << 13)
        patch.setattr(acceptance, "ANSWER_DEALS", 1 << 12)
        return study(tmp_path_factory.mktemp("study") / "whole")


def same(one: Path, other: Path) -> bool:
    a, b = read_acceptance(one), read_acceptance(other)
    charts = read_chart(a.chart_file) == read_chart(b.chart_file)
    # Arrow holds NaN unlike itself.
    return charts and all(
        np.array_equal(x.column(i).to_numpy(zero_copy_only=False), y.column(i).to_numpy(zero_copy_only=False),
                       equal_nan=x.schema.field(i).type == "double")
        for x, y in ((a.classes, b.classes), (a.cells, b.cells)) for i in range(x.num_columns)
    ) and all(a.about[name] == b.about[name] for name in ("course", "answers", "decisions", "deals_played"))


def test_two_threads_and_three(finished: Path, tmp_path: Path) -> None:
    assert same(finished, study(tmp_path / "three", threads=3))


@pytest.mark.parametrize("after", [2, 5])
def test_stopped_and_resumed(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Stopped after so many chunks: in the charts, in the deals."""
    folder, chunks = tmp_path / "stopped", []

    def stopping(*arguments: object) -> int:
        done = add_decisions(*arguments)
        chunks.append(done)
        if len(chunks) == after + 1:  # the first call compiles
            arguments[-1].set()
        return done

    monkeypatch.setattr(acceptance, "add_decisions", stopping)
    with pytest.raises(Interrupted, match="--resume --out"):
        study(folder)
    monkeypatch.undo()
    monkeypatch.setattr(acceptance, "ANSWER_DEALS", 1 << 12)
    with pytest.raises(RunError, match="not finished"):
        read_acceptance(folder)
    Study(prepare(folder, None, False), folder, True, 2, no_bar).run()
    assert same(finished, folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted([CELLS, CHART, CLASSES, "acceptance.json"])


def test_cells_add_up_the_classes(finished: Path) -> None:
    found = read_acceptance(finished)
    for table in (found.classes, found.cells):
        rows = table.to_pandas()
        assert rows.groupby("named", observed=True)["hands"].sum().to_dict() == {
            "turned": 8 * 5_437_152, "other": 4 * 16_311_456,
        }
        assert rows["n"].sum() == found.about["decisions"]
    cells = found.cells.to_pandas()
    assert cells.query("round == 1 and seat == 0")["visits"].sum() == pytest.approx(1)
    assert set(cells["verdict"]) == {"accept", "pass", "undecided"}


def test_a_seat_that_always_takes_leaves_nothing_to_pass_on() -> None:
    """Seat 0 always accepts: nobody else decides, and its pass is what comes if seat 1 always accepts instead."""
    rules, sums = load_rules(), no_sums()
    add_decisions(sums, rules, load_policies("greedy", "always,always,never,never"), 3, 0, 20_000)
    first = groups()[0]
    assert sums[first.stop :, 0].sum() == 0
    columns = play_batch(rules, load_policies("greedy", "never,always,never,never"), 3, 0, 20_000)
    gains = columns["score_0"].astype(int) - columns["score_1"]
    assert sums[first.start : first.stop, 2].sum() == gains.sum()
    taking = play_batch(rules, load_policies("greedy", "always,never,never,never"), 3, 0, 20_000)
    assert sums[first.start : first.stop, 1].sum() == (taking["score_0"].astype(int) - taking["score_1"]).sum()


def mean_and_error(sums: np.ndarray) -> tuple[float, float]:
    n, mean = sums[0], (sums[1] - sums[2]) / sums[0]
    return mean, (((sums[3] - 2 * sums[5] + sums[4]) / n - mean**2) / n) ** 0.5


def test_rare_hands_get_the_precision_asked_for_and_change_no_mean() -> None:
    """Cells dealt on purpose agree with random deals within 4 standard errors, all but what chance allows."""
    rules, policies = load_rules(), load_policies()
    random, deals = no_sums(), 200_000
    add_decisions(random, rules, policies, 7, 0, deals)
    purpose = random.copy()
    rare = Rare(random[:, 0].copy(), deals)
    wide = 40.0
    asked = {need.number for need in rare.needs(purpose, wide)}
    for _ in add_rare(purpose, rules, policies, 7, rare, wide, 2, threading.Event()):
        pass
    assert set(rare.asked) >= asked
    assert not rare.needs(purpose, wide)
    z = []
    for group in groups():
        a, b = (cell_sums(sums[group.start : group.stop], group.other) for sums in (random, purpose - random))
        for one, two in zip(a, b, strict=True):
            if min(one[0], two[0]) >= 100:
                (mean, error), (other_mean, other_error) = mean_and_error(one), mean_and_error(two)
                z.append((mean - other_mean) / (error**2 + other_error**2) ** 0.5)
    assert len(z) > 50
    assert max(map(abs, z)) < 4.5
    assert 0.75 < np.std(z) < 1.25


def test_paired_gains_by_hand() -> None:
    """Seats of both teams, against two runs subtracted row by row."""
    rules, one = load_rules(), load_policies()
    others = [(seat, load_policies("greedy", "chance:0.3")) for seat in (1, 2)]
    found = paired_gains(rules, one, others, 2, 100, 70_000)
    before, after = (play_batch(rules, policies, 2, 100, 70_000) for policies in (one, others[0][1]))
    gains = [columns["score_0"].astype(int) - columns["score_1"] for columns in (before, after)]
    change = gains[1] - gains[0]
    assert [moments.total for moments in found] == [-change.sum(), change.sum()]
    assert found[0].squares == (change**2).sum()
    assert found[0].n == 70_000


@pytest.mark.parametrize("rules", ["bulgarian", "madrasso", "contree"])
def test_games_without_a_card_to_accept_are_refused(rules: str) -> None:
    with pytest.raises(UsageError, match=f"{rules} has no five cards"):
        plan(rules=load_rules(rules))


def test_folders_of_others_are_left_alone(tmp_path: Path, finished: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(RunError, match="holds other files"):
        prepare(tmp_path, plan(), True)
    with pytest.raises(RunError, match="holds a study"):
        prepare(finished, plan(), False)
    with pytest.raises(UsageError, match="is complete"):
        prepare(finished, None, False)
    with pytest.raises(RunError, match=r"holds no acceptance\.json"):
        prepare(tmp_path, None, False)


def test_no_more_deals_after_the_time(tmp_path: Path) -> None:
    folder = tmp_path / "short"
    account = Study(prepare(folder, plan(iterations=0), False), folder, False, 2, no_bar).run(1e-9)
    assert account["deals_played"] == 0
    assert read_acceptance(folder).cells["n"].to_numpy().sum() == 0
