"""When a match ends: target, level scores, capots, sweeps, claims, and points that hang (docs/rules.md, Match)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mpsim.referee.score import FAILED, HUNG, MADE, THROWN_IN, Settlement
from mpsim.rules.model import Rules

if TYPE_CHECKING:
    from mpsim.referee.record import DealRecord

TARGET, LEVEL, RAISE, ONE_MORE, SWEEP, CLAIM = "target", "level", "raise", "one_more", "sweep", "claim"
"""What decided a match: the target reached; a lead after both teams stood level there; a lead after a capot had raised
the target, or called for one more deal; all tricks of a deal; a claim in mid-deal."""


class Match:
    """The score sheet of one match.

    Players 0..3 sit in turn order and teams are players 0 and 2 against 1 and 3; `dealer` is the player who deals
    next.  A deal's own seats are counted from the dealer's next, so its team 0 need not be the match's team 0.
    """

    def __init__(self, rules: Rules, dealer: int = 3) -> None:
        self.rules = rules
        self.dealer = dealer
        self.scores = [0, 0]
        self.pool = 0
        """Points that hang."""
        self.target = rules.match.target
        self.scored = 0
        """Deals that were not thrown in."""
        self.extra_deals = 0
        """Scored deals still to be played before level scores are compared again; 0 in normal play."""
        self.winner: int | None = None
        self.ended = ""
        """What decided the match; empty while it goes on."""
        self._decides = TARGET

    def team_of(self, deal_team: int) -> int:
        """The match's team that is `deal_team` in the deal now being played."""
        return (deal_team + self.dealer + 1) % 2

    def add_record(self, record: DealRecord) -> None:
        """Write a whole deal down, or as much of it as was played before a team claimed the match."""
        claimed = self._claimed(record)
        if claimed is None:
            self.add(record.settlement)
            return
        self.scored += 1
        team, captured = claimed
        for deal_team in (0, 1):
            self.scores[self.team_of(deal_team)] += captured[deal_team]
        self._win(self.team_of(team), CLAIM)
        self.dealer = (self.dealer + 1) % 4

    def _claimed(self, record: DealRecord) -> tuple[int, list[int]] | None:
        """The deal's team that claims the match with a trick, and what each has captured by then; None if none does."""
        match = self.rules.match
        if match.declare_policy == "none" or self.scored + 1 < match.declare_from_deal or self.winner is not None:
            return None
        captured = [0, 0]
        for number, (seat, points) in enumerate(zip(record.winners, record.trick_points, strict=True), start=1):
            team = seat % 2
            last = number == len(record.winners)
            captured[team] += points + (self.rules.score.last_trick if last else 0)
            if self.scores[self.team_of(team)] + captured[team] >= match.target:
                return team, captured
        return None

    def add(self, deal: Settlement) -> None:
        """Write a deal down, hung points included, see whether the match is over and pass the deal on."""
        if deal.outcome == THROWN_IN:
            if self.rules.auction.allpass_rotates:
                self.dealer = (self.dealer + 1) % 4
            return
        scores = [0, 0]
        for team in (0, 1):
            scores[self.team_of(team)] = deal.scores[team]
        better = self._better_team(deal)
        if better is not None:
            scores[self.team_of(better)] += self.pool
            self.pool = 0
        elif deal.outcome == HUNG:
            self.pool += deal.hung
        self.add_scores(scores, -1 if deal.sweeper < 0 else self.team_of(deal.sweeper))
        self.dealer = (self.dealer + 1) % 4

    def _better_team(self, deal: Settlement) -> int | None:
        """Who takes the points that hang."""
        if deal.outcome not in (MADE, FAILED):
            return None
        return deal.makers if deal.outcome == MADE else 1 - deal.makers

    def add_scores(self, scores: Sequence[int], sweeper: int = -1) -> None:
        """Write down the teams' scores of a scored deal, all its tricks won by `sweeper`, and see if the match ends."""
        self.scored += 1
        for team in (0, 1):
            self.scores[team] += scores[team]
        if self.winner is None:
            self._check_end(sweeper)

    def _check_end(self, sweeper: int) -> None:
        match = self.rules.match
        if sweeper >= 0 and self.rules.score.capo_mode == "wins_match":
            self._win(sweeper, SWEEP)
            return
        if self.extra_deals:
            self.extra_deals -= 1
            if self.extra_deals and not match.tie_early_stop:
                return
        if sweeper >= 0 and match.capot_exit != "allowed":
            self._go_on_after_capot()
            return
        blocked = self.scored < match.min_deals or (match.hang_blocks_end and self.pool > 0)
        if blocked or max(self.scores) < self.target:
            return
        if self.scores[0] != self.scores[1]:
            self._win(0 if self.scores[0] > self.scores[1] else 1, self._decides)
        elif not self.extra_deals:
            self.extra_deals = match.tie_extra_deals
            self._decides = LEVEL

    def _go_on_after_capot(self) -> None:
        """Nothing ends with all tricks to one side: the target rises above the leader, or the next deal decides."""
        if max(self.scores) < self.target:
            return
        if self.rules.match.capot_exit == "raise":
            self.target = max(self.scores) + 1
            self._decides = RAISE
        else:
            self._decides = ONE_MORE

    def _win(self, team: int, ended: str) -> None:
        self.winner, self.ended = team, ended
