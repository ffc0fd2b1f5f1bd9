"""Playing out a deal: lead, follow three times, gather; trick after trick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import closure_kernel, kernel, lane_function
from mpsim.kernels.choose import greedy_follow, greedy_lead
from mpsim.kernels.random import below, draw, remainder
from mpsim.kernels.lanes import (
    BEFORE, BEST, BITS, HIGHS, LANES, LEADER, LED, PLAY0, PLAY1, PLAY2, PLAY3, PLAYS, RUFFS, SEEN, STRIDE, TAKER,
    TRICKS, WINNER, WON, field_bits, hand_size,
)
from mpsim.kernels.legal import legal
from mpsim.kernels.pairs import find_pairs, watch_pairs
from mpsim.kernels.words import (
    down, inverse, nth_of_eight, nth_of_four, nth_of_hand, popcount, position, select, up, vector_code, wide_vectors,
)


@kernel
def open_play(state):
    """Seat 0 leads to the first trick; nothing is played yet."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[LEADER + lane] = state[SEEN + lane] = state[BEFORE + lane] = W(0)
        state[WON + lane] = state[TRICKS + lane] = W(0)


@lane_function
def _put_lead(state, lane, W, card):
    """The leader's card on the table."""
    field = W(field_bits(state))
    suit, start = W(up(W(1), field) - W(1)), inverse(W(field - W(1)))
    state[PLAY0 + lane] = W(state[PLAY0 + lane] & inverse(card))
    state[SEEN + lane] = W(state[SEEN + lane] | card)
    state[LED + lane] = up(suit, W(position(card) & start))
    state[BEST + lane] = card
    state[WINNER + lane] = W(0)


@lane_function
def _put(state, lane, W, own, place, card):
    """A follower's card on the table."""
    best = state[BEST + lane]
    wins = (card > best) & (W(card & W(state[LED + lane] | state[RUFFS + lane])) != W(0))
    state[own + u64(lane)] = W(state[own + u64(lane)] & inverse(card))
    state[SEEN + lane] = W(state[SEEN + lane] | card)
    state[BEST + lane] = select(wins, card, best)
    state[WINNER + lane] = select(wins, place, state[WINNER + lane])


@lane_function
def _legal(state, lane, W, own, partner_wins, rules):
    ruffs, highs = state[RUFFS + lane], state[HIGHS + lane]
    return legal(W, state[own + u64(lane)], state[LED + lane], state[BEST + lane], partner_wins, ruffs, highs, rules)


@lane_function
def _all_ones(W, flag):
    return select(flag, inverse(W(0)), W(0))


@lane_function
def _sits_here(state, lane, W, place, seats):
    """Whether the bit of the seat at `place` is set in `seats`."""
    return W(down(seats, W(W(state[LEADER + lane] + place) & W(3))) & W(1)) != W(0)


@lane_function
def _at_random(state, lane, W, options, place, nth):
    """A random one of the options; one draw serves leader and second, another one third and fourth."""
    count = popcount(options)
    bits = draw(state, lane) if place in (0, 2) else u32(state[BITS + lane])
    if place in (0, 2):
        state[BITS + lane] = remainder(bits, count)
    return nth(state, W, options, W(below(bits, count)))


@lane_function
def _nth_of_eight(state, W, cards, n):
    return nth_of_eight(W, cards, n)


@lane_function
def _nth_of_four(state, W, cards, n):
    return nth_of_four(W, cards, n)


def _lead_random(nth: Callable[..., Any]) -> Callable[..., Any]:
    """Any card of the leader's; `nth` finds a card by its place in the hand."""
    @closure_kernel
    def lead(state, rules, greedy_seats):
        vector_code()
        W = state.dtype.type
        for lane in range(LANES):
            _put_lead(state, lane, W, _at_random(state, lane, W, state[PLAY0 + lane], 0, nth))

    return lead


@lane_function
def _greedy_lead(state, lane, W, rules):
    taker = state[TAKER + lane]
    took = (W(W(taker ^ state[LEADER + lane]) & W(1)) == W(0)) & (taker < W(4))
    return greedy_lead(W, state[PLAY0 + lane], state[SEEN + lane], took, state[RUFFS + lane], rules)


