"""The ladder auction: suits, no trumps and all trumps outbid each other, with doubles and redoubles.

All lanes are at the same turn, so one seat speaks in all of them; a lane whose auction is over waits.  A bidder's
second table holds what every holding of a suit is worth in no trumps and in all trumps.
"""

from __future__ import annotations

from numba import int64 as i64
from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import (
    CALLED, FIRST0, LANES, MULTIPLIER, OPEN, PASSES, ROUND, STRENGTH, STRIDE, TAKER, TEMP_A, TEMP_B, TEMP_C, TRUMP,
)
from mpsim.kernels.random import below, draw
from mpsim.kernels.words import down, select, vector_code

HALF = 1 << 15
"""Worths are stored two in a word, `first << 16 | second`, HALF added to each: one look-up, never negative."""

CONTRACTS = 6
"""Four suits, no trumps, all trumps: contract c stands in CALLED as c + 1, 0 being none."""

ACTION = TEMP_A
"""What the seat does: 0 passes, 1 to 6 calls a contract, DOUBLE, REDOUBLE."""

DOUBLE, REDOUBLE = 7, 8

WILLING, CHOICE = TEMP_B, TEMP_C
"""A turn's two draws."""

TURNS = 60
"""More than any auction has: three passes, nine turns for each contract, a last pass."""


@kernel
def _open(state):
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[CALLED + lane] = state[PASSES + lane] = W(0)


@kernel
def judge_contracts(state, seat, bid):
    """A seat's strength under each contract, into six rows from STRENGTH + 6 * seat rows on."""
    vector_code()
    first, table, worth, worth2 = u64(FIRST0 + seat * STRIDE), u64(seat * 256), bid.worth, bid.worth2
    strength, low, byte = u64(STRENGTH + CONTRACTS * seat * STRIDE), u32(0xFFFF), u32(255)
    for lane in range(LANES):
        hand = u32(state[first + u64(lane)])
        clubs, diamonds = table + u64(hand & byte), table + u64(down(hand, u32(8)) & byte)
        hearts, spades = table + u64(down(hand, u32(16)) & byte), table + u64(down(hand, u32(24)))
        c, d, h, s = worth[clubs], worth[diamonds], worth[hearts], worth[spades]
        side = u32(u32(c & low) + u32(d & low) + u32(h & low) + u32(s & low))
        state[strength + u64(lane)] = u32(u32(side - u32(c & low)) + u32(c >> u32(16)))
        state[strength + u64(1 * STRIDE + lane)] = u32(u32(side - u32(d & low)) + u32(d >> u32(16)))
        state[strength + u64(2 * STRIDE + lane)] = u32(u32(side - u32(h & low)) + u32(h >> u32(16)))
        state[strength + u64(3 * STRIDE + lane)] = u32(u32(side - u32(s & low)) + u32(s >> u32(16)))
        c, d, h, s = worth2[clubs], worth2[diamonds], worth2[hearts], worth2[spades]
        no_trumps = u32(u32(c >> u32(16)) + u32(d >> u32(16)) + u32(h >> u32(16)) + u32(s >> u32(16)))
        state[strength + u64(4 * STRIDE + lane)] = no_trumps
        state[strength + u64(5 * STRIDE + lane)] = u32(u32(c & low) + u32(d & low) + u32(h & low) + u32(s & low))


@lane_function
def _own(state, lane, W, seat):
    """Whether the seat's side holds the contract, if there is one."""
    return W(W(state[TAKER + lane] ^ W(seat)) & W(1)) == W(0)


@lane_function
def _may_call(state, lane, W, overcalls):
    return (state[MULTIPLIER + lane] == W(1)) | overcalls


@kernel
def _best_call(state, seat, bid, overcalls):
    """ACTION: the contract above the present one that the strength is furthest above what it asks for, or a pass."""
    vector_code()
    W = state.dtype.type
    strength, at = u64(STRENGTH + CONTRACTS * seat * STRIDE), i64(18 * seat)
    needed = bid.needed
    for lane in range(LANES):
        state[ACTION + lane] = state[WILLING + lane] = W(0)
    for contract in range(CONTRACTS):
        row = u64(strength + u64(contract * STRIDE))
        opening, partner = u32(needed[at + contract]), u32(needed[at + contract + 6])
        opponents = u32(needed[at + contract + 12])
        for lane in range(LANES):
            called = state[CALLED + lane]
            need = select(_own(state, lane, W, seat), partner, opponents)
            need = select(called == W(0), opening, need)
            worth = u32(state[row + u64(lane)])
            legal = (W(contract) >= called) & _may_call(state, lane, W, overcalls)
            margin = W(u32(worth - need) + u32(1)) if legal & (worth >= need) else W(0)
            better = margin > state[WILLING + lane]
            state[WILLING + lane] = margin if better else state[WILLING + lane]
            state[ACTION + lane] = W(contract + 1) if better else state[ACTION + lane]


