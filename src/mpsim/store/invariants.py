"""What must hold in every row (docs/columns.md, Columns), checked on whole columns at once.

Legend: rows are arrays of shape (n,) by column name, categories as codes; a fault is a name and a mask of rows.
Nothing here uses the kernels: the checks are written from the rules again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from mpsim.rules import Rules
from mpsim.rules.model import run_value
from mpsim.store.schema import CONTRACTS, NO_CARD, OUTCOMES, Array, Arrays

Faults = Iterator[tuple[str, Array]]
NONE = CONTRACTS.index("none")
MADE, FAILED, HUNG, THROWN_IN = range(len(OUTCOMES))


class Rows:
    """Rows with the views of them that several checks need."""

    def __init__(self, arrays: Arrays, rules: Rules) -> None:
        self.arrays, self.rules = arrays, rules
        self.width = len(rules.deck.ranks)
        self.deck = (1 << 4 * self.width) - 1
        self.thrown_in = arrays["round"] == 0

    def __getitem__(self, name: str) -> Array:
        return self.arrays[name]

    def seats(self, prefix: str) -> list[Array]:
        """A column of each seat, as uint64 words."""
        return [self.arrays[f"{prefix}_{seat}"].astype(np.uint64) for seat in range(4)]

    def teams(self, prefix: str) -> tuple[Array, Array]:
        """A column of each team, as int64."""
        return self.arrays[f"{prefix}_0"].astype(np.int64), self.arrays[f"{prefix}_1"].astype(np.int64)

    @cached_property
    def hands(self) -> list[Array]:
        """The hands played."""
        return self.seats("hand")

    @cached_property
    def first(self) -> list[Array]:
        """The hands held while bidding."""
        return self.seats("first")

    @cached_property
    def turned_suit(self) -> Array:
        """Suit of the turned card."""
        return self.arrays["upcard"] // self.width

    @cached_property
    def capo(self) -> Array:
        """Deals in which one team won every trick."""
        tricks_0, tricks_1 = self.teams("tricks")
        capo: Array = ~self.thrown_in & ((tricks_0 == 0) | (tricks_1 == 0))
        return capo


def faults(arrays: Arrays, rules: Rules) -> Faults:
    """Every check that some row fails, with the mask of those rows; shape (n,), bool."""
    rows = Rows(arrays, rules)
    for check in CHECKS:
        for name, mask in check(rows):
            if mask.any():
                yield name, mask


def bit(cards: Array) -> Array:
    """The word of a card, 0 for -1."""
    shift = np.clip(cards, 0, 63).astype(np.uint64)
    return np.where(cards >= 0, np.uint64(1) << shift, np.uint64(0))


def popcount(words: Array) -> Array:
    """Number of bits set in each uint64 word."""
    one, two, four = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
    x = words - (words >> np.uint64(1) & one)
    x = (x & two) + (x >> np.uint64(2) & two)
    x = x + (x >> np.uint64(4)) & four
    count: Array = (x * np.uint64(0x0101010101010101) >> np.uint64(56)).astype(np.int64)
    return count


def _of_seat(columns: list[Array], seat: Array) -> Array:
    picked: Array = np.choose(seat.astype(np.intp), columns, mode="clip")
    return picked


def _disjoint(words: list[Array]) -> Array:
    union: Array = np.bitwise_or.reduce(words)
    # Words without a common bit, and only those, add up to their union.
    total: Array = np.add.reduce(words)
    disjoint: Array = total == union
    return disjoint


def _check_hands(rows: Rows) -> Faults:
    sizes = [popcount(hand) != rows.width for hand in rows.hands]
    yield "each seat plays a full hand", np.logical_or.reduce(sizes)
    union: Array = np.bitwise_or.reduce(rows.hands)
    yield "the four hands are the deck, each card once", ~(_disjoint(rows.hands) & (union == rows.deck))
    held = sum(rows.rules.deal.packets)
    sizes = [popcount(first) != held for first in rows.first]
    yield f"each seat holds {held} cards while bidding", np.logical_or.reduce(sizes)
    low, high = (0, 4 * rows.width - 1) if rows.rules.deal.turn_up else (-1, -1)
    yield "the turned card is a card of the deck", (rows["upcard"] < low) | (rows["upcard"] > high)
    yield "first cards and turned card are all different", ~_disjoint([*rows.first, bit(rows["upcard"])])


def _check_auction(rows: Rows) -> Faults:
    turn, taker, contract = rows["round"], rows["taker"], rows["contract"]
    yield "the round is 0, 1 or 2", (turn < 0) | (turn > 2)
    yield "the taker is a seat, or -1 when thrown in", (taker < -1) | (taker > 3) | ((taker == -1) != rows.thrown_in)
    yield "the contract is a suit, or none when thrown in", ~np.where(
        rows.thrown_in, contract == NONE, (contract >= 0) & (contract < 4)
    )
    yield "the outcome is thrown_in when nobody took", (rows["outcome"] == THROWN_IN) != rows.thrown_in
    yield "the outcome is known", (rows["outcome"] < 0) | (rows["outcome"] > THROWN_IN)
    yield "the multiplier is 1", rows["multiplier"] != 1
    yield "round 1 takes the turned suit", (turn == 1) & (contract != rows.turned_suit)
    if not rows.rules.auction.round2_any_suit:
        yield "round 2 names another suit", (turn == 2) & (contract == rows.turned_suit)
    if rows.rules.auction.aponta:
        worth = sum(1 << s * rows.width + rank for s in range(4) for rank in _ranks_of_worth(rows.rules))
        empty = [first & np.uint64(worth) == 0 for first in rows.first]
        yield "a worthless first hand is thrown in", np.logical_or.reduce(empty) & ~rows.thrown_in


def _ranks_of_worth(rules: Rules) -> list[int]:
    deck = rules.deck
    return [
        deck.ranks.index(rank) for rank, value in zip(deck.plain_order, deck.plain_values, strict=True) if value
    ]


def _check_exchange(rows: Rows) -> Faults:
    rules, exchanger, upcard = rows.rules, rows["exchanger"], rows["upcard"]
    receiver = np.where(rows.thrown_in | (rules.deal.upcard_to == "dealer"), 3, rows["taker"])
    seven = _seven(rows)
    swapped = (exchanger >= 0) & (exchanger != receiver)
    seven_bit, turned_bit = np.where(seven >= 0, bit(seven), 0), bit(upcard)
    gave = _of_seat(rows.hands, exchanger) & turned_bit == turned_bit
    took = _of_seat(rows.hands, receiver) & seven_bit == seven_bit
    yield "a swap leaves the turned card with the exchanger, the seven with the receiver", swapped & ~(
        gave & took & (seven >= 0)
    )
    both = seven_bit | turned_bit
    # Swapping back is flipping both cards in both hands.
    before = [
        hand ^ np.where(swapped & ((exchanger == seat) | (receiver == seat)), both, 0)
        for seat, hand in enumerate(rows.hands)
    ]
    kept = [first & ~hand != 0 for first, hand in zip(rows.first, before, strict=True)]
    yield "a seat keeps its first cards, the exchange apart", np.logical_or.reduce(kept)
    yield "the turned card goes to its receiver", _of_seat(before, receiver) & turned_bit != turned_bit
    window = rows.first if rules.exchange.exchange_window == "first5" else before
    holder = np.full(len(exchanger), -1)
    for seat, hand in enumerate(window):
        holder[(hand & seven_bit) != 0] = seat
    yield "whoever holds the seven swaps, and nobody else", exchanger != holder


def _seven(rows: Rows) -> Array:
    """The card that may be swapped for the turned one, -1 where none may."""
    exchange, upcard = rows.rules.exchange, rows["upcard"]
    trump = rows["contract"]
    suit = trump if exchange.exchange_suit == "trump" else rows.turned_suit
    allowed = ~rows.thrown_in & (upcard % rows.width != 0) & (upcard >= 0) & (trump >= 0) & (trump < 4)
    if exchange.exchange_policy == "never":
        allowed[:] = False
    if exchange.exchange_suit == "upcard_if_trump":
        allowed &= trump == rows.turned_suit
    return np.where(allowed, suit * rows.width, -1)


def _check_tricks(rows: Rows) -> Faults:
    tricks_0, tricks_1 = rows.teams("tricks")
    expected = np.where(rows.thrown_in, 0, rows.width)
    yield "all tricks are won by a team", (tricks_0 < 0) | (tricks_1 < 0) | (tricks_0 + tricks_1 != expected)


def _check_points(rows: Rows) -> Faults:
    deck, score = rows.rules.deck, rows.rules.score
    cards = sum(deck.trump_values) + 3 * sum(deck.plain_values)
    capo = {"add": score.all_tricks + score.last_trick}.get(score.capo_mode, score.all_tricks)
    if score.mp_totals == "text152":
        capo = score.all_tricks - score.last_trick
    total = np.where(rows.thrown_in, 0, cards + np.where(rows.capo, capo, score.last_trick))
    points = rows.teams("points")
    yield "points add up to the cards and the bonus", (points[0] + points[1]) != total
    for team, tricks in enumerate(rows.teams("tricks")):
        yield f"team {team} has points only with a trick", (points[team] < 0) | ((tricks == 0) & (points[team] != 0))


def _check_melds(rows: Rows) -> Faults:
    rules, melds = rows.rules, rows.teams("meld")
    yield "meld points are not negative", (melds[0] < 0) | (melds[1] < 0)
    none = rows.thrown_in | (rules.melds.meld_policy == "never")
    yield "no melds where none may be declared", none & ((melds[0] != 0) | (melds[1] != 0))
    if rules.melds.melds_need_trick:
        for team, tricks in enumerate(rows.teams("tricks")):
            yield f"team {team} without a trick has no melds", (tricks == 0) & (melds[team] != 0)
    if rules.melds.meld_compare == "none" and rules.melds.overlap == "cross_type":
        yield "meld points are those of the hands", ~none & _melds_differ(rows)


def _melds_differ(rows: Rows) -> Array:
    by_seat = [_meld_points(rows, hand) for hand in rows.hands]
    need = rows.rules.melds.melds_need_trick
    differ = np.zeros(len(rows.thrown_in), bool)
    for team, (meld, tricks) in enumerate(zip(rows.teams("meld"), rows.teams("tricks"), strict=True)):
        expected = by_seat[team] + by_seat[team + 2]
        differ |= meld != np.where(need & (tricks == 0), 0, expected)
    return differ


def _meld_points(rows: Rows, hand: Array) -> Array:
    """What a hand's melds are worth where every meld counts and a card may serve twice."""
    rules, width = rows.rules, rows.width
    runs = np.array([_runs_of(holding, rules) for holding in range(1 << width)])
    field = (1 << width) - 1
    holdings = [(hand >> np.uint64(suit * width) & np.uint64(field)).astype(np.intp) for suit in range(4)]
    points = np.add.reduce([runs[holding] for holding in holdings])
    common = np.bitwise_and.reduce(holdings)
    for rank, value in enumerate(rules.melds.fours_table):
        points = points + value * (common >> rank & 1)
    pair = 1 << rules.deck.ranks.index("K") | 1 << rules.deck.ranks.index("Q")
    trumps = _of_seat(holdings, rows["contract"])
    total: Array = points + rules.melds.trump_pair * (trumps & pair == pair)
    return total


