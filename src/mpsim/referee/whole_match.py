"""A whole match, deal after deal, from the draw for the first dealer to the last score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from mpsim.referee.auction import Bidders
from mpsim.referee.game import play_deal
from mpsim.referee.gather import next_deck, starts_table
from mpsim.referee.match import Match
from mpsim.referee.players import Player
from mpsim.referee.record import DealRecord
from mpsim.referee.score import HUNG, THROWN_IN
from mpsim.referee.streams import MATCH, below, check_word, draws
from mpsim.rules.model import Rules

T = TypeVar("T")

LONGEST = 1024
"""Deals of a match, thrown-in ones too; deal k of match m is deal number 1024 m + k."""

UNFINISHED = "unfinished"
"""Stands for what decided a match that nobody has won after the longest time."""


@dataclass(frozen=True)
class MatchRecord:
    """One match; players sit in turn order, team 0 is players 0 and 2, team 1 players 1 and 3."""

    seed: int
    match: int
    dealer: int                 # the player who dealt first
    winner: int                 # the team that won, -1: nobody in 1024 deals
    scores: tuple[int, int]
    ended: str                  # what decided it: target, level, raise, one_more, sweep, claim, or unfinished
    deals: int                  # dealt, thrown-in ones too
    thrown_in: int
    capots: int                 # deals with all tricks to one side
    hung: int                   # deals that hung
    pool: int                   # points still hanging, lost
    records: tuple[DealRecord, ...]


def play_match(
    rules: Rules,
    seed: int,
    match: int,
    bidders: Bidders,
    players: Sequence[Player],
) -> MatchRecord:
    """Play match number `match` of a seed; bidders and players by player, who sits in another seat in each deal.

    UsageError for a seed outside 0 .. 2^64 - 1 or a match outside 0 .. 2^54 - 1.
    """
    check_word("match", match, 54)
    dealer = below(draws(seed, match, MATCH, 1)[0], 4)
    sheet = Match(rules, dealer)
    records: list[DealRecord] = []
    while sheet.winner is None and len(records) < LONGEST:
        number = match * LONGEST + len(records)
        fresh = not records or starts_table(rules, number)
        deck = next_deck(rules, seed, number, None if fresh else records[-1])
        first = (sheet.dealer + 1) % 4
        record = play_deal(rules, seed, number, _by_seat(bidders, first), _by_seat(players, first), deck)
        sheet.add_record(record)
        records.append(record)
    return _told(seed, match, dealer, sheet, records)


def _by_seat(players: Sequence[T], first: int) -> list[T]:
    """The players from the one who sits in seat 0 on."""
    return [*players[first:], *players[:first]]


def _told(seed: int, match: int, dealer: int, sheet: Match, records: Sequence[DealRecord]) -> MatchRecord:
    outcomes = [record.settlement.outcome for record in records]
    return MatchRecord(
        seed, match, dealer,
        winner=-1 if sheet.winner is None else sheet.winner,
        scores=(sheet.scores[0], sheet.scores[1]),
        ended=sheet.ended or UNFINISHED,
        deals=len(records),
        thrown_in=outcomes.count(THROWN_IN),
        capots=sum(record.settlement.sweeper >= 0 for record in records),
        hung=outcomes.count(HUNG),
        pool=sheet.pool,
        records=tuple(records),
    )
