"""Chances of melds for one who sees his cards: against plain enumeration, brute force over small decks, and shuffling."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from mpsim.cards import parse_card, parse_cards
from mpsim.errors import CardError, UsageError
from mpsim.rules import load_rules
from mpsim.rules.model import Deal, Deck, Melds
from mpsim.stats.exact_melds import held_melds
from mpsim.stats.seen_melds import WHO, meld_rows, seen_melds
from stats import plain_melds as plain
from stats.plain_melds import deck

PARTNER, OPPONENTS = 2, (1, 3)
SETTLED = {"own": (0,), "partner": (2,), "opponents": (1, 3), "team": (0, 2), "anyone": (0, 1, 2, 3)}


def rules_with(**keys):
    return load_rules("mpourloto", [f"{key}={value}" for key, value in keys.items()])


def small(ranks, first, **melds):
    """Rules of a deck of fewer ranks: as many cards a hand as there are ranks, `first` of them before the auction."""
    rules = rules_with()
    worth = (100,) * len(ranks)
    return replace(
        rules, deck=Deck(ranks, ranks, (0,) * len(ranks), ranks, (0,) * len(ranks)),
        deal=Deal((1,) * first, True, (1,) * (len(ranks) - first)), melds=replace(Melds(fours_table=worth), **melds),
    )


def seen(rules, holding, up, seat, trump=None, **more):
    ranks = rules.deck.ranks
    return seen_melds(rules, parse_cards(holding, ranks), None if up is None else parse_card(up, ranks), seat,
                      None if trump is None else "cdhs".index(trump), **more)


def check(found, weights):
    """All distributions of some hands against weights by what is held, {items of plain.held: weight}."""
    weights = {held: weight for held, weight in weights.items() if weight}
    total = sum(weights.values())
    names = set(found) | {name for held in weights for name, _ in held}
    for name in names:
        expected = Counter()
        for held, weight in weights.items():
            expected[dict(held).get(name, 0)] += weight
        want = {number: Fraction(weight, total) for number, weight in expected.items()}
        got = found[name]
        assert sum(got.counts.values()) == got.total
        assert {number: got.p(number) for number in got.counts} == want, name


def as_key(held):
    return tuple(sorted((name, number) for name, number in held.items() if number))


# --- Own hand: every way to fill it up -------------------------------------------------------------------------------


def own_hands(five, up, seat, trump, *, suit="upcard", window="first5", policy="always", receiver=3):
    """Own full hands, each with its weight: every set of cards to come, and wherever the seven may lie then."""
    five, wanted = set(five), {"upcard": up[1], "trump": trump, "upcard_if_trump": up[1]}[suit]
    seven = "7" + wanted
    swaps = policy == "always" and up[0] != "7" and not (suit == "upcard_if_trump" and up[1] != trump)
    unseen = [card for card in deck() if card not in five and card != up]
    gets = 2 if seat == receiver else 3
    for more in combinations(unseen, gets):
        hand = five | set(more) | ({up} if seat == receiver else set())
        mine = seven in hand
        in_time = seven in five or (mine and window == "full_hand")
        if seat != receiver:
            yield frozenset(hand - {seven} | {up} if swaps and in_time else hand), 24
        elif not swaps or mine:
            yield frozenset(hand), 24
        else:
            early = 24 if window == "full_hand" else 15  # of 24 places with the others, 15 are filled before the auction
            yield frozenset(hand - {up} | {seven}), early
            yield frozenset(hand), 24 - early


OWN = [
    ("Jh 9h Qh Kh 7d", "Ah", 3, None, {}),
    ("Jh 9h Qh Kh 7d", "Ah", 0, None, {}),
    ("Jh 9h Qh Kh 7h", "Ah", 0, None, {}),
    ("Jh 9h Qh Kh 7h", "Ah", 3, None, {}),
    ("Jh 9h Qh Kh 7h", "Th", 1, "s", {}),
    ("Jh 9h Qh Kh 7h", "Th", 1, "s", {"suit": "upcard_if_trump"}),
    ("Jh 9h Qh Kh 7h", "Th", 1, "s", {"suit": "trump"}),
    ("Jh 9h Qh 7s 7h", "Th", 2, "s", {"suit": "trump"}),
    ("Jh 9h Qh Kh 7h", "Th", 1, None, {"policy": "never"}),
    ("Qs Ks 9s 8s Ad", "7s", 3, None, {}),
    ("8d 9d Td Jd Ac", "Qd", 2, None, {}),
    ("8d 9d Td Jd Ac", "Qd", 2, None, {"window": "full_hand"}),
    ("8d 9d Td Ac As", "Jd", 3, None, {"window": "full_hand"}),
    ("8d 9d Td Ac As", "Jd", 3, "c", {"suit": "trump"}),
    ("7c 7d 7h 9s Ts", "Js", 3, None, {}),
    ("Jc Jd Jh Td Qd", "Js", 3, None, {}),
]


@pytest.mark.parametrize(("five", "up", "seat", "trump", "keys"), OWN)
def test_own_hand_by_enumeration(five, up, seat, trump, keys):
    rules = rules_with(**{f"exchange_{key}": value for key, value in keys.items()})
    weights = Counter()
    for hand, weight in own_hands(five.split(), up, seat, trump or up[1], **keys):
        weights[as_key(plain.held(hand, trump or up[1]))] += weight
    check(seen(rules, five, up, seat, trump, who=["own"])["own"], weights)


@pytest.mark.parametrize(("options", "keys"), [
    ({"overlap": "exclusive"}, {"overlap": "exclusive"}),
    ({"overlap": "exclusive", "worth": dict.fromkeys(plain.RANKS, 30)},
     {"overlap": "exclusive", "fours_table": [30] * 8}),
    ({"worth": dict(zip(plain.RANKS, (0, 0, 150, 100, 200, 100, 100, 100), strict=True)), "overlap": "exclusive"},
     {"fours_table": [0, 0, 150, 100, 200, 100, 100, 100], "overlap": "exclusive"}),
    ({"long_run": "cap", "pair": 35}, {"long_run": "cap", "trump_pair": 35}),
])
@pytest.mark.parametrize("five", ["Tc Td Th Jh Qh", "9h Th Jh Qh Kh"])
def test_own_points_by_enumeration_under_meld_options(five, options, keys):
    weights = Counter()
    for hand, weight in own_hands(five.split(), "Ts", 3, "h"):
        weights[as_key(plain.held(hand, "h", **options))] += weight
    check(seen(rules_with(**keys), five, "Ts", 3, "h", who=["own"])["own"], weights)


def test_own_hand_when_the_taker_gets_the_turned_card():
    rules, five = rules_with(upcard_to="taker"), "Jh 9h Qh Kh 7d"
    for seat, taker in ((1, None), (3, 0), (0, 0)):
        weights = Counter()
        for hand, weight in own_hands(five.split(), "Ah", seat, "h", receiver=seat if taker is None else taker):
            weights[as_key(plain.held(hand, "h"))] += weight
        check(seen(rules, five, "Ah", seat, taker=taker, who=["own"])["own"], weights)


def test_without_the_turned_card_any_three_cards_come():
    five = {"8c", "9c", "Tc", "Ts", "Th"}
    unseen = [card for card in deck() if card not in five]
    weights = Counter(as_key(plain.held(five | set(more), None)) for more in combinations(unseen, 3))
    found = seen(rules_with(), " ".join(five), None, 3, who=["own"])["own"]
    check(found, weights)
    assert "pair" not in found
    weights = Counter(as_key(plain.held(five | set(more), "h")) for more in combinations(unseen, 3))
    check(seen(rules_with(), " ".join(five), None, 3, "h", who=["own"])["own"], weights)


# --- Everybody's hands: every deal of a small deck -------------------------------------------------------------------


def every_deal(ranks, known, up, seat, receiver, size):
    """Full hands before any swap, as cards numbered in `deck(ranks)`; own hand first, and on in turn order."""
    cards = deck(ranks)
    number = {card: 1 << place for place, card in enumerate(cards)}
    unseen = [number[card] for card in cards if card not in known and card != up]
    hold = [sum(number[card] for card in known), 0, 0, 0]
    gets = [size - len(known), size, size, size]
    if up is not None:
        hold[(receiver - seat) % 4] |= number[up]
        gets[(receiver - seat) % 4] -= 1
    for own in combinations(unseen, gets[0]):
        left = [card for card in unseen if card not in own]
        for second in combinations(left, gets[1]):
            last_two = [card for card in left if card not in second]
            both = sum(last_two)
            for third in map(sum, combinations(last_two, gets[2])):
                yield hold[0] | sum(own), hold[1] | sum(second), hold[2] | third, hold[3] | both - third


def brute(ranks, known, up, seat, trump, first, *, seven=None, receiver=3, full_hand=False, final=None):
    """Weights by what the four hands hold, own hand first; `seven` is swapped for `up` if it was dealt early enough.

    known: own first cards, or, to end up with the `final` ones, all that are dealt but for the turned card.
    """
    size, cards = len(ranks), deck(ranks)
    number = {card: 1 << place for place, card in enumerate(cards)}
    low, turned = number.get(seven, 0), number.get(up, 0)
    final = final and sum(number[card] for card in final)
    taking = (receiver - seat) % 4

    @cache
    def key(hand):
        held = plain.held([card for card in cards if number[card] & hand], trump, ranks)
        return as_key(held)

    weights = Counter()
    for hands in every_deal(ranks, known, up, seat, receiver, size):
        if not low:
            ways = [(hands, 1)]
        else:
            holder = next(place for place in range(4) if hands[place] & low)
            swapped = list(hands)
            if holder != taking:
                swapped[holder] ^= low | turned
                swapped[taking] ^= low | turned
            early, late = first, size - first - (holder == taking)
            if holder == 0 and final is None:
                early, late = (1, 0) if seven in known else (0, 1)
            if full_hand:
                early, late = 1, 0
            ways = [(tuple(swapped), Fraction(early, early + late)), (hands, Fraction(late, early + late))]
        for after, weight in ways:
            if weight and (final is None or after[0] == final):
                weights[tuple(map(key, after))] += weight
    return weights


def check_all(found, weights):
    assert set(found) == set(SETTLED)
    for who, places in SETTLED.items():
        merged = Counter()
        for keys, weight in weights.items():
            together = Counter()
            for place in places:
                together.update(dict(keys[place]))
            merged[as_key(together)] += weight
        check(found[who], merged)


@pytest.mark.parametrize(("known", "up", "seat", "keys"), [
    ("Qh Kc Kd", "Kh", 0, {}),
    ("Qh Kc Kd", "Kh", 3, {}),
    ("Jh Qd Qs", "Ah", 2, {}),
    ("Qh Kc Kd", "Kh", 1, {"exchange_window": "full_hand"}),
    ("Qh Qc Ad", "Jh", 2, {}),
])
def test_small_deck_by_brute_force(known, up, seat, keys):
    ranks = "JQKA"
    rules = small(ranks, 3)
    rules = replace(rules, exchange=replace(rules.exchange, **keys))
    weights = brute(ranks, known.split(), up, seat, up[1], 3, seven=None if up[0] == "J" else "J" + up[1],
                    full_hand=bool(keys))
    check_all(seen(rules, known, up, seat), weights)


def test_small_deck_with_two_suits_that_hang_together():
    """The trump suit's lowest card goes for a turned card of another suit."""
    ranks = "JQKA"
    rules = small(ranks, 3)
    rules = replace(rules, exchange=replace(rules.exchange, exchange_suit="trump"))
    weights = brute(ranks, ["Kc", "Kd", "Qs"], "Kh", 1, "s", 3, seven="Js")
    check_all(seen(rules, "Kc Kd Qs", "Kh", 1, "s"), weights)


