"""Playing out a deal: lead, follow three times, gather; eight times over."""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.choose import choose_random, follow_greedily, lead_greedily
from mpsim.kernels.lanes import (
    BEST, CARD, LANES, LEADER, LED, LEGAL, PLAY0, PLAY1, PLAY2, PLAY3, PLAYS, SEEN, STRIDE, TABLE, TRICKS, WINNER,
    WON,
)
from mpsim.kernels.legal import legal
from mpsim.kernels.words import inverse, position, up, vector_code


@kernel
def open_play(state):
    """Seat 0 leads to the first trick; nothing is played yet."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[LEADER + lane] = state[SEEN + lane] = state[WON + lane] = state[TRICKS + lane] = W(0)


@kernel
def _lead(state, rules):
    """Put the leader's CARD on the table."""
    vector_code()
    W = state.dtype.type
    field = W(rules.field)
    suit, start = W(W(W(1) << field) - W(1)), inverse(W(field - W(1)))
    for lane in range(LANES):
        card = state[CARD + lane]
        state[PLAY0 + lane] = W(state[PLAY0 + lane] & W(~card))
        state[SEEN + lane] = W(state[SEEN + lane] | card)
        state[LED + lane] = up(suit, W(position(card) & start))
        state[BEST + lane] = state[TABLE + lane] = card
        state[WINNER + lane] = W(0)


@kernel
def _find_legal(state, rules, place):
    """LEGAL of the seat at `place` 1-3."""
    vector_code()
    W = state.dtype.type
    hand, partner = u64(PLAY0 + place * STRIDE), W(place - 2) if place >= 2 else W(9)
    for lane in range(LANES):
        partner_wins = W(~W(0)) if state[WINNER + lane] == partner else W(0)
        state[LEGAL + lane] = legal(
            W, state[hand + u64(lane)], state[LED + lane], state[BEST + lane], partner_wins, rules
        )


@kernel
def _follow(state, rules, place):
    """Put CARD of the seat at `place` on the table."""
    vector_code()
    W = state.dtype.type
    hand = u64(PLAY0 + place * STRIDE)
    for lane in range(LANES):
        card, best = state[CARD + lane], state[BEST + lane]
        wins = (card > best) & (W(card & W(state[LED + lane] | rules.trumps)) != W(0))
        state[hand + u64(lane)] = W(state[hand + u64(lane)] & W(~card))
        state[SEEN + lane] = W(state[SEEN + lane] | card)
        state[TABLE + lane] = W(state[TABLE + lane] | card)
        state[BEST + lane] = card if wins else best
        state[WINNER + lane] = W(place) if wins else state[WINNER + lane]


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
        state[WON + lane] = W(state[WON + lane] | (state[TABLE + lane] if ours else W(0)))
        state[TRICKS + lane] = W(state[TRICKS + lane] + (W(1) if ours else W(0)))
        h0, h1, h2, h3 = state[PLAY0 + lane], state[PLAY1 + lane], state[PLAY2 + lane], state[PLAY3 + lane]
        one = W(turn & W(1)) != W(0)
        h0, h1, h2, h3 = (h1 if one else h0), (h2 if one else h1), (h3 if one else h2), (h0 if one else h3)
        two = W(turn & W(2)) != W(0)
        state[PLAY0 + lane], state[PLAY1 + lane] = (h2 if two else h0), (h3 if two else h1)
        state[PLAY2 + lane], state[PLAY3 + lane] = (h0 if two else h2), (h1 if two else h3)


@kernel
def _copy(state, from_row, to_row):
    vector_code()
    source, target = u64(from_row), u64(to_row)
    for lane in range(LANES):
        state[target + u64(lane)] = state[source + u64(lane)]


@kernel
def _choose(state, rules, place, random_seats, greedy_seats):
    """CARD of the seat at `place`, by whichever player sits there."""
    W = state.dtype.type
    if random_seats:
        choose_random(state, place, W(random_seats))
    if greedy_seats:
        if place == 0:
            lead_greedily(state, rules, W(greedy_seats))
        else:
            follow_greedily(state, rules, place, W(greedy_seats))


@kernel
def play_out(state, rules, random_seats, greedy_seats, record):
    """Play all tricks from PLAY0-3; fills WON, TRICKS, LEADER (the last trick's winner) and, if asked, PLAYS.

    `random_seats` and `greedy_seats` have one bit a seat.  With random seats the stream of purpose PLAY must be seeded;
    every ply but those of the last trick then takes one draw, whoever plays it.
    """
    open_play(state)
    for trick in range(rules.field):
        for place in range(4):
            own = PLAY0 + place * STRIDE
            if trick == rules.field - 1:
                _copy(state, own, CARD)
            else:
                if place == 0:
                    _copy(state, own, LEGAL)
                else:
                    _find_legal(state, rules, place)
                _choose(state, rules, place, random_seats, greedy_seats)
            if place == 0:
                _lead(state, rules)
            else:
                _follow(state, rules, place)
            if record:
                _copy(state, CARD, PLAYS + (4 * trick + place) * STRIDE)
        _gather(state)
