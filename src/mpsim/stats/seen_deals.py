"""What a deal can be like for one who sees his own cards and perhaps the turned card.

Cards not seen are equally likely anywhere, but for the swap of the seven: it moves two cards, and whether it takes
place depends on who was dealt the seven, and when.  So there are cases, by where the seven was dealt.  In each of them
some cards lie fixed in the full hands, and every way to share out the others counts the same.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from math import lcm
from typing import NamedTuple

from mpsim.cards import SUITS, cards_of, format_card, format_cards, to_hand
from mpsim.errors import CardError, UsageError
from mpsim.rules.model import Rules

DEALER = 3

Lies = tuple[tuple[int, int], ...]
"""Cards that lie fixed in the full hands, as pairs (card, seat), ascending."""


class Seen(NamedTuple):
    """What is known: cards by number, hands as bits, seats in turn order."""

    holding: int        # own first cards, or the full hand
    up: int | None      # the turned card
    seat: int
    trump: int | None   # a suit's number
    receiver: int       # who takes the turned card


def seen(
    rules: Rules, holding: int, up: int | None, seat: int, trump: int | None = None, taker: int | None = None
) -> Seen:
    """Check and complete what is known, see `seen_melds`; CardError or UsageError tell what cannot be."""
    first, size, ranks = sum(rules.deal.packets), rules.hand_size, rules.deck.ranks
    cards = to_hand(cards_of(holding), ranks)
    if cards.bit_count() not in (first, size):
        raise CardError(
            f"{cards.bit_count()} cards are given as own hand: give the {first} held while bidding or all {size}"
        )
    seat = _checked("seat", seat, "seats run from 0 to 3, who deals")
    receiver = DEALER
    if taker is not None or rules.deal.upcard_to == "taker":
        taker = _checked("taker", seat if taker is None else taker, "seats run from 0 to 3, who deals")
        receiver = taker if rules.deal.upcard_to == "taker" else DEALER
    if trump is not None:
        trump = _checked("trump", trump, f"suits run from 0 to 3, in the order {' '.join(SUITS)}")
    if up is None:
        return Seen(cards, None, seat, trump, receiver)
    turned = to_hand([up], ranks)
    if turned & cards and cards.bit_count() == first:
        raise CardError(
            f"{format_card(up, ranks)} is both held and turned: of the turned card and the {first} held while bidding, "
            "each is another card"
        )
    up = operator.index(up)
    return Seen(cards, up, seat, up // len(ranks) if trump is None else trump, receiver)


def _checked(name: str, value: int, range_of: str) -> int:
    if not hasattr(value, "__index__") or not 0 <= value <= 3:
        raise UsageError(f"{name} = {value!r} is out of range: {range_of}")
    return operator.index(value)


def seen_cases(rules: Rules, known: Seen) -> dict[Lies, int]:
    """The cases, each with the weight of every way to share out the cards it leaves open.

    CardError: own full hand cannot be held after that card was turned.
    """
    own = dict.fromkeys(cards_of(known.holding), known.seat)
    if known.up is None:
        return {tuple(own.items()): 1}
    cases: Counter[Lies] = Counter()
    for moved, weight in _moved(rules, known, known.up):
        complete = known.holding.bit_count() == rules.hand_size
        if not complete or all((seat == known.seat) == (card in own) for card, seat in moved.items()):
            cases[tuple(sorted({**own, **moved}.items()))] += weight
    if not cases:
        ranks = rules.deck.ranks
        raise CardError(
            f"seat {known.seat} cannot hold {format_cards(known.holding, ranks)} after {format_card(known.up, ranks)} "
            f"was turned, which seat {known.receiver} takes: give another hand, or leave the turned card out"
        )
    return dict(cases)


def swappable(rules: Rules, up: int, trump: int) -> int | None:
    """The seven that is swapped for the turned card if somebody may; None: nobody ever swaps."""
    exchange, width = rules.exchange, len(rules.deck.ranks)
    turned, lowest = divmod(up, width)
    refused = exchange.exchange_suit == "upcard_if_trump" and turned != trump
    if lowest == 0 or refused or exchange.exchange_policy == "never":
        return None
    return width * (trump if exchange.exchange_suit == "trump" else turned)


def _moved(rules: Rules, known: Seen, up: int) -> Iterator[tuple[dict[int, int], int]]:
    """Where the turned card and the seven can end up, if there is one to swap, with weights."""
    assert known.trump is not None
    seven, receiver = swappable(rules, up, known.trump), known.receiver
    if seven is None:
        yield {up: receiver}, 1
        return
    for holder, is_first, weight in _dealt(rules, known, seven):
        swaps = is_first or rules.exchange.exchange_window == "full_hand"
        yield ({up: holder, seven: receiver} if swaps else {up: receiver, seven: holder}), weight


def _dealt(rules: Rules, known: Seen, seven: int) -> Iterator[tuple[int, bool, int]]:
    """To whom the seven can be dealt, whether among the first cards, and the weight of each such deal.

    Of deals with the seven in one hand, it is equally likely at any place of that hand which is not known.
    """
    first = sum(rules.deal.packets)
    bidding = known.holding.bit_count() == first
    if bidding and known.holding >> seven & 1:
        yield known.seat, True, 1
        return
    places = {}
    for seat in range(4):
        later = rules.hand_size - first - (seat == known.receiver)
        places[seat] = (0 if bidding and seat == known.seat else first, later)
    common = lcm(*(sum(parts) for parts in places.values() if sum(parts)))
    for seat, parts in places.items():
        for is_first, number in zip((True, False), parts, strict=True):
            if number:
                yield seat, is_first, number * common // sum(parts)
