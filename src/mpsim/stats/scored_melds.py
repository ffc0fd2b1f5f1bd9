"""Exact distribution of what two teams score for melds, under any overlap and comparison of the rules.

Beyond `fours.py`: a hand with one four may rather use a card of it in a run (exclusive overlap), and whose melds count
may hang on the best run and the best four.  So for given fours G in given hands, runs are counted by a state that tells
the teams' run points and best runs; of a hand with one four, the runs that the four breaks are apart, and what it
leaves of them.  What is scored when exactly the fours F are held follows from F and the state; deals with exactly F are
counted by inclusion and exclusion, as the sum over all G that contain F with the sign (-1)^|G - F|.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from mpsim.rules.model import Rules, run_value
from mpsim.stats.exact_melds import king_and_queen, runs_of
from mpsim.stats.fours import Given
from mpsim.stats.ways import Array, Sizes, SuitTable, Ways, deals_by_states, join_suits

TEAMS = (0, 1, 0, 1)
"""Team by seat."""
NOBODY, TIE, ONE, BOTH = "nobody", "tie", "one", "both"
"""Whose melds of a kind count: nobody has any; a tie voids them; one team's; both teams'."""

_WHOSE = (NOBODY, TIE, ONE, BOTH)
NOWHERE = -1
_PLAIN = 6
"""Numbers of a state but for those of hands with one four: each team's pair points, run points and best run."""

Key = int
"""Strength of a meld in the comparison, 0 of none: the greater is better."""


_BLOCK = 1 << 16
"""States taken together: so many that their arrays stay in the cache."""


class Best(NamedTuple):
    """Points of some melds and the key of the best of them: numbers, or arrays of them [fours that are held, state]."""

    points: Array
    key: Array

    def plus(self, points: Array, key: Array) -> Best:
        """With other melds."""
        return Best(self.points + points, np.maximum(self.key, key))


class Scored(NamedTuple):
    """What each team scores in a deal, and whose runs and fours count."""

    points: tuple[int, int]
    runs: str
    fours: str


def scored_melds(
    rules: Rules, teams: tuple[int, ...] = TEAMS, hand_size: int | None = None, all_trumps: bool = False
) -> dict[Scored, int]:
    """Numbers of deals by what is scored; both teams' views of every deal count, so the sum is twice that.

    teams: of the hands looked at; any cards beyond them belong to nobody.  all_trumps: pairs of every suit count, not
    of one.
    """
    return _scored_melds(rules, teams, rules.hand_size if hand_size is None else hand_size, all_trumps)


@lru_cache(maxsize=4)
def _scored_melds(rules: Rules, teams: tuple[int, ...], hand_size: int, all_trumps: bool) -> dict[Scored, int]:
    return _Count(rules, teams, hand_size, all_trumps).deals()


