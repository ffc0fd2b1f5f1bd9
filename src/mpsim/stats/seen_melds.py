"""Exact chances of melds in the full deal, seeing one's own cards and perhaps the turned card.

Every deal that agrees with what is seen is equally likely: nothing is concluded from calls, nor from the deal not being
thrown in for somebody's worthless cards (`aponta`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from mpsim.errors import UsageError
from mpsim.rules.check import one_of
from mpsim.rules.model import Rules, run_value
from mpsim.stats.exact_melds import Distribution, king_and_queen, run_lengths
from mpsim.stats.fours import Given
from mpsim.stats.seen_deals import ALL_TRUMPS, NO_TRUMPS, seen, seen_cases
from mpsim.stats.seen_hands import SeenHands
from mpsim.stats.ways import Array

WHO = {"own": (0,), "partner": (2,), "opponents": (1, 3), "team": (0, 2), "anyone": (0, 1, 2, 3)}
"""Whose hands are looked at, as seats counted from one's own."""

Melds = dict[str, Distribution]


def seen_melds(
    rules: Rules, holding: int, up: int | None, seat: int, trump: int | None = None, taker: int | None = None,
    who: Collection[str] = tuple(WHO),
) -> dict[str, Melds]:
    """Distributions of the numbers of melds in the full hands, after any swap of the seven, and of meld points.

    holding: own cards as bits, card i being bit i: the first ones, held while bidding, or the full hand after the swap.
    up: the turned card's number.  None: nothing is known of it, nobody swaps, and hands are full as they are dealt.
    seat: 0 to 3; seat 3 deals and takes the turned card, or the seven swapped for it, as his last card.
    trump: the suit's number, 0 to 3, or on a ladder 4, no trumps, where nothing counts, or 5, all trumps; by default
    the turned suit.  Without any there are no trump pairs.
    taker: seat of whoever takes, which matters only where he gets the turned card (`upcard_to`); by default oneself.
    who: which of `own`, `partner`, `opponents` (both together), `team` (own and partner), `anyone` (all four).

    The melds are those of `held_melds`: numbers of melds held, whatever they are worth.  `points` is the sum of what
    the hands declare, each by itself and under all meld options, before any comparison between the teams and whether or
    not they win a trick: with `meld_compare` or `melds_need_trick` on, less may be scored.

    CardError: a number of cards that is neither, a card twice, a full hand that cannot be.  UsageError: a seat, suit or
    word outside its range.
    """
    unknown = [word for word in who if word not in WHO]
    if unknown:
        raise UsageError(f"who = {unknown[0]!r} is nobody: write {one_of(WHO)}")
    known = seen(rules, holding, up, seat, trump, taker)
    cases = seen_cases(rules, known)
    found = {}
    for word in WHO:
        if word in who:
            seats = [(known.seat + place) % 4 for place in WHO[word]]
            hands = SeenHands(rules.deck, rules.hand_size, cases, seats)
            found[word] = _melds(rules, hands, known.trump)
    return found


def _melds(rules: Rules, hands: SeenHands, trump: int | None) -> Melds:
    field = rules.deck.field
    found = _runs(rules, hands)
    for rank, name in enumerate(rules.deck.ranks):
        found[f"four_{name}"] = hands.held_once(range(rank, 4 * field, field))
    found["fours"] = _fours(rules, hands)
    if trump is not None:
        found["pair"] = _pairs(rules, hands, trump)
    found["points"] = _Points(rules, hands, trump).distribution()
    return found


def _runs(rules: Rules, hands: SeenHands) -> Melds:
    lengths = range(3, rules.hand_size + 1)
    by_holding = [[runs.count(length) for runs in run_lengths(hands.width)] for length in lengths]
    values = np.repeat(np.array(by_holding, np.int64)[:, None], hands.looked, axis=1)
    deals = hands.count([values] * 4)

    def of(which: Collection[int]) -> Distribution:
        numbers: Counter[int] = Counter()
        for state, count in deals.items():
            numbers[sum(number for length, number in zip(lengths, state, strict=True) if length in which)] += count
        return hands.distribution(numbers)

    found = {f"run_{length}": of([length]) for length in lengths}
    return found | {f"run_{least}_up": of(range(least, rules.hand_size + 1)) for least in range(3, 6)}


