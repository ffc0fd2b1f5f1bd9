"""The swap of the seven for the turned card."""

from __future__ import annotations

from typing import NamedTuple

from mpsim.cards import SUITS
from mpsim.referee.deal import Hands, sorted_hands
from mpsim.rules.model import Rules


class Exchange(NamedTuple):
    """Hands after the swap, and who swapped; -1: nobody."""

    hands: Hands
    exchanger: int
    seven: int      # the card that may be swapped for the turned one; -1: none


def exchangeable(upcard: int, contract: str, rules: Rules) -> int:
    """The seven (lowest card of its suit) that may be swapped for the turned card, -1 if none may."""
    width = len(rules.deck.ranks)
    turned, trump = upcard // width, SUITS.index(contract)
    if upcard % width == 0:
        return -1
    match rules.exchange.exchange_suit:
        case "trump":
            return trump * width
        case "upcard_if_trump" if turned != trump:
            return -1
        case _:
            return turned * width


def swap_seven(first: Hands, full: Hands, upcard: int, receiver: int, contract: str, rules: Rules) -> Exchange:
    """Swap the seven and the turned card, which `receiver` holds, in the full hands, if the players ever swap.

    A receiver who holds the seven himself swaps with himself: he is the exchanger and the hands stay as they are.
    """
    seven = exchangeable(upcard, contract, rules)
    window = first if rules.exchange.exchange_window == "first5" else full
    holders = [seat for seat in range(4) if seven in window[seat]]
    if not holders or rules.exchange.exchange_policy == "never":
        return Exchange(full, -1, seven)
    holder = holders[0]
    hands = [set(hand) for hand in full]
    if holder != receiver:
        hands[holder].remove(seven)
        hands[holder].add(upcard)
        hands[receiver].remove(upcard)
        hands[receiver].add(seven)
    return Exchange(sorted_hands([list(hand) for hand in hands]), holder, seven)
