"""The commands in every game that comes with mpsim: what simulate, info, show and bench say there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.main import get_command

import mpsim
from mpsim.cli import app
from mpsim.rules import presets
from mpsim.studies.speed import file_benchmarks, layer_benchmarks

Cli = Callable[..., str]
LADDER = ("bulgarian", "belote", "belote-bg")


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Kernels are compiled before any command runs: else the first would say on stderr that it does so."""
    mpsim.simulate(deals=1, seed=1)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command in this process: its stdout; nothing goes wrong."""

    def call(*args: object) -> str:
        with pytest.raises(SystemExit) as left:
            get_command(app).main([str(arg) for arg in args], prog_name="mpsim")
        out, err = capsys.readouterr()
        assert (left.value.code or 0, err) == (0, ""), out
        return out

    return call


@pytest.fixture(scope="module", params=presets())
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> mpsim.Run:
    return mpsim.simulate(2000, rules=request.param, seed=1, out=tmp_path_factory.mktemp(request.param) / "run")


def headings(out: str) -> list[str]:
    """The table's headings: `melds` of `melds: makers`."""
    return [line.strip().split(":")[0] for line in out.splitlines() if ": " in line and line.startswith(" ")]


def test_the_summary_speaks_of_what_the_game_has(cli: Cli, run: mpsim.Run) -> None:
    name = run.rules.name
    out = cli("simulate", "--rules", name, "--deals", 2000, "--seed", 1, "--summary-only")
    who = "play greedy" if name in ("madrasso", "contree") else "play greedy, bid points"
    assert out.splitlines()[0] == f"{name}, {who}, seed 1, deals 0 .. 1999"
    assert repr(run).endswith(f"{who}, seed 1>")
    if name in LADDER:
        expected = ["taken by", "contract in", "contract", "made in", "contract", "capo by", "melds",
                    "points but melds", "game points written"]
    elif name == "madrasso":
        expected = ["trumps", "capo by", "exchange by", "points", "score written"]
    elif name == "contree":
        expected = ["taken by", "contract in", "made in", "contract", "capo by", "melds", "points but melds",
                    "score written"]
    else:
        expected = ["accepted", "contract", "capo by", "exchange by", "melds", "points but melds", "score written"]
    assert headings(out) == expected
    assert ("thrown in" in out) == (name not in ("madrasso", "contree"))
    assert ("makers" in out) == (name != "madrasso")
    for word in ("no trumps", "all trumps", "redoubled"):
        assert (word in out) == (name in LADDER)
    for word in ("denari", "coppe", "spade ", "bastoni", "team 1"):
        assert (word in out) == (name == "madrasso")


def test_info_says_the_same(cli: Cli, run: mpsim.Run) -> None:
    out = cli("info", run.path)
    assert f"rules      {run.rules.name}, {run.rules.title} (" in out
    table = cli("simulate", "--rules", run.rules.name, "--deals", 2000, "--seed", 1, "--summary-only").splitlines()
    assert set(table[1:-1]) <= set(out.splitlines())
    document = json.loads(cli("info", run.path, "--json"))
    assert document["summary"]["score"] == run.summary["score"]


def test_json_leaves_out_what_a_game_does_not_have(run: mpsim.Run) -> None:
    summary, name = run.summary, run.rules.name
    assert summary["score_unit"] == ("game points" if name in LADDER else "points")
    assert ("accepted" in summary) == ("made" in summary) == (name != "madrasso")
    assert ("multiplier" in summary) == (name in LADDER)
    assert ("exchange" in summary) == (name not in (*LADDER, "contree"))
    assert ("melds" in summary) == (name != "madrasso")
    assert sum(entry["count"] for entry in summary["contract"].values()) == summary["played"]
    assert sum(entry["count"] for entry in summary["outcome"].values()) == summary["played"]
    rows = run.frame(["contract", "outcome", "multiplier", "round", "taker"])
    for contract, entry in summary.get("made", {}).items():
        of_it = rows[rows["contract"] == contract]
        assert (entry["n"], entry["count"]) == (len(of_it), (of_it["outcome"] == "made").sum())
    for word, times in (("doubled", 2), ("redoubled", 4)):
        if name in LADDER:
            assert summary["multiplier"][word]["count"] == (rows["multiplier"] == times).sum()
    if name in (*LADDER, "contree"):
        assert summary["accepted"]["seat_2"]["count"] == (rows["taker"] == 2).sum()


