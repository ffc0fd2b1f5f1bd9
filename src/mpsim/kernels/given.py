"""Deals in which one seat's first cards and the turned one are known, each as likely as among all deals.

A deal of all cards is made first.  Then cards change names, two at a time, until the known ones lie where they should:
whichever cards lay there, the others are still spread evenly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64 as i64
from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.branches import (
    NOBODY, find_takers, intend, keep_hands, play_contract, round1_record, round2_record, set_contract,
)
from mpsim.kernels.classes import turned_class
from mpsim.kernels.deal import deal, name_upcard
from mpsim.kernels.lanes import (
    FIRST0, FIRST1, FIRST2, FIRST3, GAINS, HAND0, HAND1, HAND2, HAND3, LANES, LATE0, LATE1, LATE2, MEANS, MULTIPLIER,
    OPEN, ROUND, STRIDE, TAKER, TAKES, TAKES_NEXT, TEMP_A, TEMP_B, TRUMP, UP, UP_CARD, UP_SUIT, new_state,
)
from mpsim.kernels.random import GIVEN, below, draw, seed_streams
from mpsim.kernels.words import inverse, lowest, select, vector_code

WANTED = TEMP_A
"""First cards that the seat shall have."""

PAIR = TEMP_B
"""Two cards that change names, or none."""

PASSING1, PASSING2 = 4, 5
"""Rows of GAINS for passing in either round; the four before are for taking, by the places after the turned suit."""


class Known(NamedTuple):
    """What is known of a deal, and which decisions of the seat are asked for."""

    seat: int
    fixed: np.uint32                  # cards that the seat holds
    pool: npt.NDArray[np.uint32]      # cards, a bit each, of which its others are drawn
    drawn: int                        # how many of these
    upcard: np.uint32                 # a bit
    round1: int                       # 1: the decision to accept
    places: int                       # round 2: bit p for the suit p places after the turned one


@kernel
def _draw_hand(state, known):
    """The seat's cards into WANTED: any of the pool are equally likely (Bentley and Floyd, CACM 1987)."""
    vector_code()
    W, pool = state.dtype.type, known.pool
    for lane in range(LANES):
        state[WANTED + lane] = W(known.fixed)
    for last in range(len(pool) - known.drawn, len(pool)):
        otherwise = W(pool[last])
        for lane in range(LANES):
            hand = state[WANTED + lane]
            card = W(pool[u64(below(draw(state, lane), last + 1))])
            state[WANTED + lane] = W(hand | (otherwise if W(hand & card) != W(0) else card))


@kernel
def _pair_upcard(state, upcard):
    """PAIR is the turned card and the one that shall be it."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[PAIR + lane] = W(state[UP + lane] | upcard)
        state[UP + lane] = W(upcard)


@kernel
def _pair_next(state, seat):
    """PAIR is a card that the seat has and should not have and one that it lacks, or nothing."""
    vector_code()
    W, first = state.dtype.type, u64(FIRST0 + seat * STRIDE)
    for lane in range(LANES):
        has, wanted = state[first + u64(lane)], state[WANTED + lane]
        state[PAIR + lane] = W(lowest(W(has & inverse(wanted))) | lowest(W(wanted & inverse(has))))


@lane_function
def _renamed(W, cards, pair):
    """Cards with those of a pair under each other's name."""
    part = W(cards & pair)
    return select((part != W(0)) & (part != pair), W(cards ^ pair), cards)


@kernel
def _rename(state):
    """The cards of PAIR under each other's name in all hands."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        pair = state[PAIR + lane]
        state[FIRST0 + lane] = _renamed(W, state[FIRST0 + lane], pair)
        state[FIRST1 + lane] = _renamed(W, state[FIRST1 + lane], pair)
        state[FIRST2 + lane] = _renamed(W, state[FIRST2 + lane], pair)
        state[FIRST3 + lane] = _renamed(W, state[FIRST3 + lane], pair)
        state[HAND0 + lane] = _renamed(W, state[HAND0 + lane], pair)
        state[HAND1 + lane] = _renamed(W, state[HAND1 + lane], pair)
        state[HAND2 + lane] = _renamed(W, state[HAND2 + lane], pair)
        state[HAND3 + lane] = _renamed(W, state[HAND3 + lane], pair)
        state[LATE0 + lane] = _renamed(W, state[LATE0 + lane], pair)
        state[LATE1 + lane] = _renamed(W, state[LATE1 + lane], pair)
        state[LATE2 + lane] = _renamed(W, state[LATE2 + lane], pair)


@kernel
def deal_given(state, seed, first, rules, known):
    """Deal the block that starts at deal `first`, five first cards a seat and one turned from the stock."""
    seed_streams(state, seed, first, 1, GIVEN)
    deal(state, rules)
    _draw_hand(state, known)
    _pair_upcard(state, known.upcard)
    _rename(state)
    for _ in range(5):
        _pair_next(state, known.seat)
        _rename(state)
    name_upcard(state, True)


@kernel
def _stay_silent(state, seat):
    """The seat does not mean to accept: what it would say is asked, not given."""
    vector_code()
    W, means = state.dtype.type, u64(MEANS + seat * STRIDE)
    for lane in range(LANES):
        state[means + u64(lane)] = W(0)


@kernel
def bid_given(state, seed, first, rules, bid, known):
    """Deal the block, keep its hands, and find who takes if the seat passes in round 1."""
    deal_given(state, seed, first, rules.deal, known)
    keep_hands(state)
    intend(state, seed, first, rules, bid)
    _stay_silent(state, known.seat)
    find_takers(state)


@lane_function
def reached(state, lane, turn):
    """Whether the auction comes to this turn of the seat."""
    return (state[OPEN + lane] != 0) & (i64(state[TAKES + lane]) >= turn)


@kernel
def set_passing(state, turn):
    """The contract of whoever takes next when the seat passes at its turn; round 0 where nobody does."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        takes = state[TAKES + lane]
        takes = select(takes == W(turn), state[TAKES_NEXT + lane], takes)
        state[TAKER + lane], state[ROUND + lane] = takes, select(takes == W(NOBODY), W(0), W(1))
        state[TRUMP + lane], state[MULTIPLIER + lane] = W(0), W(1)
    for other in range(8):
        means = u64(MEANS + other * STRIDE)
        for lane in range(LANES):
            suit = W(state[means + u64(lane)] - W(1))
            state[TRUMP + lane] = suit if state[TAKER + lane] == W(other) else state[TRUMP + lane]
    for lane in range(LANES):
        state[TAKER + lane] = W(state[TAKER + lane] & W(3))


