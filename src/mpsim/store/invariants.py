"""What must hold in every row (docs/columns.md, Columns), checked on whole columns at once.

A fault is a name and a mask of rows.  Nothing here uses the kernels: the checks are written from the rules again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mpsim.rules import Rules
from mpsim.store.check_auction import check_auction
from mpsim.store.check_cards import check_exchange, check_hands
from mpsim.store.check_melds import check_melds
from mpsim.store.check_plays import check_plays
from mpsim.store.check_points import check_points, check_tricks
from mpsim.store.check_settlement import check_settlement
from mpsim.store.rows import Rows
from mpsim.store.schema import Array, Arrays

CHECKS: tuple[Callable[[Rows], Any], ...] = (
    check_hands,
    check_auction,
    check_exchange,
    check_tricks,
    check_points,
    check_melds,
    check_settlement,
    check_plays,
)


def faults(arrays: Arrays, rules: Rules) -> Iterator[tuple[str, Array]]:
    """Every check that some row fails, with the mask of those rows; shape (n,), bool."""
    rows = Rows(arrays, rules)
    for check in CHECKS:
        for name, mask in check(rows):
            if mask.any():
                yield name, mask
