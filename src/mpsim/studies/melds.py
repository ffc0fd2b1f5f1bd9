"""How often melds come: exact numbers beside what was dealt, and what bidding and exchange make of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mpsim.engine.melds import melds_of_deals, melds_of_run
from mpsim.engine.results import Run
from mpsim.policies.load import Policies
from mpsim.rules import rules_digest
from mpsim.rules.model import Rules
from mpsim.stats.chi_square import ChiSquare, chi_square_p
from mpsim.stats.exact_melds import SCOPES
from mpsim.stats.meld_counts import TURNED, MeldCounts, dealt_at_random
from mpsim.stats.meld_table import (
    Row,
    bidding_rows,
    exact_in_all_trumps,
    exact_melds,
    exact_rows,
    fit_of_points,
    who_scores,
    with_simulated,
)

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Dealt:
    """Where simulated numbers come from."""

    policies: Policies
    seed: int
    first: int
    deals: int
    planned: int
    run: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "run": self.run, "bid": self.policies.as_dict()["bid"], "seed": self.seed, "first": self.first,
            "deals": self.deals, "planned": self.planned,
        }

    def describe(self) -> str:
        """For captions."""
        unfinished = "" if self.deals == self.planned else f" (of {self.planned:,}: the run is unfinished)"
        where = f"{self.deals:,} deals{unfinished} of seed {self.seed} from {self.first}"
        return f"{where}, {self.policies.describe_bidding()}"


@dataclass(frozen=True, slots=True)
class MeldStudy:
    """Rows of melds dealt and, if any deals were looked at, rows of melds by round and role, and the fit of points."""

    rules: Rules
    rows: list[Row]
    bidding: list[Row]
    who_scores: list[Row]
    fit: ChiSquare | None = None
    dealt: Dealt | None = None
    all_trumps: tuple[Row, ...] = ()
    """Pairs and points of the same cards in all trumps, where the rules have them."""
    all_trumps_fit: ChiSquare | None = None

    @property
    def fit_p(self) -> float | None:
        """Chance of points that fit as badly or worse, were the dealer fair."""
        return _p(self.fit)

    @property
    def all_trumps_fit_p(self) -> float | None:
        """The same of points in all trumps."""
        return _p(self.all_trumps_fit)

    @property
    def largest(self) -> Row | None:
        """The row farthest from its exact value."""
        tested = [row for row in (*self.rows, *self.all_trumps) if row.z is not None]
        return max(tested, key=lambda row: abs(row.z or 0), default=None)

    def find(self, scope: str, meld: str, what: str, value: int | None = None) -> Row:
        """One row of melds as dealt."""
        return _index(self.rows)[scope, meld, what, value]

    def find_in_all_trumps(self, scope: str, meld: str, what: str, value: int | None = None) -> Row:
        """One row of the same cards in all trumps."""
        return _index(self.all_trumps)[scope, meld, what, value]

    def all_rows(self) -> list[dict[str, Any]]:
        """Every row as plain values, tidy: for a table."""
        return [row.as_dict() for row in (*self.rows, *self.all_trumps, *self.who_scores, *self.bidding)]

    def as_dict(self) -> dict[str, Any]:
        """The whole answer for JSON, see docs/melds.md."""
        index = _index(self.rows)
        document: dict[str, Any] = {"rules": self.rules.name, "rules_sha256": rules_digest(self.rules)}
        document["dealt"] = self.dealt.as_dict() if self.dealt else None
        for scope in SCOPES:
            document[scope] = _scope(index, scope)
        if self.all_trumps:
            document["all_trumps"] = self._all_trumps_as_dict()
        document["who_scores"] = [row.as_dict() for row in self.who_scores]
        document["fit"] = _fit(self.fit)
        document["bidding"] = [row.as_dict() for row in self.bidding]
        return document

    def _all_trumps_as_dict(self) -> dict[str, Any]:
        index = _index(self.all_trumps)
        found: dict[str, Any] = {scope: _scope_in_all_trumps(index, scope) for scope in SCOPES}
        return found | {"fit": _fit(self.all_trumps_fit)}


Index = Mapping[tuple[str, str, str, int | None], Row]
"""Rows by scope, meld, what and value."""


def _index(rows: Iterable[Row]) -> Index:
    return {(row.scope, row.meld, row.what, row.value): row for row in rows}


def _p(fit: ChiSquare | None) -> float | None:
    return None if fit is None else chi_square_p(fit.statistic, fit.freedom)


def _fit(fit: ChiSquare | None) -> dict[str, Any] | None:
    if fit is None:
        return None
    return {"of": "deals by meld points", "chi_square": fit.statistic, "freedom": fit.freedom, "p": _p(fit)}


Entry = Callable[..., dict[str, Any]]


def _entries(index: Index, scope: str) -> Entry:
    """What the document says of a scope's meld, what and value."""
    def entry(meld: str, what: str, value: int | None = None) -> dict[str, Any]:
        row = index[scope, meld, what, value].as_dict()
        return {key: row[key] for key in ("exact", "exact_fraction", "simulated", "se", "n", "z")}

    return entry


