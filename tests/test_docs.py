"""The docs say what is so: generated parts are up to date, and what is shown runs."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import mpsim
from mpsim.cards import parse_card, parse_cards
from mpsim.policies import load_policies
from mpsim.policies.bid import read_count, shipped_count
from mpsim.policies.ladder import read_ladder, shipped_ladder
from mpsim.referee import settle
from mpsim.rules import diff_rules, load_rules, presets
from mpsim.rules.check import FIELDS
from mpsim.stats.exact_melds import SCOPES
from mpsim.stats.meld_table import meld_name
from mpsim.studies.melds import study_deals, study_exact
from mpsim.studies.seen import study_seen

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
GAMES = [DOCS / name for name in ("rules.md", "variants.md", "bulgarian.md", "madrasso.md", "cut.md")]
"""The pages that say how games are played."""

SMALLER = {
    "--deck --deals 1e7": "--deck --deals 1_000_000",
    "--deals 1e7": "--deals 2e4",
    "--matches 1e6": "--matches 2e4",
    "mpsim bench": "mpsim bench --repeats 1",
}
"""What the README shows, at a size for a test."""


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["rules.md", "columns.md", "matches.md", "policies.md", "cli.md"])
def test_generated_parts_are_up_to_date(name: str) -> None:
    assert generator().difference(name) == "", "run `python docs/generate.py`"


def test_every_generated_page_is_tested() -> None:
    marked = {page.name for page in PAGES if "\n<!-- generated: " in page.read_text("utf-8")}
    assert marked == set(generator().GENERATED) == {
        "rules.md", "columns.md", "matches.md", "policies.md", "cli.md",
    }


@pytest.mark.parametrize("page", [README, DOCS / "python.md", DOCS / "cut.md"], ids=lambda page: page.name)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_examples(page)


def run_examples(page: Path) -> None:
    names: dict[str, Any] = {}
    runner = doctest.DocTestRunner(verbose=False)
    report: list[str] = []
    examples = 0
    for number, block in enumerate(blocks(page, "python"), 1):
        test = doctest.DocTestParser().get_doctest(block, names, f"{page.name}, block {number}", str(page), 0)
        test.globs = names  # one page, one session
        examples += len(test.examples)
        runner.run(test, out=report.append, clear_globs=False)
    assert examples >= 5
    assert not report, "".join(report)


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `mpsim` is this mpsim, wherever it is installed, its kernels compiled."""
    mpsim.simulate(deals=1, seed=1)  # else the first command says on stderr that it compiles
    command = tmp_path / "bin" / "mpsim"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mpsim "$@"\n', "utf-8")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    source = str(ROOT / "src")
    return {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": source, "COLUMNS": "120"}


def readme_script() -> str:
    """The mpsim commands of the README in order, at a size for a test."""
    setup, tour = blocks(README, "bash")[0], blocks(README, "bash")[2:]
    script = "\n".join(["set -euo pipefail", setup[setup.index("mpsim simulate") :], *tour])
    for large, small in SMALLER.items():
        assert large in script
        script = script.replace(large, small)
    return script


def test_the_tour_of_the_readme_runs(tmp_path: Path, shell: dict[str, str]) -> None:
    command = ["bash", "-c", readme_script()]
    done = subprocess.run(command, cwd=tmp_path, env=shell, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for expected in ("20,000 deals in", "Deal 1234, seed", "200 played again by the referee: no difference",
                     "score.tie_rule", "two threads against one", "run of 3 or more", "mean points declared",
                     "What was asked", "First dealer's team: ", "Match 6, seed 1, Bulgarian Belot"):
        assert expected in done.stdout
    assert (tmp_path / "runs" / "easy" / "run.json").is_file()
    (told,) = blocks(README, "text")
    assert told in done.stdout


def test_the_way_to_a_variant_can_be_gone(
    tmp_path: Path, shell: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = DOCS / "adding-a-variant.md"
    (rules,) = blocks(page, "toml")
    (tmp_path / "french.toml").write_text(rules, "utf-8")
    script = "\n".join(["set -euo pipefail", *blocks(page, "bash")])
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=shell, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    for expected in ("french: ok", 'deal.upcard_to: "dealer" -> "taker"', "Deal 7, seed 1, French Belote",
                     "200 played again by the referee: no difference"):
        assert expected in done.stdout
    monkeypatch.chdir(tmp_path)
    run_examples(page)
    keys = {key.split(".")[1] for key, _, _ in diff_rules(load_rules(), load_rules(tmp_path / "french.toml"))}
    told = {key for cells in table_rows(page) for key in re.findall(r"`(\w+)`", cells[1])}
    assert keys == told


def test_the_way_to_a_variant_names_files_that_are_there() -> None:
    text = (DOCS / "adding-a-variant.md").read_text("utf-8")
    files = set(re.findall(r"`((?:src|tests|analysis|docs)/[\w./]*)`", text))
    assert len(files) > 10
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_the_readme_sets_up_with_two_lines() -> None:
    install, test = (block.strip() for block in blocks(README, "bash")[:2])
    assert "\n" not in install + test
    new_environment = "python3.11 -m venv .venv && . .venv/bin/activate && "
    assert install == new_environment + "pip install . && mpsim simulate --deals 1e7 --seed 1 --out runs/first"
    assert test == new_environment + 'pip install -e ".[dev]" && pytest'
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "dev" in project["optional-dependencies"]
    assert project["requires-python"] == ">=3.11"


def test_links_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
            path, _, anchor = target.partition("#")
            if "://" in target:
                continue
            file = page if not path else page.parent / path
            headings = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE) if anchor else []
            anchors = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
            if not file.exists() or (anchor and anchor not in anchors):
                broken.append(f"{page.name}: {target}")
    assert broken == []


def table_rows(page: Path) -> list[list[str]]:
    """The cells of every line of a page's tables, but those of generated ones."""
    text = re.sub(r"<!-- generated: .*?<!-- end -->", "", page.read_text("utf-8"), flags=re.DOTALL)
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]


def test_every_switch_is_explained_where_a_game_is() -> None:
    texts = [page.read_text("utf-8") for page in GAMES]
    prose = "".join(re.sub(r"<!-- generated: .*?<!-- end -->", "", text, flags=re.DOTALL) for text in texts)
    switches = [key for key, f in FIELDS.items() if (f.metadata["choices"] or isinstance(f.default, bool))]
    assert [key for key in switches if f"`{key.split('.')[1]}" not in prose] == []
    unnamed = [(key, value) for key in switches for value in FIELDS[key].metadata["choices"]
               if not re.search(rf"`[^`]*\b{value}\b[^`]*`", prose)]
    assert unnamed == []


def test_every_key_and_preset_is_named() -> None:
    rules = (DOCS / "rules.md").read_text("utf-8")
    assert [key for key in FIELDS if f"| `{key}` |" not in rules] == []
    named = {name for cells in table_rows(DOCS / "rules.md") for name in re.findall(r"`([\w-]+)`", cells[0])}
    assert [name for name in presets() if name not in named] == []
    whole = "".join(page.read_text("utf-8") for page in GAMES)
    assert [name for name in presets() if not re.search(rf"[Pp]resets? [^.]*`{name}`|^`{name}`", whole)] == []


@pytest.mark.parametrize(("letter", "last"), [("M", 19), ("B", 23), ("C", 12), ("D", 12)])
def test_every_open_question_has_one_row(letter: str, last: int) -> None:
    pages = [DOCS / name for name in ("rules.md", "bulgarian.md", "madrasso.md")]
    numbers = [cells[0] for page in pages for cells in table_rows(page)]
    asked = [int(number[1:]) for number in numbers if re.fullmatch(rf"{letter}\d+", number)]
    assert asked == list(range(1, last + 1))


def test_the_questions_of_the_keys_are_on_the_pages() -> None:
    """A key says which questions it answers; their rows name it, or a value of it."""
    rows = {cells[0]: " ".join(cells) for page in GAMES[:1] + GAMES[2:] for cells in table_rows(page)}
    for key, f in FIELDS.items():
        for number in re.findall(r"\b[MBCD]\d+\b", f.metadata["doc"]):
            name = key.split(".")[1]
            assert any(f"`{word}" in rows[number] for word in (name, *f.metadata["choices"])), (key, number)


CONTRACTS = {"a suit": "h", "no trumps": "NT", "all trumps": "AT"}


def test_the_bulgarian_page_settles_as_the_referee_does() -> None:
    rules = load_rules("bulgarian")
    contract = ""
    deals = [cells for cells in table_rows(DOCS / "bulgarian.md") if re.fullmatch(r"\d+ and \d+", cells[1])]
    for what, points, written, *hang in deals:
        kind, *more = what.split(", ")
        contract = CONTRACTS.get(kind, contract)
        multiplier = 2 if "doubled" in more else 4 if "redoubled" in more else 1
        totals = [int(number) for number in points.split(" and ")]
        tricks = (0, 8) if totals[0] == 0 else (8, 0) if "makers take all tricks" in more else (4, 4)
        deal = settle(0, contract, multiplier, totals, (0, 0), tricks, rules)
        assert f"{deal.scores[0]} and {deal.scores[1]}" == written, (what, points)
        assert [deal.hung] == [int(tens or 0) for tens in hang or ["0"]]
    assert len(deals) == 22


def test_the_rules_file_shown_can_be_played(tmp_path: Path) -> None:
    (shown,) = blocks(DOCS / "rules.md", "toml")
    file = tmp_path / "hard.toml"
    file.write_text(shown, "utf-8")
    changed = {key for key, _, _ in diff_rules(load_rules("mpourloto-greek"), load_rules(file))}
    assert changed == {"play.head_plain", "score.tie_rule", "match.target"}


def test_the_point_counts_shown_are_the_shipped_ones(tmp_path: Path) -> None:
    for shown, read, shipped in zip(
        blocks(DOCS / "policies.md", "toml"), (read_count, read_ladder), (shipped_count, shipped_ladder), strict=True
    ):
        file = tmp_path / "count.toml"
        file.write_text(shown, "utf-8")
        assert read(file) == shipped()


def test_the_melds_page_shows_the_exact_numbers() -> None:
    rules = load_rules("mpourloto")
    study = study_exact(rules)
    text = (ROOT / "docs" / "melds.md").read_text("utf-8")
    names = {"fours": "any four", "four_J": "four of one given rank"}
    runs = [f"run_{length}_up" for length in range(3, 6)] + [f"run_{length}" for length in range(3, 9)]
    for meld in (*runs, "fours", "four_J", "pair"):
        (line,) = re.findall(rf"^\| {re.escape(names.get(meld, meld_name(meld)))} \| (.*) \|$", text, re.MULTILINE)
        for cell, scope in zip(line.split(" | "), SCOPES, strict=True):
            digits = cell.removesuffix(" %")
            exact = 100 * float(study.find(scope, meld, "some").exact or 0)
            assert f"{exact:.{len(digits.partition('.')[2])}f}" == digits, (meld, scope)


def test_the_melds_page_explains_every_key() -> None:
    text = (ROOT / "docs" / "melds.md").read_text("utf-8")
    study = study_deals(load_rules("mpourloto"), load_policies(), 1, 0, 2000)
    document, row = study.as_dict(), study.all_rows()[0]
    entry = document["hand"]["expected_points"]
    seen = study_seen(study.rules, parse_cards("JH 9H QH KH 7D"), parse_card("8H")).as_dict()
    keys = {*document, *document["dealt"], *document["fit"], *document["hand"], *entry, *row, *seen}
    keys |= {*seen["chances"], *seen["chances"]["own"]["points"], *(row["who"] for row in study.all_rows())}
    assert sorted(key for key in keys - {"seat_1", "seat_2"} if f"`{key}`" not in text) == []
