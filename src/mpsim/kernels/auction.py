"""How trumps are fixed: two rounds in which to accept the turned suit or name one, a ladder, or no auction at all.

A bidder's table holds, for every holding of a suit (a byte), what it is worth as trumps and as a side suit.  A hand's
strength with a trump suit is the worth of its trumps plus that of its three side suits.
"""

from __future__ import annotations

from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.classes import class_of_sides, holding, side_suits
from mpsim.kernels.ladder import climb
from mpsim.kernels.lanes import (
    FIRST0, LANES, MEANS, MULTIPLIER, OPEN, ROUND, STRENGTH, STRIDE, TAKER, TEMP_A, TEMP_B, TEMP_C, TRUMP, UP, UP_CARD,
    UP_SUIT,
)
from mpsim.kernels.random import below, draw, remainder
from mpsim.kernels.words import down, inverse, select, vector_code

ACCEPT, LADDER, TURNED, DRAWN = 0, 1, 2, 3
"""Kinds of auction."""

JUDGED = TEMP_A
"""Strength with the suit that a bidder would name."""

SUIT = TEMP_B
"""The suit that a bidder would name."""

WILLING = TEMP_C
"""1 where a bidder's draw lets him take; all 1 as long as nobody draws."""

ALWAYS = 1 << 27
"""The chance, in 27 bits, of a bidder who leaves nothing to chance."""


@kernel
def open_auction(state, rules):
    """Nobody has spoken; under `aponta` a seat whose first cards are all worthless closes the auction."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[ROUND + lane] = state[TAKER + lane] = W(0)
        state[TRUMP + lane] = state[UP_SUIT + lane]
        state[OPEN + lane] = state[WILLING + lane] = state[MULTIPLIER + lane] = W(1)
    if rules.aponta:
        valued = inverse(rules.worthless)
        for seat in range(4):
            first = u64(FIRST0 + seat * STRIDE)
            for lane in range(LANES):
                has = W(state[first + u64(lane)] & valued) != W(0)
                state[OPEN + lane] = state[OPEN + lane] if has else W(0)


@kernel
def judge(state, seat, bid):
    """A seat's strength with each suit as trumps, into four rows from STRENGTH + 4 * seat rows on."""
    vector_code()
    first, table, worth = u64(FIRST0 + seat * STRIDE), u64(seat * 256), bid.worth
    strength = u64(STRENGTH + 4 * seat * STRIDE)
    turned, low = u32(bid.counts_upcard[seat]), u32(0xFFFF)
    for lane in range(LANES):
        hand = u32(state[first + u64(lane)] | u32(state[UP + lane] & turned))
        c = worth[table + u64(hand & u32(255))]
        d = worth[table + u64(down(hand, u32(8)) & u32(255))]
        h = worth[table + u64(down(hand, u32(16)) & u32(255))]
        s = worth[table + u64(down(hand, u32(24)))]
        side = u32(u32(c & low) + u32(d & low) + u32(h & low) + u32(s & low))
        state[strength + u64(lane)] = u32(u32(side - u32(c & low)) + u32(c >> u32(16)))
        state[strength + u64(1 * STRIDE + lane)] = u32(u32(side - u32(d & low)) + u32(d >> u32(16)))
        state[strength + u64(2 * STRIDE + lane)] = u32(u32(side - u32(h & low)) + u32(h >> u32(16)))
        state[strength + u64(3 * STRIDE + lane)] = u32(u32(side - u32(s & low)) + u32(s >> u32(16)))


@kernel
def _toss(state, chance):
    """WILLING where the draw comes up under a bidder's chance."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[WILLING + lane] = W(1) if down(draw(state, lane), u32(5)) < chance else W(0)


@kernel
def _mean_to_accept(state, seat, needed):
    """Round 1: a seat takes the turned suit when its hand is strong enough with it."""
    vector_code()
    W = state.dtype.type
    c, means = u64(STRENGTH + 4 * seat * STRIDE), u64(MEANS + seat * STRIDE)
    d, h, s = c + u64(STRIDE), c + u64(2 * STRIDE), c + u64(3 * STRIDE)
    for lane in range(LANES):
        suit = state[UP_SUIT + lane]
        strength = select(suit == W(0), state[c + u64(lane)], state[d + u64(lane)])
        strength = select(suit == W(2), state[h + u64(lane)], strength)
        strength = select(suit == W(3), state[s + u64(lane)], strength)
        takes = (u32(strength) >= needed) & (state[WILLING + lane] != W(0))
        state[means + u64(lane)] = W(suit + W(1)) if takes else W(0)


@kernel
def _best_suit(state, seat, barred):
    """Round 2: the suit of greatest strength into SUIT, its strength into JUDGED; the lowest suit among equals.

    `barred` is all ones where the turned suit may not be named again, else 0.
    """
    vector_code()
    W = state.dtype.type
    c = u64(STRENGTH + 4 * seat * STRIDE)
    d, h, s = c + u64(STRIDE), c + u64(2 * STRIDE), c + u64(3 * STRIDE)
    for lane in range(LANES):
        out = W(W(state[UP_SUIT + lane] + W(1)) & barred)
        best = select(out == W(1), W(0), state[c + u64(lane)])
        suit = select(out == W(1), W(1), W(0))
        other = state[d + u64(lane)]
        better = (other > best) & (out != W(2))
        best, suit = select(better, other, best), select(better, W(1), suit)
        other = state[h + u64(lane)]
        better = (other > best) & (out != W(3))
        best, suit = select(better, other, best), select(better, W(2), suit)
        other = state[s + u64(lane)]
        better = (other > best) & (out != W(4))
        best, suit = select(better, other, best), select(better, W(3), suit)
        state[JUDGED + lane], state[SUIT + lane] = best, suit


@kernel
def _random_suit(state, random, suits):
    """Round 2 of a chance bidder: any allowed suit, equally likely, into SUIT."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        pick = W(below(draw(state, lane), suits))
        skip = (suits == u32(3)) & (pick >= state[UP_SUIT + lane])
        pick = W(pick + W(1)) if skip else pick
        state[SUIT + lane] = pick if random != W(0) else state[SUIT + lane]


