"""Dealing: every card goes to one of the places still free, then it is drawn which cards of a hand came last."""

from __future__ import annotations

from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.lanes import (
    FIRST0, FIRST1, FIRST2, FIRST3, HAND0, LANES, LATE0, RNG_A, RNG_B, RNG_C, RNG_D, STRIDE, TEMP_A, TEMP_B, TEMP_C,
    TEMP_D, TEMP_E, TEMP_F, UP, UP_CARD, UP_SUIT,
)
from mpsim.kernels.random import below, draw, remainder, scaled, step
from mpsim.kernels.words import down, inverse, nth_of_eight, position, select, up, vector_code

FREE1, FREE2, FREE3 = TEMP_A, TEMP_B, TEMP_C
"""Places still free at the seats before seat 1, 2, 3."""

BELOW1, BELOW2, BELOW3 = TEMP_D, TEMP_E, TEMP_F
"""Cards that went to the seats before seat 1, 2, 3."""

LAST_BITS = TEMP_A
"""Random bits for the last card of each seat."""

PLACE = 1 << 27
"""One free place, on the scale of `scaled`."""


@kernel
def _clear_table(state):
    """Nobody has a card; eight places are free at each seat."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[FREE1 + lane], state[FREE2 + lane], state[FREE3 + lane] = W(8 * PLACE), W(16 * PLACE), W(24 * PLACE)
        state[BELOW1 + lane] = state[BELOW2 + lane] = state[BELOW3 + lane] = W(0)


@kernel
def _deal_suit(state, first_card):
    """Eight cards, each to one of the free places, all equally likely."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        a, b = u32(state[RNG_A + lane]), u32(state[RNG_B + lane])
        c, d = u32(state[RNG_C + lane]), u32(state[RNG_D + lane])
        free1, free2, free3 = state[FREE1 + lane], state[FREE2 + lane], state[FREE3 + lane]
        below1, below2, below3 = state[BELOW1 + lane], state[BELOW2 + lane], state[BELOW3 + lane]
        for k in range(8):
            bits, a, b, c, d = step(a, b, c, d)
            place, card = W(scaled(bits, 32 - first_card - k)), up(W(1), W(first_card + k))
            there = place < free1
            free1, below1 = select(there, W(free1 - W(PLACE)), free1), select(there, W(below1 | card), below1)
            there = place < free2
            free2, below2 = select(there, W(free2 - W(PLACE)), free2), select(there, W(below2 | card), below2)
            there = place < free3
            free3, below3 = select(there, W(free3 - W(PLACE)), free3), select(there, W(below3 | card), below3)
        state[RNG_A + lane], state[RNG_B + lane], state[RNG_C + lane], state[RNG_D + lane] = a, b, c, d
        state[FREE1 + lane], state[FREE2 + lane], state[FREE3 + lane] = free1, free2, free3
        state[BELOW1 + lane], state[BELOW2 + lane], state[BELOW3 + lane] = below1, below2, below3


@kernel
def _pick_up(state):
    """Eight cards a seat into FIRST, and the draw that tells which of them came last into LAST_BITS."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        below1, below2, below3 = state[BELOW1 + lane], state[BELOW2 + lane], state[BELOW3 + lane]
        state[FIRST0 + lane], state[FIRST1 + lane] = below1, W(below1 ^ below2)
        state[FIRST2 + lane], state[FIRST3 + lane] = W(below2 ^ below3), inverse(below3)
        state[LAST_BITS + lane] = draw(state, lane)


@kernel
def _lay_aside(state, seat):
    """Out of the eight cards in FIRST, one into LATE (UP for the dealer) and two into HAND, each equally likely."""
    vector_code()
    W = state.dtype.type
    first, pair, late = u64(FIRST0 + seat * STRIDE), u64(HAND0 + seat * STRIDE), u64(LATE0 + seat * STRIDE)
    for lane in range(LANES):
        cards, bits = state[first + u64(lane)], u32(state[LAST_BITS + lane])
        state[LAST_BITS + lane] = remainder(bits, 8)
        state[late + u64(lane)] = last = nth_of_eight(W, cards, W(below(bits, 8)))
        cards, bits = W(cards ^ last), draw(state, lane)
        one = nth_of_eight(W, cards, W(below(bits, 7)))
        other = nth_of_eight(W, W(cards ^ one), W(below(remainder(bits, 7), 6)))
        both = W(one | other)
        state[pair + u64(lane)], state[first + u64(lane)] = both, W(cards ^ both)


@kernel
def _turn_up(state):
    """Number and suit of the turned card."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[UP_CARD + lane] = number = position(state[UP + lane])
        state[UP_SUIT + lane] = down(number, W(3))


@kernel
def deal(state):
    """Five cards a seat into FIRST, two more into HAND, the dealer's last UP, the others' last into LATE."""
    _clear_table(state)
    for first_card in range(0, 32, 8):
        _deal_suit(state, first_card)
    _pick_up(state)
    for seat in range(4):
        _lay_aside(state, seat)
    _turn_up(state)
