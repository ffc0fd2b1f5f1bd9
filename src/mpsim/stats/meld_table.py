"""Melds beside each other: exact chances, simulated ones with their errors, and what bidding and exchange change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from mpsim.rules.model import Rules
from mpsim.stats.chi_square import ChiSquare, pearson
from mpsim.stats.exact_melds import SCOPES, Distribution, held_melds, held_pairs, meld_points
from mpsim.stats.meld_counts import (
    ALL_TRUMPS,
    DEAL,
    ROLE_UNITS,
    SCOPE_UNITS,
    SEAT_UNITS,
    TURNED,
    TURNS,
    Histogram,
    MeldCounts,
    Share,
    Unit,
    dealt_at_random,
    groups_of,
    has_all_trumps,
    kinds,
    points_step,
    stages_of,
)
from mpsim.stats.scored_melds import NOBODY, ONE, TIE, scored_melds

RARE = 10
"""Fewer expected units than this give no z: a normal value is not what they come from."""


@dataclass(frozen=True, slots=True)
class Row:
    """One number: `what` is `some` (chance of one or more), `number` (of just `value`) or `mean`, of a scope's melds;
    of whose melds count where they are compared, `nobody`, `tie` or `one`.

    `exact` is for cards dealt at random.  `z` is the distance from it in standard errors where it is what should come;
    `change` the distance in the row's own unit where it is what bidding and exchange start from.
    """

    scope: str
    meld: str
    what: str
    value: int | None = None
    exact: Fraction | None = None
    simulated: float | None = None
    se: float | None = None
    n: int | None = None
    z: float | None = None
    stage: str = "dealt"
    round: str = "all"      # in which trumps were fixed, or under which kind of contract
    who: str = "any"
    change: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain values; the exact number both as a decimal and as a fraction."""
        exact = None if self.exact is None else float(self.exact)
        fraction = None if self.exact is None else str(self.exact)
        return {
            "stage": self.stage, "round": self.round, "scope": self.scope, "who": self.who, "meld": self.meld,
            "what": self.what, "value": self.value, "exact": exact, "exact_fraction": fraction,
            "simulated": self.simulated, "se": self.se, "n": self.n, "z": self.z, "change": self.change,
        }


def meld_name(meld: str) -> str:
    """What people call it."""
    if meld.startswith("run_"):
        length, _, up = meld.removeprefix("run_").partition("_")
        return f"run of {length}{' or more' if up else ''}"
    names = {"fours": "any four worth points", "pair": "K+Q of trumps"}
    return f"four {meld.removeprefix('four_')}" if meld.startswith("four_") else names.get(meld, meld)


Exact = Mapping[str, Mapping[str, Distribution]]
"""Distributions by scope and meld, `points` among them."""
NONE = Distribution({0: 1}, 1)
"""Of what never comes."""


@lru_cache(maxsize=4)
def exact_melds(rules: Rules) -> Exact:
    """Numbers of melds held and points, for cards dealt at random: of a hand declared, of a team and a deal scored."""
    points = _exact_points(rules)
    return {scope: held_melds(rules, scope) | {"points": points[scope]} for scope in SCOPES}


@lru_cache(maxsize=4)
def exact_in_all_trumps(rules: Rules) -> Exact:
    """What is another number in all trumps, `pair` and `points`; nothing where the rules do not have them."""
    if not has_all_trumps(rules):
        return {}
    points = _exact_points(rules, all_trumps=True)
    return {scope: {"pair": held_pairs(rules, scope, all_trumps=True), "points": points[scope]} for scope in SCOPES}


def _exact_points(rules: Rules, all_trumps: bool = False) -> dict[str, Distribution]:
    melds = rules.melds
    if melds.meld_policy == "never":
        return dict.fromkeys(SCOPES, NONE)
    if melds.overlap == "cross_type" and melds.meld_compare == "none":
        return {scope: meld_points(rules, scope, all_trumps) for scope in SCOPES}
    alone = replace(rules, melds=replace(melds, meld_compare="none"))
    hand, team, deal = Counter[int](), Counter[int](), Counter[int]()
    for scored, deals in scored_melds(alone, (0,), all_trumps=all_trumps).items():
        hand[sum(scored.points)] += deals
    for scored, deals in scored_melds(rules, all_trumps=all_trumps).items():
        team[scored.points[0]] += deals
        deal[sum(scored.points)] += deals
    return {scope: _distribution(counts) for scope, counts in (("hand", hand), ("team", team), ("deal", deal))}


