"""Counting deals exactly: every way to share a suit out, four suits joined.

A way to share one suit out is summed up by how many cards each hand gets and by a *state*, a row of numbers that tell
what is asked about: some add up over suits (points), of others the greatest counts (the best run).  Suits are joined
two by two.  Counts are of whole deals and exact in 64 bits: 32 cards make 10^17 deals to four hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
State = tuple[int, ...]
"""Numbers, none negative; as many of them throughout a count."""


class Ways(NamedTuple):
    """How many ways there are by sizes and state: arrays [n], no two entries alike in both, sorted by sizes' code."""

    codes: Array    # int64: how many cards each hand gets, see `Sizes.code`
    places: Array   # int64: which row of `states`
    counts: Array   # int64
    states: Array   # int64 [state, number]


class Sizes:
    """How many cards the hands of a finished deal hold, and codes for what parts of the deck give them.

    A hand's cards are counted in seven bits of a code.  Two parts of which neither overfills a hand of at most 32 cards
    stay below 96 with the slack added: they reach the seventh bit just when the hand has too many.
    """

    def __init__(self, hands: Sequence[int]) -> None:
        self.hands = tuple(hands)
        self._strides = np.int64(1) << np.int64(7) * np.arange(len(self.hands), dtype=np.int64)
        self._slack = self.code(np.array([63 - size for size in self.hands]))
        self._overfull = self.code(np.full(len(self.hands), 64))
        self.full = int(self.code(np.array(self.hands)))

    def code(self, counts: Array) -> Array:
        """One number for the cards by hand, counts [..., hand]; codes of two parts add."""
        code: Array = (counts.astype(np.int64) * self._strides).sum(axis=-1)
        return code

    def fits(self, codes: Array) -> Array:
        """Whether no hand has too many cards."""
        fitting: Array = (codes + self._slack) & self._overfull == 0
        return fitting


@lru_cache(maxsize=64)
def holdings(width: int, hands: int) -> Array:
    """All ways to share a suit of `width` cards out: [way, hand] of holdings as bits, uint16, read-only.

    The hands of the cards, the highest first, are the digits of a way's number.
    """
    held = np.zeros((1, hands), np.uint16)
    for rank in range(width):
        longer = np.repeat(held[None], hands, axis=0)
        for hand in range(hands):
            longer[hand, :, hand] |= np.uint16(1 << rank)
        held = longer.reshape(-1, hands)
    held.flags.writeable = False
    return held


class SuitTable:
    """Every way to share a suit of `width` cards out."""

    def __init__(self, width: int, sizes: Sizes) -> None:
        hands = len(sizes.hands)
        held = holdings(width, hands)
        counts = np.array([holding.bit_count() for holding in range(1 << width)])[held]
        shape = (hands,) * width
        self._held = held.reshape(*shape, hands)
        codes = np.where((counts <= sizes.hands).all(axis=1), sizes.code(counts), -1)
        self._codes, numbers = np.unique(codes, return_inverse=True)
        self._numbers = numbers.reshape(shape)

    def ways(
        self, given: Iterable[tuple[int, int]], values: Array, adds: Sequence[bool], weights: Array | None = None
    ) -> Ways:
        """Those in which the `given` cards lie as said, pairs (rank, hand).

        values: [number, hand, holding], whole numbers, none negative, of all hands or of the first ones.
        adds: by number, whether a state has the sum over the hands, or else the greatest.
        weights: how often each way counts, see `weights`; by default once.
        """
        where = self._where(given)
        of_code = np.ravel(self._numbers[where])
        counts = np.ones(len(of_code), np.int64) if weights is None else np.ravel(weights[where])
        counted = (self._codes[of_code] >= 0) & (counts > 0)
        held = self._held[where].reshape(len(of_code), -1)[counted]
        by_hand = values[:, np.arange(values.shape[1]), held[:, : values.shape[1]]]
        numbers = [(of_way.sum(axis=1) if adding else of_way.max(axis=1, initial=0))
                   for of_way, adding in zip(by_hand, adds, strict=True)]
        states, places = _unique_rows(np.stack(numbers, axis=1))
        return _summed(of_code[counted] * len(states) + places, counts[counted], self._codes, states)

    def weights(self, ways: Iterable[tuple[Iterable[tuple[int, int]], int]]) -> Array:
        """For `ways`: how often each way counts, from cards given, pairs (rank, hand), each with a number to add."""
        weights = np.zeros(self._numbers.shape, np.int64)
        for given, weight in ways:
            weights[self._where(given)] += weight
        return weights

    def _where(self, given: Iterable[tuple[int, int]]) -> tuple[int | slice, ...]:
        lies = dict(given)
        return tuple(lies.get(rank, slice(None)) for rank in reversed(range(self._numbers.ndim)))


def _unique_rows(rows: Array) -> tuple[Array, Array]:
    """The rows that occur, and where each row is found among them."""
    places, first = np.zeros(len(rows), np.int64), np.zeros(min(1, len(rows)), np.int64)
    for column in rows.T[rows.any(axis=0)]:
        packed = places * (int(column.max(initial=0)) + 1) + column
        _, first, places = np.unique(packed, return_index=True, return_inverse=True)
    return rows[first], places


def _distinct(ascending: Array) -> tuple[Array, Array]:
    """The different ones of numbers that are none negative and in order, and where each is found among them."""
    new = np.diff(ascending, prepend=-1) > 0
    return ascending[new], np.cumsum(new) - 1


def mix_ways(parts: Sequence[Ways]) -> Ways:
    """Ways to share the same cards out, taken together."""
    states, places = _unique_rows(np.concatenate([ways.states for ways in parts]))
    starts = np.cumsum([0, *(len(ways.states) for ways in parts)])
    places = np.concatenate([places[start + ways.places] for start, ways in zip(starts[:-1], parts, strict=True)])
    counts = np.concatenate([ways.counts for ways in parts])
    codes, numbers = np.unique(np.concatenate([ways.codes for ways in parts]), return_inverse=True)
    return _summed(numbers * len(states) + places, counts, codes, states)


