"""`mpsim match` as a person meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.main import get_command

import mpsim
from mpsim.cli import app
from mpsim.engine.match_results import open_matches

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Kernels are compiled before any command runs: else the first would say on stderr that it does so."""
    mpsim.simulate_matches(1, seed=1)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run `mpsim match` in this process: exit code, stdout, stderr."""
    def call(*args: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            get_command(app).main(["match", *map(str, args)], prog_name="mpsim")
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return call


def test_tables_for_people(cli: Cli) -> None:
    code, out, err = cli("--matches", "2_000", "--rules", "bulgarian", "--seed", 3)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "bulgarian, play greedy, bid points, seed 3, matches 0 .. 1999"
    for text in ("won by team of: first dealer", "a raised target", "hung deals", "lost points", "winner's margin",
                 "scored deals", "quantiles", "median", "First dealer's team: ", "Played in "):
        assert text in out
    assert "nobody" not in out
    assert max(map(len, out.splitlines())) <= 115


def test_what_cannot_happen_is_left_out(cli: Cli) -> None:
    out = cli("--matches", 2_000, "--rules", "madrasso", "--seed", 3)[1]
    assert "a sweep" in out
    for text in ("thrown", "hung", "lost", "scored", "raised", "1024"):
        assert text not in out
    out = cli("--matches", 20, "--bid", "never")[1]
    assert "nothing, 1024 deals" in out
    assert " (drawn), matches 0 .. 19" in out.splitlines()[0]


def test_json_is_one_document(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "m.parquet"
    asked = ("--matches", "1e3", "--seed", 1, "--first", 5, "--set", "tie_rule=hang")
    code, out, err = cli(*asked, "--out", file, "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    same = mpsim.simulate_matches(1000, seed=1, first=5, settings=["tie_rule=hang"])
    assert {key: document[key] for key in ("seed", "first", "matches", "file", "match_schema")} == {
        "seed": 1, "first": 5, "matches": 1000, "file": str(file), "match_schema": 1,
    }
    assert document["rules"] == "mpourloto"
    assert document["policies"] == same.policies.as_dict()
    timing = ("seconds", "matches_per_second")
    assert {key: value for key, value in document["summary"].items() if key not in timing} == {
        key: value for key, value in same.summary.items() if key not in timing
    }
    account = json.loads(pq.read_metadata(file).metadata[b"mpsim"])
    assert (account["seed"], account["rules_sha256"]) == (1, document["rules_sha256"])
    assert account["rules"]["score"]["tie_rule"] == "hang"
    assert set(account["software"]) == {"mpsim", "python", "numpy", "numba", "pyarrow"}
    assert open_matches(file).table().equals(same.table())


def test_files_are_told_and_replaced(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "m.csv"
    file.write_text("before")
    _, out, _ = cli("--matches", 100, "--seed", 1, "--out", file)
    assert out.splitlines()[-1].startswith(f"Written to {file}: ")
    assert len(file.read_text().splitlines()) == 101
    assert list(tmp_path.iterdir()) == [file]


def test_figures(cli: Cli, tmp_path: Path) -> None:
    out = cli("--matches", 500, "--seed", 1, "--figures", tmp_path / "new" / "folder")[1]
    picture = tmp_path / "new" / "folder" / "match_length.png"
    assert out.splitlines()[-1] == f"Drawn: {picture}"
    assert picture.read_bytes().startswith(b"\x89PNG")
    (tmp_path / "file").touch()
    code, _, err = cli("--matches", 5, "--figures", tmp_path / "file")
    assert (code, err.count("\n")) == (1, 1)
    assert "cannot be written to: File exists; give another folder with --figures" in err


def test_one_match_told(cli: Cli) -> None:
    code, out, err = cli("--show", "1e2", "--rules", "madrasso", "--seed", 1, "--play", "random")
    same = mpsim.simulate_matches(1, first=100, rules="madrasso", seed=1, play="random")
    assert (code, out, err) == (0, same.narrate(100) + "\n", "")
    document = json.loads(cli("--show", 100, "--rules", "madrasso", "--seed", 1, "--play", "random", "--json")[1])
    (row,) = same.table().to_pylist()
    assert document["scores"] == [row["score_0"], row["score_1"]]
    assert {key: document[key] for key in ("match", "winner", "ended", "hanging", "first_dealer")} == {
        key: row[key] for key in ("match", "winner", "ended", "hanging", "first_dealer")
    }
    assert len(document["deals"]) == row["deals"]
    assert document["deals"][-1]["totals"] == document["scores"]
    assert document["policies"]["play"] == ["random"] * 4


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "how many matches? give --matches 1e6"),
        (("--matches", "1.5"), "--matches '1.5' is no whole number of at least 1"),
        (("--matches=-1",), "--matches '-1' is no whole number"),
        (("--matches", "0"), "--matches '0' is no whole number"),
        (("--matches", "nan"), "--matches 'nan' is no whole number"),
        (("--matches", "1e30"), "--matches '1e30' is too large: at most 2^40"),
        (("--matches", 1, "--first", 2**54), "--first '18014398509481984' is too large: at most 2^54 - 1"),
        (("--matches", 2, "--first", 2**54 - 1), "give another first match"),
        (("--matches", 1, "--seed", 2**64), "at most 2^64 - 1"),
        (("--matches", 1, "--threads", 0), "--threads '0' is no whole number of at least 1"),
        (("--matches", 1, "--set", "targt=5"), "did you mean target?"),
        (("--matches", 1, "--rules", "whist"), "whist"),
        (("--matches", 1, "--play", "clever"), "clever"),
        (("--matches", 1, "--bid", "points,points"), "points,points"),
        (("--matches", 1, "--out", "m.txt"), "--out m.txt tells no format: end it with .parquet or .csv"),
        (("--matches", 1, "--out", "/nowhere/m.csv"), "give a name in a folder that is there"),
        (("--matches", 1, "--show", 1), "--show tells one match and plays no others: leave out --matches"),
        (("--show", 1, "--out", "m.csv"), "leave out --out"),
        (("--show", 1, "--threads", 2), "leave out --threads"),
        (("--show", "x"), "--show 'x' is no whole number of at least 0"),
        (("--show", 2**54), "at most 2^54 - 1"),
        (("--deals", 5), "no such option: --deals"),
    ],
)
def test_what_cannot_be_is_one_sentence(cli: Cli, args: tuple[object, ...], message: str) -> None:
    code, out, err = cli(*args)
    assert (code, out) == (2, "")
    assert err.startswith("mpsim: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_no_file(tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "m.parquet"
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from mpsim.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "match", "--matches", "1e9", "--seed", "1", "--out", str(file)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    deadline = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.startswith("mpsim: interrupted after ")
    assert err.endswith(f" of 1,000,000,000 matches, which are lost; {file} is not written\n")
    assert list(tmp_path.iterdir()) == []
