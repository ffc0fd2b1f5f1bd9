"""Checks of meld points: what the hands hold, whose melds count, and pairs that a discard loses.

Legend: a holding is one suit of a hand as bits of ranks, and an index into tables; a key is a meld's strength in
comparison, 0 for no meld.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mpsim.rules import Rules
from mpsim.rules.model import run_value
from mpsim.store.rows import AT, NT, Rows, of_seat
from mpsim.store.schema import NO_CARD, Array

Faults = Iterator[tuple[str, Array]]


class Melds(NamedTuple):
    """One hand's runs and fours, by row: their points, and the key of the strongest."""

    run_points: Array
    run_key: Array
    four_points: Array
    four_key: Array


def check_melds(rows: Rows) -> Faults:
    """Meld points follow from the hands, pairs lost in all trumps apart: those take the plays to know."""
    melds = rows.teams("meld")
    yield "meld points are not negative", (melds[0] < 0) | (melds[1] < 0)
    none = rows.thrown_in | (rows["contract"] == NT) | (rows.rules.melds.meld_policy == "never")
    yield "no melds where none may be declared", none & ((melds[0] != 0) | (melds[1] != 0))
    held = [rows.holdings(hand) for hand in rows.hands]
    counted = _counting([_melds_of(holdings, rows.rules) for holdings in held], rows.rules)
    differ = np.zeros(len(none), bool)
    for team, tricks in enumerate(rows.teams("tricks")):
        if rows.rules.melds.melds_need_trick:
            yield f"team {team} without a trick has no melds", (tricks == 0) & (melds[team] != 0)
            lost = tricks == 0
        else:
            lost = np.zeros(len(none), bool)
        fewest, most = (_pairs(rows, held, team, sure) for sure in (True, False))
        pair = rows.rules.melds.trump_pair
        low, high = (np.where(lost, 0, counted[team] + pairs * pair) for pairs in (fewest, most))
        differ |= (melds[team] < low) | (melds[team] > high) | ((melds[team] - low) % max(pair, 1) != 0)
    yield "meld points are those of the hands", ~none & differ


def _counting(seats: list[Melds], rules: Rules) -> tuple[Array, Array]:
    """Points of each team's runs and fours that count."""
    teams = [
        Melds(a.run_points + b.run_points, np.maximum(a.run_key, b.run_key),
              a.four_points + b.four_points, np.maximum(a.four_key, b.four_key))
        for a, b in ((seats[0], seats[2]), (seats[1], seats[3]))
    ]
    if rules.melds.meld_compare == "none":
        return teams[0].run_points + teams[0].four_points, teams[1].run_points + teams[1].four_points
    runs, fours = [team.run_key for team in teams], [team.four_key for team in teams]
    if rules.melds.meld_compare == "strongest":
        runs = fours = [np.maximum(team.run_key, team.four_key) for team in teams]
    ours, theirs = (
        own.run_points * (runs[team] > runs[1 - team]) + own.four_points * (fours[team] > fours[1 - team])
        for team, own in enumerate(teams)
    )
    return ours, theirs


def _melds_of(holdings: list[Array], rules: Rules) -> Melds:
    """Runs and fours of a hand; where a card serves once, the plan worth most, of equal ones that with more fours."""
    table = _tables(rules)
    common = np.bitwise_and.reduce(holdings) & table.valued
    best = _plan(holdings, common, common, rules)
    if rules.melds.overlap == "cross_type":
        return _plan(holdings, common, np.zeros_like(common), rules)
    some = np.flatnonzero(common)
    few, fours = [holding[some] for holding in holdings], common[some]
    low = fours & -fours
    # Higher ranks come last: of plans worth the same with as many fours theirs stands.  Nobody has three fours.
    plans = [_plan(few, kept, kept, rules) for kept in (np.zeros_like(fours), low, fours & ~low, fours)]
    chosen = plans[0]
    for plan in plans[1:]:
        better = plan.run_points + plan.four_points >= chosen.run_points + chosen.four_points
        chosen = Melds(*(np.where(better, new, old) for new, old in zip(plan, chosen, strict=True)))
    for whole, part in zip(best, chosen, strict=True):
        whole[some] = part
    return best


