"""The script that sets acceptance tables side by side, on tables of a few cells made by hand."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from mpsim.errors import UsageError

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("strengths", ROOT / "analysis" / "strengths.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cells(verdicts: str, **changed: Any) -> pa.Table:
    """Five cells: four of seat 0 in round 1, one of seat 3 in round 2; verdicts by their first letters."""
    words = {"a": "accept", "p": "pass", "u": "undecided"}
    columns = {
        "round": [1, 1, 1, 1, 2], "seat": [0, 0, 0, 0, 3], "named": ["turned"] * 4 + ["other"],
        "up": ["7", "7", "K", "A", "A"], "trumps": ["J9A", "-", "J", "J", "J"], "hands": [100, 200, 300, 400, 50],
        "n": [10, 20, 30, 40, 50], "difference": [1.0, 2.0, 3.0, 4.0, 5.0], "se": [0.5] * 5,
        "verdict": [words[letter] for letter in verdicts],
    }
    return pa.table(columns | changed)


def test_only_what_all_decided_alike_is_robust(script: ModuleType) -> None:
    rows = script.compared({"random": cells("apaua"), "greedy": cells("appuu"), "third": cells("apupa")})
    assert [row["relation"] for row in rows] == ["all accept", "all pass", "disagree", "undecided", "undecided"]
    assert [row["robust"] for row in rows] == [True, True, False, False, False]


def test_a_row_holds_what_each_table_says(script: ModuleType) -> None:
    row = script.compared({"random": cells("appaa"), "greedy": cells("uppaa", difference=[-1.0] * 5)})[0]
    assert (row["trumps"], row["up"], row["hands"]) == ("J9A", "7", 100)
    assert (row["difference_random"], row["difference_greedy"]) == (1.0, -1.0)
    assert (row["verdict_random"], row["verdict_greedy"], row["n_random"]) == ("accept", "undecided", 10)


def test_cells_may_stand_in_any_order(script: ModuleType) -> None:
    table = cells("apuua")
    turned = script.compared({"a": table, "b": table.take([4, 2, 0, 1, 3])})
    assert turned == script.compared({"a": table, "b": table})


def test_shares_are_of_cells_and_of_hands(script: ModuleType) -> None:
    found = script.shares(script.compared({"random": cells("apaua"), "greedy": cells("appua")}))
    assert [(row["round"], row["seat"], row["named"], row["cells"]) for row in found] == [
        (1, "0", "turned", 4), (1, "all", "turned", 4), (2, "3", "other", 1), (2, "all", "other", 1)]
    assert [found[0][f"{name}, cells"] for name in script.RELATIONS] == [0.25] * 4
    assert [found[0][f"{name}, hands"] for name in script.RELATIONS] == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert found[2]["all accept, hands"] == 1


def test_other_cells_are_refused(script: ModuleType) -> None:
    with pytest.raises(UsageError, match="greedy has other cells than random"):
        script.compared({"random": cells("apaua"), "greedy": cells("apaua", up=["8", "7", "K", "A", "A"])})


@pytest.mark.parametrize(
    ("folders", "labels"),
    [(["x/random", "x/greedy/"], ["random", "greedy"]), (["a/t", "b/t"], ["a/t", "b/t"])],
)
def test_tables_are_called_by_their_folders(script: ModuleType, folders: list[str], labels: list[str]) -> None:
    assert script.labels_of([Path(folder) for folder in folders]) == labels


@pytest.mark.parametrize("folders", [["a/t"], ["a/t", "a/t"]])
def test_one_table_is_not_compared(script: ModuleType, folders: list[str]) -> None:
    with pytest.raises(UsageError, match="two or more"):
        script.labels_of([Path(folder) for folder in folders])


def test_everything_is_printed_and_written(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = {"random": cells("apaua"), "greedy": cells("appua")}
    monkeypatch.setattr(script, "read_acceptance", lambda path: SimpleNamespace(cells=tables[path.name]))
    script.main(["x/random", "x/greedy", "--out", str(tmp_path / "found")])
    assert "random | greedy" in capsys.readouterr().out
    with (tmp_path / "found" / "cells.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["robust"] for row in rows] == ["True", "True", "False", "False", "True"]
    with (tmp_path / "found" / "strengths.csv").open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 4
