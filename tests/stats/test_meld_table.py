"""The exact rows of the table of melds."""

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from mpsim.stats.exact_melds import Distribution
from mpsim.stats.meld_table import Row, exact_melds, exact_rows, who_scores
from stats.judged import every_deal, rules_with, scored, small

OPTIONS = [
    {},
    {"meld_compare": "by_category"},
    {"meld_compare": "strongest", "seq_compare": "capped5", "sequence_max": 3},
    {"meld_compare": "by_category", "overlap": "exclusive", "fours_table": (30, 0, 50, 20)},
]


@cache
def four_hands(rules):
    return every_deal(rules, 4, 4)


@pytest.mark.parametrize("keys", OPTIONS, ids=str)
def test_points_by_scope(keys):
    """Of a hand what it declares, of a team and a deal what they score."""
    rules = small("JQKA", **keys)
    found = {"hand": Counter(), "team": Counter(), "deal": Counter()}
    for hands, deals in four_hands(rules):
        points = scored(hands, rules).points
        found["hand"][sum(meld.points for meld in hands[0])] += deals
        found["team"][points[0]] += deals
        found["deal"][sum(points)] += deals
    exact = exact_melds(rules)
    for scope, counts in found.items():
        points = exact[scope]["points"]
        assert {value: points.p(value) for value in points.counts} == {
            value: Fraction(count, counts.total()) for value, count in counts.items()}, scope
        assert list(points.counts) == sorted(points.counts)


@pytest.mark.parametrize("keys", OPTIONS[1:], ids=str)
def test_whose_melds_count(keys):
    rules = small("JQKA", **keys)
    for row in who_scores(rules):
        whose = Counter()
        for hands, deals in four_hands(rules):
            whose[getattr(scored(hands, rules), row.meld)] += deals
        assert row.exact == Fraction(whose[row.what], whose.total()), row
    assert {(row.meld, row.what) for row in who_scores(rules)} == {
        (meld, what) for meld in ("runs", "fours") for what in ("nobody", "tie", "one")}


def test_nothing_is_compared_or_declared():
    assert list(who_scores(rules_with())) == []
    never = small("JQKA", meld_policy="never", meld_compare="strongest")
    assert list(who_scores(never)) == []
    for melds in exact_melds(never).values():
        assert melds["points"].counts == {0: 1}
        assert melds["pair"].at_least(1) > 0


def test_rows_of_some_distributions():
    """One hand in four has a pair, worth 20."""
    exact = {"hand": {"pair": Distribution({0: 3, 1: 1}, 4), "points": Distribution({0: 3, 20: 1}, 4)}}
    quarter = Fraction(1, 4)
    assert list(exact_rows(exact)) == [
        Row("hand", "pair", "some", exact=quarter), Row("hand", "pair", "mean", exact=quarter),
        Row("hand", "pair", "number", 0, 3 * quarter), Row("hand", "pair", "number", 1, quarter),
        Row("hand", "points", "mean", exact=Fraction(5)),
        Row("hand", "points", "number", 0, 3 * quarter), Row("hand", "points", "number", 20, quarter),
    ]
    told = Row("hand", "pair", "some", exact=Fraction(1, 3)).as_dict()
    assert (told["exact"], told["exact_fraction"], told["value"]) == (1 / 3, "1/3", None)
