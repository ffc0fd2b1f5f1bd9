"""What is held in arrays of deals, counted: runs by length, fours and the trump pair, and points.

A hand's runs are summed up by one small number, the sum of a table's entries over its suits, and a deal's by the four
of them: one count a deal, no branch.  Fours and pairs come seldom: only where they come are they counted.

Counts are int64 [..., row, number].  Rows 0-3 count hands by seat, 4 and 5 teams, 6 deals; rows 7 and 8 add up the
squares of how many hands and how many teams of one deal have the number, for their error is the error of sums a deal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64 as i64
from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.words import popcount


class PairTable(NamedTuple):
    """King and queen of trumps: their places in a suit, the trump suits by contract, what a pair is worth.

    The lowest bit of each trump suit's field stands for the suit.
    """

    king: np.uint64
    queen: np.uint64
    suits: npt.NDArray[np.uint64]
    points: int


@kernel
def undo_swaps(hands, exchanger, receiver, turned, seven):
    """Put the turned card back into the receiver's hand and the seven into the exchanger's, in place.

    hands: words [4, n] after the exchange; seats, -1 of nobody, and card numbers: [n].  Returns the deals that changed,
    bool [n].
    """
    changed = np.zeros(hands.shape[1], np.bool_)
    for deal in range(hands.shape[1]):
        if exchanger[deal] >= 0 and exchanger[deal] != receiver[deal]:
            both = (u64(1) << u64(turned[deal])) | (u64(1) << u64(seven[deal]))
            for seat in (exchanger[deal], receiver[deal]):
                hands[seat, deal] = hands.dtype.type(u64(hands[seat, deal]) ^ both)
            changed[deal] = True
    return changed


@kernel
def _count_values(hand0, hand1, hand2, hand3, team0, team1, counts):
    """A deal's values but its own.  One that k hands share comes k times, each time with k: together k squared."""
    counts[0, hand0] += 1
    counts[1, hand1] += 1
    counts[2, hand2] += 1
    counts[3, hand3] += 1
    counts[4, team0] += 1
    counts[5, team1] += 1
    same01, same02, same03 = i64(hand0 == hand1), i64(hand0 == hand2), i64(hand0 == hand3)
    same12, same13, same23 = i64(hand1 == hand2), i64(hand1 == hand3), i64(hand2 == hand3)
    counts[7, hand0] += 1 + same01 + same02 + same03
    counts[7, hand1] += 1 + same01 + same12 + same13
    counts[7, hand2] += 1 + same02 + same12 + same23
    counts[7, hand3] += 1 + same03 + same13 + same23
    both = i64(team0 == team1)
    counts[8, team0] += 1 + both
    counts[8, team1] += 1 + both


@kernel
def _count_kinds(held, counts):
    """A deal's hands: held [hand], four bits a kind; counts [kind, row, number]."""
    left, kind = u64(u64(held[0] + held[1]) + u64(held[2] + held[3])), 0
    while left:
        number = i64(left & u64(15))
        if number:
            shift = u64(4 * kind)
            hand0, hand1 = i64(held[0] >> shift) & 15, i64(held[1] >> shift) & 15
            hand2, hand3 = i64(held[2] >> shift) & 15, i64(held[3] >> shift) & 15
            _count_values(hand0, hand1, hand2, hand3, hand0 + hand2, hand1 + hand3, counts[kind])
            counts[kind, 6, number] += 1
        left >>= u64(4)
        kind += 1


@kernel
def count_runs(hands, group, field, runs_of, base, deals):
    """Add the runs that n deals hold.

    hands: words [4, n]; group: what the deals are counted by [n]; field: bits of a suit; runs_of: uint8 [holding of a
    suit], whose sum over suits tells a hand's runs and is below `base`.  deals: int64 [group, runs of all hands], the
    digits of the latter in `base` being those of seats 0 to 3, the lowest first.
    """
    suit = u64((u64(1) << u64(field)) - u64(1))
    for deal in range(hands.shape[1]):
        code = 0
        for seat in range(3, -1, -1):
            hand = u64(hands[seat, deal])
            runs = i64(runs_of[hand & suit]) + i64(runs_of[(hand >> u64(field)) & suit])
            runs += i64(runs_of[(hand >> u64(2 * field)) & suit]) + i64(runs_of[(hand >> u64(3 * field)) & suit])
            code = code * base + runs
        deals[group[deal], code] += 1


@kernel
def count_fours(hands, group, field, fours_of, counts):
    """Add the fours that n deals hold: arguments as above, fours_of: uint64 [ranks], numbers by kind, four bits each.

    counts: int64 [group, kind, row, number]; deals in which nobody has any of a kind are not counted for it.
    """
    suit = u64((u64(1) << u64(field)) - u64(1))
    fours = np.zeros(4, np.uint64)
    for deal in range(hands.shape[1]):
        ranks = u64(0)
        for seat in range(4):
            hand = u64(hands[seat, deal])
            halves = hand & (hand >> u64(2 * field))
            ranks |= (halves & (halves >> u64(field)) & suit) << u64(seat * field)
        if ranks:
            for seat in range(4):
                fours[seat] = fours_of[(ranks >> u64(seat * field)) & suit]
            _count_kinds(fours, counts[group[deal]])


@kernel
def _pairs_in(hand, suits, pair):
    """The suits of which the hand holds king and queen."""
    return u64((u64(hand) >> pair.king) & (u64(hand) >> pair.queen) & suits)


@kernel
def count_pairs(hands, contract, group, pair, counts, declared, scored):
    """Add the trump pairs that n deals hold, and to the deals' points those of the pairs.

    hands: words [4, n]; contract: suits 0-3, no trumps or all trumps [n]; group: what the deals are counted by [n];
    pair: see `PairTable`.  counts: int64 [group, row, number]; deals in which nobody has a pair are not counted.
    declared [4, n] and scored [2, n]: points by hand and by team, changed in place.
    """
    for deal in range(hands.shape[1]):
        suits = pair.suits[contract[deal]]
        both0, both1 = _pairs_in(hands[0, deal], suits, pair), _pairs_in(hands[1, deal], suits, pair)
        both2, both3 = _pairs_in(hands[2, deal], suits, pair), _pairs_in(hands[3, deal], suits, pair)
        if both0 | both1 | both2 | both3:
            a, b, c, d = i64(popcount(both0)), i64(popcount(both1)), i64(popcount(both2)), i64(popcount(both3))
            of_group = counts[group[deal]]
            _count_values(a, b, c, d, a + c, b + d, of_group)
            of_group[6, a + b + c + d] += 1
            declared[0, deal] += pair.points * a
            declared[1, deal] += pair.points * b
            declared[2, deal] += pair.points * c
            declared[3, deal] += pair.points * d
            scored[0, deal] += pair.points * (a + c)
            scored[1, deal] += pair.points * (b + d)


@kernel
def count_points(declared, scored, group, counts):
    """Add the points of n deals: declared [4, n] by hand, scored [2, n] by team; counts int64 [group, row, points].

    Deals in which nobody declares anything are not counted.
    """
    for deal in range(declared.shape[1]):
        hand0, hand1 = i64(declared[0, deal]), i64(declared[1, deal])
        hand2, hand3 = i64(declared[2, deal]), i64(declared[3, deal])
        if hand0 | hand1 | hand2 | hand3:
            of_group = counts[group[deal]]
            team0, team1 = i64(scored[0, deal]), i64(scored[1, deal])
            _count_values(hand0, hand1, hand2, hand3, team0, team1, of_group)
            of_group[6, team0 + team1] += 1
