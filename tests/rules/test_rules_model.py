"""Run values, and the declaration of each key."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mpsim.rules import SECTIONS, load_rules, run_value
from mpsim.rules.check import check_value


def _values(*settings: str) -> list[int]:
    rules = load_rules(settings=settings)
    return [run_value(rules, length) for length in range(9)]


def test_T42_runs_split() -> None:
    assert _values() == [0, 0, 0, 20, 50, 100, 100, 100, 120]


def test_T42_runs_capped() -> None:
    assert _values("long_run=cap") == [0, 0, 0, 20, 50, 100, 100, 100, 100]


def test_split_is_the_best_partition() -> None:
    # 6 = 3 + 3, 7 = 3 + 4, 8 = 4 + 4 or 3 + 5
    assert _values("run_points=[60, 70, 80]") == [0, 0, 0, 60, 70, 80, 120, 130, 140]
    assert _values("sequence_max=3") == [0, 0, 0, 20, 20, 20, 40, 40, 40]
    assert _values("sequence_max=8", "run_points=[20, 50, 100, 110, 120, 130]")[6:] == [110, 120, 130]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_is_explained_and_its_default_allowed(section: str) -> None:
    for f in fields(SECTIONS[section]):
        assert f.metadata["doc"].endswith(".")
        assert check_value(f"{section}.{f.name}", f.default) == f.default
