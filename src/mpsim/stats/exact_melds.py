"""Exact frequencies of melds in a hand, a team's two hands and a deal, for cards dealt at random.

Nobody bids and nobody swaps here: eight cards each out of a shuffled deck, one suit being trumps.  What is held does
not depend on the rules but for the ranks whose four is worth something; what it is worth depends on all meld options.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod

import numpy as np

from mpsim.rules.model import Rules, run_value
from mpsim.stats.fours import Given, with_fours
from mpsim.stats.ways import Sizes, SuitTable, Ways, count_deals

SCOPES = {"hand": 1, "team": 2, "deal": 4}
"""How many of the four hands are looked at."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How many of `total` equally likely deals have each value."""

    counts: dict[int, int]
    total: int

    def p(self, value: int) -> Fraction:
        """Chance of a value."""
        return Fraction(self.counts.get(value, 0), self.total)

    def at_least(self, value: int) -> Fraction:
        """Chance of this value or more."""
        return Fraction(sum(count for other, count in self.counts.items() if other >= value), self.total)

    @property
    def mean(self) -> Fraction:
        """Expected value."""
        return Fraction(sum(value * count for value, count in self.counts.items()), self.total)


@lru_cache(maxsize=8)
def runs_of(width: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The maximal runs of consecutive ranks in each holding of a suit as (length, top rank), [2^width]."""
    found = []
    for holding in range(1 << width):
        runs: list[tuple[int, int]] = []
        for rank in range(width):
            if holding >> rank & 1:
                longer = bool(runs) and runs[-1][1] == rank - 1
                runs[-1:] = [(runs[-1][0] + 1, rank)] if longer else [*runs[-1:], (1, rank)]
        found.append(tuple(runs))
    return tuple(found)


def run_lengths(width: int) -> list[list[int]]:
    """Lengths of the maximal runs in each holding of a suit, [2^width]."""
    return [[length for length, _ in runs] for runs in runs_of(width)]


class Deck:
    """A deck shared out at random: how many hands are looked at, and how large they are."""

    def __init__(self, width: int, hand_size: int, hands: int) -> None:
        self.width, self.hands = width, hands
        rest = 4 * width - hands * hand_size
        self.sizes = Sizes([hand_size] * hands + ([rest] if rest else []))
        self.room = hand_size // 4
        self._table = SuitTable(width, self.sizes)

    def count(self, plain: Sequence[int], trumps: Sequence[int], given: Given = ()) -> dict[int, int]:
        """Deals by the sum over suits and hands of what each holding counts, the given fours lying as said."""
        side = self._ways(plain, given)
        last = side if trumps is plain else self._ways(trumps, given)
        deals = count_deals([side, side, side, last], self.sizes, (True,))
        return {value: count for (value,), count in deals.items()}

    def _ways(self, of_holding: Sequence[int], given: Given) -> Ways:
        values = np.tile(np.array(of_holding, np.int64), (1, self.hands, 1))
        return self._table.ways(given, values, (True,))

    def distribution(self, of_holding: Sequence[int]) -> Distribution:
        """Of a number that adds up over suits and hands."""
        return _distribution(self.count(of_holding, of_holding))

    def fours(self, worth: Sequence[int]) -> Distribution:
        """Of the sum of `worth` over the ranks whose four is held."""
        return _distribution(with_fours(self._with_at_least, worth, self.hands, self.room))

    def _with_at_least(self, given: Given) -> dict[int, int]:
        """All deals with these fours, as ways to share the other cards out."""
        left = list(self.sizes.hands)
        for _, hand in given:
            left[hand] -= 4
        return {0: factorial(sum(left)) // prod(map(factorial, left))}


def held_melds(rules: Rules, scope: str) -> dict[str, Distribution]:
    """Numbers of melds held: `run_3` just so long, `run_3_up` or longer, `four_J`, `fours` of any worth, `pair`."""
    width, hand_size = len(rules.deck.ranks), rules.hand_size
    deck = Deck(width, hand_size, SCOPES[scope])
    found = {f"run_{length}": deck.distribution(_counts(width, length, length)) for length in range(3, hand_size + 1)}
    found |= {f"run_{length}_up": deck.distribution(_counts(width, length, hand_size)) for length in range(3, 6)}
    for rank, name in enumerate(rules.deck.ranks):
        found[f"four_{name}"] = deck.fours([int(other == rank) for other in range(width)])
    found["fours"] = deck.fours([int(points > 0) for points in rules.melds.fours_table])
    found["pair"] = held_pairs(rules, scope)
    return found


def held_pairs(rules: Rules, scope: str, all_trumps: bool = False) -> Distribution:
    """Of the number of trump pairs held: of one suit, or in all trumps of any."""
    width, pair = len(rules.deck.ranks), king_and_queen(rules)
    holds = [int(holding & pair == pair) for holding in range(1 << width)]
    deck = Deck(width, rules.hand_size, SCOPES[scope])
    return _distribution(deck.count(holds if all_trumps else [0] * len(holds), holds))


def _counts(width: int, least: int, most: int) -> list[int]:
    """By holding: how many of its maximal runs are so long."""
    return [sum(least <= length <= most for length in lengths) for lengths in run_lengths(width)]


def king_and_queen(rules: Rules) -> int:
    """As bits of a holding; of a deck without them a bit that no holding has."""
    if not {"K", "Q"} <= set(rules.deck.ranks):
        return 1 << len(rules.deck.ranks)
    return 1 << rules.deck.ranks.index("K") | 1 << rules.deck.ranks.index("Q")


def _distribution(counts: dict[int, int]) -> Distribution:
    return Distribution(dict(sorted(counts.items())), sum(counts.values()))


def meld_points(rules: Rules, scope: str, all_trumps: bool = False) -> Distribution:
    """Of the meld points that the hands looked at declare, one suit being trumps or all of them."""
    melds, width = rules.melds, len(rules.deck.ranks)
    deck = Deck(width, rules.hand_size, SCOPES[scope])
    plain = [sum(run_value(rules, length) for length in runs) for runs in run_lengths(width)]
    pair = king_and_queen(rules)
    trumps = [points + melds.trump_pair * (holding & pair == pair) for holding, points in enumerate(plain)]
    side = trumps if all_trumps else plain
    return _distribution(
        with_fours(lambda given: deck.count(side, trumps, given), melds.fours_table, deck.hands, deck.room)
    )
