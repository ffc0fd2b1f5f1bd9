"""Sums of decisions as the two tables of an acceptance study: by class, and by trump holding and turned rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mpsim.policies.chart import Actions
from mpsim.policies.classes import HOLDINGS, RANKS, Classes
from mpsim.rules.model import Deck
from mpsim.stats.estimates import normal_quantile
from mpsim.stats.pooling import Pooled
from mpsim.store.acceptance import RANKS as RANK_NAMES
from mpsim.store.acceptance import VERDICTS, acceptance_schema
from mpsim.studies.verdicts import Group, cell_codes, design, groups, taken_records

Array = npt.NDArray[Any]
NAMED = ("turned", "other")


def class_table(sums: Array, pooled: Sequence[Pooled], actions: Actions, deck: Deck) -> pa.Table:
    """A row a class, of int64 sums [record, 6] and the pooled differences of each group."""
    plays = taken_records(actions)
    return pa.concat_tables(
        _class_rows(group, sums[group.start : group.stop], of_group, plays[group.start : group.stop], deck)
        for group, of_group in zip(groups(), pooled, strict=True)
    ).combine_chunks()


def _class_rows(group: Group, sums: Array, pooled: Pooled, plays: Array, deck: Deck) -> pa.Table:
    classes, half = group.classes, normal_quantile() * pooled.se
    sides = [_names(holding, deck.plain_order) for holding in classes.sides]
    columns = {
        **_keys(group, classes.up, classes.trumps, deck), "hands": classes.hands, **_means(sums),
        "side_1": sides[0], "side_2": sides[1], "side_3": sides[2],
        "pooled": pooled.mean, "pooled_se": pooled.se, "low": pooled.mean - half, "high": pooled.mean + half,
        "verdict": _verdicts(pooled.mean - half, pooled.mean + half), "plays": plays,
    }
    return _table("classes", columns)


def cell_table(sums: Array, natural: Array, deals: int, actions: Actions, deck: Deck) -> pa.Table:
    """A row a cell; `natural` are the visits of each record [record] in so many deals dealt at random."""
    plays = taken_records(actions)
    return pa.concat_tables(
        _cell_rows(group, sums[group.start : group.stop], natural[group.start : group.stop], deals,
                   plays[group.start : group.stop], deck)
        for group in groups()
    ).combine_chunks()


def cell_sums(sums: Array, other: bool) -> Array:
    """Sums [class, number] of a group added up by cell."""
    shape = design(other)
    summed = np.zeros((shape.cells, sums.shape[1]), np.int64)
    np.add.at(summed, shape.cell, sums)
    return summed


def cells_of(classes: Classes) -> tuple[Array, Array]:
    """Rank turned and trumps held of each cell, in their order."""
    codes = np.unique(cell_codes(classes))
    return codes % RANKS, codes // RANKS


def _cell_rows(group: Group, sums: Array, natural: Array, deals: int, plays: Array, deck: Deck) -> pa.Table:
    shape, classes = design(group.other), group.classes
    up, trumps = cells_of(classes)
    hands = np.bincount(shape.cell, classes.hands)
    means = _means(cell_sums(sums, group.other))
    half = normal_quantile() * means["se"]
    low, high = means["difference"] - half, means["difference"] + half
    columns = {
        **_keys(group, up, trumps, deck), "hands": hands, **means, "low": low, "high": high,
        "verdict": _verdicts(low, high), "accepting": np.bincount(shape.cell, classes.hands * plays) / hands,
        "visits": np.bincount(shape.cell, natural) / max(deals, 1),
    }
    return _table("cells", columns)


def _keys(group: Group, up: Array, trumps: Array, deck: Deck) -> dict[str, Any]:
    size = len(up)
    return {
        "round": np.full(size, group.round), "seat": np.full(size, group.seat),
        "named": _dictionary(np.full(size, int(group.other)), NAMED), "up": _dictionary(up, tuple(RANK_NAMES)),
        "trumps": _names(trumps, deck.trump_order),
    }


def _means(sums: Array) -> dict[str, Array]:
    """Means and the error of their difference, of int64 sums [row, 6]."""
    n = sums[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        take, passing = sums[:, 1] / n, sums[:, 2] / n
        total, squares = sums[:, 1] - sums[:, 2], sums[:, 3] - 2 * sums[:, 5] + sums[:, 4]
        variance = np.where(n > 2, (squares - total / n * total) / (n - 1), np.nan)
        se = np.sqrt(np.maximum(variance, 0) / n)
    return {"n": n, "take": take, "pass": passing, "difference": total / np.where(n > 0, n, np.nan), "se": se}


def _verdicts(low: Array, high: Array) -> pa.DictionaryArray:
    return _dictionary(1 + (low > 0) - (high < 0), VERDICTS)


def _names(holdings: Array, order: str) -> pa.DictionaryArray:
    """Holdings as ranks, the strongest first; `-` for none."""
    names = ["".join(rank for rank in order if holding >> RANK_NAMES.index(rank) & 1) or "-" for holding in HOLDINGS]
    return _dictionary(np.searchsorted(HOLDINGS, holdings), tuple(names))


def _dictionary(codes: Array, names: tuple[str, ...]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int16)), pa.array(names, pa.string()))


def _table(kind: str, columns: dict[str, Any]) -> pa.Table:
    schema = acceptance_schema(kind)
    return pa.table([
        column if isinstance(column := columns[field.name], pa.DictionaryArray) else pa.array(column, field.type)
        for field in schema
    ], schema=schema)  # fmt: skip
