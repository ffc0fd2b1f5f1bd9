"""What teams score for melds: against the referee's judgement of every deal of small decks and of random full deals."""

from collections import Counter
from functools import cache
from math import factorial

import numpy as np
import pytest

from mpsim.stats.chi_square import pearson
from mpsim.stats.exact_melds import meld_points
from mpsim.stats.scored_melds import BOTH, scored_melds
from stats.judged import brute, declarations, random_deals, rules_with, scored, small, with_melds

OPTIONS = [
    {},
    {"run_points": (30, 45, 100)},
    {"run_points": (0, 50, 100)},
    {"sequence_max": 3},
    {"sequence_max": 4},
    {"long_run": "cap"},
    {"sequence_max": 3, "long_run": "cap"},
    {"fours_table": (0, 100, 150, 200)},
    {"fours_table": (20, 0, 0, 50)},
    {"fours_table": (0, 0, 0, 0)},
    {"trump_pair": 0},
    {"trump_pair": 35},
    {"seq_compare": "capped5", "sequence_max": 3},
    {"seq_compare": "capped5", "sequence_max": 3, "long_run": "cap", "fours_table": (20, 0, 40, 50)},
    {"run_points": (50, 20, 100), "sequence_max": 4, "long_run": "cap", "fours_table": (50, 20, 50, 20)},
]


def named(options):
    return " ".join(f"{key}={value}" for key, value in options.items()) or "preset"


COMPARES = ("none", "by_category", "strongest")
OVERLAPPING = pytest.mark.parametrize("overlap", ["cross_type", "exclusive"])


@pytest.mark.parametrize("options", OPTIONS, ids=named)
def test_every_deal_of_sixteen_cards_to_four_hands(options):
    for compare in COMPARES:
        rules = small("JQKA", meld_compare=compare, **options)
        found = scored_melds(rules)
        assert found == brute(rules, (0, 1, 0, 1), 4)
        assert sum(found.values()) == 2 * factorial(16) // factorial(4) ** 4


@OVERLAPPING
@pytest.mark.parametrize("options", OPTIONS[::2], ids=named)
def test_every_deal_of_sixteen_cards_to_two_hands(options, overlap):
    """Two hands of eight, with room for a four and a run or for two fours."""
    for compare in COMPARES:
        rules = small("JQKA", meld_compare=compare, overlap=overlap, **options)
        assert scored_melds(rules, (0, 1), 8) == brute(rules, (0, 1), 8)


@OVERLAPPING
@pytest.mark.parametrize("worth", [(30, 0, 20), (10, 20, 30), (25, 5, 20)])
def test_two_hands_and_cards_that_nobody_looks_at(worth, overlap):
    for compare in COMPARES:
        rules = small("JQK", meld_compare=compare, overlap=overlap, fours_table=worth, run_points=(20,), sequence_max=3)
        assert scored_melds(rules, (0, 1), 5) == brute(rules, (0, 1), 5)
        assert scored_melds(rules, (0, 1), 6) == brute(rules, (0, 1), 6)


@OVERLAPPING
@pytest.mark.parametrize("options", OPTIONS[1::2], ids=named)
def test_partners_and_one_hand(options, overlap):
    rules = small("JQKA", overlap=overlap, **options)
    assert scored_melds(rules, (0, 0), 8) == brute(rules, (0, 0), 8)
    assert scored_melds(rules, (0,), 6) == brute(rules, (0,), 6)


# --- Random deals, judged by the referee -----------------------------------------------------------------------------


def fits(rules, declared):
    """How well what the first team scores fits its exact chances."""
    exact, seen = scored_melds(rules), Counter()
    for melds, deals in declared.items():
        seen[scored(melds, rules)] += deals
    assert set(seen) <= set(exact)
    total = sum(exact.values())
    names = list(exact)
    return pearson(np.array([seen[name] for name in names]), np.array([exact[name] / total for name in names]))


@OVERLAPPING
def test_random_deals_of_the_full_deck(overlap):
    """Three ranks of fours, to be quick."""
    rules = rules_with(overlap=overlap, fours_table=(0, 0, 150, 0, 200, 0, 0, 100))
    declared = Counter(declarations(random_deals(100_000, 8, 8, seed=20_240_511), rules))
    for compare in COMPARES:
        assert fits(with_melds(rules, meld_compare=compare), declared).p > 1e-4


@cache
def crowded_deals():
    """Four hands of six out of 24 cards: there, melds are in each other's way."""
    return random_deals(50_000, 6, 6, seed=73)


@OVERLAPPING
@pytest.mark.parametrize("options", [{}, {"sequence_max": 3, "seq_compare": "capped5", "long_run": "cap"}], ids=named)
def test_random_deals_of_a_small_deck(options, overlap):
    rules = small("9TJQKA", overlap=overlap, **options | {"fours_table": (150, 0, 20, 45, 0, 30)})
    declared = Counter(declarations(crowded_deals(), rules))
    for compare in COMPARES:
        assert fits(with_melds(rules, meld_compare=compare), declared).p > 1e-4


# --- What follows without counting -----------------------------------------------------------------------------------

FEW = {"fours_table": (0, 0, 0, 100, 0, 0, 0, 100)}


def test_where_nothing_is_compared_or_chosen_it_is_what_is_declared():
    rules = rules_with(**FEW)
    team, deal = Counter(), Counter()
    for result, deals in scored_melds(rules).items():
        team[result.points[0]] += deals
        deal[sum(result.points)] += deals
        assert {result.runs, result.fours} <= {BOTH, "nobody"}
    for scope, counts in (("team", team), ("deal", deal)):
        exact = meld_points(rules, scope)
        assert {points: exact.p(points) for points in exact.counts} == {
            points: exact.p(points) for points in counts}
        assert all(count * exact.total == exact.counts[points] * counts.total() for points, count in counts.items())


def whose(rules, kind):
    found = Counter()
    for result, deals in scored_melds(rules).items():
        found[getattr(result, kind)] += deals
    return found


def test_options_change_what_they_should():
    rules = small("9TJQKA", meld_compare="by_category")
    changed = {key: with_melds(rules, **{key: value}) for key, value in (
        ("fours_table", (100, 0, 0, 50, 0, 0)), ("trump_pair", 35), ("seq_compare", "capped5"),
        ("meld_compare", "none"))}
    assert whose(changed["fours_table"], "runs") == whose(rules, "runs")
    assert whose(changed["fours_table"], "fours") != whose(rules, "fours")
    for kind in ("runs", "fours"):
        assert whose(changed["trump_pair"], kind) == whose(rules, kind)
    assert whose(changed["seq_compare"], "fours") == whose(rules, "fours")
    assert whose(changed["seq_compare"], "runs") != whose(rules, "runs")  # six cards, no better than five
    none = changed["meld_compare"]
    assert scored_melds(with_melds(none, seq_compare="capped5")) == scored_melds(none)
    assert whose(none, "runs")["nobody"] == whose(rules, "runs")["nobody"]
