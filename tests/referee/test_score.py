"""Settlement; cases T57 to T64 and T94."""

import pytest

from cases import SCORE_CASES, rules_with
from mpsim.referee import deal_points, scored_melds, settle


@pytest.mark.parametrize("case", SCORE_CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("makers", [0, 1])
def test_settlement(case, makers):
    rules = rules_with(**case.keys)

    def by_team(values):
        return values if makers == 0 else values[::-1]

    last_winner = makers if case.last == 0 else 1 - makers
    points = deal_points(by_team(case.cards), by_team(case.tricks), last_winner, "s", rules)
    melds = scored_melds(by_team(case.melds), case.tricks if makers == 0 else case.tricks[::-1], rules)
    deal = settle(makers, "s", 1, points, melds, by_team(case.tricks), rules)
    assert by_team(deal.scores) == case.scores
    assert deal.outcome == case.outcome
    assert deal.hung == (91 if case.outcome == "hung" else 0)


@pytest.mark.parametrize(
    ("keys", "total", "capo_total"),
    [({}, 162, 242), ({"capo_mode": "add"}, 162, 252), ({"mp_totals": "text152"}, 162, 232)],
)
def test_totals(keys, total, capo_total):
    rules = rules_with(**keys)
    assert sum(deal_points((60, 92), (3, 5), 1, "s", rules)) == total
    assert deal_points((0, 152), (0, 8), 1, "s", rules) == (0, capo_total)