@kernel
def _play_branches(state, seed, first, rules, random_seats, greedy_seats, known):
    """All that is asked for, taken and passed; gains of team 0 to rows of GAINS."""
    seat, turned = known.seat, i64(state[UP_SUIT])
    for place in range(4):
        if known.places >> place & 1 or (place == 0 and known.round1):
            set_contract(state, seat, (turned + place) & 3)
            play_contract(state, seed, first, rules, random_seats, greedy_seats, place)
    if known.round1:
        set_passing(state, seat)
        play_contract(state, seed, first, rules, random_seats, greedy_seats, PASSING1)
    if known.places:
        set_passing(state, 4 + seat)
        play_contract(state, seed, first, rules, random_seats, greedy_seats, PASSING2)


@lane_function
def _add(state, lane, seat, record, row, passing, out, count):
    """Add one decision, taking being in one row of GAINS and passing in another."""
    sign = np.int32(1) if seat & 1 == 0 else np.int32(-1)
    out.record[count] = record
    out.taking[count] = sign * np.int32(np.uint32(state[GAINS + row * STRIDE + lane]))
    out.passing[count] = sign * np.int32(np.uint32(state[GAINS + passing * STRIDE + lane]))
    return count + 1


@lane_function
def _visit(state, lane, known, tables, out, count):
    """Add the decisions asked for of one lane that come to pass; returns how many so far."""
    seat, up_suit, up_rank = known.seat, u32(state[UP_SUIT + lane]), u32(state[UP_CARD + lane]) & u32(7)
    hand = u32(state[FIRST0 + seat * STRIDE + lane])
    turned = turned_class(hand, up_suit, up_rank, tables)
    if known.round1 and reached(state, lane, seat):
        count = _add(state, lane, seat, round1_record(seat, turned, tables), 0, PASSING1, out, count)
    if known.places and reached(state, lane, 4 + seat):
        for place in range(4):
            if known.places >> place & 1:
                record = round2_record(hand, up_suit, up_rank, seat, place, turned, tables)
                count = _add(state, lane, seat, record, place, PASSING2, out, count)
    return count


@kernel
def visit_given(seed, first, count, rules, bid, random_seats, greedy_seats, known, tables, out):
    """Deal the deals first .. first + count - 1 as far as `known` leaves them open, and fill `out` (Visits).

    Returns how many decisions there are, at most 5 a deal: those asked for, of the seat, where nobody before it takes;
    that the seat passes in round 1 is given in round 2.  `tables` are those of policies/classes.py.
    """
    state, visits = new_state(rules.order.side_moves), 0
    for at in range(0, count, LANES):
        block = u64(first + u64(at))
        bid_given(state, seed, block, rules, bid, known)
        _play_branches(state, seed, block, rules, random_seats, greedy_seats, known)
        for lane in range(min(LANES, count - at)):
            visits = _visit(state, lane, known, tables, out, visits)
    return visits


@kernel
def given_hands(seed, first, count, rules, known, out):
    """The same deals' cards: uint32 [12, count], first cards by seat, later ones by seat, the last ones, 11 turned."""
    state = new_state(rules.order.side_moves)
    for at in range(0, count, LANES):
        deal_given(state, seed, u64(first + u64(at)), rules.deal, known)
        for lane in range(min(LANES, count - at)):
            for row in range(4):
                out[row, at + lane] = state[FIRST0 + row * STRIDE + lane]
                out[4 + row, at + lane] = state[HAND0 + row * STRIDE + lane]
                out[8 + row, at + lane] = state[LATE0 + row * STRIDE + lane]
