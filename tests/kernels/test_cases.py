"""The worked cases of Mpourloto on the kernels: rows of the state are filled by hand, one part of the game is run."""

from __future__ import annotations

import numpy as np
import pytest

from cases import (
    COMPARE_CASES,
    DEAL_CASES,
    EXCHANGE_CASES,
    MELD_CASES,
    SCORE_CASES,
    WINNER_CASES,
    exchange_deck,
    rules_with,
)
from kernels.compare import CODES, kernel_columns
from kernels.harness import Words, new_state, places, row
from mpsim.cards import SUITS, format_card, parse_card, parse_cards, parse_deal
from mpsim.engine.batch import play_batch
from mpsim.kernels import lanes
from mpsim.kernels.deal import deal
from mpsim.kernels.exchange import complete, exchange
from mpsim.kernels.lanes import STRIDE
from mpsim.kernels.melds import melds
from mpsim.kernels.score import MELD0, settle
from mpsim.policies import load_policies
from mpsim.rules.tables import rule_tables

OF_MPOURLOTO = {"c", "d", "h", "s"}


def fill(state: Words, **values: int) -> None:
    """Set rows by name in every lane."""
    for name, value in values.items():
        row(state, getattr(lanes, name))[:] = np.uint32(value & 0xFFFFFFFF)


def read(state: Words, start: int) -> int:
    """The value that a row has in every lane."""
    (value,) = set(row(state, start).tolist())
    return value


def hands_of(state: Words) -> list[int]:
    return [read(state, lanes.HAND0 + seat * STRIDE) for seat in range(4)]


