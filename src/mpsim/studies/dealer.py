"""What a fair dealer does: every question put to the dealer as a true chi-square, its degrees of freedom derived.

A deal is one random order of 32 cards on 32 places, so what is counted in one deal is dependent.  Two ways round that:

* One thing a deal is counted (the turned card, one hand by turns, who holds the eight trumps).  Deals are independent,
  so this is Pearson's chi-square with the exact probabilities.
* Everything is counted, and the dependence is put right.  Naming the cards anew changes nothing for a fair dealer, so
  on every part of the space of tables that renaming does not split further, the covariance of the counts is one number
  (Schur's lemma): the mean square of what one deal adds there, divided by the part's dimension.  The counts' sum of
  squares there, divided by that number and by the deals, is in the limit a chi-square with as many degrees of freedom
  as the part has dimensions.  A table by card splits into its mean (1) and the deviations (31); a table by two cards
  into 1 + 31 + 464 if symmetric, 31 + 465 if antisymmetric, where the 31 are the row sums (P. Diaconis, Group
  Representations in Probability and Statistics, 1988, chapters 7 and 8).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.kernels.deck import NEXT, PARTNER, SAME_HAND, SAME_PACKET, Counts
from mpsim.rules import load_rules
from mpsim.stats.chi_square import ChiSquare, pearson

Array = npt.NDArray[Any]

CARDS, SEATS, HAND = 32, 4, 8
PACKETS = np.repeat([5, 2, 1], SEATS)
"""Cards in a packet, in the order of `Counts.packets`."""
_PACKET = np.repeat(np.arange(len(PACKETS)), PACKETS)
_SEAT = _PACKET % SEATS
"""Packet and seat of the 32 places of a deal."""
_UP = len(PACKETS) - 1


class Question(NamedTuple):
    """What is asked, in a word and in a sentence for people, and how it is answered."""

    name: str
    text: str
    ask: Callable[[Counts], ChiSquare]


def deals_of(counts: Counts) -> int:
    """How many deals were counted."""
    return int(counts.trumps.sum())


# --- Cards on places --------------------------------------------------------------------------------------------------


def by_place(table: Array) -> ChiSquare:
    """Of [place, card] counts, whatever the places and how many cards each takes.

    Indicators of two different cards are correlated by -1/31, so on the deviations the covariance is 32/31 of that of
    32 independent cards.  Totals of cards and of places are given: 31 (places - 1) degrees of freedom.
    """
    expected = table.sum(axis=1, keepdims=True) / CARDS
    plain = ((table - expected) ** 2 / expected).sum()
    return ChiSquare(float(plain * (CARDS - 1) / CARDS), (CARDS - 1) * (len(table) - 1), table.size)


def by_seat(counts: Counts) -> ChiSquare:
    """Which seat gets which card: 31 x 3 degrees of freedom."""
    return by_place(_seats_of_cards(counts))


def by_packet(counts: Counts) -> ChiSquare:
    """Which packet gets which card: 31 x 11 degrees of freedom."""
    return by_place(counts.packets)


def turned_up(counts: Counts) -> ChiSquare:
    """Which card is turned up, one a deal: 31 degrees of freedom."""
    return pearson(counts.packets[_UP], np.full(CARDS, 1 / CARDS))


def _seats_of_cards(counts: Counts) -> Array:
    """[seat, card]."""
    seats: Array = counts.packets.reshape(-1, SEATS, CARDS).sum(axis=0)
    return seats


# --- Two cards --------------------------------------------------------------------------------------------------------


def same_hand(counts: Counts) -> ChiSquare:
    """Which two cards lie in one hand: 464 degrees of freedom."""
    return _symmetric(counts, SAME_HAND, _SEAT[:, None] == _SEAT)


def same_packet(counts: Counts) -> ChiSquare:
    """Which two cards come in one packet: 464 degrees of freedom, the row sums (cards by packet) left out."""
    return _symmetric(counts, SAME_PACKET, _PACKET[:, None] == _PACKET)


def partners(counts: Counts) -> ChiSquare:
    """Which two cards are partners': 464 degrees of freedom."""
    return _symmetric(counts, PARTNER, (_SEAT[:, None] - _SEAT) % SEATS == 2)


def next_hand(counts: Counts) -> ChiSquare:
    """Which card lies in the hand after another's rather than in the hand before: 465 degrees of freedom."""
    upper = counts.relations[NEXT]
    before = np.triu(deals_of(counts) - upper - counts.relations[SAME_HAND] - counts.relations[PARTNER], 1)
    step = (_SEAT - _SEAT[:, None]) % SEATS
    seen, one_deal = (_without_turning_rows(m) for m in (_both(upper - before, -1), 1.0 * (step == 1) - (step == 3)))
    return _of_pairs(seen, one_deal, deals_of(counts), 465)


def _symmetric(counts: Counts, relation: int, places: Array) -> ChiSquare:
    one_deal = places & ~np.eye(CARDS, dtype=bool)
    seen, one = (_without_rows(m) for m in (_both(counts.relations[relation], 1), one_deal.astype(float)))
    return _of_pairs(seen, one, deals_of(counts), 464)


