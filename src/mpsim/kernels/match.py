"""Matches in lanes: each lane is one match, all are at the same deal; lanes whose match is over wait for the others.

Seats are counted from the dealer's next, players are not: TURN is the player in seat 0, so a deal's team 0 is the team
of players 0 and 2 where TURN is even.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.batch import bid_block, deal_or_cut, play_block
from mpsim.kernels.cut import gather
from mpsim.kernels.lanes import (
    CAPOTS, CLAIM0, CLAIM1, CLAIMANT, DEALER, DEALT, DECIDES, ENDED, EXTRA, FIRST_DEALER, GOAL, HANGS, HIGHS, LANES,
    LIVE, OUTCOME, PLAYS, POOL, SCORE0, SCORE1, SCORED_DEALS, STRIDE, TAKER, THROWN,
    TOTAL0, TOTAL1, TRICKS, TURN, VICTOR, WAITS, WON, hand_size, new_state,
)
from mpsim.kernels.melds import melds
from mpsim.kernels.plays import name_plays
from mpsim.kernels.random import MATCH, below, draw, seed_streams
from mpsim.kernels.score import FAILED, HUNG, MADE, THROWN_IN, select_bits, settle
from mpsim.kernels.words import inverse, popcount, select, vector_code

LONGEST = 1024
"""Deals of a match, thrown-in ones too; deal k of match m is deal number LONGEST * m + k."""

TARGET, LEVEL, RAISE, ONE_MORE, SWEEP, CLAIM, UNFINISHED = range(7)
"""What decided a match: codes of ENDED."""

ALLOWED, RAISES, ONE_MORE_DEAL = 0, 1, 2
"""What a deal with all tricks to one side does to the end of a match."""


class MatchColumns(NamedTuple):
    """Arrays of n matches."""

    winner: npt.NDArray[np.int8]        # team 0 (players 0 and 2) or 1; -1: nobody
    scores: npt.NDArray[np.int32]       # [2, n]
    pool: npt.NDArray[np.int32]
    dealer: npt.NDArray[np.int8]        # player who dealt first
    deals: npt.NDArray[np.int16]
    thrown_in: npt.NDArray[np.int16]
    capots: npt.NDArray[np.int16]
    hung: npt.NDArray[np.int16]
    ended: npt.NDArray[np.int8]


@kernel
def _open_matches(state, count, target):
    """The draw for the first dealer, and a clean sheet; the stream of purpose MATCH is seeded."""
    vector_code()
    W = state.dtype.type
    for row in range(TOTAL0, ENDED + STRIDE, STRIDE):
        at = u64(row)
        for lane in range(LANES):
            state[at + u64(lane)] = W(0)
    for lane in range(LANES):
        state[DEALER + lane] = state[FIRST_DEALER + lane] = W(below(draw(state, lane), 4))
        state[GOAL + lane], state[LIVE + lane] = W(target), W(1) if lane < count else W(0)
        state[VICTOR + lane], state[ENDED + lane] = inverse(W(0)), W(UNFINISHED)


@kernel
def _sit_down(state):
    """TURN, the player in seat 0."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[TURN + lane] = W(W(state[DEALER + lane] + W(1)) & W(3))


@kernel
def _no_claims(state):
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[CLAIMANT + lane] = inverse(W(0))


@kernel
def _find_claims(state, score, rules):
    """CLAIMANT and what was captured until then; before `name_plays`, while PLAYS holds the cards seen."""
    W, tricks = state.dtype.type, hand_size(state)
    for lane in range(LANES):
        state[CLAIMANT + lane] = inverse(W(0))
        if state[SCORED_DEALS + lane] + W(1) < W(rules.claims_from):
            continue
        swapped, target, before = W(state[TURN + lane] & W(1)) != W(0), W(rules.target), W(0)
        total0 = select(swapped, state[TOTAL1 + lane], state[TOTAL0 + lane])
        total1 = select(swapped, state[TOTAL0 + lane], state[TOTAL1 + lane])
        captured0 = captured1 = W(0)
        for trick in range(tricks):
            seen = state[PLAYS + (4 * trick + 3) * STRIDE + lane]
            cards, points = W(seen ^ before), W(0)
            before = seen
            for digit in range(5):
                plane = select_bits(W, state[HIGHS + lane], W(score.planes[digit, 1]), W(score.planes[digit, 0]))
                points = W(points + W(popcount(W(cards & plane)) << W(digit)))
            points = W(points + (W(score.last_trick) if trick == tricks - 1 else W(0)))
            ours = W(cards & state[WON + lane]) != W(0)
            captured0 = W(captured0 + (points if ours else W(0)))
            captured1 = W(captured1 + (W(0) if ours else points))
            if W(total0 + captured0) >= target if ours else W(total1 + captured1) >= target:
                state[CLAIMANT + lane] = W(0) if ours else W(1)
                state[CLAIM0 + lane], state[CLAIM1 + lane] = captured0, captured1
                break


