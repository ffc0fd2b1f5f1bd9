"""The second deal and the swap of the seven for the turned card."""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.lanes import (
    EXCHANGER, FIRST0, HAND0, LANES, LATE0, ROUND, STRIDE, TAKER, TEMP_A, TEMP_B, TEMP_C, TRUMP, UP, UP_SUIT,
)
from mpsim.kernels.words import up, vector_code

SEVEN, RECEIVER, SWAPPED = TEMP_A, TEMP_B, TEMP_C


@kernel
def complete(state, rules):
    """Bring every hand to eight cards; the receiver of the turned card takes it in place of his last stock card."""
    vector_code()
    W = state.dtype.type
    dealer_takes = rules.upcard_to_taker == 0
    for lane in range(LANES):
        stays = dealer_takes | (state[ROUND + lane] == W(0))
        state[RECEIVER + lane] = W(3) if stays else state[TAKER + lane]
    for seat in range(4):
        hand, first = u64(HAND0 + seat * STRIDE), u64(FIRST0 + seat * STRIDE)
        early = u64(LATE0 + min(seat, 2) * STRIDE)
        late = u64(LATE0 + max(seat - 1, 0) * STRIDE)
        for lane in range(LANES):
            card = state[early + u64(lane)] if W(seat) < state[RECEIVER + lane] else state[late + u64(lane)]
            card = state[UP + lane] if W(seat) == state[RECEIVER + lane] else card
            state[hand + u64(lane)] = W(W(state[hand + u64(lane)] | state[first + u64(lane)]) | card)


@kernel
def _find_seven(state, rules):
    """The card that may be swapped in each lane, 0 where none may."""
    vector_code()
    W = state.dtype.type
    by_trump, only_if_trump = rules.exchange_suit == 1, rules.exchange_suit == 2
    active, field = rules.exchange_always != 0, W(rules.field)
    lowest_rank = W(rules.lowest_rank)
    for lane in range(LANES):
        suit = state[TRUMP + lane] if by_trump else state[UP_SUIT + lane]
        seven = up(W(1), W(suit * field))
        allowed = active & (state[ROUND + lane] != W(0)) & (W(state[UP + lane] & lowest_rank) == W(0))
        allowed = allowed & ((state[TRUMP + lane] == state[UP_SUIT + lane]) | (not only_if_trump))
        state[SEVEN + lane] = seven if allowed else W(0)


@kernel
def exchange(state, rules):
    """Swap the seven and the turned card between the seven's holder and the turned card's receiver."""
    vector_code()
    W = state.dtype.type
    _find_seven(state, rules)
    window = HAND0 if rules.exchange_full_hand else FIRST0
    for lane in range(LANES):
        state[EXCHANGER + lane] = W(~W(0))
        state[SWAPPED + lane] = W(0)
    for seat in range(4):
        hand, held = u64(HAND0 + seat * STRIDE), u64(window + seat * STRIDE)
        for lane in range(LANES):
            seven = state[SEVEN + lane]
            has = W(state[held + u64(lane)] & seven) != W(0)
            swap = W(seven | state[UP + lane]) if has else W(0)
            state[EXCHANGER + lane] = W(seat) if has else state[EXCHANGER + lane]
            state[SWAPPED + lane] = W(state[SWAPPED + lane] | swap)
            state[hand + u64(lane)] = W(state[hand + u64(lane)] ^ swap)
            state[SEVEN + lane] = W(0) if has else seven
    for seat in range(4):
        hand = u64(HAND0 + seat * STRIDE)
        for lane in range(LANES):
            swap = state[SWAPPED + lane] if state[RECEIVER + lane] == W(seat) else W(0)
            state[hand + u64(lane)] = W(state[hand + u64(lane)] ^ swap)
