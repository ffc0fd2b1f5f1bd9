"""Deals told to a person, against tests/data/narrated.txt.

`PYTHONPATH=src:tests python tests/referee/test_narrate.py` writes it anew, and tests/data/narrated_games.txt with the
other games; a changed rule shows there as a difference that a player can judge.
"""

from pathlib import Path

import pytest

from cases import EXCHANGE_CASES, exchange_deck, preset_with, rules_with
from mpsim.cards import parse_card
from mpsim.referee import AlwaysBidder, ChanceBidder, GreedyPlayer, LadderChanceBidder, NeverBidder, narrate, play_deal

DATA = Path(__file__).parents[1] / "data" / "narrated.txt"
GAMES = DATA.with_name("narrated_games.txt")
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


# --- Other games -----------------------------------------------------------------------------------------------------

LADDER = [LadderChanceBidder(0.4)] * 4
BULGARIAN = preset_with("bulgarian")


def laid(rules, contract, taker, deal=3):
    """A deal whose contract is given."""
    return play_deal(rules, 1, deal, [None] * 4, PLAYERS, contract=contract, taker=taker)


def first_of(rules, bidders, wanted):
    records = (play_deal(rules, 1, number, bidders, PLAYERS) for number in range(20_000))
    return narrate(next(record for record in records if wanted(record)), rules)


def ended(outcome, times=1, level=None, contract=None):
    """Whether a deal ended so."""
    def wanted(record):
        same = record.settlement.totals[0] == record.settlement.totals[1]
        return (record.settlement.outcome == outcome and record.multiplier == times
                and level in (None, same) and contract in (None, record.contract))

    return wanted


TOLD = [
    ("bulgarian", 7, LADDER), ("bulgarian", 19, LADDER), ("bulgarian", 342, LADDER), ("bulgarian", 200, LADDER),
    ("madrasso", 3, BIDDERS), ("contree", 2, BIDDERS),
]
"""No trumps redoubled and made; all trumps with a pair thrown away; both sides at the limit digit; a redoubled deal
that hangs; Madrasso with a swap; trumps by lot."""


def games():
    told = []
    for name, number, bidders in TOLD:
        rules = preset_with(name)
        told.append(narrate(play_deal(rules, 1, number, bidders, PLAYERS), rules))
    return f"\n\n{'=' * 60}\n\n".join(told) + "\n"


