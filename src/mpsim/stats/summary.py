"""A tally as the numbers people read: every rate and mean with its n, what it is of, and its interval."""

from __future__ import annotations

from typing import Any

from mpsim.stats.estimates import mean, rate
from mpsim.stats.tally import ROUNDS, SEATS, Tally

ALL, PLAYED = "all deals", "played deals"


def summarise(tally: Tally) -> dict[str, Any]:
    """Nested plain values; rates are {count, n, of, rate, low, high}, means {n, of, mean, se, low, high}."""
    count = tally.count
    deals, played = count("deals"), count("played")

    def of_all(number: int) -> dict[str, Any]:
        return rate(number, deals, ALL).as_dict()

    def of_played(number: int) -> dict[str, Any]:
        return rate(number, played, PLAYED).as_dict()

    def average(name: str) -> dict[str, Any]:
        return mean(tally.moment(name), PLAYED).as_dict()

    by_seat = [count(f"exchanged_{seat}") for seat in SEATS]
    return {
        "deals": deals,
        "played": played,
        "thrown_in": of_all(count("thrown_in")),
        "accepted": {
            f"round_{turn}": {
                "any": of_all(sum(count(f"accepted_{turn}_{seat}") for seat in SEATS)),
                **{f"seat_{seat}": of_all(count(f"accepted_{turn}_{seat}")) for seat in SEATS},
            }
            for turn in ROUNDS
        },
        "outcome": {name: of_played(count(name)) for name in ("made", "failed", "hung")},
        "capo": {side: of_played(count(f"capo_{side}")) for side in ("makers", "defenders")},
        "exchange": {"any": of_played(sum(by_seat)), "non_dealers": of_played(sum(by_seat[:3]))},
        "melds": {who: average(f"meld_{who}") for who in ("makers", "defenders", "deal")},
        "points": {who: average(f"points_{who}") for who in ("makers", "defenders", "difference")},
        "score": {who: average(f"score_{who}") for who in ("makers", "defenders", "difference")},
    }
