"""Decks that are only cut: the chains of the kernels against those of the referee."""

from __future__ import annotations

import pytest

from kernels.compare import compare
from kernels.switches import MIXED, Pair

CUT = "shuffle=cut_only"


@pytest.mark.parametrize("gather", ["by_side", "in_order"])
@pytest.mark.parametrize(("base", "pair"), [
    ("mpourloto", ("greedy", "points")),
    ("mpourloto", (MIXED, "points,chance:0.2,never,points")),
    ("mpourloto-greek", ("random", "chance:0.1")),
    ("bulgarian", ("greedy", "points")),
    ("bulgarian", (MIXED, "chance:0.1")),
    ("contree", ("greedy", "points")),
    ("madrasso", ("greedy", "points")),
    ("madrasso", ("random", "points")),
])  # fmt: skip
def test_chains(base: str, pair: Pair, gather: str) -> None:
    """Six tables of sixteen deals, and some deals of a seventh."""
    difference = compare((CUT, "chain=16", f"gather={gather}"), pair, 5, 16 * 7, 100, base)
    assert difference.deals == 0, difference.shown


@pytest.mark.parametrize("settings", [
    ("upcard_to=taker",), ("packets=[3, 2]", "packets_after=[2, 1]", "upcard_to=taker"), ("upcard_index=19",),
    ("packets=[2, 1]", "upcard_index=12", "packets_after=[2, 3]"), ("aponta=true", "chain=1"),
])  # fmt: skip
def test_other_packets(settings: tuple[str, ...]) -> None:
    difference = compare((CUT, "chain=8", *settings), ("greedy", "chance:0.2"), 6, 3, 61)
    assert difference.deals == 0, difference.shown


def test_more_tables_than_lanes() -> None:
    difference = compare((CUT, "chain=2"), ("greedy", "points"), 7, 1, 1100)
    assert difference.deals == 0, difference.shown
