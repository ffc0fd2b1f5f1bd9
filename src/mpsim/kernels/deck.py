"""Where the cards of many deals fall, counted: all that can be asked of the dealer, in whole numbers that add.

Two words tell who holds what: LOW and HIGH have the two bits of the seat of every card.  Where cards are counted one by
one, or two by two, the block is turned on its side: a *plane* is 64 deals of one card, a bit each, so that one AND and
one population count serve 64 deals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64 as i64
from numba import uint64 as u64

from mpsim.kernels import kernel, lane_function
from mpsim.kernels.deal import deal
from mpsim.kernels.lanes import (
    FIRST0, FIRST1, FIRST2, FIRST3, HAND0, HAND1, HAND2, HAND3, LANES, LATE1, LATE2, PLAY0, PLAY1, PLAY2, PLAY3, UP,
    UP_CARD, UP_SUIT, new_state,
)
from mpsim.kernels.random import DEAL, seed_streams
from mpsim.kernels.words import down, inverse, popcount, times, up, vector_code

LOW, HIGH, FIVES, TWOS = PLAY0, PLAY1, PLAY2, PLAY3
"""Cards at seats 1 and 3; at seats 2 and 3; in the packets of five; in the packets of two."""

WORDS = LANES // 64
"""Words of a plane."""

SAME_HAND, SAME_PACKET, PARTNER, NEXT = 0, 1, 2, 3
"""How two cards may lie: in one hand, in one packet, in partners' hands, the second in the hand after the first's."""

JACK, ACE = 4, 7
"""Places of ranks in a suit."""

Array = npt.NDArray[np.int64]


class Counts(NamedTuple):
    """What is counted; seats 0-3, seat 3 the dealer; codes of sharings have the seats' low bits below the high ones."""

    packets: Array    # [12, 32]: a card in a packet: fives of the seats, twos of the seats, last cards of the seats
    relations: Array  # [4, 32, 32]: SAME_HAND .. NEXT, of a card and a higher one
    lengths: Array    # [4, 729]: deal n's seat n % 4: its clubs + 9 its diamonds + 81 its hearts
    trumps: Array     # [65536]: who holds the eight cards of the turned suit, a code of 2 x 8 bits
    ranks: Array      # [2, 256]: who holds the aces, the jacks, a code of 2 x 4 bits
    turned: Array     # [32, 32]: the turned card of a deal and that of the next
    seats: Array      # [32, 4, 4]: the seat of a card and its seat in the next deal


@lane_function
def _side(word, bit):
    """The word where the bit is 1, what is not in it where the bit is 0."""
    return word if bit else inverse(word)


@kernel
def _where(state):
    """LOW, HIGH, FIVES and TWOS of the cards dealt."""
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        five1, five2, five3 = state[FIRST1 + lane], state[FIRST2 + lane], state[FIRST3 + lane]
        two1, two2, two3 = state[HAND1 + lane], state[HAND2 + lane], state[HAND3 + lane]
        third = W(five3 | W(two3 | state[UP + lane]))
        state[LOW + lane] = W(W(five1 | two1) | W(state[LATE1 + lane] | third))
        state[HIGH + lane] = W(W(five2 | two2) | W(state[LATE2 + lane] | third))
        state[FIVES + lane] = W(W(state[FIRST0 + lane] | five1) | W(five2 | five3))
        state[TWOS + lane] = W(W(state[HAND0 + lane] | two1) | W(two2 | two3))


@kernel
def _keep_last(state):
    """The block's last deal to the place before its first: the next block's predecessor (rows have padding there)."""
    for row in (LOW, HIGH, UP_CARD):
        state[row - 1] = state[row + LANES - 1]


@kernel
def _planes(state, row, out):
    """out[card, word]: the card's bit in 64 successive words from `row` on, for all lanes."""
    vector_code()
    start, W = u64(row), state.dtype.type
    for card in range(32):
        for k in range(WORDS):
            bits = u64(0)
            for i in range(64):
                bit = W(down(state[start + u64(64 * k + i)], W(card)) & W(1))
                bits |= up(u64(bit), u64(i))
            out[card, k] = bits


@kernel
def _set_live(live, begin, end):
    """A plane that has the lanes begin .. end - 1."""
    for k in range(WORDS):
        bits = u64(0)
        for i in range(64):
            if begin <= 64 * k + i < end:
                bits |= up(u64(1), u64(i))
        live[k] = bits


