"""Legal cards (docs/rules.md, Play), in the words of the players: one procedure and its flags."""

from __future__ import annotations

from collections.abc import Sequence

from mpsim.referee.trick import RUFF, Order, winner
from mpsim.rules.model import Play


def legal_cards(hand: Sequence[int], trick: Sequence[int], order: Order, play: Play) -> list[int]:
    """The cards of `hand` that may be added to `trick`, in the hand's order; all of them when leading."""
    if not trick:
        return list(hand)
    place = winner(trick, order)
    partner_wins = len(trick) >= 2 and place == len(trick) - 2
    led = order.suit[trick[0]]
    best = order.strength[led][trick[place]]
    following = [card for card in hand if order.suit[card] == led]
    if following:
        return _follow(following, led, best, partner_wins, order, play)
    return _void(hand, led, best, partner_wins, order, play)


def _follow(following: list[int], led: int, best: int, partner_wins: bool, order: Order, play: Play) -> list[int]:
    """Cards of the suit led: only those that beat the best card, where one must and can."""
    if led in order.trump_suits:
        must_beat = play.head_trump and (play.head_trump_vs_partner or not partner_wins)
    else:
        ruffed = best >= RUFF
        must_beat = play.head_plain and not ruffed
    if partner_wins and play.partner_relief in ("follow", "full"):
        must_beat = False
    if must_beat:
        beating = [card for card in following if order.strength[led][card] > best]
        return beating or following
    return following


def _void(hand: Sequence[int], led: int, best: int, partner_wins: bool, order: Order, play: Play) -> list[int]:
    """Without a card of the suit led: trumps, where one must and can, and higher ones over a ruff."""
    anything = list(hand)
    if order.trump is None or led == order.trump or not play.must_ruff:
        return anything
    trumps = [card for card in hand if order.suit[card] == order.trump]
    if not trumps:
        return anything
    over = [card for card in trumps if best >= RUFF and order.strength[led][card] > best]
    if partner_wins and play.partner_relief in ("ruff", "full"):
        bare = len(trumps) == len(hand)
        return over if play.bare_trumps_overruff and bare and over else anything
    if best < RUFF:
        return trumps
    if partner_wins and play.partner_relief == "follow":
        return trumps
    if play.must_overruff and over:
        return over
    return trumps if play.must_underruff else anything