class _Count:
    def __init__(self, rules: Rules, teams: Sequence[int], hand_size: int, all_trumps: bool) -> None:
        self._rules, self._teams, self._room, self._all_trumps = rules, teams, hand_size // 4, all_trumps
        self._width = len(rules.deck.ranks)
        rest = 4 * self._width - hand_size * len(teams)
        self._sizes = Sizes([hand_size] * len(teams) + ([rest] if rest else []))
        self._table = SuitTable(self._width, self._sizes)
        self._runs = np.array([self._best_run(runs) for runs in runs_of(self._width)], np.int64).T
        kings, holdings = king_and_queen(rules), np.arange(1 << self._width)
        self._pairs = rules.melds.trump_pair * (holdings & kings == kings)
        self._through = [self._run_through(rank) for rank in range(self._width)]
        self._exclusive = rules.melds.overlap == "exclusive"

    def _best_run(self, runs: Sequence[tuple[int, int]]) -> tuple[int, Key]:
        """Points and best key of the runs of one holding."""
        worth = [(run_value(self._rules, length), length, top) for length, top in runs if length >= 3]
        keys = [self._run_key(points, length, top) for points, length, top in worth]
        return sum(points for points, *_ in worth), max(keys, default=0)

    def _run_key(self, points: int, length: int, top: int) -> Key:
        melds = self._rules.melds
        length = min(length, melds.sequence_max) if melds.seq_compare == "capped5" else length
        return self._key(points, 0, length, top)

    def _four(self, rank: int) -> tuple[int, Key]:
        melds = self._rules.melds
        points, place = melds.fours_table[rank], melds.fours_order.index(self._rules.deck.ranks[rank])
        return points, self._key(points, 1, self._width - place, 0)

    def _key(self, points: int, is_four: int, strength: int, top: int) -> Key:
        """Points come first where all melds are in one pool, a four before a run worth as much."""
        compare = self._rules.melds.meld_compare
        if compare == "none":
            return 0
        pool = 2 * points + is_four if compare == "strongest" else 0
        return (pool * 16 + strength) * 16 + top

    def deals(self) -> dict[Scored, int]:
        found: Counter[int] = Counter()
        for given, alike in self._classes():
            lone = self._lone(given)
            held, signs = self._choices(given)
            for states, deals in self._states(given, lone):
                results, places = np.unique(self._scored(states, given, lone, held), return_inverse=True)
                totals = np.zeros(len(results), np.int64)
                np.add.at(totals, places, signs[:, None] * deals)
                for result, total in zip(results.tolist(), totals.tolist(), strict=True):
                    found[result] += alike * total
        both: Counter[Scored] = Counter()
        for result, total in found.items():
            scored = _unpacked(result)
            both[scored] += total
            both[scored._replace(points=scored.points[::-1])] += total
        return {scored: total for scored, total in both.items() if total}

    def _classes(self) -> Iterator[tuple[Given, int]]:
        """Sets of fours that can lie together, one of those that differ by who sits where, with their number."""
        ranks = [rank for rank, points in enumerate(self._rules.melds.fours_table) if points]
        turns = [turn for turn in permutations(range(len(self._teams))) if self._is_same_table(turn)]
        alike = Counter(min(tuple(map(turn.__getitem__, where)) for turn in ((*t, NOWHERE) for t in turns))
                        for where in self._places(len(ranks)))
        for where, number in alike.items():
            yield tuple((rank, hand) for rank, hand in zip(ranks, where, strict=True) if hand != NOWHERE), number

    def _is_same_table(self, turn: Sequence[int]) -> bool:
        """Whether partners are partners again after seat i became seat turn[i]."""
        seats = range(len(turn))
        return all((self._teams[a] == self._teams[b]) == (self._teams[turn[a]] == self._teams[turn[b]])
                   for a in seats for b in seats)

    def _places(self, ranks: int) -> Iterator[tuple[int, ...]]:
        """The hand with the four of each rank or NOWHERE, no hand more than it has room for."""
        def extend(where: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            if len(where) == ranks:
                yield where
                return
            for hand in (NOWHERE, *range(len(self._teams))):
                if hand == NOWHERE or where.count(hand) < self._room:
                    yield from extend((*where, hand))

        return extend(())

    def _lone(self, given: Given) -> dict[int, int]:
        """Hands that must choose between runs and their one four, with its rank."""
        if not self._exclusive:
            return {}
        load = Counter(hand for _, hand in given)
        return {hand: rank for rank, hand in given if load[hand] == 1}

    def _states(self, given: Given, lone: dict[int, int]) -> Iterator[tuple[Array, Array]]:
        """States [number, state] and the deals of each in which these fours are held, in blocks."""
        values, adds = self._values(lone), (True, True, *(True, False) * (2 + 2 * len(lone)))
        side = self._table.ways(given, values, adds)
        for hand, team in enumerate(self._teams):
            values[team, hand] = self._pairs
        trumps = self._table.ways(given, values, adds)
        if self._all_trumps:
            first = second = join_suits(trumps, trumps, self._sizes, adds)
        else:
            first, second = (join_suits(side, other, self._sizes, adds) for other in (side, trumps))
        return _by_state(first, second, self._sizes, adds)

    def _values(self, lone: dict[int, int]) -> Array:
        """The numbers of a side suit's states, [number, hand, holding]."""
        holdings = np.arange(1 << self._width)
        values = np.zeros((_PLAIN + 4 * len(lone), len(self._teams), len(holdings)), np.int64)
        for hand, team in enumerate(self._teams):
            values[2 + 2 * team : 4 + 2 * team, hand] = self._runs
        for place, (hand, rank) in enumerate(lone.items()):
            broken, team, at = self._through[rank], self._teams[hand], _PLAIN + 4 * place
            values[2 + 2 * team : 4 + 2 * team, hand] = self._runs[:, holdings & ~broken]
            values[at : at + 2, hand] = self._runs[:, broken]
            values[at + 2 : at + 4, hand] = self._runs[:, broken & ~(1 << rank)]
        return values

    def _run_through(self, rank: int) -> Array:
        """Of each holding, the cards of the run that the rank is part of."""
        found = np.zeros(1 << self._width, np.int64)
        for holding, runs in enumerate(runs_of(self._width)):
            for length, top in runs:
                if top - length < rank <= top:
                    found[holding] = (1 << top + 1) - (1 << top + 1 - length)
        return found

    def _choices(self, given: Given) -> tuple[Array, Array]:
        """Which of the given fours are held and no more, [choice, four], and the signs."""
        held = np.array(list(product((False, True), repeat=len(given))), bool)
        return held, 1 - 2 * ((~held).sum(axis=1) & 1)

    def _scored(self, states: Array, given: Given, lone: dict[int, int], held: Array) -> Array:
        """What is scored in deals of each state with just these fours held, packed, [choice, state]."""
        nothing = np.zeros((1, 1), np.int64)
        runs = [Best(*states[2 + 2 * team : 4 + 2 * team]) for team in (0, 1)]
        fours = [Best(nothing, nothing), Best(nothing, nothing)]
        places = {hand: _PLAIN + 4 * place for place, hand in enumerate(lone)}
        for number, (rank, hand) in enumerate(given):
            four, team, declares = self._four(rank), self._teams[hand], held[:, number, None]
            if hand in lone:
                broken, left = (states[at : at + 2] for at in (places[hand], places[hand] + 2))
                declares = declares & (four[0] + left[0] >= broken[0])
                runs[team] = runs[team].plus(*np.where(declares, left[:, None], broken[:, None]))
            fours[team] = fours[team].plus(declares * four[0], declares * four[1])
        return self._compared(states[:2], runs, fours)

    def _compared(self, pairs: Array, runs: Sequence[Best], fours: Sequence[Best]) -> Array:
        compare = self._rules.melds.meld_compare
        by_runs, by_fours = [team.key for team in runs], [team.key for team in fours]
        if compare == "strongest":
            by_runs = by_fours = [np.maximum(*keys) for keys in zip(by_runs, by_fours, strict=True)]
        points = []
        for team in (0, 1):
            wins = [compare == "none" or keys[team] > keys[1 - team] for keys in (by_runs, by_fours)]
            points.append(pairs[team] + runs[team].points * wins[0] + fours[team].points * wins[1])
        return _packed(points, self._whose(runs, by_runs), self._whose(fours, by_fours))

    def _whose(self, melds: Sequence[Best], keys: Sequence[Array]) -> Array:
        """As places in _WHOSE."""
        some = melds[0].points + melds[1].points > 0
        if self._rules.melds.meld_compare == "none":
            return np.where(some, _WHOSE.index(BOTH), _WHOSE.index(NOBODY))
        return np.where(some, np.where(keys[0] == keys[1], _WHOSE.index(TIE), _WHOSE.index(ONE)), _WHOSE.index(NOBODY))


def _by_state(a: Ways, b: Ways, sizes: Sizes, adds: Sequence[bool]) -> Iterator[tuple[Array, Array]]:
    """The joined states of two parts that make up the deck, [number, state], and the deals of each; some come twice."""
    deals = deals_by_states(a, b, sizes)
    rows = max(1, _BLOCK // max(1, len(b.states)))
    for start in range(0, len(a.states), rows):
        row, column = np.nonzero(deals[start : start + rows])
        numbers = [left[row] + right[column] if adding else np.maximum(left[row], right[column])
                   for left, right, adding in zip(a.states[start:].T, b.states.T, adds, strict=True)]
        yield np.array(numbers), deals[start + row, column]


_BITS = 20
"""Of a packed number of points."""


def _packed(points: Sequence[Array], runs: Array, fours: Array) -> Array:
    """`Scored` as one number, runs and fours being places in _WHOSE."""
    return (points[0] << _BITS | points[1]) << 4 | runs << 2 | fours


def _unpacked(packed: int) -> Scored:
    points, low = packed >> 4, (1 << _BITS) - 1
    return Scored((points >> _BITS, points & low), _WHOSE[packed >> 2 & 3], _WHOSE[packed & 3])
