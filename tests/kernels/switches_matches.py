"""Rules and tables under which whole matches of kernels and referee are compared."""

from __future__ import annotations

from kernels.switches import MIXED, Pair
from mpsim import referee
from mpsim.engine.match import play_matches
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.stats.match_tally import ENDED

MatchSwitch = tuple[str, tuple[str, ...], Pair]
"""Preset, settings, playing and bidding policy."""


def match_differences(switch: MatchSwitch, seed: int, first: int, count: int) -> list[tuple[int, str, int, int]]:
    """Match, column, what the kernels say and what the referee says, of every column that differs."""
    base, settings, pair = switch
    rules = load_rules(base, settings)
    policies = load_policies(*pair, rules)
    fast, found = play_matches(rules, policies, seed, first, count), []
    for place, number in enumerate(range(first, first + count)):
        slow = referee.play_match(rules, seed, number, policies.bidders(rules), policies.players(rules))
        expected = {
            "match": number, "winner": slow.winner, "score_0": slow.scores[0], "score_1": slow.scores[1],
            "ended": ENDED.index(slow.ended), "deals": slow.deals, "thrown_in": slow.thrown_in,
            "capots": slow.capots, "hung": slow.hung, "hanging": slow.pool, "first_dealer": slow.dealer,
        }
        assert set(fast) == set(expected)
        found += [(number, name, int(fast[name][place]), value) for name, value in expected.items()
                  if int(fast[name][place]) != value]
    return found


MATCH_SWITCHES: list[MatchSwitch] = [
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
