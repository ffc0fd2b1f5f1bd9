"""The kernels' tables against the record they were made from, card by card."""

from __future__ import annotations

import numpy as np
import pytest

from mpsim.rules import load_rules
from mpsim.rules.tables import RuleTables, rule_tables


def _turn(word: int, moves: np.ndarray) -> int:
    """Natural to strength order, in plain integers: masked parts turned left by their distance in 32 bits."""
    out = 0
    for mask, shift in moves.tolist():
        part = word & mask
        out |= (part << shift | part >> (32 - shift)) & 0xFFFFFFFF
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


def test_planes_add_up_to_the_points() -> None:
    tables = rule_tables(load_rules())
    side = [0, 0, 0, 2, 3, 4, 10, 11]  # 7 8 9 J Q K T A
    trump = [0, 0, 3, 4, 10, 11, 14, 20]  # 7 8 Q K T A 9 J
    planes = tables.score.planes
    points = [sum((int(plane) >> bit & 1) << digit for digit, plane in enumerate(planes)) for bit in range(32)]
    assert points == [*side, *side, *side, *trump]
    assert tables.score.deck_points == sum(points) == 152


def test_constants_of_the_preset() -> None:
    t = rule_tables(load_rules())
    masks = [int(mask) for mask in (t.deal.worthless, t.deal.lowest_rank, t.melds.pair)]
    assert masks == [0x07070707, 0x01010101, 0b0110_0000]
    assert (t.melds.run_steps.tolist(), t.melds.pair_points) == ([0, 0, 0, 20, 30, 50, 0, 0, 20], 20)
    assert (t.score.last_trick, t.score.capo, t.score.mesa_cut, t.score.tie) == (10, 90, 0, 0)
    assert t.play.head_side == t.play.must_ruff == np.uint32(0xFFFFFFFF)
    assert t.play.relief_follow == t.play.relief_ruff == 0


@pytest.mark.parametrize(
    ("settings", "capo", "cut"),
    [(["capo_mode=add"], 100, 0), (["mp_totals=text152"], 80, 10), (["all_tricks=50"], 50, 0)],
)
def test_totals(settings: list[str], capo: int, cut: int) -> None:
    """152 + 100 = 252, 152 + 80 = 232, 152 + 50."""
    t = rule_tables(load_rules(settings=settings)).score
    assert (t.capo, t.mesa_cut) == (capo, cut)


@pytest.mark.parametrize(("relief", "follow", "ruff"), [("follow", 1, 0), ("ruff", 0, 1), ("full", 1, 1)])
def test_relief(relief: str, follow: int, ruff: int) -> None:
    t = rule_tables(load_rules(settings=[f"partner_relief={relief}"])).play
    assert (bool(t.relief_follow), bool(t.relief_ruff)) == (bool(follow), bool(ruff))


def test_arrays_are_read_only_and_tables_are_shared() -> None:
    tables: RuleTables = rule_tables(load_rules())
    assert tables is rule_tables(load_rules())
    with pytest.raises(ValueError, match="read-only"):
        tables.melds.run_steps[0] = 1