@kernel
def _mean_to_name(state, seat, needed):
    """Round 2: a seat names the suit in SUIT when its hand is strong enough with it."""
    vector_code()
    W, means = state.dtype.type, u64(MEANS + (4 + seat) * STRIDE)
    for lane in range(LANES):
        takes = (u32(state[JUDGED + lane]) >= needed) & (state[WILLING + lane] != W(0))
        state[means + u64(lane)] = W(state[SUIT + lane] + W(1)) if takes else W(0)


@kernel
def _mean_by_chart(state, seat, any_suit, chart, tables):
    """Both rounds by a chart, uint8 [8, classes]: 0 passes, 1 is the turned suit, 2 to 4 a side suit."""
    vector_code()
    W = state.dtype.type
    first, means, later = u64(FIRST0 + seat * STRIDE), u64(MEANS + seat * STRIDE), u64(MEANS + (4 + seat) * STRIDE)
    for lane in range(LANES):
        up_suit, up_rank = u32(state[UP_SUIT + lane]), u32(state[UP_CARD + lane]) & u32(7)
        hand = u32(state[first + u64(lane)])
        sides = side_suits(hand, up_suit, tables)
        number = class_of_sides(holding(hand, up_suit), up_rank, sides, tables)
        accepts, names = u32(chart[seat, number]), u32(chart[4 + seat, number])
        after = select(names == u32(2), sides[0], select(names == u32(3), sides[1], sides[2]))
        after = select(names == u32(1), 0, after & 3)
        silent = (names == u32(0)) | ((names == u32(1)) & (not any_suit))
        named = W(u32(u32(up_suit + u32(after)) & u32(3)) + u32(1))
        state[means + u64(lane)] = W(up_suit + u32(1)) if accepts != u32(0) else W(0)
        state[later + u64(lane)] = W(0) if silent else named


@kernel
def intentions(state, rules, bid):
    """What each seat will say if its turn comes, round 1 and then round 2, into eight rows from MEANS on.

    0 is a pass, else the suit plus 1.  Draw s is seat s's in round 1, draws 4 + 2s and 5 + 2s are its choice and its
    suit in round 2.
    """
    W = state.dtype.type
    barred, suits = (W(0), u32(4)) if rules.round2_any_suit else (W(~W(0)), u32(3))
    for seat in range(4):
        judge(state, seat, bid)
        if bid.draws:
            _toss(state, u32(bid.chance[seat]))
        _mean_to_accept(state, seat, u32(bid.round1[seat]))
    for seat in range(4):
        _best_suit(state, seat, barred)
        if bid.draws:
            _toss(state, u32(bid.chance[seat]))
            _random_suit(state, W(bid.random_suit[seat]), suits)
        _mean_to_name(state, seat, u32(bid.round2[seat]))
    for seat in range(4):
        if bid.charted[seat]:
            _mean_by_chart(state, seat, rules.round2_any_suit != 0, bid.chart, bid.classes)


@kernel
def _take_first(state):
    """The first who means to take does."""
    vector_code()
    W = state.dtype.type
    for turn in range(8):
        means = u64(MEANS + turn * STRIDE)
        for lane in range(LANES):
            suit = state[means + u64(lane)]
            takes = (suit != W(0)) & (state[OPEN + lane] != W(0))
            state[TAKER + lane] = W(turn & 3) if takes else state[TAKER + lane]
            state[TRUMP + lane] = W(suit - W(1)) if takes else state[TRUMP + lane]
            state[ROUND + lane] = W(1 + (turn >> 2)) if takes else state[ROUND + lane]
            state[OPEN + lane] = W(0) if takes else state[OPEN + lane]


@kernel
def _take_turned(state):
    """The turned suit is trumps and nobody takes."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[TAKER + lane] = inverse(W(0))
        state[ROUND + lane] = state[OPEN + lane]


@kernel
def _take_by_lot(state):
    """Taker and trumps by one draw."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        bits = draw(state, lane)
        state[TAKER + lane] = W(below(bits, 4))
        state[TRUMP + lane] = W(below(remainder(bits, 4), 4))
        state[ROUND + lane] = state[OPEN + lane]


@kernel
def auction(state, rules, bid):
    """Fill ROUND, TAKER, TRUMP and MULTIPLIER; a thrown-in deal has round 0 and some suit as a stand-in for trumps.

    The stream of purpose AUCTION must be seeded when `bid.draws` says that a bidder leaves something to chance, or
    when trumps are drawn by lot.
    """
    open_auction(state, rules)
    if rules.kind == ACCEPT:
        intentions(state, rules, bid)
        _take_first(state)
    elif rules.kind == LADDER:
        climb(state, rules, bid)
    elif rules.kind == TURNED:
        _take_turned(state)
    else:
        _take_by_lot(state)