def _of_pairs(seen: Array, one_deal: Array, deals: int, freedom: int) -> ChiSquare:
    """The sum of squares of one deal is the same for every deal, since deals differ by the names of cards only."""
    cells = CARDS * (CARDS - 1) // 2
    return ChiSquare(float(freedom * (seen**2).sum() / (deals * (one_deal**2).sum())), freedom, cells)


def _both(upper: Array, sign: int) -> Array:
    """Both halves of a table of which the upper one is given."""
    whole: Array = upper + sign * upper.T
    return whole.astype(float)


def _without_rows(table: Array) -> Array:
    """A symmetric table [card, card] less the nearest a[i] + a[j]: rows of 31 entries then sum to 0."""
    mean = table.sum() / (CARDS * (CARDS - 1))
    a = (table.sum(axis=1) - (CARDS - 1) * mean) / (CARDS - 2)
    left: Array = table - mean - a[:, None] - a
    np.fill_diagonal(left, 0)
    return left


def _without_turning_rows(table: Array) -> Array:
    """An antisymmetric table [card, card] less the nearest a[i] - a[j]: rows then sum to 0."""
    a = table.sum(axis=1) / CARDS
    left: Array = table - a[:, None] + a
    return left


# --- Hands ------------------------------------------------------------------------------------------------------------


def suit_lengths(counts: Counts) -> ChiSquare:
    """How many cards of each suit a hand has, one hand a deal: 165 ways at each seat, so at most 4 x 164 degrees."""
    first, *others = (pearson(seat, suit_length_probability()) for seat in counts.lengths)
    return sum(others, first)


@cache
def suit_length_probability() -> Array:
    """[729]: of clubs + 9 diamonds + 81 hearts in a hand; the product of four binomials out of 32 over 8."""
    ways = np.zeros(729)
    for code in range(729):
        lengths = code % 9, code // 9 % 9, code // 81
        if sum(lengths) <= HAND:
            ways[code] = math.prod(math.comb(8, n) for n in (*lengths, HAND - sum(lengths)))
    return ways / math.comb(CARDS, HAND)


def trump_numbers(counts: Counts) -> ChiSquare:
    """How many trumps each seat holds, one sharing a deal: 120 of them, 119 degrees of freedom."""
    kinds = _held(8) @ [1, 9, 81, 0]
    observed, probability = (np.bincount(kinds, values) for values in (counts.trumps, trump_probability()))
    return pearson(observed.astype(np.int64), probability)


def trump_cards(counts: Counts) -> ChiSquare:
    """Who holds which trumps, one sharing a deal: 4^8 - 3^8 of them, at most 58,974 degrees of freedom."""
    return pearson(counts.trumps, trump_probability())


def aces(counts: Counts) -> ChiSquare:
    """Who holds which aces, one sharing a deal: 4^4 - 1 degrees of freedom."""
    return pearson(counts.ranks[0], sharing_probability(4))


def jacks(counts: Counts) -> ChiSquare:
    """Who holds which jacks, one sharing a deal: 4^4 - 1 degrees of freedom."""
    return pearson(counts.ranks[1], sharing_probability(4))


@cache
def _holders(cards: int) -> Array:
    """[code, card]: the seats of so many cards by code, the seats' low bits below the high ones."""
    codes, card = np.arange(1 << 2 * cards)[:, None], np.arange(cards)
    holders: Array = (codes >> card & 1) + 2 * (codes >> cards + card & 1)
    return holders


@cache
def _held(cards: int) -> Array:
    """[code, seat]: how many of so many cards a seat holds."""
    held: Array = np.array([(_holders(cards) == seat).sum(axis=1) for seat in range(SEATS)]).T
    return held


@cache
def sharing_probability(cards: int) -> Array:
    """[code]: that so many given cards lie with the seats of the code.

    Places for all of them in the seats' hands, over places anywhere: products of falling factorials.
    """
    places = np.array([math.perm(HAND, n) for n in range(cards + 1)], float)
    probability: Array = places[_held(cards)].prod(axis=1) / math.perm(CARDS, cards)
    return probability


@cache
def trump_probability() -> Array:
    """[65536]: of a sharing of the turned suit.

    The dealer's n cards of a suit are turned with chance n/8, and each suit is turned with chance 1/4: n/2 times as
    likely as for any suit, so never without the dealer.
    """
    probability: Array = sharing_probability(8) * _held(8)[:, SEATS - 1] / 2
    return probability


# --- Points of the seats ----------------------------------------------------------------------------------------------


