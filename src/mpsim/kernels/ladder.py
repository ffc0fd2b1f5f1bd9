"""The ladder auction: suits, no trumps and all trumps outbid each other, with doubles and redoubles.

All lanes are at the same turn, so one seat speaks in all of them; a lane whose auction is over waits.  A bidder's
second table holds what every holding of a suit is worth in no trumps and in all trumps.  What a count bids depends on
the hand, on who holds the contract and on how high it is: all its answers are worked out before anybody speaks.
"""

from __future__ import annotations

from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import (
    ANSWERS, CALLED, FIRST0, LANES, MULTIPLIER, OPEN, PASSES, ROUND, STRIDE, TAKER, TEMP_A, TEMP_B, TEMP_C, TRUMP,
)
from mpsim.kernels.random import below, draw
from mpsim.kernels.words import down, select, up, vector_code

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


@lane_function
def _strengths(W, hand, table, worth, worth2):
    """What a hand is worth under each of the six contracts."""
    low, byte = u32(0xFFFF), u32(255)
    clubs, diamonds = table + u64(hand & byte), table + u64(down(hand, u32(8)) & byte)
    hearts, spades = table + u64(down(hand, u32(16)) & byte), table + u64(down(hand, u32(24)))
    c, d, h, s = worth[clubs], worth[diamonds], worth[hearts], worth[spades]
    side = u32(u32(c & low) + u32(d & low) + u32(h & low) + u32(s & low))
    in_clubs = u32(u32(side - u32(c & low)) + u32(c >> u32(16)))
    in_diamonds = u32(u32(side - u32(d & low)) + u32(d >> u32(16)))
    in_hearts = u32(u32(side - u32(h & low)) + u32(h >> u32(16)))
    in_spades = u32(u32(side - u32(s & low)) + u32(s >> u32(16)))
    c, d, h, s = worth2[clubs], worth2[diamonds], worth2[hearts], worth2[spades]
    no_trumps = u32(u32(c >> u32(16)) + u32(d >> u32(16)) + u32(h >> u32(16)) + u32(s >> u32(16)))
    all_trumps = u32(u32(c & low) + u32(d & low) + u32(h & low) + u32(s & low))
    return in_clubs, in_diamonds, in_hearts, in_spades, no_trumps, all_trumps


@lane_function
def _or_lower(contract, strength, needed, best, call, calls):
    """The best call from `contract` up, given that from the next one up; three bits of `calls` for it."""
    margin = select(strength >= needed, u32(u32(strength - needed) + u32(1)), u32(0))
    better = (margin >= best) & (margin != u32(0))
    best, call = select(better, margin, best), select(better, u32(contract + 1), call)
    return best, call, u32(calls | up(call, u32(3 * contract)))


@lane_function
def _best_calls(strengths, needed, at):
    """Three bits for each contract: the best call among it and those above, by surplus over what they ask for.

    Among equals the lowest; 0 where the strength is enough for none.
    """
    c, d, h, s, no_trumps, all_trumps = strengths
    best, call, calls = _or_lower(5, all_trumps, needed[at + 5], u32(0), u32(0), u32(0))
    best, call, calls = _or_lower(4, no_trumps, needed[at + 4], best, call, calls)
    best, call, calls = _or_lower(3, s, needed[at + 3], best, call, calls)
    best, call, calls = _or_lower(2, h, needed[at + 2], best, call, calls)
    best, call, calls = _or_lower(1, d, needed[at + 1], best, call, calls)
    best, call, calls = _or_lower(0, c, needed[at], best, call, calls)
    return calls


@lane_function
def _enough(strengths, needed, at):
    """A bit for each contract that the strength is enough for."""
    c, d, h, s, no_trumps, all_trumps = strengths
    bits = u32(select(c >= needed[at], u32(1), u32(0)) | select(d >= needed[at + 1], u32(2), u32(0)))
    bits = u32(bits | select(h >= needed[at + 2], u32(4), u32(0)) | select(s >= needed[at + 3], u32(8), u32(0)))
    bits = u32(bits | select(no_trumps >= needed[at + 4], u32(16), u32(0)))
    return u32(bits | select(all_trumps >= needed[at + 5], u32(32), u32(0)))


@kernel
def judge_contracts(state, seat, bid):
    """A seat's answers, four rows from ANSWERS + 4 * seat rows on.

    Best calls to open, over the partner's contract, over the opponents'; contracts to double, and, six bits up, to
    redouble.
    """
    vector_code()
    W = state.dtype.type
    first, answers, table = u64(FIRST0 + seat * STRIDE), u64(ANSWERS + 4 * seat * STRIDE), u64(seat * 256)
    worth, worth2, needed, double, redouble = bid.worth, bid.worth2, bid.needed, bid.double, bid.redouble
    calls, raises = 18 * seat, 6 * seat
    for lane in range(LANES):
        strengths = _strengths(W, u32(state[first + u64(lane)]), table, worth, worth2)
        state[answers + u64(lane)] = _best_calls(strengths, needed, calls)
        state[answers + u64(STRIDE + lane)] = _best_calls(strengths, needed, calls + 6)
        state[answers + u64(2 * STRIDE + lane)] = _best_calls(strengths, needed, calls + 12)
        both = u32(up(_enough(strengths, redouble, raises), u32(6)) | _enough(strengths, double, raises))
        state[answers + u64(3 * STRIDE + lane)] = both


@lane_function
def _own(state, lane, W, seat):
    """Whether the seat's side holds the contract, if there is one."""
    return W(W(state[TAKER + lane] ^ W(seat)) & W(1)) == W(0)


@lane_function
def _may_call(state, lane, W, overcalls):
    return (state[MULTIPLIER + lane] == W(1)) | overcalls


@kernel
def _answer(state, seat, overcalls):
    """ACTION of a count: a double before a call, a redouble for want of one."""
    vector_code()
    W, answers = state.dtype.type, u64(ANSWERS + 4 * seat * STRIDE)
    for lane in range(LANES):
        called, multiplier = state[CALLED + lane], state[MULTIPLIER + lane]
        own, any_called = _own(state, lane, W, seat), called != W(0)
        over = select(own, state[answers + u64(STRIDE + lane)], state[answers + u64(2 * STRIDE + lane)])
        calls = select(any_called, over, state[answers + u64(lane)])
        call = W(down(calls, W(called * W(3))) & W(7))
        call = select(_may_call(state, lane, W, overcalls), call, W(0))
        raises = W(down(up(state[answers + u64(3 * STRIDE + lane)], W(1)), called))
        doubles = any_called & (not own) & (multiplier == W(1)) & (W(raises & W(1)) != W(0))
        redoubles = any_called & own & (multiplier == W(2)) & (call == W(0)) & (W(raises & W(64)) != W(0))
        state[ACTION + lane] = select(doubles, W(DOUBLE), select(redoubles, W(REDOUBLE), call))


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
            _answer(state, seat, overcalls)
        if _speak(state, seat, (turn >> 2) + 1) == 0:
            break
    _fix_contract(state)
