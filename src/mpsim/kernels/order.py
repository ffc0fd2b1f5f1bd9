"""From natural order to play order and back: trumps on top, every suit by strength.

The rules give the permutation of a field as a few moves, each a mask and a left turn of the whole word, so that it is
done for all suits at once and any order of ranks is data.  In no trumps and all trumps the word is not turned.
"""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import (
    AT, HAND0, HIGHS, LANES, NT, PLAY0, PLAY1, PLAY2, PLAY3, RUFFS, STRIDE, TEMP_A, TEMP_B, TRUMP,
)
from mpsim.kernels.words import down, inverse, select, up, vector_code

TURNED, ORDERED = TEMP_A, TEMP_B


@lane_function
def turned_left(W, x, k, bits):
    """The word x of `bits` bits turned left by k, 0 <= k < bits."""
    return W(up(x, k) | down(x, W(W(bits - k) & W(bits - W(1)))))


@kernel
def _rank_suits(state, trumps, cards):
    """RUFFS, the cards that beat another suit's, and HIGHS, those in the order of trumps."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        trump = state[TRUMP + lane]
        state[RUFFS + lane] = select(trump < W(NT), trumps, W(0))
        state[HIGHS + lane] = select(trump < W(NT), trumps, select(trump == W(AT), cards, W(0)))


@kernel
def _add_moves(state, moves, flip):
    """Or the moved cards of TURNED that are in HIGHS, or with `flip` all ones those that are not, into ORDERED."""
    vector_code()
    W, bits = state.dtype.type, state.dtype.type(8 * state.itemsize)
    for move in range(moves.shape[0]):
        mask, turn = W(moves[move, 0]), W(moves[move, 1])
        for lane in range(LANES):
            part = W(W(state[HIGHS + lane] ^ flip) & mask)
            moved = turned_left(W, W(state[TURNED + lane] & part), turn, bits)
            state[ORDERED + lane] = W(state[ORDERED + lane] | moved)


@kernel
def to_play_order(state, rules, from_row, to_row):
    """Put the cards of `from_row` (natural order) into `to_row` (play order); HIGHS must be there."""
    vector_code()
    W = state.dtype.type
    field, bits = W(rules.field), W(8 * state.itemsize)
    source, target = u64(from_row), u64(to_row)
    for lane in range(LANES):
        trump = state[TRUMP + lane]
        turn = select(trump < W(NT), W(W(W(3) - trump) * field), W(0))
        state[TURNED + lane] = turned_left(W, state[source + u64(lane)], turn, bits)
        state[ORDERED + lane] = W(0)
    _add_moves(state, rules.side_moves, inverse(W(0)))
    _add_moves(state, rules.trump_moves, W(0))
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
    W = state.dtype.type
    _rank_suits(state, W(rules.trumps), W(rules.cards))
    for seat in range(3):
        to_play_order(state, rules, HAND0 + seat * STRIDE, PLAY0 + seat * STRIDE)
    _last_hand(state, W(rules.cards))


@kernel
def _remove_moves(state, moves):
    """The moves backwards, from ORDERED to TURNED."""
    vector_code()
    W, bits = state.dtype.type, state.dtype.type(8 * state.itemsize)
    for move in range(moves.shape[0]):
        mask, turn = W(moves[move, 0]), W(moves[move, 1])
        back = W(W(bits - turn) & W(bits - W(1)))
        for lane in range(LANES):
            moved = W(turned_left(W, state[ORDERED + lane], back, bits) & mask)
            state[TURNED + lane] = W(state[TURNED + lane] | moved)


@kernel
def _pick_part(state, row, flip):
    """ORDERED: the cards of a row that are in HIGHS, or with `flip` all ones those that are not."""
    vector_code()
    W, at = state.dtype.type, u64(row)
    for lane in range(LANES):
        state[ORDERED + lane] = W(state[at + u64(lane)] & W(state[HIGHS + lane] ^ flip))


@kernel
def to_natural_order(state, rules, row):
    """Put the cards of `row` (play order) back into natural order, in place."""
    vector_code()
    W = state.dtype.type
    field, bits, at = W(rules.field), W(8 * state.itemsize), u64(row)
    for lane in range(LANES):
        state[TURNED + lane] = W(0)
    _pick_part(state, row, inverse(W(0)))
    _remove_moves(state, rules.side_moves)
    _pick_part(state, row, W(0))
    _remove_moves(state, rules.trump_moves)
    for lane in range(LANES):
        trump = state[TRUMP + lane]
        back = select(trump < W(NT), W(W(W(trump + W(1)) * field) & W(bits - W(1))), W(0))
        state[at + u64(lane)] = turned_left(W, state[TURNED + lane], back, bits)