@kernel
def _lead_greedily(state, rules, greedy_seats):
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        _put_lead(state, lane, W, _greedy_lead(state, lane, W, rules))


@kernel
def _lead_mixed(state, rules, greedy_seats):
    vector_code()
    W = state.dtype.type
    seats = W(greedy_seats)
    for lane in range(LANES):
        greedy = _greedy_lead(state, lane, W, rules)
        random = _at_random(state, lane, W, state[PLAY0 + lane], 0, nth_of_hand)
        card = select(_sits_here(state, lane, W, W(0), seats), greedy, random)
        _put_lead(state, lane, W, card)


def _follow_random(nth: Callable[..., Any]) -> Callable[..., Any]:
    """Any legal card; `nth` finds a card by its place among them."""
    @lane_function
    def follow(state, rules, place, greedy_seats):
        wide_vectors()
        W = state.dtype.type
        own, partner = u64(PLAY0 + place * STRIDE), W(place - 2) if place >= 2 else W(9)
        for lane in range(LANES):
            partner_wins = _all_ones(W, state[WINNER + lane] == partner)
            options = _legal(state, lane, W, own, partner_wins, rules)
            _put(state, lane, W, own, W(place), _at_random(state, lane, W, options, place, nth))

    return follow


@lane_function
def _greedy_follow(state, lane, W, own, options, partner_wins, last, rules):
    hand, led, best = state[own + u64(lane)], state[LED + lane], state[BEST + lane]
    seen, ruffs = state[SEEN + lane], state[RUFFS + lane]
    return greedy_follow(W, hand, options, led, best, partner_wins, last, seen, ruffs, rules)


@lane_function
def _follow_greedily(state, rules, place, greedy_seats):
    wide_vectors()
    W = state.dtype.type
    own, partner = u64(PLAY0 + place * STRIDE), W(place - 2) if place >= 2 else W(9)
    last = _all_ones(W, place == 3)
    for lane in range(LANES):
        partner_wins = _all_ones(W, state[WINNER + lane] == partner)
        options = _legal(state, lane, W, own, partner_wins, rules)
        card = _greedy_follow(state, lane, W, own, options, partner_wins, last, rules)
        _put(state, lane, W, own, W(place), card)


@lane_function
def _follow_mixed(state, rules, place, greedy_seats):
    wide_vectors()
    W = state.dtype.type
    own, partner = u64(PLAY0 + place * STRIDE), W(place - 2) if place >= 2 else W(9)
    last, seats = _all_ones(W, place == 3), W(greedy_seats)
    for lane in range(LANES):
        partner_wins = _all_ones(W, state[WINNER + lane] == partner)
        options = _legal(state, lane, W, own, partner_wins, rules)
        greedy = _greedy_follow(state, lane, W, own, options, partner_wins, last, rules)
        random = _at_random(state, lane, W, options, place, nth_of_hand)
        card = select(_sits_here(state, lane, W, W(place), seats), greedy, random)
        _put(state, lane, W, own, W(place), card)


@lane_function
def _follow_with_last(state, rules, place, greedy_seats):
    wide_vectors()
    W = state.dtype.type
    own = u64(PLAY0 + place * STRIDE)
    for lane in range(LANES):
        _put(state, lane, W, own, W(place), state[own + u64(lane)])


