"""The kernels' tables against the record they were made from, card by card."""

from __future__ import annotations

import numpy as np
import pytest

from mpsim.rules import load_rules
from mpsim.rules.tables import RuleTables, rule_tables

ONES = 0xFFFFFFFF


def _turn(word: int, moves: np.ndarray, bits: int = 32) -> int:
    """Natural to strength order, in plain integers: masked parts turned left by their distance in the word."""
    out = 0
    for mask, shift in moves.tolist():
        part = word & mask
        out |= (part << shift | part >> (bits - shift)) & ((1 << bits) - 1)
    return out


@pytest.mark.parametrize("settings", [[], ["trump_order=JA9TKQ87", "plain_order=AKQJT987"]])
def test_moves_bring_every_card_to_its_strength(settings: list[str]) -> None:
    rules = load_rules(settings=settings)
    tables = rule_tables(rules)
    orders = (rules.deck.plain_order, rules.deck.trump_order)
    moved = (tables.order.side_moves, tables.order.trump_moves)
    for order, moves in zip(orders, moved, strict=True):
        for suit in range(4):
            for rank, name in enumerate("789TJQKA"):
                assert _turn(1 << 8 * suit + rank, moves) == 1 << 8 * suit + order[::-1].index(name)


def test_moves_of_a_deck_of_ten_ranks() -> None:
    """Fields of sixteen bits, ten of them cards."""
    moves = rule_tables(load_rules("madrasso")).order.side_moves
    for suit in range(4):
        for rank, name in enumerate("24567JHK3A"):
            assert _turn(1 << 16 * suit + rank, moves, 64) == 1 << 16 * suit + "24567JHK3A".index(name)
    turned = rule_tables(load_rules("madrasso", ["ma_rank=6over7"])).order.side_moves
    assert [_turn(1 << rank, turned, 64).bit_length() - 1 for rank in (2, 3, 4, 5)] == [2, 4, 3, 5]


def _points(planes: np.ndarray, kind: int, bit: int) -> int:
    return sum((int(plane[kind]) >> bit & 1) << digit for digit, plane in enumerate(planes))


def test_planes_add_up_to_the_points() -> None:
    score = rule_tables(load_rules()).score
    side = [0, 0, 0, 2, 3, 4, 10, 11]  # 7 8 9 J Q K T A
    trump = [0, 0, 3, 4, 10, 11, 14, 20]  # 7 8 Q K T A 9 J
    assert [_points(score.planes, 0, bit) for bit in range(32)] == side * 4
    assert [_points(score.planes, 1, bit) for bit in range(32)] == trump * 4
    assert score.deck_points == (152, 248, 120)


def test_planes_of_a_deck_of_ten_ranks() -> None:
    score = rule_tables(load_rules("madrasso")).score
    suit = [0, 0, 0, 0, 0, 2, 3, 4, 10, 11, *[0] * 6]  # 2 4 5 6 7 J H K 3 A
    assert [[_points(score.planes, kind, bit) for bit in range(64)] for kind in (0, 1)] == [suit * 4] * 2
    assert score.deck_points[0] == 120


def test_constants_of_the_preset() -> None:
    t = rule_tables(load_rules())
    masks = [int(mask) for mask in (t.deal.worthless, t.deal.seven, t.deal.sevens, t.deal.cards)]
    assert masks == [0x07070707, 1, 0x01010101, ONES]
    assert (t.deal.first_cards, t.deal.turned, t.deal.kind) == (5, 1, 0)
    assert (t.melds.queen, t.melds.king, t.melds.pair_points) == (5, 6, 20)
    assert t.melds.run_steps.tolist() == [0, 0, 0, 20, 30, 50, 0, 0, 20]
    assert (t.score.last_trick, t.score.last_swept, t.score.capo, t.score.mesa_cut, t.score.tie) == (10, 0, 90, 0, 0)
    assert t.play.head_side == t.play.must_ruff == np.uint32(ONES)
    assert t.play.relief_side == t.play.relief_trump == t.play.relief_ruff == 0


def test_constants_of_madrasso() -> None:
    """The seven is the fifth rank; what is better than it and turned, J H K 3 A, in every suit."""
    t = rule_tables(load_rules("madrasso"))
    assert (t.deal.first_cards, t.deal.turned, t.deal.kind) == (5, 2, 2)
    assert int(t.deal.cards) == 0x03FF03FF03FF03FF
    assert int(t.deal.seven) == 0b10000
    assert [int(mask) for mask in t.deal.swap_for] == [0x03E003E003E003E0] * 4
    assert (t.score.all_tricks, t.score.last_swept, t.score.capo, t.score.contract) == (10, 10, 0, 0)


@pytest.mark.parametrize(
    ("name", "settings", "swept", "cut"),
    [
        ("mpourloto", [], 242, 0), ("mpourloto", ["capo_mode=add"], 252, 0),
        ("mpourloto", ["mp_totals=text152"], 232, 10), ("mpourloto", ["all_tricks=50"], 202, 0),
        ("bulgarian", [], 252, 0), ("madrasso", [], 130, 0),
    ],
)
def test_totals(name: str, settings: list[str], swept: int, cut: int) -> None:
    """What a team with all tricks gets in a suit contract, and what a failed one leaves unpaid."""
    t = rule_tables(load_rules(name, settings)).score
    assert (t.deck_points[0] + t.last_swept + t.capo, t.mesa_cut) == (swept, cut)


@pytest.mark.parametrize(
    ("settings", "side", "trump", "ruff"),
    [
        (["partner_relief=follow"], 1, 1, 0), (["partner_relief=ruff"], 0, 0, 1), (["partner_relief=full"], 1, 1, 1),
        (["head_trump_vs_partner=false"], 0, 1, 0),
    ],
)
def test_relief(settings: list[str], side: int, trump: int, ruff: int) -> None:
    t = rule_tables(load_rules(settings=settings)).play
    assert [bool(flag) for flag in (t.relief_side, t.relief_trump, t.relief_ruff)] == [side, trump, ruff]


@pytest.mark.parametrize(
    ("name", "settings", "watched"),
    [
        ("bulgarian", [], 1), ("bulgarian", ["belot_on_discard=true"], 0), ("bulgarian", ["trump_pair=0"], 0),
        ("bulgarian", ["meld_policy=never"], 0), ("mpourloto", [], 0), ("contree", [], 0),
    ],
)
def test_pairs_are_watched_where_they_can_be_lost(name: str, settings: list[str], watched: int) -> None:
    assert rule_tables(load_rules(name, settings)).play.watches_pairs == watched


def test_words_have_the_decks_size() -> None:
    for name, size in (("bulgarian", 4), ("madrasso", 8)):
        tables = rule_tables(load_rules(name))
        assert tables.order.cards.itemsize == tables.score.planes.itemsize == tables.play.within.itemsize == size


def test_arrays_are_read_only_and_tables_are_shared() -> None:
    tables: RuleTables = rule_tables(load_rules())
    assert tables is rule_tables(load_rules())
    with pytest.raises(ValueError, match="read-only"):
        tables.melds.run_steps[0] = 1
