"""Deals told to a person, against tests/data/narrated.txt.

`PYTHONPATH=src:tests python tests/referee/test_narrate.py > tests/data/narrated.txt` writes the file anew; a changed
rule shows there as a difference that a player can judge.
"""

import sys
from pathlib import Path

import pytest

from cases import EXCHANGE_CASES, exchange_deck, rules_with
from mpsim.cards import parse_card
from mpsim.referee import AlwaysBidder, ChanceBidder, GreedyPlayer, NeverBidder, narrate, play_deal

DATA = Path(__file__).parents[1] / "data" / "narrated.txt"
BIDDERS = [ChanceBidder(0.4)] * 4
PLAYERS = [GreedyPlayer()] * 4
DEALS = (20, 73, 10)
"""Of seed 1: a mesa with an exchange, a capo with the seven in the dealer's hand, a suit named in round 2."""


def playthrough():
    rules = rules_with()
    told = [narrate(play_deal(rules, 1, number, BIDDERS, PLAYERS), rules) for number in DEALS]
    told.append(narrate(play_deal(rules, 1, 1, [NeverBidder()] * 4, PLAYERS), rules))
    return f"\n\n{'=' * 60}\n\n".join(told) + "\n"


def test_playthrough():
    assert playthrough() == DATA.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("case_id", "sentence"),
    [
        ("T35", "Seat 1 swaps the 7♥ for the turned A♥; seat 3 takes the 7♥."),
        ("T37", "The turned 7♥ may not be swapped."),
        ("T38", "Nobody can swap the 7♥ for the turned A♥."),
        ("T39", "Seat 3 holds the 7♥ and takes the turned A♥ as well: no change."),
        ("T39/never", "Nobody swaps the 7♥ for the turned A♥: exchange_policy is never."),
    ],
)
def test_exchange_in_words(case_id, sentence):
    case = next(case for case in EXCHANGE_CASES if case.id == case_id)
    rules = rules_with(**case.keys)
    deck = [parse_card(card) for card in exchange_deck(case)]
    assert sentence in narrate(play_deal(rules, 1, 0, [AlwaysBidder()] * 4, PLAYERS, deck), rules)


def first_with(rules, wanted):
    records = (play_deal(rules, 1, number, BIDDERS, PLAYERS) for number in range(20_000))
    return next(record for record in records if wanted(record))


@pytest.mark.parametrize(
    ("keys", "wanted", "sentence"),
    [
        ({}, lambda r: r.settlement.outcome == "failed" and len(set(r.settlement.totals)) == 1,
         "Mesa, level counts as failed: the opponents score everything."),
        ({"mp_totals": "text152"}, lambda r: r.settlement.outcome == "failed" and 0 not in r.tricks,
         "score everything, but not the 10 for the last trick, which the printed totals leave out."),
        ({"mp_totals": "text152"}, lambda r: r.settlement.outcome == "failed" and 0 in r.tricks,
         "the opponents score everything.\n"),
        ({"meld_policy": "never"}, lambda r: r.taker >= 0, "Melds\n  None: meld_policy is never."),
        ({"tie_rule": "hang"}, lambda r: r.settlement.outcome == "hung", "points wait for a later deal."),
        ({"tie_rule": "made"}, lambda r: r.settlement.outcome == "made" and len(set(r.settlement.totals)) == 1,
         "Level: each team keeps its own."),
        ({"meld_compare": "by_category"}, lambda r: r.declared != r.counted, "does not count: not the better team's"),
        ({"melds_need_trick": True}, lambda r: any(r.tricks[s % 2] == 0 and m for s, m in enumerate(r.declared)),
         "won no trick, so its melds are lost."),
        ({}, lambda r: 1 in r.tricks, ": 1 trick, "),
        ({"aponta": True}, lambda r: not r.calls, "somebody's first cards are worth nothing"),
        ({"allpass_rotates": False}, lambda r: r.taker < 0, "the same player deals again"),
    ],
)
def test_outcomes_in_words(keys, wanted, sentence):
    rules = rules_with(**keys)
    assert sentence in narrate(first_with(rules, wanted), rules)


def test_who_declared_nothing_loses_nothing():
    rules = rules_with(melds_need_trick=True)

    def trickless_without_melds(record):
        trickless = record.tricks.index(0) if 0 in record.tricks else None
        return trickless is not None and any(record.declared) and not any(record.declared[trickless::2])

    told = narrate(first_with(rules, trickless_without_melds), rules)
    assert "Points scored: team 0" in told
    assert "melds are lost" not in told


if __name__ == "__main__":
    sys.stdout.write(playthrough())
