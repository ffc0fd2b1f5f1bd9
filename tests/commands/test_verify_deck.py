"""`mpsim verify --deck` as a person meets it: the page, the document, what is refused."""

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

import mpsim
from mpsim.cli import app
from mpsim.kernels.deck import Counts
from mpsim.studies import fairness
from mpsim.studies.dealer import QUESTIONS

Result = tuple[int, str, str]
Cli = Callable[..., Result]
MILLION = ("verify", "--deck", "--deals", "1e6", "--seed", 1)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command in this process: exit code, stdout, stderr."""
    fairness.count_part(1, 0, 1)  # else the command may say on stderr that it compiles

    def call(*args: object) -> Result:
        with pytest.raises(SystemExit) as left:
            get_command(app).main([str(arg) for arg in args], prog_name="mpsim")
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return call


def test_the_page_says_what_was_dealt_asked_and_found(cli: Cli) -> None:
    code, out, err = cli(*MILLION, "--threads", 2)
    assert (code, err) == (0, "")
    assert out.startswith("# Is the dealer fair?\n")
    flat = " ".join(out.split())
    assert f"mpsim {mpsim.__version__} (random streams 1) dealt 1,000,000 deals of seed 1," in flat
    assert "**Nothing found.** The smallest of 15 p-values is " in flat
    assert "\nmpsim verify --deck --deals 1e6 --seed 1\n" in out
    for number, question in enumerate(QUESTIONS, 1):
        assert f"{number}. {question.text}" in flat
    assert max(map(len, out.splitlines())) <= 120


def test_the_table_is_one(cli: Cli) -> None:
    """Six cells a line, as wide in every line; the numbers are those of the document."""
    rows = [line for line in cli(*MILLION)[1].splitlines() if line.startswith("|")]
    assert len({len(row) for row in rows}) == 1
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert cells[0] == ["", "question", "cells", "degrees of freedom", "chi-square", "p"]
    document = json.loads(cli(*MILLION, "--json")[1])
    asked = document["questions"]
    assert [row[1] for row in cells[2:]] == [entry["name"] for entry in asked]
    assert [int(row[3].replace(",", "")) for row in cells[2:]] == [entry["freedom"] for entry in asked]
    assert [float(row[5]) for row in cells[2:]] == pytest.approx([entry["p"] for entry in asked], abs=0.006)


def test_json_is_one_document(cli: Cli) -> None:
    code, out, err = cli(*MILLION, "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert (document["seed"], document["deals"], document["stream"]) == (1, 1_000_000, 1)
    assert document["verdict"] == "nothing found"
    assert document["smallest_p"] == min(entry["p"] for entry in document["questions"])
    assert document["command"] == "mpsim verify --deck --deals 1e6 --seed 1"
    by_seat = document["questions"][0]
    assert (by_seat["name"], by_seat["cells"], by_seat["freedom"]) == ("card by seat", 128, 93)


def test_out_holds_the_page(cli: Cli, tmp_path: Path) -> None:
    page = cli(*MILLION)[1]
    file = tmp_path / "fair.md"
    file.write_text("an older page")
    code, out, _ = cli(*MILLION, "--out", file)
    assert (code, out) == (0, f"nothing found: the page is in {file}\n")
    assert file.read_text("utf-8") == page
    assert list(tmp_path.iterdir()) == [file]
    assert json.loads(cli(*MILLION, "--json", "--out", file)[1])["verdict"] == "nothing found"


def test_a_drawn_seed_is_on_the_page(cli: Cli) -> None:
    seeds = {json.loads(cli("verify", "--deck", "--deals", "1e6", "--json")[1])["seed"] for _ in range(2)}
    assert len(seeds) == 2


def test_an_unfair_dealer_is_an_exit_code(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that deals the same cards again every 2^18 deals: four times as uneven as chance has it."""
    honest = fairness.count_part

    def repeating(seed: int, first: int, deals: int) -> Counts:
        return honest(seed, 0, deals)

    monkeypatch.setattr(fairness, "count_part", repeating)
    code, out, _ = cli(*MILLION)
    assert code == 3
    assert "\n**Unfair.** The smallest of 15 p-values is " in out
    assert json.loads(cli(*MILLION, "--json")[1])["verdict"] == "unfair"


@pytest.mark.parametrize(
    ("args", "code", "sentence"),
    [
        ([], 2, "give a run's folder, or --deck for the dealer"),
        (["/nowhere", "--deck"], 2, "--deck asks about the dealer, not about the run /nowhere: leave out one of them"),
        (["--deck", "--sample", "10"], 2, "--sample is for the rows of a run: leave it out with --deck"),
        (["/nowhere", "--deals", "1e6"], 2, "--deals is for the dealer: give it with --deck, and no run"),
        (["/nowhere", "--seed", "1"], 2, "--seed is for the dealer"),
        (["/nowhere", "--out", "fair.md"], 2, "--out is for the dealer"),
        (["--deck", "--deals", "999_999"], 2, "--deals '999_999' is no whole number of at least 1000000"),
        (["--deck", "--deals", "1e30"], 2, "--deals '1e30' is too large"),
        (["--deck", "--seed", "-1"], 2, "--seed '-1' is no whole number"),
        (["--deck", "--threads", "0"], 2, "--threads '0' is no whole number"),
        (["--deck", "--out", "/tmp"], 2, "--out /tmp is no file that can be written"),
        (["--deck", "--out", "/nowhere/fair.md"], 2, "--out /nowhere/fair.md is no file that can be written"),
        (["--deck", "--deals", "1e6", "--out", "/proc/fair.md"], 1, "/proc/fair.md cannot be written"),
    ],
)
def test_known_errors_are_one_sentence(cli: Cli, args: list[str], code: int, sentence: str) -> None:
    got, out, err = cli("verify", *args)
    assert (got, out) == (code, "")
    assert err.startswith("mpsim: ")
    assert sentence in err
    assert err.count("\n") == 1


def test_ctrl_c(tmp_path: Path) -> None:
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from mpsim.studies import fairness; fairness.count_part(1, 0, 1); print('ready', flush=True)\n"
        "from mpsim.cli import main; main()"
    )
    file = tmp_path / "fair.md"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "verify", "--deck", "--deals", "1e12", "--out", str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "mpsim: interrupted before all was dealt\n")
    assert not file.exists()
