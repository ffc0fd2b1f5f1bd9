"""The swap of the seven for the turned card."""

from __future__ import annotations

from typing import NamedTuple

from mpsim.referee.deal import Hands, sorted_hands
from mpsim.referee.trick import Order, order_of
from mpsim.rules.model import Rules


class Exchange(NamedTuple):
    """Hands after the swap, and who swapped; -1: nobody."""

    hands: Hands
    exchanger: int
    seven: int      # the card that may be swapped for the turned one; -1: none


def exchangeable(upcard: int, contract: str, rules: Rules) -> int:
    """The card called the seven that may be swapped for the turned one; -1 if none may, or none is turned."""
    trump = order_of(rules.deck, contract).trump
    if upcard < 0 or trump is None:
        return -1
    field, rank = rules.deck.field, rules.deck.ranks.index(rules.exchange.exchange_rank)
    turned = upcard // field
    if upcard % field == rank:
        return -1
    match rules.exchange.exchange_suit:
        case "trump":
            return trump * field + rank
        case "upcard_if_trump" if turned != trump:
            return -1
        case _:
            return turned * field + rank


def wants_swap(seven: int, upcard: int, order: Order, rules: Rules) -> bool:
    """Whether the holder of the seven would swap it: always, or for a card that ranks higher in its suit."""
    policy = rules.exchange.exchange_policy
    return policy == "always" or (policy == "better" and order.rank[upcard] > order.rank[seven])


def swap_seven(first: Hands, full: Hands, upcard: int, receiver: int, contract: str, rules: Rules) -> Exchange:
    """Swap the seven and the turned card, which `receiver` holds, in the full hands, if its holder wants to.

    A receiver who holds the seven himself swaps with himself: he is the exchanger and the hands stay as they are.
    """
    seven = exchangeable(upcard, contract, rules)
    window = first if rules.exchange.exchange_window == "first5" else full
    holders = [seat for seat in range(4) if seven in window[seat]]
    if not holders or not wants_swap(seven, upcard, order_of(rules.deck, contract), rules):
        return Exchange(full, -1, seven)
    holder = holders[0]
    hands = [set(hand) for hand in full]
    if holder != receiver:
        hands[holder].remove(seven)
        hands[holder].add(upcard)
        hands[receiver].remove(upcard)
        hands[receiver].add(seven)
    return Exchange(sorted_hands([list(hand) for hand in hands]), holder, seven)
