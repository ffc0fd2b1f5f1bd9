"""Legal cards in lanes: cases T01 to T15 in every column of the flags, and counts of legal continuations."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cases import LEGAL_CASES, PLAY_FLAGS, rules_with
from kernels.harness import Words
from kernels.table import Table
from mpsim.cards import SUITS, format_card, parse_card, parse_cards, parse_holdings
from mpsim.referee import legal_cards, order_of
from mpsim.rules.model import Rules
from referee.test_perft import read

CASES = [(case, column) for case in LEGAL_CASES if case.contract == "s" for column in case.legal]


def table_with(rules: Rules, trump: str, trick: list[int], hands: list[int]) -> Table:
    """A trick in progress, once for each hand that is next to play."""
    ones = np.ones(len(hands), np.int64)
    held = np.stack([np.array(hands, np.uint32)] * 4, axis=1)
    table = Table(rules, ones * SUITS.index(trump), held, 0 * ones)
    for card in trick:
        table.show(np.uint32(1) << table.to_place[:, card])
    return table


@pytest.mark.parametrize(("case", "column"), CASES, ids=[f"{case.id}-{column}" for case, column in CASES])
def test_legal(case, column) -> None:
    trick = [parse_card(card) for card in case.trick.split()]
    table = table_with(rules_with(**PLAY_FLAGS[column]), case.contract, trick, [parse_cards(case.hand)])
    assert table.natural(table.legal()) == [parse_cards(case.legal[column])]


FLAGS = ("head_plain", "head_trump", "must_ruff", "must_overruff", "must_underruff")


@pytest.mark.parametrize("relief", ["none", "follow", "ruff", "full"])
@pytest.mark.parametrize("values", list(product((False, True), repeat=5)))
def test_all_settings_of_the_flags(values: tuple[bool, ...], relief: str) -> None:
    """Every flag with every other, against the referee, on tricks of each kind and 200 random hands."""
    rules = rules_with(**dict(zip(FLAGS, values, strict=True)), partner_relief=relief)
    order, random = order_of(rules.deck, "s"), np.random.default_rng(5)
    for text in ("Ah", "8h 9s", "Th 7s As", "Ks", "8d Ad 7s", "8h Kh Qh", "9s Qs", "7c Ac 8c", "7c 8s Js", "8s 9s Ks"):
        trick = [parse_card(card) for card in text.split()]
        others = [card for card in range(32) if card not in trick]
        hands = [random.choice(others, size=1 + i % 8, replace=False).tolist() for i in range(200)]
        table = table_with(rules, "s", trick, [sum(1 << card for card in hand) for hand in hands])
        expected = [sum(1 << card for card in legal_cards(hand, trick, order, rules.play)) for hand in hands]
        assert table.natural(table.legal()).tolist() == expected


def continuations(table: Table, depth: int) -> tuple[Words, Words]:
    """First cards (natural order) of all continuations of one position, and how many begin with each."""
    first = np.zeros(1, np.uint32)
    for ply in range(depth):
        legal = table.legal()
        rows, cards = [], []
        for place in range(32):
            having = np.flatnonzero(legal >> np.uint32(place) & np.uint32(1))
            rows.append(having)
            cards.append(np.full(len(having), 1 << place, np.uint32))
        parents, played = np.concatenate(rows), np.concatenate(cards)
        table = table.take(parents)
        first = table.natural(played) if ply == 0 else first[parents]
        table.play(played)
    return np.unique(first, return_counts=True)


@pytest.mark.parametrize("position", read(), ids=lambda position: position[0])
def test_counts_of_continuations(position) -> None:
    """tests/data/perft.txt; a failure prints the counts by first card."""
    _, trump, flags, leader, hands, by_depth = position
    rules = rules_with(**{key: {"true": True, "false": False}.get(value, value) for key, value in flags.items()})
    held = np.array([[parse_holdings(hand) for hand in hands.split()]], np.uint32)
    for depth, expected in by_depth.items():
        table = Table(rules, np.array([SUITS.index(trump)]), held, np.array([leader]))
        cards, counts = continuations(table, depth)
        names = [format_card(int(card).bit_length() - 1) for card in cards]
        split = " ".join(f"{name}={count}" for name, count in zip(names, counts, strict=True))
        assert counts.sum() == expected, f"depth {depth} by card: {split}"
