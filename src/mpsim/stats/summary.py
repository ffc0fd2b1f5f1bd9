"""A tally as the numbers people read: every rate and mean with its n, what it is of, and its interval."""

from __future__ import annotations

from typing import Any

from mpsim.rules.model import Rules
from mpsim.stats.estimates import mean, rate
from mpsim.stats.tally import MAKERS, MULTIPLIERS, ROUNDS, SEATS, Tally, contracts_of, sides_of

ALL, PLAYED = "all deals", "played deals"


def summarise(tally: Tally, rules: Rules) -> dict[str, Any]:
    """Nested plain values; rates are {count, n, of, rate, low, high}, means {n, of, mean, se, low, high}.

    What a game does not have is left out: who accepted where nobody takes, doubles where nobody doubles, the exchange
    where no card is turned, melds where none are worth anything.
    """
    read = _Reader(tally)
    sides = sides_of(rules)
    summary = {
        "deals": tally.count("deals"),
        "played": tally.count("played"),
        "score_unit": score_unit(rules),
        "thrown_in": read.of_all("thrown_in"),
    }
    if sides == MAKERS:
        summary["accepted"] = _accepted(read, rules)
    summary["contract"] = {name: read.of_played(f"contract_{name}") for name in contracts_of(rules)}
    if rules.auction.kind == "ladder":
        summary |= {"multiplier": {name: read.of_played(name) for name in MULTIPLIERS}}
    if sides == MAKERS:
        summary["made"] = {name: read.made(name) for name in contracts_of(rules)}
    outcomes = ("made", "failed", "hung") if sides == MAKERS else ("scored",)
    summary["outcome"] = {name: read.of_played(name) for name in outcomes}
    summary["capo"] = {side: read.of_played(f"capo_{side}") for side in sides}
    if rules.deal.turn_up:
        by_seat = [f"exchanged_{seat}" for seat in SEATS]
        summary["exchange"] = {"any": read.of_played(*by_seat), "non_dealers": read.of_played(*by_seat[:3])}
    if has_melds(rules):
        summary["melds"] = {who: read.mean(f"meld_{who}") for who in (*sides, "deal")}
    for name in ("points", "score"):
        summary[name] = {who: read.mean(f"{name}_{who}") for who in (*sides, "difference")}
    return summary


def score_unit(rules: Rules) -> str:
    """What a team's score counts."""
    return "game points" if rules.score.rounding == "tens" else "points"


def has_melds(rules: Rules) -> bool:
    """Whether any meld is worth anything."""
    melds = rules.melds
    return any((*melds.run_points, *melds.fours_table, melds.trump_pair))


def _accepted(read: _Reader, rules: Rules) -> dict[str, Any]:
    """Who took, of all deals: by round where there are two of them."""
    if rules.auction.kind != "accept":
        return read.by_seat("accepted")
    return {f"round_{turn}": read.by_seat(f"accepted_{turn}") for turn in ROUNDS}


class _Reader:
    """Rates and means of a tally by the names of its counts."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally

    def _rate(self, names: tuple[str, ...], of: str, whole: str) -> dict[str, Any]:
        count = self._tally.count
        return rate(sum(map(count, names)), count(whole), of).as_dict()

    def of_all(self, *names: str) -> dict[str, Any]:
        """How many of all deals."""
        return self._rate(names, ALL, "deals")

    def of_played(self, *names: str) -> dict[str, Any]:
        """How many of the deals that were played."""
        return self._rate(names, PLAYED, "played")

    def made(self, contract: str) -> dict[str, Any]:
        """How many of a contract's deals were made."""
        return self._rate((f"made_{contract}",), f"deals in {contract}", f"contract_{contract}")

    def by_seat(self, name: str) -> dict[str, Any]:
        """A count of anybody and of each seat."""
        seats = {f"seat_{seat}": f"{name}_{seat}" for seat in SEATS}
        return {"any": self.of_all(*seats.values())} | {seat: self.of_all(key) for seat, key in seats.items()}

    def mean(self, name: str) -> dict[str, Any]:
        """The mean of a quantity over the deals that were played."""
        return mean(self._tally.moment(name), PLAYED).as_dict()
