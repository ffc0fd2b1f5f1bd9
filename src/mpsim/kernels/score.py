"""Settling a deal: card points, last trick and capo, melds, made or failed, what each team writes down."""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.lanes import (
    FOURS0, FOURS1, LANES, LEADER, OUTCOME, PAIR0, PAIR1, POINTS0, POINTS1, ROUND, RUNS0, RUNS1, SCORE0, SCORE1,
    TAKER, TRICKS, TRICKS1, TRUMP, WON,
)
from mpsim.kernels.words import popcount, vector_code

MADE, FAILED, HUNG, THROWN_IN = 0, 1, 2, 3
"""Codes of OUTCOME."""

NO_CONTRACT = 6
"""What TRUMP says of a thrown-in deal; 0-3 are the suits, 4 and 5 no-trumps and all-trumps."""

MELD0, MELD1 = RUNS0, RUNS1
"""After `settle` these rows hold all meld points that count for each team."""


@kernel
def _count_cards(state, rules):
    """Card points of team 0 into POINTS0, bit plane by bit plane."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[POINTS0 + lane] = W(0)
    for digit in range(5):
        plane = W(rules.planes[digit])
        for lane in range(LANES):
            cards = popcount(W(state[WON + lane] & plane))
            state[POINTS0 + lane] = W(state[POINTS0 + lane] + W(cards << W(digit)))


@kernel
def _add_tricks(state, rules):
    """Last trick and capo; POINTS1 is what is left."""
    vector_code()
    W = state.dtype.type
    deck, last, capo, all_tricks = W(rules.deck_points), W(rules.last_trick), W(rules.capo), W(rules.all_tricks)
    for lane in range(LANES):
        won, tricks = state[POINTS0 + lane], state[TRICKS + lane]
        ours = W(state[LEADER + lane] & W(1)) == W(0)
        swept = (tricks == all_tricks) | (tricks == W(0))
        bonus = capo if swept else last
        state[POINTS0 + lane] = W(won + (bonus if ours else W(0)))
        state[POINTS1 + lane] = W(W(deck - won) + (W(0) if ours else bonus))


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


@kernel
def _decide(state, rules):
    """OUTCOME and SCORE from points and melds."""
    vector_code()
    W = state.dtype.type
    cut, hang, made_if_level = W(rules.mesa_cut), rules.tie == 1, rules.tie == 2
    all_tricks = W(rules.all_tricks)
    for lane in range(LANES):
        a = W(state[POINTS0 + lane] + state[MELD0 + lane])
        b = W(state[POINTS1 + lane] + state[MELD1 + lane])
        team0 = W(state[TAKER + lane] & W(1)) == W(0)
        makers, others = (a if team0 else b), (b if team0 else a)
        tricks = state[TRICKS + lane]
        swept = (tricks == all_tricks) | (tricks == W(0))
        level = makers == others
        made = (makers > others) | (made_if_level & level)
        hung = hang & level
        pays = W(W(makers + others) - (W(0) if swept else cut))
        to_makers = makers if made else W(0)
        to_others = others if made | hung else pays
        state[SCORE0 + lane] = to_makers if team0 else to_others
        state[SCORE1 + lane] = to_others if team0 else to_makers
        outcome = W(HUNG) if hung else W(FAILED)
        state[OUTCOME + lane] = W(MADE) if made else outcome


@kernel
def _clear_thrown_in(state):
    """A thrown-in deal has no taker, contract, tricks, points or scores; -1 and NO_CONTRACT stand for none."""
    vector_code()
    W = state.dtype.type
    for row in (TRICKS, TRICKS1, POINTS0, POINTS1, SCORE0, SCORE1):
        at = u64(row)
        for lane in range(LANES):
            state[at + u64(lane)] = state[at + u64(lane)] if state[ROUND + lane] != W(0) else W(0)
    for lane in range(LANES):
        played = state[ROUND + lane] != W(0)
        state[OUTCOME + lane] = state[OUTCOME + lane] if played else W(THROWN_IN)
        state[TAKER + lane] = state[TAKER + lane] if played else W(~W(0))
        state[TRUMP + lane] = state[TRUMP + lane] if played else W(NO_CONTRACT)


@kernel
def settle(state, rules):
    """POINTS, MELD, SCORE and OUTCOME of every lane, from WON, TRICKS, LEADER and the melds."""
    _count_cards(state, rules)
    _add_tricks(state, rules)
    _total_melds(state, rules)
    _decide(state, rules)
    _clear_thrown_in(state)
