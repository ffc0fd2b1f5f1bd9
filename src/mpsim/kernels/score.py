"""Settling a deal: card points, last trick and capo, melds, made or failed, what each team writes down."""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import (
    AT, FOURS0, FOURS1, HIGHS, LANES, LEADER, MULTIPLIER, NT, OUTCOME, PAIR0, PAIR1, POINTS0, POINTS1, ROUND, RUNS0,
    RUNS1, SCORE0, SCORE1, TAKER, TRICKS, TRICKS1, TRUMP, WAITS, WON,
)
from mpsim.kernels.pairs import take_lost_pairs
from mpsim.kernels.words import down, inverse, popcount, select, times, vector_code

MADE, FAILED, HUNG, THROWN_IN, SCORED = 0, 1, 2, 3, 4
"""Codes of OUTCOME; SCORED: there is no contract to make."""

NO_CONTRACT = 6
"""What TRUMP says of a thrown-in deal; 0-3 are the suits, 4 and 5 no-trumps and all-trumps."""

MELD0, MELD1 = RUNS0, RUNS1
"""After `settle` these rows hold all meld points that count for each team."""

FAIL, HANG, KEEP = 0, 1, 2
"""What happens when both teams are level."""

FEWER_UP, CALLER_LOW, BOTH_UP, BOTH_DOWN = 0, 1, 2, 3
"""How points that end in the limit digit are rounded."""


@kernel
def _count_cards(state, rules):
    """Card points of team 0 into POINTS0, bit plane by bit plane."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[POINTS0 + lane] = W(0)
    for digit in range(5):
        side, high = W(rules.planes[digit, 0]), W(rules.planes[digit, 1])
        for lane in range(LANES):
            plane = select_bits(W, state[HIGHS + lane], high, side)
            cards = popcount(W(state[WON + lane] & plane))
            state[POINTS0 + lane] = W(state[POINTS0 + lane] + W(cards << W(digit)))


@lane_function
def select_bits(W, mask, x, y):
    """The bits of x in the mask, of y outside it."""
    return W(y ^ W(W(x ^ y) & mask))


@lane_function
def _swept(state, lane, W, all_tricks):
    return (state[TRICKS + lane] == all_tricks) | (state[TRICKS + lane] == W(0))


@lane_function
def _by_contract(state, lane, W, values):
    """Of three values the one for a suit contract, all trumps or no trumps."""
    trump = state[TRUMP + lane]
    return select(trump < W(NT), W(values[0]), select(trump == W(AT), W(values[1]), W(values[2])))


@kernel
def _add_tricks(state, rules):
    """Last trick and capo, and the factor of no trumps; POINTS1 is what is left."""
    vector_code()
    W = state.dtype.type
    last, last_swept, capo = W(rules.last_trick), W(rules.last_swept), W(rules.capo)
    all_tricks, factor, capo_factor = W(rules.all_tricks), W(rules.nt_factor), W(rules.nt_capo_factor)
    for lane in range(LANES):
        won, deck = state[POINTS0 + lane], _by_contract(state, lane, W, rules.deck_points)
        ours = W(state[LEADER + lane] & W(1)) == W(0)
        swept = _swept(state, lane, W, all_tricks)
        no_trumps = state[TRUMP + lane] == W(NT)
        cards = select(no_trumps, factor, W(1))
        bonus = W(times(cards, select(swept, last_swept, last)))
        all_of_them = times(select(no_trumps, capo_factor, W(1)), capo)
        bonus = W(bonus + select(swept, all_of_them, W(0)))
        state[POINTS0 + lane] = W(times(cards, won) + (bonus if ours else W(0)))
        state[POINTS1 + lane] = W(times(cards, W(deck - won)) + (W(0) if ours else bonus))


@kernel
def _total_melds(state, rules):
    """All meld points of each team into MELD0 and MELD1, none without a trick where the rules say so."""
    vector_code()
    W = state.dtype.type
    need, all_tricks = rules.need_trick != 0, W(rules.all_tricks)
    for lane in range(LANES):
        played = state[ROUND + lane] != W(0)
        ours = W(W(state[RUNS0 + lane] + state[FOURS0 + lane]) + state[PAIR0 + lane])
        theirs = W(W(state[RUNS1 + lane] + state[FOURS1 + lane]) + state[PAIR1 + lane])
        tricks = state[TRICKS + lane]
        state[TRICKS1 + lane] = W(all_tricks - tricks)
        state[MELD0 + lane] = ours if played & ((not need) | (tricks != W(0))) else W(0)
        state[MELD1 + lane] = theirs if played & ((not need) | (tricks != all_tricks)) else W(0)


@lane_function
def _of_makers(state, lane, W, row0, row1):
    """A value of each team, the makers' first."""
    team0 = W(state[TAKER + lane] & W(1)) == W(0)
    a, b = state[row0 + lane], state[row1 + lane]
    return select(team0, a, b), select(team0, b, a)


@lane_function
def _write_down(state, lane, W, to_makers, to_others, waits, outcome):
    team0 = W(state[TAKER + lane] & W(1)) == W(0)
    state[SCORE0 + lane] = select(team0, to_makers, to_others)
    state[SCORE1 + lane] = select(team0, to_others, to_makers)
    state[WAITS + lane], state[OUTCOME + lane] = waits, outcome


