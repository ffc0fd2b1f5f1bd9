"""Every decision on the way of a deal's auction, played out both ways on the same cards.

What a seat means to say depends on its hand and the turned card alone.  So whoever passes at a turn, the next one who
means to take does.  And how a deal goes depends on its trumps and on the side that took, not on the round, nor on which
of two partners it was unless the taker gets the turned card: so eight contracts, or sixteen, tell all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64 as i64
from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.auction import intentions, open_auction
from mpsim.kernels.batch import play_block
from mpsim.kernels.classes import other_class, turned_class
from mpsim.kernels.deal import deal
from mpsim.kernels.exchange import complete, exchange
from mpsim.kernels.lanes import (
    FIRST0, GAINS, HAND0, KEPT0, LANES, MEANS, MULTIPLIER, OPEN, ROUND, SCORE0, SCORE1, STRIDE, TAKER, TAKES,
    TAKES_NEXT, TRUMP, UP_CARD, UP_SUIT, new_state,
)
from mpsim.kernels.melds import melds
from mpsim.kernels.prefetch import prefetch
from mpsim.kernels.random import AUCTION, DEAL, seed_streams
from mpsim.kernels.score import settle
from mpsim.kernels.words import vector_code

NOBODY = 8
"""In TAKES: nobody takes."""
AHEAD = 16
"""Decisions between asking for a record and adding to it."""


class Visits(NamedTuple):
    """Decisions met: where each is counted, and what both ways were worth to the decider's team."""

    record: npt.NDArray[np.uint32]
    taking: npt.NDArray[np.int16]
    passing: npt.NDArray[np.int16]


@kernel
def _copy(state, from_row, to_row):
    vector_code()
    source, target = u64(from_row), u64(to_row)
    for lane in range(LANES):
        state[target + u64(lane)] = state[source + u64(lane)]


@kernel
def keep_hands(state):
    """HAND as dealt, for every contract to be played from."""
    for seat in range(4):
        _copy(state, HAND0 + seat * STRIDE, KEPT0 + seat * STRIDE)


@kernel
def intend(state, seed, first, rules, bid):
    """What everybody means to say, whoever else speaks; OPEN is 0 where the deal is thrown in unspoken."""
    if bid.draws:
        seed_streams(state, seed, first, 1, AUCTION)
    open_auction(state, rules.deal)
    intentions(state, rules.deal, bid)


@kernel
def find_takers(state):
    """TAKES and TAKES_NEXT from what everybody means to say."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[TAKES + lane] = state[TAKES_NEXT + lane] = W(NOBODY)
    for turn in range(7, -1, -1):
        means = u64(MEANS + turn * STRIDE)
        for lane in range(LANES):
            takes = state[means + u64(lane)] != W(0)
            state[TAKES_NEXT + lane] = state[TAKES + lane] if takes else state[TAKES_NEXT + lane]
            state[TAKES + lane] = W(turn) if takes else state[TAKES + lane]


@kernel
def set_contract(state, seat, suit):
    """A seat takes with a suit, in whatever round."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[ROUND + lane], state[TAKER + lane], state[MULTIPLIER + lane] = W(1), W(seat), W(1)
        state[TRUMP + lane] = W(suit)


@kernel
def _keep_gain(state, row):
    vector_code()
    W, to = state.dtype.type, u64(GAINS + row * STRIDE)
    for lane in range(LANES):
        state[to + u64(lane)] = W(state[SCORE0 + lane] - state[SCORE1 + lane])


@kernel
def play_contract(state, seed, first, rules, random_seats, greedy_seats, row):
    """Play the contract that is set from the cards as dealt; its gain to a row of GAINS."""
    for seat in range(4):
        _copy(state, KEPT0 + seat * STRIDE, HAND0 + seat * STRIDE)
    complete(state, rules.deal)
    exchange(state, rules.deal)
    melds(state, rules.melds)
    play_block(state, seed, first, 1, rules, random_seats, greedy_seats, False)
    settle(state, rules.score)
    _keep_gain(state, row)


@lane_function
def _gain(state, lane, suit, taker, seat, takers):
    """Of a seat's team when `taker` takes with a suit; `takers` - 1 masks what tells takers apart."""
    gain = np.int32(np.uint32(state[GAINS + (4 * suit + (taker & (takers - 1))) * STRIDE + lane]))
    return gain if seat & 1 == 0 else -gain


