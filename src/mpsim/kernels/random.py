"""Random streams: a function of (seed, deal, purpose, draw), whatever the threads, parts or machine.

One Philox4x32-10 block (Salmon et al., SC 2011), keyed by the seed, its counter holding the deal number and the
purpose, is the state of an xoshiro128++ generator (Blackman and Vigna, 2021) for that deal and purpose.
"""

from __future__ import annotations

from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import LANES, RNG_A, RNG_B, RNG_C, RNG_D
from mpsim.kernels.words import down, times, times_high, up, vector_code

DEAL, AUCTION, PLAY, MATCH, GIVEN = 0, 1, 2, 4, 5
"""Purposes: each has a stream of its own."""

_M0, _M1 = u32(0xD2511F53), u32(0xCD9E8D57)
_W0, _W1 = u32(0x9E3779B9), u32(0xBB67AE85)


@lane_function
def _philox_round(a, b, c, d, k0, k1):
    """One round of Philox4x32."""
    return (
        u32(u32(times_high(c, _M1) ^ b) ^ k0), times(c, _M1), u32(u32(times_high(a, _M0) ^ d) ^ k1), times(a, _M0),
    )


@kernel
def _five_rounds(state, k0, k1):
    """Five rounds of Philox4x32 on the words in RNG_A-D."""
    vector_code()
    for lane in range(LANES):
        a, b = u32(state[RNG_A + lane]), u32(state[RNG_B + lane])
        c, d = u32(state[RNG_C + lane]), u32(state[RNG_D + lane])
        for k in range(5):
            a, b, c, d = _philox_round(a, b, c, d, u32(k0 + u32(_W0 * u32(k))), u32(k1 + u32(_W1 * u32(k))))
        state[RNG_A + lane], state[RNG_B + lane], state[RNG_C + lane], state[RNG_D + lane] = a, b, c, d


@kernel
def philox(state, seed):
    """Philox4x32-10 of the counters in RNG_A-D under the key `seed`, in place."""
    k0, k1 = u32(seed), u32(seed >> u64(32))
    _five_rounds(state, k0, k1)
    _five_rounds(state, u32(k0 + u32(_W0 * u32(5))), u32(k1 + u32(_W1 * u32(5))))


@kernel
def _counters(state, first, step, purpose):
    """The counter (deal number, purpose, 0) of every lane into RNG_A-D."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        deal = u64(first + u64(u64(lane) * u64(step)))
        state[RNG_A + lane], state[RNG_B + lane] = u32(deal), u32(deal >> u64(32))
        state[RNG_C + lane], state[RNG_D + lane] = W(purpose), W(0)


@kernel
def seed_streams(state, seed, first, step, purpose):
    """Start the stream of `purpose` for deal `first` in the first lane and in each lane for one `step` further on."""
    _counters(state, first, step, purpose)
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
def scaled(bits, n):
    """The upper 27 of 32 random bits times n, n <= 32: what stands above bit 27 is uniform in [0, n)."""
    return u32(down(bits, u32(5)) * u32(n))


@lane_function
def below(bits, n):
    """Uniform in [0, n), n <= 32, from 32 random bits without leaving the word (bias < n / 2^27)."""
    return down(scaled(bits, n), u32(27))


@lane_function
def remainder(bits, n):
    """The random bits that `below(bits, n)` did not use; again 32, to be read from the top."""
    return up(scaled(bits, n), u32(5))
