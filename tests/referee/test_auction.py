"""The auction: order, rounds, draws; case T40."""

from dataclasses import dataclass

import pytest

from cases import rules_with
from mpsim.cards import SUITS
from mpsim.errors import PolicyError
from mpsim.referee import (
    AlwaysBidder,
    ChanceBidder,
    Match,
    NeverBidder,
    RandomPlayer,
    deal_first,
    draws,
    hold_auction,
    play_deal,
)

NEVER = [NeverBidder()] * 4
BITS = list(range(100, 112))


@dataclass
class Scripted:
    """Names `suit` in `round` and keeps what it was shown."""

    round: int
    suit: int | None
    views: list

    def call(self, view):
        self.views.append(view)
        return self.suit if view.round == self.round else None


def scripted(seat, number, suit, views):
    return [Scripted(number, suit if s == seat else None, views) for s in range(4)]


def auction(rules, bidders, bits=BITS):
    """Over the deck 0..31, whose card 20 (Jh) is turned."""
    return hold_auction(deal_first(range(32), rules), rules, bidders, bits)


def test_first_acceptance_ends_the_auction():
    result = auction(rules_with(), scripted(2, 1, 2, []))
    assert [call.suit for call in result.calls] == [None, None, 2]
    assert (result.round, result.taker, result.contract) == (1, 2, "h")


@pytest.mark.parametrize("suit", range(4))
def test_T40_round_two_may_name_any_suit(suit):
    result = auction(rules_with(), scripted(1, 2, suit, []))
    assert (result.round, result.taker, result.contract) == (2, 1, SUITS[suit])
    assert len(result.calls) == 6


def test_M9_round_two_without_the_refused_suit():
    views = []
    rules = rules_with(round2_any_suit=False)
    auction(rules, scripted(0, 3, None, views))
    assert {view.allowed for view in views if view.round == 1} == {(2,)}
    assert {view.allowed for view in views if view.round == 2} == {(0, 1, 3)}
    with pytest.raises(PolicyError, match=r"seat 0 named suit 2 in round 2: name 0 \(c\), 1 \(d\) or 3 \(s\), or pass"):
        auction(rules, scripted(0, 2, 2, []))


def test_T40_eight_passes_score_nothing_and_move_the_deal():
    rules = rules_with()
    record = play_deal(rules, 1, 0, NEVER, [RandomPlayer()] * 4)
    assert len(record.calls) == 8
    assert (record.round, record.taker, record.contract, record.exchanger) == (0, -1, "none", -1)
    assert (record.settlement.scores, record.settlement.outcome) == ((0, 0), "thrown_in")
    match = Match(rules, dealer=3)
    match.add(record.settlement)
    assert (match.scores, match.dealer, match.winner) == ([0, 0], 0, None)


def test_M10_same_dealer_after_eight_passes():
    rules = rules_with(allpass_rotates=False)
    match = Match(rules, dealer=2)
    match.add(play_deal(rules, 1, 0, NEVER, [RandomPlayer()] * 4).settlement)
    assert match.dealer == 2


def test_a_thrown_in_deal_is_dealt_out():
    deck = list(range(32))
    record = play_deal(rules_with(upcard_to="taker"), 1, 0, NEVER, [RandomPlayer()] * 4, deck)
    assert record.hands[0] == (0, 4, 8, 12, 16, 21, 25, 29)
    assert record.hands[3] == (3, 7, 11, 15, 19, 20, 24, 28)
    assert record.row()["plays"] == bytes([255] * 32)


def test_aponta_throws_the_deal_in_before_anybody_speaks():
    """Seat 0 gets places 0, 4, .. 16 of the deck: sevens, eights and a nine."""
    worthless = [0, 8, 16, 24, 1]
    others = [card for card in range(32) if card not in worthless]
    deck = [worthless[k // 4] if k % 4 == 0 and k < 20 else others.pop() for k in range(32)]
    always = [AlwaysBidder()] * 4
    record = play_deal(rules_with(aponta=True), 1, 0, always, [RandomPlayer()] * 4, deck)
    assert record.calls == ()
    assert record.settlement.outcome == "thrown_in"
    assert play_deal(rules_with(), 1, 0, always, [RandomPlayer()] * 4, deck).taker == 0


def test_each_seat_has_its_own_draws():
    views = []
    auction(rules_with(), scripted(0, 3, None, views))
    assert [view.draws for view in views] == [
        (100,), (101,), (102,), (103,), (104, 105), (106, 107), (108, 109), (110, 111),
    ]


def test_always_takes_the_turned_suit_or_the_lowest():
    never_but_last = [NeverBidder()] * 3
    assert auction(rules_with(), [*never_but_last, AlwaysBidder()])[1:4] == (1, 3, "h")


def test_only_the_dealer_can_count_on_the_turned_card():
    views = []
    auction(rules_with(), scripted(0, 3, None, views))
    assert [view.brings_upcard for view in views] == [False, False, False, True] * 2
    views.clear()
    auction(rules_with(upcard_to="taker"), scripted(0, 3, None, views))
    assert all(view.brings_upcard for view in views)


def test_chance_bidder_uses_its_two_draws():
    """One half: accepted below 2^31; in round 2 the second draw, here at its greatest, names the last allowed suit."""
    low, high = 2**31 - 1, 2**31
    bits = [high] * 4 + [high, 0, low, 2**32 - 1, 0, 0, 0, 0]
    half = [ChanceBidder(0.5)] * 4
    assert auction(rules_with(), half, bits)[1:4] == (2, 1, "s")
    assert auction(rules_with(), half, [high, low] + [0] * 10)[1:4] == (1, 1, "h")
    assert auction(rules_with(), [ChanceBidder(0.0)] * 4, [0] * 12).taker == -1
    assert auction(rules_with(), [ChanceBidder(1.0)] * 4, [2**32 - 1] * 12).taker == 0


def test_deals_use_the_auction_stream():
    record = play_deal(rules_with(), 9, 4, [ChanceBidder(0.3)] * 4, [RandomPlayer()] * 4)
    bits = draws(9, 4, 1, 12)
    takes = [bit / 2**32 < 0.3 for bit in [*bits[:4], *bits[4::2]]]
    assert len(record.calls) == (takes.index(True) + 1 if True in takes else 8)
