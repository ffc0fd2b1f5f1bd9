"""A deck that is only cut between deals (C2): how it is gathered, cut and dealt on."""

import pytest

from cases import preset_with, rules_with
from mpsim.cards import cards_of
from mpsim.errors import UsageError
from mpsim.referee import (
    ChanceBidder,
    GreedyPlayer,
    NeverBidder,
    RandomPlayer,
    cut,
    deal_first,
    draws,
    gathered,
    play_deal,
    shuffle,
)

BIDDERS = [ChanceBidder(0.3)] * 4
PLAYERS = [GreedyPlayer(), RandomPlayer(), GreedyPlayer(), RandomPlayer()]


def deal(rules, number, bidders=BIDDERS, deck=None, seed=5):
    return play_deal(rules, seed, number, bidders, PLAYERS, deck)


def by_sides(record):
    """The makers' tricks in the order won, then the others', from the rows of the record."""
    tricks = [record.plays[4 * k : 4 * k + 4] for k in range(len(record.winners))]
    makers = 0 if record.taker < 0 else record.taker % 2
    own = [trick for trick, seat in zip(tricks, record.winners, strict=True) if seat % 2 == makers]
    others = [trick for trick, seat in zip(tricks, record.winners, strict=True) if seat % 2 != makers]
    return [card for trick in own + others for card in trick]


def cut_by_hand(pile, number, seed=5):
    """Cut where the first draw of the deal's own stream says, in as many equal parts as there are cards."""
    place = int(draws(seed, number, 0, 1)[0] / 2**32 * len(pile))
    return pile[place:] + pile[:place]


@pytest.mark.parametrize("keys", [{}, {"gather": "in_order"}], ids=str)
def test_each_deal_is_dealt_from_the_deck_of_the_one_before(keys):
    rules = rules_with(shuffle="cut_only", chain=8, **keys)
    records = [deal(rules, number) for number in range(16)]
    assert any(record.taker < 0 for record in records)
    for number, record in enumerate(records):
        if number % 8 == 0:
            deck = shuffle(5, number, rules)
        else:
            before = records[number - 1]
            pile = by_sides(before) if rules.deal.gather == "by_side" else list(before.plays)
            pile = pile or [card for hand in before.hands for card in sorted(hand)]
            deck = cut_by_hand(pile, number)
        assert record == deal(rules_with(), number, deck=deck)
        assert record == deal(rules, number, deck=deck)


def test_who_was_thrown_in_lays_the_hands_together():
    rules = rules_with(shuffle="cut_only")
    record = deal(rules, 0, [NeverBidder()] * 4, deck=range(32))
    hands = [(0, 4, 8, 12, 16, 21, 25, 29), (1, 5, 9, 13, 17, 22, 26, 30), (2, 6, 10, 14, 18, 23, 27, 31),
             (3, 7, 11, 15, 19, 20, 24, 28)]
    assert gathered(record, rules) == [card for hand in hands for card in hand]


def test_without_makers_team_0_lies_on_top():
    rules = preset_with("madrasso", shuffle="cut_only")
    record = deal(rules, 0)
    assert gathered(record, rules) == by_sides(record)
    first = record.winners[[seat % 2 for seat in record.winners].index(0)]
    assert first % 2 == 0
    assert sorted(gathered(record, rules)) == list(rules.deck.cards)


def test_a_cut_moves_the_upper_part_below(monkeypatch):
    pile = list(range(32))
    for place in (0, 1, 31):
        monkeypatch.setattr("mpsim.referee.gather.draws", lambda *_, p=place: [p << 27])
        assert cut(pile, 1, 2) == [*range(place, 32), *range(place)]


def test_a_table_of_one_deal_is_a_shuffled_deck():
    rules = rules_with(shuffle="cut_only", chain=1)
    assert [deal(rules, number) for number in range(5)] == [deal(rules_with(), number) for number in range(5)]


def test_a_given_contract_holds_for_the_whole_table():
    """Two deals without an auction: the second deck is what the first leaves."""
    rules = rules_with(shuffle="cut_only")
    first = play_deal(rules, 5, 0, BIDDERS, PLAYERS, contract="h", taker=1)
    second = play_deal(rules, 5, 1, BIDDERS, PLAYERS, contract="h", taker=1)
    assert second.first == deal_first(cut_by_hand(by_sides(first), 1), rules).first


@pytest.mark.parametrize("number", [-1, 1.0, "1", 2**64])
def test_odd_deal_numbers_are_refused(number):
    with pytest.raises(UsageError, match=r"^deal = \S+ is no whole number"):
        deal(rules_with(shuffle="cut_only"), number)


def test_rows_of_a_cut_deck_hold_all_cards():
    row = deal(preset_with("bulgarian", shuffle="cut_only", kind="drawn"), 3).row()
    assert sorted(card for seat in range(4) for card in cards_of(row[f"hand_{seat}"])) == list(range(32))