@kernel
def _or_double(state, seat, bid):
    """ACTION: a double where the hand is strong enough against the contract; a redouble for want of a better call."""
    vector_code()
    W = state.dtype.type
    strength, at = u64(STRENGTH + CONTRACTS * seat * STRIDE), i64(6 * seat)
    for contract in range(CONTRACTS):
        row = u64(strength + u64(contract * STRIDE))
        double, redouble = u32(bid.double[at + contract]), u32(bid.redouble[at + contract])
        for lane in range(LANES):
            worth, now = u32(state[row + u64(lane)]), state[CALLED + lane] == W(contract + 1)
            own, action, multiplier = _own(state, lane, W, seat), state[ACTION + lane], state[MULTIPLIER + lane]
            doubles = now & (not own) & (multiplier == W(1)) & (worth >= double)
            redoubles = now & own & (multiplier == W(2)) & (worth >= redouble) & (action == W(0))
            state[ACTION + lane] = W(DOUBLE) if doubles else (W(REDOUBLE) if redoubles else action)


@kernel
def _draw_two(state):
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[WILLING + lane] = W(draw(state, lane))
        state[CHOICE + lane] = W(draw(state, lane))


@kernel
def _call_by_lot(state, seat, chance, overcalls):
    """ACTION of a chance bidder: any call but a pass, all equally likely, where the draw comes up under its chance."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        called, multiplier = state[CALLED + lane], state[MULTIPLIER + lane]
        contracts = select(_may_call(state, lane, W, overcalls), W(W(CONTRACTS) - called), W(0))
        own, any_called = _own(state, lane, W, seat), called != W(0)
        raises = any_called & (((not own) & (multiplier == W(1))) | (own & (multiplier == W(2))))
        pick = W(below(u32(state[CHOICE + lane]), W(contracts + (W(1) if raises else W(0)))))
        action = W(called + W(pick + W(1))) if pick < contracts else (W(REDOUBLE) if own else W(DOUBLE))
        willing = (down(u32(state[WILLING + lane]), u32(5)) < chance) & (raises | (contracts != W(0)))
        state[ACTION + lane] = action if willing else W(0)


@kernel
def _speak(state, seat, number):
    """Carry ACTION out in the lanes whose auction is open; returns how many still are."""
    vector_code()
    W = state.dtype.type
    still = 0
    for lane in range(LANES):
        open_, action = state[OPEN + lane] != W(0), state[ACTION + lane]
        calls = open_ & (action != W(0)) & (action <= W(CONTRACTS))
        doubles, redoubles = open_ & (action == W(DOUBLE)), open_ & (action == W(REDOUBLE))
        multiplier = select(doubles, W(2), select(redoubles, W(4), state[MULTIPLIER + lane]))
        called = select(calls, action, state[CALLED + lane])
        passes = select(open_ & (action == W(0)), W(state[PASSES + lane] + W(1)), W(0))
        over = passes == select(called == W(0), W(4), W(3))
        state[MULTIPLIER + lane] = select(calls, W(1), multiplier)
        state[CALLED + lane], state[PASSES + lane] = called, passes
        state[TAKER + lane] = select(calls, W(seat), state[TAKER + lane])
        state[ROUND + lane] = select(calls, W(number), state[ROUND + lane])
        open_ = open_ & (not over)
        state[OPEN + lane] = W(1) if open_ else W(0)
        still += 1 if open_ else 0
    return still


@kernel
def _fix_contract(state):
    """TRUMP of the contract called last; a thrown-in deal keeps the lowest suit."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        called = state[CALLED + lane]
        state[TRUMP + lane] = W(called - W(1)) if called != W(0) else W(0)


@kernel
def climb(state, rules, bid):
    """Hold the auction: turn t is seat t % 4's and has draws 2t and 2t + 1; fills ROUND, TAKER, TRUMP, MULTIPLIER."""
    overcalls = rules.overcalls != 0
    _open(state)
    for seat in range(4):
        judge_contracts(state, seat, bid)
    for turn in range(TURNS):
        seat = turn & 3
        if bid.draws:
            _draw_two(state)
        if bid.draws and bid.random_suit[seat]:
            _call_by_lot(state, seat, u32(bid.chance[seat]), overcalls)
        else:
            _best_call(state, seat, bid, overcalls)
            _or_double(state, seat, bid)
        if _speak(state, seat, (turn >> 2) + 1) == 0:
            break
    _fix_contract(state)
