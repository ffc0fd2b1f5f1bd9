"""Random streams: a function of (seed, deal, purpose, draw), whatever the threads, parts or machine.

One Philox4x32-10 block (Salmon et al., SC 2011), keyed by the seed, its counter holding the deal number and the
purpose, is the state of an xoshiro128++ generator (Blackman and Vigna, 2021) for that deal and purpose.
"""

from __future__ import annotations

from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import LANES, RNG_A, RNG_B, RNG_C, RNG_D
from mpsim.kernels.words import down, up, vector_code

DEAL, AUCTION, PLAY = 0, 1, 2
"""Purposes: each has a stream of its own."""

_M0, _M1 = u64(0xD2511F53), u64(0xCD9E8D57)
_W0, _W1 = u32(0x9E3779B9), u32(0xBB67AE85)


@kernel
def _philox_round(state, k0, k1):
    """One round of Philox4x32 on the words in RNG_A-D."""
    vector_code()
    for lane in range(LANES):
        p0 = u64(_M0 * u64(state[RNG_A + lane]))
        p1 = u64(_M1 * u64(state[RNG_C + lane]))
        b, d = u32(state[RNG_B + lane]), u32(state[RNG_D + lane])
        state[RNG_A + lane], state[RNG_B + lane] = u32(u32(u32(p1 >> u64(32)) ^ b) ^ k0), u32(p1)
        state[RNG_C + lane], state[RNG_D + lane] = u32(u32(u32(p0 >> u64(32)) ^ d) ^ k1), u32(p0)


@kernel
def philox(state, seed):
    """Philox4x32-10 of the counters in RNG_A-D under the key `seed`, in place."""
    k0, k1 = u32(seed), u32(seed >> u64(32))
    for _ in range(10):
        _philox_round(state, k0, k1)
        k0, k1 = u32(k0 + _W0), u32(k1 + _W1)


@kernel
def _counters(state, first, purpose):
    """The counter (deal number, purpose, 0) of every lane into RNG_A-D."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        deal = u64(first + u64(lane))
        state[RNG_A + lane], state[RNG_B + lane] = u32(deal), u32(deal >> u64(32))
        state[RNG_C + lane], state[RNG_D + lane] = W(purpose), W(0)


@kernel
def seed_streams(state, seed, first, purpose):
    """Start the stream of `purpose` for the deals first .. first + LANES - 1."""
    _counters(state, first, purpose)
    philox(state, seed)


@lane_function
def rotated(x, k):
    """A 32-bit x turned left by k."""
    return u32(up(x, u32(k)) | down(x, u32(32 - k)))


@lane_function
def step(a, b, c, d):
    """The next 32 random bits of an xoshiro128++ generator, and its four words after."""
    out = u32(rotated(u32(a + d), 7) + a)
    t = up(b, u32(9))
    c, d = u32(c ^ a), u32(d ^ b)
    b, a = u32(b ^ c), u32(a ^ d)
    return out, a, b, u32(c ^ t), rotated(d, 11)


@lane_function
def draw(state, lane):
    """The next 32 random bits of a lane."""
    a, b = u32(state[RNG_A + lane]), u32(state[RNG_B + lane])
    c, d = u32(state[RNG_C + lane]), u32(state[RNG_D + lane])
    out, a, b, c, d = step(a, b, c, d)
    state[RNG_A + lane], state[RNG_B + lane], state[RNG_C + lane], state[RNG_D + lane] = a, b, c, d
    return out


@lane_function
def below(bits, n):
    """Uniform in [0, n), n <= 32, from 27 of 32 random bits without leaving the word (bias < 3e-7)."""
    return u32(u32(u32(bits >> u32(5)) * u32(n)) >> u32(27))
