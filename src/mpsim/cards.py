"""Cards, hands and deals for people: parse and format are inverse.

A card is its number: 8 * suit + rank in a 32-card deck, suits in the order clubs, diamonds, hearts, spades and ranks
in sequence order (7 8 9 T J Q K A), so a card's number is also its bit in a hand.  A hand is an ``int``, bit i for
card i.  These helpers speak of any deck whose suits hold `ranks`; the default is the 32-card deck.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from mpsim.errors import CardError

RANKS = "789TJQKA"
SUITS = "cdhs"
_SYMBOLS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"}
_PRETTY = dict(zip(SUITS, "♣♦♥♠", strict=True))


def parse_card(text: str, ranks: str = RANKS) -> int:
    """The number of the card written as `JH`, `Jh`, `10h`, `Th` or `J♥`; CardError names what is no card."""
    clean = text.strip().replace("\ufe0f", "")
    suit = _SYMBOLS.get(clean[-1:], clean[-1:].lower())
    rank = clean[:-1].upper()
    rank = "T" if rank == "10" else rank
    if suit not in SUITS or suit == "" or len(rank) != 1 or rank not in ranks:
        known = " ".join(ranks)
        raise CardError(f"{text!r} is no card: write a rank of {known} (or 10) and a suit of c d h s, like JH")
    return SUITS.index(suit) * len(ranks) + ranks.index(rank)


def format_card(card: int, ranks: str = RANKS, pretty: bool = False) -> str:
    """`Jh` (or `J♥` when pretty) for a card's number; `-` for -1, no card."""
    if card == -1:
        return "-"
    suit, rank = divmod(_number(card, ranks), len(ranks))
    return ranks[rank] + (_PRETTY[SUITS[suit]] if pretty else SUITS[suit])


def _number(card: Any, ranks: str) -> int:
    """A card's number as an int, from any kind of whole number."""
    last = 4 * len(ranks) - 1
    if not hasattr(card, "__index__") or not 0 <= card <= last:
        raise CardError(f"{card!r} is no card's number: they run from 0 to {last}")
    return operator.index(card)


def to_hand(cards: Iterable[int], ranks: str = RANKS) -> int:
    """The hand that holds the cards given by number; a card given twice is refused by name."""
    hand = 0
    for card in (_number(given, ranks) for given in cards):
        if hand >> card & 1:
            raise CardError(f"the card {format_card(card, ranks)} is given twice: each card exists once")
        hand |= 1 << card
    return hand


def cards_of(hand: int) -> list[int]:
    """The numbers of a hand's cards, ascending; CardError for what is no set of bits."""
    if not hasattr(hand, "__index__") or hand < 0:
        raise CardError(f"{hand!r} is no hand: give a whole number from 0 on, bit i for card i")
    bits = operator.index(hand)
    return [card for card in range(bits.bit_length()) if bits >> card & 1]


def parse_cards(text: str, ranks: str = RANKS, count: int | None = None) -> int:
    """A hand from a list of cards parted by spaces or commas; `count` asks for exactly so many."""
    words = text.replace(",", " ").split()
    hand = to_hand((parse_card(word, ranks) for word in words), ranks)
    if count is not None and len(words) != count:
        raise CardError(f"{text!r} has {len(words)} cards where {count} are needed")
    return hand


def format_cards(hand: int, ranks: str = RANKS, pretty: bool = False) -> str:
    """A hand's cards by number, parted by spaces: `7c Th Jh`."""
    return " ".join(format_card(card, ranks, pretty) for card in cards_of(hand))


def parse_holdings(text: str, ranks: str = RANKS) -> int:
    """A hand written PBN-style, `spades.hearts.diamonds.clubs`: `AK.JT9..7`; an empty suit is nothing or `-`."""
    suits = text.strip().split(".")
    if len(suits) != 4:
        raise CardError(f"{text!r} is no hand: write four suits parted by dots, spades.hearts.diamonds.clubs")
    cards = []
    for suit, holding in zip(reversed(SUITS), suits, strict=True):
        letters = "" if holding == "-" else holding.upper().replace("10", "T")
        cards += [parse_card(letter + suit, ranks) for letter in letters]
    return to_hand(cards, ranks)


def format_holdings(hand: int, ranks: str = RANKS) -> str:
    """A hand PBN-style, each suit from the highest rank in sequence order down: `AK.JT9..7`."""
    cards = [format_card(card, ranks) for card in reversed(cards_of(hand))]
    return ".".join("".join(card[0] for card in cards if card[1] == suit) for suit in reversed(SUITS))


def parse_deal(text: str, ranks: str = RANKS) -> tuple[int, int, int, int]:
    """Four full hands in seat order, PBN-style, parted by spaces; every card of the deck exactly once."""
    words = text.split()
    if len(words) != 4:
        raise CardError(f"{text!r} has {len(words)} hands where 4 are needed")
    hands = [parse_holdings(word, ranks) for word in words]
    seen = 0
    for seat, hand in enumerate(hands):
        if hand.bit_count() != len(ranks):
            raise CardError(f"seat {seat} has {hand.bit_count()} cards where {len(ranks)} are needed: {words[seat]!r}")
        if seen & hand:
            twice = format_cards(seen & hand, ranks)
            raise CardError(f"given to two seats: {twice}; each card exists once")
        seen |= hand
    return hands[0], hands[1], hands[2], hands[3]


def format_deal(hands: Iterable[int], ranks: str = RANKS) -> str:
    """Hands in seat order, PBN-style, parted by spaces."""
    return " ".join(format_holdings(hand, ranks) for hand in hands)
