"""Policies as the numbers that the kernels take as arguments."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.kernels.auction import ALWAYS, HALF
from mpsim.policies.bid import Always, BidPolicy, Chance, PointCount
from mpsim.policies.load import Policies
from mpsim.rules.model import Rules

_NEVER = (1 << 32) - 1
_LEVEL = 4 * HALF
"""What four holdings of worth 0 come to once HALF is added to each."""


class BidTables(NamedTuple):
    """One row a seat; thresholds are shifted so that no strength is negative (see kernels/auction.py)."""

    worth: npt.NDArray[np.uint32]           # [1024]: 256 holdings a seat, trump << 16 | side
    round1: npt.NDArray[np.uint32]          # [4] strength needed to accept
    round2: npt.NDArray[np.uint32]          # [4] strength needed to name
    chance: npt.NDArray[np.uint32]          # [4] probability of being willing at all, in 2^-27
    random_suit: npt.NDArray[np.uint32]     # [4] 1: round 2 names any allowed suit
    counts_upcard: npt.NDArray[np.uint32]   # [4] all ones: the turned card is judged as part of the hand
    draws: int                              # 1: some seat leaves something to chance


class PlayerTables(NamedTuple):
    """Which seats each player takes, one bit a seat."""

    random_seats: int
    greedy_seats: int


def _holding(cards: tuple[int, ...], length: tuple[int, ...], byte: int) -> int:
    """What one holding of a suit is worth; bit i of `byte` is the card of rank i."""
    return sum(value for rank, value in enumerate(cards) if byte >> rank & 1) + length[byte.bit_count()]


def _worth(policy: BidPolicy) -> list[int]:
    """The packed worth of all 256 holdings of a suit."""
    if not isinstance(policy, PointCount):
        return [HALF << 16 | HALF] * 256
    trump = [_holding(policy.trump_cards, policy.trump_length, byte) + HALF for byte in range(256)]
    side = [_holding(policy.side_cards, policy.side_length, byte) + HALF for byte in range(256)]
    return [t << 16 | s for t, s in zip(trump, side, strict=True)]


def _thresholds(policy: BidPolicy, seat: int) -> tuple[int, int]:
    if isinstance(policy, PointCount):
        return policy.round1[seat] + _LEVEL, policy.round2[seat] + _LEVEL
    return (_LEVEL, _LEVEL) if isinstance(policy, Always | Chance) else (_NEVER, _NEVER)


def _counts_upcard(policy: BidPolicy, seat: int, rules: Rules) -> int:
    """All ones where the seat judges the turned card too: it would come into his hand."""
    takes = seat == 3 if rules.deal.upcard_to == "dealer" else True
    return 0xFFFFFFFF if isinstance(policy, PointCount) and policy.counts_upcard and takes else 0


def _words(values: list[int]) -> npt.NDArray[np.uint32]:
    array = np.array(values, np.uint32)
    array.flags.writeable = False
    return array


@lru_cache(maxsize=64)
def bid_tables(policies: Policies, rules: Rules) -> BidTables:
    """The four bidders' tables; arrays are read-only."""
    seats = list(enumerate(policies.bid))
    thresholds = [_thresholds(bidder, seat) for seat, bidder in seats]
    return BidTables(
        worth=_words([packed for bidder in policies.bid for packed in _worth(bidder)]),
        round1=_words([first for first, _ in thresholds]),
        round2=_words([second for _, second in thresholds]),
        chance=_words([bidder.threshold if isinstance(bidder, Chance) else ALWAYS for bidder in policies.bid]),
        random_suit=_words([int(isinstance(bidder, Chance)) for bidder in policies.bid]),
        counts_upcard=_words([_counts_upcard(bidder, seat, rules) for seat, bidder in seats]),
        draws=int(any(isinstance(bidder, Chance) for bidder in policies.bid)),
    )


def player_tables(policies: Policies) -> PlayerTables:
    """Seats by player."""
    random, greedy = (
        sum(1 << seat for seat, name in enumerate(policies.play) if name == player) for player in ("random", "greedy")
    )
    return PlayerTables(random, greedy)
