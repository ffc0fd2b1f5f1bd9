"""The end of a match; cases T65 to T67, M17 and M18."""

import pytest

from cases import MATCH_CASES, rules_with
from mpsim.referee import Match, Settlement

NOTHING = Settlement((0, 0), (0, 0), "thrown_in", -1)


@pytest.mark.parametrize("case", MATCH_CASES, ids=lambda case: case.id)
def test_match_end(case):
    match = Match(rules_with(**case.keys))
    for total, winner in zip(case.totals, case.winners, strict=True):
        match.add_scores([total[team] - match.scores[team] for team in (0, 1)])
        assert match.winner == winner
    assert tuple(match.scores) == case.totals[-1]


def test_teams_turn_with_the_deal():
    """Player 3 deals first, so seat 0 is player 0; next player 0 deals and seat 0 is player 1."""
    match = Match(rules_with(), dealer=3)
    match.add(Settlement((110, 72), (110, 72), "made", 0))
    assert match.scores == [110, 72]
    match.add(Settlement((100, 62), (100, 62), "made", 0))
    assert match.scores == [172, 172]


def test_M17_hung_points_go_to_the_better_team_of_the_next_decided_deal():
    match = Match(rules_with(tie_rule="hang"), dealer=3)
    match.add(Settlement((0, 91), (91, 91), "hung", 0, 91))
    assert (match.scores, match.pool) == ([0, 91], 91)
    match.add(NOTHING)
    assert match.pool == 91
    # Player 1 deals: seat 0 is player 2, of team 0.
    match.add(Settlement((0, 81), (81, 81), "hung", 0, 81))
    assert (match.scores, match.pool) == ([0, 172], 172)
    # Player 2 deals: seat 0 is player 3, of team 1; its side fails, so team 0 gets 162 and the pool.
    match.add(Settlement((0, 162), (60, 102), "failed", 0))
    assert (match.scores, match.pool) == ([334, 172], 0)


def test_M17_makers_take_the_pool_when_they_make_it():
    match = Match(rules_with(tie_rule="hang"), dealer=1)
    match.pool = 50
    match.add(Settlement((72, 90), (72, 90), "made", 1))
    assert match.scores == [72, 140]


def test_M18_thrown_in_deals_are_no_extra_deals():
    match = Match(rules_with())
    match.add_scores((1000, 1000))
    match.add_scores((90, 72))
    match.add(NOTHING)
    assert match.winner is None
    match.add_scores((0, 1))
    assert match.winner == 0


def test_a_decided_match_stays_decided():
    match = Match(rules_with())
    match.add_scores((1003, 990))
    match.add_scores((0, 500))
    assert match.winner == 0
