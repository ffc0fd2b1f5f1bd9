"""Shuffling and dealing: packets round the table, a turned card, and the rest after the auction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mpsim.referee.streams import DEAL, below, draws, remainder
from mpsim.rules.model import Rules

Hands = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The cards of each seat, ascending."""


class FirstDeal(NamedTuple):
    """What lies where during the auction; `upcard` is -1 where none is turned."""

    first: Hands
    upcard: int
    stock: tuple[int, ...]


def dealers_own(rules: Rules) -> bool:
    """Whether the turned card is the last of the dealer's first cards; else it lies on the table, or none is turned."""
    return rules.deal.turn_up and rules.deal.upcard_index < 4 * sum(rules.deal.packets)


def shuffle(seed: int, deal: int, rules: Rules) -> list[int]:
    """The cards of a deal in dealing order.

    Every card in turn gets one of the places still free, as many a seat as he gets cards, all equally likely.  Then it
    is drawn which of a seat's cards are dealt after the auction, the last one first, and which of the dealer's others
    is turned where that is one of them; the order of the rest is of no account.
    """
    size, late = rules.hand_size, sum(rules.deal.packets_after)
    pairs = late // 2                               # draws for a seat's late cards but the last
    bits = iter(draws(seed, deal, DEAL, 4 * size + 1 + 4 * pairs + 1))
    places = [seat for seat in range(4) for _ in range(size)]
    hands: list[list[int]] = [[], [], [], []]
    for card in rules.deck.cards:
        seat = places.pop(below(next(bits), len(places)))
        hands[seat].append(card)
    last = _last_cards(hands, next(bits))
    for seat, hand in enumerate(hands):
        hand += [*_late_cards(hand, late - 1, bits), last[seat]]
    if dealers_own(rules):
        first = size - late
        turned = hands[3].pop(below(next(bits), first))
        hands[3].insert(first - 1, turned)
    return _stacked(hands, rules)


def _last_cards(hands: Sequence[list[int]], draw: int) -> list[int]:
    """Take each seat's last card out of its hand, all four with one draw."""
    last = []
    for hand in hands:
        size = len(hand)
        last.append(hand.pop(below(draw, size)))
        draw = remainder(draw, size)
    return last


def _late_cards(hand: list[int], count: int, bits: Iterator[int]) -> list[int]:
    """Take `count` further cards out of a hand, two with each draw, and one alone where their number is odd."""
    late: list[int] = []
    draw = 0
    for number in range(count):
        size = len(hand)
        draw = next(bits) if number % 2 == 0 else remainder(draw, size + 1)
        late.append(hand.pop(below(draw, size)))
    return late


def _stacked(hands: Sequence[Sequence[int]], rules: Rules) -> list[int]:
    """The deck that deals each seat its cards in the order given; a card that lies turned is the dealer's last one."""
    left = [list(hand) for hand in hands]
    on_table = rules.deal.turn_up and not dealers_own(rules)
    turned = [left[3].pop()] if on_table else []
    deck = _dealt_round(left, rules.deal.packets)
    return [*deck, *turned, *_dealt_round(left, rules.deal.packets_after)]


def _dealt_round(left: Sequence[list[int]], packets: Sequence[int]) -> list[int]:
    """Take packets from each hand in turn; a hand may end early."""
    cards = []
    for packet in packets:
        for hand in left:
            cards += hand[:packet]
            del hand[:packet]
    return cards


def sorted_hands(hands: Sequence[Sequence[int]]) -> Hands:
    """Four hands with their cards ascending."""
    seat0, seat1, seat2, seat3 = (tuple(sorted(hand)) for hand in hands)
    return seat0, seat1, seat2, seat3


def deal_first(deck: Sequence[int], rules: Rules) -> FirstDeal:
    """Deal the packets that come before the auction, seat 0 first, and turn a card if the game turns one."""
    stock = list(deck)
    hands: list[list[int]] = [[], [], [], []]
    for packet in rules.deal.packets:
        for hand in hands:
            hand += stock[:packet]
            del stock[:packet]
    upcard = -1
    if dealers_own(rules):
        upcard = hands[3][-1]
    elif rules.deal.turn_up:
        upcard = stock.pop(0)
    return FirstDeal(sorted_hands(hands), upcard, tuple(stock))


def deal_rest(dealt: FirstDeal, receiver: int, rules: Rules) -> Hands:
    """Deal the packets that come after the auction; `receiver` takes a card on the table as the last of his packets."""
    stock = list(dealt.stock)
    hands = [list(cards) for cards in dealt.first]
    on_table = rules.deal.turn_up and not dealers_own(rules)
    last = len(rules.deal.packets_after) - 1
    for number, packet in enumerate(rules.deal.packets_after):
        for seat, hand in enumerate(hands):
            takes_upcard = on_table and number == last and seat == receiver
            from_stock = packet - 1 if takes_upcard else packet
            hand += stock[:from_stock]
            del stock[:from_stock]
            if takes_upcard:
                hand.append(dealt.upcard)
    return sorted_hands(hands)


def upcard_receiver(taker: int, rules: Rules) -> int:
    """Who has the turned card before any exchange; -1 where none is turned.

    The dealer (seat 3), or the taker of a card on the table; the dealer too when nobody took (taker -1).
    """
    if not rules.deal.turn_up:
        return -1
    to_taker = rules.deal.upcard_to == "taker" and taker >= 0 and not dealers_own(rules)
    return taker if to_taker else 3


def somebody_has_nothing(first: Hands, rules: Rules) -> bool:
    """Whether some seat's first cards are all worth 0 as side-suit cards (aponta)."""
    deck = rules.deck
    worth = dict(zip(deck.plain_order, deck.plain_values, strict=True))
    return any(all(worth[deck.ranks[card % deck.field]] == 0 for card in cards) for cards in first)
