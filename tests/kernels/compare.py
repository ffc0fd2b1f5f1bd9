"""The kernels and the referee side by side: every column and every legal set of a range of deals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.switches import Pair
from kernels.table import Replay
from mpsim import referee
from mpsim.engine.batch import play_batch
from mpsim.policies import load_policies
from mpsim.policies.load import Policies
from mpsim.rules import load_rules
from mpsim.rules.model import Rules

Columns = dict[str, npt.NDArray[Any]]
CODES = {
    "contract": {name: code for code, name in enumerate(("c", "d", "h", "s", "NT", "AT", "none"))},
    "outcome": {name: code for code, name in enumerate(("made", "failed", "hung", "thrown_in"))},
}


class Difference(NamedTuple):
    """How many deals differ, and the first few: deal, column, what the kernels say, what the referee says."""

    deals: int
    shown: tuple[tuple[int, str, str, str], ...]


def kernel_columns(rules: Rules, policies: Policies, seed: int, first: int, count: int) -> Columns:
    """A batch with its plays, and `legal` [count, 32] (natural order) and `winners` [count, 8] replayed from them."""
    columns = play_batch(rules, policies, seed, first, count, record_plays=True)
    replay = Replay(rules, columns)
    return columns | {"legal": replay.legal, "winners": replay.winners}


def referee_columns(rules: Rules, policies: Policies, seed: int, first: int, count: int) -> Columns:
    """The same columns from the referee."""
    players, bidders = policies.players(rules), policies.bidders(rules)
    rows: list[dict[str, Any]] = []
    for deal in range(first, first + count):
        record = referee.play_deal(rules, seed, deal, bidders, players)
        row: dict[str, Any] = record.row()
        row["plays"] = list(row["plays"])
        row["legal"] = [sum(1 << card for card in cards) for cards in record.legal] or [0] * 32
        row["winners"] = list(record.winners) or [-1] * 8
        for name, codes in CODES.items():
            row[name] = codes[row[name]]
        rows.append(row)
    kinds = {"deal": np.uint64}
    return {name: np.array([row[name] for row in rows], kinds.get(name, np.int64)) for name in rows[0]}


def compare(settings: tuple[str, ...], pair: Pair, seed: int, first: int, count: int) -> Difference:
    """Play the deals first .. first + count - 1 both ways."""
    rules, policies = load_rules("mpourloto", settings), load_policies(*pair)
    fast = kernel_columns(rules, policies, seed, first, count)
    slow = referee_columns(rules, policies, seed, first, count)
    assert set(fast) == set(slow)
    differ, shown = np.zeros(count, bool), []
    for name, expected in slow.items():
        found = fast[name].astype(expected.dtype)
        unequal = (found != expected).reshape(count, -1).any(axis=1)
        differ |= unequal
        shown += [(first + int(i), name, str(found[i]), str(expected[i])) for i in np.flatnonzero(unequal)[:3]]
    return Difference(int(differ.sum()), tuple(sorted(shown)[:6]))
