"""The class of a hand in the auction, five cards and the turned one: policies/classes.py says what the tables are."""

from __future__ import annotations

from numba import int64 as i64
from numba import uint32 as u32
from numba import uint64 as u64

from mpsim.kernels import lane_function
from mpsim.kernels.words import down, select


@lane_function
def holding(hand, suit):
    """A suit's byte of a 32-bit hand, suits counted round from 0 to 7."""
    return u64(down(hand, u32(u32(suit & u32(3)) * u32(8))) & u32(255))


@lane_function
def sorted_two(a, b):
    """Two places, the lower one first."""
    return select(a < b, a, b), select(a < b, b, a)


@lane_function
def side_suits(hand, up_suit, tables):
    """The three suits beside the turned one by their holdings' places, then going round: 4 * place + suits after it."""
    place = tables.place
    a = i64(place[holding(hand, up_suit + u32(1))]) * 4 + 1
    b = i64(place[holding(hand, up_suit + u32(2))]) * 4 + 2
    c = i64(place[holding(hand, up_suit + u32(3))]) * 4 + 3
    a, b = sorted_two(a, b)
    b, c = sorted_two(b, c)
    a, b = sorted_two(a, b)
    return a, b, c


@lane_function
def class_of_sides(trumps, up_rank, sides, tables):
    """The class with the turned suit as trumps, given its holding and `side_suits`; int64."""
    a, b, c = sides[0] >> 2, sides[1] >> 2, sides[2] >> 2
    rank = i64(tables.three[b + c * (c + 1) // 2, i64(tables.size[a])]) + i64(tables.nth[a])
    return i64(tables.turned_base[i64(up_rank), i64(trumps)]) + rank


@lane_function
def turned_class(hand, up_suit, up_rank, tables):
    """The class with the turned suit as trumps; int64."""
    return class_of_sides(holding(hand, up_suit), up_rank, side_suits(hand, up_suit, tables), tables)


@lane_function
def other_class(hand, up_suit, up_rank, round_, tables):
    """The class with another suit as trumps, `round_` 1 to 3 places after the turned one; int64."""
    first, second = select(round_ == u32(1), u32(2), u32(1)), select(round_ == u32(3), u32(2), u32(3))
    a = i64(tables.place[holding(hand, up_suit + first)])
    b = i64(tables.place[holding(hand, up_suit + second)])
    a, b = sorted_two(a, b)
    rank = i64(tables.two[b, i64(tables.size[a])]) + i64(tables.nth[a])
    turned, trumps = i64(holding(hand, up_suit)), i64(holding(hand, up_suit + round_))
    size = i64(tables.size[tables.place[turned]])
    return i64(tables.up_base[i64(up_rank), turned]) + i64(tables.other_base[size, trumps]) + rank
