"""Whole deals: the invariants that must hold in every one, for the game and every rule turned alone."""

import numpy as np
import pytest

from cases import BG_FOURS, PLAY_FLAGS, rules_with
from mpsim.errors import CardError, PolicyError, UsageError
from mpsim.referee import ChanceBidder, GreedyPlayer, RandomPlayer, order_of, play_deal

SWITCHES = [
    {}, {"upcard_to": "taker"}, {"round2_any_suit": False}, {"aponta": True}, {"exchange_suit": "trump"},
    {"exchange_suit": "upcard_if_trump"}, {"exchange_window": "full_hand"}, {"exchange_policy": "never"},
    {"long_run": "cap"}, {"fours_table": BG_FOURS}, {"overlap": "exclusive"}, {"meld_compare": "by_category"},
    {"meld_compare": "strongest"}, {"melds_need_trick": True}, {"meld_policy": "never"}, *list(PLAY_FLAGS.values())[1:],
    {"capo_mode": "add"}, {"tie_rule": "hang"}, {"tie_rule": "made"}, {"mp_totals": "text152"},
]
BIDDERS = [ChanceBidder(0.3)] * 4
PLAYERS = [GreedyPlayer(), RandomPlayer(), GreedyPlayer(), RandomPlayer()]


@pytest.fixture(scope="module", params=SWITCHES, ids=str)
def played(request):
    """Rules and their first 200 deals of seed 3."""
    rules = rules_with(**request.param)
    return rules, [play_deal(rules, 3, number, BIDDERS, PLAYERS) for number in range(200)]


def decided(records):
    return [record for record in records if record.taker >= 0]


def test_cards(played):
    _, records = played
    for record in records:
        assert sorted(card for hand in record.hands for card in hand) == list(range(32))
        assert [len(hand) for hand in record.hands] == [8] * 4
        assert [len(hand) for hand in record.first] == [5] * 4


