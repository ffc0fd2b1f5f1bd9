"""The state of a block: LANES deals in step, one array of words, one row a quantity.

All rows live in one array (`state[ROW + lane]`): LLVM then needs no alias checks and turns every inner loop over lanes
into vector code.  Rows are padded so that they do not fall on the same cache sets.
"""

from __future__ import annotations

import numpy as np

from mpsim.kernels import kernel, lane_function

LANES = 512
STRIDE = LANES + 16

(
    RNG_A, RNG_B, RNG_C, RNG_D,           # the xoshiro128++ state of the purpose at hand
    FIRST0, FIRST1, FIRST2, FIRST3,       # a seat's cards in the auction, natural order
    HAND0, HAND1, HAND2, HAND3,           # a seat's full hand, after the exchange, natural order
    LATE0, LATE1, LATE2,                  # the last card of seats 0-2
    UP,                                   # the turned card; where none is turned the dealer's last one
    UP_CARD, UP_SUIT,                     # its number, -1 where none is turned, and its suit 0-3
    TRUMP, TAKER, ROUND,                  # suit 0-3, NT or AT; seat 0-3, -1: no taker; 0 (thrown in), 1, 2, ...
    MULTIPLIER,                           # 1, 2, 4
    OPEN,                                 # 1 while the auction goes on
    CALLED, PASSES,                       # ladder: number of the highest contract called plus 1; passes since a call
    EXCHANGER,                            # seat, or -1
    RUNS0, RUNS1, FOURS0, FOURS1,         # meld points a team, by kind; PAIR is the trump pair's
    PAIR0, PAIR1,
    PAIRED, TEAM0, LOST,                  # cards of pairs in one hand; team 0's cards; pairs lost by a discard
    BEST_RUN0, BEST_RUN1,                 # a team's strongest run and four, as comparison keys
    BEST_FOUR0, BEST_FOUR1,
    TEMP_A, TEMP_B, TEMP_C, TEMP_D,       # scratch of one file
    TEMP_E, TEMP_F, TEMP_G,
    PLAY0, PLAY1, PLAY2, PLAY3,           # hands in play order, PLAY0 the leader's
    LEADER,                               # seat of PLAY0
    RUFFS, HIGHS,                         # cards that ruff; cards that rank as trumps: play order
    LED, BEST, WINNER,                    # suit led, card that wins, its place 0-3
    SEEN, BEFORE,                         # cards played, with and without those of this trick
    BITS,                                 # random bits left over for the next player
    WON, TRICKS, TRICKS1,                 # cards and tricks won by team 0, tricks by team 1
    POINTS0, POINTS1, SCORE0, SCORE1, OUTCOME,
    WAITS,                                # points of a hung deal that a later one decides
    SIDES,                                # a bit a trick: 1 where team 0 won it
    DEALER, FIRST_DEALER, TURN,           # match: player who deals, who dealt first, who sits in seat 0
    TOTAL0, TOTAL1, POOL, GOAL,           # match: scores of players 0 and 2, 1 and 3; points that hang; target
    LIVE, DEALT, SCORED_DEALS, EXTRA,     # match: 1 while it goes on; deals; scored ones; extra deals to play
    THROWN, CAPOTS, HANGS,                # match: deals thrown in, with all tricks to one side, hung
    VICTOR, DECIDES, ENDED,               # match: team that won; what the next end is called, and what this one was
    CLAIMANT, CLAIM0, CLAIM1,             # match: team of the deal that claims, -1: none; what each had captured then
    KEPT0, KEPT1, KEPT2, KEPT3,           # branches: HAND0-3 as dealt, before the second deal completes them
    TAKES, TAKES_NEXT,                    # branches: turn 0-7 at which somebody takes, would take next; or 8
    STRENGTH,                             # 16 rows: what a seat's hand is worth with each suit as trumps
    *_, PLAYS,                            # 40 rows: the cards in the order played
) = range(0, 122 * STRIDE, STRIDE)

ANSWERS = STRENGTH
"""16 rows, in a ladder auction: what a seat will say (see ladder.py)."""

MEANS = STRENGTH + 16 * STRIDE
"""8 rows, in other auctions: what each seat will say in round 1 and in round 2."""

PILE = PLAYS + 40 * STRIDE
"""40 rows: the deck as gathered, for the next deal to be cut from."""

SIZE = PILE + 40 * STRIDE
"""Words of a state array."""

GAINS = PILE
"""16 rows, branches: team 0's score less team 1's when a suit is trumps, 4 rows each, by taker."""

NT, AT = 4, 5
"""No trumps and all trumps as values of TRUMP."""


@lane_function
def hand_size(state):
    """Cards of a hand, and ranks of a suit, by the word: 8 in 32 bits, 10 in 64.  LLVM takes it for a constant."""
    return 8 if state.itemsize == 4 else 10


@lane_function
def field_bits(state):
    """Bits of a suit: a quarter of the word."""
    return 8 if state.itemsize == 4 else 16


@kernel
def new_state(like):
    """An empty state of the word type of the array `like`, its rows on cache lines: misaligned, loads cost double."""
    raw = np.zeros(SIZE + 64 // like.itemsize, like.dtype)
    start = (64 - raw.ctypes.data % 64) % 64 // like.itemsize
    return raw[start : start + SIZE]
