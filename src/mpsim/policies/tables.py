"""Policies as the numbers that the kernels take as arguments."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.kernels.auction import ALWAYS
from mpsim.kernels.ladder import CONTRACTS, HALF
from mpsim.policies.bid import Always, BidPolicy, Chance, Holdings, PointCount
from mpsim.policies.chart import Chart
from mpsim.policies.classes import ClassTables, class_tables
from mpsim.policies.ladder import LadderCount
from mpsim.policies.load import Policies
from mpsim.rules.model import Rules

_NEVER = (1 << 32) - 1
_LEVEL = 4 * HALF
"""What four holdings of worth 0 come to once HALF is added to each."""
_NOTHING = [HALF << 16 | HALF] * 256
"""Holdings that are all worth 0."""


class BidTables(NamedTuple):
    """One row a seat; thresholds are shifted so that no strength is negative (see kernels/auction.py)."""

    worth: npt.NDArray[np.uint32]           # [1024]: 256 holdings a seat, trump << 16 | side
    round1: npt.NDArray[np.uint32]          # [4] strength needed to accept
    round2: npt.NDArray[np.uint32]          # [4] strength needed to name
    chance: npt.NDArray[np.uint32]          # [4] probability of being willing at all, in 2^-27
    random_suit: npt.NDArray[np.uint32]     # [4] 1: round 2 names any allowed suit, the ladder any legal call
    counts_upcard: npt.NDArray[np.uint32]   # [4] all ones: the turned card is judged as part of the hand
    worth2: npt.NDArray[np.uint32]          # [1024]: 256 holdings a seat, no trumps << 16 | all trumps
    needed: npt.NDArray[np.uint32]          # [72] a seat: six contracts to open, over the partner's, over an opponent's
    double: npt.NDArray[np.uint32]          # [24] strength needed to double each contract
    redouble: npt.NDArray[np.uint32]        # [24]
    charted: npt.NDArray[np.uint32]         # [4] 1: the seat bids by a chart
    chart: npt.NDArray[np.uint8]            # [8, classes]: the charts' actions by round and seat; without them [8, 0]
    classes: ClassTables
    draws: int                              # 1: some seat leaves something to chance


class PlayerTables(NamedTuple):
    """Which seats each player takes, one bit a seat."""

    random_seats: int
    greedy_seats: int


def _holding(cards: tuple[int, ...], length: tuple[int, ...], byte: int) -> int:
    """What one holding of a suit is worth; bit i of `byte` is the card of rank i."""
    return sum(value for rank, value in enumerate(cards) if byte >> rank & 1) + length[byte.bit_count()]


def _packed(high: Holdings, low: Holdings) -> list[int]:
    """The worth of all 256 holdings of a suit, two in a word."""
    worth = [[_holding(*holdings, byte) + HALF for byte in range(256)] for holdings in (high, low)]
    return [first << 16 | second for first, second in zip(*worth, strict=True)]


def _worth(policy: BidPolicy) -> list[int]:
    return _packed(policy.trump, policy.side) if isinstance(policy, PointCount | LadderCount) else _NOTHING


def _worth2(policy: BidPolicy) -> list[int]:
    return _packed(policy.no_trumps, policy.all_trumps) if isinstance(policy, LadderCount) else _NOTHING


def _thresholds(policy: BidPolicy, seat: int) -> tuple[int, int]:
    if isinstance(policy, PointCount):
        return policy.round1[seat] + _LEVEL, policy.round2[seat] + _LEVEL
    return (_LEVEL, _LEVEL) if isinstance(policy, Always | Chance) else (_NEVER, _NEVER)


def _calls(policy: BidPolicy) -> tuple[list[int], list[int], list[int]]:
    """Strength needed to call each contract in three situations, to double and to redouble."""
    never = [_NEVER] * CONTRACTS
    if isinstance(policy, LadderCount):
        needed = (*policy.opening, *policy.over_partner, *policy.over_opponents)
        of_all = ([value + _LEVEL for value in values] for values in (needed, policy.double, policy.redouble))
        first, double, redouble = of_all
        return first, double, redouble
    opening = [_LEVEL, *never[1:]] if isinstance(policy, Always) else never
    return [*opening, *never, *never], never, never


def _counts_upcard(policy: BidPolicy, seat: int, rules: Rules) -> int:
    """All ones where the seat judges the turned card too: it would come into his hand."""
    on_table = rules.deal.turn_up and rules.deal.upcard_index == 4 * sum(rules.deal.packets)
    takes = on_table and (seat == 3 or rules.deal.upcard_to == "taker")
    return 0xFFFFFFFF if isinstance(policy, PointCount) and policy.counts_upcard and takes else 0


def _actions(policies: Policies) -> npt.NDArray[np.uint8]:
    """Each seat's own rows of its chart."""
    charted = any(isinstance(bidder, Chart) for bidder in policies.bid)
    actions = np.zeros((8, class_tables().turned if charted else 0), np.uint8)
    for seat, bidder in enumerate(policies.bid):
        if isinstance(bidder, Chart):
            actions[[seat, 4 + seat]] = bidder.actions[[seat, 4 + seat]]
    actions.flags.writeable = False
    return actions


def _words(values: list[int]) -> npt.NDArray[np.uint32]:
    array = np.array(values, np.uint32)
    array.flags.writeable = False
    return array


@lru_cache(maxsize=64)
def bid_tables(policies: Policies, rules: Rules) -> BidTables:
    """The four bidders' tables; arrays are read-only."""
    seats = list(enumerate(policies.bid))
    thresholds = [_thresholds(bidder, seat) for seat, bidder in seats]
    calls = [_calls(bidder) for bidder in policies.bid]
    return BidTables(
        worth=_words([packed for bidder in policies.bid for packed in _worth(bidder)]),
        round1=_words([first for first, _ in thresholds]),
        round2=_words([second for _, second in thresholds]),
        chance=_words([bidder.threshold if isinstance(bidder, Chance) else ALWAYS for bidder in policies.bid]),
        random_suit=_words([int(isinstance(bidder, Chance)) for bidder in policies.bid]),
        counts_upcard=_words([_counts_upcard(bidder, seat, rules) for seat, bidder in seats]),
        worth2=_words([packed for bidder in policies.bid for packed in _worth2(bidder)]),
        needed=_words([value for needed, _, _ in calls for value in needed]),
        double=_words([value for _, double, _ in calls for value in double]),
        redouble=_words([value for _, _, redouble in calls for value in redouble]),
        charted=_words([int(isinstance(bidder, Chart)) for bidder in policies.bid]),
        chart=_actions(policies),
        classes=class_tables(),
        draws=int(any(isinstance(bidder, Chance) for bidder in policies.bid)),
    )


def player_tables(policies: Policies) -> PlayerTables:
    """Seats by player."""
    random, greedy = (
        sum(1 << seat for seat, name in enumerate(policies.play) if name == player) for player in ("random", "greedy")
    )
    return PlayerTables(random, greedy)
