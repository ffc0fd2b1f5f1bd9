"""Bidders and players, decisions worked out by hand."""

from types import SimpleNamespace

import pytest

from cases import rules_with
from mpsim.cards import parse_card
from mpsim.referee import (
    BidView,
    GreedyPlayer,
    PlayView,
    PointBidder,
    RandomPlayer,
    hand_strength,
    legal_cards,
    order_of,
)

RULES = rules_with()


def cards(text):
    return [parse_card(word) for word in text.split()]


def choose(player, hand, trick="", before="", trump="s", took=False, draw=0):
    """The player's card, legal under Mpourloto's rules; `before` was played in earlier tricks."""
    order = order_of(RULES.deck, trump)
    held, table = sorted(cards(hand)), cards(trick)
    view = PlayView(held, table, {*cards(before), *table}, order, took)
    return player.choose(view, legal_cards(held, table, order, RULES.play), draw)


@pytest.mark.parametrize(
    ("draw", "card"),
    [(0, "8s"), (2**30 - 1, "8s"), (2**30, "Js"), (2**31, "7c"), (2**31 + 2**30, "7h"), (2**32 - 1, "7h")],
)
def test_random_counts_from_the_suit_after_trumps(draw, card):
    """Hearts are trumps, so spades come first, weakest card first."""
    assert choose(RandomPlayer(), "7c 7h Js 8s", trump="h", draw=draw) == parse_card(card)


LEADS = [
    # Own contract: the jack of trumps is master while trumps are out.
    ("Js 7s Ac Kd", "", "s", True, "Js"),
    # The nine is not master, the ace of clubs is.
    ("9s 7s Ac Kd", "", "s", True, "Ac"),
    # It is once the jack has gone.
    ("9s 7s Ac Kd", "Js", "s", True, "9s"),
    # All other trumps are gone: no more trumps are drawn.
    ("Js 7s Ac Kd", "8s 9s Ts Qs Ks As", "s", True, "Ac"),
    # The other side's contract: no trumps; no master, so the lowest.
    ("Js Kd 9c 7h", "", "s", False, "7h"),
    # The ten is master once the ace has gone, and the highest master is led.
    ("Td Kc 7h", "Ad Ac Tc", "s", False, "Td"),
    # Between two aces the suit after trumps.
    ("Ac Ad", "", "s", False, "Ac"),
    ("Ac Ad", "", "c", False, "Ad"),
    # Only trumps, not master.
    ("Qs 8s", "", "s", False, "8s"),
]


@pytest.mark.parametrize(("hand", "before", "trump", "took", "card"), LEADS)
def test_greedy_leads(hand, before, trump, took, card):
    assert choose(GreedyPlayer(), hand, "", before, trump, took) == parse_card(card)


FOLLOWS = [
    # Partner has the trick and I am last: the highest side card that is not master.
    ("Kd 7c Ac", "7h Ah 8h", "", "Kd"),
    ("Kh 9h", "7h Ah 8h", "", "Kh"),
    # Only masters to spare: the lower, or the first suit after trumps.
    ("Ac Ad", "7h Ah 8h", "", "Ac"),
    # Partner's ace is master though I am third; the ten is as good as an ace now and is kept.
    ("Th 8h", "Ah 7h", "", "8h"),
    ("Kh 8h", "Ah 7h", "", "Kh"),
    # Partner has the trick but must be ruffed: the lowest trump.
    ("Js 9s 7s", "Ah 7h", "", "7s"),
    # Partner's king may still be beaten, so I beat it.
    ("Th 8h", "Kh 7h", "", "Th"),
    # Last: as cheaply as possible.
    ("Jh Ah", "7h 8h 9h", "", "Jh"),
    # Not last: with a master, or, without one, as cheaply as possible.
    ("Jh Ah", "7h 8h", "", "Ah"),
    ("Jh Kh", "7h 8h", "", "Jh"),
    # The lower of two masters.
    ("Th Ah", "7h 8h", "", "Th"),
    # Ruffing third: no trump is out above the nine once the jack has gone.
    ("9s 7s", "7h 8h", "Js", "9s"),
    ("9s 7s", "7h 8h", "", "7s"),
    # Beaten: the least.
    ("Kh 7h", "Ah", "", "7h"),
    ("9s 8s Kd", "Js", "", "8s"),
    ("Kd 9c 8c", "Ah 9s", "", "8c"),
]


@pytest.mark.parametrize(("hand", "trick", "before", "card"), FOLLOWS)
def test_greedy_follows(hand, trick, before, card):
    assert choose(GreedyPlayer(), hand, trick, before) == parse_card(card)


#                                        7  8  9  T  J  Q  K  A
TRUMP = SimpleNamespace(cards=(1, 2, 9, 5, 10, 3, 4, 6), length=(0, 0, 1, 3, 6, 10, 15, 21, 28))
SIDE = SimpleNamespace(cards=(0, 0, 0, 2, 0, 0, 1, 5), length=(2, 1, 0, 0, 0, 0, 0, 0, 0))


def count(round1, round2, counts_upcard=False):
    return SimpleNamespace(
        trump=TRUMP, side=SIDE, accept=SimpleNamespace(round1=round1, round2=round2), counts_upcard=counts_upcard
    )


def test_strength_of_a_hand():
    """Jh 9h with hearts: 19 + 1; Ac: 5 + 1; Kd 7d: 1 + 0; no spades: 2."""
    hand = cards("Jh 9h Ac Kd 7d")
    assert hand_strength(hand, 2, count([], [])) == 20 + 6 + 1 + 2
    # Clubs: 6 + 0 (length 1); hearts as a side suit 0; diamonds 1; spades 2.
    assert hand_strength(hand, 0, count([], [])) == 6 + 0 + 1 + 2


def view(number, seat, allowed, brings=False):
    return BidView(seat, number, tuple(cards("Jh 9h Ac Kd 7d")), parse_card("Th"), allowed, brings, (0, 0))


def test_point_bidder_needs_its_seats_threshold():
    bidder = PointBidder(count([29, 30, 29, 30], [30, 29, 30, 29]))
    assert [bidder.call(view(1, seat, (2,))) for seat in range(4)] == [2, None, 2, None]
    assert [bidder.call(view(2, seat, (0, 1, 2, 3))) for seat in range(4)] == [None, 2, None, 2]


def test_point_bidder_names_the_lowest_of_equal_suits():
    """Clubs 6 + 0 and 1 + 2; without hearts next best: diamonds 4 + 1 + 1 (two cards), side 6 + 2 = 14."""
    assert hand_strength(cards("Jh 9h Ac Kd 7d"), 1, count([], [])) == 6 + 6 + 0 + 2
    flat = SimpleNamespace(cards=(0,) * 8, length=(0,) * 9)
    level = SimpleNamespace(trump=flat, side=flat, accept=SimpleNamespace(round1=[0] * 4, round2=[0] * 4),
                            counts_upcard=False)
    assert PointBidder(level).call(view(2, 0, (0, 1, 2, 3))) == 0
    assert PointBidder(level).call(view(2, 0, (1, 2, 3))) == 1
    assert PointBidder(count([0] * 4, [0] * 4)).call(view(2, 0, (0, 1, 3))) == 1


def test_point_bidder_counts_the_turned_card_that_would_be_his():
    """With Th: 24 + 3 for three hearts, and 6 + 1 + 2 beside them: 36."""
    bidder = PointBidder(count([36] * 4, [36] * 4, counts_upcard=True))
    assert bidder.call(view(1, 3, (2,), brings=True)) == 2
    assert bidder.call(view(1, 3, (2,), brings=False)) is None