def _distribution(counts: Counter[int]) -> Distribution:
    return Distribution(dict(sorted(counts.items())), sum(counts.values()))


def who_scores(rules: Rules) -> Iterator[Row]:
    """Where melds are compared: chances that nobody has runs or fours, that a tie voids them, that one team's count."""
    if rules.melds.meld_compare == "none" or rules.melds.meld_policy == "never":
        return
    deals = scored_melds(rules)
    for meld in ("runs", "fours"):
        found = Counter[str]()
        for scored, count in deals.items():
            found[getattr(scored, meld)] += count
        for whose in (NOBODY, TIE, ONE):
            yield Row("deal", meld, whose, exact=Fraction(found[whose], found.total()))


def exact_rows(exact: Exact, contract: str = "all") -> Iterator[Row]:
    """Every chance and mean; `contract` is the rows' round, `all_trumps` or, with one suit as trumps, `all`."""
    for scope, melds in exact.items():
        for meld, distribution in melds.items():
            if meld != "points":
                yield Row(scope, meld, "some", exact=distribution.at_least(1), round=contract)
            yield Row(scope, meld, "mean", exact=distribution.mean, round=contract)
            for value in distribution.counts:
                yield Row(scope, meld, "number", value, exact=distribution.p(value), round=contract)


def with_simulated(rows: Iterable[Row], rules: Rules, counts: MeldCounts) -> Iterator[Row]:
    """The same rows with what came of the cards as they were dealt, trumps being as the rows have them."""
    random = dealt_at_random(rules)
    for row in rows:
        share = _share(_dealt(counts, rules, row), SCOPE_UNITS[row.scope], row, rules)
        row = replace(row, simulated=share.mean, se=share.se, n=share.n)
        yield replace(row, z=_z(row)) if random else row


def _dealt(counts: MeldCounts, rules: Rules, row: Row) -> Histogram:
    """Before any exchange, whoever bids."""
    groups = [_GROUP[row.round]]
    if row.meld == "points":
        return counts.of(_points(row.scope), groups)
    return counts.of("held", groups if row.meld == "pair" else groups_of("before"), kinds(rules).index(row.meld))


def _points(scope: str) -> str:
    return "declared" if scope == "hand" else "scored"


