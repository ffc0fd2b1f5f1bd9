"""The script about accepting counts what plain Python counts in the rows of a run."""

from __future__ import annotations

import csv
import importlib.util
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from types import ModuleType
from typing import Any

import pyarrow as pa
import pytest

import mpsim
from mpsim.stats.estimates import wilson

ROOT = Path(__file__).parents[2]
DEALS = 3_000
SUITS = "cdhs"

Key = tuple[int, int, str, str, str]
Rows = dict[Key, dict[str, str]]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("trump_acceptance", ROOT / "analysis" / "trump_acceptance.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def decisions(deal: dict[str, Any], any_suit: bool) -> Iterator[tuple[Key, bool]]:
    """Every suit that every seat could have taken in a deal, and whether it did."""
    last = (deal["round"], deal["taker"]) if deal["round"] else (2, 3)
    turned = SUITS[deal["upcard"] // 8]
    for round_ in (1, 2):
        for seat in range(4):
            if (round_, seat) <= last:
                took = (round_, seat) == (deal["round"], deal["taker"])
                for suit in SUITS if round_ == 2 else turned:
                    if round_ == 1 or any_suit or suit != turned:
                        cards = mpsim.format_cards(deal[f"first_{seat}"]).split()
                        trumps = [card[0] for card in cards if card[1] == suit]
                        keys = "".join(key for key in "J9" if key in trumps) or "-"
                        name = "turned" if suit == turned else "other"
                        yield (round_, seat, name, str(len(trumps)), keys), took and deal["contract"] == suit


def expected(run: mpsim.Run) -> dict[Key, tuple[int, int, int, float]]:
    """Decisions, taken, made and mean score by class, from the rows one by one."""
    n: Counter[Key] = Counter()
    taken: dict[Key, list[tuple[bool, int]]] = {}
    for deal in run.table().to_pylist():
        for key, took in decisions(deal, run.rules.auction.round2_any_suit):
            n[key] += 1
            if took:
                score = (deal["score_0"] - deal["score_1"]) * (-1) ** key[1]
                taken.setdefault(key, []).append((deal["outcome"] == "made", score))
    return {
        key: (n[key], len(taken.get(key, ())), sum(made for made, _ in taken.get(key, ())),
              mean(score for _, score in taken[key]) if key in taken else 0)
        for key in n
    }


def read(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        return {(int(row["round"]), int(row["seat"]), row["suit"], row["trumps"], row["keys"]): row
                for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def made(script: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> tuple[mpsim.Run, Rows, Path]:
    path = tmp_path_factory.mktemp("acceptance")
    mpsim.simulate(deals=DEALS, seed=1, out=path / "run")
    script.main([str(path / "run"), "--out", str(path / "found")])
    return mpsim.open_run(path / "run"), read(path / "found" / "trump_acceptance.csv"), path / "found"


def test_classes_are_those_of_the_rows_counted_one_by_one(made: tuple[mpsim.Run, Rows, Path]) -> None:
    run, rows, _ = made
    want = expected(run)
    assert {key for key in rows if "all" not in key} == set(want)
    for key, (n, taken, success, score) in want.items():
        row = rows[key]
        assert (int(row["n"]), int(row["accepted"]), int(row["made"])) == (n, taken, success)
        assert float(row["score"] or 0) == pytest.approx(score)


def test_intervals_are_wilsons(made: tuple[mpsim.Run, Rows, Path]) -> None:
    row = made[1][1, 3, "turned", "3", "J"]
    assert (float(row["acceptance_low"]), float(row["acceptance_high"])) == pytest.approx(
        wilson(int(row["accepted"]), int(row["n"])))
    assert (float(row["success_low"]), float(row["success_high"])) == pytest.approx(
        wilson(int(row["made"]), int(row["accepted"])))


def test_totals_are_those_of_the_summary(made: tuple[mpsim.Run, Rows, Path]) -> None:
    run, rows, _ = made
    for round_, suit in ((1, "turned"), (2, "any")):
        for seat in range(4):
            row = rows[round_, seat, suit, "all", "all"]
            assert int(row["accepted"]) == run.tally.count(f"accepted_{round_}_{seat}")
    assert int(rows[1, 0, "turned", "all", "all"]["n"]) == DEALS
    assert 3 * int(rows[2, 1, "any", "all", "all"]["n"]) == int(rows[2, 1, "other", "all", "all"]["n"])


def test_the_figure_is_there(made: tuple[mpsim.Run, Rows, Path]) -> None:
    assert sorted(path.name for path in made[2].iterdir()) == ["trump_acceptance.csv", "trump_acceptance.png"]
    assert (made[2] / "trump_acceptance.png").stat().st_size > 10_000


def counts_of(script: ModuleType, *settings: str) -> tuple[mpsim.Run, Rows]:
    rules = mpsim.load_rules("mpourloto", list(settings))
    run = mpsim.simulate(deals=1_000, seed=2, rules=rules)
    rows = script.with_table(script.table_rows(script.counted(run)), {})
    keys = ("round", "seat", "suit", "trumps", "keys")
    return run, {tuple(row[key] for key in keys): row for row in rows}


def test_a_barred_suit_is_no_decision(script: ModuleType) -> None:
    run, rows = counts_of(script, "round2_any_suit=false")
    assert {key: row["n"] for key, row in rows.items() if "all" not in key} == {
        key: n for key, (n, *_) in expected(run).items()}


def test_where_nobody_speaks_nobody_decides(script: ModuleType) -> None:
    run, rows = counts_of(script, "aponta=true")
    silent = sum(
        any(not set(mpsim.format_cards(deal[f"first_{seat}"])) & set("TJQKA") for seat in range(4))
        for deal in run.table().to_pylist()
    )
    assert silent > 0
    assert rows[1, 0, "turned", "all", "all"]["n"] == 1_000 - silent


def test_a_game_without_a_turned_suit_is_refused(script: ModuleType) -> None:
    with pytest.raises(mpsim.MpsimError, match="no turned suit"):
        script.counted(mpsim.simulate(deals=10, rules="bulgarian", seed=1))


def test_cells_of_a_table_join_their_class(script: ModuleType) -> None:
    """J97 and J9A are one class, each weighing as often as it is met; a cell that was never met is none."""
    cells = pa.table({
        "round": [1, 1, 1], "seat": [0, 0, 0], "named": ["turned"] * 3, "trumps": ["J97", "J9A", "J98"],
        "n": [100, 900, 0], "visits": [0.1, 0.3, 0.0], "difference": [2.0, 10.0, float("nan")],
        "se": [1.0, 2.0, float("nan")], "accepting": [0.0, 1.0, 0.0],
    })
    said = script.said_by_table(cells)
    row = said[1, 0, "turned", "3", "J9"]
    assert row == said[1, 0, "turned", "all", "all"]
    assert row["table_n"] == 1000
    assert row["table_difference"] == pytest.approx(8)
    assert row["table_accepts"] == pytest.approx(0.75)
    assert row["table_se"] == pytest.approx((0.1**2 + 0.6**2) ** 0.5 / 0.4)
