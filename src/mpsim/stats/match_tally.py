"""What is counted of matches, each of them one unit: whole numbers that add."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.stats.estimates import Moments

Array = npt.NDArray[Any]

ENDED = ("target", "level", "raise", "one_more", "sweep", "claim", "unfinished")
"""What decided a match, by code."""
QUANTITIES = ("deals", "scored", "thrown_in", "capots", "hung", "hanging", "margin")
"""What is counted by value: of all matches, the margin of those that somebody won."""


class Outcome(NamedTuple):
    """How a match came out."""

    winner: int     # team, -1: nobody
    dealer: int     # the player who dealt first
    ended: str


@dataclass(frozen=True, slots=True)
class MatchTally:
    """Matches by outcome, and by the value of each quantity."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    values: dict[str, Counter[int]] = field(default_factory=dict)

    def __add__(self, other: MatchTally) -> MatchTally:
        values = {name: self.of(name) + other.of(name) for name in QUANTITIES}
        return MatchTally(self.outcomes + other.outcomes, values)

    @property
    def matches(self) -> int:
        """All matches."""
        return self.outcomes.total()

    @property
    def decided(self) -> int:
        """Matches that a team won."""
        return self.matches - self.won(-1)

    def won(self, team: int) -> int:
        """Matches that the team won; -1: nobody."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.winner == team)

    def won_by_first_dealer(self) -> int:
        """Matches that the team of the first dealer won."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.winner == outcome.dealer % 2)

    def ended(self, how: str) -> int:
        """Matches that were decided in this way, one of ENDED."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.ended == how)

    def of(self, quantity: str) -> Counter[int]:
        """Matches by the value of a quantity."""
        return self.values.get(quantity, Counter())


def moments_by_value(values: Mapping[int, int]) -> Moments:
    """Moments of values, each with how often it came."""
    return Moments(
        sum(values.values()),
        sum(value * count for value, count in values.items()),
        sum(value * value * count for value, count in values.items()),
    )


def quantile(values: Mapping[int, int], percent: int) -> int | None:
    """The smallest value that at least so many percent do not exceed; None of nothing."""
    total, up_to = sum(values.values()), 0
    for value in sorted(values):
        up_to += values[value]
        if 100 * up_to >= percent * total:
            return value
    return None


def tally_matches(rows: Mapping[str, Array]) -> MatchTally:
    """Count matches given as arrays by column name, `ended` as codes."""
    decided, margin = rows["winner"] >= 0, rows["score_0"] - rows["score_1"]
    columns = {
        **rows, "scored": rows["deals"] - rows["thrown_in"],
        "margin": np.where(rows["winner"] == 0, margin, -margin)[decided],
    }
    return MatchTally(_outcomes(rows), {name: _by_value(columns[name]) for name in QUANTITIES})


def _outcomes(rows: Mapping[str, Array]) -> Counter[Outcome]:
    ways = len(ENDED)
    code = ((rows["winner"].astype(np.intp) + 1) * 4 + rows["first_dealer"]) * ways + rows["ended"]
    return Counter({
        Outcome(number // (4 * ways) - 1, number // ways % 4, ENDED[number % ways]): count
        for number, count in enumerate(np.bincount(code).tolist()) if count
    })


def _by_value(values: Array) -> Counter[int]:
    found, counts = np.unique(values, return_counts=True)
    return Counter(dict(zip(found.tolist(), counts.tolist(), strict=True)))
