"""What is held in arrays of deals, counted: runs by length, fours and the trump pair, and points.

A table says of each holding of a suit how many runs of each kind it has, four bits a kind; sums over suits and hands
stay within four bits.  Another says the same of the ranks of which a hand has all four.  Most kinds do not occur in
most deals: only what occurs is counted, the deals that are left have none.

Counts are int64 [..., row, number].  Rows 0-3 count hands by seat, 4 and 5 teams, 6 deals; rows 7 and 8 add up the
squares of how many hands and how many teams of one deal have the number, for their error is the error of sums a deal.
"""

from __future__ import annotations

import numpy as np
from numba import int64 as i64
from numba import uint64 as u64

from mpsim.kernels import kernel

KINDS_OF_RUNS = 9
"""Kinds from the table of runs; fours follow."""


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
def _count_kinds(held, first_kind, counts):
    """A deal's hands: held [hand], four bits a kind, the lowest for `first_kind`; counts [kind, row, number]."""
    left, kind = u64(u64(held[0] + held[1]) + u64(held[2] + held[3])), first_kind
    while left:
        number = i64(left & u64(15))
        if number:
            shift = u64(4 * (kind - first_kind))
            hand0, hand1 = i64(held[0] >> shift) & 15, i64(held[1] >> shift) & 15
            hand2, hand3 = i64(held[2] >> shift) & 15, i64(held[3] >> shift) & 15
            _count_values(hand0, hand1, hand2, hand3, hand0 + hand2, hand1 + hand3, counts[kind])
            counts[kind, 6, number] += 1
        left >>= u64(4)
        kind += 1


@kernel
def count_held(hands, group, field, runs_of, fours_of, counts):
    """Add the runs and fours that n deals hold.

    hands: words [4, n]; group: what the deals are counted by [n]; field: bits of a suit.
    runs_of: uint64 [holding of a suit] and fours_of: uint64 [ranks held in all suits], numbers by kind, four bits each.
    counts: int64 [group, kind, row, number]; deals in which nobody has any of a kind are not counted for it.
    """
    suit = u64((u64(1) << u64(field)) - u64(1))
    runs, fours = np.zeros(4, np.uint64), np.zeros(4, np.uint64)
    for deal in range(hands.shape[1]):
        for seat in range(4):
            hand = u64(hands[seat, deal])
            clubs, diamonds = hand & suit, (hand >> u64(field)) & suit
            hearts, spades = (hand >> u64(2 * field)) & suit, (hand >> u64(3 * field)) & suit
            runs[seat] = u64(u64(runs_of[clubs] + runs_of[diamonds]) + u64(runs_of[hearts] + runs_of[spades]))
            fours[seat] = fours_of[(clubs & diamonds) & (hearts & spades)]
        _count_kinds(runs, 0, counts[group[deal]])
        _count_kinds(fours, KINDS_OF_RUNS, counts[group[deal]])


@kernel
def count_pairs(hands, trump, group, field, pair, counts):
    """Add who holds king and queen of trumps (suits 0-3 [n]), `pair` being those of the lowest suit.

    counts: int64 [group, row, number]; deals in which nobody has the pair are not counted.
    """
    for deal in range(hands.shape[1]):
        both = u64(pair) << u64(field * trump[deal])
        for seat in range(4):
            if u64(hands[seat, deal]) & both == both:
                hand0, hand1, hand2, hand3 = i64(seat == 0), i64(seat == 1), i64(seat == 2), i64(seat == 3)
                of_group = counts[group[deal]]
                _count_values(hand0, hand1, hand2, hand3, hand0 + hand2, hand1 + hand3, of_group)
                of_group[6, 1] += 1


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
