"""Kings and queens in all trumps: a pair is lost when its first card is thrown on a lead of another suit."""

from __future__ import annotations


from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import (
    BEFORE, HIGHS, LANES, LED, LOST, PAIR0, PAIR1, PAIRED, PLAY0, PLAY1, PLAY2, PLAY3, RUFFS, SEEN, TEAM0,
)
from mpsim.kernels.words import down, inverse, popcount, up, vector_code


@lane_function
def _mates(W, cards, rules):
    """The king for each queen and the queen for each king of `cards`: the stronger of them `pair_gap` bits higher."""
    gap = W(rules.pair_gap)
    return W(down(W(cards & rules.pair_high), gap) | up(W(cards & rules.pair_low), gap))


@lane_function
def _pairs_of(W, hand, rules):
    both = W(hand & W(rules.pair_high | rules.pair_low))
    return W(both & _mates(W, both, rules))


@kernel
def find_pairs(state, rules):
    """PAIRED: cards of pairs in one hand, in all trumps; TEAM0; nothing is LOST yet.  PLAY0-3 hold seats 0-3."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        hand0, hand1, hand2, hand3 = state[PLAY0 + lane], state[PLAY1 + lane], state[PLAY2 + lane], state[PLAY3 + lane]
        ours = W(_pairs_of(W, hand0, rules) | _pairs_of(W, hand2, rules))
        theirs = W(_pairs_of(W, hand1, rules) | _pairs_of(W, hand3, rules))
        all_trumps = W(state[HIGHS + lane] & inverse(state[RUFFS + lane]))
        state[PAIRED + lane] = W(W(ours | theirs) & all_trumps)
        state[TEAM0 + lane], state[LOST + lane] = W(hand0 | hand2), W(0)


@kernel
def watch_pairs(state, rules):
    """After a trick, before it is gathered: note pairs of which the first card was thrown in it."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        before = state[BEFORE + lane]
        thrown = W(W(state[SEEN + lane] ^ before) & inverse(state[LED + lane]))
        first = W(W(thrown & state[PAIRED + lane]) & inverse(_mates(W, before, rules)))
        state[LOST + lane] = W(state[LOST + lane] | first)


@kernel
def take_lost_pairs(state, points):
    """Take the lost pairs off PAIR0 and PAIR1."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        lost, ours = state[LOST + lane], state[TEAM0 + lane]
        state[PAIR0 + lane] = W(state[PAIR0 + lane] - W(popcount(W(lost & ours)) * W(points)))
        state[PAIR1 + lane] = W(state[PAIR1 + lane] - W(popcount(W(lost & inverse(ours))) * W(points)))
