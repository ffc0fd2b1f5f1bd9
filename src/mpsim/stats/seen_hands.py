"""Counting what some hands of a partly seen deal hold; see `seen_deals` for the cases and `fours` for the fours."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import permutations
from math import factorial, prod
from typing import NamedTuple

from mpsim.rules.model import Deck
from mpsim.stats.exact_melds import Distribution
from mpsim.stats.fours import Given
from mpsim.stats.seen_deals import Lies
from mpsim.stats.ways import Array, Sizes, State, SuitTable, Ways, finish, join_suits, mix_ways


class FourSet(NamedTuple):
    """Fours that can be held together, with all that are held in any case."""

    given: Given
    deals: int  # in which these fours are held, and maybe more
    alike: int  # sets that differ from it only by which of several hands, alike to who looks on, holds what


class _Suit(NamedTuple):
    given: Given    # what lies fixed whenever this is used, as pairs (rank, hand)
    weights: Array  # see `SuitTable.weights`


class SeenHands:
    """Some hands of the full deal, `size` cards each; the cards of the others make one more hand, the rest.

    cases: see `seen_cases`.  Hands are numbered along `seats`.
    """

    def __init__(self, deck: Deck, size: int, cases: Mapping[Lies, int], seats: Sequence[int]) -> None:
        self.width, self.looked, self._field = len(deck.ranks), len(seats), deck.field
        width = self.width
        rest = 4 * width - size * self.looked
        self._sizes = Sizes([size] * self.looked + [rest] * (rest > 0))
        self._table = SuitTable(width, self._sizes)
        self._cases: Counter[Lies] = Counter()  # with hands in place of seats
        for lies, weight in cases.items():
            load = Counter(seat for _, seat in lies)
            others = [size - load[seat] for seat in range(4) if seat not in seats]
            hands = tuple((card, seats.index(seat) if seat in seats else self.looked) for card, seat in lies)
            self._cases[hands] += weight * _shares(others)
        self._turns = [turn for turn in permutations(range(self.looked)) if self._is_alike(turn)]
        self._moving, self._parts = self._split()
        self._open = [(self._left(dict(lies)), self._lacking(dict(lies)), weight)
                      for lies, weight in self._cases.items()]
        self.total = self.deals({})
        self.certain = tuple(four for four in self._all_fours() if self._deals_with((four,)) == self.total)

    def _is_alike(self, turn: Sequence[int]) -> bool:
        """Whether the cases are the same after hand i became hand turn[i]."""
        turned = (*turn, self.looked)
        return all(self._cases.get(tuple((card, turned[hand]) for card, hand in lies)) == weight
                   for lies, weight in self._cases.items())

    def _split(self) -> tuple[list[int], list[tuple[_Suit, ...]]]:
        """The suits in which cases differ, and parts of the cases in which suits are independent of each other.

        Only the turned card and the seven lie now here, now there: the cases of a part differ in one suit at most.
        """
        by_suit = {lies: tuple(self._of_suit(lies, suit) for suit in range(4)) for lies in self._cases}
        moving = [suit for suit in range(4) if len({suits[suit] for suits in by_suit.values()}) > 1]
        weighted = moving[-1] if moving else 0
        parts: defaultdict[tuple[Given, ...], list[tuple[Given, int]]] = defaultdict(list)
        for lies, suits in by_suit.items():
            parts[(*suits[:weighted], (), *suits[weighted + 1 :])].append((suits[weighted], self._cases[lies]))
        found = []
        for suits, ways in parts.items():
            common = tuple(card for card in ways[0][0] if all(card in given for given, _ in ways))
            split = [_Suit(given, self._table.weights([(given, 1)])) for given in suits]
            split[weighted] = _Suit(common, self._table.weights(ways))
            found.append(tuple(split))
        return moving, found

    def _of_suit(self, lies: Lies, suit: int) -> Given:
        return tuple((card % self._field, hand) for card, hand in lies if card // self._field == suit)

    def _left(self, fixed: Mapping[int, int]) -> list[int]:
        """How many cards each hand gets besides the fixed ones."""
        load = Counter(fixed.values())
        return [size - load[hand] for hand, size in enumerate(self._sizes.hands)]

    def _lacking(self, fixed: Mapping[int, int]) -> dict[tuple[int, int], int]:
        """For each four that can be held, as (rank, hand), how many of its cards are not fixed."""
        lacking = {}
        for rank, hand in self._all_fours():
            where = [fixed.get(suit * self._field + rank) for suit in range(4)]
            if set(where) <= {None, hand}:
                lacking[rank, hand] = where.count(None)
        return lacking

    def _all_fours(self) -> Given:
        return tuple((rank, hand) for rank in range(self.width) for hand in range(self.looked))

    def deals(self, cards: Mapping[int, int]) -> int:
        """Deals in which these cards lie in these hands, {card: hand}."""
        total = 0
        for lies, weight in self._cases.items():
            fixed = dict(lies)
            if all(fixed.setdefault(card, hand) == hand for card, hand in cards.items()):
                total += weight * _shares(self._left(fixed))
        return total

    def held_once(self, cards: Iterable[int]) -> Distribution:
        """Of the number of hands that hold all of these cards."""
        cards = tuple(cards)
        held = sum(self.deals(dict.fromkeys(cards, hand)) for hand in range(self.looked))
        return self.distribution({0: self.total - held, 1: held})

    def distribution(self, counts: Mapping[int, int]) -> Distribution:
        """Deals by a number, without what does not occur."""
        return Distribution({value: deals for value, deals in sorted(counts.items()) if deals}, self.total)

    def _deals_with(self, fours: Given) -> int:
        total = 0
        for sizes, lacking, weight in self._open:
            left = sizes.copy()
            for four in fours:
                left[four[1]] -= lacking.get(four, left[four[1]] + 1)
            total += weight * _shares(left)
        return total

    def fours(self, ranks: Sequence[int]) -> list[FourSet]:
        """All sets of fours of these ranks for inclusion and exclusion, of those alike one."""
        certain = tuple((rank, hand) for rank, hand in self.certain if rank in ranks)
        others = [rank for rank in ranks if rank not in dict(certain)]
        deals: dict[Given, int] = {}
        alike: Counter[Given] = Counter()
        for given, count in self._possible(certain, others):
            first = min(tuple((rank, turn[hand]) for rank, hand in given) for turn in self._turns)
            deals[first] = count
            alike[first] += 1
        return [FourSet(given, deals[given], number) for given, number in alike.items()]

    def _possible(self, given: Given, ranks: Sequence[int]) -> Iterator[tuple[Given, int]]:
        deals = self._deals_with(given)
        if deals:
            yield given, deals
            for place, rank in enumerate(ranks):
                for hand in range(self.looked):
                    yield from self._possible((*given, (rank, hand)), ranks[place + 1 :])

    def count(self, values: Sequence[Array], fours: Given = ()) -> dict[State, int]:
        """Deals in which these fours are held, by state; there must be some.

        values: by suit, whole numbers [number, hand, holding], none negative; a state's numbers are sums over the suits
        and hands, of which the rest may be left out.
        """
        known: dict[tuple[int, int], Ways] = {}
        adds = (True,) * len(values[0])

        def ways(number: int, suit: int) -> Ways:
            if (number, suit) not in known:
                given, weights = self._parts[number][suit]
                known[number, suit] = self._table.ways((*given, *fours), values[suit], adds, weights)
            return known[number, suit]


        def join(parts: Sequence[Ways]) -> Ways:
            return reduce(lambda a, b: join_suits(a, b, self._sizes, adds), parts)

        if len(self._parts) == 1:
            clubs, diamonds, hearts, spades = (ways(0, suit) for suit in range(4))
            return finish(join([clubs, diamonds]), join([hearts, spades]), self._sizes, adds)
        together = [[ways(number, suit) for suit in self._moving] for number in range(len(self._parts))]
        mixed = mix_ways([join(parts) for parts in together if all(len(part.codes) for part in parts)])
        return finish(mixed, join([ways(0, suit) for suit in range(4) if suit not in self._moving]), self._sizes, adds)


def _shares(sizes: Sequence[int]) -> int:
    """Ways to share cards out so that each hand gets so many; 0 where one would get less than none."""
    if min(sizes, default=0) < 0:
        return 0
    return factorial(sum(sizes)) // prod(map(factorial, sizes))
