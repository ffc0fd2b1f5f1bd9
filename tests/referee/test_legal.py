"""Legal cards; cases T01 to T21 in every column of the table of flags."""

from itertools import combinations, product

import pytest

from cases import LEGAL_CASES, PLAY_FLAGS, madrasso_deck, preset_with, rules_with
from mpsim.cards import cards_of, format_card, parse_card, parse_cards
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


def legal_in(rules, contract, trick, hand):
    deck = rules.deck
    cards = [[parse_card(card, deck.ranks, deck.suits) for card in text.split()] for text in (hand, trick)]
    found = legal_cards(*cards, order_of(deck, contract), rules.play)
    return " ".join(format_card(card, deck.ranks, deck.suits) for card in found)


COLUMN_OF = {"bulgarian": "BG", "belote": "B3", "belote-bg": "B3", "madrasso": "MA", "mpourloto": "MP none"}


@pytest.mark.parametrize("game", COLUMN_OF)
def test_presets_have_the_flags_of_their_column(game):
    for case in LEGAL_CASES:
        if COLUMN_OF[game] in case.legal:
            expected = set(case.legal[COLUMN_OF[game]].split())
            assert set(legal_in(preset_with(game), case.contract, case.trick, case.hand).split()) == expected


@pytest.mark.parametrize(
    ("contract", "trick", "hand", "always", "not_over_partner"),
    [
        # Trumps led, partner has the king: the jack beats it.
        ("s", "8s Ks 7s", "Js Ts Ad", "Js Ts", "Js Ts"),
        ("s", "Ts 8s 7s", "Js Qs Ad", "Js", "Js"),
        ("s", "8s As 7s", "Js Qs Ad", "Js", "Js Qs"),
        # All trumps, T17: partner has the nine.
        ("AT", "8d 9d 7d", "Jd Ad Kh", "Jd", "Jd Ad"),
        ("AT", "9d 8d 7d", "Jd Ad Kh", "Jd", "Jd"),
    ],
)
def test_B10_beating_a_partner_in_trumps(contract, trick, hand, always, not_over_partner):
    """Fourth hand: the partner played second."""
    assert legal_in(preset_with("bulgarian"), contract, trick, hand) == always
    relieved = preset_with("bulgarian", head_trump_vs_partner=False)
    assert legal_in(relieved, contract, trick, hand) == not_over_partner


def test_B10_says_nothing_of_side_suits():
    """Mpourloto: a side suit must be beaten over one's partner all the same."""
    assert legal_in(rules_with(head_trump_vs_partner=False), "s", "8h Kh Qh", "Ah 7h") == "Ah"


@pytest.mark.parametrize(
    ("trick", "hand", "bare", "free"),
    [
        # The partner, second, has ruffed: a hand of trumps only must go higher where it can.
        ("Ah 8s 7h", "9s 7s", "9s", "9s 7s"),
        ("Ah Js 7h", "9s 7s", "9s 7s", "9s 7s"),
        # A side card in hand, a partner who wins without a ruff, an opponent who wins: nothing changes.
        ("Ah 8s 7h", "9s 7s Kd", "9s 7s Kd", "9s 7s Kd"),
        ("7h Ah 8h", "9s 7s", "9s 7s", "9s 7s"),
        ("Ah 7h 8s", "9s 7s", "9s", "9s"),
    ],
)
def test_nothing_but_trumps_over_a_partners_ruff(trick, hand, bare, free):
    assert legal_in(preset_with("contree"), "s", trick, hand) == bare
    assert legal_in(preset_with("contree", bare_trumps_overruff=False), "s", trick, hand) == free
    # Without relief the duty to overruff binds anyway.
    no_relief = preset_with("contree", bare_trumps_overruff=False, partner_relief="none")
    assert legal_in(no_relief, "s", "Ah 8s 7h", "9s 7s Kd") == "9s"


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
