"""Chances of melds for one who sees his cards: by enumeration, brute force over small decks, shuffling."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, lcm

import numpy as np
import pytest

from mpsim.cards import parse_card, parse_cards
from mpsim.errors import CardError, UsageError
from mpsim.rules import load_rules
from mpsim.rules.model import Deal, Deck, Melds
from mpsim.stats.exact_melds import held_melds
from mpsim.stats.seen_melds import WHO, seen_melds
from stats import plain_melds as plain
from stats.plain_melds import deck

PLACES = {"own": (0,), "partner": (2,), "opponents": (1, 3), "team": (0, 2), "anyone": (0, 1, 2, 3)}


def rules_with(**keys):
    return load_rules("mpourloto", [f"{key}={value}" for key, value in keys.items()])


def small(ranks, first, **melds):
    """Rules of a deck of fewer ranks: as many cards a hand as there are ranks, `first` of them before the auction."""
    rules = rules_with()
    worth, nothing = (100,) * len(ranks), (0,) * len(ranks)
    deal = Deal(packets=(1,) * first, upcard_index=4 * first, packets_after=(1,) * (len(ranks) - first))
    deck = Deck(ranks=ranks, plain_order=ranks, plain_values=nothing, trump_order=ranks, trump_values=nothing)
    return replace(
        rules, deck=deck, deal=deal, exchange=replace(rules.exchange, exchange_rank=ranks[0]),
        melds=replace(Melds(fours_table=worth, fours_order=ranks), **melds),
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
            # It may lie at 24 places of the others, of which 15 are filled before the auction.
            early = 24 if window == "full_hand" else 15
            yield frozenset(hand - {up} | {seven}), early
            yield frozenset(hand), 24 - early


OWN = [
    ("Jh 9h Qh Kh 7d", "Ah", 3, None, {}),
    ("Jh 9h Qh Kh 7d", "Ah", 0, None, {}),
    ("Jh 9h Qh Kh 7h", "Ah", 0, None, {}),
    ("Jh 9h Qh Kh 7h", "Ah", 3, None, {}),
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
    ("Jc Jd Jh Js 7d", "9d", 1, None, {}),
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
@pytest.mark.parametrize("five", ["Tc Td Th Jh Qh", "9h Th Jh Qh Kh", "Tc Td Th Jc Jd", "9c 9d 9h 9s 7s"])
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
            of_all = lcm(2, 3, 4) // (early + late)
            ways = [(tuple(swapped), early * of_all), (hands, late * of_all)]
        for after, weight in ways:
            if weight and (final is None or after[0] == final):
                weights[tuple(map(key, after))] += weight
    return weights


def check_all(found, weights):
    assert set(found) == set(PLACES)
    for who, places in PLACES.items():
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
    ("Kh Kc Kd Ks", 2, ["Jh Kc Kd Ks"]),                # the same, to make four of a kind
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


def test_small_deck_with_the_full_hand_and_no_turned_card():
    known = "Tc Td Jc Qs Ks"
    weights = brute("TJQKA", known.split(), None, 2, "d", 3)
    check_all(seen(small("TJQKA", 3), known, None, 2, "d"), weights)


def test_exclusive_overlap_in_two_and_three_hands_by_brute_force():
    """Six ranks: four of a kind and a run through one of its cards fit into a hand, and so do two such hands."""
    ranks, known = "9TJQKA", "9c 9d 9h Tc Td Th"
    worth = dict.fromkeys(ranks, 30) | {"Q": 10}
    rules = small(ranks, 3, overlap="exclusive", fours_table=(30, 30, 30, 10, 30, 30))
    unseen = [card for card in deck(ranks) if card not in known.split()]
    points = np.zeros(1 << 18, np.int64)
    for hand in combinations(range(18), 6):
        cards = [unseen[place] for place in hand]
        points[sum(1 << place for place in hand)] = plain.points(cards, "s", ranks, worth=worth, overlap="exclusive")
    split = np.array(list(combinations(range(12), 6)))
    sums, single = Counter(), Counter()
    for hand in combinations(range(18), 6):
        others = np.array([1 << place for place in range(18) if place not in hand])
        left = others[split].sum(axis=1)
        both, mine = points[left] + points[others.sum() - left], points[sum(1 << place for place in hand)]
        for value, count in zip(*np.unique(both, return_counts=True), strict=True):
            sums[(int(value), int(mine))] += int(count)
        single[int(mine)] += 1
    found = seen(rules, known, None, 0, "s")
    everybody, opponents = Counter(), Counter()
    for (both, mine), count in sums.items():
        opponents[both] += count
        everybody[both + mine] += count  # own hand declares nothing: nine and ten of three suits
    for who, counts in (("partner", single), ("opponents", opponents), ("team", single), ("anyone", everybody)):
        total = sum(counts.values())
        got = found[who]["points"]
        assert {value: got.p(value) for value in got.counts} == {v: Fraction(c, total) for v, c in counts.items()}


# --- Everybody's hands: shuffling -----------------------------------------------------------------------------------


LENGTHS = [[len(run) for run in f"{byte:08b}".split("0")] for byte in range(256)]
RUN_POINTS = np.array([sum({3: 20, 4: 50, 8: 120}.get(n, 100) for n in runs if n >= 3) for runs in LENGTHS])
DEALS = 200_000


def shuffled(five, up, seat, seven, receiver, window, rng):
    """Who holds each card of each deal, [card, deal]: the rest dealt at random, and the seven swapped."""
    holder = np.full((32, DEALS), -1, np.int8)
    holder[five] = seat
    places = []
    for other in range(4):
        places += [(other, True)] * (5 if other != seat else 0)
        places += [(other, False)] * (2 if other == receiver else 3)
    unseen = [card for card in range(32) if card not in five and card != up]
    order = rng.permuted(np.tile(np.arange(26, dtype=np.int8), (DEALS, 1)), axis=1).T
    seats, early = (np.array(column) for column in zip(*places, strict=True))
    holder[unseen] = seats[order]
    holder[up] = receiver
    if seven is not None:
        in_time = early[order[unseen.index(seven)]] if seven in unseen else np.ones(DEALS, bool)
        swaps = in_time if window == "first5" else np.ones(DEALS, bool)
        had = holder[seven].copy()
        holder[seven] = np.where(swaps, receiver, had)
        holder[up] = np.where(swaps, had, receiver)
    return holder


def counted(holder, trump, worth, overlap):
    """By what is held, numbers [seat, deal]."""
    held = np.stack([holder == seat for seat in range(4)])                         # [seat, card, deal]
    suits = sum(held[:, rank::8].astype(np.uint8) << rank for rank in range(8))    # [seat, suit, deal]
    found = {f"run_{n}": np.array([runs.count(n) for runs in LENGTHS])[suits].sum(axis=1) for n in range(3, 9)}
    for least in range(3, 6):
        found[f"run_{least}_up"] = sum(found[f"run_{n}"] for n in range(least, 9))
    fours = {name: held[:, rank::8].all(axis=1) for rank, name in enumerate(plain.RANKS)}
    found |= {f"four_{name}": four.astype(int) for name, four in fours.items()}
    found["fours"] = sum(four.astype(int) for name, four in fours.items() if worth[name])
    found["pair"] = held[:, 8 * trump + 5] & held[:, 8 * trump + 6]
    found["points"] = RUN_POINTS[suits].sum(axis=1) + 20 * found["pair"]
    found["points"] += sum(four * worth[name] for name, four in fours.items())
    if overlap == "exclusive":
        for seat, deal in zip(*np.nonzero(found["fours"]), strict=True):
            cards = [card for card, has in zip(deck(), held[seat, :, deal], strict=True) if has]
            found["points"][seat, deal] = plain.points(cards, "cdhs"[trump], worth=worth, overlap=overlap)
    return found


@pytest.mark.parametrize(("five", "up", "seat", "trump", "keys"), [
    ("Jh 9h Qh Kh 7d", "Ah", 1, "h", {}),
    ("Jh 9h Qs 7s 7d", "Ah", 2, "c", {"exchange_suit": "trump", "exchange_window": "full_hand"}),
    ("Jh 9h Qs 8s 8d", "Ah", 0, "c", {"exchange_suit": "trump", "upcard_to": "taker", "taker": 1}),
    ("7c 7d 8c 9d Th", "Kh", 3, "h", {"overlap": "exclusive", "fours": 45}),
])
def test_everybody_against_shuffled_deals(five, up, seat, trump, keys):
    keys, numbers = dict(keys), [8 * "cdhs".index(card[1]) + plain.RANKS.index(card[0]) for card in five.split()]
    worth, taker = keys.pop("fours", 100), keys.pop("taker", None)
    low = 8 * "cdhs".index(trump if "exchange_suit" in keys else up[1])
    turned = 8 * "cdhs".index(up[1]) + plain.RANKS.index(up[0])
    holder = shuffled(numbers, turned, seat, low, 3 if taker is None else taker,
                      keys.get("exchange_window", "first5"), np.random.default_rng(20_24))
    hands = counted(holder, "cdhs".index(trump), dict.fromkeys(plain.RANKS, worth), keys.get("overlap"))
    found = seen(rules_with(**keys, fours_table=[worth] * 8), five, up, seat, trump, taker=taker)
    compared = 0
    for who, places in PLACES.items():
        for meld, by_seat in hands.items():
            seen_often = np.bincount(sum(by_seat[(seat + place) % 4].astype(int) for place in places))
            got = found[who][meld]
            for number in set(got.counts) | set(np.flatnonzero(seen_often).tolist()):
                p, share = float(got.p(number)), seen_often[number] / DEALS if number < len(seen_often) else 0.0
                error = (max(p * (1 - p), 1e-30) / DEALS) ** 0.5
                if p * DEALS > 25:
                    assert abs(share - p) < 4.5 * error + 1e-12, (who, meld, number, share, p)
                    compared += 1
                else:
                    assert share * DEALS < 60, (who, meld, number)
    assert compared > 100


# --- Known values, and averages over all that can be seen -----------------------------------------------------------


def test_8_2_own_pair_averages_to_that_of_any_hand():
    """A hand of eight holds king and queen of trumps in 7 of 124 cases, whichever five are seen first."""
    kinds = {"Kh Qh 7c 8d 9s": 1, "Kh 7c 8d 9s Ts": 2, "7c 8d 9s Ts As": 1}
    chance = sum(
        Fraction(number * comb(30, 5 - five.count("h")), comb(32, 5))
        * seen(rules_with(), five, None, 0, "h", who=["own"])["own"]["pair"].p(1)
        for five, number in kinds.items()
    )
    assert chance == Fraction(7, 124)


OTHERS = ["7c", "8d", "9s", "Ts", "As"]


@pytest.mark.parametrize(("seat", "chance"), [(3, Fraction(14, 155)), (0, Fraction(7, 155))])
def test_8_2_pair_of_the_turned_suit_without_the_swap(seat, chance):
    """The turned card goes to the dealer, which makes his the likelier pair: 14 of 155 cases, others' 7."""
    rules, total = rules_with(exchange_policy="never"), Fraction(0)
    for up, turned in (("Kh", 2), ("Ah", 6)):
        seen_before = {"Qh": 1} if up == "Kh" else {"Qh Kh": 1, "Kh": 2}
        left = 30 if up == "Kh" else 29     # cards besides king, queen and the turned one
        for trumps, number in {**seen_before, "": 1}.items():
            others = 5 - len(trumps.split())
            five = " ".join([*trumps.split(), *OTHERS[:others]])
            found = seen(rules, five, up, seat, who=["own"])["own"]["pair"].p(1)
            total += Fraction(turned, 8) * Fraction(number * comb(left, others), comb(31, 5)) * found
    assert total == chance