@kernel
def _count_packets(low, high, fives, twos, live, packets):
    """Every card by seat, in the packet of five, of two, or last."""
    for card in range(32):
        for seat in range(4):
            in_five = in_two = last = u64(0)
            for k in range(WORDS):
                five, two = fives[card, k], twos[card, k]
                here = live[k] & _side(low[card, k], seat & 1) & _side(high[card, k], seat & 2)
                in_five += popcount(here & five)
                in_two += popcount(here & two)
                last += popcount(here & inverse(five | two))
            packets[seat, card] += i64(in_five)
            packets[4 + seat, card] += i64(in_two)
            packets[8 + seat, card] += i64(last)


@kernel
def _count_relations(low, high, fives, twos, live, relations):
    """Every two cards, the lower one first."""
    for a in range(32):
        for b in range(a + 1, 32):
            same = packet = partner = after = u64(0)
            for k in range(WORDS):
                x, y = live[k] & (low[a, k] ^ low[b, k]), live[k] & (high[a, k] ^ high[b, k])
                one_hand = live[k] & inverse(x | y)
                same += popcount(one_hand)
                packet += popcount(one_hand & (fives[a, k] & fives[b, k] | twos[a, k] & twos[b, k]))
                partner += popcount(y & inverse(x))
                after += popcount(x & inverse(y ^ low[a, k]))
            relations[SAME_HAND, a, b] += i64(same)
            relations[SAME_PACKET, a, b] += i64(packet)
            relations[PARTNER, a, b] += i64(partner)
            relations[NEXT, a, b] += i64(after)


@kernel
def _count_moves(low, high, low_before, high_before, live, seats):
    """The seat of every card in the deal before and in this one."""
    for card in range(32):
        for before in range(4):
            for now in range(4):
                both = u64(0)
                for k in range(WORDS):
                    then = live[k] & _side(low_before[card, k], before & 1) & _side(high_before[card, k], before & 2)
                    both += popcount(then & _side(low[card, k], now & 1) & _side(high[card, k], now & 2))
                seats[card, before, now] += i64(both)


@lane_function
def _of_rank(W, word, rank):
    """The bits of the four cards of a rank, side by side."""
    return down(times(W(down(word, W(rank)) & W(0x01010101)), W(0x10204080)), W(28))


@kernel
def _count_hands(state, begin, end, first, out):
    """Suit lengths, trumps, aces and jacks of lanes 0 .. end - 1; pairs of turned cards from lane `begin` on."""
    W = state.dtype.type
    for lane in range(end):
        low, high = state[LOW + lane], state[HIGH + lane]
        seat = i64(first + u64(lane)) & 3
        hand = W(_side(low, seat & 1) & _side(high, seat & 2))
        clubs, diamonds = popcount(W(hand & W(0xFF))), popcount(W(hand & W(0xFF00)))
        out.lengths[seat, i64(clubs) + 9 * i64(diamonds) + 81 * i64(popcount(W(hand & W(0xFF0000))))] += 1
        shift = W(8 * state[UP_SUIT + lane])
        trump_low, trump_high = W(down(low, shift) & W(0xFF)), W(down(high, shift) & W(0xFF))
        out.trumps[i64(trump_low) + 256 * i64(trump_high)] += 1
        out.ranks[0, i64(_of_rank(W, low, ACE)) + 16 * i64(_of_rank(W, high, ACE))] += 1
        out.ranks[1, i64(_of_rank(W, low, JACK)) + 16 * i64(_of_rank(W, high, JACK))] += 1
        if lane >= begin:
            out.turned[i64(state[UP_CARD + lane - 1]), i64(state[UP_CARD + lane])] += 1


@kernel
def count_deals(rules, seed, first, count, out):
    """Deal first .. first + count - 1 and add to `out` (Counts)."""
    state = new_state(rules.order.side_moves)
    low, high, fives, twos, low_before, high_before = np.empty((6, 32, WORDS), np.uint64)
    live, follows = np.empty((2, WORDS), np.uint64)
    for at in range(0, count, LANES):
        block, end = u64(first + u64(at)), min(LANES, count - at)
        _keep_last(state)
        seed_streams(state, seed, block, 1, DEAL)
        deal(state, rules.deal)
        _where(state)
        _planes(state, LOW, low)
        _planes(state, HIGH, high)
        _planes(state, FIVES, fives)
        _planes(state, TWOS, twos)
        _planes(state, LOW - 1, low_before)
        _planes(state, HIGH - 1, high_before)
        _set_live(live, 0, end)
        _count_packets(low, high, fives, twos, live, out.packets)
        _count_relations(low, high, fives, twos, live, out.relations)
        begin = 0 if at else 1  # the first deal of all has none before it
        _set_live(follows, begin, end)
        _count_moves(low, high, low_before, high_before, follows, out.seats)
        _count_hands(state, begin, end, block, out)