def _runs_of(holding: int, rules: Rules) -> int:
    lengths = [len(run) for run in f"{holding:b}".split("0")]
    return sum(run_value(rules, length) for length in lengths)


def _check_settlement(rows: Rows) -> Faults:
    makers_1 = rows["taker"] & 1 == 1
    melds, points, scores = rows.teams("meld"), rows.teams("points"), rows.teams("score")
    totals = (points[0] + melds[0], points[1] + melds[1])
    own, other = np.where(makers_1, totals[1], totals[0]), np.where(makers_1, totals[0], totals[1])
    own_score, other_score = np.where(makers_1, scores[1], scores[0]), np.where(makers_1, scores[0], scores[1])
    tie = {"fail": FAILED, "hang": HUNG, "made": MADE}[rows.rules.score.tie_rule]
    outcome = np.where(own > other, MADE, np.where(own < other, FAILED, tie))
    outcome = np.where(rows.thrown_in, THROWN_IN, outcome)
    yield "the outcome follows from the totals", rows["outcome"] != outcome
    played = ~rows.thrown_in
    yield "a thrown-in deal scores nothing", rows.thrown_in & ((scores[0] != 0) | (scores[1] != 0))
    yield "makers score their own total, or nothing", played & (own_score != np.where(outcome == MADE, own, 0))
    unpaid = np.where(rows.capo, 0, rows.rules.score.last_trick if rows.rules.score.mp_totals == "text152" else 0)
    due = np.where(outcome == FAILED, own + other - unpaid, other)
    yield "opponents score their total, and the makers' where these failed", played & (other_score != due)


def _check_plays(rows: Rows) -> Faults:
    if "plays" not in rows.arrays:
        return
    plays = rows["plays"]
    union = np.bitwise_or.reduce(np.uint64(1) << np.minimum(plays, 63).astype(np.uint64), axis=1)
    yield "every card is played once", ~rows.thrown_in & (union != rows.deck)
    yield "no card is played in a thrown-in deal", rows.thrown_in & (plays != NO_CARD).any(axis=1)
    lead = bit(plays[:, 0].astype(np.int64))
    yield "seat 0 leads a card it holds", ~rows.thrown_in & (rows.hands[0] & lead == 0)


CHECKS: tuple[Callable[[Rows], Any], ...] = (
    _check_hands,
    _check_auction,
    _check_exchange,
    _check_tricks,
    _check_points,
    _check_melds,
    _check_settlement,
    _check_plays,
)