@pytest.mark.parametrize(("final", "seat", "dealt"), [
    ("Qh Qd Kc Kd", 0, ["Qh Qd Kc Kd"]),                # neither of the two cards
    ("Qh Kh Kc Ad", 0, ["Jh Qh Kc Ad"]),                # the turned card, got for the lowest
    ("Jh Qh Kc Ad", 1, ["Jh Qh Kc Ad"]),                # the lowest, dealt too late
    ("Jh Kd Kc Ad", 3, ["Kd Kc Ad"]),                   # the dealer, with the lowest for the turned card
    ("Kh Kd Kc Ad", 3, ["Kd Kc Ad"]),                   # the dealer, with the turned card
    ("Jh Kh Kc Ad", 3, ["Jh Kc Ad"]),                   # the dealer, with both
])
def test_small_deck_with_the_full_hand_known(final, seat, dealt):
    ranks, weights = "JQKA", Counter()
    for known in dealt:
        weights += brute(ranks, known.split(), "Kh", seat, "h", 2, seven="Jh", final=final.split())
    check_all(seen(small(ranks, 2), final, "Kh", seat), weights)


@pytest.mark.parametrize("trump", [None, "d"])
def test_small_deck_with_the_full_hand_and_no_turned_card(trump):
    known = "Tc Td Jc Qs Ks"
    weights = brute("TJQKA", known.split(), None, 2, trump, 3)
    check_all(seen(small("TJQKA", 3), known, None, 2, trump), weights)