@lane_function
def _end(state, lane, W, team, ended):
    state[VICTOR + lane], state[ENDED + lane], state[LIVE + lane] = team, W(ended), W(0)


@lane_function
def _write_down(state, lane, W, swapped, ours, theirs):
    """Add the scores of the deal's teams 0 and 1."""
    state[TOTAL0 + lane] = W(state[TOTAL0 + lane] + select(swapped, theirs, ours))
    state[TOTAL1 + lane] = W(state[TOTAL1 + lane] + select(swapped, ours, theirs))


@lane_function
def _decide_pool(state, lane, W):
    """Points that hang: the better team of a decided deal takes them, a hung deal adds to them; by the deal's teams."""
    outcome, makers, pool = state[OUTCOME + lane], W(state[TAKER + lane] & W(1)), state[POOL + lane]
    decided = (outcome == W(MADE)) | (outcome == W(FAILED))
    better = W(makers ^ (W(0) if outcome == W(MADE) else W(1)))
    paid = pool if decided else W(0)
    state[POOL + lane] = W(W(pool - paid) + (state[WAITS + lane] if outcome == W(HUNG) else W(0)))
    return (paid if better == W(0) else W(0)), (paid if better == W(1) else W(0))


@lane_function
def _check_scores(state, lane, W, rules):
    """Whether the scores end the match; level ones ask for extra deals."""
    total0, total1, goal = state[TOTAL0 + lane], state[TOTAL1 + lane], state[GOAL + lane]
    early = state[SCORED_DEALS + lane] < W(rules.min_deals)
    if early or (rules.hang_blocks_end and state[POOL + lane] != W(0)) or (total0 < goal and total1 < goal):
        return
    if total0 != total1:
        _end(state, lane, W, W(0) if total0 > total1 else W(1), state[DECIDES + lane])
    elif state[EXTRA + lane] == W(0):
        state[EXTRA + lane], state[DECIDES + lane] = W(rules.tie_extra_deals), W(LEVEL)


@lane_function
def _after_capot(state, lane, W, rules):
    """Nothing ends with all tricks to one side: the target rises above the leader, or the next deal decides."""
    total0, total1 = state[TOTAL0 + lane], state[TOTAL1 + lane]
    most = total0 if total0 > total1 else total1
    if most < state[GOAL + lane]:
        return
    if rules.capot_exit == RAISES:
        state[GOAL + lane], state[DECIDES + lane] = W(most + W(1)), W(RAISE)
    else:
        state[DECIDES + lane] = W(ONE_MORE)


@lane_function
def _score_deal(state, lane, W, rules):
    """Write a scored deal down and see whether the match is over."""
    tricks, all_tricks = state[TRICKS + lane], W(hand_size(state))
    swept = (tricks == W(0)) | (tricks == all_tricks)
    swapped = W(state[TURN + lane] & W(1)) != W(0)
    state[SCORED_DEALS + lane] = W(state[SCORED_DEALS + lane] + W(1))
    state[CAPOTS + lane] = W(state[CAPOTS + lane] + (W(1) if swept else W(0)))
    state[HANGS + lane] = W(state[HANGS + lane] + (W(1) if state[OUTCOME + lane] == W(HUNG) else W(0)))
    if state[CLAIMANT + lane] < W(2):
        _write_down(state, lane, W, swapped, state[CLAIM0 + lane], state[CLAIM1 + lane])
        _end(state, lane, W, W(state[CLAIMANT + lane] ^ (W(1) if swapped else W(0))), W(CLAIM))
        return
    paid0, paid1 = _decide_pool(state, lane, W)
    _write_down(state, lane, W, swapped, W(state[SCORE0 + lane] + paid0), W(state[SCORE1 + lane] + paid1))
    if swept and rules.sweep_wins:
        sweeper = W(0) if tricks == all_tricks else W(1)
        _end(state, lane, W, W(sweeper ^ (W(1) if swapped else W(0))), W(SWEEP))
        return
    if state[EXTRA + lane] != W(0):
        state[EXTRA + lane] = W(state[EXTRA + lane] - W(1))
        if state[EXTRA + lane] != W(0) and rules.tie_early_stop == 0:
            return
    if swept and rules.capot_exit != ALLOWED:
        _after_capot(state, lane, W, rules)
    else:
        _check_scores(state, lane, W, rules)