def averaged(rules, scope, who, ups):
    """Mean chance of each meld over all first cards (and turned cards) of a small deck."""
    cards = deck(rules.deck.ranks)
    sums, number = Counter(), 0
    for first in combinations(cards, sum(rules.deal.packets)):
        for up in [card for card in cards if card not in first] if ups else [None]:
            for meld, got in seen(rules, " ".join(first), up, 3, "h", who=[who])[who].items():
                sums.update({(meld, value): got.p(value) for value in got.counts if got.p(value)})
            number += 1
    expected = {(meld, value): known.p(value) * number for meld, known in held_melds(rules, scope).items()
                for value in known.counts if known.p(value)}
    assert {key: chance for key, chance in sums.items() if key[0] != "points"} == expected


@pytest.mark.parametrize(("scope", "who", "ups"), [
    ("hand", "own", True), ("hand", "partner", False), ("team", "opponents", False), ("deal", "anyone", False),
])
def test_averages_are_the_unconditional_chances(scope, who, ups):
    rules = small("QKA", 2)
    averaged(replace(rules, exchange=replace(rules.exchange, exchange_policy="never")), scope, who, ups)


# --- Options ---------------------------------------------------------------------------------------------------------


FIVE, UP = "9h Th Jh Qh 7h", "Kh"
SOME = ("own", "partner", "opponents")
BASE = {}


