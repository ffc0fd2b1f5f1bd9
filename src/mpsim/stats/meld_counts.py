"""Melds counted in simulated deals: exact integers that add, and the shares and means behind them.

Deals fall into groups: those looked at as dealt, before any exchange, with one suit as trumps and, where the game has
them, in all trumps; and the others by how trumps were fixed (thrown in, or which of the rules' turns it was and who
took) and by stage (nobody swapped; before a swap; after it).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.rules.model import Rules, run_value
from mpsim.stats.exact_melds import run_lengths

Array = npt.NDArray[Any]

TURNED, ALL_TRUMPS = 0, 1
"""As dealt: the turned suit is trumps, or the lowest one where none is turned; every suit is."""
AUCTIONS = 13
"""Thrown in, then three turns, each by taker."""
UNSWAPPED, BEFORE, AFTER = range(2, 2 + 3 * AUCTIONS, AUCTIONS)
"""First group of each stage."""
GROUPS = 2 + 3 * AUCTIONS
STAGES = {"before": (UNSWAPPED, BEFORE), "after": (UNSWAPPED, AFTER), "bid": (UNSWAPPED,)}

TURNS = {
    "accept": ("1", "2"), "ladder": ("suit", "no_trumps", "all_trumps"), "drawn": ("drawn",), "turned": ("turned",),
}
"""How trumps can be fixed, by kind of auction: rounds, or kinds of contract; turn 0 of every kind is `thrown in`."""


def stages_of(rules: Rules) -> tuple[str, ...]:
    """When hands are looked at with trumps as fixed: before and after the exchange, or once where nothing is turned."""
    return ("before", "after") if rules.deal.turn_up else ("bid",)


def has_all_trumps(rules: Rules) -> bool:
    """Whether all suits may be trumps."""
    return rules.auction.kind == "ladder"


def taker_gets_upcard(rules: Rules) -> bool:
    """Whether a turned card on the table goes to whoever takes."""
    deal = rules.deal
    return deal.turn_up and deal.upcard_to == "taker" and deal.upcard_index == 4 * sum(deal.packets)


def dealt_at_random(rules: Rules) -> bool:
    """Whether the hands looked at are those of a shuffled deck, whoever bids."""
    # A taker who gets the turned card bid on his other cards: what he then holds is not dealt at random.
    return rules.deal.shuffle == "uniform" and not taker_gets_upcard(rules)


def has_melds(rules: Rules) -> bool:
    """Whether anything can be worth meld points."""
    melds = rules.melds
    return any(melds.run_points) or any(melds.fours_table) or melds.trump_pair > 0

DEAL_ROW, HAND_SQUARES, TEAM_SQUARES = 6, 7, 8
ROWS = 9
"""Hands by seat, teams 0 and 1, the deal; squares of how many hands, and how many teams, of one deal have a value."""
NUMBERS = 9
"""A deal has at most eight runs or fours."""


RUN_KINDS = (*(f"run_{length}" for length in range(3, 9)), *(f"run_{length}_up" for length in range(3, 6)))


def kinds(rules: Rules) -> list[str]:
    """Names of what is counted, as in `exact_melds.held_melds`."""
    return [*RUN_KINDS, *(f"four_{rank}" for rank in rules.deck.ranks), "fours", "pair"]


@lru_cache(maxsize=4)
def hands_of_runs(hand_size: int) -> dict[tuple[int, ...], int]:
    """A small number for the lengths of the runs in a hand, ascending: the sum of a number for each of them."""
    weights: dict[int, int] = {}
    for length in range(3, hand_size + 1):
        weights[length] = 1
        while not _all_differ(_sums(hand_size, weights)):
            weights[length] += 1
    return _sums(hand_size, weights)


def _sums(size: int, weights: dict[int, int], least: int = 3) -> dict[tuple[int, ...], int]:
    """The sum of weights for all lengths of runs, ascending, that fit into a hand."""
    found: dict[tuple[int, ...], int] = {(): 0}
    for length in weights:
        if least <= length <= size:
            rest = _sums(size - length, weights, length)
            found |= {(length, *lengths): weights[length] + number for lengths, number in rest.items()}
    return found


def _all_differ(numbers: dict[tuple[int, ...], int]) -> bool:
    return len(set(numbers.values())) == len(numbers)


def runs_of_holdings(rules: Rules) -> Array:
    """The number of the runs in each holding of a suit, adding up over suits to that of the hand: uint8 [holding]."""
    numbers = hands_of_runs(rules.hand_size)
    return np.array([numbers[tuple(sorted(length for length in lengths if length >= 3))]
                     for lengths in run_lengths(len(rules.deck.ranks))], np.uint8)


def runs_base(rules: Rules) -> int:
    """More than any number of a hand's runs."""
    return max(hands_of_runs(rules.hand_size).values()) + 1