def _pairs(rules: Rules, hands: SeenHands, trump: int) -> Distribution:
    """Of the number of kings and queens together, in the trump suit or in all suits."""
    if trump == NO_TRUMPS or not {"K", "Q"} <= set(rules.deck.ranks):
        return hands.distribution({0: hands.total})
    if trump < NO_TRUMPS:
        return hands.held_once(trump * rules.deck.field + rules.deck.ranks.index(rank) for rank in "KQ")
    pair, holdings = king_and_queen(rules), np.arange(1 << hands.width)
    values = np.tile((holdings & pair == pair).astype(np.int64), (1, hands.looked, 1))
    numbers: Counter[int] = Counter()
    for (number,), deals in hands.count([values] * 4).items():
        numbers[number] += deals
    return hands.distribution(numbers)


def _fours(rules: Rules, hands: SeenHands) -> Distribution:
    """Of the number of fours that are worth something, by inclusion and exclusion."""
    numbers: Counter[int] = Counter()
    for given, deals, alike in hands.fours(_worthy(rules)):
        for number, factor in _product([_term(1, 0, four in hands.certain) for four in given]).items():
            numbers[number] += alike * factor * deals
    return hands.distribution(numbers)


def _worthy(rules: Rules) -> list[int]:
    return [rank for rank, points in enumerate(rules.melds.fours_table) if points]


Term = tuple[tuple[int, int], ...]
"""A polynomial as pairs (exponent, factor)."""


def _term(held: int, otherwise: int, certain: bool) -> Term:
    """What a four changes: x^held - x^otherwise, where x^held is all there is if it is certain to be held."""
    return ((held, 1),) if certain else ((held, 1), (otherwise, -1))


def _product(terms: Sequence[Term]) -> Counter[int]:
    product = Counter({0: 1})
    for term in terms:
        longer: Counter[int] = Counter()
        for exponent, factor in product.items():
            for more, other in term:
                longer[exponent + more] += factor * other
        product = longer
    return product


class _Points:
    """Counts deals by the points that hands declare, by inclusion and exclusion over the fours.

    With the exclusive overlap a hand with one four declares it or keeps its cards for runs, whichever is worth more, so
    that the runs of such a hand are counted twice, with and without these cards.  Two fours fill a hand without runs.
    """

    def __init__(self, rules: Rules, hands: SeenHands, trump: int | None) -> None:
        self._rules, self._hands, self._trump = rules, hands, trump
        self._exclusive = rules.melds.overlap == "exclusive"
        holdings = np.arange(1 << hands.width)
        points = [sum(run_value(rules, length) for length in runs) for runs in run_lengths(hands.width)]
        self._runs = np.array(points, np.int64)
        pair = king_and_queen(rules)
        self._pairs = np.where(holdings & pair == pair, rules.melds.trump_pair, 0)

    def distribution(self) -> Distribution:
        if self._rules.melds.meld_policy == "never" or self._trump == NO_TRUMPS:
            return self._hands.distribution({0: self._hands.total})
        deals: Counter[int] = Counter()
        for given, _, alike in self._hands.fours(_worthy(self._rules)):
            for points, count in self._with(given):
                deals[points] += alike * count
        return self._hands.distribution(deals)

    def _with(self, given: Given) -> Iterator[tuple[int, int]]:
        """What the deals with these fours add to the deals with so many points."""
        worth, certain = self._rules.melds.fours_table, self._hands.certain
        load = Counter(hand for _, hand in given)
        lone = tuple((rank, hand) for rank, hand in given if self._exclusive and load[hand] == 1)
        others = _product([_term(worth[rank], 0, (rank, hand) in certain)
                           for rank, hand in given if (rank, hand) not in lone])
        for state, count in self._hands.count(self._values(lone), given).items():
            terms = [tuple(others.items())]
            for place, (rank, hand) in enumerate(lone):
                whole, without = state[2 * place + 1 : 2 * place + 3]
                terms.append(_term(max(worth[rank] + without, whole), whole, (rank, hand) in certain))
            for points, factor in _product(terms).items():
                yield state[0] + points, factor * count

    def _values(self, lone: Given) -> list[Array]:
        """By suit, [number, hand, holding]: what counts anyhow; each lone hand's runs, whole and without its four."""
        side = np.zeros((1 + 2 * len(lone), self._hands.looked, len(self._runs)), np.int64)
        side[0] = self._runs
        holdings = np.arange(len(self._runs))
        for place, (rank, hand) in enumerate(lone):
            side[0, hand] = 0
            side[2 * place + 1, hand] = self._runs
            side[2 * place + 2, hand] = self._runs[holdings & ~(1 << rank)]
        trumps = side.copy()
        trumps[0] += self._pairs
        return [trumps if self._trump in (suit, ALL_TRUMPS) else side for suit in range(4)]
