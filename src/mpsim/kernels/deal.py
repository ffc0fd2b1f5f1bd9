"""Dealing: card after card from the cards that are left, each equally likely."""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.lanes import (
    DECK, FIRST0, FIRST1, FIRST2, FIRST3, HAND0, HAND1, HAND2, HAND3, LANES, LATE0, STRIDE, UP, UP_CARD, UP_SUIT,
)
from mpsim.kernels.random import below, draw
from mpsim.kernels.words import down, popcount, position, select, up, vector_code


@kernel
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


@kernel
def _next_card(state, row, left):
    """Move a uniformly random card of the `left` cards in DECK into `row`."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        deck = state[DECK + lane]
        card = nth_bit(W, deck, W(below(draw(state, lane), left)))
        state[DECK + lane] = W(deck ^ card)
        state[u64(row) + u64(lane)] |= card


@kernel
def deal(state):
    """Five cards a seat into FIRST, one turned UP, two a seat more into HAND, and the last three into LATE."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[DECK + lane] = W(0xFFFFFFFF)
        state[UP + lane] = state[LATE0 + lane] = state[LATE0 + STRIDE + lane] = W(0)
        state[FIRST0 + lane] = state[FIRST1 + lane] = state[FIRST2 + lane] = state[FIRST3 + lane] = W(0)
        state[HAND0 + lane] = state[HAND1 + lane] = state[HAND2 + lane] = state[HAND3 + lane] = W(0)
    for k in range(20):
        _next_card(state, FIRST0 + (k & 3) * STRIDE, 32 - k)
    _next_card(state, UP, 12)
    for k in range(8):
        _next_card(state, HAND0 + (k & 3) * STRIDE, 11 - k)
    _next_card(state, LATE0, 3)
    _next_card(state, LATE0 + STRIDE, 2)
    for lane in range(LANES):
        state[LATE0 + 2 * STRIDE + lane] = state[DECK + lane]
        card = position(state[UP + lane])
        state[UP_CARD + lane], state[UP_SUIT + lane] = card, W(card >> W(3))
