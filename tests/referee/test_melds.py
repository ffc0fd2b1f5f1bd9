"""Melds of a hand and their comparison; cases T41 to T55."""

from itertools import combinations

import pytest

from cases import COMPARE_CASES, MELD_CASES, rules_with
from mpsim.cards import cards_of, parse_cards, parse_deal
from mpsim.referee import counting, declare, find_runs, order_of, scored_melds, team_points


@pytest.mark.parametrize("case", MELD_CASES, ids=lambda case: case.id)
def test_meld_points(case):
    rules = rules_with(**case.keys)
    melds = declare(cards_of(parse_cards(case.hand, count=8)), order_of(rules.deck, case.contract), rules)
    assert sum(meld.points for meld in melds) == case.points


@pytest.mark.parametrize("case", COMPARE_CASES, ids=lambda case: case.id)
def test_comparison(case):
    rules = rules_with(**case.keys)
    order = order_of(rules.deck, case.contract)
    declared = [declare(cards_of(hand), order, rules) for hand in parse_deal(case.deal)]
    assert team_points(counting(declared, rules)) == case.points


@pytest.mark.parametrize(
    ("hand", "keys", "kinds"),
    [
        # Level at 50: the plan with the four is kept.
        ("9h Th Jh Qh Qc Qd Qs 7c", {"fours_table": (30,) * 8}, [("run", 3), ("four", 4)]),
        # Level at 100: five cards in a run, or four jacks.
        ("9h Th Jh Qh Kh Jc Jd Js", {}, [("four", 4)]),
        ("9h Th Jh Qh Kh Jc Jd Js", {"fours_table": (99,) * 8}, [("run", 5)]),
        ("Jc Jd Jh Js Qc Qd Qh Qs", {}, [("four", 4), ("four", 4)]),
    ],
)
def test_M13_the_plan_worth_most_then_more_fours(hand, keys, kinds):
    rules = rules_with(overlap="exclusive", **keys)
    melds = declare(cards_of(parse_cards(hand, count=8)), order_of(rules.deck, "c"), rules)
    assert [(meld.kind, len(meld.cards)) for meld in melds] == kinds


def test_a_run_ends_with_its_suit():
    """Ac and 7d are neighbours by number only."""
    rules = rules_with()
    assert find_runs(cards_of(parse_cards("Kc Ac 7d 8d")), rules) == []
    (run,) = find_runs(cards_of(parse_cards("Qc Kc Ac 7d 8d")), rules)
    assert run.cards == (5, 6, 7)


def test_melds_need_a_trick():
    """M16, the trump pair included."""
    assert scored_melds((50, 20), (0, 8), rules_with(melds_need_trick=True)) == (0, 20)
    assert scored_melds((50, 20), (0, 8), rules_with()) == (50, 20)


def test_numbers_of_hands_with_fours_and_pairs():
    """Hands of eight out of ten cards, against binomial coefficients."""
    rules = rules_with()
    order = order_of(rules.deck, "d")
    pool = cards_of(parse_cards("Kc Kd Kh Ks Qd 7c 9c 7h 9h 7s"))
    melds = [declare(hand, order, rules) for hand in combinations(pool, 8)]
    # 45 hands leave two cards out; C(6,2) = 15 keep the four kings, C(8,2) = 28 keep Kd and Qd.
    assert sum(any(m.kind == "four" for m in found) for found in melds) == 15
    assert sum(any(m.kind == "pair" for m in found) for found in melds) == 28