def join_suits(a: Ways, b: Ways, sizes: Sizes, adds: Sequence[bool]) -> Ways:
    """Both parts together, where no hand gets too many cards; numbers of a state add, or else the greater counts."""
    joined, states = joined_states(a.states, b.states, adds)
    codes_a, row = _distinct(a.codes)
    codes_b, column = _distinct(b.codes)
    together = codes_a[:, None] + codes_b
    fits = sizes.fits(together)
    codes = np.unique(together[fits])
    numbers = np.where(fits, np.searchsorted(codes, together), len(codes))
    keys = numbers[row[:, None], column] * len(states) + joined[a.places[:, None], b.places]
    return _summed(keys.ravel(), (a.counts[:, None] * b.counts).ravel(), codes, states)


def finish(a: Ways, b: Ways, sizes: Sizes, adds: Sequence[bool]) -> dict[State, int]:
    """Deals by state, of two parts that make up the whole deck."""
    places, states = joined_states(a.states, b.states, adds)
    totals = np.zeros(len(states), np.int64)
    np.add.at(totals, places.ravel(), deals_by_states(a, b, sizes).ravel())
    return {tuple(state): count for state, count in zip(states.tolist(), totals.tolist(), strict=True) if count}


def deals_by_states(a: Ways, b: Ways, sizes: Sizes) -> Array:
    """Deals of two parts that make up the whole deck, [state of a, state of b]."""
    (codes, number), rest = _distinct(a.codes), sizes.full - b.codes
    if not len(codes):
        return np.zeros((len(a.states), len(b.states)), np.int64)
    row = np.minimum(np.searchsorted(codes, rest), len(codes) - 1)
    meets = codes[row] == rest
    table_a = np.zeros((len(codes), len(a.states)), np.int64)
    table_b = np.zeros((len(codes), len(b.states)), np.int64)
    table_a[number, a.places] = a.counts
    table_b[row[meets], b.places[meets]] = b.counts[meets]
    return _exact_product(table_a.T, table_b)


def _exact_product(a: Array, b: Array) -> Array:
    """The matrix product of counts, by products of floats that are exact: fewer than 53 bits at a time."""
    width = 53 - int(b.sum(axis=0).max(initial=0)).bit_length()
    product, right = np.zeros((len(a), b.shape[1]), np.int64), b.astype(np.float64)
    for shift in range(0, int(a.max(initial=0)).bit_length(), width):
        digits = (a >> shift & (1 << width) - 1).astype(np.float64)
        product += (digits @ right).astype(np.int64) << shift
    return product


def count_deals(suits: Sequence[Ways], sizes: Sizes, adds: Sequence[bool]) -> dict[State, int]:
    """Deals by state, of four suits."""
    clubs, diamonds, hearts, spades = suits
    first = join_suits(clubs, diamonds, sizes, adds)
    same = hearts is clubs and spades is diamonds
    return finish(first, first if same else join_suits(hearts, spades, sizes, adds), sizes, adds)


def joined_states(a: Array, b: Array, adds: Sequence[bool]) -> tuple[Array, Array]:
    """The place of the joined state of every two states, [len(a), len(b)], and the joined states."""
    packed, known = np.zeros((len(a), len(b)), np.int64), np.zeros((1, 0), np.int64)
    matters = a.any(axis=0) | b.any(axis=0)
    for i in np.flatnonzero(matters).tolist():
        places, numbers = _joined_numbers(a[:, i], b[:, i], adds[i])
        packed = packed * len(numbers) + places
        known = np.hstack([np.repeat(known, len(numbers), axis=0), np.tile(numbers, len(known))[:, None]])
        occurs = np.zeros(len(known), bool)
        occurs[packed] = True
        if not occurs.all():
            packed, known = (np.cumsum(occurs) - 1)[packed], known[occurs]
    states = np.zeros((len(known), len(adds)), np.int64)
    states[:, matters] = known
    return packed, states


def _joined_numbers(a: Array, b: Array, adding: bool) -> tuple[Array, Array]:
    """The place of every two joined numbers, [len(a), len(b)], and the numbers."""
    values_a, row = np.unique(a, return_inverse=True)
    values_b, column = np.unique(b, return_inverse=True)
    joined = values_a[:, None] + values_b if adding else np.maximum(values_a[:, None], values_b)
    numbers, places = np.unique(joined, return_inverse=True)
    return places.reshape(joined.shape)[row[:, None], column], numbers


_FEW = 1 << 13
"""So many places are cleared sooner than keys are sorted."""


def _summed(keys: Array, counts: Array, codes: Array, states: Array) -> Ways:
    """Counts added up by key, number of a code x states + place of a state; of numbers past the last they are left out.

    States that do not occur are left out too.
    """
    size = len(codes) * len(states)
    if size <= 4 * len(keys) + _FEW:
        totals = np.zeros((len(codes) + 1) * len(states), np.int64)
        np.add.at(totals, keys, counts)
        keys = np.flatnonzero(totals[:size])
        totals = totals[keys]
    else:
        keys, numbers = np.unique(keys, return_inverse=True)
        totals = np.zeros(len(keys), np.int64)
        np.add.at(totals, numbers, counts)
        keys = keys[keys < size]
        totals = totals[: len(keys)]
    number, place = np.divmod(keys, max(len(states), 1))
    occurs = np.zeros(len(states), bool)
    occurs[place] = True
    return Ways(codes[number], (np.cumsum(occurs) - 1)[place], totals, states[occurs])
