"""Checks of tricks and points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mpsim.store.rows import NT, Rows
from mpsim.store.schema import Array

Faults = Iterator[tuple[str, Array]]


def check_tricks(rows: Rows) -> Faults:
    """Every trick is somebody's."""
    tricks_0, tricks_1 = rows.teams("tricks")
    expected = np.where(rows.thrown_in, 0, rows.width)
    yield "all tricks are won by a team", (tricks_0 < 0) | (tricks_1 < 0) | (tricks_0 + tricks_1 != expected)


def check_points(rows: Rows) -> Faults:
    """Points add up to what the contract's cards and the bonus are worth."""
    factor, all_tricks = _no_trumps_factor(rows), _for_all_tricks(rows)
    total = np.where(rows.thrown_in, 0, factor * (_card_points(rows) + _for_last_trick(rows)) + all_tricks)
    points = rows.teams("points")
    yield "points add up to the cards and the bonus", (points[0] + points[1]) != total
    for team, tricks in enumerate(rows.teams("tricks")):
        yield f"team {team} has points only with a trick", (points[team] < 0) | ((tricks == 0) & (points[team] != 0))
        cards = points[team] - np.where(tricks == rows.width, all_tricks, 0)
        yield f"points of team {team}'s cards are even where no trumps double them", cards % factor != 0


def _no_trumps_factor(rows: Rows) -> Array:
    return np.where(rows["contract"] == NT, rows.rules.score.nt_multiplier, 1)


def _card_points(rows: Rows) -> Array:
    """Of the whole deck."""
    plain, trump = sum(rows.rules.deck.plain_values), sum(rows.rules.deck.trump_values)
    return rows.by_contract(3 * plain + trump, 4 * trump, 4 * plain)


def _for_last_trick(rows: Rows) -> Array:
    """What the last trick counts; nothing where all tricks count instead."""
    score = rows.rules.score
    replaced = rows.capo & (score.capo_mode == "replace")
    return np.where(replaced, 0, score.last_trick)


def _for_all_tricks(rows: Rows) -> Array:
    """What all tricks count, any factor of no trumps included."""
    score = rows.rules.score
    worth = 0 if score.capo_mode == "wins_match" else score.all_tricks
    if score.mp_totals == "text152":
        worth -= score.last_trick
    return np.where(rows.capo, worth, 0) * (_no_trumps_factor(rows) if score.nt_capot_doubled else 1)
