"""Whole deals, block after block, into columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.auction import DRAWN, auction
from mpsim.kernels.deal import deal
from mpsim.kernels.exchange import complete, exchange
from mpsim.kernels.lanes import (
    EXCHANGER, FIRST0, HAND0, LANES, MULTIPLIER, OUTCOME, PLAYS, POINTS0, ROUND, SCORE0, STRIDE, TAKER, TRICKS, TRUMP,
    UP_CARD, hand_size, new_state,
)
from mpsim.kernels.melds import melds
from mpsim.kernels.order import hands_to_play_order, to_natural_order
from mpsim.kernels.random import AUCTION, DEAL, PLAY, seed_streams
from mpsim.kernels.score import MELD0, settle
from mpsim.kernels.trick import play_out
from mpsim.kernels.words import position, vector_code

Words = npt.NDArray[np.uint32 | np.uint64]
Bytes = npt.NDArray[np.int8]
Shorts = npt.NDArray[np.int16]


class Columns(NamedTuple):
    """Arrays of n deals that a batch fills; -1 stands for none in `taker` and `exchanger`, code 6 in `contract`."""

    hands: Words        # [8, n]: hand_0-3, then first_0-3
    upcard: Bytes
    round: Bytes
    taker: Bytes
    contract: Bytes
    multiplier: Bytes
    exchanger: Bytes
    melds: Shorts       # [2, n]
    tricks: Bytes       # [2, n]
    points: Shorts      # [2, n]
    scores: Shorts      # [2, n]
    outcome: Bytes
    plays: npt.NDArray[np.uint8]   # [n, cards] when plays are recorded, else [0, cards]


@kernel
def _hands_of_block(state, seed, first, rules, bid):
    """Deal, auction and exchange of the block that starts at deal `first`."""
    seed_streams(state, seed, first, DEAL)
    deal(state, rules.deal)
    if bid.draws or rules.deal.kind == DRAWN:
        seed_streams(state, seed, first, AUCTION)
    auction(state, rules.deal, bid)
    complete(state, rules.deal)
    exchange(state, rules.deal)


@kernel
def deal_and_bid(state, seed, first, rules, bid):
    """The same, and melds."""
    _hands_of_block(state, seed, first, rules, bid)
    melds(state, rules.melds)


@kernel
def play_block(state, seed, first, rules, random_seats, greedy_seats, record):
    """Play out a block that is dealt and bid."""
    if random_seats:
        seed_streams(state, seed, first, PLAY)
    hands_to_play_order(state, rules.order)
    play_out(state, rules.play, random_seats, greedy_seats, record)


@kernel
def _write(state, row, out, at, count):
    """Copy a row to out[at : at + count]; narrower columns keep the low bits, so all ones become -1."""
    vector_code()
    source, target, narrow = u64(row), u64(at), out.dtype.type
    for lane in range(count):
        out[target + u64(lane)] = narrow(state[source + u64(lane)])


@kernel
def _write_auction(state, out, at, count):
    """Cards, and what was bid and swapped."""
    for seat in range(4):
        _write(state, HAND0 + seat * STRIDE, out.hands[seat], at, count)
        _write(state, FIRST0 + seat * STRIDE, out.hands[4 + seat], at, count)
    _write(state, UP_CARD, out.upcard, at, count)
    _write(state, ROUND, out.round, at, count)
    _write(state, TAKER, out.taker, at, count)
    _write(state, TRUMP, out.contract, at, count)
    _write(state, MULTIPLIER, out.multiplier, at, count)
    _write(state, EXCHANGER, out.exchanger, at, count)


@kernel
def _write_deal(state, out, at, count):
    """All columns but the plays."""
    _write_auction(state, out, at, count)
    for team in range(2):
        _write(state, MELD0 + team * STRIDE, out.melds[team], at, count)
        _write(state, TRICKS + team * STRIDE, out.tricks[team], at, count)
        _write(state, POINTS0 + team * STRIDE, out.points[team], at, count)
        _write(state, SCORE0 + team * STRIDE, out.scores[team], at, count)
    _write(state, OUTCOME, out.outcome, at, count)


@kernel
def _keep_new(state, row):
    """Leave in `row` the card that the row before it does not have."""
    vector_code()
    at, before = u64(row), u64(row - STRIDE)
    for lane in range(LANES):
        state[at + u64(lane)] = state[at + u64(lane)] ^ state[before + u64(lane)]


@kernel
def _write_plays(state, rules, plays, at, count):
    """Card numbers in the order played; 255 throughout where the deal was thrown in."""
    for ply in range(4 * hand_size(state) - 1, -1, -1):
        row = PLAYS + ply * STRIDE
        if ply:
            _keep_new(state, row)
        to_natural_order(state, rules, row)
        for lane in range(count):
            played = state[ROUND + lane] != 0
            plays[at + lane, ply] = position(state[row + lane]) if played else 255


@kernel
def whole_deals(seed, first, count, rules, bid, random_seats, greedy_seats, record, out):
    """Play the deals first .. first + count - 1 and fill `out` (Columns) from its start."""
    state = new_state(rules.order.side_moves)
    for at in range(0, count, LANES):
        block = u64(first + u64(at))
        deal_and_bid(state, seed, block, rules, bid)
        play_block(state, seed, block, rules, random_seats, greedy_seats, record)
        here = min(LANES, count - at)
        if record:
            _write_plays(state, rules.order, out.plays, at, here)
        settle(state, rules.score)
        _write_deal(state, out, at, here)


@kernel
def bid_deals(seed, first, count, rules, bid, out):
    """Deal and bid the deals first .. first + count - 1, and fill the columns of `out` that are known then."""
    state = new_state(rules.order.side_moves)
    for at in range(0, count, LANES):
        _hands_of_block(state, seed, u64(first + u64(at)), rules, bid)
        here = min(LANES, count - at)
        _write_auction(state, out, at, here)