def _numbers(index: Index, scope: str, meld: str) -> dict[str, Any]:
    """By number or points."""
    entry = _entries(index, scope)
    return {str(value): entry(meld, "number", value) for value in _values(index, scope, meld)}


def _scope_in_all_trumps(index: Index, scope: str) -> dict[str, Any]:
    entry = _entries(index, scope)
    return {
        "expected_points": entry("points", "mean"),
        "p_trump_pair": entry("pair", "some"),
        "points": _numbers(index, scope, "points"),
        "number": {"pair": _numbers(index, scope, "pair")},
    }


def _scope(index: Index, scope: str) -> dict[str, Any]:
    """Numbers of a hand, a team or a deal by key."""
    entry = _entries(index, scope)
    melds = {meld for of, meld, *_ in index if of == scope}
    fours = sorted(meld for meld in melds if meld.startswith("four_"))
    return {
        "expected_points": entry("points", "mean"),
        "p_no_sequence": entry("run_3_up", "number", 0),
        "p_run": {str(length): entry(f"run_{length}", "some") for length in range(3, 9) if f"run_{length}" in melds},
        "p_run_at_least": {str(length): entry(f"run_{length}_up", "some") for length in range(3, 6)},
        "p_four": entry("fours", "some"),
        "p_four_of": {four.removeprefix("four_"): entry(four, "some") for four in fours},
        "p_trump_pair": entry("pair", "some"),
        "points": _numbers(index, scope, "points"),
        "number": {meld: _numbers(index, scope, meld) for meld in sorted(melds - {"points"})},
    }


def _values(index: Iterable[tuple[str, str, str, int | None]], scope: str, meld: str) -> list[int]:
    """Numbers or points that are possible."""
    return [value for *key, value in index if key == [scope, meld, "number"] and value is not None]


def study_exact(rules: Rules) -> MeldStudy:
    """Exact numbers alone."""
    all_trumps = tuple(exact_rows(exact_in_all_trumps(rules), "all_trumps"))
    return MeldStudy(
        rules, list(exact_rows(exact_melds(rules))), [], list(who_scores(rules)), all_trumps=all_trumps
    )


def study_deals(
    rules: Rules, policies: Policies, seed: int, first: int, deals: int, threads: int | None = None,
    progress: Progress | None = None,
) -> MeldStudy:
    """Deal and bid so many deals of a seed; nobody plays.  Threads do not change the answer."""
    counts = melds_of_deals(rules, policies, seed, first, deals, threads, progress)
    return _study(rules, counts, Dealt(policies, seed, first, deals, deals))


def study_run(run: Run, threads: int | None = None, progress: Progress | None = None) -> MeldStudy:
    """Read a run's deals, batch by batch: the deals that are there if it is unfinished."""
    counts = melds_of_run(run, threads, progress)
    path, there = str(run.path) if run.path else None, int(counts.deals[TURNED])
    return _study(run.rules, counts, Dealt(run.policies, run.seed, run.first, there, run.deals, path))


def _study(rules: Rules, counts: MeldCounts, dealt: Dealt) -> MeldStudy:
    exact, all_trumps = exact_melds(rules), exact_in_all_trumps(rules)
    fair = dealt_at_random(rules)
    return MeldStudy(
        rules,
        list(with_simulated(exact_rows(exact), rules, counts)),
        list(bidding_rows(exact, rules, counts)),
        list(who_scores(rules)),
        fit_of_points(exact, rules, counts) if fair else None,
        dealt,
        tuple(with_simulated(exact_rows(all_trumps, "all_trumps"), rules, counts)),
        fit_of_points(all_trumps, rules, counts, "all_trumps") if fair and all_trumps else None,
    )
