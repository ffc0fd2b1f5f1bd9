"""Cards, hands and deals as text: all spellings, parse and format inverse, mistakes named."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from mpsim.cards import (
    cards_of,
    format_card,
    format_cards,
    format_deal,
    format_holdings,
    parse_card,
    parse_cards,
    parse_deal,
    parse_holdings,
    suit_field,
    suit_signs,
    to_hand,
)
from mpsim.errors import CardError


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("7c", 0), ("Ac", 7), ("7d", 8), ("7s", 24), ("As", 31),
        ("JH", 20), ("Jh", 20), ("jh", 20), ("J♥", 20), ("J♡", 20), ("J♥\ufe0f", 20), (" Jh ", 20),
        ("10h", 19), ("Th", 19), ("TH", 19), ("10♥", 19), ("th", 19),
    ],
)
def test_spellings(text: str, card: int) -> None:
    assert parse_card(text) == card


NO_CARDS = ["", "J", "h", "6c", "11c", "JX", "1h", "0h", "hJ", "JhJ", "J h", "Jcc", "-", "♥", "10", "TTc"]


@pytest.mark.parametrize("text", NO_CARDS)
def test_no_card(text: str) -> None:
    with pytest.raises(CardError, match="is no card") as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)


def test_every_card_there_and_back() -> None:
    for card in range(32):
        assert parse_card(format_card(card)) == card
        assert parse_card(format_card(card, pretty=True)) == card
    assert format_card(-1) == "-"
    assert [format_card(card, pretty=True) for card in (0, 12, 20, 31)] == ["7♣", "J♦", "J♥", "A♠"]


@pytest.mark.parametrize("card", [-2, 32])
def test_no_number(card: int) -> None:
    with pytest.raises(CardError, match="0 to 31"):
        format_card(card)


def test_lists() -> None:
    hand = parse_cards("JH 9H, AS 10C,7D")
    assert cards_of(hand) == [3, 8, 18, 20, 31]
    assert hand == 1 << 3 | 1 << 8 | 1 << 18 | 1 << 20 | 1 << 31
    assert format_cards(hand) == "Tc 7d 9h Jh As"
    assert format_cards(hand, pretty=True) == "T♣ 7♦ 9♥ J♥ A♠"
    assert (parse_cards(""), format_cards(0), cards_of(0)) == (0, "", [])


def test_list_mistakes() -> None:
    with pytest.raises(CardError, match="the card Jh is given twice"):
        parse_cards("JH 9H J♥")
    with pytest.raises(CardError, match="2 cards where 5 are needed"):
        parse_cards("JH 9H", count=5)
    with pytest.raises(CardError, match="'XX' is no card"):
        parse_cards("JH XX")
    with pytest.raises(CardError, match="given twice"):
        to_hand([3, 3])


@pytest.mark.parametrize("hand", [-1, 1.5, None, "As"])
def test_what_is_no_hand(hand: Any) -> None:
    for spell in (format_cards, format_holdings):
        with pytest.raises(CardError, match=rf"^{hand!r} is no hand: give a whole number from 0 on"):
            spell(hand)


def test_what_is_in_no_deck() -> None:
    for spell in (format_cards, format_holdings):
        with pytest.raises(CardError, match=r"^32 is no card's number: they run from 0 to 31$"):
            spell(1 << 32)


@pytest.mark.parametrize("card", [-1, 32, 0.0, "As"])
def test_what_is_no_card_of_a_hand(card: Any) -> None:
    with pytest.raises(CardError, match=f"^{card!r} is no card's number: they run from 0 to 31$"):
        to_hand([card])


def test_whole_numbers_of_any_kind() -> None:
    assert format_cards(np.uint32(1 << 31)) == "As"
    assert (format_card(np.int8(31)), format_holdings(np.uint32(1 << 31 | 1))) == ("As", "A...7")
    assert to_hand(np.array([31, 0])) == 1 << 31 | 1


def test_holdings() -> None:
    hand = parse_holdings("AK.JT9..78")
    assert hand == parse_cards("As Ks Jh Th 9h 7c 8c")
    assert format_holdings(hand) == "AK.JT9..87"
    assert parse_holdings("ak.J109.-.87") == hand
    assert (parse_holdings("..."), format_holdings(0)) == (0, "...")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("AK.JT9.87", "four suits"),
        ("A.A.A.A.A", "four suits"),
        ("AA...", "As is given twice"),
        ("6...", "'6s' is no card"),
    ],
)
def test_holdings_mistakes(text: str, sentence: str) -> None:
    with pytest.raises(CardError, match=sentence):
        parse_holdings(text)


def test_random_deals_there_and_back() -> None:
    rng = random.Random(7)
    for _ in range(200):
        deck = rng.sample(range(32), 32)
        hands = tuple(to_hand(deck[8 * seat : 8 * seat + 8]) for seat in range(4))
        assert parse_deal(format_deal(hands)) == hands
        assert [parse_cards(format_cards(hand)) for hand in hands] == list(hands)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("AKQJT987... .AKQJT987.. ..AKQJT987.", "3 hands where 4"),
        ("AKQJT98... .AKQJT987.. ..AKQJT987. ...AKQJT987", "seat 0 has 7 cards where 8"),
        ("AKQJT987... AKQJT987... ..AKQJT987. ...AKQJT987", "given to two seats: 7s 8s 9s Ts Js Qs Ks As"),
        ("AKQJT98.7.. 7.AKQJT98.. ..AKQJT987. 7...AKQJT98", "given to two seats: 7s"),
    ],
)
def test_deal_mistakes(text: str, sentence: str) -> None:
    with pytest.raises(CardError, match=sentence):
        parse_deal(text)


def test_other_decks() -> None:
    """Ten ranks take sixteen numbers a suit: denari 0-9, coppe 16-25, spade 32-41, bastoni 48-57."""
    deck = "24567JHK3A", "dcsb"
    assert [parse_card(text, *deck) for text in ("2d", "Ad", "2c", "HS", "3b", "Ab")] == [0, 9, 16, 38, 56, 57]
    assert [format_card(card, *deck) for card in (0, 9, 16, 38, 57)] == ["2d", "Ad", "2c", "Hs", "Ab"]
    assert format_card(38, *deck, pretty=True) == "Hs"
    assert parse_cards("2d Ad 2c", *deck) == 1 | 1 << 9 | 1 << 16
    assert (suit_field(), suit_field(deck[0])) == (8, 16)
    assert (suit_signs(), suit_signs("dcsb")) == ("♣♦♥♠", "dcsb")


@pytest.mark.parametrize("text", ["Tc", "10c", "Jh", "J♣", "8d"])
def test_no_card_of_another_deck(text: str) -> None:
    cure = "write a rank of 2 4 5 6 7 J H K 3 A and a suit of d c s b, like JS$"
    with pytest.raises(CardError, match=rf"^{text!r} is no card: {cure}"):
        parse_card(text, "24567JHK3A", "dcsb")


@pytest.mark.parametrize("card", [-1, 10, 15, 31, 42, 58, 64])
def test_numbers_between_the_suits_are_no_cards(card: int) -> None:
    with pytest.raises(CardError, match=r"they run from 0 to 9, and as many from 16, 32 and 48 on$"):
        to_hand([card], "24567JHK3A", "dcsb")


def test_deals_of_another_deck() -> None:
    """Highest suit first: bastoni, spade, coppe, denari."""
    deck = "24567JHK3A", "dcsb"
    text = "A3KHJ76542... .A3KHJ76542.. ..A3KHJ76542. ...A3KHJ76542"
    hands = parse_deal(text, *deck)
    assert hands == tuple(0b1111111111 << 16 * suit for suit in (3, 2, 1, 0))
    assert format_deal(hands, *deck) == text
    assert parse_holdings("A...2", *deck) == 1 << 57 | 1
    with pytest.raises(CardError, match=r"parted by dots, b\.s\.c\.d$"):
        parse_holdings("A.2.3", *deck)
