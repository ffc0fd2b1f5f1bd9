"""The course of a match: what each deal came to by player, and the scores after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mpsim.referee.match import CLAIM, LEVEL, ONE_MORE, RAISE, SWEEP, TARGET, Match
from mpsim.referee.narrate import TIMES, contract_name
from mpsim.referee.score import THROWN_IN
from mpsim.referee.whole_match import MatchRecord
from mpsim.rules.model import Rules

ENDS = {
    TARGET: "it had the target",
    LEVEL: "it led after extra deals, both having stood level",
    RAISE: "it had the target that a deal with all tricks had raised",
    ONE_MORE: "it led after the deal that a deal with all tricks called for",
    SWEEP: "it won all tricks of a deal",
    CLAIM: "it claimed the match in mid-deal",
}
"""Why a team won."""


@dataclass(frozen=True, slots=True)
class Step:
    """One deal of a match; players and teams are the match's, not the seats of the deal."""

    number: int                 # from 1 on
    deal: int                   # the deal's number in the seed's streams
    dealer: int
    taker: int                  # -1: thrown in, or nobody takes in this game
    contract: str
    multiplier: int
    outcome: str
    sweeper: int                # the team that won all tricks, -1: none
    scores: tuple[int, int]     # written down, points that had hung included
    totals: tuple[int, int]
    hanging: int                # points that wait for a later deal


def course(match: MatchRecord, rules: Rules) -> Iterator[Step]:
    """The deals of a match in order, each written down as the match did."""
    sheet = Match(rules, match.dealer)
    for number, record in enumerate(match.records, start=1):
        dealer, before = sheet.dealer, tuple(sheet.scores)
        taker = (record.taker + dealer + 1) % 4 if record.taker >= 0 else -1
        sweeper = record.settlement.sweeper
        sweeper = sheet.team_of(sweeper) if sweeper >= 0 else -1
        sheet.add_record(record)
        yield Step(
            number, record.deal, dealer, taker, record.contract, record.multiplier, record.settlement.outcome, sweeper,
            (sheet.scores[0] - before[0], sheet.scores[1] - before[1]), (sheet.scores[0], sheet.scores[1]), sheet.pool,
        )


def narrate_match(match: MatchRecord, rules: Rules) -> str:
    """The course of a match, a line a deal, and how it ended."""
    steps = list(course(match, rules))
    columns = _columns(steps, rules)
    if all(step.taker < 0 for step in steps):
        del columns["taker"]
    if all(step.hanging == 0 for step in steps):
        del columns["hanging"]
    return "\n".join([
        f"Match {match.match}, seed {match.seed}, {rules.title}", "Team 0: players 0 and 2.  Team 1: players 1 and 3.",
        "", *_table(columns), "", _ending(match),
    ])


def _columns(steps: Sequence[Step], rules: Rules) -> dict[str, list[str]]:
    return {
        "deal": [str(step.number) for step in steps],
        "dealer": [str(step.dealer) for step in steps],
        "taker": ["" if step.taker < 0 else str(step.taker) for step in steps],
        "contract": [_contract(step, rules) for step in steps],
        "outcome": [_outcome(step) for step in steps],
        **{f"team {team}": [str(step.scores[team]) for step in steps] for team in (0, 1)},
        **{f"total {team}": [str(step.totals[team]) for step in steps] for team in (0, 1)},
        "hanging": [str(step.hanging) for step in steps],
    }


def _contract(step: Step, rules: Rules) -> str:
    return "" if step.outcome == THROWN_IN else contract_name(step.contract, rules) + TIMES[step.multiplier]


def _outcome(step: Step) -> str:
    return step.outcome.replace("_", " ") + (f", all tricks to team {step.sweeper}" if step.sweeper >= 0 else "")


def _table(columns: dict[str, list[str]]) -> list[str]:
    """Lines with the heading first: words from the left, numbers from the right."""
    set_columns = []
    for heading, cells in columns.items():
        width = max(map(len, (heading, *cells)))
        words = heading in ("contract", "outcome")
        set_columns.append([cell.ljust(width) if words else cell.rjust(width) for cell in (heading, *cells)])
    return ["  ".join(row).rstrip() for row in zip(*set_columns, strict=True)]


def _ending(match: MatchRecord) -> str:
    thrown_in = f", {match.thrown_in} of them thrown in" if match.thrown_in else ""
    played = f"after {match.deals} deal{'' if match.deals == 1 else 's'}{thrown_in}"
    lost = f"  The {match.pool} that hang are lost." if match.pool else ""
    if match.winner < 0:
        return f"Nobody has won {played}.{lost}"
    ours, theirs = match.scores[match.winner], match.scores[1 - match.winner]
    return f"Team {match.winner} wins {ours} to {theirs} {played}: {ENDS[match.ended]}.{lost}"
