"""The cards in the order played, from the sets of cards seen after each ply."""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.lanes import LANES, PLAYS, SIDES, STRIDE, WON, hand_size
from mpsim.kernels.order import to_natural_order
from mpsim.kernels.words import up, vector_code


@kernel
def _keep_new(state, row):
    """Leave in `row` the card that the row before it does not have."""
    vector_code()
    at, before = u64(row), u64(row - STRIDE)
    for lane in range(LANES):
        state[at + u64(lane)] = state[at + u64(lane)] ^ state[before + u64(lane)]


@kernel
def _note_side(state, trick):
    """The bit of a trick in SIDES, from its first card."""
    vector_code()
    W, lead = state.dtype.type, u64(PLAYS + 4 * trick * STRIDE)
    for lane in range(LANES):
        ours = W(state[lead + u64(lane)] & state[WON + lane]) != W(0)
        kept = state[SIDES + lane] if trick else W(0)
        state[SIDES + lane] = W(kept | (up(W(1), W(trick)) if ours else W(0)))


@kernel
def name_plays(state, rules):
    """PLAYS: single cards in natural order; SIDES.  After `play_out` with `record`, before the deal is settled."""
    for ply in range(4 * hand_size(state) - 1, 0, -1):
        _keep_new(state, PLAYS + ply * STRIDE)
    for trick in range(hand_size(state)):
        _note_side(state, trick)
    for ply in range(4 * hand_size(state)):
        to_natural_order(state, rules, PLAYS + ply * STRIDE)
