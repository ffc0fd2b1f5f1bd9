"""Matches of the kernels against those of the referee."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.switches import MIXED, Pair
from mpsim import referee
from mpsim.engine.match import play_matches
from mpsim.policies import load_policies
from mpsim.rules import load_rules

ENDED = ("target", "level", "raise", "one_more", "sweep", "claim", "unfinished")


def compare_matches(base: str, settings: tuple[str, ...], pair: Pair, seed: int, first: int, count: int) -> None:
    """Every column of some matches."""
    rules = load_rules(base, settings)
    policies = load_policies(*pair, rules)
    fast = play_matches(rules, policies, seed, first, count)
    for place, number in enumerate(range(first, first + count)):
        slow = referee.play_match(rules, seed, number, policies.bidders(rules), policies.players(rules))
        expected = {
            "match": number, "winner": slow.winner, "score_0": slow.scores[0], "score_1": slow.scores[1],
            "ended": ENDED.index(slow.ended), "deals": slow.deals, "thrown_in": slow.thrown_in,
            "capots": slow.capots, "hung": slow.hung, "hanging": slow.pool, "first_dealer": slow.dealer,
        }
        assert {name: int(values[place]) for name, values in fast.items()} == expected


SWITCHES: list[tuple[str, tuple[str, ...], Pair]] = [
    *((base, (), ("greedy", "points")) for base in ("mpourloto", "mpourloto-greek", "bulgarian", "belote", "belote-bg",
                                                   "madrasso", "contree")),
    ("mpourloto", (), (MIXED, "points,chance:0.3,points,chance:0.3")),
    ("mpourloto", (), ("greedy,random,random,greedy", "points,chance:0.3,always,points")),
    ("mpourloto", ("allpass_rotates=false",), (MIXED, "chance:0.05,points,points,chance:0.05")),
    ("mpourloto", ("target=200", "run_points=[0, 0, 0]", "last_trick=0", "trump_pair=0", "tie_rule=hang"),
     ("random", "chance:0.4")),
    ("mpourloto", ("shuffle=cut_only", "chain=4"), (MIXED, "points,always,points,always")),
    ("mpourloto", ("shuffle=cut_only", "chain=8", "gather=in_order", "allpass_rotates=false"),
     ("greedy,random,random,greedy", "chance:0.1")),
    ("mpourloto", ("capo_mode=wins_match",), ("random", "always")),
    ("bulgarian", ("target=20",), ("greedy", "chance:0.3")),
    ("bulgarian", ("target=20", "capot_exit=one_more", "all_tricks=0"), ("greedy", "chance:0.3")),
    ("bulgarian", ("target=20", "capot_exit=allowed", "hang_blocks_end=true", "tie_extra_deals=3"),
     ("greedy", "chance:0.3")),
    ("bulgarian", ("target=16", "tie_extra_deals=3", "tie_early_stop=true", "min_deals=3"), ("greedy", "always")),
    ("belote", ("target=30", "shuffle=cut_only"), (MIXED, "chance:0.2,points,chance:0.2,points")),
    ("madrasso", ("declare_policy=perfect",), ("greedy", "points")),
    ("madrasso", ("declare_policy=perfect", "target=200", "declare_from_deal=2", "min_deals=3"), (MIXED, "points")),
    ("madrasso", ("target=100", "min_deals=0", "capo_mode=add", "tie_extra_deals=2"), (MIXED, "points")),
    ("madrasso", ("declare_policy=perfect", "shuffle=cut_only", "chain=2", "target=300", "declare_from_deal=1"),
     ("random", "points")),
]  # fmt: skip


@pytest.mark.parametrize(("base", "settings", "pair"), SWITCHES, ids=[" ".join((b, *s, *p)) for b, s, p in SWITCHES])
def test_matches(base: str, settings: tuple[str, ...], pair: Pair) -> None:
    compare_matches(base, settings, pair, 11, 5, 30)


def test_a_match_that_nobody_wins() -> None:
    compare_matches("mpourloto", (), ("greedy", "never"), 1, 0, 2)


def test_more_matches_than_lanes_and_the_last_numbers() -> None:
    compare_matches("mpourloto", ("target=150",), ("greedy", "points"), 2**64 - 1, 2**54 - 600, 600)


def test_ranges_join() -> None:
    """A match is the same whatever range it is played in."""
    rules = load_rules("bulgarian")
    policies = load_policies("greedy", "points", rules)
    whole = play_matches(rules, policies, 3, 10, 700)
    parts = [play_matches(rules, policies, 3, 10, 1), play_matches(rules, policies, 3, 11, 699)]
    for name, values in whole.items():
        assert np.array_equal(values, np.concatenate([part[name] for part in parts]))