def _share(histogram: Histogram, unit: Unit, row: Row, rules: Rules) -> Share:
    step = points_step(rules) if row.meld == "points" else 1
    match row.what:
        case "some":
            return histogram.some(unit)
        case "number":
            return histogram.share(unit, (row.value or 0) // step)
        case _:
            mean = histogram.mean(unit)
            return Share(mean.mean * step, mean.se * step, mean.n)


def _z(row: Row) -> float | None:
    if row.exact is None or row.simulated is None or not row.se or not row.n:
        return None
    p = float(row.exact)
    rare = row.what != "mean" and row.n * min(p, 1 - p) < RARE
    return None if rare else (row.simulated - p) / row.se


_GROUP = {"all": TURNED, "all_trumps": ALL_TRUMPS}
"""Which deals tell of cards as dealt, by a row's round."""


def rounds_of(rules: Rules) -> dict[str, tuple[int, ...]]:
    """The turns that make up each round: thrown in, each way to fix trumps, all of these together, all deals."""
    turns = TURNS[rules.auction.kind]
    numbers = tuple(range(1, len(turns) + 1))
    found: dict[str, tuple[int, ...]] = {name: (number,) for name, number in zip(turns, numbers, strict=True)}
    if len(turns) > 1:
        found["taken"] = numbers
    if rules.auction.kind in ("accept", "ladder") or rules.auction.aponta:
        found = {"thrown in": (0,)} | found
    return found | {"all": (0, *numbers)}


def bidding_rows(exact: Exact, rules: Rules, counts: MeldCounts) -> Iterator[Row]:
    """Chances and means by stage, round and who, given the trumps that were chosen, and their change from random cards.

    In thrown-in deals, which only seats, teams and the deal have, the suit of cards as dealt stands in for trumps.
    """
    for stage in stages_of(rules):
        for name, turns in rounds_of(rules).items():
            random = _Random(exact, rules, counts, stage, turns)
            for who, (scope, unit) in _whos(0 not in turns and rules.auction.kind != "turned").items():
                for meld in exact[scope]:
                    histogram = _bid(counts, rules, stage, turns, who, scope, meld)
                    for what in ("mean",) if meld == "points" else ("some", "mean"):
                        row = Row(scope, meld, what, stage=stage, round=name, who=who)
                        yield _bid_row(row, random, histogram, unit, rules)


def _whos(taken: bool) -> dict[str, tuple[str, Unit]]:
    """Scope and unit by name."""
    found = {"any": ("deal", DEAL)}
    for who, unit in (SEAT_UNITS | ROLE_UNITS if taken else SEAT_UNITS).items():
        found[who] = ("hand" if unit.rows[0] < 4 else "team", unit)
    return found


def _bid(
    counts: MeldCounts, rules: Rules, stage: str, turns: tuple[int, ...], who: str, scope: str, meld: str
) -> Histogram:
    what, kind = (_points(scope), 0) if meld == "points" else ("held", kinds(rules).index(meld))
    if who in ROLE_UNITS:
        return counts.by_role(what, stage, turns, kind)
    return counts.of(what, groups_of(stage, turns), kind)


class _Random:
    """What random cards have in deals of some turns, their contracts given: pairs and points hang on the contract."""

    def __init__(
        self, exact: Exact, rules: Rules, counts: MeldCounts, stage: str, turns: tuple[int, ...]
    ) -> None:
        self._exact, self._in_turn = exact, dict.fromkeys(turns, exact)
        if has_all_trumps(rules):
            nothing = {scope: {"pair": NONE, "points": NONE} for scope in SCOPES}
            by_turn = (exact, exact, nothing, exact_in_all_trumps(rules))
            self._in_turn = {turn: by_turn[turn] for turn in turns}
        self._deals = {turn: int(counts.deals[groups_of(stage, (turn,))].sum()) for turn in turns}

    def exact(self, row: Row) -> Fraction | None:
        """The exact number, if it is the same under all contracts."""
        numbers = [_number(melds, row) for melds in self._melds(row)]
        return numbers[0] if numbers.count(numbers[0]) == len(numbers) else None

    def mixed(self, row: Row) -> float:
        """The number under the contracts as often as they were played."""
        parts = zip(self._melds(row), self._deals.values(), strict=True)
        return sum(float(_number(melds, row)) * deals for melds, deals in parts) / sum(self._deals.values())

    def _melds(self, row: Row) -> list[Exact]:
        return [melds if row.meld in ("pair", "points") else self._exact for melds in self._in_turn.values()]


def _number(exact: Exact, row: Row) -> Fraction:
    distribution = exact[row.scope][row.meld]
    return distribution.at_least(1) if row.what == "some" else distribution.mean


def _bid_row(row: Row, random: _Random, histogram: Histogram, unit: Unit, rules: Rules) -> Row:
    row, share = replace(row, exact=random.exact(row)), _share(histogram, unit, row, rules)
    if share.n == 0:
        return replace(row, n=0)
    start = random.mixed(row) if row.exact is None else float(row.exact)
    return replace(row, simulated=share.mean, se=share.se, n=share.n, change=share.mean - start)


def fit_of_points(exact: Exact, rules: Rules, counts: MeldCounts, contract: str = "all") -> ChiSquare | None:
    """How well the points of all deals fit their exact distribution; deals are independent.  None of too few deals.

    contract: as in `exact_rows`.
    """
    histogram, points = counts.of("scored", [_GROUP[contract]]), exact["deal"]["points"]
    seen = np.array([histogram.counted(DEAL, value // points_step(rules)) for value in points.counts])
    try:
        return pearson(seen, np.array([float(points.p(value)) for value in points.counts]))
    except ValueError:
        return None
