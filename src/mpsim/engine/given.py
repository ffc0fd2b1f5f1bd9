"""Decisions of one seat whose cards are known, wholly or in part: deals of the same kind, only more of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from mpsim.cards import cards_of, format_card
from mpsim.engine.decisions import Sums, add_batches
from mpsim.errors import UsageError
from mpsim.kernels.branches import Visits
from mpsim.kernels.given import Known, given_hands, visit_given
from mpsim.policies.classes import CARDS, class_tables
from mpsim.policies.load import Policies
from mpsim.policies.tables import bid_tables, player_tables
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables

VISITS = 5
"""Decisions of a deal, at the most: one in round 1, four in round 2."""


@dataclass(frozen=True, slots=True)
class Question:
    """A seat, what it sees, and which of its decisions count.

    It holds the cards `fixed` and as many of `draw_from` as make five, each set equally likely; cards known anyway are
    not drawn.  `places` has bit p for the suit p places after the turned one, named in round 2.
    """

    seat: int
    fixed: int          # bits
    draw_from: int      # bits
    upcard: int         # a card's number
    round1: bool = True
    places: int = 0


def add_given(
    sums: Sums, rules: Rules, policies: Policies, seed: int, first: int, deals: int, question: Question,
    threads: int | None = None, progress: Callable[[int], None] | None = None, stop: threading.Event | None = None,
) -> int:
    """Add the decisions of so many deals from number `first` on to sums as `add_decisions` makes them.

    A decision counts where no seat before it takes; returns how many deals there were before `stop` was set.
    UsageError for a question that cannot be, or a game that is not dealt like Mpourloto.
    """
    play = partial(_play, rules, policies, seed, known_cards(question, rules))
    return add_batches(sums, play, VISITS, first, deals, threads, progress, stop)


def _play(rules: Rules, policies: Policies, seed: int, known: Known, first: int, count: int, out: Visits) -> int:
    players = player_tables(policies)
    found = visit_given(
        np.uint64(seed), np.uint64(first), count, rule_tables(rules), bid_tables(policies, rules),
        players.random_seats, players.greedy_seats, known, class_tables(), out,
    )
    return int(found)


def given_decks(rules: Rules, seed: int, first: int, deals: int, question: Question) -> list[list[int]]:
    """The decks of the same deals, in the order in which the referee deals them."""
    hands = np.empty((12, deals), np.uint32)
    tables = rule_tables(rules)
    given_hands(np.uint64(seed), np.uint64(first), deals, tables, known_cards(question, rules), hands)
    return [_deck(hands[:, deal], tables.deal.places) for deal in range(deals)]


def _deck(hands: npt.NDArray[np.uint32], places: npt.NDArray[np.int64]) -> list[int]:
    left = [cards_of(int(cards)) for cards in hands]
    return [left[place].pop() for place in places]


def known_cards(question: Question, rules: Rules) -> Known:
    """A question as the kernels take it; UsageError for one that cannot be."""
    _check_game(rules)
    _check(question, rules)
    known = question.fixed | 1 << question.upcard
    pool = [1 << card for card in cards_of(question.draw_from & ~known)]
    drawn = CARDS - question.fixed.bit_count()
    if drawn > len(pool):
        raise UsageError(f"{drawn} cards are to be drawn from {len(pool)}: give draw_from more cards, or fixed")
    return Known(
        question.seat, np.uint32(question.fixed), np.array(pool, np.uint32), drawn, np.uint32(1 << question.upcard),
        int(question.round1), question.places,
    )


def _check_game(rules: Rules) -> None:
    deal = rule_tables(rules).deal
    shape = deal.turned, deal.first_cards, deal.field, deal.kind, deal.chain
    if shape != (1, CARDS, 8, 0, 0):
        raise UsageError(
            f"{rules.name} is not dealt like Mpourloto (five cards a seat, one turned from the stock, the turned suit "
            "accepted or a suit named, three more cards; a fresh shuffle for each deal): ask about a game that is"
        )


def _check(question: Question, rules: Rules) -> None:
    deck = rules.deck.ranks, rules.deck.suits
    if not 0 <= question.seat < 4:
        raise UsageError(f"seat = {question.seat} is none: give 0, 1, 2 or 3")
    if not 0 <= question.upcard < 32:
        raise UsageError(f"upcard = {question.upcard} is no card: give its number, 0 to 31")
    if question.fixed < 0 or question.fixed >> 32 or question.draw_from < 0 or question.draw_from >> 32:
        raise UsageError("fixed and draw_from are cards as bits 0 to 31: give whole numbers below 2^32")
    if question.fixed >> question.upcard & 1:
        raise UsageError(f"{format_card(question.upcard, *deck)} is turned and in the hand: each card exists once")
    if question.fixed.bit_count() > CARDS:
        raise UsageError(f"{question.fixed.bit_count()} cards are fixed where a hand has {CARDS}: fix fewer")
    if not 0 <= question.places < 16 or not (question.round1 or question.places):
        raise UsageError(f"places = {question.places} is no set of suits: bits 0 to 3, one at least without round1")
    if question.places & 1 and not rules.auction.round2_any_suit:
        raise UsageError("places has the turned suit, which round2_any_suit = false keeps from round 2: drop bit 0")
