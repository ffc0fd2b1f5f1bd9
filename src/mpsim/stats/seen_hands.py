"""Counting what some hands of a partly seen deal hold; see `seen_deals` for the cases and `fours` for the fours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import permutations
from math import factorial, prod

import numpy as np

from mpsim.stats.exact_melds import Distribution
from mpsim.stats.fours import Given
from mpsim.stats.seen_deals import Lies
from mpsim.stats.ways import Array, Sizes, State, SuitTable, Ways, finish, join_suits, mix_ways

BySuit = tuple[Given, ...]
"""What lies fixed, suit by suit, as pairs (rank, hand)."""


class SeenHands:
    """Some hands of the full deal, `size` cards each; the cards of the others make one more hand, the rest.

    Hands are numbered along `seats`.
    """

    def __init__(self, width: int, size: int, cases: Mapping[Lies, int], seats: Sequence[int]) -> None:
        self.width, self.looked, self._room = width, len(seats), size // 4
        rest = 4 * width - size * self.looked
        hands = [size] * self.looked + [rest] * (rest > 0)
        self._sizes, self._table = Sizes(hands), SuitTable(width, Sizes(hands))
        merged: Counter[tuple[tuple[int, int], ...]] = Counter()
        for lies, weight in cases.items():
            load = Counter(seat for _, seat in lies)
            others = [size - load[seat] for seat in range(4) if seat not in seats]
            merged[tuple((card, seats.index(seat) if seat in seats else self.looked) for card, seat in lies)] += (
                weight * _shares(others)
            )
        self._cases = dict(merged)
        self._turns = [turn for turn in permutations(range(self.looked)) if self._is_alike(turn)]
        self.total = self.deals({})

    def _is_alike(self, turn: Sequence[int]) -> bool:
        """Whether the cases are the same after hand i became hand turn[i]."""
        turned = (*turn, self.looked)
        return all(self._cases.get(tuple((card, turned[hand]) for card, hand in lies)) == weight
                   for lies, weight in self._cases.items())

    def deals(self, cards: Mapping[int, int]) -> int:
        """Deals in which these cards lie in these hands, {card: hand}."""
        total = 0
        for lies, weight in self._cases.items():
            fixed = dict(lies)
            if all(fixed.setdefault(card, hand) == hand for card, hand in cards.items()):
                load = Counter(fixed.values())
                total += weight * _shares([size - load[hand] for hand, size in enumerate(self._sizes.hands)])
        return total

    def held_once(self, cards: Iterable[int]) -> Distribution:
        """Of the number of hands that hold all of these cards."""
        cards = tuple(cards)
        held = sum(self.deals(dict.fromkeys(cards, hand)) for hand in range(self.looked))
        return self.distribution({0: self.total - held, 1: held})

    def distribution(self, counts: Mapping[int, int]) -> Distribution:
        """Deals by a number, without what does not occur."""
        return Distribution({value: deals for value, deals in sorted(counts.items()) if deals}, self.total)

    def deals_with(self, fours: Given) -> int:
        """Deals in which these fours are held."""
        return self.deals({suit * self.width + rank: hand for rank, hand in fours for suit in range(4)})

    def fours(self, ranks: Sequence[int]) -> Iterator[tuple[Given, int]]:
        """Sets of fours of these ranks that can be held together, one of those alike, with the number of these."""
        alike = Counter(
            min(tuple((rank, turn[hand]) for rank, hand in given) for turn in self._turns)
            for given in self._possible(ranks)
        )
        yield from alike.items()

    def _possible(self, ranks: Sequence[int]) -> Iterator[Given]:
        def extend(given: Given, ranks: Sequence[int]) -> Iterator[Given]:
            yield given
            for place, rank in enumerate(ranks):
                for hand in range(self.looked):
                    if self.deals_with((*given, (rank, hand))):
                        yield from extend((*given, (rank, hand)), ranks[place + 1 :])

        return extend((), ranks)

    def count(self, values: Sequence[Array], fours: Given = ()) -> dict[State, int]:
        """Deals in which these fours are held, by state.

        values: by suit, whole numbers [number, hand, holding]; a state's numbers are sums over the suits and hands.
        """
        cases = [(self._by_suit(lies), weight) for lies, weight in self._cases.items() if self._allows(lies, fours)]
        if not cases:
            return {}
        known: dict[tuple[int, Given], Ways] = {}

        def ways(suit: int, lies: BySuit) -> Ways:
            key = id(values[suit]), lies[suit]
            if key not in known:
                known[key] = self._table.sums((*lies[suit], *fours), self._wide(values[suit]))
            return known[key]

        adds = (True,) * len(values[0])

        def join(a: Ways, b: Ways) -> Ways:
            return join_suits(a, b, self._sizes, adds)

        moving = [suit for suit in range(4) if len({lies[suit] for lies, _ in cases}) > 1] or [0]
        mixed = mix_ways([(reduce(join, [ways(suit, lies) for suit in moving]), weight) for lies, weight in cases])
        still = [ways(suit, cases[0][0]) for suit in range(4) if suit not in moving]
        first = join(mixed, still.pop(0)) if len(still) > 2 else mixed
        return finish(first, reduce(join, still), self._sizes, adds)

    def _by_suit(self, lies: Lies) -> BySuit:
        return tuple(
            tuple((card % self.width, hand) for card, hand in lies if card // self.width == suit) for suit in range(4)
        )

    def _allows(self, lies: Lies, fours: Given) -> bool:
        """Whether no card of these fours lies elsewhere."""
        wanted = dict(fours)
        return all(wanted.get(card % self.width, hand) == hand for card, hand in lies)

    def _wide(self, values: Array) -> Array:
        """The rest of the cards counts nothing."""
        more = len(self._sizes.hands) - values.shape[1]
        return np.pad(values, ((0, 0), (0, more), (0, 0)))


def _shares(sizes: Sequence[int]) -> int:
    """Ways to share cards out so that each hand gets so many; 0 where one would get less than none."""
    if min(sizes, default=0) < 0:
        return 0
    return factorial(sum(sizes)) // prod(map(factorial, sizes))
