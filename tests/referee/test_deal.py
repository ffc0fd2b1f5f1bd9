"""Shuffle and deal; cases T32 and T33."""

import pytest

from cases import DEAL_CASES, rules_with
from mpsim.cards import cards_of, parse_cards
from mpsim.referee import below, deal_first, deal_rest, draws, shuffle, somebody_has_nothing, upcard_receiver


@pytest.mark.parametrize("case", DEAL_CASES, ids=lambda case: case.id)
def test_dealing_order(case):
    rules = rules_with(**case.keys)
    dealt = deal_first(range(32), rules)
    assert dealt.upcard == case.upcard
    assert deal_rest(dealt, 3, rules) == tuple(tuple(sorted(hand)) for hand in case.hands)


def test_taker_receives_the_turned_card_in_turn():
    """M11: seat 1 takes card 20, so the last round gives 29 to seat 0, 30 to seat 2, 31 to seat 3."""
    rules = rules_with(upcard_to="taker")
    hands = deal_rest(deal_first(range(32), rules), upcard_receiver(1, rules), rules)
    assert [hand[-3:] for hand in hands] == [(21, 25, 29), (20, 22, 26), (23, 27, 30), (24, 28, 31)]


def test_dealer_receives_the_turned_card_of_a_thrown_in_deal():
    assert upcard_receiver(-1, rules_with(upcard_to="taker")) == 3
    assert upcard_receiver(1, rules_with()) == 3


def test_shuffle_draws_from_what_remains():
    bits = draws(7, 11, 0, 31)
    remaining, expected = list(range(32)), []
    for k, word in enumerate(bits):
        card = remaining[below(word, 32 - k)]
        remaining.remove(card)
        expected.append(card)
    assert shuffle(7, 11) == expected + remaining


def test_shuffle_is_uniform():
    """Chi-square of cards by places over 3200 deals: 961 degrees of freedom, sd 44; alarm above 4 sd (fixed seed)."""
    deals = 3200
    counts = [[0] * 32 for _ in range(32)]
    for number in range(deals):
        for place, card in enumerate(shuffle(5, number)):
            counts[card][place] += 1
    mean = deals / 32
    chi2 = sum((n - mean) ** 2 / mean for row in counts for n in row)
    assert abs(chi2 - 961) < 4 * 44


@pytest.mark.parametrize(("hand", "expected"), [("7c 8d 9h 9s 8c", True), ("7c 8d 9h 9s Jc", False)])
def test_aponta_looks_at_side_suit_values(hand, expected):
    """M19: nines count nothing in a side suit, jacks two."""
    first = (tuple(cards_of(parse_cards(hand))), (31,), (30,), (29,))
    assert somebody_has_nothing(first, rules_with()) is expected