def changed(trump=None, five=FIVE, up=UP, seat=0, taker=None, who=SOME, **keys):
    """Which distributions a change of rules alters, as (who, meld)."""
    key = five, up, seat, trump, who
    if key not in BASE:
        BASE[key] = seen(rules_with(), five, up, seat, trump, who=who)
    now = seen(rules_with(**keys), five, up, seat, trump, taker=taker, who=who)
    return {(word, meld) for word in who for meld in BASE[key][word]
            if _chances(now[word][meld]) != _chances(BASE[key][word][meld])}


def _chances(distribution):
    return {value: distribution.p(value) for value, count in distribution.counts.items() if count}


def points_of(*who):
    return {(word, "points") for word in who}


def test_options_of_auction_play_and_score_change_nothing():
    assert changed(
        who=tuple(WHO), head_plain="false", tie_rule="hang", meld_compare="strongest", seq_compare="capped5",
        melds_need_trick="true", round2_any_suit="false", aponta="true",
    ) == set()


def test_whose_seven_does_not_matter_when_the_turned_suit_is_trumps():
    assert changed(exchange_suit="trump") == changed(exchange_suit="upcard_if_trump") == set()


@pytest.mark.parametrize(("keys", "expected"), [
    ({"trump_pair": 50}, points_of("own")),   # he swaps for the king of trumps and has the queen
    ({"meld_policy": "never"}, points_of(*SOME)),
    ({"fours_table": [100] * 7 + [0]}, points_of(*SOME[1:]) | {(who, "fours") for who in SOME[1:]}),
    ({"fours_table": [100] * 7 + [90]}, points_of(*SOME[1:])),
    ({"sequence_max": 4, "run_points": [20, 50], "long_run": "cap"}, points_of(*SOME)),
    ({"overlap": "exclusive"}, points_of(*SOME)),
])
def test_values_of_melds_change_points_of_those_who_can_hold_them(keys, expected):
    """Four aces are out of reach of a hand that gets three more cards."""
    assert changed(**keys) == expected


