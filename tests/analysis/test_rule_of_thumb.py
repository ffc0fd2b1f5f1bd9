"""The script about rules of thumb finds a count that is known, and writes it as a file that bids."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from acceptance_by_hand import by_a_count
from mpsim.policies import PointCount, load_policies
from mpsim.studies.thumb import Judge, NodeReport

ROOT = Path(__file__).parents[2]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, which finds a table made by hand wherever it looks."""
    spec = importlib.util.spec_from_file_location("rule_of_thumb", ROOT / "analysis" / "rule_of_thumb.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "read_acceptance", lambda folder: folder)
    monkeypatch.setattr(module, "decisions_of", lambda table: by_a_count())
    return module


def test_a_count_is_found_printed_and_written(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    script.main(["some/table", "--largest", "4", "--out", str(path)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("points: J 4, 9 2, each trump 3, side A 1")
    assert lines[1] == "round 1: seat 0 from 10 on, seat 1 from 9 on, seat 2 from 11 on, seat 3 from 12 on"
    assert lines[2] == "round 2: seat 0 from 11 on, seat 1 from 12 on, seat 2 from 10 on, seat 3 from 13 on"
    assert lines[-1].startswith("loses 0.000 points a deal and team to the chart")
    count = load_policies(bid=f"points:{path}").bid[0]
    assert isinstance(count, PointCount)
    assert (count.name, count.counts_upcard) == ("mine", True)
    assert count.trump_cards == (0, 0, 2, 0, 4, 0, 0, 0)
    assert count.trump_length == (0, 3, 6, 9, 12, 15, 18, 21, 24)
    assert count.side_cards == (0, 0, 0, 0, 0, 0, 0, 1)
    assert count.side_length == (-1, 0, 0, 0, 0, 0, 0, 0, 0)
    assert (count.round1, count.round2) == ((10, 9, 11, 12), (11, 12, 10, 13))


def test_a_seat_that_never_takes_is_called_so(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    judge = Judge(by_a_count()._replace(gain1=-by_a_count().gain1**2))
    count = script.fit(judge, script.thumb_form(), 1, starts=1)
    script.print_count(count, judge.report(count))
    assert "round 1: seat 0 never, seat 1 never, seat 2 never, seat 3 never" in capsys.readouterr().out


def test_losses_are_of_a_team(script: ModuleType) -> None:
    """Two seats make a team: half of what four lose."""
    nodes = [NodeReport(1, seat, 1.0, 0.5, 0.5, 1.0, gain=2.0, chart=3.0, best=4.0, steps=2.0) for seat in range(4)]
    assert script.lost(nodes) == 2
    assert script.lost_to_best(nodes) == 4


@pytest.mark.parametrize("largest", ["0", "101"])
def test_sizes_out_of_range_are_refused(script: ModuleType, largest: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        script.main(["some/table", "--largest", largest])
    assert f"--largest {largest} is out of range: give a number from 1 to 100" in capsys.readouterr().err
