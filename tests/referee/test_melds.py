"""Melds of a hand and their comparison; cases T41 to T56."""

from itertools import combinations

import pytest

from cases import COMPARE_CASES, MELD_CASES, preset_with, rules_with
from mpsim.cards import cards_of, parse_card, parse_cards, parse_deal
from mpsim.referee import (
    ChanceBidder,
    GreedyPlayer,
    announced,
    counting,
    declare,
    find_runs,
    order_of,
    play_deal,
    scored_melds,
    team_points,
)


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


def points_in(name, hand, contract):
    """What a hand declares under a preset, before any comparison."""
    rules = preset_with(name)
    deck = rules.deck
    cards = cards_of(parse_cards(hand, deck.ranks, deck.suits))
    return sum(meld.points for meld in declare(cards, order_of(deck, contract), rules))


@pytest.mark.parametrize(
    ("id_", "hand", "contract", "bulgarian", "belote"),
    [
        ("T41", "7h 8h 9h Th Jh Qh Kh Ah", "h", 120, 120),
        ("T42", "7h 8h 9h Th Jh Qh Kh Jc", "s", 100, 100),
        ("T43", "7c 7d 7h 7s 8c 8d 8h 8s", "s", 0, 0),
        ("T44", "Jc Jd Jh Js 7c 8d 7h Ts", "s", 200, 200),
        ("T46", "Qs Js Ts 9s Ac Tc Kc 7d", "s", 50, 50),
        ("T47", "Ah 7h 8h Td Jd Ac Kc 7s", "h", 0, 0),
        ("T51", "Tc Td Th Ts 7c 8d 7h 8s", "s", 100, 0),
        # Four nines 150; a card in a run and a four: 200 + 20 where each serves once, 200 + 100 where it serves twice.
        ("nines", "9c 9d 9h 9s 7c 8d Kh Ks", "c", 150, 150),
        ("overlap", "8h 9h Th Jh Qh Jc Jd Js", "s", 220, 300),
        # T83: four jacks in no trumps are worth nothing, and neither is a pair.
        ("T83", "Jc Jd Jh Js Kc Qc Kd Qd", "NT", 0, 0),
        # In all trumps each suit has its pair.
        ("pairs", "Kc Qc Kd Qd Kh Qh 7s 8s", "AT", 60, 60),
        ("one", "Kc Qc Kd Qd Kh Qh 7s 8s", "c", 20, 20),
    ],
)
def test_melds_of_other_games(id_, hand, contract, bulgarian, belote):
    found = points_in("bulgarian", hand, contract), points_in("belote", hand, contract)
    assert found == (bulgarian, belote), id_


def test_madrasso_has_no_melds():
    """Neither runs of five, nor four aces, nor any pair."""
    assert points_in("madrasso", "2d 4d 5d 6d 7d Ad Ac As Ab Kd", "d") == 0


def test_a_run_ends_with_its_suit_in_a_deck_of_ten_ranks():
    """A of denari is card 9, 2 of coppe card 16."""
    rules = preset_with("madrasso", run_points=(20, 50, 100))
    assert [run.cards for run in find_runs([7, 8, 9, 16, 17, 18], rules)] == [(7, 8, 9), (16, 17, 18)]
    assert find_runs([8, 9, 16, 17], rules) == []


def test_B14_another_order_of_fours():
    """Four queens against four tens, worth 100 each: A T K Q has the tens first, A K Q T the queens."""
    deal = "Q.Q8.QJ.AQ7 KT.T9.T7.JT J8.KJ.AK9.K A97.A7.8.98"
    points = {}
    for order in ("J9ATKQ87", "J9AKQT87"):
        rules = preset_with("bulgarian", fours_order=order)
        found = [declare(cards_of(hand), order_of(rules.deck, "s"), rules) for hand in parse_deal(deal)]
        points[order] = team_points(counting(found, rules))
    assert points == {"J9ATKQ87": (0, 100), "J9AKQT87": (100, 0)}


T56_HAND = "Kc Qc 7d 8d 9s Ts As 7s"


def kept_after(tricks, contract="AT", **keys):
    """Points of seat 0's pair of clubs after some tricks, each written in play order."""
    rules = preset_with("bulgarian", **keys)
    order = order_of(rules.deck, contract)
    declared = (declare(cards_of(parse_cards(T56_HAND)), order, rules), (), (), ())
    plays = [parse_card(card) for trick in tricks for card in trick.split()]
    return team_points(announced(declared, plays, order, rules))[0]


def test_T56_the_first_of_a_pair_thrown_on_another_suit_loses_it():
    hearts_led = "Ah 7h 8h Kc"
    assert kept_after([hearts_led, "Qc 7c 8c 9c"]) == 0
    assert kept_after(["9h Qc Th Jh", "Ac Kc 7c 8c"]) == 0
    assert kept_after([hearts_led, "Qc 7c 8c 9c"], belot_on_discard=True) == 20


def test_T56_led_or_on_a_club_lead_it_counts():
    assert kept_after(["Kc 7c 8c 9c", "Ah 7h 8h Qc"]) == 20
    assert kept_after(["Ac Kc 7c 8c", "Ah 7h 8h Qc"]) == 20
    assert kept_after(["Ac 9c Tc Qc", "Kc 7c 8c Jc"]) == 20


def test_T56_in_a_suit_contract_a_trump_always_counts():
    """Kc ruffs a heart lead, or goes under a higher ruff."""
    assert kept_after(["Ah 7h 8h Kc", "Qc 7c 8c 9c"], "c") == 20
    assert kept_after(["Ah Jc 8h Kc", "Qc 7c 8c 9c"], "c") == 20


def test_a_lost_pair_stays_declared():
    """All trumps, random deals: what is declared and not counted is a pair thrown away, or beaten in comparison."""
    rules = preset_with("bulgarian", meld_compare="none")
    lost = 0
    for number in range(300):
        record = play_deal(rules, 3, number, [ChanceBidder(0.5)] * 4, [GreedyPlayer()] * 4, contract="AT", taker=0)
        for seat in range(4):
            for meld in set(record.declared[seat]) - set(record.counted[seat]):
                assert meld.kind == "pair"
                ply = min(record.plays.index(card) for card in meld.cards)
                assert record.plays[ply] // 8 != record.plays[ply // 4 * 4] // 8
                lost += 1
        counted = [sum(m.points for m in record.counted[seat]) for seat in range(4)]
        assert record.melds == (counted[0] + counted[2], counted[1] + counted[3])
    assert lost > 5
