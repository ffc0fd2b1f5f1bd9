"""Melds of full hands: runs, fours of a kind, the trump pair, and whose count.

A run of length k starts at a card when the k - 1 cards above it in its suit are held too.  A maximal run's points are
the sum of what each further card adds, so counting starts of maximal runs that are at least k long, for every k, gives
the points of a whole hand at once.
"""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.lanes import (
    AT, BEST_FOUR0, BEST_FOUR1, BEST_RUN0, BEST_RUN1, FOURS0, FOURS1, HAND0, LANES, NT, PAIR0, PAIR1, RUNS0, RUNS1,
    STRIDE, TEMP_A, TEMP_B, TEMP_C, TEMP_D, TRUMP, hand_size,
)
from mpsim.kernels.words import down, inverse, lowest, popcount, position, select, up, vector_code

FREE, FOURS = TEMP_A, TEMP_B          # cards that may serve in runs; ranks of the fours declared
STARTS, MAXIMAL = TEMP_C, TEMP_D      # where a run of the length at hand starts; where a maximal run starts


@lane_function
def _ranks_of_fours(W, hand, field, fours):
    """The ranks of which all four cards are held and whose four is a meld."""
    half = W(hand & down(hand, W(field + field)))
    return W(W(half & down(half, field)) & fours)


@kernel
def _find_runs(state, within):
    """Runs of one card into STARTS, starts of maximal runs into MAXIMAL, from the cards in FREE."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        cards = state[FREE + lane]
        state[STARTS + lane] = cards
        state[MAXIMAL + lane] = W(cards & inverse(up(W(cards & within), W(1))))


@kernel
def _lengthen(state, within):
    """STARTS of runs one card longer."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        starts = state[STARTS + lane]
        state[STARTS + lane] = W(starts & W(down(starts, W(1)) & within))


@kernel
def _lengthen_and_add(state, within, step, row):
    """The same, adding `step` points to `row` for each maximal run that is still there."""
    vector_code()
    W = state.dtype.type
    to = u64(row)
    for lane in range(LANES):
        starts = state[STARTS + lane]
        starts = W(starts & W(down(starts, W(1)) & within))
        runs = popcount(W(starts & state[MAXIMAL + lane]))
        state[STARTS + lane] = starts
        state[to + u64(lane)] = W(state[to + u64(lane)] + W(runs * step))


@kernel
def _add_run_points(state, rules, row):
    """Add the points of all runs among the cards in FREE to `row`."""
    W = state.dtype.type
    _find_runs(state, rules.within)
    for length in range(2, hand_size(state) + 1):
        step = W(rules.run_steps[length])
        if step == W(0):
            _lengthen(state, rules.within)
        else:
            _lengthen_and_add(state, rules.within, step, row)


@kernel
def _add_equal_fours(state, ranks, points, row):
    """Add `points` to `row` for each four in FOURS of these ranks."""
    vector_code()
    W = state.dtype.type
    to = u64(row)
    for lane in range(LANES):
        fours = popcount(W(state[FOURS + lane] & ranks))
        state[to + u64(lane)] = W(state[to + u64(lane)] + W(fours * points))


@kernel
def _add_four_points(state, rules, row):
    """Add the points of the fours in FOURS to `row`, once for each size of bonus."""
    W = state.dtype.type
    for size in range(rules.four_sizes.shape[0]):
        _add_equal_fours(state, W(rules.four_sizes[size, 0]), W(rules.four_sizes[size, 1]), row)


@kernel
def _plan_freely(state, rules, hand):
    """Every four counts and every card may serve in a run."""
    vector_code()
    W = state.dtype.type
    field, fours, row = W(rules.field), W(rules.fours), u64(hand)
    for lane in range(LANES):
        cards = state[row + u64(lane)]
        state[FREE + lane] = cards
        state[FOURS + lane] = _ranks_of_fours(W, cards, field, fours)


@lane_function
def _run_worth(W, cards, rules, ranks):
    """The points of all runs among some cards."""
    starts, maximal, worth = cards, W(cards & inverse(up(W(cards & rules.within), W(1)))), W(0)
    for length in range(2, ranks + 1):
        starts = W(starts & W(down(starts, W(1)) & rules.within))
        worth = W(worth + W(popcount(W(starts & maximal)) * W(rules.run_steps[length])))
    return worth


@lane_function
def _four_worth(W, fours, rules):
    """The points of the fours of some ranks."""
    worth = W(0)
    for size in range(rules.four_sizes.shape[0]):
        worth = W(worth + W(popcount(W(fours & W(rules.four_sizes[size, 0]))) * W(rules.four_sizes[size, 1])))
    return worth


@lane_function
def _best_plan(W, cards, held, rules, ranks):
    """Of at most two fours held those to declare: the plan worth most; among equals more, then the higher ranked."""
    low, plan, gain = lowest(held), W(0), W(0)
    for number in range(4):
        kept = W((low if number & 1 else W(0)) | (W(held ^ low) if number & 2 else W(0)))
        worth = W(_run_worth(W, W(cards & inverse(W(kept * rules.ones))), rules, ranks) + _four_worth(W, kept, rules))
        if worth >= gain:
            plan, gain = kept, worth
    return plan


@kernel
def _plan_best(state, rules, hand):
    """Each card serves in one meld.  Only hands with a four, one in a hundred, leave anything to choose."""
    W, ranks = state.dtype.type, hand_size(state)
    _plan_freely(state, rules, hand)
    for lane in range(LANES):
        if state[FOURS + lane] != W(0):
            cards = state[hand + lane]
            kept = _best_plan(W, cards, state[FOURS + lane], rules, ranks)
            state[FOURS + lane], state[FREE + lane] = kept, W(cards & inverse(W(kept * rules.ones)))


