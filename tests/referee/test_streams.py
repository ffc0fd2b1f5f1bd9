"""Known answers of Philox4x32-10 and xoshiro128++, and how streams are keyed."""

import pytest

from mpsim.referee.streams import AUCTION, DEAL, PLAY, WORLDS, below, draws, philox, xoshiro

ONES = 0xFFFFFFFF

# Known-answer vectors of Random123 (kat_vectors, philox4x32 10): counter, key, output.
PHILOX_VECTORS = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((ONES,) * 4, (ONES,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), PHILOX_VECTORS)
def test_philox_known_answers(counter, key, expected):
    assert philox(counter, key) == [int(word, 16) for word in expected.split()]


def test_xoshiro_reference_outputs():
    """First outputs of the authors' C code from the state 1, 2, 3, 4."""
    expected = [
        641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420,
    ]
    state = [1, 2, 3, 4]
    assert xoshiro(state, 4) + xoshiro(state, 6) == expected


def test_a_stream_is_keyed_by_seed_and_counted_by_deal_and_purpose():
    seed, deal = 0x0123456789ABCDEF, 0xFEDCBA9876543210
    state = philox((0x76543210, 0xFEDCBA98, 2, 0), (0x89ABCDEF, 0x01234567))
    assert draws(seed, deal, PLAY, 5) == xoshiro(state, 5)


def test_streams_share_no_draws():
    """160 streams of 40 draws: a 32-bit draw twice in 6400 has a chance of 0.5 %, and the seeds are fixed."""
    last = 2**64 - 1
    keys = [(seed, deal) for seed in (0, 1, 2, 3, 2**32, last) for deal in (0, 1, 2, 2**32, last)]
    seen = [word for seed, deal in keys for purpose in (DEAL, AUCTION, PLAY, WORLDS)
            for word in draws(seed, deal, purpose, 40)]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 31, 32])
def test_below_covers_its_range_evenly(n):
    assert below(0, n) == 0
    assert below(ONES, n) == n - 1
    counts = [0] * n
    for step in range(1 << 12):
        counts[below(step << 20, n)] += 1
    assert max(counts) - min(counts) <= 1
