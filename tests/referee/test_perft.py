"""Numbers of legal continuations for fixed deals, against a brute force written another way.

tests/data/perft.txt holds the counts; run this file as a program to print the counts of its positions anew.
"""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path

import pytest

from cases import rules_with
from mpsim.cards import cards_of, format_card, parse_holdings
from mpsim.referee import legal_cards, order_of, winner

DATA = Path(__file__).parents[1] / "data" / "perft.txt"


def read():
    """Positions of the file: name, trump, changed flags, leader, hands as text, counts by depth."""
    positions = []
    for line in DATA.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, trump, changes, leader, hands, counts = (part.strip() for part in line.split("|"))
        flags = dict(item.split("=") for item in changes.split()) if changes != "-" else {}
        by_depth = {int(d): int(n) for d, n in (item.split(":") for item in counts.split())}
        positions.append((name, trump, flags, int(leader), hands, by_depth))
    return positions


# The brute force: a card is text, and a card may be played unless some rule forbids it.

TRUMPS_HIGH_TO_LOW = "J9ATKQ87"
OTHERS_HIGH_TO_LOW = "ATKQJ987"


def beats(card, other, trump):
    """Whether `card`, played later, takes the trick from `other`, which is winning it."""
    if card[1] == other[1]:
        order = TRUMPS_HIGH_TO_LOW if trump in (card[1], "AT") else OTHERS_HIGH_TO_LOW
        return order.index(card[0]) < order.index(other[0])
    return card[1] == trump


@cache
def best_card(trick, trump):
    best = trick[0]
    for card in trick[1:]:
        if beats(card, best, trump):
            best = card
    return best


def forbidden(card, hand, trick, trump, flags):
    """Why a card may not be played, or None."""
    if not trick:
        return None
    led, best = trick[0][1], best_card(trick, trump)
    partners = len(trick) > 1 and best == trick[-2]
    relief = flags.get("partner_relief", "none") if partners else "none"
    on = {key: flags.get(key, "true") == "true" for key in (
        "head_plain", "head_trump", "head_trump_vs_partner", "must_ruff", "must_overruff", "must_underruff")}
    can_beat = any(beats(other, best, trump) for other in hand if other[1] == led)
    if any(other[1] == led for other in hand):
        if card[1] != led:
            return "must follow suit"
        in_trumps = trump in (led, "AT")
        duty = on["head_trump"] if in_trumps else on["head_plain"] and best[1] == led
        if in_trumps and partners and not on["head_trump_vs_partner"]:
            duty = False
        if duty and relief in ("none", "ruff") and can_beat and not beats(card, best, trump):
            return "must beat the best card"
        return None
    if not on["must_ruff"] or not any(other[1] == trump for other in hand):
        return None
    if relief in ("ruff", "full"):
        bare = flags.get("bare_trumps_overruff") == "true" and all(other[1] == trump for other in hand)
        over_partner = bare and best[1] == trump and any(beats(other, best, trump) for other in hand)
        return "must trump higher" if over_partner and not beats(card, best, trump) else None
    if best[1] != trump or relief == "follow":
        return None if card[1] == trump else "must trump"
    if on["must_overruff"] and any(beats(other, best, trump) for other in hand):
        return None if beats(card, best, trump) else "must trump higher"
    if on["must_underruff"] and card[1] != trump:
        return "must trump though not higher"
    return None


def brute_force(hands, seat, trick, trump, flags, depth):
    """Continuations of `depth` plies, by first card."""
    split = {}
    for card in hands[seat]:
        if forbidden(card, hands[seat], trick, trump, flags):
            continue
        after = [tuple(c for c in hand if c != card) for hand in hands]
        table, turn = (*trick, card), (seat + 1) % 4
        if len(table) == 4:
            taken = table.index(best_card(table, trump))
            turn, table = (turn + taken) % 4, ()
        split[card] = 1 if depth == 1 else sum(brute_force(after, turn, table, trump, flags, depth - 1).values())
    return split


def by_referee(hands, seat, trick, order, play, depth):
    """The same with the referee's legal cards and trick winner."""
    split = {}
    for card in legal_cards(hands[seat], trick, order, play):
        after = [[c for c in hand if c != card] for hand in hands]
        table, turn = [*trick, card], (seat + 1) % 4
        if len(table) == 4:
            turn, table = (turn + winner(table, order)) % 4, []
        split[card] = 1 if depth == 1 else sum(by_referee(after, turn, table, order, play, depth - 1).values())
    return split


def as_text(hands):
    return [tuple(format_card(card) for card in cards_of(parse_holdings(hand))) for hand in hands.split()]


def show(split):
    return " ".join(f"{card}={count}" for card, count in sorted(split.items()))


@pytest.mark.parametrize("position", read(), ids=lambda position: position[0])
def test_counts(position):
    _, trump, flags, leader, hands, by_depth = position
    rules = rules_with(**{key: {"true": True, "false": False}.get(value, value) for key, value in flags.items()})
    held = [cards_of(parse_holdings(hand)) for hand in hands.split()]
    for depth, expected in by_depth.items():
        brute = brute_force(as_text(hands), leader, (), trump, flags, depth)
        found = by_referee(held, leader, [], order_of(rules.deck, trump), rules.play, depth)
        split = {format_card(card): count for card, count in found.items()}
        assert split == brute, f"depth {depth}, referee by card: {show(split)}; brute force: {show(brute)}"
        assert sum(brute.values()) == expected, f"depth {depth} by card: {show(brute)}"


CHOICES = {
    **dict.fromkeys(("head_plain", "head_trump", "head_trump_vs_partner", "must_ruff", "must_overruff",
                     "must_underruff", "bare_trumps_overruff"), ("true", "false")),
    "partner_relief": ("none", "follow", "ruff", "full"),
}


@pytest.mark.parametrize("seed", range(60))
def test_positions_by_chance(seed):
    """Four cards a seat, rich in trumps, any contract, any flags: as many continuations of each first card."""
    rng = random.Random(seed)
    trump = rng.choice(["s", "s", "NT", "AT"])
    flags = {key: rng.choice(choices) for key, choices in CHOICES.items()}
    cards = rng.sample(range(12, 32), 16)
    hands = [sorted(cards[4 * seat : 4 * seat + 4]) for seat in range(4)]
    rules = rules_with(**{key: {"true": True, "false": False}.get(value, value) for key, value in flags.items()})
    found = by_referee(hands, 0, [], order_of(rules.deck, trump), rules.play, 9)
    brute = brute_force([tuple(format_card(card) for card in hand) for hand in hands], 0, (), trump, flags, 9)
    assert {format_card(card): count for card, count in found.items()} == brute


if __name__ == "__main__":
    for name, trump, flags, leader, hands, by_depth in read():
        counts = {d: sum(brute_force(as_text(hands), leader, (), trump, flags, d).values()) for d in by_depth}
        sys.stdout.write(f"{name}: {' '.join(f'{d}:{n}' for d, n in counts.items())}\n")
