"""Fours of a kind in exact counts, by inclusion and exclusion.

A four couples all suits, which are counted one after another otherwise.  But deals in which given fours lie in given
hands are easily counted: in each suit those cards are out of the question.  If M(G) counts the deals with at least the
fours G, by the points of everything else, and rank r's four is worth p(r), then all deals by points, as a polynomial in
x, are the sum over all G of M(G) times the product of x^p(r) - 1 over the ranks of G.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import perm

Given = tuple[tuple[int, int], ...]
"""Fours as pairs (rank, hand)."""
Counts = dict[int, int]
"""Deals by points, or whatever adds up."""


def fours(ranks: Sequence[int], hands: int, room: int) -> Iterator[tuple[Given, int]]:
    """Sets of fours that can lie together, no hand more than `room`, with the number of sets that are like each.

    Hands are interchangeable: of sets that differ by a permutation of hands only the one that uses them in order comes.
    """
    def extend(given: Given, at: int, load: tuple[int, ...]) -> Iterator[Given]:
        yield given
        for index in range(at, len(ranks)):
            for hand in range(min(len(load) + 1, hands)):
                taken = load[hand] if hand < len(load) else 0
                if taken < room:
                    after = (*load[:hand], taken + 1, *load[hand + 1 :])
                    yield from extend((*given, (ranks[index], hand)), index + 1, after)

    for given in extend((), 0, ()):
        yield given, perm(hands, len({hand for _, hand in given}))


def with_fours(count: Callable[[Given], Counts], worth: Sequence[int], hands: int, room: int) -> Counts:
    """Deals by the sum of points, fours included.

    count: deals by the points of everything but fours, among those in which given fours lie as said.
    worth: points of each rank's four; hands: how many hands count, interchangeable; room: fours that fit into a hand.
    """
    total: Counts = {}
    for given, alike in fours([rank for rank, points in enumerate(worth) if points], hands, room):
        change = {0: alike}
        for rank, _ in given:
            change = _shifted(change, worth[rank])
        for points, deals in count(given).items():
            for shift, factor in change.items():
                total[points + shift] = total.get(points + shift, 0) + deals * factor
    return {points: deals for points, deals in sorted(total.items()) if deals}


def _shifted(change: Counts, points: int) -> Counts:
    """The polynomial times x^points - 1."""
    product = {exponent: -factor for exponent, factor in change.items()}
    for exponent, factor in change.items():
        product[exponent + points] = product.get(exponent + points, 0) + factor
    return product