def word(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


# --- Deal and exchange -----------------------------------------------------------------------------------------------


def put_deck(state: Words, deck: list[int]) -> None:
    """The rows that `deal` fills, from 32 cards in dealing order."""
    for seat in range(4):
        fill(state, **{f"FIRST{seat}": word(deck[seat:20:4]), f"HAND{seat}": word([deck[21 + seat], deck[25 + seat]])})
    fill(state, UP=1 << deck[20], UP_CARD=deck[20], UP_SUIT=deck[20] // 8)
    fill(state, **{f"LATE{place}": 1 << deck[29 + place] for place in range(3)})


def test_T32_deal_order() -> None:
    """The case's deck, in dealing order, laid out in rows and completed."""
    (case,) = (case for case in DEAL_CASES if case.id == "T32")
    state = new_state()
    put_deck(state, list(range(32)))
    fill(state, ROUND=1, TAKER=0, TRUMP=0)
    complete(state, rule_tables(rules_with(**case.keys)).deal)
    assert read(state, lanes.UP_CARD) == case.upcard
    assert hands_of(state) == [word(list(hand)) for hand in case.hands]


def test_a_draw_of_zero_takes_the_first_place_and_the_lowest_card() -> None:
    """A generator whose state is all zeros draws nothing but zeros: seat by seat, the lowest card of a hand last."""
    state = new_state()
    deal(state, rule_tables(rules_with()).deal)
    for seat, late in enumerate((lanes.LATE0, lanes.LATE1, lanes.LATE2, lanes.UP)):
        lowest = 8 * seat
        assert read(state, late) == word([lowest])
        assert read(state, lanes.HAND0 + seat * lanes.STRIDE) == word([lowest + 1, lowest + 2])
        assert read(state, lanes.FIRST0 + seat * lanes.STRIDE) == word(list(range(lowest + 3, lowest + 8)))
    assert (read(state, lanes.UP_CARD), read(state, lanes.UP_SUIT)) == (24, 3)


def exchanged(case) -> Words:
    state, rules = new_state(), rule_tables(rules_with(**case.keys)).deal
    put_deck(state, [parse_card(card) for card in exchange_deck(case)])
    fill(state, ROUND=case.round, TAKER=case.taker, TRUMP=SUITS.index(case.contract))
    complete(state, rules)
    exchange(state, rules)
    return state


@pytest.mark.parametrize("case", EXCHANGE_CASES, ids=lambda case: case.id)
def test_exchange(case) -> None:
    state = exchanged(case)
    assert read(state, lanes.EXCHANGER) == case.exchanger & 0xFFFFFFFF
    hands = hands_of(state)
    for seat, cards in case.ends_with.items():
        assert hands[seat] & parse_cards(cards) == parse_cards(cards)
    assert [hand.bit_count() for hand in hands] == [8] * 4
    assert hands[0] | hands[1] | hands[2] | hands[3] == 0xFFFFFFFF


def test_T39_hands_are_the_same_with_and_without() -> None:
    with_it, without = (hands_of(exchanged(case)) for case in EXCHANGE_CASES if case.id.startswith("T39"))
    assert with_it == without


@pytest.mark.parametrize("case", EXCHANGE_CASES, ids=lambda case: case.id)
def test_no_exchange_when_thrown_in(case) -> None:
    """The deal is completed all the same, the dealer taking the turned card."""
    state = exchanged(case._replace(round=0, taker=0))
    deck = [parse_card(card) for card in exchange_deck(case)]
    assert read(state, lanes.EXCHANGER) == 0xFFFFFFFF
    places_dealt = [[*range(seat, 20, 4), 21 + seat, 25 + seat, (29, 30, 31, 20)[seat]] for seat in range(4)]
    assert hands_of(state) == [word([deck[place] for place in places]) for places in places_dealt]


def test_T40_eight_passes_score_nothing() -> None:
    columns = kernel_columns(rules_with(), load_policies("greedy", "never"), 1, 0, 300)
    assert (columns["outcome"] == CODES["outcome"]["thrown_in"]).all()
    for name in ("round", "score_0", "score_1", "points_0", "points_1", "tricks_0", "tricks_1", "meld_0", "meld_1"):
        assert not columns[name].any(), name
    for name in ("taker", "exchanger"):
        assert (columns[name] == -1).all(), name


@pytest.mark.parametrize(("any_suit", "share"), [(True, 1 / 4), (False, 0)])
def test_T40_round_2_may_name_the_rejected_suit(any_suit: bool, share: float) -> None:
    """A blind bidder names the turned suit a quarter of the time; 4 standard errors."""
    rules = rules_with(round2_any_suit=any_suit)
    columns = kernel_columns(rules, load_policies("greedy", "chance:0.2"), 1, 0, 20_000)
    named = columns["round"] == 2
    same = (columns["contract"] == columns["upcard"] // 8)[named]
    assert abs(same.mean() - share) <= 4 * (share * (1 - share) / named.sum()) ** 0.5
    assert (columns["contract"] == columns["upcard"] // 8)[columns["round"] == 1].all()


# --- Tricks ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tricks():
    """First seven tricks of 2^19 deals under no duty but to follow suit: trump, cards by place, and who leads next."""
    free = dict.fromkeys(("head_plain", "head_trump", "must_ruff", "must_overruff", "must_underruff"), False)
    columns = play_batch(rules_with(**free), load_policies("random", "always"), 3, 0, 1 << 19, record_plays=True)
    plays = columns["plays"]
    leads = plays[:, ::4]
    leaders = np.zeros(leads.shape, np.int8)
    for seat in range(1, 4):
        leaders[columns[f"hand_{seat}"][:, None] >> leads & 1 != 0] = seat
    winners = (leaders[:, 1:] - leaders[:, :-1]) % 4
    return np.repeat(columns["contract"], 7), plays[:, :28].reshape(-1, 4), winners.reshape(-1)


@pytest.mark.parametrize(
    "case", [case for case in WINNER_CASES if case.contract in OF_MPOURLOTO and len(case.deck.ranks) == 8],
    ids=lambda case: case.id,
)
def test_winner(case, tricks) -> None:
    """Wherever the trick was played, up to the names of its suits, the winner's hand leads to the next."""
    trump, cards, winners = tricks
    trick = [parse_card(card) for card in case.trick.split()]
    same = np.ones(len(cards), bool)
    for place, card in enumerate(trick):
        same &= cards[:, place] % 8 == card % 8
    trump, cards, winners = trump[same], cards[same], winners[same]
    same = same[same]
    for place, card in enumerate(trick):
        same &= (cards[:, place] // 8 == trump) == (card // 8 == SUITS.index(case.contract))
        same &= (cards[:, place] // 8 == cards[:, 0] // 8) == (card // 8 == trick[0] // 8)
    assert same.any()
    assert set(winners[same]) == {case.trick.split().index(case.winner)}


# --- Melds -----------------------------------------------------------------------------------------------------------


def meld_points(keys: dict, hands: list[int], contract: str) -> tuple[int, int]:
    """Meld points by team, trump pair included."""
    state = new_state()
    fill(state, TRUMP=SUITS.index(contract), **{f"HAND{seat}": hand for seat, hand in enumerate(hands)})
    melds(state, rule_tables(rules_with(**keys)).melds)
    ours, theirs = (
        sum(read(state, getattr(lanes, f"{kind}{team}")) for kind in ("RUNS", "FOURS", "PAIR")) for team in range(2)
    )
    return ours, theirs


@pytest.mark.parametrize("case", MELD_CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("seat", range(4))
def test_meld_points(case, seat: int) -> None:
    hands = [0] * 4
    hands[seat] = parse_cards(case.hand, count=8)
    assert meld_points(case.keys, hands, case.contract) == ((case.points, 0) if seat % 2 == 0 else (0, case.points))


@pytest.mark.parametrize("case", COMPARE_CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("turn", range(4))
def test_comparison(case, turn: int) -> None:
    """Whoever deals."""
    hands = list(parse_deal(case.deal))
    points = case.points if turn % 2 == 0 else case.points[::-1]
    assert meld_points(case.keys, hands[turn:] + hands[:turn], case.contract) == points


# --- Settlement ------------------------------------------------------------------------------------------------------

TRUMP_POINTS = dict(zip("J9ATKQ87", (20, 14, 11, 10, 4, 3, 0, 0), strict=True))
PLAIN_POINTS = dict(zip("ATKQJ987", (11, 10, 4, 3, 2, 0, 0, 0), strict=True))


def cards_worth(points: int) -> int:
    """Some cards in play order, spades being trumps, that count `points`."""
    sums: dict[int, int] = {0: 0}
    for card in range(32):
        values = TRUMP_POINTS if card // 8 == 3 else PLAIN_POINTS
        place = 1 << int(places(rules_with())[3, card])
        for total, cards in list(sums.items()):
            sums.setdefault(total + values[format_card(card)[0]], cards | place)
    return sums[points]


@pytest.mark.parametrize("case", SCORE_CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("taker", range(4))
def test_settlement(case, taker: int) -> None:
    """Whoever takes: cards, tricks and melds are laid out by team, scores come back by team."""
    makers = taker % 2
    state = new_state()
    last = makers if case.last == 0 else 1 - makers
    fill(state, ROUND=1, TAKER=taker, TRUMP=3, LEADER=last + 2, TRICKS=case.tricks[makers])
    fill(state, WON=cards_worth(case.cards[makers]), HIGHS=0xFF000000, MULTIPLIER=1)
    fill(state, **{f"RUNS{team}": case.melds[team ^ makers] for team in range(2)})
    settle(state, rule_tables(rules_with(**case.keys)).score)
    by_team = [read(state, lanes.SCORE0), read(state, lanes.SCORE1)]
    assert (by_team[makers], by_team[1 - makers]) == case.scores
    assert read(state, lanes.OUTCOME) == CODES["outcome"][case.outcome]
    need_trick = case.keys.get("melds_need_trick", False)
    kept = [0 if need_trick and case.tricks[team ^ makers] == 0 else case.melds[team ^ makers] for team in range(2)]
    assert [read(state, MELD0 + team * STRIDE) for team in range(2)] == kept