def test_other_games():
    assert games() == GAMES.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("keys", "wanted", "sentences"),
    [
        ({}, ended("made", 1), ["calls ", "; team ", "Made: each team scores its own.\n  In tens: "]),
        ({}, ended("made", 2), [" doubles\n", ", doubled; team ", "the makers score everything twice.", ", twice "]),
        ({}, ended("failed", 4), [" redoubles\n", ", redoubled; team ",
                                  "Lost: the opponents score everything four times."]),
        ({}, ended("failed", 1, contract="h"), ["Lost: the opponents score everything.\n  In tens: "]),
        ({}, ended("hung", 1, contract="AT"), [
            "The contract is all trumps; team ", "Level: the makers' ",
            " points wait for a later deal.\n  In tens: ", ", the opponents' half ",
        ]),
        ({}, ended("hung", 2), ["Level: all ", "points wait for a later deal.\n  In tens: "]),
        ({"hang_doubled": "half"}, ended("hung", 2), ["Level: the makers' ", ", the opponents' half ", ", twice "]),
        ({"tie_rule": "made"}, ended("made", 2, True), ["Level: each team keeps its own twice.\n  In tens: "]),
        ({"tie_rule": "fail"}, ended("failed", 1, True),
         ["Lost, level counts as failed: the opponents score everything."]),
        ({}, ended("made", 1, contract="NT"), [" card points, doubled in no trumps, and 20 for the last trick.",
                                               "Melds\n  None: nothing is declared in no trumps."]),
        ({"nt_multiplier": 1, "limit_digits": (6, 4, 5)}, ended("made", 1, contract="NT"),
         [" card points and 10 for the last trick."]),
        ({}, lambda r: r.contract == "AT" and any(set(d) - set(c) and d[-1].kind == "pair" and d[-1] not in c
                                                  for d, c in zip(r.declared, r.counted, strict=True)),
         ["(20), does not count: the first of the two was thrown on another suit"]),
        ({"round_then_multiply": False}, ended("made", 4), [" everything four times.\n  In tens: ", ", four times "]),
        ({"capot_cancels_double": True}, lambda r: 0 in r.tricks and ended("made", 2)(r),
         ["All tricks went to one team, so the double does not count.\n", "scores its own."]),
    ],
    ids=lambda value: "deal" if callable(value) else str(value),  # a function's address is another in each process
)
def test_the_ladder_in_words(keys, wanted, sentences):
    told = first_of(preset_with("bulgarian", **keys), LADDER, wanted)
    for sentence in sentences:
        assert sentence in told


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({}, "a last 6 rounds up for the team with fewer points and down for the other."),
        ({"round_tie": "caller_low"}, "a last 6 rounds down for the makers and up for the opponents."),
        ({"round_tie": "up"}, "a last 6 rounds up."),
        ({"round_tie": "down"}, "a last 6 rounds down."),
    ],
)
def test_the_limit_digit_in_words(keys, sentence):
    def at_limit(record):
        return (record.settlement.outcome == "made" and record.multiplier == 1 and record.contract in "cdhs"
                and record.settlement.totals[0] % 10 == 6)

    rules = preset_with("bulgarian", **keys)
    assert sentence in first_of(rules, LADDER, at_limit)
    below = first_of(rules, LADDER, lambda r: ended("made")(r) and r.settlement.totals[0] % 10 == 7)
    assert "a last" not in below


def test_a_deal_of_madrasso_in_words():
    rules = preset_with("madrasso")
    told = narrate(laid(rules, "s", None), rules)
    assert "Team 0: seats 0 (leads first) and 2.  Team 1: seats 1 and 3 (deals)." in told
    assert "Auction\n  None: trumps are spade, and no team has to make anything." in told
    assert "Turned up, the last of seat 3: " in told
    assert "Melds" not in told
    assert "Each team scores what it took.\n  Written down: team 0 " in told
    assert "\n  1   0: " in told


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (lambda r: r.exchanger in (0, 1, 2), "seat 3 takes the 7"),
        (lambda r: r.exchanger == 3, "Seat 3 holds the 7"),
        (lambda r: r.exchanger < 0 and r.seven >= 0, ", which ranks no higher.\n  Seat 3 keeps it."),
        (lambda r: r.seven < 0, "may not be swapped.\n  Seat 3 keeps it."),
    ],
)
def test_madrassos_exchange_in_words(wanted, sentence):
    assert sentence in first_of(preset_with("madrasso"), BIDDERS, wanted)


def test_a_sweep_in_words():
    rules = preset_with("madrasso")
    assert " won all tricks, which wins the match." in first_of(rules, BIDDERS, lambda r: 0 in r.tricks)


def test_no_exchange_where_nothing_is_turned():
    told = narrate(laid(BULGARIAN, "h", 2), BULGARIAN)
    assert "Exchange" not in told
    assert "Turned up" not in told
    assert "Auction\n  None: seat 2 has hearts; team 0 must make it." in told
    contree = preset_with("contree")
    assert "Auction\n  By lot: seat 2 has hearts; team 0 must make it." in narrate(laid(contree, "h", 2), contree)


def test_suits_without_names_go_by_their_letters():
    rules = rules_with(suits="wxyz")
    told = narrate(laid(rules, "y", 1), rules)
    assert "None: seat 1 has y; team 1 must make it." in told
    assert "  z " in told


if __name__ == "__main__":
    DATA.write_text(playthrough(), encoding="utf-8")
    GAMES.write_text(games(), encoding="utf-8")
