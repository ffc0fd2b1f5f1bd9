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


def shuffle(seed: int, deal: int) -> list[int]:
    """The 32 cards of a deal in dealing order.

    Every card in turn gets one of the places still free, eight a seat, all equally likely.  Then it is drawn which of a
    seat's cards is dealt last and which two come before it; the order of the other five is of no account.
    """
    bits = iter(draws(seed, deal, DEAL, 32 + 1 + 4))
    places = [seat for seat in range(4) for _ in range(8)]
    hands: list[list[int]] = [[], [], [], []]
    for card in range(32):
        seat = places.pop(below(next(bits), len(places)))
        hands[seat].append(card)
    last, before = _last_three(hands, next(bits), bits)
    first = [hand[turn] for turn in range(5) for hand in hands]
    return [*first, last[3], *before[0], *before[1], *last[:3]]


def _last_three(hands: list[list[int]], one_of_eight: int, bits: Iterator[int]) -> tuple[list[int], list[list[int]]]:
    """Take three cards out of each hand: by seat the one dealt last, and the two before it as two rounds."""
    last: list[int] = []
    before: list[list[int]] = [[], []]
    for hand in hands:
        last.append(hand.pop(below(one_of_eight, 8)))
        one_of_eight = remainder(one_of_eight, 8)
        two_of_seven = next(bits)
        before[0].append(hand.pop(below(two_of_seven, 7)))
        before[1].append(hand.pop(below(remainder(two_of_seven, 7), 6)))
    return last, before


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
    upcard = stock.pop(0) if rules.deal.turn_up else -1
    return FirstDeal(sorted_hands(hands), upcard, tuple(stock))


def deal_rest(dealt: FirstDeal, receiver: int, rules: Rules) -> Hands:
    """Deal the packets that come after the auction; `receiver` takes the turned card as the last of his last packet."""
    stock = list(dealt.stock)
    hands = [list(cards) for cards in dealt.first]
    last = len(rules.deal.packets_after) - 1
    for number, packet in enumerate(rules.deal.packets_after):
        for seat, hand in enumerate(hands):
            takes_upcard = dealt.upcard >= 0 and number == last and seat == receiver
            from_stock = packet - 1 if takes_upcard else packet
            hand += stock[:from_stock]
            del stock[:from_stock]
            if takes_upcard:
                hand.append(dealt.upcard)
    return sorted_hands(hands)


def upcard_receiver(taker: int, rules: Rules) -> int:
    """Who takes the turned card: the dealer (seat 3), or the taker; the dealer too when nobody took (taker -1)."""
    return taker if rules.deal.upcard_to == "taker" and taker >= 0 else 3


def somebody_has_nothing(first: Hands, rules: Rules) -> bool:
    """Whether some seat's first cards are all worth 0 as side-suit cards (aponta)."""
    deck = rules.deck
    worth = dict(zip(deck.plain_order, deck.plain_values, strict=True))
    width = len(deck.ranks)
    return any(all(worth[deck.ranks[card % width]] == 0 for card in cards) for cards in first)
