"""From natural order to play order and back: trumps on top, every suit by strength.

The rules give the permutation of a field as a few moves, each a mask and a left turn of the whole word, so that it is
done for all suits at once and any order of ranks is data.
"""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import HAND0, LANES, PLAY0, PLAY1, PLAY2, PLAY3, STRIDE, TEMP_A, TEMP_B, TRUMP
from mpsim.kernels.words import down, inverse, up, vector_code

TURNED, ORDERED = TEMP_A, TEMP_B


@lane_function
def turned_left(W, x, k, bits):
    """The word x of `bits` bits turned left by k, 0 <= k < bits."""
    return W(up(x, k) | down(x, W(W(bits - k) & W(bits - W(1)))))


@kernel
def _add_moves(state, moves, part, bits):
    """Or the moved cards of TURNED that lie in `part` of the word into ORDERED."""
    vector_code()
    W = state.dtype.type
    for move in range(moves.shape[0]):
        mask, turn = W(moves[move, 0] & part), W(moves[move, 1])
        for lane in range(LANES):
            moved = turned_left(W, W(state[TURNED + lane] & mask), turn, bits)
            state[ORDERED + lane] = W(state[ORDERED + lane] | moved)


@kernel
def to_play_order(state, rules, from_row, to_row):
    """Put the cards of `from_row` (natural order) into `to_row` (play order)."""
    vector_code()
    W = state.dtype.type
    field, bits = W(rules.field), W(4 * rules.field)
    source, target = u64(from_row), u64(to_row)
    for lane in range(LANES):
        turn = W(W(W(3) - state[TRUMP + lane]) * field)
        state[TURNED + lane] = turned_left(W, state[source + u64(lane)], turn, bits)
        state[ORDERED + lane] = W(0)
    _add_moves(state, rules.side_moves, inverse(W(rules.trumps)), bits)
    _add_moves(state, rules.trump_moves, W(rules.trumps), bits)
    for lane in range(LANES):
        state[target + u64(lane)] = state[ORDERED + lane]


@kernel
def _last_hand(state, cards):
    """PLAY3: what the other three hands leave of the deck's cards."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        others = W(W(state[PLAY0 + lane] | state[PLAY1 + lane]) | state[PLAY2 + lane])
        state[PLAY3 + lane] = W(cards & inverse(others))


@kernel
def hands_to_play_order(state, rules):
    """HAND0-3, the whole deck between them, into PLAY0-3."""
    for seat in range(3):
        to_play_order(state, rules, HAND0 + seat * STRIDE, PLAY0 + seat * STRIDE)
    _last_hand(state, state.dtype.type(rules.cards))


@kernel
def _remove_moves(state, moves, part, bits):
    """The moves backwards, from ORDERED to TURNED."""
    vector_code()
    W = state.dtype.type
    for move in range(moves.shape[0]):
        mask, turn = W(moves[move, 0] & part), W(moves[move, 1])
        back = W(W(bits - turn) & W(bits - W(1)))
        for lane in range(LANES):
            moved = W(turned_left(W, state[ORDERED + lane], back, bits) & mask)
            state[TURNED + lane] = W(state[TURNED + lane] | moved)


@kernel
def to_natural_order(state, rules, row):
    """Put the cards of `row` (play order) back into natural order, in place."""
    vector_code()
    W = state.dtype.type
    field, bits, at = W(rules.field), W(4 * rules.field), u64(row)
    for part in range(2):
        kept = W(rules.trumps) if part else inverse(W(rules.trumps))
        if part == 0:
            for lane in range(LANES):
                state[TURNED + lane] = W(0)
        for lane in range(LANES):
            state[ORDERED + lane] = W(state[at + u64(lane)] & kept)
        _remove_moves(state, rules.trump_moves if part else rules.side_moves, kept, bits)
    for lane in range(LANES):
        back = W(W(state[TRUMP + lane] + W(1)) * field) & W(bits - W(1))
        state[at + u64(lane)] = turned_left(W, state[TURNED + lane], W(back), bits)
