"""The players: which legal card to play.  One function a policy, without a branch on the cards.

Cards are in play order, trumps the top field.  `place` is the seat's place in the trick, 0 the leader; a seat's own hand
is the row PLAY0 + place.  Each player writes CARD only in the lanes where the seat to play is his.
"""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.deal import nth_bit
from mpsim.kernels.lanes import BEST, CARD, LANES, LEADER, LED, LEGAL, PLAY0, SEEN, STRIDE, TAKER, WINNER
from mpsim.kernels.random import below, draw
from mpsim.kernels.words import above, down, highest, inverse, lowest, popcount, select, up, vector_code


@kernel
def choose_random(state, place, seats):
    """Any legal card, each equally likely, for the seats whose bit is set in `seats`; every lane takes its draw."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        legal = state[LEGAL + lane]
        card = nth_bit(W, legal, W(below(draw(state, lane), popcount(legal))))
        seat = W(W(state[LEADER + lane] + W(place)) & W(3))
        mine = W(down(seats, seat) & W(1)) != W(0)
        state[CARD + lane] = select(mine, card, state[CARD + lane])


@kernel
def unbeaten(W, hand, out, rules):
    """The cards of `hand` above every card of `out` in their suit: nobody else can beat them within it."""
    reach = W(out | W(down(out, W(1)) & rules.within))
    reach = W(reach | W(down(reach, W(2)) & rules.smear2))
    reach = W(reach | W(down(reach, W(4)) & rules.smear4))
    return W(hand & inverse(reach))


@kernel
def _ranks(W, side, field):
    """The ranks held in any side suit, in the lowest field."""
    low = up(W(1), field)
    return W(W(W(side | down(side, field)) | down(side, W(field + field))) & W(low - W(1)))


@kernel
def lowest_side(W, side, rules):
    """The lowest card among side suits, of equals the one in the lowest field; 0 of none."""
    rank = lowest(_ranks(W, side, W(rules.field)))
    return lowest(W(side & W(rank * rules.ones)))


@kernel
def highest_side(W, side, rules):
    """The highest card among side suits, of equals the one in the lowest field; 0 of none."""
    rank = highest(_ranks(W, side, W(rules.field)))
    return lowest(W(side & W(rank * rules.ones)))


@kernel
def lead_greedily(state, rules, seats):
    """Draw trumps with the highest one out when one's side took; cash the best side card; else lead the least."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        hand = state[PLAY0 + lane]
        seat = state[LEADER + lane]
        out = inverse(W(state[SEEN + lane] | hand))
        sure = unbeaten(W, hand, out, rules)
        took = W(W(state[TAKER + lane] ^ seat) & W(1)) == W(0)
        trumps, side = W(hand & rules.trumps), W(hand & W(~rules.trumps))
        draws = took & (W(out & rules.trumps) != W(0)) & (W(sure & trumps) != W(0))
        cash = W(sure & side)
        card = select(side != W(0), lowest_side(W, side, rules), lowest(trumps))
        card = select(cash != W(0), highest_side(W, cash, rules), card)
        card = select(draws, highest(trumps), card)
        mine = W(down(seats, seat) & W(1)) != W(0)
        state[CARD + lane] = select(mine, card, state[CARD + lane])


@kernel
def follow_greedily(state, rules, place, seats):
    """Feed a trick that the partner has won, else win it as cheaply as the seat allows, else throw what costs least."""
    vector_code()
    W = state.dtype.type
    own, partner = u64(PLAY0 + place * STRIDE), W(place - 2) if place >= 2 else W(9)
    last = W(~W(0)) if place == 3 else W(0)
    for lane in range(LANES):
        hand, legal = state[own + u64(lane)], state[LEGAL + lane]
        best, led = state[BEST + lane], state[LED + lane]
        out = inverse(W(state[SEEN + lane] | hand))
        sure = unbeaten(W, W(hand | best), out, rules)
        side, trumps = W(legal & W(~rules.trumps)), W(legal & rules.trumps)

        cheap = select(side != W(0), lowest_side(W, side, rules), lowest(trumps))
        spare = W(side & W(~sure))
        feed = select(spare != W(0), highest_side(W, spare, rules), cheap)

        wins = W(W(legal & above(best)) & W(led | rules.trumps))
        sure_wins = W(W(wins & sure) & W(~last))
        win = lowest(select(sure_wins != W(0), sure_wins, wins))

        partner_has_it = (state[WINNER + lane] == partner) & (W(W(best & sure) | last) != W(0))
        card = select(wins != W(0), win, cheap)
        card = select(partner_has_it, feed, card)
        seat = W(W(state[LEADER + lane] + W(place)) & W(3))
        mine = W(down(seats, seat) & W(1)) != W(0)
        state[CARD + lane] = select(mine, card, state[CARD + lane])
