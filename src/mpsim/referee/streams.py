"""Random streams in plain Python: a function of (seed, deal, purpose) and of nothing else.

One Philox4x32-10 block (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011), keyed by the seed, its
counter holding the deal's number and the purpose, is the state of an xoshiro128++ generator (Blackman and Vigna, 2021).
"""

from __future__ import annotations

from collections.abc import Sequence

from mpsim.errors import UsageError
from mpsim.rules.check import shown

DEAL, AUCTION, PLAY, WORLDS, MATCH = range(5)
"""The purposes: what a stream's draws are used for."""

WORD = 0xFFFFFFFF


def philox(counter: Sequence[int], key: Sequence[int]) -> list[int]:
    """The Philox4x32-10 block of four counter words under two key words, as four 32-bit words."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        product0, product1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (product1 >> 32) ^ c1 ^ k0, product1 & WORD, (product0 >> 32) ^ c3 ^ k1, product0 & WORD
        k0, k1 = (k0 + 0x9E3779B9) & WORD, (k1 + 0xBB67AE85) & WORD
    return [c0, c1, c2, c3]


def below(bits: int, n: int) -> int:
    """A number from 0 to n-1 made of the upper 27 of 32 random bits; its bias is below n / 2^27."""
    return ((bits >> 5) * n) >> 27


def remainder(bits: int, n: int) -> int:
    """The random bits that `below(bits, n)` did not use; again 32, to be read from the top."""
    return ((bits >> 5) * n << 5) & WORD


def xoshiro(state: list[int], count: int) -> list[int]:
    """The next `count` 32-bit outputs of xoshiro128++; `state` (four words) moves on."""
    s0, s1, s2, s3 = state
    draws = []
    for _ in range(count):
        total = (s0 + s3) & WORD
        draws.append(((total << 7 | total >> 25) + s0) & WORD)
        shifted = (s1 << 9) & WORD
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << 11 | s3 >> 21) & WORD
    state[:] = s0, s1, s2, s3
    return draws


def check_word(name: str, number: int, bits: int = 64) -> None:
    """UsageError unless a number named `name` is whole and fits in so many bits."""
    if isinstance(number, bool) or not hasattr(number, "__index__") or not 0 <= number < 1 << bits:
        raise UsageError(f"{name} = {shown(number)} is no whole number from 0 to 2^{bits} - 1: give one that is")


def draws(seed: int, deal: int, purpose: int, count: int) -> list[int]:
    """The first `count` 32-bit draws of a stream; UsageError unless seed and deal are numbers from 0 to 2^64-1."""
    check_word("seed", seed)
    check_word("deal", deal)
    state = philox((deal & WORD, deal >> 32, purpose, 0), (seed & WORD, seed >> 32))
    return xoshiro(state, count)
