"""Matches of the games compared; and the page on matches says what is so."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import mpsim
from mpsim.referee import course
from mpsim.referee.course import Step
from mpsim.stats.match_tally import ENDED

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "matches.md"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("matches_of_games", ROOT / "analysis" / "matches_of_games.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_become_a_table_and_a_figure(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"{name}.parquet" for name in ("contree", "madrasso")]
    for file in files:
        mpsim.simulate_matches(300, rules=file.stem, seed=1, out=file)
    script.main([*map(str, files), "--figure", str(tmp_path / "f.png")])
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["", "`contree`", "`madrasso`"]
    cells = {name: rest for name, *rest in lines[2:]}
    sweeps = mpsim.simulate_matches(300, rules="madrasso", seed=1).summary["ended"]["sweep"]
    assert cells["by `sweep`"][0] == "-"
    assert cells["by `sweep`"][1].startswith(f"{100 * sweeps['rate']:.1f}")
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_shows_what_is_measured(script: ModuleType) -> None:
    games = ("mpourloto", "bulgarian", "belote", "madrasso")
    played = [mpsim.simulate_matches(1_000_000, rules=name, seed=1, out=None) for name in games]
    assert "\n".join(script.table(played)) in PAGE.read_text("utf-8"), "run analysis/matches_of_games.py as it says"


def test_the_page_shows_a_match_as_it_is() -> None:
    (told,) = re.findall(r"^```text\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert told == mpsim.simulate_matches(1, first=6, rules="bulgarian", seed=1).narrate(6) + "\n"


def test_the_page_explains_every_key() -> None:
    matches = mpsim.simulate_matches(50, rules="bulgarian", seed=1)
    document: dict[str, Any] = {**matches.spec.as_dict(), "file": None, "summary": matches.summary}
    summary = matches.summary
    keys = {*document, *summary, *summary["first_dealer"], *summary["winner"], *summary["length"]["deals"],
            *summary["length"]["deals"]["mean"], *summary["thrown_in"], *ENDED, "content", "software"}
    steps = list(course(matches.play_match(0), matches.rules))
    assert isinstance(steps[0], Step)
    keys |= set(Step.__dataclass_fields__)
    text = PAGE.read_text("utf-8")
    assert sorted(key for key in keys if f"`{key}`" not in text) == []
