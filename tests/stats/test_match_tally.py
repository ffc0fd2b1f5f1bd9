"""Counts and summaries of matches made by hand, and of played ones counted again in plain Python."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest

from mpsim.engine.match import play_matches
from mpsim.kernels import match as kernels
from mpsim.policies import load_policies
from mpsim.referee import match as referee
from mpsim.referee.whole_match import UNFINISHED
from mpsim.rules import load_rules
from mpsim.stats.estimates import Moments, rate
from mpsim.stats.match_summary import QUANTILES, clauses, summarise_matches, verdict
from mpsim.stats.match_tally import ENDED, MatchTally, Outcome, moments_by_value, quantile, tally_matches

KINDS = {"winner": "i1", "score_0": "i4", "score_1": "i4", "ended": "i1", "deals": "i2", "thrown_in": "i2",
         "capots": "i2", "hung": "i2", "hanging": "i4", "first_dealer": "i1"}
ROWS = [
    (0, 160, 100, 0, 12, 2, 1, 0, 0, 0),
    (1, 90, 151, 2, 10, 0, 2, 1, 16, 3),
    (1, 40, 151, 0, 9, 0, 0, 0, 0, 2),
    (0, 30, 100, 4, 3, 1, 1, 0, 0, 1),
    (-1, 150, 140, 6, 1024, 900, 0, 7, 40, 0),
]
"""Columns as in KINDS."""


def rows(chosen: list[tuple[int, ...]]) -> dict[str, Any]:
    return {name: np.array(values, kind) for (name, kind), values in zip(KINDS.items(), zip(*chosen, strict=True),
                                                                         strict=True)}


def test_counts_by_hand() -> None:
    tally = tally_matches(rows(ROWS))
    assert (tally.matches, tally.decided) == (5, 4)
    assert [tally.won(team) for team in (0, 1, -1)] == [2, 2, 1]
    # First dealers 0, 3, 2, 1 are of teams 0, 1, 0, 1; winners are 0, 1, 1, 0.
    assert tally.won_by_first_dealer() == 2
    assert {how: tally.ended(how) for how in ENDED} == {
        "target": 2, "level": 0, "raise": 1, "one_more": 0, "sweep": 1, "claim": 0, "unfinished": 1,
    }
    assert tally.outcomes[Outcome(1, 3, "raise")] == 1
    assert tally.of("scored") == {10: 2, 9: 1, 2: 1, 124: 1}
    # The winner by a sweep may be behind; who won nothing has no margin.
    assert tally.of("margin") == {60: 1, 61: 1, 111: 1, -70: 1}
    assert tally.of("hanging") == {0: 3, 16: 1, 40: 1}


def test_tallies_add_and_nothing_is_a_tally() -> None:
    parts = [tally_matches(rows(ROWS[:2])), MatchTally(), tally_matches(rows(ROWS[2:]))]
    assert sum(parts, MatchTally()) == tally_matches(rows(ROWS))
    empty = summarise_matches(MatchTally(), load_rules("bulgarian"))
    assert (empty["matches"], empty["first_dealer"]["verdict"]) == (0, "undecided")
    assert empty["margin"]["quantiles"] == dict.fromkeys(QUANTILES)
    json.dumps(empty, allow_nan=False)


def test_codes_are_those_of_referee_and_kernels() -> None:
    told = (referee.TARGET, referee.LEVEL, referee.RAISE, referee.ONE_MORE, referee.SWEEP, referee.CLAIM, UNFINISHED)
    coded = (kernels.TARGET, kernels.LEVEL, kernels.RAISE, kernels.ONE_MORE, kernels.SWEEP, kernels.CLAIM,
             kernels.UNFINISHED)
    assert told == ENDED
    assert [ENDED[code] for code in coded] == list(told)


def test_quantiles_by_hand() -> None:
    values = {3: 1, 5: 2, 8: 1}     # 3 5 5 8
    assert [quantile(values, percent) for percent in (0, 25, 26, 50, 75, 76, 100)] == [3, 3, 5, 5, 5, 8, 8]
    assert quantile({}, 50) is None
    assert moments_by_value(values) == Moments(4, 21, 9 + 25 + 25 + 64)


def test_three_verdicts() -> None:
    assert verdict(rate(600, 1000, "matches"), 0.5) == "above"
    assert verdict(rate(400, 1000, "matches"), 0.5) == "below"
    assert verdict(rate(520, 1000, "matches"), 0.5) == "undecided"
    assert verdict(rate(1, 1, "matches"), 0.5) == "undecided"
    assert verdict(rate(0, 0, "matches"), 0.5) == "undecided"


@pytest.mark.parametrize(
    ("base", "settings", "can"),
    [
        ("mpourloto", (), {"target", "level"}),
        ("bulgarian", (), {"target", "level", "raise"}),
        ("bulgarian", ("capot_exit=one_more",), {"target", "level", "one_more"}),
        ("madrasso", (), {"target", "level", "sweep"}),
        ("madrasso", ("declare_policy=perfect",), {"target", "level", "sweep", "claim"}),
    ],
)
def test_what_can_decide_a_match(base: str, settings: tuple[str, ...], can: set[str]) -> None:
    assert set(clauses(load_rules(base, settings))) == can | {"unfinished"}


@pytest.mark.parametrize(
    ("base", "settings", "play", "bid"),
    [
        ("bulgarian", ("target=30",), "greedy", "points"),
        ("madrasso", ("declare_policy=perfect",), "random", "points"),
        ("mpourloto", ("tie_rule=hang", "target=300"), "greedy,random,greedy,random", "chance:0.3"),
    ],
)
def test_a_summary_is_what_plain_counting_finds(base: str, settings: tuple[str, ...], play: str, bid: str) -> None:
    rules = load_rules(base, settings)
    played = play_matches(rules, load_policies(play, bid, rules), 4, 0, 3000)
    matches = [dict(zip(played, values, strict=True)) for values in zip(*(v.tolist() for v in played.values()),
                                                                        strict=True)]
    summary = summarise_matches(tally_matches(played), rules)
    decided = [m for m in matches if m["winner"] >= 0]
    assert (summary["matches"], summary["decided"]) == (3000, len(decided))
    for name, team in (("team_0", 0), ("team_1", 1), ("nobody", -1)):
        assert summary["winner"][name]["count"] == sum(m["winner"] == team for m in matches)
    ours = sum(m["winner"] % 2 == m["first_dealer"] % 2 for m in decided)
    assert (summary["first_dealer"]["count"], summary["first_dealer"]["n"]) == (ours, len(decided))
    # The opener is the next player after the first dealer.
    assert summary["opener"]["count"] == sum(m["winner"] == (m["first_dealer"] + 1) % 2 for m in decided)
    for how in ENDED:
        assert summary["ended"][how]["count"] == sum(ENDED[m["ended"]] == how for m in matches)
    for name, value in (("deals", lambda m: m["deals"]), ("scored", lambda m: m["deals"] - m["thrown_in"])):
        spread_is(summary["length"][name], [value(m) for m in matches])
        histogram = {int(v): entry["count"] for v, entry in summary["length"][name]["histogram"].items()}
        assert histogram == {v: sum(value(m) == v for m in matches) for v in {value(m) for m in matches}}
    spread_is(summary["margin"], [m[f"score_{m['winner']}"] - m[f"score_{1 - m['winner']}"] for m in decided])
    for name in ("thrown_in", "capots", "hung", "hanging"):
        mean_is(summary[name]["mean"], [m[name] for m in matches])
        assert summary[name]["some"]["count"] == sum(m[name] != 0 for m in matches)
        assert summary[name]["some"]["n"] == 3000
    mean_is(summary["lost"], [m["hanging"] for m in matches if m["hanging"]])


def mean_is(entry: dict[str, Any], values: list[int]) -> None:
    assert entry["n"] == len(values)
    assert entry["mean"] == (pytest.approx(mean(values)) if values else None)
    if entry["se"] is not None:
        assert entry["se"] == pytest.approx(stdev(values) / math.sqrt(len(values)))


def spread_is(entry: dict[str, Any], values: list[int]) -> None:
    mean_is(entry["mean"], values)
    assert (entry["quantiles"]["min"], entry["quantiles"]["max"]) == (min(values), max(values))
    for name, share in (("5 %", Fraction(1, 20)), ("25 %", Fraction(1, 4)), ("median", Fraction(1, 2)),
                        ("75 %", Fraction(3, 4)), ("95 %", Fraction(19, 20))):
        found = entry["quantiles"][name]
        assert sum(v <= found for v in values) >= share * len(values) > sum(v < found for v in values)