def card_points(counts: Counts) -> ChiSquare:
    """Card points of the seats, the turned suit being trumps: they add up to 152, so 3 degrees of freedom."""
    plain, trump = card_values()
    seats = (_seats_of_cards(counts) @ np.tile(plain, 4)).astype(float)
    for rank, more in enumerate(trump - plain):
        seats += more * np.bincount(_holders(8)[:, rank], counts.trumps, SEATS)
    mean, covariance = point_moments(plain, trump)
    off = (seats - deals_of(counts) * mean)[:-1]
    statistic = off @ np.linalg.solve(covariance[:-1, :-1], off) / deals_of(counts)
    return ChiSquare(float(statistic), SEATS - 1, SEATS)


@cache
def card_values() -> tuple[Array, Array]:
    """Card points by rank in a side suit and in trumps."""
    deck = load_rules("mpourloto").deck
    pairs = ((deck.plain_order, deck.plain_values), (deck.trump_order, deck.trump_values))
    plain, trump = (np.array([values[order.index(rank)] for rank in deck.ranks]) for order, values in pairs)
    return plain, trump


def point_moments(plain: Array, trump: Array) -> tuple[Array, Array]:
    """Mean [seat] and covariance [seat, seat] of the card points in a deal.

    Given the turned card, the other 31 fall on 8, 8, 8 and 7 places like a sample without replacement; each of the
    eight ranks is turned alike.
    """
    size = np.array([8, 8, 8, 7])
    means, within = [], []
    for turned in range(8):
        others = np.concatenate([np.delete(trump, turned), np.tile(plain, 3)])
        means.append(size * others.mean() + trump[turned] * np.array([0, 0, 0, 1]))
        within.append(others.var(ddof=1) * (np.diag(size) - np.outer(size, size) / len(others)))
    covariance: Array = np.mean(within, axis=0) + np.cov(np.array(means).T, ddof=0)
    return np.mean(means, axis=0), covariance


# --- One deal and the next --------------------------------------------------------------------------------------------


def moves(counts: Counts) -> ChiSquare:
    """A card's seat in a deal and in the next: (1 + 31) x 3 x 3 degrees of freedom.

    Counted is the product of two deviations, and products of successive deals are uncorrelated, so that every deal may
    serve twice.  Seats: variance 1/4 on the 3 dimensions, twice.  Cards: correlation (-1/31)^2 = 1/961 between two,
    which is 992/961 on the mean of all cards and 960/961 on the deviations.
    """
    off = _centred(counts.seats)
    mean = off.mean(axis=0)
    total = CARDS * (mean**2).sum() * 961 / 992 + ((off - mean) ** 2).sum() * 961 / 960
    return ChiSquare(float(total * 16 / counts.seats[0].sum()), CARDS * 9, counts.seats.size)


def turned_after(counts: Counts) -> ChiSquare:
    """The turned card of a deal and of the next: 31 x 31 degrees of freedom, by products as in `moves`."""
    statistic = (_centred(counts.turned) ** 2).sum() * CARDS**2 / counts.turned.sum()
    return ChiSquare(float(statistic), (CARDS - 1) ** 2, counts.turned.size)


def _centred(table: Array) -> Array:
    """The last two axes less their means: what is left of counts when both deviations are multiplied."""
    rows, columns = table.mean(axis=-1, keepdims=True), table.mean(axis=-2, keepdims=True)
    left: Array = table - rows - columns + table.mean(axis=(-2, -1), keepdims=True)
    return left


QUESTIONS = (
    Question("card by seat", "Does every seat get every card equally often?", by_seat),
    Question(
        "card by packet", "Does every card come equally often in a seat's first five, in its next two, as its last?",
        by_packet,
    ),
    Question("turned card", "Is every card turned up equally often?", turned_up),
    Question("two cards in a hand", "Do any two cards lie in one hand as often as any other two?", same_hand),
    Question("two cards in a packet", "Do any two cards come in one packet as often as any other two?", same_packet),
    Question("two cards of partners", "Do any two cards lie with partners as often as any other two?", partners),
    Question(
        "card in the next hand", "Does any card lie in the hand after another one's as often as in the hand before it?",
        next_hand,
    ),
    Question(
        "suit lengths", "Does a hand (one a deal, the seats by turns) with so many clubs, diamonds, hearts and spades "
        "come as often as it must?",
        suit_lengths,
    ),
    Question(
        "number of trumps", "Do the seats hold so many cards of the turned suit, like 3-1-0-4, as often as they must?",
        trump_numbers,
    ),
    Question("which trumps", "And does every sharing of these eight cards, one by one, come as often?", trump_cards),
    Question("aces", "Does every sharing of the four aces come as often as it must?", aces),
    Question("jacks", "Does every sharing of the four jacks come as often as it must?", jacks),
    Question("card points", "Does each seat get its due of card points, the turned suit being trumps?", card_points),
    Question("seat in the next deal", "Does who holds a card tell who holds it in the next deal?", moves),
    Question("turned card after", "Does the turned card tell which card is turned in the next deal?", turned_after),
)
"""All questions, in the order of the page."""


def answers(counts: Counts) -> Iterator[tuple[Question, ChiSquare]]:
    """Every question with its answer."""
    return ((question, question.ask(counts)) for question in QUESTIONS)
