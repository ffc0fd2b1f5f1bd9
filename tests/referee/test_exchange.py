"""The swap of the seven; cases T35 to T39 and T93, on whole deals."""

from dataclasses import dataclass

import pytest

from cases import EXCHANGE_CASES, exchange_deck, preset_with, rules_with
from mpsim.cards import SUITS, parse_card
from mpsim.referee import NeverBidder, RandomPlayer, exchangeable, play_deal


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


def madrasso(upcard, seven_at, policy="better", **keys):
    """Madrasso with a card turned and the seven of its suit in one place of the deck."""
    rules = preset_with("madrasso", exchange_policy=policy, **keys)
    deck = list(rules.deck.cards)
    for card, place in ((upcard, 19), ("7" + upcard[1], seven_at)):
        number = parse_card(card, rules.deck.ranks, rules.deck.suits)
        at = deck.index(number)
        deck[place], deck[at] = number, deck[place]
    record = play_deal(rules, 1, 0, [NeverBidder()] * 4, [RandomPlayer()] * 4, deck)
    assert record.contract == upcard[1]
    assert record.upcard == deck[19]
    return record


def holds(record, seat, card):
    return parse_card(card, "24567JHK3A", "dcsb") in record.hands[seat]


@pytest.mark.parametrize("seven_at", [6, 36])
def test_T93_the_seven_for_a_higher_card(seven_at):
    """Places 6 and 36 are seat 2's, among the first cards and the last; the swap waits for the first card played."""
    record = madrasso("3d", seven_at)
    assert record.exchanger == 2
    assert holds(record, 2, "3d")
    assert holds(record, 3, "7d")
    # The cards held before the swap: the turned card is one of the dealer's.
    assert record.upcard in record.first[3]
    assert record.seven not in record.first[3]


def test_T93_no_swap_for_a_seven():
    record = madrasso("7d", 19)
    assert (record.exchanger, record.seven) == (-1, -1)


def test_T93_allowed_but_not_wanted_for_a_lower_card():
    record = madrasso("5d", 6)
    assert (record.exchanger, record.seven) == (-1, parse_card("7d", "24567JHK3A", "dcsb"))
    assert holds(record, 2, "7d")
    assert madrasso("5d", 6, "always").exchanger == 2


@pytest.mark.parametrize(("rank", "swaps"), [("J", True), ("H", True), ("A", True), ("6", False), ("2", False)])
def test_better_goes_by_rank(rank, swaps):
    """A 3 K H J rank above the seven, 6 5 4 2 below; with the six above the seven it is worth a swap too."""
    assert (madrasso(rank + "s", 36).exchanger == 2) is swaps
    six_over_seven = {"plain_order": "A3KHJ67542", "trump_order": "A3KHJ67542"}
    assert (madrasso(rank + "s", 36, **six_over_seven).exchanger == 2) is (swaps or rank == "6")


def test_a_seven_that_comes_late_is_no_use_in_the_first_cards_window():
    assert madrasso("3d", 36, exchange_window="first5").exchanger == -1
    assert madrasso("3d", 6, exchange_window="first5").exchanger == 2


def test_a_dealer_with_the_seven_swaps_with_himself():
    record = madrasso("3d", 38)
    assert record.exchanger == 3
    assert holds(record, 3, "3d")
    assert holds(record, 3, "7d")


def test_nothing_turned_nothing_swapped():
    rules = preset_with("bulgarian")
    assert exchangeable(-1, "c", rules) == -1
    # No trumps and all trumps have no suit whose seven it could be.
    turned = preset_with("bulgarian", turn_up=True)
    assert [exchangeable(15, contract, turned) for contract in ("d", "c", "NT", "AT")] == [8, 8, -1, -1]


def test_another_rank_may_be_the_seven():
    """The nine of hearts for the turned ace, but not for the turned nine."""
    rules = rules_with(exchange_rank="9")
    assert exchangeable(parse_card("Ah"), "h", rules) == parse_card("9h")
    assert exchangeable(parse_card("7h"), "h", rules) == parse_card("9h")
    assert exchangeable(parse_card("9h"), "h", rules) == -1
    by_trump = rules_with(exchange_rank="9", exchange_suit="trump")
    assert exchangeable(parse_card("Ah"), "s", by_trump) == parse_card("9s")


def test_better_in_another_suit_compares_each_in_its_own():
    """The nine of trumps has one card above it in its suit, like a side ten: only the turned ace ranks higher."""
    by_trump = {"exchange_policy": "better", "exchange_suit": "trump", "exchange_rank": "9"}
    for card, swaps in (("Ah", True), ("Th", False), ("Kh", False)):
        case = next(case for case in EXCHANGE_CASES if case.id == "T36/trump")._replace(upcard=card, first={2: "9s"})
        bidders = [NamesIn(2, 3), *[NeverBidder()] * 3]
        deck = [parse_card(name) for name in exchange_deck(case)]
        record = play_deal(rules_with(**by_trump), 1, 0, bidders, [RandomPlayer()] * 4, deck)
        assert (record.exchanger == 2) is swaps
