"""A tally of matches as the numbers people read: every rate and mean with its n, what it is of, and its interval."""

from __future__ import annotations

from typing import Any

from mpsim.rules.model import Rules
from mpsim.stats.estimates import Rate, mean, rate
from mpsim.stats.match_tally import ENDED, MatchTally, moments_by_value, quantile
from mpsim.stats.summary import score_unit

ALL, DECIDED, LOSING = "all matches", "decided matches", "matches that lost points"
EVEN = 0.5
QUANTILES = {"min": 0, "5 %": 5, "25 %": 25, "median": 50, "75 %": 75, "95 %": 95, "max": 100}
COUNTED = ("thrown_in", "capots", "hung", "hanging")


def summarise_matches(tally: MatchTally, rules: Rules) -> dict[str, Any]:
    """Nested plain values; rates are {count, n, of, rate, low, high}, means {n, of, mean, se, low, high}."""
    dealer = rate(tally.won_by_first_dealer(), tally.decided, DECIDED)
    opener = rate(tally.decided - dealer.count, tally.decided, DECIDED)
    lost = {points: count for points, count in tally.of("hanging").items() if points}
    return {
        "matches": tally.matches,
        "decided": tally.decided,
        "score_unit": score_unit(rules),
        "winner": {name: rate(tally.won(team), tally.matches, ALL).as_dict() for name, team in _TEAMS.items()},
        "first_dealer": _against_even(dealer),
        "opener": _against_even(opener),
        "length": {name: _length(tally, name) for name in ("deals", "scored")},
        "margin": _spread(tally, "margin", DECIDED),
        "ended": {how: rate(tally.ended(how), tally.matches, ALL).as_dict() for how in ENDED},
        **{name: _counted(tally, name) for name in COUNTED},
        "lost": mean(moments_by_value(lost), LOSING).as_dict(),
    }


_TEAMS = {"team_0": 0, "team_1": 1, "nobody": -1}


def clauses(rules: Rules) -> tuple[str, ...]:
    """The ways of ENDED in which a match can end under these rules."""
    match = rules.match
    can = {
        "raise": match.capot_exit == "raise",
        "one_more": match.capot_exit == "one_more",
        "sweep": rules.score.capo_mode == "wins_match",
        "claim": match.declare_policy != "none",
    }
    return tuple(how for how in ENDED if can.get(how, True))


def verdict(share: Rate, even: float) -> str:
    """`above`, `below`, or `undecided` where the interval holds the even share, or there is none."""
    if share.low is None or share.high is None or share.low <= even <= share.high:
        return "undecided"
    return "above" if share.low > even else "below"


def _against_even(share: Rate) -> dict[str, Any]:
    return {**share.as_dict(), "even": EVEN, "verdict": verdict(share, EVEN)}


def _spread(tally: MatchTally, quantity: str, of: str) -> dict[str, Any]:
    values = tally.of(quantity)
    return {
        "mean": mean(moments_by_value(values), of).as_dict(),
        "quantiles": {name: quantile(values, percent) for name, percent in QUANTILES.items()},
    }


def _length(tally: MatchTally, quantity: str) -> dict[str, Any]:
    values = tally.of(quantity)
    shares = {str(value): rate(values[value], tally.matches, ALL).as_dict() for value in sorted(values)}
    return {**_spread(tally, quantity, ALL), "histogram": shares}


def _counted(tally: MatchTally, quantity: str) -> dict[str, Any]:
    """How many a match, and the matches that have any."""
    values = tally.of(quantity)
    return {
        "mean": mean(moments_by_value(values), ALL).as_dict(),
        "some": rate(tally.matches - values[0], tally.matches, ALL).as_dict(),
    }
