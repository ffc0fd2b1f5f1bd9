"""Ways to share suits out, and to join them: against counting one by one."""

from collections import Counter
from itertools import product
from math import comb, factorial

import numpy as np
import pytest

from mpsim.stats.fours import fours, with_fours
from mpsim.stats.ways import (
    Sizes,
    SuitTable,
    Ways,
    count_deals,
    deals_by_states,
    finish,
    holdings,
    join_suits,
    mix_ways,
)


def values_of(hands, width, seed=5):
    """Two numbers for each hand and holding."""
    return np.random.default_rng(seed).integers(0, 4, (2, hands, 1 << width))


def one_by_one(width, sizes, values, adds, given=(), weigh=lambda holders: 1):
    """Ways to share one suit out, by cards of each hand and state: every rank to every hand."""
    found = Counter()
    for holders in product(range(len(sizes)), repeat=width):
        if any(holders[rank] != hand for rank, hand in given):
            continue
        held = [sum(1 << rank for rank in range(width) if holders[rank] == hand) for hand in range(len(sizes))]
        counts = tuple(holding.bit_count() for holding in held)
        if all(count <= size for count, size in zip(counts, sizes, strict=True)):
            numbers = [[int(of_hand[held[hand]]) for hand, of_hand in enumerate(number)] for number in values]
            state = tuple(sum(n) if add else max(n) for n, add in zip(numbers, adds, strict=True))
            found[counts, state] += weigh(holders)
    return +found


def as_counter(ways, hands):
    """No entry twice, none empty."""
    entries = {}
    for code, place, count in zip(ways.codes.tolist(), ways.places.tolist(), ways.counts.tolist(), strict=True):
        key = tuple(code >> 7 * hand & 127 for hand in range(hands)), tuple(ways.states[place].tolist())
        assert key not in entries
        assert count > 0
        entries[key] = count
    assert len(np.unique(ways.states, axis=0)) == len(ways.states) == len(set(ways.places.tolist()))
    return entries


def joined(a, b, sizes, adds):
    found = Counter()
    for ((counts_a, state_a), ways_a), ((counts_b, state_b), ways_b) in product(a.items(), b.items()):
        counts = tuple(map(sum, zip(counts_a, counts_b, strict=True)))
        if all(count <= size for count, size in zip(counts, sizes, strict=True)):
            both = zip(state_a, state_b, adds, strict=True)
            found[counts, tuple(x + y if add else max(x, y) for x, y, add in both)] += ways_a * ways_b
    return dict(found)


ADDS = [(True, True), (True, False), (False, False)]


def test_holdings_are_all_different_and_share_the_suit_out():
    held = holdings(4, 3).tolist()
    assert len({tuple(way) for way in held}) == 3**4 == len(held)
    assert all(a | b | c == 15 and a + b + c == 15 for a, b, c in held)


def test_codes_tell_whether_cards_fit():
    sizes = Sizes([8, 0, 32])
    for counts in product((0, 1, 7, 8, 9, 16, 32, 33, 64), repeat=3):
        fits = all(count <= size for count, size in zip(counts, (8, 0, 32), strict=True))
        assert sizes.fits(sizes.code(np.array(counts))) == fits, counts
    assert sizes.full == sizes.code(np.array([8, 0, 32]))


@pytest.mark.parametrize("adds", ADDS)
@pytest.mark.parametrize("given", [(), ((0, 1),), ((3, 2), (1, 0)), tuple((rank, rank % 3) for rank in range(5))])
def test_ways_of_one_suit(adds, given):
    sizes, values = (3, 2, 5), values_of(3, 5)
    table = SuitTable(5, Sizes(sizes))
    assert as_counter(table.ways(given, values, adds), 3) == one_by_one(5, sizes, values, adds, given)
    looked = values[:, :2]  # the last hand counts for nothing
    assert as_counter(table.ways(given, looked, adds), 3) == one_by_one(5, sizes, looked, adds, given)


def test_weighted_ways():
    sizes, values, adds = (3, 4), values_of(2, 4), (True, False)
    table = SuitTable(4, Sizes(sizes))
    weights = table.weights([((), 2), (((0, 1),), 5), (((0, 1), (2, 0)), 1), (((3, 0),), -2)])

    def weigh(holders):
        weight = 2 + 5 * (holders[0] == 1) + (holders[0] == 1 and holders[2] == 0) - 2 * (holders[3] == 0)
        return max(weight, 0)

    ways = table.ways((), values, adds, weights)
    assert as_counter(ways, 2) == one_by_one(4, sizes, values, adds, (), weigh)