def test_long_run_changes_points_where_a_whole_suit_can_be_held():
    """Each suit has a card in the own hand but the turned one, which the dealer gets, here the partner."""
    assert changed(five="7h 8d 9s 7s Td", up="Ac", seat=1, long_run="cap") == points_of("partner")


def test_who_takes_matters_only_when_he_gets_the_turned_card():
    assert changed(taker=1) == set()
    assert changed(upcard_to="taker", taker=3) == set()
    assert points_of(*SOME) - changed(upcard_to="taker", taker=2, five="9s Ts Js Qd Ad") == points_of("own")


def test_exchange_options_with_another_trump_suit():
    """Own seven of the turned suit: not swapped if only that of the trump suit may be, or none."""
    never = changed("s", exchange_policy="never")
    assert never == changed("s", exchange_suit="upcard_if_trump")
    assert {("own", "run_5_up"), ("own", "points")} <= never
    assert ("own", "pair") not in never
    assert changed("s", exchange_window="full_hand") == set()   # it is in the first five
    assert changed("s", five="9h Th Jh Qh Ad", exchange_window="full_hand")


# --- Words and errors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "chance"), [(1, Fraction(3, 26)), (3, Fraction(2 + 15, 26))])
def test_the_fourth_of_a_kind(seat, chance):
    """The fourth seven comes with the last cards, or to the dealer out of another's first five."""
    own = seen(rules_with(), "7c 7d 7h Kd 9s", "As", seat, who=["own"])["own"]
    assert (own["four_7"].at_least(1), own["four_7"].mean) == (chance, chance)
    assert own["points"].mean >= 100 * chance


def test_only_those_asked_for_are_answered():
    assert list(seen(rules_with(), FIVE, UP, 0, who=["partner", "own"])) == ["own", "partner"]


@pytest.mark.parametrize(("arguments", "error", "words"), [
    (("Jh 9h Qh Kh", "Ah", 0), CardError, "4 cards"),
    (("Jh 9h Qh Kh 7d 8d", "Ah", 0), CardError, "6 cards"),
    (("Jh 9h Qh Kh Ah", "Ah", 0), CardError, "Ah is both held and turned"),
    (("Jh 9h Qh Kh 7d", "Ah", 4), UsageError, "seat = 4"),
    (("Jh 9h Qh Kh 7d", "Ah", -1), UsageError, "seat = -1"),
    (("Jh 9h Qh Kh 7d 8d 9d 7h", "7h", 0), CardError, "seat 0 cannot hold"),
    (("Jh 9h Qh Kh 7d 8d 9d Ac", "Ah", 3), CardError, "seat 3 cannot hold"),
    (("Jh 9h Qh Kh 7h 8d 9d Ah", "Ah", 1), CardError, "seat 1 cannot hold"),
])
def test_what_cannot_be_is_refused(arguments, error, words):
    with pytest.raises(error, match=words) as caught:
        seen(rules_with(), *arguments)
    assert len(str(caught.value).splitlines()) == 1


def test_numbers_out_of_range_are_refused():
    five, rules = parse_cards("Jh 9h Qh Kh 7d"), rules_with()
    for call, error in (
        (lambda: seen_melds(rules, five, 32, 0), CardError),
        (lambda: seen_melds(rules, five, -1, 0), CardError),
        (lambda: seen_melds(rules, five | 1 << 32, 3, 0), CardError),
        (lambda: seen_melds(rules, -5, 3, 0), CardError),
        (lambda: seen_melds(rules, five, 3, 0, trump=4), UsageError),
        (lambda: seen_melds(rules, five, 3, 0, taker=4), UsageError),
        (lambda: seen_melds(rules, five, 3, 0, who=["dealer"]), UsageError),
        (lambda: seen_melds(rules, five, 3, "0"), UsageError),
    ):
        with pytest.raises(error):
            call()