@kernel
def _score_each(state):
    """Without a contract each team writes down its own."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[SCORE0 + lane] = W(state[POINTS0 + lane] + state[MELD0 + lane])
        state[SCORE1 + lane] = W(state[POINTS1 + lane] + state[MELD1 + lane])
        state[WAITS + lane], state[OUTCOME + lane] = W(0), W(SCORED)


@kernel
def _settle_points(state, rules):
    """OUTCOME, SCORE and WAITS where points are written down as they are and nobody doubles."""
    vector_code()
    W = state.dtype.type
    cut, hang, keep = W(rules.mesa_cut), rules.tie == HANG, rules.tie == KEEP
    all_tricks = W(rules.all_tricks)
    for lane in range(LANES):
        points, their_points = _of_makers(state, lane, W, POINTS0, POINTS1)
        melds, their_melds = _of_makers(state, lane, W, MELD0, MELD1)
        makers, others = W(points + melds), W(their_points + their_melds)
        level = makers == others
        made = (makers > others) | (keep & level)
        hung = hang & level
        pays = W(W(makers + others) - (W(0) if _swept(state, lane, W, all_tricks) else cut))
        to_others = others if made | hung else pays
        outcome = W(MADE) if made else (W(HUNG) if hung else W(FAILED))
        _write_down(state, lane, W, makers if made else W(0), to_others, makers if hung else W(0), outcome)


@lane_function
def _tens(W, x):
    """x // 10, for x below 81,920."""
    return down(times(x, W(52429)), W(19))


@lane_function
def _game_points(W, x, limit, tie_up):
    """Tens of points: up above the limit digit, down below it."""
    tens = _tens(W, x)
    digit = W(x - times(tens, W(10)))
    rounds_up = (digit > limit) | ((digit == limit) & tie_up)
    return W(tens + (W(1) if rounds_up else W(0)))


@kernel
def _settle_game(state, rules):
    """The same with doubles, and with rounding to tens of points where the rules have it."""
    vector_code()
    W = state.dtype.type
    hang, keep, all_tricks = rules.tie == HANG, rules.tie == KEEP, W(rules.all_tricks)
    tens, late = rules.tens != 0, rules.multiply_first != 0
    fewer, caller = rules.round_tie == FEWER_UP, rules.round_tie == CALLER_LOW
    both_up, cancels, half_at_once = rules.round_tie == BOTH_UP, rules.capot_cancels != 0, rules.hang_half != 0
    for lane in range(LANES):
        points, their_points = _of_makers(state, lane, W, POINTS0, POINTS1)
        melds, their_melds = _of_makers(state, lane, W, MELD0, MELD1)
        makers, others = W(points + melds), W(their_points + their_melds)
        level, more, total = makers == others, makers > others, W(makers + others)
        limit, swept = _by_contract(state, lane, W, rules.limits), _swept(state, lane, W, all_tricks)
        factor = select(swept & cancels, W(1), state[MULTIPLIER + lane])
        doubled = factor != W(1)

        makers_up = both_up | (fewer & (not more))
        others_up = both_up | caller | (fewer & more)
        own = _game_points(W, makers, limit, makers_up) if tens else makers
        their = _game_points(W, others, limit, others_up) if tens else others
        whole = _tens(W, W(total + W(5))) if tens else total
        multiplied = _tens(W, W(times(total, factor) + W(5))) if tens & late else times(whole, factor)

        # A doubled deal that is rounded whole is shared only where both sides are level.
        whole_doubled = (tens & late) & doubled
        their = select(whole_doubled, down(multiplied, W(1)), times(their, factor))
        own = select(whole_doubled, W(multiplied - their), times(own, factor))

        made, hung = more | (keep & level), hang & level
        shared = made & (level | (not doubled))
        to_makers = select(shared, own, select(made, multiplied, W(0)))
        to_others = select(shared, their, select(made, W(0), multiplied))
        half = select(half_at_once | (not doubled), their, W(0))
        to_others = select(hung, half, to_others)
        outcome = W(MADE) if made else (W(HUNG) if hung else W(FAILED))
        _write_down(state, lane, W, to_makers, to_others, select(hung, W(multiplied - half), W(0)), outcome)


@kernel
def _clear_thrown_in(state):
    """A thrown-in deal has no taker, contract, tricks, points or scores; -1 and NO_CONTRACT stand for none."""
    vector_code()
    W = state.dtype.type
    for row in (TRICKS, TRICKS1, POINTS0, POINTS1, SCORE0, SCORE1, WAITS):
        at = u64(row)
        for lane in range(LANES):
            state[at + u64(lane)] = state[at + u64(lane)] if state[ROUND + lane] != W(0) else W(0)
    for lane in range(LANES):
        played = state[ROUND + lane] != W(0)
        state[OUTCOME + lane] = state[OUTCOME + lane] if played else W(THROWN_IN)
        state[TAKER + lane] = state[TAKER + lane] if played else inverse(W(0))
        state[TRUMP + lane] = state[TRUMP + lane] if played else W(NO_CONTRACT)
        state[MULTIPLIER + lane] = state[MULTIPLIER + lane] if played else W(1)


@kernel
def settle(state, rules):
    """POINTS, MELD, SCORE, WAITS and OUTCOME of every lane, from WON, TRICKS, LEADER and the melds."""
    _count_cards(state, rules)
    _add_tricks(state, rules)
    if rules.lost_pair:
        take_lost_pairs(state, rules.lost_pair)
    _total_melds(state, rules)
    if rules.contract == 0:
        _score_each(state)
    elif rules.doubles:
        _settle_game(state, rules)
    else:
        _settle_points(state, rules)
    _clear_thrown_in(state)
