"""`mpsim melds` as a person meets it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.main import get_command

import mpsim
from mpsim.cli import app

Cli = Callable[..., tuple[int, str, str]]
HELD = ("--holding", "JH 9H QH KH 7D")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run `mpsim melds` in this process: exit code, stdout, stderr."""
    def call(*args: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            get_command(app).main(["melds", "-q", *map(str, args)], prog_name="mpsim")
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return call


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("melds") / "run"
    mpsim.simulate(deals=20_000, seed=1, play="random", out=folder)
    return folder


KNOWN = {   # counted by hand and by enumeration of the 10,518,300 hands: docs/rules.md, Exact values
    ("hand", "p_no_sequence"): Fraction(8_142_534, 10_518_300),
    ("hand", "p_trump_pair"): Fraction(7, 124),
    ("hand", "p_four"): Fraction(40_943, 2_629_575),
    ("deal", "p_no_sequence"): Fraction(4_300_129_458_907, 11_428_040_914_875),
    ("deal", "p_trump_pair"): Fraction(7, 31),
}


def test_exact_numbers_as_fractions_and_decimals(cli: Cli) -> None:
    code, out, err = cli("--json")
    document = json.loads(out)
    assert (code, err, document["rules"], document["dealt"], document["bidding"]) == (0, "", "mpourloto", None, [])
    for (scope, key), exact in KNOWN.items():
        entry = document[scope][key]
        assert (Fraction(entry["exact_fraction"]), entry["exact"]) == (exact, float(exact))
        assert [entry[name] for name in ("simulated", "se", "n", "z")] == [None] * 4
    runs = document["hand"]["p_run"]
    assert set(runs) == set("345678")
    assert Fraction(runs["8"]["exact_fraction"]) == Fraction(4, 10_518_300)
    assert set(document["deal"]["p_four_of"]) == set("789TJQKA")
    assert document["deal"]["p_four_of"]["T"]["exact"] == pytest.approx(4 * 7 / 3596)
    points = document["hand"]["points"]
    assert sum(Fraction(entry["exact_fraction"]) for entry in points.values()) == 1
    mean = sum(int(value) * Fraction(entry["exact_fraction"]) for value, entry in points.items())
    assert mean == Fraction(document["hand"]["expected_points"]["exact_fraction"])


def test_deals_and_the_run_of_them_give_the_same_numbers(cli: Cli, run: Path) -> None:
    dealt = json.loads(cli("--deals", "20_000", "--seed", 1, "--json")[1])
    read = json.loads(cli("--run", run, "--threads", 3, "--json")[1])
    assert read["dealt"].pop("run") == str(run)
    assert dealt["dealt"].pop("run") is None
    assert dealt == read
    entry = read["deal"]["p_no_sequence"]
    assert entry["n"] == 20_000
    assert entry["z"] == pytest.approx((entry["simulated"] - entry["exact"]) / entry["se"])
    assert abs(entry["z"]) < 4
    assert read["hand"]["p_no_sequence"]["n"] == 80_000
    assert read["hand"]["p_run"]["8"]["z"] is None      # 0.03 are expected
    assert read["fit"]["p"] > 1e-4
    taker = [row for row in read["bidding"] if (row["who"], row["meld"], row["what"]) == ("taker", "pair", "some")]
    assert {(row["stage"], row["round"]) for row in taker} == {
        (stage, turn) for stage in ("before", "after") for turn in ("1", "2", "taken")
    }


def test_tables_for_people(cli: Cli, run: Path) -> None:
    code, out, err = cli("--run", run)
    assert (code, err) == (0, "")
    for text in ("20,000 deals of seed 1", "a hand", "a team", "a deal", "no run at all", "mean points", "chi-square"):
        assert text in out
    assert max(map(len, out.splitlines())) <= 100


def _read_csv(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_tidy_table(cli: Cli, run: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"melds.{ending}"
    assert cli("--run", run, "--out", out)[0] == 0
    rows = _read_csv(out) if ending == "csv" else pq.read_table(out).to_pylist()
    found = {(row["stage"], row["scope"], row["meld"], row["what"], str(row["value"] or "0")): row for row in rows}
    row = found["dealt", "deal", "run_3_up", "number", "0"]
    assert Fraction(row["exact_fraction"]) == KNOWN["deal", "p_no_sequence"]
    assert float(row["simulated"]) == pytest.approx(0.376, abs=0.02)
    assert list(tmp_path.iterdir()) == [out]


def test_a_holding_seen(cli: Cli) -> None:
    code, out, err = cli(*HELD, "--up", "AH", "--seat", 3, "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert [document[key] for key in ("holding", "up", "seat", "trump")] == ["7d 9h Jh Qh Kh", "Ah", 3, "h"]
    own = document["chances"]["own"]
    assert own["pair"]["p"] == 1
    # The dealer gets the ace unless another holds the seven among his first five: 15 of the 26 unseen cards, none of
    # his own two.  Then jack, queen and king are a run of four only with the ten, if it is one of two cards out of 25.
    swapped = Fraction(15, 26)
    assert Fraction(own["run_4_up"]["p_fraction"]) == (1 - swapped) + swapped * Fraction(2, 25)
    assert "own     partner   opponents" in cli(*HELD)[1]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((*HELD, "--deals", 5), "--holding has exact answers only: leave out --deals"),
        ((*HELD, "--bid", "always"), "leave out --bid"),
        (("--up", "AH"), "--up tells more of a holding: give one"),
        (("--deals", 5, "--run", "x"), "give one of them"),
        (("--run", "x", "--seed", 1), "leave out --seed"),
        (("--run", "x", "--set", "trump_pair=0"), "leave out --set"),
        (("--seed", 1), "--seed is about deals: give --deals too"),
        (("--threads", 1), "--threads is about deals"),
        (("--out", "melds.txt"), "--out melds.txt tells no format: end it with .csv or .parquet"),
        (("--deals", "1.5"), "1.5"),
        (("--deals", 0), "0"),
        (("--holding", "JH JH QH KH 7D"), "Jh"),
        (("--holding", "JH QH"), "2 cards are given as own hand"),
        ((*HELD, "--up", "JH"), "both held and turned"),
        ((*HELD, "--seat", 4), "--seat"),
        ((*HELD, "--trump", "x"), "--trump 'x' is no suit: give one of c d h s"),
        ((*HELD, "--trump", ""), "--trump '' is no suit: give one of c d h s"),
        ((*HELD, "--trump", "cd"), "--trump 'cd' is no suit: give one of c d h s"),
        ((*HELD, "--figures", "f"), "--figures"),
        (("--bid", "nobody", "--deals", 5), "nobody"),
    ],
)
def test_what_cannot_be_is_one_sentence(cli: Cli, args: tuple[object, ...], message: str) -> None:
    code, out, err = cli(*args)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_no_such_run_and_no_such_folder(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("--run", tmp_path / "none")
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    code, out, err = cli("--out", tmp_path / "none" / "t.csv")
    assert (code, out) == (1, "")
    assert err.startswith(f"mpsim: {tmp_path / 'none' / 't.csv'} cannot be written: No such file or directory")


def test_an_unfinished_run_says_so(cli: Cli, tmp_path: Path) -> None:
    first = (1 << 20) - 300     # two parts
    mpsim.simulate(700, first=first, seed=4, play="random", out=tmp_path / "run")
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    record |= {"status": "running", "parts": record["parts"][:1]}
    (tmp_path / "run" / "run.json").write_text(json.dumps(record))
    document = json.loads(cli("--run", tmp_path / "run", "--json")[1])
    assert (document["dealt"]["deals"], document["dealt"]["planned"]) == (300, 700)
    assert "300 deals (of 700: the run is unfinished) of seed 4" in cli("--run", tmp_path / "run")[1]
