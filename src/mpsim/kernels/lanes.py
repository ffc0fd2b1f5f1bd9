"""The state of a block: LANES deals in step, one array of words, one row a quantity.

All rows live in one array (`state[ROW + lane]`): LLVM then needs no alias checks and turns every inner loop over lanes
into vector code.  Rows are padded so that they do not fall on the same cache sets.
"""

from __future__ import annotations

import numpy as np

from mpsim.kernels import kernel

LANES = 512
STRIDE = LANES + 16

(
    RNG_A, RNG_B, RNG_C, RNG_D,           # the xoshiro128++ state of the purpose at hand
    FIRST0, FIRST1, FIRST2, FIRST3,       # five cards a seat, natural order
    HAND0, HAND1, HAND2, HAND3,           # eight cards a seat, after the exchange, natural order
    LATE0, LATE1, LATE2,                  # the last three cards of the stock
    UP,                                   # the turned card, in the dealer's place of LATE
    UP_CARD, UP_SUIT,                     # its number and its suit 0-3
    TRUMP, TAKER, ROUND,                  # suit 0-3; seat 0-3; 0 (thrown in), 1, 2
    OPEN,                                 # 1 while the auction goes on
    EXCHANGER,                            # seat, or -1
    RUNS0, RUNS1, FOURS0, FOURS1,         # meld points a team, by kind; PAIR is the trump pair's
    PAIR0, PAIR1,
    BEST_RUN0, BEST_RUN1,                 # a team's strongest run and four, as comparison keys
    BEST_FOUR0, BEST_FOUR1,
    TEMP_A, TEMP_B, TEMP_C, TEMP_D,       # scratch of one file
    TEMP_E, TEMP_F, TEMP_G,
    PLAY0, PLAY1, PLAY2, PLAY3,           # hands in play order, PLAY0 the leader's
    LEADER,                               # seat of PLAY0
    LED, BEST, WINNER,                    # suit led, card that wins, its place 0-3
    SEEN, BEFORE,                         # cards played, with and without those of this trick
    BITS,                                 # random bits left over for the next player
    WON, TRICKS, TRICKS1,                 # cards and tricks won by team 0, tricks by team 1
    POINTS0, POINTS1, SCORE0, SCORE1, OUTCOME,
    STRENGTH,                             # 16 rows: what a seat's hand is worth with each suit as trumps
    *_, PLAYS,                            # 32 rows: the cards in the order played
) = range(0, 76 * STRIDE, STRIDE)

SIZE = PLAYS + 32 * STRIDE
"""Words of a state array."""


@kernel
def new_state(like):
    """An empty state of the word type of the array `like`, its rows on cache lines: misaligned, loads cost double."""
    raw = np.zeros(SIZE + 64 // like.itemsize, like.dtype)
    start = (64 - raw.ctypes.data % 64) % 64 // like.itemsize
    return raw[start : start + SIZE]
