"""The meld points of hands that are given as arrays."""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.lanes import FOURS0, HAND0, LANES, PAIR0, RUNS0, STRIDE, TRUMP, new_state
from mpsim.kernels.melds import melds
from mpsim.kernels.words import vector_code


@kernel
def _read(state, row, values, at, count):
    """Fill a row from values[at : at + count]."""
    vector_code()
    W = state.dtype.type
    to, source = u64(row), u64(at)
    for lane in range(count):
        state[to + u64(lane)] = W(values[source + u64(lane)])


@kernel
def _write_sum(state, offset, out, at, count):
    """A team's points of all kinds to out[at : at + count]."""
    vector_code()
    runs, fours, pair = u64(RUNS0 + offset), u64(FOURS0 + offset), u64(PAIR0 + offset)
    target, narrow = u64(at), out.dtype.type
    for lane in range(count):
        points = state[runs + u64(lane)] + state[fours + u64(lane)] + state[pair + u64(lane)]
        out[target + u64(lane)] = narrow(points)


@kernel
def meld_points(hands, trump, rules, out):
    """What each team scores for melds, as the rules count them.

    hands: words [seats, n], of up to four seats, the others without cards; trump: suits 0-3 [n]; out: int16 [2, n].
    """
    state = new_state(hands[0])
    for at in range(0, hands.shape[1], LANES):
        here = min(LANES, hands.shape[1] - at)
        for seat in range(hands.shape[0]):
            _read(state, HAND0 + seat * STRIDE, hands[seat], at, here)
        _read(state, TRUMP, trump, at, here)
        melds(state, rules)
        for team in range(2):
            _write_sum(state, team * STRIDE, out[team], at, here)
