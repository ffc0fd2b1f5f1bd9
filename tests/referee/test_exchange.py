"""The swap of the seven; cases T35 to T39, on whole deals."""

from dataclasses import dataclass

import pytest

from cases import EXCHANGE_CASES, exchange_deck, rules_with
from mpsim.cards import SUITS, parse_card
from mpsim.referee import NeverBidder, RandomPlayer, play_deal


@dataclass
class NamesIn:
    """Names a suit in one round."""

    round: int
    suit: int

    def call(self, view):
        return self.suit if view.round == self.round else None


def play(case):
    bidders = [NeverBidder()] * 4
    bidders[case.taker] = NamesIn(case.round, SUITS.index(case.contract))
    deck = [parse_card(card) for card in exchange_deck(case)]
    return play_deal(rules_with(**case.keys), 1, 0, bidders, [RandomPlayer()] * 4, deck)


@pytest.mark.parametrize("case", EXCHANGE_CASES, ids=lambda case: case.id)
def test_exchange(case):
    record = play(case)
    assert (record.round, record.taker, record.contract) == (case.round, case.taker, case.contract)
    assert record.exchanger == case.exchanger
    for seat, cards in case.ends_with.items():
        for card in cards.split():
            assert parse_card(card) in record.hands[seat], card
    assert sorted(card for hand in record.hands for card in hand) == list(range(32))
    assert [len(hand) for hand in record.hands] == [8] * 4


def test_T39_hands_are_the_same_with_and_without():
    with_it, without = (play(case) for case in EXCHANGE_CASES if case.id.startswith("T39"))
    assert with_it.hands == without.hands
    assert with_it.plays == without.plays
