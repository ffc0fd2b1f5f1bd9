"""The script about melds reads a run and writes what its docstring says."""

from __future__ import annotations

import csv
import importlib.util
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

import mpsim

ROOT = Path(__file__).parents[2]
DEALS = 20_000

Rows = dict[tuple[str, str, str, str], dict[str, str]]


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("meld_frequency", ROOT / "analysis" / "meld_frequency.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the script made of a run."""
    path = tmp_path_factory.mktemp("melds")
    mpsim.simulate(deals=DEALS, seed=1, out=path / "run")
    script().main([str(path / "run"), "--out", str(path / "found")])
    return path / "found"


@pytest.fixture(scope="module")
def rows(folder: Path) -> Rows:
    """Rows of cards as they were dealt."""
    with (folder / "melds.csv").open(newline="", encoding="utf-8") as file:
        return {(row["scope"], row["meld"], row["what"], row["value"]): row
                for row in csv.DictReader(file) if row["stage"] == "dealt"}


def test_files_are_there(folder: Path) -> None:
    expected = ["meld_bidding.png", "meld_frequency.png", "meld_points.png", "melds.csv"]
    assert sorted(path.name for path in folder.iterdir()) == expected
    assert all(path.stat().st_size > 10_000 for path in folder.iterdir())


@pytest.mark.parametrize(
    ("key", "exact"),
    [
        (("hand", "run_3_up", "number", "0"), "8142534/10518300"),
        (("hand", "pair", "some", ""), "7/124"),
        (("hand", "run_8", "some", ""), "4/10518300"),
        (("team", "pair", "some", ""), "7/62"),
        (("deal", "pair", "some", ""), "7/31"),
        (("deal", "points", "mean", ""), "18018796/525915"),
    ],
)
def test_exact_numbers_worked_by_hand(rows: Rows, key: tuple[str, str, str, str], exact: str) -> None:
    row = rows[key]
    assert Fraction(row["exact_fraction"]) == Fraction(exact)
    assert float(row["exact"]) == pytest.approx(float(Fraction(exact)), rel=1e-15)


def test_simulated_numbers_are_near(rows: Rows) -> None:
    pair = rows["hand", "pair", "some", ""]
    assert pair["n"] == str(4 * DEALS)
    assert abs(float(pair["simulated"]) - 7 / 124) < 5 * float(pair["se"])
    assert max(abs(float(row["z"])) for row in rows.values() if row["z"]) < 6
