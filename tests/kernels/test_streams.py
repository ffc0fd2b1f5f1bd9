"""Random streams of the kernels: known answers, the referee's draws, nothing shared between neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.harness import below_words, draw_words, new_state, remainder_words, row
from mpsim.kernels.lanes import LANES, RNG_A, RNG_B, RNG_C, RNG_D
from mpsim.kernels.random import AUCTION, DEAL, PLAY, philox, seed_streams
from mpsim.referee import streams as referee
from referee.test_streams import PHILOX_VECTORS

ROWS = (RNG_A, RNG_B, RNG_C, RNG_D)
LAST = 2**64 - 1


def drawn(seed: int, first: int, purpose: int, count: int) -> np.ndarray:
    """Draws [count, lane] of the block that starts at deal `first`."""
    state, out = new_state(), np.empty((count, LANES), np.uint32)
    seed_streams(state, np.uint64(seed), np.uint64(first), 1, purpose)
    draw_words(state, out)
    return out


@pytest.mark.parametrize(("counter", "key", "expected"), PHILOX_VECTORS)
def test_philox_known_answers(counter, key, expected) -> None:
    """The vectors of Random123, in every lane."""
    state = new_state()
    for start, value in zip(ROWS, counter, strict=True):
        row(state, start)[:] = np.uint32(value)
    philox(state, np.uint64(key[1] << 32 | key[0]))
    for start, value in zip(ROWS, expected.split(), strict=True):
        assert set(row(state, start).tolist()) == {int(value, 16)}


@pytest.mark.parametrize("purpose", [DEAL, AUCTION, PLAY])
@pytest.mark.parametrize(
    ("seed", "first"), [(0, 0), (7, 1000), (LAST, 2**32 - 100), (0x0123456789ABCDEF, LAST - 99), (2**32, 2**63 - 5)]
)
def test_streams_are_the_referees(seed: int, first: int, purpose: int) -> None:
    out = drawn(seed, first, purpose, 64)
    for lane in range(LANES):
        deal = (first + lane) % 2**64
        assert out[:, lane].tolist() == referee.draws(seed, deal, purpose, 64), deal


def test_neighbouring_streams_share_no_run() -> None:
    """First 64 draws of a block of deals, 8 seeds, 3 purposes: no two draws in a row are found twice anywhere.

    Of a million pairs of 64 bits some two are equal by chance with a probability of 3e-8.
    """
    pairs = []
    for seed in (0, 1, 2, 3, 2**32, 2**32 + 1, LAST - 1, LAST):
        for purpose in (DEAL, AUCTION, PLAY):
            out = drawn(seed, 0, purpose, 64).astype(np.uint64)
            pairs.append((out[:-1] << np.uint64(32) | out[1:]).ravel())
    together = np.concatenate(pairs)
    assert len(np.unique(together)) == len(together) == 8 * 3 * 63 * LANES


def test_bias_of_below() -> None:
    """Of 2^27 values below(., n) gives each result floor or ceil of 2^27 / n: the relative bias is < 3e-7, n <= 32.

    It is monotone in its draw, so the ends of each result's range are all there is to check.
    """
    for n in range(1, 33):
        starts = np.array([-(-k * 2**27 // n) for k in range(n + 1)])
        counts = np.diff(starts)
        assert np.abs(counts * n / 2**27 - 1).max() < 3e-7
        low, high = (starts[:-1] << 5).astype(np.uint32), ((starts[1:] << 5) - 1).astype(np.uint32)
        for bits in (low, high):
            out = np.empty(n, np.uint32)
            below_words(bits, np.full(n, n, np.uint32), out)
            assert out.tolist() == list(range(n))


@pytest.mark.parametrize("n", range(1, 33))
def test_two_choices_from_one_draw_are_one_choice_among_pairs(n: int) -> None:
    """below() of n, then of m from the remainder, are the two digits of one number below n m: bias n m / 2^27."""
    bits = np.random.default_rng(n).integers(0, 2**32, 8192, np.uint32)
    left, second = np.empty_like(bits), np.empty_like(bits)
    remainder_words(bits, np.full(len(bits), n, np.uint32), left)
    assert left.tolist() == [referee.remainder(int(word), n) for word in bits]
    for m in range(1, 33):
        below_words(left, np.full(len(bits), m, np.uint32), second)
        pairs = (bits.astype(np.uint64) >> np.uint64(5)) * np.uint64(n * m) >> np.uint64(27)
        assert (second == pairs % np.uint64(m)).all()