def test_every_ply(played):
    """Each card played was legal and held; seats take turns from the last trick's winner."""
    _, records = played
    for record in decided(records):
        held = [set(hand) for hand in record.hands]
        leader = 0
        for ply, (seat, card, legal) in enumerate(zip(record.seats, record.plays, record.legal, strict=True)):
            assert seat == (leader + ply) % 4
            assert card in legal
            assert set(legal) <= held[seat]
            held[seat].remove(card)
            if ply % 4 == 3:
                leader = record.winners[ply // 4]
        assert not any(held)


def test_points(played):
    """152 in cards; 10, or the bonus for all tricks, on top; each trick holds what its cards count."""
    rules, records = played
    all_tricks = 90 + (10 if rules.score.capo_mode == "add" else 0) - (10 if rules.score.mp_totals == "text152" else 0)
    for record in decided(records):
        order = order_of(rules.deck, record.contract)
        held = [sum(order.points[c] for c in record.plays[4 * k : 4 * k + 4]) for k in range(8)]
        assert list(record.trick_points) == held
        assert sum(held) == 152
        assert record.tricks == (sum(w % 2 == 0 for w in record.winners), sum(w % 2 for w in record.winners))
        assert sum(record.points) == 152 + (all_tricks if 0 in record.tricks else 10)


def test_scores_hold_all_points_and_melds(played):
    """What is written down, what hangs and (text152) the unpaid 10 add up to points and melds."""
    rules, records = played
    for record in decided(records):
        deal = record.settlement
        unpaid = 10 if rules.score.mp_totals == "text152" and deal.outcome == "failed" and 0 not in record.tricks else 0
        assert sum(deal.scores) + deal.hung + unpaid == sum(record.points) + sum(record.melds)
        makers = record.taker % 2
        if deal.outcome != "made":
            assert deal.scores[makers] == 0


def test_exchange_moves_the_turned_card(played):
    """Whoever swaps ends with the turned card; nobody else's hand changes but the receiver's."""
    rules, records = played
    for record in decided(records):
        holder = record.exchanger if record.exchanger >= 0 else record.receiver
        assert record.upcard in record.hands[holder]
        if record.exchanger >= 0:
            assert record.seven in record.hands[record.receiver]
    swaps = sum(record.exchanger >= 0 for record in records)
    assert (swaps == 0) == (rules.exchange.exchange_policy == "never")


def test_rows_have_all_columns():
    """Names and order of the run files' columns, and a row written out by hand from the record."""
    record = play_deal(rules_with(), 3, 0, BIDDERS, PLAYERS)
    row = record.row()
    names = ("deal hand_0 hand_1 hand_2 hand_3 first_0 first_1 first_2 first_3 upcard round taker contract multiplier "
             "exchanger meld_0 meld_1 tricks_0 tricks_1 points_0 points_1 score_0 score_1 outcome plays")
    assert list(row) == names.split()
    assert row["hand_0"] | row["hand_1"] | row["hand_2"] | row["hand_3"] == 2**32 - 1
    assert (row["first_1"] & ~row["hand_1"]).bit_count() <= 1
    assert list(row["plays"]) == list(record.plays)


def test_deals_do_not_depend_on_who_plays_them():
    deals = [play_deal(rules_with(), 8, 5, BIDDERS, [player] * 4) for player in (GreedyPlayer(), RandomPlayer())]
    assert deals[0].hands == deals[1].hands
    assert deals[0].calls == deals[1].calls
    assert deals[0].plays != deals[1].plays


def test_greedy_beats_random():
    """Sides swap on the same 300 deals; the mean gain is far more than 4 standard errors."""
    greedy, random = GreedyPlayer(), RandomPlayer()
    gains = []
    for number in range(300):
        for players, sign in (([greedy, random] * 2, 1), ([random, greedy] * 2, -1)):
            points = play_deal(rules_with(), 2, number, BIDDERS, players).points
            gains.append(sign * (points[0] - points[1]))
    mean = sum(gains) / len(gains)
    deviation = (sum((gain - mean) ** 2 for gain in gains) / len(gains)) ** 0.5
    assert mean > 4 * deviation / len(gains) ** 0.5


def play_with(deck=None, seed=1, deal=0, bidders=BIDDERS, players=PLAYERS):
    return play_deal(rules_with(), seed, deal, bidders, players, deck)


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        (range(31), "the deck has 31 cards where 32 are needed: give each card once"),
        (range(33), "the deck has 33 cards where 32 are needed: give each card once"),
        ([*range(31), 30], "the card Ks is given twice: each card exists once"),
        (range(1, 33), "32 is no card's number: they run from 0 to 31"),
        (range(-1, 31), "-1 is no card's number: they run from 0 to 31"),
        (["As"] * 32, "'As' is no card's number: they run from 0 to 31"),
    ],
)
def test_other_decks_are_refused(deck, sentence):
    with pytest.raises(CardError, match=f"^{sentence}$"):
        play_with(deck)


def test_a_deck_of_numpy_numbers_is_a_deck():
    assert play_with(np.arange(32, dtype=np.uint8)) == play_with(range(32))


@pytest.mark.parametrize("number", [-1, 2**64, 1.0, True, "1"])
def test_seeds_and_deals_out_of_range_are_refused(number):
    sentence = r"{} = \S+ is no whole number from 0 to 2\^64 - 1: give one that is$"
    with pytest.raises(UsageError, match=sentence.format("seed")):
        play_with(seed=number)
    with pytest.raises(UsageError, match=sentence.format("deal")):
        play_with(deal=number)


def test_the_largest_seed_and_deal():
    record = play_with(seed=2**64 - 1, deal=2**64 - 1)
    assert sorted(card for hand in record.hands for card in hand) == list(range(32))


def test_four_at_the_table():
    with pytest.raises(PolicyError, match="3 bidders are given where 4 are needed: give one for each seat"):
        play_with(bidders=BIDDERS[:3])
    with pytest.raises(PolicyError, match="5 players are given where 4 are needed: give one for each seat"):
        play_with(players=[*PLAYERS, RandomPlayer()])


def test_a_card_that_is_not_legal_is_refused():
    class Cheat:
        def choose(self, view, legal, draw):
            return -1

    choices = r"\d+ \(.[cdhs]\)(, \d+ \(.[cdhs]\))* or \d+ \(.[cdhs]\)"
    with pytest.raises(PolicyError, match=rf"^a player chose -1, which may not be played: choose {choices}$"):
        play_deal(rules_with(), 1, 0, [ChanceBidder(1.0)] * 4, [Cheat()] * 4)
