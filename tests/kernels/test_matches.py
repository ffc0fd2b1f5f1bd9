"""Matches of the kernels against those of the referee."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.switches_matches import MATCH_SWITCHES, MatchSwitch, match_differences
from mpsim.engine.match import play_matches
from mpsim.policies import load_policies
from mpsim.rules import load_rules


@pytest.mark.parametrize("switch", MATCH_SWITCHES, ids=[" ".join((b, *s, *p)) for b, s, p in MATCH_SWITCHES])
def test_matches(switch: MatchSwitch) -> None:
    assert match_differences(switch, 11, 5, 30) == []


def test_a_match_that_nobody_wins() -> None:
    assert match_differences(("mpourloto", (), ("greedy", "never")), 1, 0, 2) == []


def test_more_matches_than_lanes_and_the_last_numbers() -> None:
    switch = ("mpourloto", ("target=150",), ("greedy", "points"))
    assert match_differences(switch, 2**64 - 1, 2**54 - 600, 600) == []


def test_ranges_join() -> None:
    """A match is the same whatever range it is played in."""
    rules = load_rules("bulgarian")
    policies = load_policies("greedy", "points", rules)
    whole = play_matches(rules, policies, 3, 10, 700)
    parts = [play_matches(rules, policies, 3, 10, 1), play_matches(rules, policies, 3, 11, 699)]
    for name, values in whole.items():
        assert np.array_equal(values, np.concatenate([part[name] for part in parts]))
