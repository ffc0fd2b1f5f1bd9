"""Dealing: every card goes to one of the places still free, then it is drawn which cards of a hand came last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import closure_kernel, kernel, lane_function
from mpsim.kernels.lanes import (
    FIRST0, FIRST1, FIRST2, FIRST3, HAND0, HAND3, LANES, LATE0, RNG_A, RNG_B, RNG_C, RNG_D, STRIDE, TEMP_A, TEMP_B,
    TEMP_C, TEMP_D, TEMP_E, TEMP_F, UP, UP_CARD, UP_SUIT, field_bits, hand_size,
)
from mpsim.kernels.random import below, draw, remainder, step
from mpsim.kernels.words import down, inverse, nth_of_hand, position, select, times, up, vector_code

FREE1, FREE2, FREE3 = TEMP_A, TEMP_B, TEMP_C
"""Places still free at the seats before seat 1, 2, 3."""

BELOW1, BELOW2, BELOW3 = TEMP_D, TEMP_E, TEMP_F
"""Cards that went to the seats before seat 1, 2, 3."""

LAST_BITS = TEMP_A
"""Random bits for the last card of each seat."""

PLACE = 1 << 27
"""One free place, on the scale of 27 random bits times the places there are."""

NOTHING, STOCK, OWN = 0, 1, 2
"""What is turned: no card; the first card after the packets; the dealer's last card of the packets."""


@kernel
def _clear_table(state):
    """Nobody has a card; every place of a hand is free at each seat."""
    vector_code()
    W, places = state.dtype.type, PLACE * hand_size(state)
    for lane in range(LANES):
        state[FREE1 + lane], state[FREE2 + lane], state[FREE3 + lane] = W(places), W(2 * places), W(3 * places)
        state[BELOW1 + lane] = state[BELOW2 + lane] = state[BELOW3 + lane] = W(0)


def _suit_of(ranks: int) -> Callable[..., Any]:
    """The kernel that deals a suit of so many cards: a constant, or LLVM leaves the loop over lanes scalar."""
    @closure_kernel
    def deal_suit(state, suit):
        """All cards of a suit, each to one of the free places, all equally likely."""
        vector_code()
        W = state.dtype.type
        first_card, places = W(suit * field_bits(state)), W((4 - suit) * ranks)
        for lane in range(LANES):
            a, b = u32(state[RNG_A + lane]), u32(state[RNG_B + lane])
            c, d = u32(state[RNG_C + lane]), u32(state[RNG_D + lane])
            free1, free2, free3 = state[FREE1 + lane], state[FREE2 + lane], state[FREE3 + lane]
            below1, below2, below3 = state[BELOW1 + lane], state[BELOW2 + lane], state[BELOW3 + lane]
            for k in range(ranks):
                bits, a, b, c, d = step(a, b, c, d)
                place, card = times(W(down(bits, u32(5))), W(places - W(k))), up(W(1), W(first_card + W(k)))
                there = place < free1
                free1, below1 = select(there, W(free1 - W(PLACE)), free1), select(there, W(below1 | card), below1)
                there = place < free2
                free2, below2 = select(there, W(free2 - W(PLACE)), free2), select(there, W(below2 | card), below2)
                there = place < free3
                free3, below3 = select(there, W(free3 - W(PLACE)), free3), select(there, W(below3 | card), below3)
            state[RNG_A + lane], state[RNG_B + lane], state[RNG_C + lane], state[RNG_D + lane] = a, b, c, d
            state[FREE1 + lane], state[FREE2 + lane], state[FREE3 + lane] = free1, free2, free3
            state[BELOW1 + lane], state[BELOW2 + lane], state[BELOW3 + lane] = below1, below2, below3

    return deal_suit


_deal_suit_of_eight, _deal_suit_of_ten = _suit_of(8), _suit_of(10)


