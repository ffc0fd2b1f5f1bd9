"""Whole deals judged by the plain referee: every deal of a small deck, or many random ones of the full deck."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import numpy as np

from mpsim.referee import counting, declare, order_of, team_points
from mpsim.referee.melds import FOUR, RUN
from mpsim.rules import load_rules
from mpsim.rules.model import Deck, Melds
from mpsim.stats.scored_melds import BOTH, NOBODY, ONE, TIE, Scored


def rules_with(**keys):
    """Mpourloto with some keys changed, as settings."""
    return load_rules("mpourloto", [f"{key}={list(value) if isinstance(value, tuple) else value}"
                                    for key, value in keys.items()])


def small(ranks, **melds):
    """Rules of a deck of fewer ranks, a hand as many cards; trumps rank jack, nine, and the rest from the highest."""
    order = "".join(sorted(ranks, key=lambda rank: (rank != "J", rank != "9", -ranks.index(rank))))
    nothing = (0,) * len(ranks)
    deck = Deck(ranks=ranks, plain_order=order, plain_values=nothing, trump_order=order, trump_values=nothing)
    worth = {"fours_table": (100,) * len(ranks), "fours_order": order}
    return replace(rules_with(), deck=deck, melds=Melds(**{**worth, **melds}))


def declared(hand, rules, contract="c"):
    """What the holder of cards [n] declares, clubs being trumps; cards are counted through, suit by suit."""
    cards = rules.deck.cards
    return declare(tuple(cards[card] for card in hand), order_of(rules.deck, contract), rules)


def scored(melds, rules):
    """What is scored of the melds of seats 0 to 3."""
    counted = counting(melds, rules)
    return Scored(team_points(counted), _whose(melds, counted, RUN, rules), _whose(melds, counted, FOUR, rules))


def _whose(melds, counted, kind, rules):
    pool = {RUN, FOUR} if rules.melds.meld_compare == "strongest" else {kind}
    if not any(meld.kind == kind and meld.points for hand in melds for meld in hand):
        return NOBODY
    if rules.melds.meld_compare == "none":
        return BOTH
    return ONE if any(meld.kind in pool for hand in counted for meld in hand) else TIE


def _likeness(melds, rules):
    """All that matters of some melds: hands alike in this are alike in every comparison."""
    field = rules.deck.field
    return tuple(sorted((meld.kind, meld.points, len(meld.cards), meld.cards[-1] % field) for meld in melds))


def every_deal(rules, size, hands):
    """All deals of a deck to one, two or four hands as [(what each declares, deals)]; four must use the deck up."""
    return _every_deal(with_melds(rules, meld_compare="none", seq_compare="length"), size, hands)


def with_melds(rules, **keys):
    return replace(rules, melds=replace(rules.melds, **keys))


@lru_cache(maxsize=2)
def _every_deal(rules, size, hands):
    cards = range(4 * len(rules.deck.ranks))
    all_hands = list(combinations(cards, size))
    alike, first, kind = {}, [], []
    for melds in (declared(hand, rules) for hand in all_hands):
        likeness = _likeness(melds, rules)
        if likeness not in alike:
            alike[likeness] = len(alike)
            first.append(melds)
        kind.append(alike[likeness])
    kinds, full = np.array(kind), (1 << len(cards)) - 1
    if hands == 1:
        return [((first[a],), int(deals)) for a, deals in enumerate(np.bincount(kinds))]
    masks = np.array([sum(1 << card for card in hand) for hand in all_hands])
    if 2 * size == len(cards):
        place = {mask: hand for hand, mask in enumerate(masks.tolist())}
        a, b = np.arange(len(masks)), np.array([place[full - mask] for mask in masks.tolist()])
    else:
        a, b = np.nonzero((masks[:, None] & masks) == 0)
    pair = kinds[a] * len(first) + kinds[b]
    if hands == 2:
        return [((first[p // len(first)], first[p % len(first)]), int(deals))
                for p, deals in zip(*np.unique(pair, return_counts=True), strict=True)]
    pairs, pair = np.unique(pair, return_inverse=True)
    unions, union = np.unique(masks[a] | masks[b], return_inverse=True)
    table = np.bincount(union * len(pairs) + pair, minlength=len(unions) * len(pairs)).reshape(len(unions), len(pairs))
    rest = table[np.searchsorted(unions, full - unions)]
    found = []
    for (p, q), deals in np.ndenumerate(table.T.astype(float) @ rest):
        if deals:
            (a, c), (b, d) = (divmod(int(pairs[team]), len(first)) for team in (p, q))
            found.append(((first[a], first[b], first[c], first[d]), int(deals)))
    return found


SEATS = {(0,): (0,), (0, 1): (0, 1), (0, 0): (0, 2), (0, 1, 0, 1): (0, 1, 2, 3)}
"""Where hands of these teams sit."""


def brute(rules, teams, size):
    """What `scored_melds` should find, over every deal of a small deck."""
    found = Counter()
    for hands, deals in every_deal(rules, size, len(teams)):
        melds = [(), (), (), ()]
        for seat, hand in zip(SEATS[teams], hands, strict=True):
            melds[seat] = hand
        result = scored(melds, rules)
        found[result] += deals
        found[result._replace(points=result.points[::-1])] += deals
    return dict(found)


def random_deals(count, width, hands, seed):
    """Cards dealt to four hands of `hands` cards each: [deal, seat, card]."""
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(4 * width, dtype=np.int8), (count, 1)), axis=1)
    return np.sort(decks[:, : 4 * hands].reshape(count, 4, hands), axis=2)


def may_declare(deals, width):
    """Whether each hand holds a run, a four or the pair of clubs, king and queen being next to the ace."""
    held = np.zeros((*deals.shape[:2], 4, width), bool)
    np.put_along_axis(held.reshape(*deals.shape[:2], -1), deals.astype(np.int64), True, axis=2)
    runs = held[..., 2:] & held[..., 1:-1] & held[..., :-2]
    return runs.any(axis=(2, 3)) | held.all(axis=2).any(axis=2) | held[:, :, 0, -3:-1].all(axis=2)


def declarations(deals, rules):
    """What each seat of each deal declares."""
    width = len(rules.deck.ranks)
    some = may_declare(deals, width).tolist()
    return [tuple(declared(hand, rules) if any_meld else () for hand, any_meld in zip(hands, maybe, strict=True))
            for hands, maybe in zip(deals.tolist(), some, strict=True)]