def _plan(holdings: list[Array], fours: Array, used: Array, rules: Rules) -> Melds:
    """The melds of a hand that declares these fours, and runs without the ranks that they use up."""
    table = _tables(rules)
    left = [holding & ~used for holding in holdings]
    return Melds(
        np.add.reduce([table.run_points[holding] for holding in left]),
        np.maximum.reduce([table.run_key[holding] for holding in left]),
        table.four_points[fours].copy(),
        table.four_key[fours].copy(),
    )


class _Tables(NamedTuple):
    valued: int             # ranks whose four is worth something
    run_points: Array       # by holding
    run_key: Array
    four_points: Array      # by set of ranks
    four_key: Array


@lru_cache(maxsize=8)
def _tables(rules: Rules) -> _Tables:
    values = rules.melds.fours_table
    holdings = range(1 << len(values))
    valued = sum(1 << rank for rank, value in enumerate(values) if value)
    ranks = [[rank for rank, value in enumerate(values) if value and holding >> rank & 1] for holding in holdings]
    return _Tables(
        valued,
        np.array([sum(run_value(rules, length) for length, _ in _runs(holding)) for holding in holdings]),
        np.array([max((_run_key(*run, rules) for run in _runs(holding)), default=0) for holding in holdings]),
        np.array([sum(values[rank] for rank in fours) for fours in ranks]),
        np.array([max((_four_key(rank, rules) for rank in fours), default=0) for fours in ranks]),
    )


def _runs(holding: int) -> list[tuple[int, int]]:
    """Length and top rank of the blocks of three or more."""
    found, start = [], 0
    for rank in range(holding.bit_length() + 1):
        if not holding >> rank & 1:
            if rank - start >= 3:
                found.append((rank - start, rank - 1))
            start = rank + 1
    return found


def _run_key(length: int, top: int, rules: Rules) -> int:
    """Length, as far as lengths are told apart, before the top rank; in one pool the points before both."""
    told = min(length, rules.melds.sequence_max) if rules.melds.seq_compare == "capped5" else length
    pooled = rules.melds.meld_compare == "strongest"
    return (run_value(rules, length) << 10 if pooled else 0) | told << 4 | top


def _four_key(rank: int, rules: Rules) -> int:
    """The place in the order of fours; in one pool the points before it, and a four before a run worth the same."""
    place = len(rules.deck.ranks) - rules.melds.fours_order.index(rules.deck.ranks[rank])
    pooled = rules.melds.meld_compare == "strongest"
    return (rules.melds.fours_table[rank] << 10 | 1 << 9 if pooled else 0) | place


def _pairs(rows: Rows, held: list[list[Array]], team: int, sure: bool) -> Array:
    """How many pairs of trumps a team announces for sure, or at most: they differ where plays are not recorded."""
    ranks = rows.rules.deck.ranks
    if not {"K", "Q"} <= set(ranks):
        return np.zeros(len(rows.played), np.int64)
    pair = 1 << ranks.index("K") | 1 << ranks.index("Q")
    all_trumps = rows["contract"] == AT
    count = np.zeros(len(all_trumps), np.int64)
    for seat in (team, team + 2):
        in_trumps = of_seat(held[seat], rows["contract"]) & pair == pair
        in_all = [held[seat][suit] & pair == pair for suit in range(4)]
        if not rows.rules.melds.belot_on_discard and rows.rules.auction.kind == "ladder":
            in_all = [has & _is_announced(rows, suit, sure) for suit, has in enumerate(in_all)]
        count += np.where(all_trumps, np.add.reduce(in_all, dtype=np.int64), in_trumps)
    return count


def _is_announced(rows: Rows, suit: int, sure: bool) -> Array:
    """Whether the first of a suit's king and queen is played on a lead of that suit."""
    if "plays" not in rows.arrays:
        return np.full(len(rows.played), not sure)
    plays, ranks = rows["plays"], rows.rules.deck.ranks
    king, queen = (suit * rows.field + ranks.index(rank) for rank in "KQ")
    ply = ((plays == king) | (plays == queen)).argmax(axis=1)
    lead = plays[np.arange(len(ply)), ply - ply % 4]
    announced: Array = (lead != NO_CARD) & (lead // rows.field == suit)
    return announced
