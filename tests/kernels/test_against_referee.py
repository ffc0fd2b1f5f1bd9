"""Kernels against the referee: all columns and legal sets at every ply, for every switch (see switches.py)."""

from __future__ import annotations

import pytest

from kernels.compare import compare
from kernels.switches import MIXED, SWITCHES, Switch
from mpsim.kernels.lanes import LANES

DEALS = 300
"""Deals a switch, shared among its tables.  analysis/validate.py plays 100,000."""


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_switch(switch: Switch) -> None:
    share = DEALS // len(switch.pairs)
    for number, pair in enumerate(switch.pairs):
        difference = compare(switch.settings, pair, 20, number * share, share, switch.base)
        assert difference.deals == 0, difference.shown


LAST = 2**64 - 1
NUMBERS = [(0, 0), (1, 2**32 - 20), (LAST, 5), (2**32, 2**33), (2**32 - 1, LAST - 40), (2**63, 2**63 - 7)]


@pytest.mark.parametrize(("seed", "first"), NUMBERS)
def test_all_64_bits_of_seed_and_deal(seed: int, first: int) -> None:
    """Round the middle of the word and at its end."""
    difference = compare((), (MIXED, "chance:0.3"), seed, first, 40)
    assert difference.deals == 0, difference.shown


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_counts_round_a_block(count: int) -> None:
    difference = compare((), ("greedy", "points"), 4, 10, count)
    assert difference.deals == 0, difference.shown
