"""What is on record of a deal, and the row it makes in a run's files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mpsim.referee.auction import Call
from mpsim.referee.deal import Hands
from mpsim.referee.ladder import LadderCall
from mpsim.referee.melds import Meld
from mpsim.referee.score import Settlement

NOT_PLAYED = 255
"""Stands in the `plays` column for a card that was never played."""


@dataclass(frozen=True)
class DealRecord:
    """All of one deal; cards by number, seats from the dealer's next, teams 0 (seats 0, 2) and 1 (seats 1, 3)."""

    seed: int
    deal: int
    first: Hands                            # held while bidding
    upcard: int                             # -1: none turned
    calls: tuple[Call | LadderCall, ...]
    round: int                              # 0: thrown in
    taker: int                              # -1: thrown in, or nobody takes in this game
    contract: str                           # a suit's letter, NT, AT, or none
    multiplier: int                         # 2 doubled, 4 redoubled
    receiver: int                           # who has the turned card before any exchange, -1: none turned
    exchanger: int                          # -1: nobody
    seven: int                              # the card that may be swapped for the turned one, -1: none
    hands: Hands                            # played, after any exchange
    declared: tuple[tuple[Meld, ...], ...]  # melds by seat
    counted: tuple[tuple[Meld, ...], ...]   # those that survived the comparison and the play
    melds: tuple[int, int]                  # meld points scored by team
    plays: tuple[int, ...]                  # cards in the order played
    seats: tuple[int, ...]                  # who played each of them
    legal: tuple[tuple[int, ...], ...]      # what he could have played
    winners: tuple[int, ...]                # seat that won each trick
    trick_points: tuple[int, ...]           # card points in each trick
    tricks: tuple[int, int]
    points: tuple[int, int]                 # cards and bonus for the last or all tricks, by team
    settlement: Settlement

    def cards_won(self, team: int) -> list[int]:
        """The cards in a team's tricks, in the order won and played."""
        return [card for ply, card in enumerate(self.plays) if self.winners[ply // 4] % 2 == team]

    def row(self) -> dict[str, int | str | bytes]:
        """The deal as a row of a run's files: hands as sets of bits, `plays` as bytes."""
        row: dict[str, int | str | bytes] = {"deal": self.deal}
        row |= {f"hand_{seat}": _bits(hand) for seat, hand in enumerate(self.hands)}
        row |= {f"first_{seat}": _bits(hand) for seat, hand in enumerate(self.first)}
        row |= {"upcard": self.upcard, "round": self.round, "taker": self.taker, "contract": self.contract}
        row |= {"multiplier": self.multiplier, "exchanger": self.exchanger}
        for name, pair in (
            ("meld", self.melds), ("tricks", self.tricks), ("points", self.points), ("score", self.settlement.scores),
        ):
            row |= {f"{name}_{team}": pair[team] for team in (0, 1)}
        row["outcome"] = self.settlement.outcome
        size = sum(map(len, self.hands))
        row["plays"] = bytes(self.plays) if self.plays else bytes([NOT_PLAYED] * size)
        return row


def _bits(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)
