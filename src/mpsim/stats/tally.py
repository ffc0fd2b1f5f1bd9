"""What is counted of a run's deals: exact integers that add.

Legend: makers are the taker's team, defenders the other one; played deals are those not thrown in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mpsim.errors import MpsimError
from mpsim.stats.estimates import Moments

Array = npt.NDArray[Any]

SEATS = range(4)
ROUNDS = (1, 2)
OUTCOMES = ("made", "failed", "hung", "thrown_in")
THIRD = {"meld": "deal", "points": "difference", "score": "difference"}
"""What moments are taken of, besides the makers' and the defenders' values."""
MOMENTS = tuple(f"{name}_{who}" for name, third in THIRD.items() for who in ("makers", "defenders", third))


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
        played, moments = self.count("played"), [self.moment(name) for name in MOMENTS]
        return (
            min(self.counts.values(), default=0) >= 0
            and self.count("deals") == deals == sum(map(self.count, OUTCOMES))
            and played == deals - self.count("thrown_in") == self._sum("accepted_")
            and max(self._sum("exchanged_"), self._sum("capo_")) <= played
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


def tally_deals(identity: str, rows: dict[str, Array]) -> Tally:
    """Count deals given as arrays by column name (categories as codes); shape (n,) each."""
    counts = _counts(rows)
    return Tally(identity, counts, _moments(rows, counts["played"]))


def _counts(rows: dict[str, Array]) -> dict[str, int]:
    # One small code a deal, so that one bincount gives the whole table.
    accepted = np.bincount(rows["round"].astype(np.intp) * 5 + rows["taker"] + 1, minlength=15).tolist()
    counts = {"deals": len(rows["round"]), "played": sum(accepted[5:])}
    for turn in ROUNDS:
        for seat in SEATS:
            counts[f"accepted_{turn}_{seat}"] = accepted[turn * 5 + seat + 1]
    outcomes = np.bincount(rows["outcome"], minlength=len(OUTCOMES)).tolist()
    counts |= dict(zip(OUTCOMES, outcomes, strict=True))
    exchanged = np.bincount(rows["exchanger"] + 1, minlength=5).tolist()
    counts |= {f"exchanged_{seat}": exchanged[seat + 1] for seat in SEATS}
    # In a thrown-in deal both teams are without a trick, and nobody made a capo.
    team_1, played = rows["taker"] & 1 == 1, rows["round"] > 0
    empty_0, empty_1 = (rows["tricks_0"] == 0) & played, (rows["tricks_1"] == 0) & played
    counts["capo_makers"] = int(np.count_nonzero(np.where(team_1, empty_0, empty_1)))
    counts["capo_defenders"] = int(np.count_nonzero(np.where(team_1, empty_1, empty_0)))
    return counts


def _moments(rows: dict[str, Array], played: int) -> dict[str, Moments]:
    # Thrown-in deals hold zeros and add nothing to a sum, so it is enough to leave them out of n.
    makers = rows["taker"] & 1 == 1
    moments: dict[str, Moments] = {}
    for name, third in THIRD.items():
        team_0, team_1 = rows[f"{name}_0"], rows[f"{name}_1"]
        own, other = np.where(makers, team_1, team_0), np.where(makers, team_0, team_1)
        values = {"makers": moments_of(own), "defenders": moments_of(other)}
        values[third] = moments_of(own + other) if third == "deal" else paired_difference(own, other)
        moments |= {f"{name}_{who}": Moments(played, m.total, m.squares) for who, m in values.items()}
    return moments
