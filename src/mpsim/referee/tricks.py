"""The play of the cards, trick by trick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mpsim.cards import format_card
from mpsim.errors import PolicyError
from mpsim.referee.deal import Hands
from mpsim.referee.legal import legal_cards
from mpsim.referee.players import Player, PlayView
from mpsim.referee.streams import remainder
from mpsim.referee.trick import Order, trick_points, winner
from mpsim.rules.check import one_of
from mpsim.rules.model import Rules


class CardPlay(NamedTuple):
    """The tricks of one deal."""

    plays: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    legal: tuple[tuple[int, ...], ...] = ()
    winners: tuple[int, ...] = ()
    trick_points: tuple[int, ...] = ()

    def tricks(self) -> tuple[int, int]:
        """Tricks won by each team."""
        won = sum(seat % 2 == 0 for seat in self.winners)
        return won, len(self.winners) - won

    def card_points(self) -> tuple[int, int]:
        """Card points won by each team."""
        points = [0, 0]
        for seat, held in zip(self.winners, self.trick_points, strict=True):
            points[seat % 2] += held
        return points[0], points[1]


def play_tricks(
    hands: Hands, order: Order, rules: Rules, players: Sequence[Player], bits: Sequence[int], taker: int = 0
) -> CardPlay:
    """Play full hands out, seat 0 leading; `bits` are two draws a trick.

    The first serves the leader and, with what his number of choices leaves of it, the second player; the other one the
    third and the fourth.
    """
    held = [list(hand) for hand in hands]
    plays: list[int] = []
    seats: list[int] = []
    choices: list[tuple[int, ...]] = []
    winners: list[int] = []
    points: list[int] = []
    played: set[int] = set()
    leader = draw = 0
    for number in range(len(held[0])):
        trick: list[int] = []
        for place in range(4):
            seat = (leader + place) % 4
            legal = legal_cards(held[seat], trick, order, rules.play)
            own_team_took = taker >= 0 and seat % 2 == taker % 2
            view = PlayView(held[seat], trick, played, order, own_team_took)
            draw = remainder(draw, len(choices[-1])) if place % 2 else bits[2 * number + place // 2]
            card = _choice(players[seat], view, legal, draw, rules)
            held[seat].remove(card)
            trick.append(card)
            played.add(card)
            plays.append(card)
            seats.append(seat)
            choices.append(tuple(legal))
        leader = (leader + winner(trick, order)) % 4
        winners.append(leader)
        points.append(trick_points(trick, order))
    return CardPlay(tuple(plays), tuple(seats), tuple(choices), tuple(winners), tuple(points))


def _choice(player: Player, view: PlayView, legal: list[int], draw: int, rules: Rules) -> int:
    """What the player plays; nobody is asked when there is nothing to choose."""
    if len(legal) == 1:
        return legal[0]
    card = player.choose(view, legal, draw)
    if card not in legal:
        numbers = one_of(f"{number} ({format_card(number, rules.deck.ranks, rules.deck.suits)})" for number in legal)
        raise PolicyError(f"a player chose {card!r}, which may not be played: choose {numbers}")
    return card
