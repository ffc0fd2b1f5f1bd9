"""Matches as columns: rules, policies and the kernel that plays matches side by side."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from mpsim.kernels.match import MatchColumns, whole_matches
from mpsim.policies.load import Policies
from mpsim.policies.tables import bid_tables, player_tables
from mpsim.rules.model import Rules
from mpsim.rules.tables import match_tables, rule_tables

Array = npt.NDArray[np.generic]
T = TypeVar("T")

MAX_MATCHES = 1 << 54
"""Match numbers are below this: each has 1024 numbers of deals."""


def play_matches(rules: Rules, policies: Policies, seed: int, first: int, count: int) -> dict[str, Array]:
    """Play the matches first .. first + count - 1 and return their columns, each of length `count`.

    Policies belong to players, who sit in another seat in each deal; players 0 and 2 are team 0.  Columns are those of
    the files (docs/matches.md), `ended` as an int8 code.  Rules must have been checked; the GIL is released.
    """
    tables = _tables_in_turn(policies)
    seats = [player_tables(table) for table in tables]
    out = _empty_columns(count)
    whole_matches(
        np.uint64(seed), np.uint64(first), count, rule_tables(rules), match_tables(rules),
        tuple(bid_tables(table, rules) for table in tables), np.array([each.random_seats for each in seats]),
        np.array([each.greedy_seats for each in seats]), out,
    )
    return {
        "match": np.arange(count, dtype=np.uint64) + np.uint64(first), "winner": out.winner,
        "score_0": out.scores[0], "score_1": out.scores[1], "ended": out.ended, "deals": out.deals,
        "thrown_in": out.thrown_in, "capots": out.capots, "hung": out.hung, "hanging": out.pool,
        "first_dealer": out.dealer,
    }


def _empty_columns(count: int) -> MatchColumns:
    return MatchColumns(
        winner=np.empty(count, np.int8),
        scores=np.empty((2, count), np.int32),
        pool=np.empty(count, np.int32),
        dealer=np.empty(count, np.int8),
        deals=np.empty(count, np.int16),
        thrown_in=np.empty(count, np.int16),
        capots=np.empty(count, np.int16),
        hung=np.empty(count, np.int16),
        ended=np.empty(count, np.int8),
    )


def _tables_in_turn(policies: Policies) -> list[Policies]:
    """The table with player 0, 1, ... in seat 0, as far as these differ."""
    turned = [Policies(_from(policies.play, turn), _from(policies.bid, turn)) for turn in range(4)]
    period = next(turns for turns in (1, 2, 4) if turned[turns % 4] == turned[0])
    return turned[:period]


def _from(players: tuple[T, T, T, T], first: int) -> tuple[T, T, T, T]:
    a, b, c, d = (*players[first:], *players[:first])
    return a, b, c, d