@lane_function
def _worth_of_passing(state, lane, turn, takers):
    """What comes of it when the seat whose turn it is passes: the next one who means to take does."""
    takes = i64(state[TAKES + lane])
    taker = i64(state[TAKES_NEXT + lane]) if takes == turn else takes
    if taker == NOBODY:
        return np.int32(0)
    suit = i64(state[MEANS + taker * STRIDE + lane]) - 1
    return _gain(state, lane, suit, taker & 3, turn & 3, takers)


@lane_function
def round1_record(seat, turned, tables):
    """Where the decision to accept is counted, of a hand of class `turned`."""
    return seat * tables.turned + turned


@lane_function
def round2_record(hand, up_suit, up_rank, seat, place, turned, tables):
    """Where the decision to name the suit so many places after the turned one is counted."""
    if place == 0:
        return (4 + seat) * tables.turned + turned
    return 8 * tables.turned + seat * tables.other + other_class(hand, up_suit, up_rank, u32(place), tables)


@lane_function
def _visit(state, lane, turn, takers, any_suit, tables, out, count):
    """Add the decisions of one lane's turn, one in round 1, one for each suit in round 2; returns how many so far."""
    seat, up_suit, up_rank = turn & 3, u32(state[UP_SUIT + lane]), u32(state[UP_CARD + lane]) & u32(7)
    hand, passing = u32(state[FIRST0 + seat * STRIDE + lane]), _worth_of_passing(state, lane, turn, takers)
    turned = turned_class(hand, up_suit, up_rank, tables)
    if turn < 4:
        out.record[count] = round1_record(seat, turned, tables)
        out.taking[count], out.passing[count] = _gain(state, lane, i64(up_suit), seat, seat, takers), passing
        return count + 1
    for place in range(0 if any_suit else 1, 4):
        suit = (i64(up_suit) + place) & 3
        out.record[count] = round2_record(hand, up_suit, up_rank, seat, place, turned, tables)
        out.taking[count], out.passing[count] = _gain(state, lane, suit, seat, seat, takers), passing
        count += 1
    return count


@kernel
def _visit_all(state, here, takers, any_suit, tables, out, count):
    """Add all decisions that lanes 0 .. here - 1 come to."""
    for lane in range(here):
        if state[OPEN + lane] != 0:
            for turn in range(min(i64(state[TAKES + lane]), 7) + 1):
                count = _visit(state, lane, turn, takers, any_suit, tables, out, count)
    return count


@kernel
def visit_deals(seed, first, count, rules, bid, random_seats, greedy_seats, tables, out):
    """Deal and bid the deals first .. first + count - 1, play out all decisions, fill `out` (Visits).

    `tables` are those of policies/classes.py.  Returns how many decisions there are, at most 20 a deal.
    """
    state, visits = new_state(rules.order.side_moves), 0
    takers = 4 if rules.deal.upcard_to_taker else 2
    for at in range(0, count, LANES):
        block = u64(first + u64(at))
        seed_streams(state, seed, block, 1, DEAL)
        deal(state, rules.deal)
        keep_hands(state)
        intend(state, seed, block, rules, bid)
        find_takers(state)
        for suit in range(4):
            for seat in range(takers):
                set_contract(state, seat, suit)
                play_contract(state, seed, block, rules, random_seats, greedy_seats, 4 * suit + seat)
        visits = _visit_all(state, min(LANES, count - at), takers, rules.deal.round2_any_suit != 0, tables, out, visits)
    return visits


@kernel
def add_visits(visits, count, sums):
    """Add so many decisions to int64 [record, 6]: number, taking, passing, their squares and product."""
    for place in range(count):
        prefetch(sums, i64(visits.record[min(place + AHEAD, count - 1)]))
        record, taking, passing = visits.record[place], i64(visits.taking[place]), i64(visits.passing[place])
        sums[record, 0] += 1
        sums[record, 1] += taking
        sums[record, 2] += passing
        sums[record, 3] += taking * taking
        sums[record, 4] += passing * passing
        sums[record, 5] += taking * passing
