"""The course of a match told: by hand, and beside the match itself."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from cases import preset_with
from mpsim.policies import load_policies
from mpsim.referee import MatchRecord, course, narrate_match, play_match
from mpsim.rules import load_rules
from mpsim.rules.model import Rules


def played(rules: Rules, seed: int, number: int, play: str = "greedy", bid: str = "points") -> MatchRecord:
    policies = load_policies(play, bid, rules)
    return play_match(rules, seed, number, policies.bidders(rules), policies.players(rules))


def find(rules: Rules, wanted: Callable[[MatchRecord], bool], bid: str = "points") -> MatchRecord:
    """The first match of seed 3 that is as wanted."""
    return next(match for number in range(3000) if wanted(match := played(rules, 3, number, "greedy", bid)))


@pytest.mark.parametrize(
    ("base", "settings"),
    [
        ("mpourloto", ("tie_rule=hang",)), ("mpourloto", ("allpass_rotates=false",)), ("bulgarian", ("target=40",)),
        ("madrasso", ("declare_policy=perfect",)), ("belote", ("shuffle=cut_only",)),
    ],
)
def test_a_course_adds_up_to_the_match(base: str, settings: tuple[str, ...]) -> None:
    rules = load_rules(base, settings)
    for number in range(20):
        match = played(rules, 3, number)
        steps = list(course(match, rules))
        assert [step.number for step in steps] == list(range(1, match.deals + 1))
        assert [step.deal for step in steps] == [1024 * number + k for k in range(match.deals)]
        assert steps[0].dealer == match.dealer
        assert (steps[-1].totals, steps[-1].hanging) == (match.scores, match.pool)
        for team in (0, 1):
            assert sum(step.scores[team] for step in steps) == match.scores[team]
        for before, after in pairwise(steps):
            stays = before.outcome == "thrown_in" and not rules.auction.allpass_rotates
            assert after.dealer == (before.dealer + (0 if stays else 1)) % 4
        for step, record in zip(steps, match.records, strict=True):
            # Seat 0 is the player after the dealer.
            assert step.taker == (-1 if record.taker < 0 else (step.dealer + 1 + record.taker) % 4)
            if step.outcome == "failed" and step.hanging == 0:
                assert step.scores[step.taker % 2] == 0
        assert sum(step.sweeper >= 0 for step in steps) == match.capots


def test_a_match_told() -> None:
    """Checked by hand against the deals told one by one."""
    rules = load_rules("mpourloto")
    told = narrate_match(played(rules, 1, 0), rules)
    assert told.splitlines()[:6] == [
        "Match 0, seed 1, Mpourloto (Greek Belote)",
        "Team 0: players 0 and 2.  Team 1: players 1 and 3.",
        "",
        "deal  dealer  taker  contract  outcome  team 0  team 1  total 0  total 1",
        "   1       1      2  clubs     made        111      91      111       91",
        "   2       2      0  hearts    made        132      50      243      141",
    ]
    assert told.splitlines()[-1] == "Team 1 wins 1115 to 501 after 8 deals: it had the target."


def test_what_hangs_is_shown_and_what_is_lost_is_said() -> None:
    rules = preset_with("bulgarian", target=40)
    match = find(rules, lambda match: match.pool > 0)
    told = narrate_match(match, rules)
    assert told.splitlines()[3].endswith("total 1  hanging")
    assert told.endswith(f"  The {match.pool} that hang are lost.")
    assert "hanging" not in narrate_match(find(rules, lambda match: match.hung == 0), rules)


@pytest.mark.parametrize(
    ("base", "keys", "ended", "says"),
    [
        ("madrasso", {}, "sweep", "it won all tricks of a deal."),
        ("madrasso", {"declare_policy": "perfect"}, "claim", "it claimed the match in mid-deal."),
        ("bulgarian", {"target": 20}, "raise", "it had the target that a deal with all tricks had raised."),
        ("bulgarian", {"target": 20, "capot_exit": "one_more"}, "one_more", "that a deal with all tricks called for."),
        ("bulgarian", {"target": 20}, "level", "it led after extra deals, both having stood level."),
    ],
)
def test_every_end_is_told(base: str, keys: dict[str, object], ended: str, says: str) -> None:
    rules = preset_with(base, **keys)
    match = find(rules, lambda match: match.ended == ended)
    told = narrate_match(match, rules)
    assert says in told.splitlines()[-1]
    assert ("taker" in told.splitlines()[3]) == (base == "bulgarian")
    assert ("all tricks to team" in told) == (match.capots > 0)


def test_doubles_and_thrown_in_deals_are_told() -> None:
    rules = load_rules("bulgarian")
    match = find(rules, lambda match: match.thrown_in > 1 and 2 in {r.multiplier for r in match.records}, "chance:0.2")
    told = narrate_match(match, rules)
    assert ", doubled" in told
    assert "thrown in" in told
    assert f"{match.thrown_in} of them thrown in:" in told
