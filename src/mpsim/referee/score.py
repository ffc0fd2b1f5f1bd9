"""From tricks to points and from points to what each team writes down (docs/rules.md, Settlement; M1, M16, M17)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mpsim.rules.model import Rules, Score

MADE, FAILED, HUNG, THROWN_IN = "made", "failed", "hung", "thrown_in"


class Settlement(NamedTuple):
    """What a deal came to, by team; `hung` are the makers' points that wait for a later deal."""

    scores: tuple[int, int]
    totals: tuple[int, int]     # points and melds, before settlement
    outcome: str
    makers: int                 # the team that fixed trumps; -1: thrown in
    hung: int = 0


NO_SCORE = Settlement((0, 0), (0, 0), THROWN_IN, -1)
"""The settlement of a deal that nobody took."""


def capo_bonus(score: Score) -> int:
    """What the winner of all tricks gets in place of the last-trick points."""
    if score.mp_totals == "text152":
        return score.all_tricks - score.last_trick
    return {"replace": score.all_tricks, "add": score.all_tricks + score.last_trick}[score.capo_mode]


def deal_points(cards: Sequence[int], tricks: Sequence[int], last_winner: int, rules: Rules) -> tuple[int, int]:
    """Each team's card points with the bonus for the last trick, or for all tricks."""
    points = [cards[0], cards[1]]
    capo = tricks[1 - last_winner] == 0
    points[last_winner] += capo_bonus(rules.score) if capo else rules.score.last_trick
    return points[0], points[1]


def scored_melds(melds: Sequence[int], tricks: Sequence[int], rules: Rules) -> tuple[int, int]:
    """Each team's meld points, none for a team without a trick where melds need one."""
    if not rules.melds.melds_need_trick:
        return melds[0], melds[1]
    return melds[0] if tricks[0] else 0, melds[1] if tricks[1] else 0


def settle(makers: int, points: Sequence[int], melds: Sequence[int], capo: bool, rules: Rules) -> Settlement:
    """Compare makers and opponents and settle the deal; `capo`: one team won all tricks."""
    totals = (points[0] + melds[0], points[1] + melds[1])
    own, other = totals[makers], totals[1 - makers]
    level_made = own == other and rules.score.tie_rule == "made"
    if own > other or level_made:
        return Settlement(totals, totals, MADE, makers)
    if own == other and rules.score.tie_rule == "hang":
        return Settlement(_by_team(makers, 0, other), totals, HUNG, makers, own)
    # The printed totals of S000 leave the last trick out of what a failed contract pays.
    unpaid = rules.score.last_trick if rules.score.mp_totals == "text152" and not capo else 0
    return Settlement(_by_team(makers, 0, own + other - unpaid), totals, FAILED, makers)


def _by_team(makers: int, to_makers: int, to_opponents: int) -> tuple[int, int]:
    return (to_makers, to_opponents) if makers == 0 else (to_opponents, to_makers)
