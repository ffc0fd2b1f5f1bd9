"""A batch of deals as columns: the one place where rules, policies and kernels meet."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mpsim.kernels.batch import Columns, bid_deals, whole_deals, whole_tables
from mpsim.policies.load import Policies
from mpsim.policies.tables import bid_tables, player_tables
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables, word_type

Array = npt.NDArray[np.generic]


def _empty_columns(rules: Rules, count: int, plays: int) -> Columns:
    return Columns(
        hands=np.empty((8, count), word_type(rules.deck)),
        upcard=np.empty(count, np.int8),
        round=np.empty(count, np.int8),
        taker=np.empty(count, np.int8),
        contract=np.empty(count, np.int8),
        multiplier=np.empty(count, np.int8),
        exchanger=np.empty(count, np.int8),
        melds=np.empty((2, count), np.int16),
        tricks=np.empty((2, count), np.int8),
        points=np.empty((2, count), np.int16),
        scores=np.empty((2, count), np.int16),
        outcome=np.empty(count, np.int8),
        plays=np.empty((plays, 4 * rules.hand_size), np.uint8),
    )


def play_batch(
    rules: Rules, policies: Policies, seed: int, first: int, count: int, record_plays: bool = False
) -> dict[str, Array]:
    """Play the deals first .. first + count - 1 and return their columns, each of length `count`.

    Names and meanings are those of the Parquet files (docs/columns.md), save that `contract` and `outcome` hold int8
    codes.  `plays` (uint8, [count, cards]) is there only with `record_plays`.  Rules must have been checked.  Any
    number of threads may call at once; the GIL is released throughout.
    """
    if rules.deal.shuffle == "cut_only":
        return _play_tables(rules, policies, seed, first, count, record_plays)
    out = _empty_columns(rules, count, count if record_plays else 0)
    players = player_tables(policies)
    whole_deals(
        np.uint64(seed), np.uint64(first), count, rule_tables(rules), bid_tables(policies, rules),
        players.random_seats, players.greedy_seats, record_plays, out,
    )
    return _all_columns(out, first, count, record_plays)


def _play_tables(
    rules: Rules, policies: Policies, seed: int, first: int, count: int, record_plays: bool
) -> dict[str, Array]:
    """The same where the deck is only cut: tables are played from their first deal on, rows not asked for left out."""
    chain = rules.deal.chain
    start, end = first // chain * chain, -(-(first + count) // chain) * chain
    out = _empty_columns(rules, end - start, end - start if record_plays else 0)
    players = player_tables(policies)
    whole_tables(
        np.uint64(seed), np.uint64(start), (end - start) // chain, chain, rule_tables(rules),
        bid_tables(policies, rules), players.random_seats, players.greedy_seats, record_plays, out,
    )
    columns = _all_columns(out, start, end - start, record_plays)
    return {name: values[first - start : first - start + count] for name, values in columns.items()}


def _all_columns(out: Columns, first: int, count: int, record_plays: bool) -> dict[str, Array]:
    columns = _auction_columns(out, first, count)
    for name, pair in (("meld", out.melds), ("tricks", out.tricks), ("points", out.points), ("score", out.scores)):
        columns |= {f"{name}_{team}": pair[team] for team in range(2)}
    columns["outcome"] = out.outcome
    if record_plays:
        columns["plays"] = out.plays
    return columns


def bid_batch(rules: Rules, policies: Policies, seed: int, first: int, count: int) -> dict[str, Array]:
    """The same without play: the columns from `deal` to `exchanger`; a thrown-in deal's contract is of no account."""
    if rules.deal.shuffle == "cut_only":  # the deck of a deal depends on how the one before was played
        return play_batch(rules, policies, seed, first, count)
    out = _empty_columns(rules, count, 0)
    bid_deals(np.uint64(seed), np.uint64(first), count, rule_tables(rules), bid_tables(policies, rules), out)
    return _auction_columns(out, first, count)


def _auction_columns(out: Columns, first: int, count: int) -> dict[str, Array]:
    columns: dict[str, Array] = {"deal": np.arange(count, dtype=np.uint64) + np.uint64(first)}
    for seat in range(4):
        columns[f"hand_{seat}"] = out.hands[seat]
    for seat in range(4):
        columns[f"first_{seat}"] = out.hands[4 + seat]
    columns |= {"upcard": out.upcard, "round": out.round, "taker": out.taker, "contract": out.contract}
    return columns | {"multiplier": out.multiplier, "exchanger": out.exchanger}
