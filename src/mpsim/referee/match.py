"""When a match ends: target, level scores, and points that hang (docs/rules.md, Match).

Its open questions there are M10, M17 and M18.
"""

from __future__ import annotations

from collections.abc import Sequence

from mpsim.referee.score import FAILED, HUNG, MADE, THROWN_IN, Settlement
from mpsim.rules.model import Rules


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
        self.extra_deals = 0
        """Scored deals still to be played before level scores are compared again; 0 in normal play."""
        self.winner: int | None = None

    def team_of(self, deal_team: int) -> int:
        """The match's team that is `deal_team` in the deal now being played."""
        return (deal_team + self.dealer + 1) % 2

    def add(self, deal: Settlement) -> None:
        """Write a deal down, hung points included, see whether the match is over and pass the deal on."""
        if deal.outcome == THROWN_IN:
            if self.rules.auction.allpass_rotates:
                self.dealer = (self.dealer + 1) % 4
            return
        scores = [0, 0]
        for team in (0, 1):
            scores[self.team_of(team)] = deal.scores[team]
        if deal.outcome in (MADE, FAILED):
            deal_winner = deal.makers if deal.outcome == MADE else 1 - deal.makers
            scores[self.team_of(deal_winner)] += self.pool
            self.pool = 0
        elif deal.outcome == HUNG:
            self.pool += deal.hung
        self.add_scores(scores)
        self.dealer = (self.dealer + 1) % 4

    def add_scores(self, scores: Sequence[int]) -> None:
        """Write the two teams' scores of one scored deal down and see whether the match is over."""
        for team in (0, 1):
            self.scores[team] += scores[team]
        if self.winner is None:
            self._check_end()

    def _check_end(self) -> None:
        ours, theirs = self.scores
        match = self.rules.match
        if self.extra_deals:
            self.extra_deals -= 1
            if self.extra_deals and not match.tie_early_stop:
                return
        if max(ours, theirs) < match.target:
            return
        if ours != theirs:
            self.winner = 0 if ours > theirs else 1
        elif not self.extra_deals:
            self.extra_deals = match.tie_extra_deals
