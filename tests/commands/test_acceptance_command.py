"""`mpsim acceptance` as a person meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.main import get_command

from mpsim.cli import app
from mpsim.engine.decisions import add_decisions, no_sums
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.store.acceptance import read_acceptance
from mpsim.studies import acceptance

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Kernels are compiled before any command runs: else the first would say on stderr that it does so."""
    add_decisions(no_sums(), load_rules(), load_policies(), 1, 0, 1)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run `mpsim acceptance` in this process: exit code, stdout, stderr."""
    def call(*args: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            get_command(app).main(["acceptance", *map(str, args)], prog_name="mpsim")
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return call


def test_tables_and_a_chart(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceptance, "ANSWER_DEALS", 1 << 12)
    folder = tmp_path / "study"
    code, out, err = cli("--deals", "2e4", "--iterate", 1, "--iterate-deals", "1e4", "--seed", 3, "--out", folder)
    assert (code, err) == (0, "")
    assert out.startswith("mpourloto, seed 3: 20,000 deals, ")
    for text in ("round 1, seat 0", "round 2, seat 3, other suit", "seat 2, both rounds", "--bid chart:"):
        assert text in out
    about = read_acceptance(folder).about
    assert (about["status"], about["deals_played"], about["seed"], about["iterations"]) == ("complete", 20_000, 3, 1)
    assert len(about["answers"]) == 12
    code, out, err = cli("--deals", "2e4", "--out", folder)
    assert code == 1
    assert "holds a study" in err
    code, out, err = cli("--resume", "--out", folder)
    assert code == 2
    assert "is complete" in err


@pytest.mark.parametrize(("arguments", "said"), [
    (("--out", "x"), "how many deals? give --deals 1e8"),
    (("--deals", "1e4"), "where to? give --out FOLDER"),
    (("--deals", "0", "--out", "x"), "--deals"),
    (("--deals", "1e4", "--half-width", "0", "--out", "x"), "--half-width 0 is no number above 0"),
    (("--deals", "1e4", "--time", "nan", "--out", "x"), "--time nan is no number above 0"),
    (("--deals", "1e4", "--iterate", "-1", "--out", "x"), "--iterate"),
    (("--deals", "1e4", "--rules", "bulgarian", "--out", "x"), "bulgarian has no five cards and a turned one"),
    (("--deals", "1e4", "--bid", "chart:none.npz", "--out", "x"), "none.npz cannot be read"),
    (("--resume", "--deals", "1e4", "--out", "x"), "leave out --deals"),
    (("--resume", "--out", "x"), "holds no acceptance.json"),
])  # fmt: skip
def test_what_cannot_be(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*arguments)
    assert code in (1, 2)
    assert out == ""
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "x").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_plain_kill_leaves_what_can_be_resumed(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    command = [sys.executable, "-m", "mpsim", "acceptance", "--deals", "1e9", "--seed", "3", "--out", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not (folder / "acceptance.json").exists():
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert f"mpsim acceptance --resume --out {folder}" in err
    code, out, err = cli("--resume", "--time", "0.001", "--json", "--out", folder)
    assert code == 0
    document = json.loads(out)
    assert document["status"] == "complete"
    assert document["deals_played"] < 10**9
