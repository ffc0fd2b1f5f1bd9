"""A deck that is gathered and cut instead of shuffled: each lane is a table that plays on."""

from __future__ import annotations

from numba import int64 as i64
from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.deal import NOTHING, OWN, name_upcard
from mpsim.kernels.lanes import (
    FIRST0, HAND0, LANES, LATE2, PILE, PLAYS, ROUND, SIDES, STRIDE, TAKER, TEMP_A, UP, hand_size,
)
from mpsim.kernels.random import draw
from mpsim.kernels.words import down, lowest, rest, select, times, vector_code

CUT = TEMP_A
"""Cards taken off the top of the pile."""


@kernel
def _gather_tricks(state, lane, by_side):
    """A lane's tricks into PILE: the makers' first, or all in the order played."""
    W, tricks = state.dtype.type, hand_size(state)
    taker, sides = state[TAKER + lane], state[SIDES + lane]
    makers = select(taker < W(4), W(W(taker & W(1)) ^ W(1)), W(1))
    place = PILE + lane
    for side in range(2):
        for trick in range(tricks):
            of_makers = W(down(sides, W(trick)) & W(1)) == makers
            if (of_makers == (side == 0)) if by_side else (side == 0):
                for ply in range(4 * trick, 4 * trick + 4):
                    state[place] = state[PLAYS + ply * STRIDE + lane]
                    place += STRIDE


@kernel
def _gather_hands(state, lane):
    """A thrown-in lane's hands into PILE, seat by seat, ascending."""
    place = PILE + lane
    for seat in range(4):
        hand = state[HAND0 + seat * STRIDE + lane]
        for _ in range(hand_size(state)):
            state[place] = lowest(hand)
            hand = rest(hand)
            place += STRIDE


@kernel
def gather(state, rules, turn_row, turns, turn):
    """PILE of the lanes whose value in `turn_row`, modulo `turns`, is `turn`: after `name_plays`, before settling."""
    W = state.dtype.type
    for lane in range(LANES):
        if turns > 1 and i64(state[turn_row + lane]) % turns != turn:
            continue
        if state[ROUND + lane] == W(0):
            _gather_hands(state, lane)
        else:
            _gather_tricks(state, lane, rules.gather_by_side != 0)


@kernel
def _draw_cut(state):
    vector_code()
    W, cards = state.dtype.type, 4 * hand_size(state)
    for lane in range(LANES):
        bits = W(down(draw(state, lane), u32(5)))
        state[CUT + lane] = down(times(bits, W(cards)), W(27))


@kernel
def _clear_hands(state):
    vector_code()
    W = state.dtype.type
    for row in range(FIRST0, LATE2 + STRIDE, STRIDE):
        at = u64(row)
        for lane in range(LANES):
            state[at + u64(lane)] = W(0)
    for lane in range(LANES):
        state[UP + lane] = W(0)


@kernel
def _deal_place(state, place, row, also):
    """The card at a place of the cut deck to a row, and as the turned card to another."""
    vector_code()
    W, cards = state.dtype.type, 4 * hand_size(state)
    to, turned = u64(row), u64(also)
    for lane in range(LANES):
        at = W(state[CUT + lane] + W(place))
        at = select(at >= W(cards), W(at - W(cards)), at)
        card = state[u64(PILE) + u64(at) * u64(STRIDE) + u64(lane)]
        state[to + u64(lane)] = W(state[to + u64(lane)] | card)
        state[turned + u64(lane)] = W(state[turned + u64(lane)] | card)


@kernel
def deal_cut(state, rules):
    """Cut the pile with the first draw of the stream of purpose DEAL, and fill the rows that `deal` fills."""
    _draw_cut(state)
    _clear_hands(state)
    for place in range(4 * hand_size(state)):
        row = FIRST0 + rules.places[place] * STRIDE
        turned = rules.turned == OWN and place == 4 * rules.first_cards - 1
        _deal_place(state, place, row, UP if turned else row)
    name_upcard(state, rules.turned != NOTHING)
