"""Melds: what a hand declares, and whose melds count (docs/rules.md, Melds)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from mpsim.referee.trick import ALL_TRUMPS, NO_TRUMPS, Order
from mpsim.rules.model import Rules, run_value

RUN, FOUR, PAIR = "run", "four", "pair"


class Meld(NamedTuple):
    """One meld: its kind (`run`, `four` or `pair` of trumps), its cards ascending, its points."""

    kind: str
    cards: tuple[int, ...]
    points: int


def find_runs(hand: Sequence[int], rules: Rules) -> list[Meld]:
    """The maximal runs of at least three cards."""
    field = rules.deck.field
    runs: list[list[int]] = []
    for card in sorted(hand):
        continues = runs and card == runs[-1][-1] + 1 and card % field != 0
        if continues:
            runs[-1].append(card)
        else:
            runs.append([card])
    return [Meld(RUN, tuple(run), run_value(rules, len(run))) for run in runs if len(run) >= 3]


def find_fours(hand: Sequence[int], rules: Rules) -> list[Meld]:
    """The fours of a kind that are worth something."""
    fours = []
    for rank, points in enumerate(rules.melds.fours_table):
        cards = tuple(suit * rules.deck.field + rank for suit in range(4))
        if points and all(card in hand for card in cards):
            fours.append(Meld(FOUR, cards, points))
    return fours


def find_pairs(hand: Sequence[int], order: Order, rules: Rules) -> list[Meld]:
    """King and queen of trumps, in all trumps those of every suit."""
    if not {"K", "Q"} <= set(rules.deck.ranks):
        return []
    deck = rules.deck
    pairs = []
    for suit in order.trump_suits:
        queen, king = (suit * deck.field + deck.ranks.index(rank) for rank in "QK")
        if queen in hand and king in hand:
            pairs.append(Meld(PAIR, (queen, king), rules.melds.trump_pair))
    return pairs


def _best_plan(hand: Sequence[int], rules: Rules) -> list[Meld]:
    """Each card serves once: the runs and fours worth most; among equals more fours, then the higher-ranked ones."""
    fours = find_fours(hand, rules)
    plans = []
    for count in range(len(fours) + 1):
        for kept in combinations(fours, count):
            used = {card for four in kept for card in four.cards}
            plan = find_runs([card for card in hand if card not in used], rules) + list(kept)
            ranks = [four.cards[0] for four in kept]
            plans.append(((sum(meld.points for meld in plan), count, ranks), plan))
    return max(plans, key=lambda scored: scored[0])[1]


def declare(hand: Sequence[int], order: Order, rules: Rules) -> tuple[Meld, ...]:
    """All melds that the holder of a full hand declares: runs, fours, the trump pair; nothing in no trumps."""
    if rules.melds.meld_policy == "never" or order.contract == NO_TRUMPS:
        return ()
    if rules.melds.overlap == "exclusive":
        melds = _best_plan(hand, rules)
    else:
        melds = find_runs(hand, rules) + find_fours(hand, rules)
    return tuple(melds + find_pairs(hand, order, rules))


def _run_key(run: Meld, rules: Rules) -> tuple[int, int]:
    """Longer is better (as far as lengths are told apart), then the higher top card; the suit does not matter."""
    length = len(run.cards)
    if rules.melds.seq_compare == "capped5":
        length = min(length, rules.melds.sequence_max)
    return length, run.cards[-1] % rules.deck.field


def _four_key(four: Meld, rules: Rules) -> tuple[int, int]:
    """Fours compare by an order of their ranks, whatever their points."""
    deck = rules.deck
    rank = deck.ranks[four.cards[0] % deck.field]
    return len(deck.ranks) - rules.melds.fours_order.index(rank), 0


def _pool_key(meld: Meld, rules: Rules) -> tuple[int, ...]:
    """In one pool the points come first, a four before a run worth the same."""
    own = _four_key(meld, rules) if meld.kind == FOUR else _run_key(meld, rules)
    return meld.points, int(meld.kind == FOUR), *own


def _best(keys: list[tuple[int, ...]]) -> tuple[int, ...]:
    return max(keys, default=())


def _better_team(keys: tuple[list[tuple[int, ...]], list[tuple[int, ...]]]) -> int | None:
    """The team with the greater best key; None when they are level."""
    best0, best1 = _best(keys[0]), _best(keys[1])
    if best0 == best1:
        return None
    return 0 if best0 > best1 else 1


def counting(declared: Sequence[tuple[Meld, ...]], rules: Rules) -> tuple[tuple[Meld, ...], ...]:
    """Of the melds declared by each seat, those that score after the comparison between the teams."""
    compare = rules.melds.meld_compare
    if compare == "none":
        return tuple(declared)
    teams = [[*declared[0], *declared[2]], [*declared[1], *declared[3]]]
    if compare == "strongest":
        better = _better_team(_keys_by_team(teams, (RUN, FOUR), rules, pooled=True))
        scoring = {RUN: better, FOUR: better}
    else:
        scoring = {kind: _better_team(_keys_by_team(teams, (kind,), rules, pooled=False)) for kind in (RUN, FOUR)}
    return tuple(
        tuple(meld for meld in melds if meld.kind == PAIR or scoring[meld.kind] == seat % 2)
        for seat, melds in enumerate(declared)
    )


def _keys_by_team(
    teams: Sequence[Sequence[Meld]], kinds: tuple[str, ...], rules: Rules, pooled: bool
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    def key(meld: Meld) -> tuple[int, ...]:
        if pooled:
            return _pool_key(meld, rules)
        return _four_key(meld, rules) if meld.kind == FOUR else _run_key(meld, rules)

    ours, theirs = ([key(meld) for meld in melds if meld.kind in kinds] for melds in teams)
    return ours, theirs


def announced(
    counted: Sequence[tuple[Meld, ...]], plays: Sequence[int], order: Order, rules: Rules
) -> tuple[tuple[Meld, ...], ...]:
    """Of the melds that count, those that are not lost in play; `plays` are all cards in the order played."""
    if order.contract != ALL_TRUMPS or rules.melds.belot_on_discard:
        return tuple(counted)
    return tuple(tuple(meld for meld in melds if not thrown_away(meld, plays, order)) for melds in counted)


def thrown_away(meld: Meld, plays: Sequence[int], order: Order) -> bool:
    """Whether a pair is not announced: its first card neither leads nor follows the suit led."""
    if meld.kind != PAIR:
        return False
    ply = min(plays.index(card) for card in meld.cards)
    lead = plays[ply - ply % 4]
    return order.suit[plays[ply]] != order.suit[lead]


def team_points(scoring: Sequence[tuple[Meld, ...]]) -> tuple[int, int]:
    """Points of each team's scoring melds."""
    seats = [sum(meld.points for meld in melds) for melds in scoring]
    return seats[0] + seats[2], seats[1] + seats[3]
