"""Deals of which one seat's cards are known: a twin in plain Python, the referee, and the deals of all hands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.told import Told, class_key, margin
from mpsim import referee
from mpsim.cards import cards_of, parse_card, parse_cards
from mpsim.engine.decisions import add_decisions, no_sums
from mpsim.engine.given import Question, add_given, given_decks, known_cards
from mpsim.errors import UsageError
from mpsim.kernels.branches import Visits
from mpsim.kernels.given import visit_given
from mpsim.policies import load_policies
from mpsim.policies.classes import class_tables
from mpsim.policies.load import Policies
from mpsim.policies.tables import bid_tables, player_tables
from mpsim.referee.streams import below, draws, remainder
from mpsim.rules import load_rules
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables

GIVEN = 5
ALL = (1 << 32) - 1


def question(
    seat: int, fixed: str, up: str, draw_from: int = 0, round1: bool = True, places: int = 15
) -> Question:
    return Question(seat, parse_cards(fixed), draw_from, parse_card(up), round1, places)


def plain_deal(seed: int, deal: int, asked: Question) -> tuple[list[set[int]], list[set[int]], int]:
    """First cards and later ones by seat (the dealer without the turned card's place) and the turned card.

    The deal of the stream, then card by card under other names.
    """
    bits = iter(draws(seed, deal, GIVEN, 42))
    hands: list[list[int]] = [[], [], [], []]
    places = [seat for seat in range(4) for _ in range(8)]
    for card in range(32):
        hands[places.pop(below(next(bits), len(places)))].append(card)
    last, draw = [], next(bits)
    for hand in hands:
        last.append(hand.pop(below(draw, 8)))
        draw = remainder(draw, 8)
    late: list[list[int]] = []
    for hand in hands:
        draw = next(bits)
        late.append([hand.pop(below(draw, 7)), hand.pop(below(remainder(draw, 7), 6))])
    wanted = set(cards_of(asked.fixed))
    pool = [card for card in cards_of(asked.draw_from) if card not in wanted and card != asked.upcard]
    for top in range(len(pool) - (5 - len(wanted)), len(pool)):
        card = pool[below(next(bits), top + 1)]
        wanted.add(pool[top] if card in wanted else card)
    names = {card: card for card in range(32)}

    def swap(lies: int, shall: int) -> None:
        for card, name in names.items():
            names[card] = {lies: shall, shall: lies}.get(name, name)

    swap(last[3], asked.upcard)
    has = {names[card] for card in hands[asked.seat]}
    for lies, shall in zip(sorted(has - wanted), sorted(wanted - has), strict=True):
        swap(lies, shall)
    later = [two + ([last[seat]] if seat < 3 else []) for seat, two in enumerate(late)]
    return [{names[card] for card in hand} for hand in hands], [{names[c] for c in two} for two in later], asked.upcard


QUESTIONS = [
    question(0, "JH 9H AS TC 7D", "KH"),
    question(2, "JH 9H", "KH", ALL & ~(255 << 16)),
    question(3, "", "7C", ALL),
    question(1, "AS", "AC", ALL & 0xFF00FF00, round1=False, places=0b1010),
]


@pytest.mark.parametrize("asked", QUESTIONS)
@pytest.mark.parametrize("settings", [(), ("packets=[3,2]", "packets_after=[3]"), ("upcard_to=taker",)])
def test_the_deals_as_a_twin_deals_them(asked: Question, settings: tuple[str, ...]) -> None:
    rules, first, count = load_rules("mpourloto", settings), 2**40 + 5, 700
    for deal, deck in enumerate(given_decks(rules, 11, first, count, asked), first):
        dealt = referee.deal_first(deck, rules)
        full = referee.deal_rest(dealt, 3, rules)
        hands, later, up = plain_deal(11, deal, asked)
        assert dealt.upcard == up
        assert [set(hand) for hand in dealt.first] == hands
        assert [set(a) - set(b) - {up} for a, b in zip(full, dealt.first, strict=True)] == later


def told_visits(rules: Rules, policies: Policies, seed: int, deal: int, asked: Question) -> list[tuple[Any, ...]]:
    """(round, suit, hand, taking, passing) of every decision asked for that the auction comes to."""
    bidders, players = list(policies.bidders(rules)), policies.players(rules)
    deck = given_decks(rules, seed, deal, 1, asked)[0]

    def told(round_: int, suit: int | None) -> referee.DealRecord:
        mine = list(bidders)
        if round_ == 2:
            mine[asked.seat] = Told(mine[asked.seat], 1, None)
        mine[asked.seat] = Told(mine[asked.seat], round_, suit)
        return referee.play_deal(rules, seed, deal, mine, players, deck)

    found: list[tuple[Any, ...]] = []
    turned = asked.upcard // 8
    for round_, suits in ((1, [turned] * asked.round1), (2, [(turned + p) % 4 for p in cards_of(asked.places)])):
        for suit in suits:
            taken = told(round_, suit)
            if (taken.round, taken.taker) == (round_, asked.seat):
                passed = told(round_, None)
                hand = taken.first[asked.seat]
                found.append((round_, suit, hand, margin(taken, asked.seat), margin(passed, asked.seat)))
    return found


def kernel_visits(
    rules: Rules, policies: Policies, seed: int, first: int, count: int, asked: Question
) -> list[tuple[int, int, int]]:
    out = Visits(np.empty(5 * count, np.uint32), np.empty(5 * count, np.int16), np.empty(5 * count, np.int16))
    players = player_tables(policies)
    found = visit_given(
        np.uint64(seed), np.uint64(first), count, rule_tables(rules), bid_tables(policies, rules),
        players.random_seats, players.greedy_seats, known_cards(asked, rules), class_tables(), out,
    )
    columns = (out.record, out.taking, out.passing)
    return list(zip(*(column[:found].tolist() for column in columns), strict=True))


CASES: list[tuple[tuple[str, ...], str, str]] = [
    ((), "greedy", "points"),
    ((), "greedy,random,random,greedy", "points,chance:0.2,always,never"),
    (("upcard_to=taker",), "random", "chance:0.2"),
    (("tie_rule=hang", "capo_mode=add", "aponta=true", "exchange_suit=trump"), "greedy", "chance:0.1"),
]


@pytest.mark.parametrize(("settings", "play", "bid"), CASES, ids=[" ".join((*s, p, b)) for s, p, b in CASES])
@pytest.mark.parametrize("asked", QUESTIONS)
def test_decisions_of_a_known_hand(settings: tuple[str, ...], play: str, bid: str, asked: Question) -> None:
    """Told bidders of the referee on the same decks; one record a class."""
    rules = load_rules("mpourloto", settings)
    policies, first, count = load_policies(play, bid, rules), 77, 90
    slow = [visit for deal in range(first, first + count) for visit in told_visits(rules, policies, 9, deal, asked)]
    fast = kernel_visits(rules, policies, 9, first, count, asked)
    assert len(fast) > 10 or "always" in bid
    assert [visit[3:] for visit in slow] == [visit[1:] for visit in fast]
    records: dict[Any, int] = {}
    for (round_, suit, hand, *_), (record, *_) in zip(slow, fast, strict=True):
        assert records.setdefault((round_, class_key(hand, asked.upcard, suit)), record) == record
    assert len(set(records.values())) == len(records)


def test_records_and_means_as_without_knowing() -> None:
    """All records of one trump holding and turned card, natural and known, agree within 4 standard errors.

    What a seat says must not depend on its hand here: a known one passes round 1 whatever its policy would say.
    """
    rules = load_rules()
    policies = load_policies("greedy", "chance:0.2", rules)
    natural, known = no_sums(), no_sums()
    add_decisions(natural, rules, policies, 1, 0, 1_000_000)
    for seat in range(4):
        asked = question(seat, "9C QC", "KC", ALL & ~255)
        add_given(known, rules, policies, 2, 0, 60_000, asked)
    tables = class_tables()
    checked = 0
    for start, size in [(turn * tables.turned, tables.turned) for turn in range(8)] + [
        (8 * tables.turned + seat * tables.other, tables.other) for seat in range(4)
    ]:
        here = slice(start, start + size)
        rows = np.flatnonzero(known[here, 0]) + start
        a, b = natural[rows].sum(axis=0), known[rows].sum(axis=0)
        for value, square in ((1, 3), (2, 4)):
            if a[0] < 300:
                continue
            means = [sums[value] / sums[0] for sums in (a, b)]
            spread = sum((sums[square] / sums[0] - (sums[value] / sums[0]) ** 2) / sums[0] for sums in (a, b))
            assert abs(means[0] - means[1]) <= 4 * spread**0.5
            checked += 1
    assert checked >= 16


def test_threads_and_batches_change_nothing() -> None:
    rules, policies, asked = load_rules(), load_policies(), QUESTIONS[1]
    one, other = no_sums(), no_sums()
    assert add_given(one, rules, policies, 3, 0, 40_000, asked, threads=2) == 40_000
    for first, deals in ((0, 1), (1, 16_999), (17_000, 23_000)):
        add_given(other, rules, policies, 3, first, deals, asked, threads=1)
    assert (one == other).all()


@pytest.mark.parametrize(("asked", "rules", "message"), [
    (question(4, "", "7C", ALL), "mpourloto", "seat = 4 is none: give 0, 1, 2 or 3"),
    (question(0, "7C", "7C", ALL), "mpourloto", "7c is turned and in the hand: each card exists once"),
    (question(0, "7C", "8C", 7 << 5), "mpourloto",
     "4 cards are to be drawn from 3: give draw_from more cards, or fixed"),
    (question(0, "7C 8C 9C TC JC QC", "KC"), "mpourloto",
     "6 cards are fixed where a hand has 5: fix fewer"),
    (Question(0, 0, ALL, 32), "mpourloto", "upcard = 32 is no card: give its number, 0 to 31"),
    (Question(0, 0, ALL, 3, False, 0), "mpourloto",
     "places = 0 is no set of suits: bits 0 to 3, one at least without round1"),
    (Question(0, 1 << 32, ALL, 3), "mpourloto",
     "fixed and draw_from are cards as bits 0 to 31: give whole numbers below 2^32"),
    (question(0, "", "7C", ALL), "bulgarian", "bulgarian is not dealt like Mpourloto .*: ask about a game that is"),
    (question(0, "", "7C", ALL), "madrasso", "madrasso is not dealt like Mpourloto .*: ask about a game that is"),
])
def test_questions_that_cannot_be(asked: Question, rules: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message.replace('^32', '.32')}$"):
        known_cards(asked, load_rules(rules))


def test_a_barred_suit_is_not_asked_for() -> None:
    with pytest.raises(UsageError, match="drop bit 0"):
        known_cards(question(0, "", "7C", ALL), load_rules("mpourloto", ("round2_any_suit=false",)))