def test_show_and_verify(cli: Cli, run: mpsim.Run) -> None:
    assert cli("show", run.path, "--deal", 7) == run.narrate(7) + "\n"
    assert cli("verify", run.path, "--sample", 20) == (
        "2,000 rows checked, 20 played again by the referee: no difference\n"
    )


def test_suits_are_letters_where_stdout_has_no_signs(run: mpsim.Run) -> None:
    command = [sys.executable, "-m", "mpsim", "show", str(run.path), "--deal", "5"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert done.stdout.isascii()
    assert "?" not in done.stdout
    signs = run.narrate(5).translate(str.maketrans("♣♦♥♠", "cdhs"))
    assert done.stdout == signs + "\n"


def test_dry_run_knows_the_size_of_the_deck(cli: Cli, tmp_path: Path) -> None:
    out = cli("simulate", "--rules", "madrasso", "--deals", "1e7", "--seed", 1, "--out", tmp_path / "r", "--dry-run")
    assert out.splitlines()[1] == f"10 parts, about 400 MB, would be written to {tmp_path / 'r'}"


def test_rules_are_listed_and_compared(cli: Cli) -> None:
    listed = [line.split(maxsplit=1) for line in cli("rules", "list").splitlines()]
    assert [name for name, _ in listed] == presets()
    assert ["madrasso", "Madrasso"] in listed
    lines = cli("rules", "diff", "bulgarian", "belote").splitlines()
    assert lines[:3] == [
        "bulgarian -> belote: 8 keys",
        "",
        "melds.fours_table: [0, 0, 150, 100, 200, 100, 100, 100] -> [0, 0, 150, 0, 200, 100, 100, 100]",
    ]
    assert "match.target: 151 -> 152" in lines
    assert "  Points that win the match (M19, C10, D11)." in lines
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 8 * 5
    assert list(json.loads(cli("rules", "diff", "bulgarian", "belote-bg", "--json"))) == ["play.must_underruff"]


@pytest.mark.parametrize("name", presets())
def test_rules_shown_can_be_read_again(cli: Cli, tmp_path: Path, name: str) -> None:
    out = cli("rules", "show", name)
    (tmp_path / "shown.toml").write_text(out)
    assert mpsim.load_rules(tmp_path / "shown.toml") == mpsim.load_rules(name)
    assert max(map(len, out.splitlines())) <= 100
    assert cli("rules", "check", name).startswith(f"{name}: ok, sha256 ")


def test_every_layer_of_a_game_can_be_measured() -> None:
    """Goals stand where there are any; a layer that a game does not have is left out."""
    goals = {"mpourloto": 12e6, "bulgarian": 6e6, "madrasso": 4e6}
    for name in presets():
        benchmarks = {benchmark.name: benchmark for benchmark in layer_benchmarks(mpsim.load_rules(name))}
        assert benchmarks["whole deal, greedy"].goal == goals.get(name)
        assert ("melds" in benchmarks) == (name != "madrasso")
        assert benchmarks["whole deal, random"].run() == 1 << 20
    assert [benchmark.name for benchmark in layer_benchmarks()] == [
        "deal", "auction and exchange", "melds", "random play", "greedy play", "deal, random play, points",
        "whole deal, greedy", "whole deal, random",
    ]  # fmt: skip


def test_files_of_a_game_can_be_measured() -> None:
    rules = mpsim.load_rules("madrasso")
    named = {benchmark.name: benchmark for benchmark in file_benchmarks(rules)}
    assert named["Parquet of a part"].run() == named["columns of a part"].run() == 1 << 20
