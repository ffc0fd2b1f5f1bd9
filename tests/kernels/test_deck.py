"""Where cards fall: the kernel that counts beside numpy, on the same cards."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.decks import Array, counted
from kernels.harness import new_state, row
from mpsim.kernels import lanes
from mpsim.kernels.deal import deal
from mpsim.kernels.lanes import LANES
from mpsim.kernels.random import DEAL, seed_streams
from mpsim.rules import load_rules
from mpsim.rules.tables import rule_tables
from mpsim.studies.fairness import count_part

ROWS = [
    *(f"FIRST{seat}" for seat in range(4)), *(f"HAND{seat}" for seat in range(4)), "LATE0", "LATE1", "LATE2", "UP",
]  # fmt: skip
TABLES = rule_tables(load_rules())
FIRST_PLACE = [0, 5, 10, 15, 20, 22, 24, 26, 28, 29, 30, 31]


def dealt(seed: int, first: int, deals: int) -> Array:
    """[deal, card]: a place of the card's packet, in the deals of the kernel."""
    state, places = new_state(), []
    for block in range(first, first + deals, LANES):
        seed_streams(state, np.uint64(seed), np.uint64(block), 1, DEAL)
        deal(state, TABLES.deal)
        words = np.array([row(state, getattr(lanes, name)) for name in ROWS])
        held = words[:, :, None] >> np.arange(32, dtype=np.uint32) & np.uint32(1)
        assert (held.sum(axis=0) == 1).all()
        places.append(np.array(FIRST_PLACE)[held.argmax(axis=0)])
    return np.concatenate(places)[:deals]


@pytest.mark.parametrize(("first", "deals"), [(0, 2 * LANES + 77), (0, LANES), (1 << 40, 3), (9, 1), (LANES + 2, 600)])
def test_counts_are_those_of_numpy(first: int, deals: int) -> None:
    expected = counted(dealt(7, first, deals), first)
    for name, found in count_part(7, first, deals)._asdict().items():
        assert np.array_equal(found, getattr(expected, name)), name
