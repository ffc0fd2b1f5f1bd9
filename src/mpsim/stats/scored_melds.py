"""Exact distribution of what two teams score for melds, under any overlap and comparison of the rules.

Beyond `fours.py`: a hand with one four may rather use a card of it in a run (exclusive overlap), and whose melds count
may hang on the best run and the best four.  So for given fours G in given hands, runs are counted by a state that tells
the teams' run points and best runs, and those of each hand with one four twice, with and without the cards of the four.
What is scored when exactly the fours F are held follows from F and the state; deals with exactly F are counted by
inclusion and exclusion, as the sum over all G that contain F with the sign (-1)^|G - F|.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, permutations, product
from typing import NamedTuple

from mpsim.rules.model import Rules, run_value
from mpsim.stats.exact_melds import king_and_queen, runs_of
from mpsim.stats.fours import Given
from mpsim.stats.ways import Sizes, State, SuitTable, count_deals

TEAMS = (0, 1, 0, 1)
"""Team by seat."""
NOBODY, TIE, ONE, BOTH = "nobody", "tie", "one", "both"
"""Whose melds of a kind count: nobody has any; a tie voids them; one team's; both teams'."""

NOWHERE = -1

Key = int
"""Strength of a meld in the comparison, 0 of none: the greater is better."""


class Best(NamedTuple):
    """Points of some melds and the key of the best of them."""

    points: int = 0
    key: Key = 0


class Scored(NamedTuple):
    """What each team scores in a deal, and whose runs and fours count."""

    points: tuple[int, int]
    runs: str
    fours: str


@lru_cache(maxsize=4)
def scored_melds(rules: Rules, teams: tuple[int, ...] = TEAMS, hand_size: int | None = None) -> dict[Scored, int]:
    """Numbers of deals by what is scored; both teams' views of every deal count, so the sum is twice that.

    teams: of the hands looked at; any cards beyond them belong to nobody.
    """
    return _Count(rules, teams, rules.hand_size if hand_size is None else hand_size).deals()


class _Count:
    def __init__(self, rules: Rules, teams: Sequence[int], hand_size: int) -> None:
        self._rules, self._teams, self._room = rules, teams, hand_size // 4
        self._width = len(rules.deck.ranks)
        rest = 4 * self._width - hand_size * len(teams)
        self._sizes = Sizes([hand_size] * len(teams) + ([rest] if rest else []))
        self._table = SuitTable(self._width, self._sizes)
        self._runs = [self._best_run(runs) for runs in runs_of(self._width)]
        self._exclusive = rules.melds.overlap == "exclusive"

    def _best_run(self, runs: Sequence[tuple[int, int]]) -> Best:
        """Runs of one holding."""
        worth = [(run_value(self._rules, length), length, top) for length, top in runs if length >= 3]
        keys = [self._run_key(points, length, top) for points, length, top in worth]
        return Best(sum(points for points, *_ in worth), max(keys, default=0))

    def _run_key(self, points: int, length: int, top: int) -> Key:
        melds = self._rules.melds
        length = min(length, melds.sequence_max) if melds.seq_compare == "capped5" else length
        return self._key(points, 0, length, top)

    def _four(self, rank: int) -> Best:
        deck, points = self._rules.deck, self._rules.melds.fours_table[rank]
        return Best(points, self._key(points, 1, self._width - deck.trump_order.index(deck.ranks[rank]), 0))

    def _key(self, points: int, is_four: int, strength: int, top: int) -> Key:
        """Points come first where all melds are in one pool, a four before a run worth as much."""
        compare = self._rules.melds.meld_compare
        if compare == "none":
            return 0
        pool = 2 * points + is_four if compare == "strongest" else 0
        return (pool * 16 + strength) * 16 + top

    def deals(self) -> dict[Scored, int]:
        total: Counter[Scored] = Counter()
        for given, alike in self._classes():
            lone = self._lone(given)
            choices = self._choices(given, lone)
            for state, deals in self._states(given, lone).items():
                for (declared, fours), sign in choices.items():
                    scored = self._scored(state, lone, declared, fours)
                    weight = alike * deals * sign
                    total[scored] += weight
                    total[scored._replace(points=scored.points[::-1])] += weight
        return {scored: deals for scored, deals in total.items() if deals}

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

    def _states(self, given: Given, lone: dict[int, int]) -> dict[State, int]:
        """Deals with these fours by state."""
        free = [(hand, team) for hand, team in enumerate(self._teams) if hand not in lone]
        merged = [[hand for hand, team in free if team == side] for side in (0, 1)]
        runs, kings = self._runs, king_and_queen(self._rules)
        parts = [(hand, ~(1 << rank)) for hand, rank in lone.items()]

        def side_suit(held: Sequence[int]) -> State:
            by_team = [_sum(runs[held[hand]] for hand in hands) for hands in merged]
            by_lone = [runs[held[hand] & mask] for hand, without in parts for mask in (-1, without)]
            return (0, 0, *chain(*by_team, *by_lone))

        def trumps(held: Sequence[int]) -> State:
            pairs = [0, 0]
            for hand, team in enumerate(self._teams):
                pairs[team] += self._rules.melds.trump_pair * (held[hand] & kings == kings)
            return (*pairs, *side_suit(held)[2:])

        side = self._table.ways(given, side_suit)
        adds = (True, True) + (True, False) * (2 + 2 * len(parts))
        return count_deals([side, side, side, self._table.ways(given, trumps)], self._sizes, adds)

    def _choices(self, given: Given, lone: dict[int, int]) -> dict[tuple[tuple[bool, ...], tuple[Best, Best]], int]:
        """Which fours are held: whether each lone hand has its own, and the teams' others; with the sum of signs."""
        others = [(rank, self._teams[hand]) for rank, hand in given if hand not in lone]
        found: Counter[tuple[tuple[bool, ...], tuple[Best, Best]]] = Counter()
        for held in product((False, True), repeat=len(given)):
            flags, sign = held[: len(lone)], (-1) ** (len(given) - sum(held))
            fours = [_sum(self._four(rank) for (rank, team), has in zip(others, held[len(lone) :], strict=True)
                          if has and team == side) for side in (0, 1)]
            found[flags, (fours[0], fours[1])] += sign
        return {choice: sign for choice, sign in found.items() if sign}

    def _scored(self, state: State, lone: dict[int, int], held: Sequence[bool], fours: Sequence[Best]) -> Scored:
        """What is scored in deals of this state with exactly these fours."""
        pairs, held_runs = state[:2], [Best(*state[at : at + 2]) for at in range(2, len(state), 2)]
        runs, kinds = held_runs[:2], list(fours)
        for place, (hand, rank) in enumerate(lone.items()):
            whole, without = held_runs[2 + 2 * place : 4 + 2 * place]
            four, team = self._four(rank), self._teams[hand]
            declares = held[place] and four.points + without.points >= whole.points
            runs[team] = _sum((runs[team], without if declares else whole))
            kinds[team] = _sum((kinds[team], four)) if declares else kinds[team]
        return self._compared(pairs, runs, kinds)

    def _compared(self, pairs: Sequence[int], runs: Sequence[Best], fours: Sequence[Best]) -> Scored:
        compare = self._rules.melds.meld_compare
        by_runs, by_fours = [team.key for team in runs], [team.key for team in fours]
        if compare == "strongest":
            by_runs = by_fours = [max(keys) for keys in zip(by_runs, by_fours, strict=True)]
        points = list(pairs)
        for team in (0, 1):
            if compare == "none" or by_runs[team] > by_runs[1 - team]:
                points[team] += runs[team].points
            if compare == "none" or by_fours[team] > by_fours[1 - team]:
                points[team] += fours[team].points
        return Scored((points[0], points[1]), self._whose(runs, by_runs), self._whose(fours, by_fours))

    def _whose(self, melds: Sequence[Best], keys: Sequence[Key]) -> str:
        if not any(team.points for team in melds):
            return NOBODY
        if self._rules.melds.meld_compare == "none":
            return BOTH
        return TIE if keys[0] == keys[1] else ONE


def _sum(melds: Iterable[Best]) -> Best:
    points = key = 0
    for other in melds:
        points, key = points + other.points, max(key, other.key)
    return Best(points, key)
