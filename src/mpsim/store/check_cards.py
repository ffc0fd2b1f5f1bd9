"""Checks of cards: hands, the turned card, the exchange."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mpsim.store.rows import Rows, bit, disjoint, of_seat, popcount
from mpsim.store.schema import Array

Faults = Iterator[tuple[str, Array]]


def check_hands(rows: Rows) -> Faults:
    """Every card once, in hands of the right size."""
    sizes = [popcount(hand) != rows.width for hand in rows.hands]
    yield "each seat plays a full hand", np.logical_or.reduce(sizes)
    union: Array = np.bitwise_or.reduce(rows.hands)
    yield "the four hands are the deck, each card once", ~(disjoint(rows.hands) & (union == rows.deck))
    held = sum(rows.rules.deal.packets)
    sizes = [popcount(first) != held for first in rows.first]
    yield f"each seat holds {held} cards while bidding", np.logical_or.reduce(sizes)
    yield from _check_turned_card(rows)


def _check_turned_card(rows: Rows) -> Faults:
    upcard, turned = rows["upcard"], bit(rows["upcard"])
    if not rows.rules.deal.turn_up:
        yield "no card is turned", upcard != -1
        yield "first cards are all different", ~disjoint(rows.first)
        return
    yield "the turned card is a card of the deck", (upcard < 0) | (turned & np.uint64(rows.deck) == 0)
    if rows.dealers_own:
        yield "first cards are all different", ~disjoint(rows.first)
        yield "the turned card is one of the dealer's first cards", rows.first[3] & turned == 0
    else:
        yield "first cards and turned card are all different", ~disjoint([*rows.first, turned])


def check_exchange(rows: Rows) -> Faults:
    """Who swapped the seven for the turned card, and what both hold then."""
    if not rows.rules.deal.turn_up:
        yield "nobody swaps where no card is turned", rows["exchanger"] != -1
        kept = [first & ~hand != 0 for first, hand in zip(rows.first, rows.hands, strict=True)]
        yield "a seat keeps its first cards", np.logical_or.reduce(kept)
        return
    exchanger, receiver, seven = rows["exchanger"], rows.receiver, _seven(rows)
    swapped = (exchanger >= 0) & (exchanger != receiver)
    seven_bit, turned_bit = np.where(seven >= 0, bit(seven), 0), bit(rows["upcard"])
    gave = of_seat(rows.hands, exchanger) & turned_bit == turned_bit
    took = of_seat(rows.hands, receiver) & seven_bit == seven_bit
    yield "a swap leaves the turned card with the exchanger, the seven with the receiver", swapped & ~(
        gave & took & (seven >= 0)
    )
    both = seven_bit | turned_bit
    # Swapping back is flipping both cards in both hands.
    before = [
        hand ^ np.where(swapped & ((exchanger == seat) | (receiver == seat)), both, 0)
        for seat, hand in enumerate(rows.hands)
    ]
    kept = [first & ~hand != 0 for first, hand in zip(rows.first, before, strict=True)]
    yield "a seat keeps its first cards, the exchange apart", np.logical_or.reduce(kept)
    yield "the turned card goes to its receiver", of_seat(before, receiver) & turned_bit != turned_bit
    window = rows.first if rows.rules.exchange.exchange_window == "first5" else before
    holder = np.full(len(exchanger), -1)
    for seat, hand in enumerate(window):
        holder[(hand & seven_bit) != 0] = seat
    yield "whoever holds the seven swaps, and nobody else", exchanger != holder


def _seven(rows: Rows) -> Array:
    """The card that somebody swaps for the turned one, -1 where nobody may or would."""
    exchange, trump = rows.rules.exchange, rows["contract"]
    rank = rows.rules.deck.ranks.index(exchange.exchange_rank)
    suit = trump if exchange.exchange_suit == "trump" else rows.turned_suit
    swaps = rows.played & (rows["upcard"] % rows.field != rank) & (rows["upcard"] >= 0) & (trump >= 0) & (trump < 4)
    if exchange.exchange_suit == "upcard_if_trump":
        swaps &= trump == rows.turned_suit
    if exchange.exchange_policy == "never":
        swaps[:] = False
    elif exchange.exchange_policy == "better":
        swaps &= _rank(rows, rows.turned_suit, rows.turned_rank) > _rank(rows, suit, np.full(len(trump), rank))
    return np.where(swaps, suit * rows.field + rank, -1)


def _rank(rows: Rows, suit: Array, rank: Array) -> Array:
    """How high a rank stands in its suit, which may be the trump suit."""
    deck = rows.rules.deck
    return np.where(
        suit == rows["contract"], rows.strength(deck.trump_order)[rank], rows.strength(deck.plain_order)[rank]
    )
