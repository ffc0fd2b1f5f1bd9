"""Whole deals, block after block, into columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.auction import DRAWN, auction
from mpsim.kernels.cut import deal_cut, gather
from mpsim.kernels.deal import deal
from mpsim.kernels.exchange import complete, exchange
from mpsim.kernels.lanes import (
    EXCHANGER, FIRST0, HAND0, LANES, MULTIPLIER, OUTCOME, PLAYS, POINTS0, ROUND, SCORE0, STRIDE, TAKER, TRICKS, TRUMP,
    UP_CARD, hand_size, new_state,
)
from mpsim.kernels.melds import melds
from mpsim.kernels.order import hands_to_play_order
from mpsim.kernels.plays import name_plays
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
def bid_block(state, seed, first, step, rules, bid):
    """Auction, second deal and exchange on the cards dealt; deals are numbered as in `seed_streams`."""
    if bid.draws or rules.deal.kind == DRAWN:
        seed_streams(state, seed, first, step, AUCTION)
    auction(state, rules.deal, bid)
    complete(state, rules.deal)
    exchange(state, rules.deal)


@kernel
def deal_and_bid(state, seed, first, rules, bid):
    """Deal, auction, exchange and melds of the block that starts at deal `first`."""
    seed_streams(state, seed, first, 1, DEAL)
    deal(state, rules.deal)
    bid_block(state, seed, first, 1, rules, bid)
    melds(state, rules.melds)


@kernel
def play_block(state, seed, first, step, rules, random_seats, greedy_seats, record):
    """Play out a block that is dealt and bid."""
    if random_seats:
        seed_streams(state, seed, first, step, PLAY)
    hands_to_play_order(state, rules.order)
    play_out(state, rules.play, random_seats, greedy_seats, record)


@kernel
def _write(state, row, out, at, step, count):
    """Copy lanes 0 .. count - 1 to out[at + step * lane]; narrower columns keep the low bits, so all ones are -1."""
    vector_code()
    source, target, narrow = u64(row), u64(at), out.dtype.type
    if step == 1:
        for lane in range(count):
            out[target + u64(lane)] = narrow(state[source + u64(lane)])
    else:
        for lane in range(count):
            out[target + u64(lane * step)] = narrow(state[source + u64(lane)])


@kernel
def _write_auction(state, out, at, step, count):
    """Cards, and what was bid and swapped."""
    for seat in range(4):
        _write(state, HAND0 + seat * STRIDE, out.hands[seat], at, step, count)
        _write(state, FIRST0 + seat * STRIDE, out.hands[4 + seat], at, step, count)
    _write(state, UP_CARD, out.upcard, at, step, count)
    _write(state, ROUND, out.round, at, step, count)
    _write(state, TAKER, out.taker, at, step, count)
    _write(state, TRUMP, out.contract, at, step, count)
    _write(state, MULTIPLIER, out.multiplier, at, step, count)
    _write(state, EXCHANGER, out.exchanger, at, step, count)


@kernel
def _write_deal(state, out, at, step, count):
    """All columns but the plays."""
    _write_auction(state, out, at, step, count)
    for team in range(2):
        _write(state, MELD0 + team * STRIDE, out.melds[team], at, step, count)
        _write(state, TRICKS + team * STRIDE, out.tricks[team], at, step, count)
        _write(state, POINTS0 + team * STRIDE, out.points[team], at, step, count)
        _write(state, SCORE0 + team * STRIDE, out.scores[team], at, step, count)
    _write(state, OUTCOME, out.outcome, at, step, count)


@kernel
def _write_plays(state, plays, at, step, count):
    """Card numbers in the order played; 255 throughout where the deal was thrown in."""
    for ply in range(4 * hand_size(state)):
        row = PLAYS + ply * STRIDE
        for lane in range(count):
            played = state[ROUND + lane] != 0
            plays[at + lane * step, ply] = position(state[row + lane]) if played else 255


@kernel
def whole_deals(seed, first, count, rules, bid, random_seats, greedy_seats, record, out):
    """Play the deals first .. first + count - 1 and fill `out` (Columns) from its start."""
    state = new_state(rules.order.side_moves)
    for at in range(0, count, LANES):
        block = u64(first + u64(at))
        deal_and_bid(state, seed, block, rules, bid)
        play_block(state, seed, block, 1, rules, random_seats, greedy_seats, record)
        here = min(LANES, count - at)
        if record:
            name_plays(state, rules.order)
            _write_plays(state, out.plays, at, 1, here)
        settle(state, rules.score)
        _write_deal(state, out, at, 1, here)


@kernel
def deal_or_cut(state, seed, first, step, rules, fresh):
    """The cards of a block: shuffled, or cut from what `gather` left."""
    seed_streams(state, seed, first, step, DEAL)
    if fresh:
        deal(state, rules.deal)
    else:
        deal_cut(state, rules.deal)


@kernel
def whole_tables(seed, first, tables, chain, rules, bid, random_seats, greedy_seats, record, out):
    """Play tables of `chain` deals each with a deck that is only cut, the first from deal `first` on; fill `out`."""
    state = new_state(rules.order.side_moves)
    for table in range(0, tables, LANES):
        here = min(LANES, tables - table)
        for number in range(chain):
            at = table * chain + number
            block = u64(first + u64(at))
            deal_or_cut(state, seed, block, chain, rules, number == 0)
            bid_block(state, seed, block, chain, rules, bid)
            melds(state, rules.melds)
            play_block(state, seed, block, chain, rules, random_seats, greedy_seats, True)
            name_plays(state, rules.order)
            if record:
                _write_plays(state, out.plays, at, chain, here)
            gather(state, rules.deal, ROUND, 1, 0)
            settle(state, rules.score)
            _write_deal(state, out, at, chain, here)


@kernel
def bid_deals(seed, first, count, rules, bid, out):
    """Deal and bid the deals first .. first + count - 1, and fill the columns of `out` that are known then."""
    state = new_state(rules.order.side_moves)
    for at in range(0, count, LANES):
        block = u64(first + u64(at))
        seed_streams(state, seed, block, 1, DEAL)
        deal(state, rules.deal)
        bid_block(state, seed, block, 1, rules, bid)
        _write_auction(state, out, at, 1, min(LANES, count - at))
