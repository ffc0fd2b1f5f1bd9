"""Whole matches over threads: what must hold in all of them, files, interrupts, and what is refused."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mpsim
from mpsim.engine import match_batches, match_results, matches
from mpsim.engine.match_results import Matches, open_matches
from mpsim.engine.stop import Interrupted
from mpsim.referee import play_match
from mpsim.rules import load_rules
from mpsim.store.match_schema import MATCH_COLUMNS, MATCH_SCHEMA

MANY = 20_000


def columns(**options: Any) -> dict[str, Any]:
    frame = mpsim.simulate_matches(**{"matches": MANY, "seed": 6, **options}).frame()
    return {name: frame[name].to_numpy() for name in frame}


@pytest.mark.parametrize(
    ("base", "settings", "play", "bid"),
    [
        ("mpourloto", (), "greedy", "points"),
        ("mpourloto-greek", (), "random", "chance:0.4"),
        ("bulgarian", (), "greedy", "points"),
        ("bulgarian", ("capot_exit=one_more",), "greedy,random,greedy,random", "chance:0.5"),
        ("belote", (), "greedy", "points"),
        ("belote-bg", ("hang_blocks_end=true",), "greedy", "chance:0.5"),
        ("madrasso", (), "greedy", "points"),
        ("madrasso", ("declare_policy=perfect",), "random", "points"),
        ("contree", (), "greedy", "points"),
    ],
)
def test_what_holds_in_every_match(base: str, settings: tuple[str, ...], play: str, bid: str) -> None:
    c = columns(rules=base, settings=settings, play=play, bid=bid)
    target = load_rules(base, settings).match.target
    assert np.array_equal(c["match"], np.arange(MANY))
    assert set(np.unique(c["winner"])) == {0, 1}
    winners, losers = (np.where(c["winner"] == team, c["score_0"], c["score_1"]) for team in (0, 1))
    counted = ~np.isin(c["ended"], ("sweep", "claim"))
    assert (winners[counted] > losers[counted]).all()
    assert (winners[c["ended"] != "sweep"] >= target).all()
    assert (winners[c["ended"] == "raise"] > target).all()
    scored = c["deals"] - c["thrown_in"]
    assert (scored >= 1).all()
    assert (np.minimum(c["thrown_in"], np.minimum(c["capots"], c["hung"])) >= 0).all()
    assert (c["capots"] <= scored).all()
    assert (c["hung"] <= scored).all()
    assert (c["hung"][c["hanging"] > 0] > 0).all()
    if "hang_blocks_end=true" in settings:
        assert (c["hanging"] == 0).all()


def test_first_dealers_and_winners_are_even() -> None:
    c = columns()
    error = (MANY * 0.25 * 0.75) ** 0.5
    assert all(abs(np.count_nonzero(c["first_dealer"] == player) - MANY / 4) < 4.5 * error for player in range(4))
    assert abs(np.count_nonzero(c["winner"] == 0) - MANY / 2) < 4.5 * (MANY * 0.25) ** 0.5


@pytest.mark.parametrize("settings", [("tie_rule=hang",), ("tie_rule=made",), ("target=200", "tie_rule=fail")])
def test_points_add_up_where_a_deal_has_162(settings: tuple[str, ...]) -> None:
    """Without melds, and with 10 for all tricks in place of the last, every scored deal is worth 162."""
    c = columns(settings=("run_points=[0, 0, 0]", f"fours_table={[0] * 8}", "trump_pair=0", "all_tricks=10", *settings))
    totals = c["score_0"] + c["score_1"] + c["hanging"]
    assert np.array_equal(totals, 162 * (c["deals"] - c["thrown_in"]))


def test_points_add_up_in_contree() -> None:
    c = columns(rules="contree", settings="trump_pair=0")
    assert np.array_equal(c["score_0"] + c["score_1"], 162 * c["deals"] + 90 * c["capots"])


def test_madrasso_takes_ten_to_twelve_deals() -> None:
    c = columns(rules="madrasso")
    swept = c["ended"] == "sweep"
    assert np.array_equal(c["score_0"] + c["score_1"], 130 * c["deals"])
    assert np.array_equal(c["capots"], swept.astype(np.int16))
    # After twelve deals only 780 to 780 lets a match go on, and its end is one of level scores.
    assert np.array_equal((c["deals"] > 12) & ~swept, c["ended"] == "level")
    assert (c["deals"][~swept] >= 10).all()
    after_ten = ~swept & (c["deals"] == 11)
    assert (np.minimum(c["score_0"], c["score_1"])[after_ten] <= 1430 - 777).all()
    assert np.count_nonzero(swept) > 0 < np.count_nonzero(c["deals"] > 12)


def test_claims_only_from_their_first_deal_on() -> None:
    c = columns(rules="madrasso", settings=("declare_policy=perfect", "declare_from_deal=12"), matches=4000)
    assert set(c["deals"][c["ended"] == "claim"]) <= {12}
    assert np.count_nonzero(c["ended"] == "claim") > 1000


def test_thrown_in_deals_are_geometric() -> None:
    """One scored deal decides; each is thrown in by eight refusals, each with chance 15/16."""
    c = columns(settings="target=1", play="random", bid="chance:0.0625")
    assert (c["deals"] - c["thrown_in"] == 1).all()
    q = (15 / 16) ** 8
    expected, spread = q / (1 - q), q**0.5 / (1 - q)
    assert abs(c["thrown_in"].mean() - expected) < 4.5 * spread / MANY**0.5
    assert abs(np.count_nonzero(c["thrown_in"] == 0) - (1 - q) * MANY) < 4.5 * (q * (1 - q) * MANY) ** 0.5


def test_policies_belong_to_players() -> None:
    """Greedy players 0 and 2 beat random ones whoever deals."""
    c = columns(play="greedy,random,greedy,random", matches=4000)
    for dealer in range(4):
        assert np.mean(c["winner"][c["first_dealer"] == dealer] == 0) > 0.7


def test_nobody_wins_where_nobody_bids() -> None:
    played = mpsim.simulate_matches(3, seed=1, bid="never")
    assert played.table(["winner", "deals", "thrown_in"]).to_pylist() == [
        {"winner": -1, "deals": 1024, "thrown_in": 1024}
    ] * 3
    assert played.summary["first_dealer"]["rate"] is None
    assert "Nobody has won after 1024 deals, 1024 of them thrown in." in played.narrate(0)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_batches, "BATCH", 256)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_threads_change_no_byte(tmp_path: Path, ending: str) -> None:
    files = [tmp_path / f"{threads}.{ending}" for threads in (1, 3)]
    for threads, file in zip((1, 3), files, strict=True):
        played = mpsim.simulate_matches(3000, rules="bulgarian", seed=2, first=7, threads=threads, out=file)
        assert played.tally.matches == 3000
    assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == files


@pytest.mark.usefixtures("small_batches")
def test_a_file_holds_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mpsim.store.match_writer.ROW_GROUP", 512)
    file = tmp_path / "m.parquet"
    options: dict[str, Any] = {"rules": "madrasso", "settings": "min_deals=3", "play": "random", "seed": 9, "first": 5}
    played = mpsim.simulate_matches(1500, **options, out=file)
    with pq.ParquetFile(file) as parquet:
        assert [parquet.metadata.row_group(group).num_rows for group in range(3)] == [512, 512, 476]
    again = open_matches(file)
    assert (again.rules, again.policies, again.seed, again.spec) == (played.rules, played.policies, 9, played.spec)
    assert again.rules.name == "madrasso"
    assert again.tally == played.tally
    in_memory = mpsim.simulate_matches(1500, **options)
    assert again.table().equals(in_memory.table())
    assert played.table("deals").equals(in_memory.table(["deals"]))
    assert [field.name for field in again.table().schema] == [column.name for column in MATCH_COLUMNS]
    assert again.table().schema == MATCH_SCHEMA
    assert "<Matches: 1500 of madrasso in " in repr(again)


@pytest.mark.usefixtures("small_batches")
def test_rows_not_kept_are_played_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = mpsim.simulate_matches(1000, seed=3)
    monkeypatch.setattr(matches, "KEEP", 0)
    for out in (None, tmp_path / "m.csv"):
        again = mpsim.simulate_matches(1000, seed=3, out=out)
        assert again._rows is None
        assert again.table().equals(kept.table())
        assert again.table(["ended"]).equals(kept.table("ended"))
        assert sum(batch.num_rows for batch in again.batches()) == 1000


def test_a_csv_file_has_the_same_rows(tmp_path: Path) -> None:
    import csv

    played = mpsim.simulate_matches(50, seed=3, out=tmp_path / "m.csv")
    with (tmp_path / "m.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert found == [{name: str(value) for name, value in row.items()} for row in played.table().to_pylist()]


def test_the_referee_plays_the_same_matches() -> None:
    played = mpsim.simulate_matches(20, rules="bulgarian", seed=5, first=100)
    for row in played.table().to_pylist():
        told = played.play_match(row["match"])
        assert (row["winner"], row["ended"], row["deals"]) == (told.winner, told.ended, told.deals)
    policies = played.policies
    same = play_match(played.rules, 5, 103, policies.bidders(played.rules), policies.players(played.rules))
    assert played.play_match(103) == same
    with pytest.raises(mpsim.MpsimError, match="give a number from 100 to 119"):
        played.play_match(120)


def test_progress_hears_of_every_match(small_batches: None) -> None:
    heard: list[int] = []
    played = mpsim.simulate_matches("2e3", seed=1, progress=heard.append)
    assert sum(heard) == 2000
    assert played.summary["matches_per_second"] > 0


@pytest.mark.parametrize("out", [None, "m.parquet", "m.csv"])
def test_ctrl_c_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_batches: None, out: str | None
) -> None:
    real, calls = match_batches.play_matches, 0

    def play(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return real(*arguments)

    monkeypatch.setattr(match_batches, "play_matches", play)
    file = tmp_path / out if out else None
    if file:
        file.write_text("before")
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(Interrupted, match=r"interrupted after [\d,]+ of 1,000,000 matches, which are lost") as said:
            mpsim.simulate_matches(1_000_000, seed=1, threads=2, out=file)
    finally:
        signal.signal(signal.SIGINT, interrupt)
    if file:
        assert f"{file} is not written" in str(said.value)
        assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == ([file] if file else [])


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), pa.ArrowInvalid("torn\nmore")])
def test_a_file_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def fail(*arguments: Any) -> None:
        raise failure

    monkeypatch.setattr("mpsim.store.match_writer.MatchWriter.finish", fail)
    with pytest.raises(mpsim.MpsimError) as said:
        mpsim.simulate_matches(100, seed=1, out=tmp_path / "m.parquet")
    why = "No space left on device" if isinstance(failure, OSError) else "torn"
    assert str(said.value) == (
        f"{tmp_path / 'm.parquet'} cannot be written: {why}; nothing is kept, give another file with --out"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"matches": None}, "how many matches"),
        ({"matches": "1.5"}, "matches '1.5' is no whole number of at least 1"),
        ({"matches": 0}, "matches '0' is no whole number"),
        ({"matches": "1e30"}, "too large"),
        ({"first": 2**54 - 1}, r"leave 0 .. 2\^54 - 1"),
        ({"first": -1}, r"leave 0 .. 2\^54 - 1"),
        ({"first": 1.5}, "first = 1.5 is no whole number"),
        ({"seed": True}, "seed = True is no whole number"),
        ({"seed": 2**64}, r"seed 18446744073709551616 is outside"),
        ({"threads": 0}, "0 threads cannot be run"),
        ({"rules": "whist"}, "whist"),
        ({"settings": "target=0"}, "target"),
        ({"play": "clever"}, "clever"),
        ({"bid": "nobody"}, "nobody"),
        ({"out": "m.txt"}, "--out m.txt tells no format: end it with .parquet or .csv"),
        ({"out": "/nowhere/m.csv"}, "give a name in a folder that is there"),
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(mpsim.MpsimError, match=message):
        mpsim.simulate_matches(**{"matches": 2, **wrong})


def test_the_last_matches_there_are() -> None:
    assert mpsim.simulate_matches(2, first=2**54 - 2, seed=1).table("match").to_pydict() == {
        "match": [2**54 - 2, 2**54 - 1]
    }


def test_no_such_column() -> None:
    with pytest.raises(mpsim.MpsimError, match="no column 'taker': matches have match, winner"):
        mpsim.simulate_matches(2, seed=1).table("taker")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(mpsim.MpsimError, match="cannot be read: No such file or directory"):
        open_matches(tmp_path / "none.parquet")
    (tmp_path / "text.parquet").write_text("text")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    for name in ("text", "other"):
        with pytest.raises(mpsim.MpsimError, match="holds no matches"):
            open_matches(tmp_path / f"{name}.parquet")


def test_a_damaged_file_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "m.parquet"
    mpsim.simulate_matches(5000, seed=1, out=file)
    data = bytearray(file.read_bytes())
    data[2000] ^= 1
    file.write_bytes(data)
    with pytest.raises(mpsim.MpsimError, match="cannot be read"):
        open_matches(file)


def test_a_matches_is_documented() -> None:
    assert all(getattr(Matches, name).__doc__ for name in ("summary", "batches", "table", "frame", "narrate"))
    assert match_results.open_matches.__doc__
