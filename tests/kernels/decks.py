"""Shuffled decks by numpy, fair ones, and counts of where their cards lie, by numpy too: all that the kernels count.

A deal is a row [32] of places, card by card: places 0-19 are the packets of five of seats 0-3, 20-27 their packets of
two, 28-31 their last cards; place 31 is the turned card's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mpsim.kernels.deck import Counts

Array = npt.NDArray[Any]

PACKET = np.repeat(np.arange(12, dtype=np.int8), [5] * 4 + [2] * 4 + [1] * 4)
SEAT = PACKET % 4
UP = 31
_ONES = np.array([byte.bit_count() for byte in range(256)], np.uint8)


def shuffled(deals: int, seed: int) -> Array:
    """[deal, card]: places, every order equally likely."""
    return np.random.default_rng(seed).permuted(np.tile(np.arange(32, dtype=np.int8), (deals, 1)), axis=1)


def counted(places: Array, first: int = 0, with_relations: bool = True) -> Counts:
    """Counts of deals first .. first + n - 1; zeros for relations where these are not wanted, since they take long."""
    seats, up = SEAT[places].astype(int), (places == UP).argmax(axis=1)
    return Counts(
        packets=np.array([(PACKET[places] == packet).sum(axis=0) for packet in range(12)]),
        relations=relations(places) if with_relations else np.zeros((4, 32, 32), np.int64),
        lengths=lengths(seats, first),
        trumps=sharings(seats[np.arange(len(places))[:, None], 8 * (up // 8)[:, None] + np.arange(8)]),
        ranks=np.array([sharings(seats[:, rank::8]) for rank in (7, 4)]),
        turned=pairs(up, 32),
        seats=np.array([pairs(seats[:, card], 4) for card in range(32)]),
    )


def relations(places: Array) -> Array:
    """[4, 32, 32]: two cards in one hand, in one packet, in partners' hands, the second in the next hand."""
    seat, packet = (_bits(names[places.T], kinds) for names, kinds in ((SEAT, 4), (PACKET, 8)))
    found = np.zeros((4, 32, 32), np.int64)
    for a in range(31):
        one, others = seat[:, a, None], seat[:, a + 1 :]
        found[0, a, a + 1 :] = _meetings(one, others)
        found[1, a, a + 1 :] = _meetings(packet[:, a, None], packet[:, a + 1 :])
        found[2, a, a + 1 :] = _meetings(one, np.roll(others, -2, axis=0))
        found[3, a, a + 1 :] = _meetings(one, np.roll(others, -1, axis=0))
    return found


def _bits(values: Array, kinds: int) -> Array:
    """[kind, card, byte]: eight deals a byte."""
    return np.array([np.packbits(values == kind, axis=1) for kind in range(kinds)])


def _meetings(one: Array, others: Array) -> Array:
    """[card]: deals in which any kind of the one comes with the same kind of the other; no two kinds come at once."""
    return _ONES[np.bitwise_or.reduce(one & others, axis=0)].sum(axis=1, dtype=np.int64)


def lengths(seats: Array, first: int) -> Array:
    """[4, 729]: clubs + 9 diamonds + 81 hearts of seat n % 4 in deal n."""
    turn = (first + np.arange(len(seats))) % 4
    clubs, diamonds, hearts, _ = (seats == turn[:, None]).reshape(-1, 4, 8).sum(axis=2).T
    return np.bincount(turn * 729 + clubs + 9 * diamonds + 81 * hearts, minlength=4 * 729).reshape(4, 729)


def sharings(seats: Array) -> Array:
    """By who holds some cards, [deal, card] of seats: the seats' low bits below their high bits."""
    cards = seats.shape[1]
    bits = 1 << np.arange(cards)
    return np.bincount(((seats & 1) * bits + (seats >> 1) * (bits << cards)).sum(axis=1), minlength=1 << 2 * cards)


def pairs(values: Array, kinds: int) -> Array:
    """[kinds, kinds]: a value and that of the next deal."""
    return np.bincount(values[:-1].astype(int) * kinds + values[1:], minlength=kinds**2).reshape(kinds, kinds)
