"""`import mpsim`: small, typed, and nothing heavy until it is used."""

from __future__ import annotations

import doctest
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import mpsim

ROOT = Path(__file__).parents[1]


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys, mpsim, mpsim.cards, mpsim.errors\n"
        "mpsim.parse_cards('JH 9H'); mpsim.MpsimError\n"
        "print([n for n in ('numpy', 'numba', 'pyarrow', 'pandas', 'typer', 'rich', 'jsonschema') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_is_there_and_documented() -> None:
    for name in mpsim.__all__:
        assert getattr(mpsim, name) is not None
        assert name in dir(mpsim)
        if name != "__version__":
            assert getattr(mpsim, name).__doc__
    assert len(mpsim.__all__) <= 13
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        mpsim.nonsense  # noqa: B018


def test_the_version_is_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project.get("version", mpsim.__version__) == mpsim.__version__


def test_examples_in_the_docstring() -> None:
    assert doctest.testmod(mpsim).failed == 0


def test_a_run_in_memory() -> None:
    run = mpsim.simulate(deals="1e3", rules="mpourloto", seed=1)
    assert (run.path, run.seed, run.first, run.deals, run.complete) == (None, 1, 0, 1000, True)
    assert isinstance(run.table(), pa.Table)
    assert isinstance(run.frame(), pd.DataFrame)
    assert sum(batch.num_rows for batch in run.batches()) == 1000
    assert run.summary["deals"] == 1000
    assert repr(run) == "<Run: 1000 deals of mpourloto, play greedy, bid points, seed 1>"


def test_a_seed_not_given_is_drawn_and_known() -> None:
    run = mpsim.simulate(50)
    assert mpsim.simulate(50, seed=run.seed).table().equals(run.table())


def test_a_run_in_a_folder_is_opened_again(tmp_path: Path) -> None:
    rules = mpsim.load_rules("mpourloto", ["tie_rule=hang"])
    run = mpsim.simulate(deals=400, rules=rules, seed=2, play="random", bid="chance:0.5", out=tmp_path / "run")
    again = mpsim.open_run(tmp_path / "run")
    assert again.rules == rules
    assert again.policies == mpsim.load_policies("random", "chance:0.5")
    assert again.table().equals(run.table())
    assert again.summary == run.summary
    assert repr(tmp_path / "run").split("(")[1][:-1] in repr(again)


def test_common_random_numbers() -> None:
    """The same deals whatever policy plays them."""
    cards = [f"first_{seat}" for seat in range(4)] + ["upcard"]
    greedy, random = (mpsim.simulate(300, seed=3, play=play) for play in ("greedy", "random"))
    assert greedy.table(cards).equals(random.table(cards))
    assert not greedy.table(["score_0"]).equals(random.table(["score_0"]))


def test_progress_hears_of_every_deal() -> None:
    heard: list[int] = []
    mpsim.simulate(200_000, seed=1, progress=heard.append)
    assert sum(heard) == 200_000


def test_the_referee_by_itself() -> None:
    rules, policies = mpsim.load_rules(), mpsim.load_policies("greedy", "points")
    record = mpsim.play_deal(rules, 1, 42, policies.bidders(rules), policies.players(rules))
    run = mpsim.simulate(1, first=42, seed=1, record_plays=True)
    assert record.row() == run.table().to_pylist()[0]
    assert mpsim.narrate(record, rules) == run.narrate(42)


@pytest.mark.parametrize("deals", ["1.5", "-1", "0", "nan", "1e30"])
def test_counts_that_are_refused(deals: str) -> None:
    with pytest.raises(mpsim.MpsimError):
        mpsim.simulate(deals)


@pytest.mark.parametrize("wrong", [{"seed": True}, {"seed": 1.0}, {"first": 1.5}, {"seed": "7"}])
def test_wrong_types_are_refused_before_anything_is_replaced(tmp_path: Path, wrong: dict[str, Any]) -> None:
    mpsim.simulate(100, seed=1, out=tmp_path / "run")
    with pytest.raises(mpsim.MpsimError, match="whole number"):
        mpsim.simulate(100, out=tmp_path / "run", force=True, **({"seed": 2} | wrong))
    assert mpsim.open_run(tmp_path / "run").seed == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"threads": "2"}, "threads = '2' is no whole number"),
        ({"threads": 1.5}, "threads = 1.5 is no whole number"),
        ({"shard": (1, 4)}, r"shard = \(1, 4\) is no text: write it like shard='1/4'"),
        ({"resume": True, "seed": 1}, "say in which with out"),
        ({"force": True}, "say in which with out"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(mpsim.MpsimError, match=message):
        mpsim.simulate(100, **wrong)


def test_one_setting_and_one_column_need_no_list() -> None:
    run = mpsim.simulate(100, seed=1, settings="head_plain=false")
    assert not run.rules.play.head_plain
    assert run.table("deal").column_names == ["deal"]


def test_a_folder_named_like_a_uri(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert mpsim.simulate(100, seed=1, out="s3:bucket").table("deal").num_rows == 100
