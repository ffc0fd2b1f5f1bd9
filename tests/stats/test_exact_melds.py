"""Melds of cards dealt at random: against every hand there is, every deal of small decks, and values known apart."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb, factorial

import numpy as np
import pytest

from mpsim.referee.melds import FOUR, PAIR, RUN
from mpsim.rules.model import run_value
from mpsim.stats.exact_melds import Distribution, held_melds, meld_points
from mpsim.stats.scored_melds import scored_melds
from stats.judged import every_deal, rules_with, small

HANDS = comb(32, 8)


@cache
def held(scope, **keys):
    return held_melds(rules_with(**keys), scope)


# --- Values counted apart from the package ---------------------------------------------------------------------------


def test_chances_counted_by_hand():
    """By binomial coefficients, and by inclusion and exclusion over fours."""
    assert held("hand")["pair"].at_least(1) == Fraction(7, 124)
    assert held("team")["pair"].at_least(1) == Fraction(7, 62)
    assert held("deal")["pair"].at_least(1) == Fraction(7, 31)
    for rank in "789TJQKA":
        assert held("hand")[f"four_{rank}"].counts == {0: HANDS - comb(28, 4), 1: comb(28, 4)}
        assert held("hand")[f"four_{rank}"].p(1) == Fraction(7, 3596)
        assert held("deal")[f"four_{rank}"].p(1) == 4 * Fraction(7, 3596)


@pytest.mark.parametrize(("worth", "chance"), [
    ((100,) * 8, Fraction(40943, 2629575)),
    ((0, 0, 150, 100, 200, 100, 100, 100), Fraction(8189, 701220)),
    ((0, 0, 150, 0, 200, 0, 0, 100), Fraction(353, 60450)),
])
def test_chance_of_a_four(worth, chance):
    """n ranks: n C(28,4) - C(n,2) hands of C(32,8)."""
    ranks = sum(points > 0 for points in worth)
    assert chance == Fraction(ranks * comb(28, 4) - comb(ranks, 2), HANDS)
    assert held_melds(rules_with(fours_table=worth), "hand")["fours"].at_least(1) == chance


def test_longest_runs_counted_by_enumeration():
    """All hands of eight were looked at: none, or a longest run of 3, 4, 5, 6, 7, 8."""
    longest = {2: 8142534, 3: 2013216, 4: 319650, 5: 39200, 6: 3504, 7: 192, 8: 4}
    assert sum(longest.values()) == HANDS
    runs = held("hand")
    for least in (3, 4, 5):
        assert runs[f"run_{least}_up"].at_least(1) * HANDS == sum(longest[n] for n in longest if n >= least)
    for length in (6, 7, 8):
        assert runs[f"run_{length}"].counts == {0: HANDS - longest[length], 1: longest[length]}


@pytest.mark.parametrize(("long_run", "counts"), [
    ("split", {0: 8142534, 20: 1956816, 40: 56400, 50: 311484, 70: 8016, 100: 42758, 120: 292}),
    ("cap", {0: 8142534, 20: 1956816, 40: 56400, 50: 311484, 70: 8016, 100: 42762, 120: 288}),
])
def test_run_points_counted_by_enumeration(long_run, counts):
    rules = rules_with(long_run=long_run, fours_table=(0,) * 8, trump_pair=0)
    assert meld_points(rules, "hand") == Distribution(counts, HANDS)


def test_deals_without_a_run():
    assert held("deal")["run_3_up"].p(0) == Fraction(4300129458907, 11428040914875)


# --- Every hand of eight ---------------------------------------------------------------------------------------------

HALVES = np.arange(1 << 16)
SIZES = np.array([half.bit_count() for half in range(1 << 16)])


def hands_by(of_half, of_both=None):
    """Hands by a number: the sum of what each half, two suits of eight bits, counts, and what `of_both` adds."""
    found = Counter()
    for size in range(9):
        a, b = HALVES[size == SIZES], HALVES[8 - size == SIZES]
        numbers = of_half[0][a][:, None] + of_half[1][b]
        if of_both:
            numbers = numbers + of_both(a[:, None], b)
        for number, hands in enumerate(np.bincount(numbers.ravel()).tolist()):
            if hands:
                found[number] += hands
    assert found.total() == HANDS
    return found


def by_half(of_suit):
    """The sum over two suits."""
    table = np.array([of_suit(suit) for suit in range(256)])
    return table[HALVES >> 8] + table[HALVES & 255]


def lengths(suit):
    return [len(run) for run in re.findall("111+", f"{suit:08b}")]


def fours_in(a, b):
    return (a >> 8) & a & (b >> 8) & b & 255


@pytest.mark.parametrize("name", ["run_3", "run_4", "run_5", "run_6", "run_7", "run_8", "run_3_up", "run_4_up",
                                  "run_5_up"])
def test_runs_of_every_hand(name):
    length = int(name[4])
    counted = by_half(lambda suit: sum(n == length or (n > length and "up" in name) for n in lengths(suit)))
    assert held("hand")[name] == Distribution(dict(hands_by((counted, counted))), HANDS)


def test_fours_and_pairs_of_every_hand():
    nothing = np.zeros(1 << 16, int)
    for rank, name in enumerate("789TJQKA"):
        found = hands_by((nothing, nothing), lambda a, b, rank=rank: fours_in(a, b) >> rank & 1)
        assert held("hand")[f"four_{name}"].counts == found
    some = (0, 0, 150, 100, 200, 100, 100, 100)
    for worth, mask in (((100,) * 8, 255), (some, 255 & ~3)):
        found = hands_by((nothing, nothing), lambda a, b, mask=mask: np.bitwise_count(fours_in(a, b) & mask))
        assert held("hand", fours_table=worth)["fours"].counts == found
    pair = (HALVES >> 13 & HALVES >> 14 & 1, nothing)
    assert held("hand")["pair"].counts == hands_by(pair)


POINTS = [
    {},
    {"long_run": "cap", "trump_pair": 35},
    {"run_points": (20, 50, 100, 150, 200, 250), "sequence_max": 8},
    {"run_points": (20, 50), "sequence_max": 4},
    {"run_points": (20,), "sequence_max": 3, "long_run": "cap", "trump_pair": 0},
    {"fours_table": (0, 0, 150, 100, 200, 100, 100, 100)},
    {"fours_table": (30, 10, 25, 0, 40, 10, 70, 5), "run_points": (15, 20, 25)},
]


@pytest.mark.parametrize("keys", POINTS, ids=str)
def test_points_of_every_hand(keys):
    rules = rules_with(**keys)
    worth, most, points = rules.melds.fours_table, rules.melds.sequence_max, rules.melds.run_points

    def value(length):
        if length < 3:
            return 0
        if rules.melds.long_run == "cap":
            return points[min(length, most) - 3]
        return max(points[block - 3] + value(length - block) for block in range(3, min(length, most) + 1))

    of_suit = np.array([sum(map(value, lengths(suit))) for suit in range(256)])
    runs = of_suit[HALVES >> 8] + of_suit[HALVES & 255]
    pairs = rules.melds.trump_pair * (HALVES >> 13 & HALVES >> 14 & 1)
    fours = np.array([sum(worth[rank] for rank in range(8) if mask >> rank & 1) for mask in range(256)])
    found = hands_by((runs + pairs, runs), lambda a, b: fours[fours_in(a, b)])
    assert meld_points(rules, "hand").counts == dict(sorted(found.items()))

    def better(a, b):
        """What an exclusive hand gets beyond its runs: one four and what it leaves of them, if that is not less."""
        mask = fours_in(a, b) & sum(1 << rank for rank in range(8) if worth[rank])
        more = fours[mask]
        for rank in range(8):
            where, keep = np.nonzero(mask == 1 << rank), ~(257 << rank)
            left, right = a[where[0], 0], b[where[1]]
            change = worth[rank] + runs[left & keep] + runs[right & keep] - runs[left] - runs[right]
            more[where] = np.maximum(change, 0)
        return more

    exclusive = Counter()
    for result, deals in scored_melds(rules_with(overlap="exclusive", **keys), (0,)).items():
        exclusive[sum(result.points)] += deals
    assert {points: Fraction(hands, 2) for points, hands in exclusive.items()} == hands_by((runs + pairs, runs), better)


# --- Every deal of small decks ---------------------------------------------------------------------------------------


def numbers(melds):
    """What one hand declares, by the names of the numbers."""
    found = Counter()
    for meld in melds:
        found["points"] += meld.points
        if meld.kind == RUN:
            found[f"run_{len(meld.cards)}"] += 1
            for least in range(3, len(meld.cards) + 1):
                found[f"run_{least}_up"] += 1
        elif meld.kind == FOUR:
            found["fours"] += 1
        else:
            assert meld.kind == PAIR
            found["pair"] += 1
    return found


SMALL = [
    {},
    {"run_points": (30, 45, 100)},
    {"sequence_max": 3, "long_run": "cap"},
    {"fours_table": (20, 0, 45, 100)},
    {"trump_pair": 35, "run_points": (7, 11, 13)},
]


@pytest.mark.parametrize("keys", SMALL, ids=str)
def test_every_deal_of_sixteen_cards(keys):
    rules = small("JQKA", **keys)
    found = {"hand": {}, "team": {}, "deal": {}}
    for hands, deals in every_deal(rules, 4, 4):
        held_by = [numbers(melds) for melds in hands]
        for scope, count in (("hand", 1), ("team", 2), ("deal", 4)):
            seats = ([0], [0, 2], [0, 1, 2, 3])[count // 2]
            for name in ("run_3", "run_4", "run_3_up", "run_4_up", "fours", "pair", "points"):
                number = sum(held_by[seat][name] for seat in seats)
                found[scope].setdefault(name, Counter())[number] += deals
    total = factorial(16) // factorial(4) ** 4
    for scope, names in found.items():
        exact = held_melds(rules, scope) | {"points": meld_points(rules, scope)}
        for name, counts in names.items():
            assert {value: exact[name].p(value) for value in exact[name].counts} == {
                value: Fraction(count, total) for value, count in counts.items()}, (scope, name)


# --- What follows without counting -----------------------------------------------------------------------------------


def test_means_add_up_over_hands():
    rules = rules_with(fours_table=(0, 0, 150, 0, 200, 0, 0, 100))
    points = [meld_points(rules, scope) for scope in ("hand", "team", "deal")]
    assert points[1].mean == 2 * points[0].mean
    assert points[2].mean == 4 * points[0].mean
    for name, hand in held("hand").items():
        assert held("team")[name].mean == 2 * hand.mean
        assert held("deal")[name].mean == 4 * hand.mean
    # A mean is a sum over melds: three fours, 450 together, the pair at 20, and runs.
    runs = sum(held("hand")[f"run_{length}"].mean * run_value(rules, length) for length in range(3, 9))
    assert points[0].mean == runs + 450 * Fraction(7, 3596) + 20 * Fraction(7, 124)


def test_the_worth_of_fours_leaves_the_rest_as_it_is():
    for scope in ("hand", "team", "deal"):
        some = held(scope, fours_table=(0, 0, 150, 100, 200, 100, 100, 100))
        for name, numbers_held in held(scope).items():
            assert (some[name] == numbers_held) == (name != "fours"), (scope, name)


def test_options_that_do_not_touch_what_is_held():
    keys = {"run_points": (1, 2, 3, 4), "sequence_max": 6, "long_run": "cap", "trump_pair": 0, "overlap": "exclusive",
            "meld_compare": "strongest", "seq_compare": "capped5"}
    for scope in ("hand", "team", "deal"):
        assert held(scope, **keys) == held(scope)


def test_a_distribution_counts():
    rolls = Distribution({1: 1, 2: 1, 6: 2}, 4)
    assert (rolls.p(6), rolls.p(5), rolls.at_least(2)) == (Fraction(1, 2), 0, Fraction(3, 4))
    assert rolls.mean == Fraction(15, 4)
