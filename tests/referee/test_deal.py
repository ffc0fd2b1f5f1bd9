"""Shuffle and deal; cases T32 to T34."""

import pytest

from cases import DEAL_CASES, preset_with, rules_with
from mpsim.cards import cards_of, parse_cards
from mpsim.referee import below, deal_first, deal_rest, draws, remainder, shuffle, somebody_has_nothing, upcard_receiver


@pytest.mark.parametrize("case", DEAL_CASES, ids=lambda case: case.id)
def test_dealing_order(case):
    rules = rules_with(**case.keys)
    dealt = deal_first(range(32), rules)
    assert dealt.upcard == case.upcard
    assert deal_rest(dealt, 3, rules) == tuple(tuple(sorted(hand)) for hand in case.hands)


def madrasso_places(rules, receiver):
    """Madrasso's 40 cards in number order dealt, each hand as the places its cards had in the deck."""
    deck = rules.deck.cards
    dealt = deal_first(deck, rules)
    hands = deal_rest(dealt, receiver, rules)
    return deck.index(dealt.upcard), [[deck.index(card) for card in hand] for hand in hands], dealt


def test_T34_madrasso_turns_the_dealers_last_card_of_the_packet_of_two():
    rules = preset_with("madrasso")
    upcard, hands, dealt = madrasso_places(rules, upcard_receiver(-1, rules))
    assert upcard == 19
    assert hands[0] == [0, 1, 2, 12, 13, 20, 21, 22, 32, 33]
    assert hands[1] == [3, 4, 5, 14, 15, 23, 24, 25, 34, 35]
    assert hands[2] == [6, 7, 8, 16, 17, 26, 27, 28, 36, 37]
    assert hands[3] == [9, 10, 11, 18, 19, 29, 30, 31, 38, 39]
    assert dealt.upcard in dealt.first[3]


def test_D2_madrasso_with_the_21st_card_turned():
    """It lies on the table, and the dealer takes it as the last card of his last packet: places move up by one."""
    rules = preset_with("madrasso", upcard_index=20)
    upcard, hands, dealt = madrasso_places(rules, upcard_receiver(-1, rules))
    assert upcard == 20
    assert hands[0] == [0, 1, 2, 12, 13, 21, 22, 23, 33, 34]
    assert hands[3] == [9, 10, 11, 18, 19, 20, 30, 31, 32, 39]
    assert not any(dealt.upcard in hand for hand in dealt.first)


def test_who_has_the_turned_card():
    assert upcard_receiver(-1, preset_with("madrasso")) == 3
    assert upcard_receiver(2, preset_with("bulgarian")) == -1
    # A card of the dealer's own is nobody else's to take.
    assert upcard_receiver(2, rules_with(upcard_index=19, upcard_to="taker")) == 3


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


def by_hand(seed, number, rules):
    """First and late cards of each seat, and the dealer's turned card, by the order in which draws are used.

    A number below n from 27 bits b is the whole part of b * n / 2^27, and its fraction makes the next number.
    """
    bits = iter(draws(seed, number, 0, 80))
    size, late = rules.hand_size, sum(rules.deal.packets_after)
    free = [seat for seat in range(4) for _ in range(size)]
    hands = [[], [], [], []]
    for card in rules.deck.cards:
        hands[free.pop((next(bits) >> 5) * len(free) >> 27)].append(card)

    def several(*sizes):
        fraction = (next(bits) >> 5) / 2**27
        for n in sizes:
            yield int(fraction * n)
            fraction = fraction * n % 1

    lates = [[hand.pop(k)] for hand, k in zip(hands, several(*[size] * 4), strict=True)]
    for hand, own in zip(hands, lates, strict=True):
        left = late - 1
        while left:
            sizes = (len(hand), len(hand) - 1)[:left]
            own += [hand.pop(k) for k in several(*sizes)]
            left -= len(sizes)
    own_card = rules.deal.turn_up and rules.deal.upcard_index < 4 * (size - late)
    turned = hands[3][next(several(size - late))] if own_card else lates[3][0] if rules.deal.turn_up else -1
    return hands, lates, turned


GAMES = [
    preset_with("mpourloto"), preset_with("bulgarian"), preset_with("madrasso"), preset_with("contree"),
    preset_with("madrasso", upcard_index=20), rules_with(upcard_index=19), rules_with(packets=(4,), packets_after=(4,),
    upcard_index=16), rules_with(packets=(7,), packets_after=(1,), upcard_index=28),
    rules_with(packets=(3, 3), packets_after=(2,), upcard_index=23), preset_with("bulgarian", packets=(1,),
    packets_after=(2, 3, 2)),
]


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.name} {rules.deal.packets}")
def test_the_deck_deals_what_was_drawn(rules):
    for number in range(50):
        hands, lates, turned = by_hand(11, number, rules)
        deck = shuffle(11, number, rules)
        assert sorted(deck) == list(rules.deck.cards)
        dealt = deal_first(deck, rules)
        assert [list(hand) for hand in dealt.first] == hands
        assert dealt.upcard == turned
        full = deal_rest(dealt, 3, rules)
        assert [list(hand) for hand in full] == [sorted(a + b) for a, b in zip(hands, lates, strict=True)]


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
