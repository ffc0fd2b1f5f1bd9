"""From tricks to points and from points to what each team writes down (docs/rules.md, Settlement)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mpsim.referee.trick import ALL_TRUMPS, NO_TRUMPS
from mpsim.rules.model import Rules, Score

MADE, FAILED, HUNG, SCORED, THROWN_IN = "made", "failed", "hung", "scored", "thrown_in"
"""How a deal ends; `scored` where nobody is the maker."""


class Settlement(NamedTuple):
    """What a deal came to, by team, in the game's own unit; `hung` waits for a later deal."""

    scores: tuple[int, int]
    totals: tuple[int, int]     # points and melds, before settlement
    outcome: str
    makers: int                 # the team that fixed trumps; -1: there is none, or thrown in
    hung: int = 0
    sweeper: int = -1           # the team that won all tricks


NO_SCORE = Settlement((0, 0), (0, 0), THROWN_IN, -1)
"""The settlement of a deal that nobody took."""


def sweeper_of(tricks: Sequence[int]) -> int:
    """The team that won all tricks, -1 if both won some."""
    return 0 if tricks[1] == 0 else 1 if tricks[0] == 0 else -1


def deal_points(
    cards: Sequence[int], tricks: Sequence[int], last_winner: int, contract: str, rules: Rules
) -> tuple[int, int]:
    """Each team's card points with the bonus for the last trick, or for all tricks; no trumps may double them."""
    score = rules.score
    capo = tricks[1 - last_winner] == 0
    factor = score.nt_multiplier if contract == NO_TRUMPS else 1
    capo_factor = factor if score.nt_capot_doubled else 1
    points = [factor * cards[0], factor * cards[1]]
    points[last_winner] += factor * _for_last_trick(score, capo) + capo_factor * (_for_all_tricks(score) if capo else 0)
    return points[0], points[1]


def _for_last_trick(score: Score, capo: bool) -> int:
    """The last trick counts by itself, too where all tricks are won, unless those replace it."""
    return 0 if capo and score.capo_mode == "replace" else score.last_trick


def _for_all_tricks(score: Score) -> int:
    if score.capo_mode == "wins_match":
        return 0
    # The printed totals of S000 leave the last trick out.
    return score.all_tricks - score.last_trick if score.mp_totals == "text152" else score.all_tricks


def scored_melds(melds: Sequence[int], tricks: Sequence[int], rules: Rules) -> tuple[int, int]:
    """Each team's meld points, none for a team without a trick where melds need one."""
    if not rules.melds.melds_need_trick:
        return melds[0], melds[1]
    return melds[0] if tricks[0] else 0, melds[1] if tricks[1] else 0


class Shares(NamedTuple):
    """What a deal brings to each side before anything is written down, in the game's own unit."""

    makers: int
    opponents: int
    total: int
    unpaid: int     # of the total, where one side takes it all
    level: bool     # both sides have the same points

    @property
    def whole(self) -> int:
        """What one side writes down that takes it all."""
        return self.total - self.unpaid


def settle(
    makers: int,
    contract: str,
    multiplier: int,
    points: Sequence[int],
    melds: Sequence[int],
    tricks: Sequence[int],
    rules: Rules,
) -> Settlement:
    """Compare makers and opponents and settle the deal; `makers` is -1 where each team scores what it took."""
    totals = (points[0] + melds[0], points[1] + melds[1])
    sweeper = sweeper_of(tricks)
    if makers < 0:
        return Settlement(totals, totals, SCORED, makers, 0, sweeper)
    own, other = totals[makers], totals[1 - makers]
    if sweeper >= 0 and rules.score.capot_cancels_double:
        multiplier = 1
    if rules.score.rounding == "tens":
        shares = _in_tens(own, other, contract, multiplier, rules.score)
    else:
        shares = _in_points(own, other, multiplier, sweeper >= 0, rules.score)
    outcome = _outcome(own, other, rules.score)
    to_makers, to_opponents, hung = _written(outcome, shares, multiplier, rules.score)
    scores = (to_makers, to_opponents) if makers == 0 else (to_opponents, to_makers)
    return Settlement(scores, totals, outcome, makers, hung, sweeper)


def _outcome(own: int, other: int, score: Score) -> str:
    """Whether the makers have more than their opponents; when level, what the rules say."""
    if own == other:
        return {"made": MADE, "fail": FAILED, "hang": HUNG}[score.tie_rule]
    return MADE if own > other else FAILED


def _written(outcome: str, shares: Shares, multiplier: int, score: Score) -> tuple[int, int, int]:
    """What the makers write down, what their opponents do, and what hangs."""
    doubled = multiplier > 1
    if outcome == MADE:
        keeps_his_own = not doubled or shares.level
        return (shares.makers, shares.opponents, 0) if keeps_his_own else (shares.whole, 0, 0)
    if outcome == FAILED:
        return 0, shares.whole, 0
    to_opponents = 0 if doubled and score.hang_doubled == "all" else shares.opponents
    return 0, to_opponents, shares.total - to_opponents


def _in_points(own: int, other: int, multiplier: int, capo: bool, score: Score) -> Shares:
    # The printed totals of S000 leave the last trick out of what one side takes whole.
    unpaid = score.last_trick if score.mp_totals == "text152" and not capo else 0
    makers, opponents = own * multiplier, other * multiplier
    return Shares(makers, opponents, makers + opponents, unpaid * multiplier, own == other)


def limit_digit(contract: str, score: Score) -> int:
    """The last digit up to which points are rounded down in a contract."""
    return score.limit_digits[{ALL_TRUMPS: 1, NO_TRUMPS: 2}.get(contract, 0)]


def game_points(points: int, contract: str, up_at_limit: bool, score: Score) -> int:
    """Tens of points: up above the contract's limit digit, down below it, at the limit as told."""
    limit = limit_digit(contract, score)
    tens, digit = divmod(points, 10)
    return tens + int(digit > limit or (digit == limit and up_at_limit))


def _in_tens(own: int, other: int, contract: str, multiplier: int, score: Score) -> Shares:
    """Each side's points rounded and then multiplied; or, of a doubled deal, their sum multiplied and then rounded."""
    makers_up, opponents_up = _up_at_limit(own, other, score)
    makers = game_points(own, contract, makers_up, score) * multiplier
    opponents = game_points(other, contract, opponents_up, score) * multiplier
    total = (own + other + 5) // 10 * multiplier
    if multiplier > 1 and not score.round_then_multiply:
        total = ((own + other) * multiplier + 5) // 10
        opponents = total // 2  # only asked for when both sides are level
        makers = total - opponents
    return Shares(makers, opponents, total, 0, own == other)


def _up_at_limit(own: int, other: int, score: Score) -> tuple[bool, bool]:
    """Whether makers and opponents round up at the limit digit; of equal points the makers' half does."""
    match score.round_tie:
        case "fewer_up":
            return own <= other, other < own
        case "caller_low":
            return False, True
        case "up":
            return True, True
        case _:
            return False, False
