"""Tables of `mpsim melds` fit into 100 columns, and what cannot be drawn is said before anything is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from mpsim.commands import meld_output
from mpsim.errors import UsageError
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.studies.melds import study_deals


def test_no_line_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    meld_output.print_study(study_deals(load_rules("mpourloto"), load_policies(), 1, 0, 100))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    assert not any("…" in line for line in lines)
    for stage in ("round 1, before", "round 1, after", "round 2, before", "round 2, after"):
        assert any(line.startswith(f"{stage} the exchange: ") for line in lines)
    takers = [line.split() for line in lines if line.startswith("taker ") or line.startswith(" taker ")]
    assert [len(words) for words in takers] == [11] * 4  # a name, and five values each with its change
    (rarest, *_) = (line for line in lines if "run of 8" in line)
    assert "0.00003803 %" in rarest


def test_figures_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    meld_output.check_figures(Path("figures"))
    monkeypatch.setattr(meld_output, "find_spec", lambda name: None)
    meld_output.check_figures(None)
    with pytest.raises(UsageError, match=r"--figures figures needs matplotlib: .* extra `charts`"):
        meld_output.check_figures(Path("figures"))
