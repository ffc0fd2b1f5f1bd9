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
    "outcome": {name: code for code, name in enumerate(("made", "failed", "hung", "thrown_in", "scored"))},
}


class Difference(NamedTuple):
    """How many deals differ, and the first few: deal, column, what the kernels say, what the referee says."""

    deals: int
    shown: tuple[tuple[int, str, str, str], ...]


def kernel_columns(rules: Rules, policies: Policies, seed: int, first: int, count: int) -> Columns:
    """A batch with its plays, and `legal` [count, cards] (natural order) and `winners` [count, tricks] replayed."""
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
        row["legal"] = [sum(1 << card for card in cards) for cards in record.legal] or [0] * 4 * rules.hand_size
        row["winners"] = list(record.winners) or [-1] * rules.hand_size
        row["outcome"] = CODES["outcome"][row["outcome"]]
        row["contract"] = [*rules.deck.suits, "NT", "AT", "none"].index(row["contract"])
        rows.append(row)
    return {name: np.array([row[name] for row in rows], _kind(name)) for name in rows[0]}


def _kind(name: str) -> type:
    """Sets of cards and deal numbers may need all 64 bits."""
    return np.uint64 if name == "deal" or name == "legal" or name.startswith(("hand", "first")) else np.int64


def compare(
    settings: tuple[str, ...], pair: Pair, seed: int, first: int, count: int, base: str = "mpourloto"
) -> Difference:
    """Play the deals first .. first + count - 1 both ways."""
    rules = load_rules(base, settings)
    policies = load_policies(*pair, rules)
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
