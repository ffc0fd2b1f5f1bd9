"""Legal cards; cases T01 to T21 in every column of the table of flags."""

from itertools import combinations, product

import pytest

from cases import LEGAL_CASES, PLAY_FLAGS, madrasso_deck, rules_with
from mpsim.cards import cards_of, parse_card, parse_cards
from mpsim.referee import legal_cards, order_of

COLUMNS = [(case, column) for case in LEGAL_CASES for column in case.legal]


@pytest.mark.parametrize(("case", "column"), COLUMNS, ids=[f"{case.id}-{column}" for case, column in COLUMNS])
def test_legal(case, column):
    rules = rules_with(**PLAY_FLAGS[column])
    deck = madrasso_deck() if column.startswith("MA") else rules.deck
    trick = [parse_card(card, deck.ranks, deck.suits) for card in case.trick.split()]
    hand = [parse_card(card, deck.ranks, deck.suits) for card in case.hand.split()]
    legal = legal_cards(hand, trick, order_of(deck, case.contract), rules.play)
    assert sorted(legal) == cards_of(parse_cards(case.legal[column], deck.ranks, deck.suits))


def test_leading_anything_goes():
    rules = rules_with()
    assert legal_cards([3, 9, 30], [], order_of(rules.deck, "c"), rules.play) == [3, 9, 30]


def test_must_ruff_but_not_overruff():
    """All flags but must_overruff: over a ruff any trump will do; none is needed without must_underruff."""
    rules = rules_with(must_overruff=False)
    order = order_of(rules.deck, "s")
    trick, hand = [parse_card(c) for c in ("Ah", "9s")], [parse_card(c) for c in ("7s", "Js", "Kd")]
    assert legal_cards(hand, trick, order, rules.play) == hand[:2]
    free = rules_with(must_overruff=False, must_underruff=False)
    assert legal_cards(hand, trick, order, free.play) == hand


FLAGS = [dict(zip(("head_plain", "head_trump", "must_ruff", "must_overruff", "must_underruff", "partner_relief"), v,
                  strict=True))
         for v in product((False, True), (False, True), (False, True), (False, True), (False, True),
                          ("none", "follow", "ruff", "full"))]


def test_never_empty_and_within_the_hand():
    """All 128 settings of the flags on every hand of three out of eight cards, against tricks of every length."""
    cards = [parse_card(card) for card in ["9h", "Kh", "8s", "Js", "Ac", "7d", "Td", "Qs"]]
    tricks = [[parse_card(card) for card in text.split()] for text in ("Ah", "8h 9s", "Th 7s As", "Ks", "8d Ad 7s")]
    for flags in FLAGS:
        play = rules_with(**flags).play
        for contract in ("s", "NT", "AT"):
            order = order_of(rules_with().deck, contract)
            for trick in tricks:
                for hand in combinations(cards, 3):
                    legal = legal_cards(hand, trick, order, play)
                    assert legal
                    assert set(legal) <= set(hand)