@kernel
def _add_pair(state, rules, hand, row):
    """King and queen of trumps in one hand; in all trumps of any suit, in no trumps of none."""
    vector_code()
    W = state.dtype.type
    field, king, queen, points = W(rules.field), W(rules.king), W(rules.queen), W(rules.pair_points)
    ones, held, to = W(rules.ones), u64(hand), u64(row)
    for lane in range(LANES):
        trump, cards = state[TRUMP + lane], state[held + u64(lane)]
        suits = select(trump < W(NT), up(W(1), W(W(trump & W(3)) * field)), select(trump == W(AT), ones, W(0)))
        pairs = popcount(W(W(down(cards, king) & down(cards, queen)) & suits))
        state[to + u64(lane)] = W(state[to + u64(lane)] + W(pairs * points))


@lane_function
def _fold(W, cards, field):
    """The ranks that occur in any suit, in the lowest field."""
    half = W(cards | down(cards, W(field + field)))
    return W(W(half | down(half, field)) & W(up(W(1), field) - W(1)))


@kernel
def _raise_keys(state, rules, run_row, four_row):
    """Raise a team's comparison keys by the maximal runs in FREE and the fours in FOURS of one hand."""
    vector_code()
    W = state.dtype.type
    field, run, four, within = W(rules.field), u64(run_row), u64(four_row), W(rules.within)
    _find_runs(state, rules.within)
    for length in range(2, hand_size(state) + 1):
        _lengthen(state, rules.within)
        key = W(rules.run_keys[length] + length - 1)
        for lane in range(LANES):
            starts = state[STARTS + lane]
            longer = W(starts & W(down(starts, W(1)) & within))
            ended = W(W(starts & state[MAXIMAL + lane]) & inverse(longer))
            starts = _fold(W, ended, field) if length >= 3 else W(0)
            strength = W(key + position(starts)) if starts != W(0) else W(0)
            best = state[run + u64(lane)]
            state[run + u64(lane)] = strength if strength > best else best
    for rank in range(hand_size(state)):
        key, shift = W(rules.four_keys[rank]), W(rank)
        for lane in range(LANES):
            strength = W(W(down(state[FOURS + lane], shift) & W(1)) * key)
            best = state[four + u64(lane)]
            state[four + u64(lane)] = strength if strength > best else best


@kernel
def _compare_by_category(state):
    """The team with the better run keeps its runs, the team with the better four its fours; a tie voids both."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        run0, run1 = state[BEST_RUN0 + lane], state[BEST_RUN1 + lane]
        four0, four1 = state[BEST_FOUR0 + lane], state[BEST_FOUR1 + lane]
        state[RUNS0 + lane] = state[RUNS0 + lane] if run0 > run1 else W(0)
        state[RUNS1 + lane] = state[RUNS1 + lane] if run1 > run0 else W(0)
        state[FOURS0 + lane] = state[FOURS0 + lane] if four0 > four1 else W(0)
        state[FOURS1 + lane] = state[FOURS1 + lane] if four1 > four0 else W(0)


@kernel
def _compare_strongest(state):
    """The team with the strongest meld of all keeps everything; a tie voids both."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        run0, run1 = state[BEST_RUN0 + lane], state[BEST_RUN1 + lane]
        four0, four1 = state[BEST_FOUR0 + lane], state[BEST_FOUR1 + lane]
        ours, theirs = (run0 if run0 > four0 else four0), (run1 if run1 > four1 else four1)
        state[RUNS0 + lane] = state[RUNS0 + lane] if ours > theirs else W(0)
        state[RUNS1 + lane] = state[RUNS1 + lane] if theirs > ours else W(0)
        state[FOURS0 + lane] = state[FOURS0 + lane] if ours > theirs else W(0)
        state[FOURS1 + lane] = state[FOURS1 + lane] if theirs > ours else W(0)


@kernel
def _clear(state):
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[RUNS0 + lane] = state[RUNS1 + lane] = state[FOURS0 + lane] = state[FOURS1 + lane] = W(0)
        state[PAIR0 + lane] = state[PAIR1 + lane] = W(0)
        state[BEST_RUN0 + lane] = state[BEST_RUN1 + lane] = W(0)
        state[BEST_FOUR0 + lane] = state[BEST_FOUR1 + lane] = W(0)


@kernel
def _none_in_no_trumps(state):
    vector_code()
    W = state.dtype.type
    for row in (RUNS0, RUNS1, FOURS0, FOURS1):
        at = u64(row)
        for lane in range(LANES):
            state[at + u64(lane)] = W(0) if state[TRUMP + lane] == W(NT) else state[at + u64(lane)]


@kernel
def melds(state, rules):
    """Each team's meld points into RUNS, FOURS and PAIR, after any comparison between the teams."""
    _clear(state)
    if rules.declare == 0:
        return
    for seat in range(4):
        hand, team = HAND0 + seat * STRIDE, seat & 1
        if rules.exclusive:
            _plan_best(state, rules, hand)
        else:
            _plan_freely(state, rules, hand)
        if rules.compare:
            _raise_keys(state, rules, BEST_RUN0 + team * STRIDE, BEST_FOUR0 + team * STRIDE)
        _add_run_points(state, rules, RUNS0 + team * STRIDE)
        _add_four_points(state, rules, FOURS0 + team * STRIDE)
        _add_pair(state, rules, hand, PAIR0 + team * STRIDE)
    if rules.compare == 1:
        _compare_by_category(state)
    elif rules.compare == 2:
        _compare_strongest(state)
    if rules.no_trumps:
        _none_in_no_trumps(state)
