"""Shuffle and deal; cases T32 and T33."""

import pytest

from cases import DEAL_CASES, rules_with
from mpsim.cards import cards_of, parse_cards
from mpsim.referee import below, deal_first, deal_rest, remainder, shuffle, somebody_has_nothing, upcard_receiver


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


def test_a_draw_of_zero_takes_the_first_place_and_the_lowest_card(monkeypatch):
    """All cards in number order to seats 0, 1, 2, 3, and out of each hand the lowest last, the next two before it."""
    monkeypatch.setattr("mpsim.referee.deal.draws", lambda seed, number, purpose, count: [0] * count)
    dealt = deal_first(shuffle(1, 2, rules_with()), rules_with())
    assert dealt.first == tuple(tuple(range(8 * seat + 3, 8 * seat + 8)) for seat in range(4))
    assert dealt.upcard == 24
    assert dealt.stock == (1, 9, 17, 25, 2, 10, 18, 26, 0, 8, 16)


def test_draws_of_all_ones_take_the_last_place_and_the_highest_card(monkeypatch):
    """Number order to seats 3, 2, 1, 0; draws for the three last cards give the eighth, the seventh and the sixth."""
    monkeypatch.setattr("mpsim.referee.deal.draws", lambda seed, number, purpose, count: [2**32 - 1] * count)
    dealt = deal_first(shuffle(1, 2, rules_with()), rules_with())
    assert dealt.first == tuple(tuple(range(24 - 8 * seat, 29 - 8 * seat)) for seat in range(4))
    assert dealt.upcard == 7
    assert dealt.stock == (30, 22, 14, 6, 29, 21, 13, 5, 31, 23, 15)


def test_what_a_small_choice_leaves_of_a_draw():
    """The upper three bits choose one of eight; the others move up, but for the five that are never used."""
    bits = 0b101_1100_1010_0000_1111_0000_1110_11111
    assert below(bits, 8) == 0b101
    assert remainder(bits, 8) == 0b1100_1010_0000_1111_0000_1110_00000000
    assert below(remainder(bits, 8), 4) == 0b11


def test_every_packet_gets_every_card_alike():
    """Chi-square of cards by packet over 3200 deals: 341 degrees of freedom, sd 26; alarm above 4 sd (fixed seed).

    A deal is a whole assignment of 32 cards, not 32 independent ones, hence 31/32.
    """
    rules = rules_with()
    deals, sizes = 3200, [5] * 4 + [1] + [2] * 4 + [1] * 3
    counts = [[0] * 32 for _ in sizes]
    for number in range(deals):
        dealt = deal_first(shuffle(5, number, rules), rules)
        stock = dealt.stock
        pairs = [(stock[seat], stock[4 + seat]) for seat in range(4)]
        packets = [*dealt.first, (dealt.upcard,), *pairs, *((card,) for card in stock[8:])]
        for packet, cards in enumerate(packets):
            for card in cards:
                counts[packet][card] += 1
    expected = [deals * size / 32 for size in sizes]
    chi2 = sum((n - mean) ** 2 / mean for row, mean in zip(counts, expected, strict=True) for n in row) * 31 / 32
    assert abs(chi2 - 341) < 4 * 26


@pytest.mark.parametrize(("hand", "expected"), [("7c 8d 9h 9s 8c", True), ("7c 8d 9h 9s Jc", False)])
def test_aponta_looks_at_side_suit_values(hand, expected):
    """M19: nines count nothing in a side suit, jacks two."""
    first = (tuple(cards_of(parse_cards(hand))), (31,), (30,), (29,))
    assert somebody_has_nothing(first, rules_with()) is expected
