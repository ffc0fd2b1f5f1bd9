"""Dealing: card after card from the cards that are left, each equally likely."""

from __future__ import annotations

from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import (
    DECK, FIRST0, FIRST1, FIRST2, FIRST3, HAND0, HAND1, HAND2, HAND3, LANES, LATE0, LATE1, LATE2, RNG_A, RNG_B,
    RNG_C, RNG_D, STRIDE, UP, UP_CARD, UP_SUIT,
)
from mpsim.kernels.random import below, draw, step
from mpsim.kernels.words import down, popcount, position, select, up, vector_code, wide_vectors


@lane_function
def nth_bit(W, mask, n):
    """The n-th set bit of a 32-card mask, 0 the lowest, n < popcount: a binary search without a branch."""
    place = W(0)
    for half in (16, 8, 4, 2, 1):
        low = popcount(W(mask & W((1 << half) - 1)))
        skip = n >= low
        n = select(skip, W(n - low), n)
        step = select(skip, W(half), W(0))
        mask = down(mask, step)
        place = W(place + step)
    return up(W(1), place)


@lane_function
def _take(state, lane, W, deck, left):
    """A uniformly random card of the `left` cards in `deck`."""
    return nth_bit(W, deck, W(below(draw(state, lane), left)))


@lane_function
def _one_each(state, row, left):
    """One card more for each of the four rows from `row` on, out of the `left` cards in DECK."""
    wide_vectors()
    W = state.dtype.type
    to0, to1, to2, to3 = u64(row), u64(row + STRIDE), u64(row + 2 * STRIDE), u64(row + 3 * STRIDE)
    for lane in range(LANES):
        a, b = u32(state[RNG_A + lane]), u32(state[RNG_B + lane])
        c, d = u32(state[RNG_C + lane]), u32(state[RNG_D + lane])
        deck = state[DECK + lane]
        bits, a, b, c, d = step(a, b, c, d)
        card0 = nth_bit(W, deck, W(below(bits, left)))
        deck = W(deck ^ card0)
        bits, a, b, c, d = step(a, b, c, d)
        card1 = nth_bit(W, deck, W(below(bits, left - 1)))
        deck = W(deck ^ card1)
        bits, a, b, c, d = step(a, b, c, d)
        card2 = nth_bit(W, deck, W(below(bits, left - 2)))
        deck = W(deck ^ card2)
        bits, a, b, c, d = step(a, b, c, d)
        card3 = nth_bit(W, deck, W(below(bits, left - 3)))
        state[DECK + lane] = W(deck ^ card3)
        state[RNG_A + lane], state[RNG_B + lane], state[RNG_C + lane], state[RNG_D + lane] = a, b, c, d
        state[to0 + u64(lane)] = W(state[to0 + u64(lane)] | card0)
        state[to1 + u64(lane)] = W(state[to1 + u64(lane)] | card1)
        state[to2 + u64(lane)] = W(state[to2 + u64(lane)] | card2)
        state[to3 + u64(lane)] = W(state[to3 + u64(lane)] | card3)


@kernel
def _one_each_to_first(state, left):
    vector_code()
    _one_each(state, FIRST0, left)


@kernel
def _one_each_to_hand(state, left):
    vector_code()
    _one_each(state, HAND0, left)


@kernel
def _turn_up(state):
    """The card after the twentieth, face up."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        deck = state[DECK + lane]
        card = _take(state, lane, W, deck, 12)
        number = position(card)
        state[DECK + lane] = W(deck ^ card)
        state[UP + lane], state[UP_CARD + lane], state[UP_SUIT + lane] = card, number, down(number, W(3))


@kernel
def _last_three(state):
    """The end of the stock into LATE."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        deck = state[DECK + lane]
        state[LATE0 + lane] = card = _take(state, lane, W, deck, 3)
        deck = W(deck ^ card)
        state[LATE1 + lane] = card = _take(state, lane, W, deck, 2)
        state[LATE2 + lane] = W(deck ^ card)


@kernel
def deal(state):
    """Five cards a seat into FIRST, one turned UP, two a seat more into HAND, and the last three into LATE."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[DECK + lane] = W(0xFFFFFFFF)
        state[FIRST0 + lane] = state[FIRST1 + lane] = state[FIRST2 + lane] = state[FIRST3 + lane] = W(0)
        state[HAND0 + lane] = state[HAND1 + lane] = state[HAND2 + lane] = state[HAND3 + lane] = W(0)
    for round_dealt in range(5):
        _one_each_to_first(state, 32 - 4 * round_dealt)
    _turn_up(state)
    _one_each_to_hand(state, 11)
    _one_each_to_hand(state, 7)
    _last_three(state)
