"""The columns of a file of matches, each declared once: name, type, unit, meaning, since."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from mpsim.stats.match_tally import ENDED
from mpsim.store.schema import Arrays, Column, Layout, to_arrays

MATCH_SCHEMA_VERSION = 1


def _small(name: str, kind: str, unit: str, meaning: str) -> Column:
    return Column(name, kind, unit, meaning, encoding="DELTA_BINARY_PACKED")


MATCH_COLUMNS: tuple[Column, ...] = (
    _small("match", "uint64", "number", "Match number; its deals have the numbers 1024 * match and up."),
    _small("winner", "int8", "team", "The team that won: 0 (players 0 and 2) or 1; -1: nobody in 1024 deals."),
    _small("score_0", "int32", "game's own unit", "What team 0 has written down in the end."),
    _small("score_1", "int32", "game's own unit", "What team 1 has written down in the end."),
    Column("ended", "category", "", "What decided the match.", categories=ENDED),
    _small("deals", "int16", "deals", "Deals dealt, thrown-in ones too."),
    _small("thrown_in", "int16", "deals", "Those that were thrown in."),
    _small("capots", "int16", "deals", "Those in which one team won all tricks."),
    _small("hung", "int16", "deals", "Those whose points had to wait for a later deal."),
    _small("hanging", "int32", "game's own unit", "Points still waiting at the end: nobody has them."),
    _small("first_dealer", "int8", "player", "Who dealt first; the next player spoke and led first."),
)
MATCH_SCHEMA = pa.schema([
    pa.field(
        column.name,
        pa.dictionary(pa.int8(), pa.string()) if column.categories else getattr(pa, column.kind)(),
        nullable=False,
    )
    for column in MATCH_COLUMNS
])
"""The Arrow schema, without metadata; no column holds nulls."""


_LAYOUT = Layout(outcomes=ENDED)
_ENDS = np.cumsum([0, *map(len, ENDED)]).astype(np.int32)
# Built from buffers, as all arrays here: pa.array() would import pandas to see whether it was given a Series.
_CATEGORIES = pa.StringArray.from_buffers(len(ENDED), pa.py_buffer(_ENDS), pa.py_buffer("".join(ENDED).encode()))


def to_match_batch(rows: Arrays) -> pa.RecordBatch:
    """A record batch of the kernels' columns, `ended` as codes."""
    return pa.RecordBatch.from_arrays([_to_arrow(rows, field) for field in MATCH_SCHEMA], schema=MATCH_SCHEMA)


def _to_arrow(rows: Arrays, field: pa.Field) -> pa.Array:
    values = np.ascontiguousarray(rows[field.name])
    buffers = [None, pa.py_buffer(values)]
    if pa.types.is_dictionary(field.type):
        codes = pa.Array.from_buffers(pa.int8(), len(values), buffers)
        return pa.DictionaryArray.from_arrays(codes, _CATEGORIES)
    return pa.Array.from_buffers(field.type, len(values), buffers)


def to_match_arrays(batch: pa.RecordBatch) -> Arrays:
    """The inverse of `to_match_batch`."""
    return to_arrays(batch, _LAYOUT)
