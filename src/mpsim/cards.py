"""Cards, hands and deals for people: parse and format are inverse.

A card is its number: 8 * suit + rank in a 32-card deck, suits in the order clubs, diamonds, hearts, spades and ranks
in sequence order (7 8 9 T J Q K A), so a card's number is also its bit in a hand.  A suit of more than 8 ranks takes
16 numbers.  A hand is an ``int``, bit i for card i.  These helpers speak of any deck whose suits are `suits` and hold
`ranks`; the default is the 32-card deck.
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


def suit_field(ranks: str = RANKS) -> int:
    """Numbers that a suit takes: card = `suit_field` * suit + rank."""
    return 8 if len(ranks) <= 8 else 16


def suit_signs(suits: str = SUITS) -> str:
    """What stands for each suit when cards are written for people: a symbol for French suits, else the letter."""
    return "".join(_PRETTY[suit] for suit in suits) if suits == SUITS else suits


def parse_card(text: str, ranks: str = RANKS, suits: str = SUITS) -> int:
    """The number of the card written as `JH`, `Jh`, `10h`, `Th` or `J♥`; CardError names what is no card."""
    clean = text.strip().replace("\ufe0f", "")
    symbols = _SYMBOLS if suits == SUITS else {}
    suit = symbols.get(clean[-1:], clean[-1:].lower())
    rank = clean[:-1].upper()
    rank = "T" if rank == "10" else rank
    if suit not in suits or suit == "" or len(rank) != 1 or rank not in ranks:
        known = " ".join(ranks) + (" (or 10)" if "T" in ranks else "")
        raise CardError(
            f"{text!r} is no card: write a rank of {known} and a suit of {' '.join(suits)}, like J{suits[2].upper()}"
        )
    return suits.index(suit) * suit_field(ranks) + ranks.index(rank)


def format_card(card: int, ranks: str = RANKS, suits: str = SUITS, pretty: bool = False) -> str:
    """`Jh` (or `J♥` when pretty) for a card's number; `-` for -1, no card."""
    if card == -1:
        return "-"
    suit, rank = divmod(_number(card, ranks), suit_field(ranks))
    return ranks[rank] + (suit_signs(suits) if pretty else suits)[suit]


def _number(card: Any, ranks: str) -> int:
    """A card's number as an int, from any kind of whole number."""
    field, width = suit_field(ranks), len(ranks)
    if not hasattr(card, "__index__") or not 0 <= card < 4 * field or card % field >= width:
        whole = f"from 0 to {4 * field - 1}"
        parts = f"from 0 to {width - 1}, and as many from {field}, {2 * field} and {3 * field} on"
        raise CardError(f"{card!r} is no card's number: they run {whole if width == field else parts}")
    return operator.index(card)


def to_hand(cards: Iterable[int], ranks: str = RANKS, suits: str = SUITS) -> int:
    """The hand that holds the cards given by number; a card given twice is refused by name."""
    hand = 0
    for card in (_number(given, ranks) for given in cards):
        if hand >> card & 1:
            raise CardError(f"the card {format_card(card, ranks, suits)} is given twice: each card exists once")
        hand |= 1 << card
    return hand


def cards_of(hand: int) -> list[int]:
    """The numbers of a hand's cards, ascending; CardError for what is no set of bits."""
    if not hasattr(hand, "__index__") or hand < 0:
        raise CardError(f"{hand!r} is no hand: give a whole number from 0 on, bit i for card i")
    bits = operator.index(hand)
    return [card for card in range(bits.bit_length()) if bits >> card & 1]


def parse_cards(text: str, ranks: str = RANKS, suits: str = SUITS, count: int | None = None) -> int:
    """A hand from a list of cards parted by spaces or commas; `count` asks for exactly so many."""
    words = text.replace(",", " ").split()
    hand = to_hand((parse_card(word, ranks, suits) for word in words), ranks, suits)
    if count is not None and len(words) != count:
        raise CardError(f"{text!r} has {len(words)} cards where {count} are needed")
    return hand


def format_cards(hand: int, ranks: str = RANKS, suits: str = SUITS, pretty: bool = False) -> str:
    """A hand's cards by number, parted by spaces: `7c Th Jh`."""
    return " ".join(format_card(card, ranks, suits, pretty) for card in cards_of(hand))


def parse_holdings(text: str, ranks: str = RANKS, suits: str = SUITS) -> int:
    """A hand written PBN-style, `spades.hearts.diamonds.clubs`: `AK.JT9..7`; an empty suit is nothing or `-`.

    In any deck the suits stand from the highest down.
    """
    holdings = text.strip().split(".")
    if len(holdings) != 4:
        order = "spades.hearts.diamonds.clubs" if suits == SUITS else ".".join(reversed(suits))
        raise CardError(f"{text!r} is no hand: write four suits parted by dots, {order}")
    cards = []
    for suit, holding in zip(reversed(suits), holdings, strict=True):
        letters = "" if holding == "-" else holding.upper().replace("10", "T")
        cards += [parse_card(letter + suit, ranks, suits) for letter in letters]
    return to_hand(cards, ranks, suits)


def format_holdings(hand: int, ranks: str = RANKS, suits: str = SUITS) -> str:
    """A hand PBN-style, each suit from the highest rank in sequence order down: `AK.JT9..7`."""
    cards = [format_card(card, ranks, suits) for card in reversed(cards_of(hand))]
    return ".".join("".join(card[0] for card in cards if card[1] == suit) for suit in reversed(suits))


def parse_deal(text: str, ranks: str = RANKS, suits: str = SUITS) -> tuple[int, int, int, int]:
    """Four full hands in seat order, PBN-style, parted by spaces; every card of the deck exactly once."""
    words = text.split()
    if len(words) != 4:
        raise CardError(f"{text!r} has {len(words)} hands where 4 are needed")
    hands = [parse_holdings(word, ranks, suits) for word in words]
    seen = 0
    for seat, hand in enumerate(hands):
        if hand.bit_count() != len(ranks):
            raise CardError(f"seat {seat} has {hand.bit_count()} cards where {len(ranks)} are needed: {words[seat]!r}")
        if seen & hand:
            twice = format_cards(seen & hand, ranks, suits)
            raise CardError(f"given to two seats: {twice}; each card exists once")
        seen |= hand
    return hands[0], hands[1], hands[2], hands[3]


def format_deal(hands: Iterable[int], ranks: str = RANKS, suits: str = SUITS) -> str:
    """Hands in seat order, PBN-style, parted by spaces."""
    return " ".join(format_holdings(hand, ranks, suits) for hand in hands)