@kernel
def _pick_up(state, cards):
    """Full hands into FIRST, and the draw that tells which card of each came last into LAST_BITS."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        below1, below2, below3 = state[BELOW1 + lane], state[BELOW2 + lane], state[BELOW3 + lane]
        state[FIRST0 + lane], state[FIRST1 + lane] = below1, W(below1 ^ below2)
        state[FIRST2 + lane], state[FIRST3 + lane] = W(below2 ^ below3), W(cards & inverse(below3))
        state[LAST_BITS + lane] = draw(state, lane)


@lane_function
def _two_of(state, lane, W, cards, left):
    """Two of the `left` cards, each two equally likely."""
    bits = draw(state, lane)
    one = nth_of_hand(state, W, cards, W(below(bits, left)))
    return W(one | nth_of_hand(state, W, W(cards ^ one), W(below(remainder(bits, left), left - 1))))


@lane_function
def _last_of(state, lane, W, cards):
    """The card of a full hand that came last."""
    size, bits = hand_size(state), u32(state[LAST_BITS + lane])
    state[LAST_BITS + lane] = remainder(bits, size)
    return nth_of_hand(state, W, cards, W(below(bits, size)))


@kernel
def _lay_last(state, seat):
    """Out of the full hand in FIRST one card into LATE (UP for the dealer); none goes to HAND."""
    vector_code()
    W = state.dtype.type
    first, others, late = u64(FIRST0 + seat * STRIDE), u64(HAND0 + seat * STRIDE), u64(LATE0 + seat * STRIDE)
    for lane in range(LANES):
        cards = state[first + u64(lane)]
        state[late + u64(lane)] = last = _last_of(state, lane, W, cards)
        state[first + u64(lane)], state[others + u64(lane)] = W(cards ^ last), W(0)


@kernel
def _lay_three(state, seat):
    """The same, and two cards into HAND: one loop is quicker than two."""
    vector_code()
    W, size = state.dtype.type, hand_size(state)
    first, others, late = u64(FIRST0 + seat * STRIDE), u64(HAND0 + seat * STRIDE), u64(LATE0 + seat * STRIDE)
    for lane in range(LANES):
        cards = state[first + u64(lane)]
        state[late + u64(lane)] = last = _last_of(state, lane, W, cards)
        both = _two_of(state, lane, W, W(cards ^ last), size - 1)
        state[first + u64(lane)], state[others + u64(lane)] = W(W(cards ^ last) ^ both), both


@kernel
def _lay_two(state, seat, left):
    """Two of the `left` cards in FIRST go to HAND."""
    vector_code()
    W = state.dtype.type
    first, others = u64(FIRST0 + seat * STRIDE), u64(HAND0 + seat * STRIDE)
    for lane in range(LANES):
        cards = state[first + u64(lane)]
        both = _two_of(state, lane, W, cards, left)
        state[first + u64(lane)], state[others + u64(lane)] = W(cards ^ both), W(state[others + u64(lane)] | both)


@kernel
def _lay_one(state, seat, left):
    """One of the `left` cards in FIRST goes to HAND."""
    vector_code()
    W = state.dtype.type
    first, others = u64(FIRST0 + seat * STRIDE), u64(HAND0 + seat * STRIDE)
    for lane in range(LANES):
        cards = state[first + u64(lane)]
        one = nth_of_hand(state, W, cards, W(below(draw(state, lane), left)))
        state[first + u64(lane)], state[others + u64(lane)] = W(cards ^ one), W(state[others + u64(lane)] | one)


@kernel
def _lay_aside(state, seat, first_cards):
    """Take out of the full hand in FIRST what was not among its first cards."""
    left = hand_size(state) - 1
    if left >= first_cards + 2:
        _lay_three(state, seat)
        left -= 2
    else:
        _lay_last(state, seat)
    while left >= first_cards + 2:
        _lay_two(state, seat, left)
        left -= 2
    if left > first_cards:
        _lay_one(state, seat, left)


@kernel
def _turn_own(state, first_cards):
    """The dealer's last card joins his others; one of his first cards is the turned one."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[HAND3 + lane] = W(state[HAND3 + lane] | state[UP + lane])
        state[UP + lane] = nth_of_hand(state, W, state[FIRST3 + lane], W(below(draw(state, lane), first_cards)))


@kernel
def name_upcard(state, turned_up):
    """Number and suit of the turned card, -1 and 0 where none is turned."""
    vector_code()
    W = state.dtype.type
    log_field = W(3 if state.itemsize == 4 else 4)
    for lane in range(LANES):
        number = position(state[UP + lane])
        state[UP_CARD + lane] = number if turned_up else inverse(W(0))
        state[UP_SUIT + lane] = down(number, log_field) if turned_up else W(0)


@kernel
def deal(state, rules):
    """A seat's first cards into FIRST, its last one into LATE (UP for the dealer), the others into HAND."""
    _clear_table(state)
    for suit in range(4):
        if state.itemsize == 4:
            _deal_suit_of_eight(state, suit)
        else:
            _deal_suit_of_ten(state, suit)
    _pick_up(state, state.dtype.type(rules.cards))
    for seat in range(4):
        _lay_aside(state, seat, rules.first_cards)
    if rules.turned == OWN:
        _turn_own(state, rules.first_cards)
    name_upcard(state, rules.turned != NOTHING)