@pytest.mark.parametrize("adds", ADDS)
def test_suits_joined_and_mixed(adds):
    sizes, hands = (5, 4, 3), 3
    table = SuitTable(3, Sizes(sizes))
    suits = [table.ways((), values_of(hands, 3, seed), adds) for seed in range(4)]
    plain = [one_by_one(3, sizes, values_of(hands, 3, seed), adds) for seed in range(4)]
    first, second = (join_suits(*suits[at : at + 2], Sizes(sizes), adds) for at in (0, 2))
    plain_first, plain_second = (joined(*plain[at : at + 2], sizes, adds) for at in (0, 2))
    assert as_counter(first, hands) == plain_first
    assert as_counter(mix_ways(suits[:3]), hands) == plain[0] + plain[1] + plain[2]
    full = {state: deals for (counts, state), deals in joined(plain_first, plain_second, sizes, adds).items()
            if counts == sizes}
    assert sum(full.values()) == factorial(12) // factorial(5) // factorial(4) // factorial(3)
    assert count_deals(suits, Sizes(sizes), adds) == full
    assert finish(second, first, Sizes(sizes), adds) == full
    assert deals_by_states(first, second, Sizes(sizes)).sum() == sum(full.values())


def test_nothing_joined_is_nothing():
    sizes, adds = Sizes((4, 4)), (True,)
    nothing = Ways(*np.zeros((3, 0), np.int64), np.zeros((0, 1), np.int64))
    table = SuitTable(2, sizes)
    some = table.ways((), np.zeros((1, 2, 4), np.int64), adds)
    unweighted = table.ways((), np.ones((1, 2, 4), np.int64), adds, table.weights([]))
    overfull = SuitTable(5, sizes).ways(tuple((rank, 0) for rank in range(5)), np.zeros((1, 2, 32), np.int64), adds)
    assert len(unweighted.counts) == len(unweighted.states) == len(overfull.counts) == 0
    for a, b in ((nothing, some), (some, nothing), (nothing, nothing)):
        assert len(join_suits(a, b, sizes, adds).counts) == 0
        assert finish(a, b, sizes, adds) == {}


def test_great_counts_are_exact():
    """Beyond the 53 bits of a float: all deals of 32 cards, and products that no float holds."""
    sizes = Sizes((8, 8, 8, 8))
    suit = SuitTable(8, sizes).ways((), np.zeros((1, 4, 256), np.int64), (True,))
    assert count_deals([suit] * 4, sizes, (True,)) == {(0,): factorial(32) // factorial(8) ** 4}
    rng = np.random.default_rng(3)
    codes = np.arange(6) * 128
    a, b = (rng.integers(1 << 20, 1 << 29, 6) for _ in range(2))
    parts = [Ways(codes + at, np.arange(6), counts, np.arange(6)[:, None]) for at, counts in ((0, a), (5, b[::-1]))]
    parts[1] = parts[1]._replace(codes=np.array([5 + 5 * 128 - code for code in codes.tolist()]))
    found = deals_by_states(*parts, Sizes((5, 5)))
    assert found.tolist() == [[x * y if i == j else 0 for j, y in enumerate(b[::-1].tolist())]
                              for i, x in enumerate(a.tolist())]


# --- Fours -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ranks", "hands", "room"), [((0, 2, 3), 2, 2), ((0, 1, 2), 4, 1), ((1, 4, 5, 6), 3, 2)])
def test_sets_of_fours(ranks, hands, room):
    """Every way to leave each rank or to give it to a hand, those alike but for the hands' order together."""
    found = Counter()
    for where in product((None, *range(hands)), repeat=len(ranks)):
        if all(where.count(hand) <= room for hand in range(hands)):
            names = {}
            found[tuple((rank, names.setdefault(hand, len(names)))
                        for rank, hand in zip(ranks, where, strict=True) if hand is not None)] += 1
    assert dict(fours(ranks, hands, room)) == found


def test_inclusion_and_exclusion():
    """One hand of four out of sixteen cards holds one four or none."""
    def deals(given):
        return {0: comb(16 - 4 * len(given), 4 - 4 * len(given))}

    assert with_fours(deals, (0, 7, 5, 7), hands=1, room=1) == {0: comb(16, 4) - 3, 5: 1, 7: 2}