@kernel
def _count_deal(state, rules, turns, turn):
    """Carry a settled deal into the matches at this turn of the table; returns how many matches go on."""
    W = state.dtype.type
    live = 0
    for lane in range(LANES):
        if state[LIVE + lane] == W(0):
            continue
        if W(state[TURN + lane] & W(turns - 1)) != W(turn):
            live += 1
            continue
        state[DEALT + lane] = W(state[DEALT + lane] + W(1))
        thrown_in = state[OUTCOME + lane] == W(THROWN_IN)
        if thrown_in:
            state[THROWN + lane] = W(state[THROWN + lane] + W(1))
        else:
            _score_deal(state, lane, W, rules)
        if rules.allpass_rotates or not thrown_in:
            state[DEALER + lane] = state[TURN + lane]
        live += 1 if state[LIVE + lane] != W(0) else 0
    return live


@kernel
def _copy_matches(state, out, at, count):
    """Lanes 0 .. count - 1 to out[at : at + count]."""
    for lane in range(count):
        to = at + lane
        out.winner[to] = np.int8(state[VICTOR + lane])
        out.scores[0, to], out.scores[1, to] = np.int32(state[TOTAL0 + lane]), np.int32(state[TOTAL1 + lane])
        out.pool[to], out.dealer[to] = np.int32(state[POOL + lane]), np.int8(state[FIRST_DEALER + lane])
        out.deals[to], out.thrown_in[to] = np.int16(state[DEALT + lane]), np.int16(state[THROWN + lane])
        out.capots[to], out.hung[to] = np.int16(state[CAPOTS + lane]), np.int16(state[HANGS + lane])
        out.ended[to] = np.int8(state[ENDED + lane])


@kernel
def whole_matches(seed, first, count, rules, match, bids, random_seats, greedy_seats, out):
    """Play the matches first .. first + count - 1 and fill `out` (MatchColumns) from its start.

    bids, random_seats, greedy_seats: the table with player 0, 1, ... in seat 0, as many as there are different ones: 1,
    2 or 4.  Deals are played with each of them, and count where it is that player who sits there.
    """
    state, turns = new_state(rules.order.side_moves), len(bids)
    gathers = rules.deal.chain > 0
    for at in range(0, count, LANES):
        here, block = min(LANES, count - at), u64(first + u64(at))
        seed_streams(state, seed, block, 1, MATCH)
        _open_matches(state, here, match.target)
        live = here
        for number in range(LONGEST):
            if live == 0:
                break
            _sit_down(state)
            deal_number = u64(block * u64(LONGEST) + u64(number))
            for turn in range(turns):
                fresh = not gathers or number % rules.deal.chain == 0
                deal_or_cut(state, seed, deal_number, LONGEST, rules, fresh)
                bid_block(state, seed, deal_number, LONGEST, rules, bids[turn])
                melds(state, rules.melds)
                play_block(
                    state, seed, deal_number, LONGEST, rules, random_seats[turn], greedy_seats[turn],
                    gathers or match.claims,
                )
                if match.claims:
                    _find_claims(state, rules.score, match)
                else:
                    _no_claims(state)
                if gathers:
                    name_plays(state, rules.order)
                    gather(state, rules.deal, TURN, turns, turn)
                settle(state, rules.score)
                live = _count_deal(state, match, turns, turn)
        _copy_matches(state, out, at, here)
