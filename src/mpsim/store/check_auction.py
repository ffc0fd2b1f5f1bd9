"""Checks of the auction: who took what, in which round, how often doubled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mpsim.rules import Rules
from mpsim.store.rows import AT, NONE, SCORED, THROWN_IN, Rows
from mpsim.store.schema import Array

Faults = Iterator[tuple[str, Array]]


def check_auction(rows: Rows) -> Faults:
    """What holds in every game, then what holds in games with this kind of auction."""
    yield from _check_any(rows)
    match rows.rules.auction.kind:
        case "accept":
            yield from _check_accept(rows)
        case "ladder":
            yield from _check_ladder(rows)
        case kind:
            yield from _check_none(rows, turned=kind == "turned")
    if rows.rules.auction.aponta:
        yield "a worthless first hand is thrown in", _somebody_has_nothing(rows) & rows.played


def _check_any(rows: Rows) -> Faults:
    contract, last = rows["contract"], AT if rows.rules.auction.kind == "ladder" else 3
    name = "one of the ladder" if last == AT else "a suit"
    yield f"the contract is {name}, or none when thrown in", ~np.where(
        rows.thrown_in, contract == NONE, (contract >= 0) & (contract <= last)
    )
    yield "the outcome is thrown_in when nobody played", (rows["outcome"] == THROWN_IN) != rows.thrown_in
    yield "the outcome is known", (rows["outcome"] < 0) | (rows["outcome"] > SCORED)


def _check_taker(rows: Rows) -> Faults:
    taker = rows["taker"]
    yield "the taker is a seat, or -1 when thrown in", (taker < -1) | (taker > 3) | ((taker == -1) != rows.thrown_in)


def _check_accept(rows: Rows) -> Faults:
    turn, contract = rows["round"], rows["contract"]
    yield from _check_taker(rows)
    yield "the round is 0, 1 or 2", (turn < 0) | (turn > 2)
    yield "the multiplier is 1", rows["multiplier"] != 1
    yield "round 1 takes the turned suit", (turn == 1) & (contract != rows.turned_suit)
    if not rows.rules.auction.round2_any_suit:
        yield "round 2 names another suit", (turn == 2) & (contract == rows.turned_suit)


def _check_ladder(rows: Rows) -> Faults:
    """A contract is called at turn 3 at the latest, and the next one so many turns later.

    Two seats pass and the third calls: that is three turns, and nine where the contract may be doubled and redoubled
    in between and still be outbid.
    """
    yield from _check_taker(rows)
    multiplier = rows["multiplier"]
    yield "the multiplier is 1, 2 or 4", ~np.isin(multiplier, (1, 2, 4)) | (rows.thrown_in & (multiplier != 1))
    between = 9 if rows.rules.auction.overcall_cancels_double else 3
    turn = 4 * (rows["round"].astype(np.int64) - 1) + rows["taker"]
    latest = 3 + between * rows["contract"].astype(np.int64)
    yield "the contract is called before the ladder ends", (rows["round"] < 0) | (rows.played & (turn > latest))


def _check_none(rows: Rows, turned: bool) -> Faults:
    """Trumps are those of the turned card and nobody takes; or seat and suit are drawn."""
    if turned:
        yield "nobody takes", rows["taker"] != -1
        yield "trumps are the turned suit", rows.played & (rows["contract"] != rows.turned_suit)
    else:
        yield from _check_taker(rows)
    yield "the round is 1, or 0 when thrown in", (rows["round"] < 0) | (rows["round"] > 1)
    yield "the multiplier is 1", rows["multiplier"] != 1
    thrown_in = _somebody_has_nothing(rows) if rows.rules.auction.aponta else np.zeros(len(rows.played), bool)
    yield "only a worthless first hand is thrown in", rows.thrown_in & ~thrown_in


def _somebody_has_nothing(rows: Rows) -> Array:
    """Whether a seat's first cards are all worth 0 in a side suit."""
    worth = sum(1 << suit * rows.field + rank for suit in range(4) for rank in _ranks_of_worth(rows.rules))
    nothing: Array = np.logical_or.reduce([first & np.uint64(worth) == 0 for first in rows.first])
    return nothing


def _ranks_of_worth(rules: Rules) -> list[int]:
    deck = rules.deck
    return [
        deck.ranks.index(rank) for rank, value in zip(deck.plain_order, deck.plain_values, strict=True) if value
    ]
