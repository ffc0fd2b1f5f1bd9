"""A settlement told to a person: what each team has, what is written down, and why."""

from __future__ import annotations

from mpsim.referee.record import DealRecord
from mpsim.referee.score import FAILED, HUNG, MADE, SCORED, limit_digit
from mpsim.rules.model import Rules

TIMES = {1: "", 2: " twice", 4: " four times"}

AT_LIMIT = {
    "fewer_up": "rounds up for the team with fewer points and down for the other",
    "caller_low": "rounds down for the makers and up for the opponents",
    "up": "rounds up",
    "down": "rounds down",
}


def settlement_told(record: DealRecord, rules: Rules) -> list[str]:
    """The last part of a deal's story, line by line."""
    deal = record.settlement
    if record.round == 0:
        dealer = "the next player deals" if rules.auction.allpass_rotates else "the same player deals again"
        return ["Settlement", f"  Thrown in: nobody scores, {dealer}."]
    lines = ["Settlement", *_totals(record, rules)]
    if _times(record, rules) < record.multiplier:
        lines.append("  All tricks went to one team, so the double does not count.")
    lines.append(f"  {_verdict(record, rules)}")
    if rules.score.rounding == "tens":
        lines.append(f"  {_in_tens(record, rules)}{_at_limit(record, rules)}.")
    lines.append(f"  Written down: team 0 {deal.scores[0]}, team 1 {deal.scores[1]}.")
    if deal.sweeper >= 0 and rules.score.capo_mode == "wins_match":
        lines.append(f"  Team {deal.sweeper} won all tricks, which wins the match.")
    return lines


def has_melds(rules: Rules) -> bool:
    """Whether any meld is worth anything."""
    melds = rules.melds
    return bool(any(melds.run_points) or any(melds.fours_table) or melds.trump_pair)


def _totals(record: DealRecord, rules: Rules) -> list[str]:
    deal = record.settlement
    roles = ((0, ""), (1, ""))
    if deal.outcome != SCORED:
        roles = ((deal.makers, " (makers)"), (1 - deal.makers, " (opponents)"))
    summed = ("{} + {} melds = " if has_melds(rules) else "").format
    return [
        f"  Team {team}{role}: {summed(record.points[team], record.melds[team])}{deal.totals[team]}."
        for team, role in roles
    ]


def _times(record: DealRecord, rules: Rules) -> int:
    """How many times the deal counts; a double may be void when all tricks go to one side."""
    cancelled = record.settlement.sweeper >= 0 and rules.score.capot_cancels_double
    return 1 if cancelled else record.multiplier


def _verdict(record: DealRecord, rules: Rules) -> str:
    deal, times = record.settlement, _times(record, rules)
    level = deal.totals[0] == deal.totals[1]
    everything = f"everything{TIMES[times]}{_less(record, rules)}"
    if deal.outcome == SCORED:
        return "Each team scores what it took."
    if deal.outcome == FAILED:
        lost = "Mesa" if rules.auction.kind == "accept" else "Lost"
        return f"{lost}{', level counts as failed' if level else ''}: the opponents score {everything}."
    if deal.outcome == HUNG:
        whose = "all" if times > 1 and rules.score.hang_doubled == "all" else "the makers'"
        return f"Level: {whose} {deal.hung} points wait for a later deal."
    if level:
        return f"Level: each team keeps its own{TIMES[times]}."
    return "Made: each team scores its own." if times == 1 else f"Made: the makers score {everything}."


def _less(record: DealRecord, rules: Rules) -> str:
    """The printed totals pay no last trick to a side that takes everything."""
    deal = record.settlement
    if rules.score.rounding == "tens":
        return ""
    unpaid = _times(record, rules) * sum(deal.totals) - sum(deal.scores)
    return f", but not the {unpaid} for the last trick, which the printed totals leave out" if unpaid else ""


def _shared(record: DealRecord, rules: Rules) -> bool:
    """Whether each side's own points are rounded, and not only those of both together."""
    deal, times = record.settlement, _times(record, rules)
    if times > 1 and not rules.score.round_then_multiply:
        return False
    if deal.outcome == HUNG:
        return times == 1 or rules.score.hang_doubled == "half"
    return deal.outcome == MADE and (times == 1 or deal.totals[0] == deal.totals[1])


def _in_tens(record: DealRecord, rules: Rules) -> str:
    deal, times = record.settlement, _times(record, rules)
    whole = sum(deal.totals)
    if _shared(record, rules) and deal.outcome == MADE:
        makers, others = deal.makers, 1 - deal.makers
        first, second = (f"{deal.totals[team]} is {deal.scores[team] // times}" for team in (makers, others))
        return f"In tens: {first} and {second}"
    if times > 1 and not rules.score.round_then_multiply:
        return f"In tens: {whole * times},{TIMES[times]} {whole}, is {(whole * times + 5) // 10}"
    tens = (whole + 5) // 10
    half = f", the opponents' half {deal.scores[1 - deal.makers] // times}" if _shared(record, rules) else ""
    return f"In tens: {whole} is {tens}{half}" + (f",{TIMES[times]} {tens * times}" if times > 1 else "")


def _at_limit(record: DealRecord, rules: Rules) -> str:
    """The rule for the digit that decides nothing by itself, where it was asked for."""
    limit = limit_digit(record.contract, rules.score)
    deal = record.settlement
    if not _shared(record, rules) or all(total % 10 != limit for total in deal.totals):
        return ""
    rule = rules.score.round_tie
    level = rule == "fewer_up" and deal.totals[0] == deal.totals[1]
    return f"; a last {limit} " + ("rounds up for the makers and down for the opponents" if level else AT_LIMIT[rule])
