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

from mpsim.cards import cards_of, format_card, format_cards, to_hand
from mpsim.errors import CardError, UsageError
from mpsim.rules.model import Rules
from mpsim.stats.meld_counts import has_all_trumps

DEALER = 3
NO_TRUMPS, ALL_TRUMPS = 4, 5
"""In place of a trump suit's number."""

Lies = tuple[tuple[int, int], ...]
"""Cards that lie fixed in the full hands, as pairs (card, seat), ascending."""


class Seen(NamedTuple):
    """What is known: cards by number, hands as bits, seats in turn order."""

    holding: int        # own first cards, or the full hand
    up: int | None      # the turned card
    seat: int
    trump: int | None   # a suit's number, NO_TRUMPS or ALL_TRUMPS
    receiver: int       # who takes the turned card


def seen(
    rules: Rules, holding: int, up: int | None, seat: int, trump: int | None = None, taker: int | None = None
) -> Seen:
    """Check and complete what is known, see `seen_melds`; CardError or UsageError tell what cannot be."""
    first, size, ranks = sum(rules.deal.packets), rules.hand_size, rules.deck.ranks
    cards = to_hand(cards_of(holding), ranks, rules.deck.suits)
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
        trump = _checked_trump(rules, trump)
    if up is None:
        return Seen(cards, None, seat, trump, receiver)
    turned = to_hand([up], ranks, rules.deck.suits)
    _check_turned(rules, up)
    if turned & cards and cards.bit_count() == first:
        raise CardError(
            f"{format_card(up, ranks, rules.deck.suits)} is both held and turned: of the turned card and the {first} "
            "held while bidding, each is another card"
        )
    up = operator.index(up)
    return Seen(cards, up, seat, up // rules.deck.field if trump is None else trump, receiver)


def _checked(name: str, value: int, range_of: str, most: int = 3) -> int:
    if not hasattr(value, "__index__") or not 0 <= value <= most:
        raise UsageError(f"{name} = {value!r} is out of range: {range_of}")
    return operator.index(value)


def _checked_trump(rules: Rules, trump: int) -> int:
    suits = f"suits run from 0 to 3, in the order {' '.join(rules.deck.suits)}"
    if not has_all_trumps(rules):
        return _checked("trump", trump, suits)
    return _checked("trump", trump, f"{suits}; 4 is no trumps, 5 all trumps", ALL_TRUMPS)


def _check_turned(rules: Rules, up: int) -> None:
    """UsageError where no card is turned, or one that the dealer bids on."""
    card = format_card(up, rules.deck.ranks, rules.deck.suits)
    if not rules.deal.turn_up:
        raise UsageError(f"{card} is given as turned, but {rules.name} turns no card: leave it out")
    if rules.deal.upcard_index != 4 * sum(rules.deal.packets):
        raise UsageError(
            f"{card} is given as turned, but in {rules.name} that is one of the dealer's first cards, for which there "
            "are no exact chances: leave it out"
        )


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
        deck = rules.deck.ranks, rules.deck.suits
        raise CardError(
            f"seat {known.seat} cannot hold {format_cards(known.holding, *deck)} after {format_card(known.up, *deck)} "
            f"was turned, which seat {known.receiver} takes: give another hand, or leave the turned card out"
        )
    return dict(cases)


def swappable(rules: Rules, up: int, trump: int) -> int | None:
    """The seven that is swapped for the turned card if somebody may; None: nobody ever swaps."""
    exchange, field = rules.exchange, rules.deck.field
    (turned, rank), seven = divmod(up, field), rules.deck.ranks.index(exchange.exchange_rank)
    suit = trump if exchange.exchange_suit == "trump" else turned
    refused = exchange.exchange_suit == "upcard_if_trump" and turned != trump
    if trump >= NO_TRUMPS or rank == seven or refused or not _worth_a_swap(rules, up, field * suit + seven, trump):
        return None
    return field * suit + seven


def _worth_a_swap(rules: Rules, up: int, seven: int, trump: int) -> bool:
    """Whether the seven's holder wants the turned card: always, never, or if it ranks higher in its suit."""
    def strength(card: int) -> int:
        suit, rank = divmod(card, rules.deck.field)
        order = rules.deck.trump_order if suit == trump else rules.deck.plain_order
        return -order.index(rules.deck.ranks[rank])

    policy = rules.exchange.exchange_policy
    return policy == "always" or (policy == "better" and strength(up) > strength(seven))


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
