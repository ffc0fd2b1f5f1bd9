"""What is counted of a run's deals: exact integers that add.

Legend: makers are the taker's team, defenders the other one, and where nobody takes there are only teams 0 and 1;
played deals are those not thrown in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mpsim.errors import MpsimError
from mpsim.rules.model import Rules
from mpsim.stats.estimates import Moments

Array = npt.NDArray[Any]

SEATS = range(4)
ROUNDS = (1, 2)
OUTCOMES = ("made", "failed", "hung", "thrown_in", "scored")
MULTIPLIERS = {"doubled": 2, "redoubled": 4}
MAKERS, TEAMS = ("makers", "defenders"), ("team_0", "team_1")
THIRD = {"meld": "deal", "points": "difference", "score": "difference"}
"""What moments are taken of, besides the values of the two sides."""


def sides_of(rules: Rules) -> tuple[str, str]:
    """The two sides of a deal: makers and defenders, or the teams where nobody takes."""
    return TEAMS if rules.auction.kind == "turned" else MAKERS


def contracts_of(rules: Rules) -> tuple[str, ...]:
    """The contracts that can be played, by code."""
    suits = tuple(rules.deck.suits)
    return (*suits, "NT", "AT") if rules.auction.kind == "ladder" else suits


def _moment_names(sides: tuple[str, str]) -> list[str]:
    return [f"{name}_{who}" for name, third in THIRD.items() for who in (*sides, third)]


class IdentityError(MpsimError):
    """Counts of different games were to be added."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts and moments by name, of the deals of one identity (rules, policies, seed: one hash)."""

    identity: str
    counts: dict[str, int] = field(default_factory=dict)
    moments: dict[str, Moments] = field(default_factory=dict)

    def __add__(self, other: Tally) -> Tally:
        if self.identity != other.identity:
            raise IdentityError(
                f"counts of {self.identity[:12]} and {other.identity[:12]} cannot be added: they come from different "
                "rules, policies or seeds; compare them instead"
            )
        counts, moments = dict(self.counts), dict(self.moments)
        for name, count in other.counts.items():
            counts[name] = counts.get(name, 0) + count
        for name, values in other.moments.items():
            moments[name] = moments.get(name, Moments()) + values
        return Tally(self.identity, counts, moments)

    def count(self, name: str) -> int:
        """A count; 0 for one that never came."""
        return self.counts.get(name, 0)

    def moment(self, name: str) -> Moments:
        """Moments of a quantity; empty for one that never came."""
        return self.moments.get(name, Moments())

    def fits(self, deals: int) -> bool:
        """Whether so many deals can have these counts and moments; those of a damaged record hardly do."""
        played, taken, scored = self.count("played"), self._sum("accepted_"), self.count("scored")
        moments = [self.moment(name) for name in _moment_names(TEAMS if scored else MAKERS)]
        return (
            min(self.counts.values(), default=0) >= 0
            and self.count("deals") == deals == sum(map(self.count, OUTCOMES))
            and played == deals - self.count("thrown_in") == self._sum("contract_") == taken + scored
            and max(self._sum("exchanged_"), self._sum("capo_"), sum(map(self.count, MULTIPLIERS))) <= played
            and self._sum("made_") == self.count("made")
            and all(values.n == played and values.n * values.squares >= values.total**2 for values in moments)
        )

    def _sum(self, prefix: str) -> int:
        return sum(count for name, count in self.counts.items() if name.startswith(prefix))

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON: counts, and [n, sum, sum of squares] by name."""
        return {
            "counts": dict(self.counts),
            "moments": {name: [m.n, m.total, m.squares] for name, m in self.moments.items()},
        }


def tally_from_dict(identity: str, data: dict[str, Any]) -> Tally:
    """The inverse of `Tally.as_dict`."""
    moments = {name: Moments(*values) for name, values in data["moments"].items()}
    return Tally(identity, dict(data["counts"]), moments)


def moments_of(values: Array) -> Moments:
    """Exact moments of an integer array (any integer type, |value| < 2^31 and n < 2^31 / max |value|)."""
    wide = values.astype(np.int64)
    return Moments(len(wide), int(wide.sum()), int(np.dot(wide, wide)))


def paired_difference(a: Array, b: Array) -> Moments:
    """Moments of a - b, row by row: the way to compare two measurements of the same deals."""
    return moments_of(a.astype(np.int64) - b.astype(np.int64))


def tally_deals(identity: str, rows: dict[str, Array], rules: Rules) -> Tally:
    """Count deals given as arrays by column name (categories as codes); shape (n,) each."""
    counts = _counts(rows, rules)
    return Tally(identity, counts, _moments(rows, counts["played"], sides_of(rules)))


def _counts(rows: dict[str, Array], rules: Rules) -> dict[str, int]:
    deals, thrown_in = len(rows["round"]), int(np.count_nonzero(rows["round"] == 0))
    counts = {"deals": deals, "played": deals - thrown_in}
    counts |= _accepted(rows, rules) | _by_contract(rows, rules)
    exchanged = np.bincount(rows["exchanger"] + 1, minlength=5).tolist()
    return counts | {f"exchanged_{seat}": exchanged[seat + 1] for seat in SEATS} | _capo(rows, sides_of(rules))


def _accepted(rows: dict[str, Array], rules: Rules) -> dict[str, int]:
    """Who took: by round too where there are two of them."""
    if sides_of(rules) == TEAMS:
        return {}
    if rules.auction.kind != "accept":
        taken = np.bincount(rows["taker"] + 1, minlength=5).tolist()
        return {f"accepted_{seat}": taken[seat + 1] for seat in SEATS}
    # One small code a deal, so that one bincount gives the whole table.
    accepted = np.bincount(rows["round"].astype(np.intp) * 5 + rows["taker"] + 1, minlength=15).tolist()
    return {f"accepted_{turn}_{seat}": accepted[turn * 5 + seat + 1] for turn in ROUNDS for seat in SEATS}


def _by_contract(rows: dict[str, Array], rules: Rules) -> dict[str, int]:
    """Outcomes, contracts, those that were made, and doubles."""
    size = len(OUTCOMES)
    table = np.bincount(rows["contract"].astype(np.intp) * size + rows["outcome"], minlength=7 * size)
    by_contract = table.reshape(-1, size)
    counts = dict(zip(OUTCOMES, by_contract.sum(axis=0).tolist(), strict=True))
    for code, contract in enumerate(contracts_of(rules)):
        counts[f"contract_{contract}"] = int(by_contract[code].sum())
        if sides_of(rules) == MAKERS:
            counts[f"made_{contract}"] = int(by_contract[code, 0])
    if rules.auction.kind == "ladder":
        counts |= {name: int(np.count_nonzero(rows["multiplier"] == times)) for name, times in MULTIPLIERS.items()}
    return counts


def _capo(rows: dict[str, Array], sides: tuple[str, str]) -> dict[str, int]:
    # In a thrown-in deal both teams are without a trick, and nobody made a capo.
    team_1, played = _team_1_first(rows, sides), rows["round"] > 0
    empty_0, empty_1 = (rows["tricks_0"] == 0) & played, (rows["tricks_1"] == 0) & played
    return {
        f"capo_{sides[0]}": int(np.count_nonzero(np.where(team_1, empty_0, empty_1))),
        f"capo_{sides[1]}": int(np.count_nonzero(np.where(team_1, empty_1, empty_0))),
    }


def _team_1_first(rows: dict[str, Array], sides: tuple[str, str]) -> Array:
    """Where team 1 is the first of the sides."""
    first: Array = (rows["taker"] & 1 == 1) & (sides == MAKERS)
    return first


def _moments(rows: dict[str, Array], played: int, sides: tuple[str, str]) -> dict[str, Moments]:
    # Thrown-in deals hold zeros and add nothing to a sum, so it is enough to leave them out of n.
    team_1_first = _team_1_first(rows, sides)
    moments: dict[str, Moments] = {}
    for name, third in THIRD.items():
        team_0, team_1 = rows[f"{name}_0"], rows[f"{name}_1"]
        own, other = np.where(team_1_first, team_1, team_0), np.where(team_1_first, team_0, team_1)
        values = dict(zip(sides, (moments_of(own), moments_of(other)), strict=True))
        values[third] = moments_of(own + other) if third == "deal" else paired_difference(own, other)
        moments |= {f"{name}_{who}": Moments(played, m.total, m.squares) for who, m in values.items()}
    return moments
