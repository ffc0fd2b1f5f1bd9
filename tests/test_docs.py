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
from mpsim.rules import diff_rules, load_rules
from mpsim.rules.check import FIELDS, PLAYED
from mpsim.stats.exact_melds import SCOPES
from mpsim.stats.meld_table import meld_name
from mpsim.studies.melds import study_deals, study_exact
from mpsim.studies.seen import study_seen

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]

SMALLER = {
    "--deck --deals 1e7": "--deck --deals 1_000_000",
    "--deals 1e7": "--deals 2e4",
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


@pytest.mark.parametrize("name", ["rules.md", "columns.md", "policies.md", "cli.md"])
def test_generated_parts_are_up_to_date(name: str) -> None:
    assert generator().difference(name) == "", "run `python docs/generate.py`"


def test_every_generated_page_is_tested() -> None:
    marked = {page.name for page in PAGES if "\n<!-- generated: " in page.read_text("utf-8")}
    assert marked == set(generator().GENERATED) == {"rules.md", "columns.md", "policies.md", "cli.md"}


@pytest.mark.parametrize("page", [README, ROOT / "docs" / "python.md"], ids=lambda page: page.name)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
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
                     "What was asked"):
        assert expected in done.stdout
    assert (tmp_path / "runs" / "easy" / "run.json").is_file()
    (told,) = blocks(README, "text")
    assert told in done.stdout


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


def test_the_rules_page_explains_every_switch() -> None:
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    prose = text.partition("<!-- generated: ")[0] + text.partition("<!-- end -->")[2]
    switches = [key for key, f in FIELDS.items() if (f.metadata["choices"] or isinstance(f.default, bool))]
    switches = [key for key in switches if len(PLAYED.get(key, (1, 2))) > 1]
    assert [key for key in switches if f"`{key.split('.')[1]}" not in prose] == []
    for number in range(1, 20):
        assert f"| M{number} |" in prose


def test_the_rules_file_shown_can_be_played(tmp_path: Path) -> None:
    (shown,) = blocks(ROOT / "docs" / "rules.md", "toml")
    file = tmp_path / "greek.toml"
    file.write_text(shown, "utf-8")
    rules = load_rules(file)
    changed = {key for key, _, _ in diff_rules(load_rules("mpourloto"), rules)}
    assert changed == {
        "auction.round2_any_suit", "auction.aponta", "exchange.exchange_suit", "play.head_plain",
        "melds.overlap", "melds.meld_compare", "melds.fours_table", "score.capo_mode", "score.tie_rule", "match.target",
    }


def test_the_point_count_shown_is_the_shipped_one(tmp_path: Path) -> None:
    (shown,) = blocks(ROOT / "docs" / "policies.md", "toml")
    file = tmp_path / "count.toml"
    file.write_text(shown, "utf-8")
    assert read_count(file) == shipped_count()


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
