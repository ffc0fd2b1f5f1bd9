"""Checks of the settlement: who made what, and what each team writes down, in points or in tens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mpsim.rules.model import Score
from mpsim.store.rows import FAILED, HUNG, MADE, SCORED, THROWN_IN, Rows
from mpsim.store.schema import Array

Faults = Iterator[tuple[str, Array]]
Sides = tuple[Array, Array]
"""A value of the makers and one of their opponents."""


class Deal(NamedTuple):
    """What is settled, by row."""

    own: Array      # points and melds of the makers
    other: Array    # of their opponents
    times: Array    # 1, 2, 4
    limit: Array    # last digit up to which points are rounded down
    unpaid: Array   # what a side does not get that takes everything
    outcome: Array


def check_settlement(rows: Rows) -> Faults:
    """What each team writes down follows from points and melds."""
    scores, totals = rows.teams("score"), _totals(rows)
    yield "a thrown-in deal scores nothing", rows.thrown_in & ((scores[0] != 0) | (scores[1] != 0))
    if rows.rules.auction.kind == "turned":
        yield "there is no contract to make", rows.played & (rows["outcome"] != SCORED)
        for team in range(2):
            yield f"team {team} scores its own points", rows.played & (scores[team] != totals[team])
        return
    deal = _deal(rows, *_by_side(rows, totals))
    yield "the outcome follows from the totals", rows["outcome"] != deal.outcome
    own_score, other_score = _by_side(rows, scores)
    to_makers, to_others = _written(deal, rows.rules.score)
    yield "makers score their own, everything or nothing", rows.played & (own_score != to_makers)
    yield "opponents score their own, everything or nothing", rows.played & (other_score != to_others)
    yield "everything is written down, or hangs", rows.played & ~_conserved(deal, own_score + other_score, rows)


def _totals(rows: Rows) -> tuple[Array, Array]:
    melds, points = rows.teams("meld"), rows.teams("points")
    return points[0] + melds[0], points[1] + melds[1]


def _by_side(rows: Rows, teams: tuple[Array, Array]) -> Sides:
    makers_1 = rows["taker"] & 1 == 1
    return np.where(makers_1, teams[1], teams[0]), np.where(makers_1, teams[0], teams[1])


def _deal(rows: Rows, own: Array, other: Array) -> Deal:
    score = rows.rules.score
    tie = {"fail": FAILED, "hang": HUNG, "made": MADE}[score.tie_rule]
    outcome = np.where(own > other, MADE, np.where(own < other, FAILED, tie))
    times = np.where(rows.capo & score.capot_cancels_double, 1, rows["multiplier"].astype(np.int64))
    printed = score.last_trick if score.mp_totals == "text152" else 0
    return Deal(
        own, other, times, rows.by_contract(*score.limit_digits), np.where(rows.capo, 0, printed),
        np.where(rows.thrown_in, THROWN_IN, outcome),
    )


def _written(deal: Deal, score: Score) -> Sides:
    """What makers and opponents write down."""
    own, other = _shares(deal, score)
    whole = _whole(deal, score) - deal.unpaid * deal.times
    doubled, level = deal.times > 1, deal.own == deal.other
    takes_all = (deal.outcome == MADE) & doubled & ~level
    made, failed, hung = deal.outcome == MADE, deal.outcome == FAILED, deal.outcome == HUNG
    waits = doubled & (score.hang_doubled == "all")
    to_makers = np.where(takes_all, whole, np.where(made, own, 0))
    to_others = np.where(failed, whole, np.where(takes_all | (hung & waits), 0, other))
    return to_makers, to_others


def _whole(deal: Deal, score: Score) -> Array:
    """The deal's worth, in the game's own unit, as often as it counts."""
    points = deal.own + deal.other
    if score.rounding == "none":
        return points * deal.times
    rounded: Array = (points + 5) // 10 * deal.times
    return rounded if score.round_then_multiply else (points * deal.times + 5) // 10


def _shares(deal: Deal, score: Score) -> Sides:
    """What each side has for itself."""
    if score.rounding == "none":
        return deal.own * deal.times, deal.other * deal.times
    fewer_up, caller_low, up = (score.round_tie == rule for rule in ("fewer_up", "caller_low", "up"))
    own = _tens(deal.own, deal.limit, up | (fewer_up & (deal.own <= deal.other))) * deal.times
    other = _tens(deal.other, deal.limit, up | caller_low | (fewer_up & (deal.other < deal.own))) * deal.times
    if score.round_then_multiply:
        return own, other
    # A doubled deal is rounded whole, and only a level one is shared: the makers have the greater half.
    whole, doubled = _whole(deal, score), deal.times > 1
    return np.where(doubled, whole - whole // 2, own), np.where(doubled, whole // 2, other)


def _tens(points: Array, limit: Array, up_at_limit: Array) -> Array:
    digit = points % 10
    tens: Array = points // 10 + ((digit > limit) | ((digit == limit) & up_at_limit))
    return tens


def _conserved(deal: Deal, written: Array, rows: Rows) -> Array:
    """Whether nothing is lost or made in the settlement, as far as the rules' rounding sees to that."""
    score = rows.rules.score
    shares_out = np.ones(len(written), bool)
    if score.rounding == "tens":
        # One side rounds up where two limit digits make 10 less than both sides' points come to in tens.
        tens, points = (deal.own + deal.other + 5) // 10, deal.own + deal.other
        shares_out = (points - 2 * deal.limit == 10 * tens - 10) & (score.round_tie not in ("up", "down"))
    whole = _whole(deal, score)
    alone = (deal.outcome == FAILED) | ((deal.outcome == MADE) & (deal.times > 1) & (deal.own != deal.other))
    whole = np.where(alone, whole - deal.unpaid * deal.times, whole)
    adds_up = np.where(deal.outcome == HUNG, written <= whole, written == whole)
    conserved: Array = adds_up | ~(shares_out | alone)
    return conserved