def add_runs(held: Array, deals: Array, rules: Rules) -> None:
    """Add deals by the runs of their four hands, int64 [group, digits in `runs_base`], to the counts of RUN_KINDS."""
    base, of_kind = runs_base(rules), _runs_by_kind(rules)
    groups, codes = np.nonzero(deals)
    counts, numbers = deals[groups, codes], np.stack([codes // base**seat % base for seat in range(4)])
    for kind in range(len(RUN_KINDS)):
        hands = of_kind[:, kind][numbers]
        some = hands.any(axis=0)
        _add_values(held[:, kind], groups[some], hands[:, some], counts[some])


def _runs_by_kind(rules: Rules) -> Array:
    """How many runs of each kind the hands of a number have: int64 [number, kind]."""
    table = np.zeros((runs_base(rules), len(RUN_KINDS)), np.int64)
    for lengths, number in hands_of_runs(rules.hand_size).items():
        exactly = [lengths.count(length) for length in range(3, 9)]
        table[number] = exactly + [sum(length >= least for length in lengths) for least in range(3, 6)]
    return table


def _add_values(rows: Array, groups: Array, hands: Array, counts: Array) -> None:
    """Add deals with these values by hand, [4, n], to int64 [group, row, value]."""
    teams = hands[:2] + hands[2:]
    values = np.concatenate([hands, teams, teams.sum(axis=0)[None], hands, teams])
    row_of = np.array([*range(DEAL_ROW + 1), *[HAND_SQUARES] * 4, *[TEAM_SQUARES] * 2])
    alike = [(units == unit).sum(axis=0) for units in (hands, teams) for unit in units]
    weights = np.concatenate([np.ones((DEAL_ROW + 1, len(counts)), np.int64), alike]) * counts
    places = (groups * ROWS + row_of[:, None]) * NUMBERS + values
    # Sums of floats, but of whole numbers below 2^53: exact.
    added = np.bincount(places.ravel(), weights.ravel(), minlength=rows.size)
    rows += added.reshape(rows.shape).astype(np.int64)


def fours_of_ranks(rules: Rules) -> Array:
    """Numbers of each rank's four and of fours worth anything, by the ranks held in all suits: uint64 [ranks]."""
    worth = rules.melds.fours_table
    table = []
    for held in range(1 << len(worth)):
        numbers = [held >> rank & 1 for rank in range(len(worth))]
        valued = sum(1 for rank, points in enumerate(worth) if points and numbers[rank])
        # No hand has more than two fours; entries for more are never looked up, and must not run over.
        table.append(_packed([*numbers, min(valued, 2)]))
    return np.array(table, np.uint64)


def _packed(numbers: Iterable[int]) -> int:
    return sum(number << 4 * place for place, number in enumerate(numbers))


def points_step(rules: Rules) -> int:
    """All meld points are multiples of this: what points are counted in."""
    melds = rules.melds
    return math.gcd(*melds.run_points, *melds.fours_table, melds.trump_pair) or 1


def in_steps(rules: Rules) -> Rules:
    """The same rules with meld points in units of `points_step`."""
    melds, step = rules.melds, points_step(rules)
    return replace(rules, melds=replace(
        melds,
        run_points=tuple(points // step for points in melds.run_points),
        fours_table=tuple(points // step for points in melds.fours_table),
        trump_pair=melds.trump_pair // step,
    ))


def _most_steps(rules: Rules) -> int:
    """No deal's melds are worth more steps."""
    rules = in_steps(rules)
    longest = len(rules.deck.ranks)
    run = max(run_value(rules, length) for length in range(3, longest + 1))
    hand = rules.hand_size // 3 * run + rules.hand_size // 4 * max(rules.melds.fours_table)
    return 4 * hand + (4 if has_all_trumps(rules) else 1) * rules.melds.trump_pair


class Share(NamedTuple):
    """A mean over `n` hands, teams or deals with its standard error, which knows that hands share a deal."""

    mean: float
    se: float
    n: int


class Unit(NamedTuple):
    """What is looked at: rows of the counts, and the row of their squares if there is more than one."""

    rows: tuple[int, ...]
    squares: int | None = None


HAND, TEAM, DEAL = Unit((0, 1, 2, 3), HAND_SQUARES), Unit((4, 5), TEAM_SQUARES), Unit((DEAL_ROW,))
SCOPE_UNITS = {"hand": HAND, "team": TEAM, "deal": DEAL}
SEAT_UNITS = {f"seat_{seat}": Unit((seat,)) for seat in range(4)}
SEAT_UNITS |= {f"team_{team}": Unit((4 + team,)) for team in (0, 1)}
ROLE_UNITS = {
    "taker": Unit((0,)), "left": Unit((1,)), "partner": Unit((2,)), "right": Unit((3,)), "makers": Unit((4,)),
    "defenders": Unit((5,)),
}
"""Rows of `MeldCounts.by_role`: `left` plays after the taker, `right` before him."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many hands, teams and deals have each value: int64 [row, value]; the value 0 counts all that is left."""

    deals: int
    rows: Array

    def share(self, unit: Unit, value: int) -> Share:
        """Share of the units that have the value."""
        return self._share(unit, *self._counted(unit, value))

    def some(self, unit: Unit) -> Share:
        """Share of the units that have 1 or more."""
        none = self.share(unit, 0)
        return none._replace(mean=1 - none.mean)

    def mean(self, unit: Unit) -> Share:
        """Mean a unit; the values of a deal's hands, and of its teams, add up to the deal's."""
        values, row = np.arange(self.rows.shape[1]), self.rows[DEAL_ROW if unit.squares else unit.rows[0]]
        return self._share(unit, int(row @ values), int(row @ values**2))

    def counted(self, unit: Unit, value: int) -> int:
        """How many units have the value."""
        return self._counted(unit, value)[0]

    def _counted(self, unit: Unit, value: int) -> tuple[int, int]:
        count = sum(int(self.rows[row, value]) for row in unit.rows)
        return count, int(self.rows[unit.squares, value]) if unit.squares else count

    def _share(self, unit: Unit, total: int, squares: int) -> Share:
        """From sums over deals of what a deal's units have together, and of its square."""
        if self.deals == 0:
            return Share(math.nan, math.nan, 0)
        each = len(unit.rows)
        scaled = self.deals * squares - total * total
        se = math.sqrt(max(scaled, 0)) / self.deals / math.sqrt(self.deals)
        return Share(total / self.deals / each, se / each, self.deals * each)


@dataclass(frozen=True, slots=True)
class MeldCounts:
    """Counts of one or many batches.  Deals in which nobody has any of a kind are in `deals` alone."""

    deals: Array      # int64 [group]
    held: Array       # int64 [group, kind, row, number]
    declared: Array   # int64 [group, row, steps] of hands, as if no melds were compared
    scored: Array     # int64 [group, row, steps] of teams and deals, as the rules compare

    def __add__(self, other: MeldCounts) -> MeldCounts:
        return MeldCounts(
            self.deals + other.deals, self.held + other.held, self.declared + other.declared, self.scored + other.scored
        )

    def of(self, what: str, groups: Sequence[int], kind: int = 0) -> Histogram:
        """Of a kind of `held`, of `declared` or of `scored` points, in all deals of the groups."""
        return _completed(int(self.deals[list(groups)].sum()), self._table(what, kind)[list(groups)].sum(axis=0))

    def by_role(self, what: str, stage: str, turns: Sequence[int], kind: int = 0) -> Histogram:
        """The same of deals in which trumps were fixed in these turns, the taker's row first: see `ROLE_UNITS`."""
        table, deals = self._table(what, kind), 0
        total = np.zeros_like(table[0])
        for group in groups_of(stage, turns):
            taker = ((group - UNSWAPPED) % AUCTIONS - 1) % 4
            rows = [*((taker + place) % 4 for place in range(4)), 4 + taker % 2, 5 - taker % 2, *range(DEAL_ROW, ROWS)]
            deals, total = deals + int(self.deals[group]), total + table[group][rows]
        return _completed(deals, total)

    def _table(self, what: str, kind: int) -> Array:
        return self.held[:, kind] if what == "held" else self.declared if what == "declared" else self.scored


def _completed(deals: int, rows: Array) -> Histogram:
    rows, left = rows.copy(), deals - int(rows[DEAL_ROW].sum())
    rows[:HAND_SQUARES, 0] += left
    rows[HAND_SQUARES, 0] += len(HAND.rows) ** 2 * left
    rows[TEAM_SQUARES, 0] += len(TEAM.rows) ** 2 * left
    return Histogram(deals, rows)


def groups_of(stage: str, turns: Sequence[int] = (0, 1, 2, 3)) -> list[int]:
    """The groups of a stage in which trumps were fixed in these turns; turn 0: thrown in."""
    auctions = [auction for auction in range(AUCTIONS) if (auction + 3) // 4 in turns]
    return [first + auction for first in STAGES[stage] for auction in auctions]


def no_counts(rules: Rules) -> MeldCounts:
    """Of no deal."""
    held = np.zeros((GROUPS, len(kinds(rules)), ROWS, NUMBERS), np.int64)
    points = np.zeros((GROUPS, ROWS, _most_steps(rules) + 1), np.int64)
    return MeldCounts(np.zeros(GROUPS, np.int64), held, points, points.copy())