@kernel
def _lead_last(state, rules, greedy_seats):
    """The only card that is left."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        _put_lead(state, lane, W, state[PLAY0 + lane])


@kernel
def _copy_row(state, from_row, to_row):
    vector_code()
    source, target = u64(from_row), u64(to_row)
    for lane in range(LANES):
        state[target + u64(lane)] = state[source + u64(lane)]


@kernel
def _record(state, ply, record):
    """Keep the cards seen so far, if asked: what the next ply adds is its card."""
    if record:
        _copy_row(state, SEEN, PLAYS + ply * STRIDE)


def _at(place: int, follow: Callable[..., Any]) -> Callable[..., Any]:
    """`follow` at one place in the trick, as a kernel of its own.

    With the row of the hand a constant, LLVM needs no checks whether rows overlap, dozens of them before every loop.
    """
    @closure_kernel
    def follow_there(state, rules, greedy_seats):
        vector_code()
        follow(state, rules, place, greedy_seats)

    return follow_there


def _trick_of(lead: Callable[..., Any], follow: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that plays one trick; with `record` SEEN goes to the rows PLAYS + ply on."""
    second, third, fourth = _at(1, follow), _at(2, follow), _at(3, follow)

    @closure_kernel
    def play_trick(state, rules, greedy_seats, ply, record):
        lead(state, rules, greedy_seats)
        _record(state, ply, record)
        second(state, rules, greedy_seats)
        _record(state, ply + 1, record)
        third(state, rules, greedy_seats)
        _record(state, ply + 2, record)
        fourth(state, rules, greedy_seats)
        _record(state, ply + 3, record)

    return play_trick


_random_wide_trick = _trick_of(_lead_random(nth_of_hand), _follow_random(nth_of_hand))
_random_trick = _trick_of(_lead_random(_nth_of_eight), _follow_random(_nth_of_eight))
_random_late_trick = _trick_of(_lead_random(_nth_of_four), _follow_random(_nth_of_four))
_greedy_trick = _trick_of(_lead_greedily, _follow_greedily)
_mixed_trick = _trick_of(_lead_mixed, _follow_mixed)
_last_trick = _trick_of(_lead_last, _follow_with_last)


@kernel
def _gather(state):
    """Bank the trick, then turn the table so that PLAY0 is the winner's hand."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        turn = state[WINNER + lane]
        leader = W(W(state[LEADER + lane] + turn) & W(3))
        ours = W(leader & W(1)) == W(0)
        state[LEADER + lane] = leader
        seen = state[SEEN + lane]
        trick = W(seen ^ state[BEFORE + lane])
        state[BEFORE + lane] = seen
        state[WON + lane] = W(state[WON + lane] | (trick if ours else W(0)))
        state[TRICKS + lane] = W(state[TRICKS + lane] + (W(1) if ours else W(0)))
        h0, h1, h2, h3 = state[PLAY0 + lane], state[PLAY1 + lane], state[PLAY2 + lane], state[PLAY3 + lane]
        one = W(turn & W(1)) != W(0)
        h0, h1, h2, h3 = (h1 if one else h0), (h2 if one else h1), (h3 if one else h2), (h0 if one else h3)
        two = W(turn & W(2)) != W(0)
        state[PLAY0 + lane], state[PLAY1 + lane] = (h2 if two else h0), (h3 if two else h1)
        state[PLAY2 + lane], state[PLAY3 + lane] = (h0 if two else h2), (h1 if two else h3)


@kernel
def play_out(state, rules, random_seats, greedy_seats, record):
    """Play all tricks from PLAY0-3; fills WON, TRICKS, LEADER (the last trick's winner) and, if asked, PLAYS:
    the cards seen after each ply, and LOST: the first card of each pair that a discard made worthless.

    `random_seats` and `greedy_seats` have one bit a seat.  With random seats the stream of purpose PLAY must be seeded;
    every ply but those of the last trick then takes one draw, whoever plays it.
    """
    open_play(state)
    if rules.watches_pairs:
        find_pairs(state, rules)
    tricks = hand_size(state)
    for trick in range(tricks):
        ply, left = 4 * trick, tricks - trick
        if left == 1:
            _last_trick(state, rules, greedy_seats, ply, record)
        elif random_seats == 0:
            _greedy_trick(state, rules, greedy_seats, ply, record)
        elif greedy_seats:
            _mixed_trick(state, rules, greedy_seats, ply, record)
        elif left > 8:
            _random_wide_trick(state, rules, greedy_seats, ply, record)
        elif left > 4:
            _random_trick(state, rules, greedy_seats, ply, record)
        else:
            _random_late_trick(state, rules, greedy_seats, ply, record)
        if rules.watches_pairs:
            watch_pairs(state, rules)
        _gather(state)
