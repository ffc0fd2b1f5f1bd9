"""The columns of a run's Parquet files, each declared once: name, type, unit, meaning, since.

Writer, reader, `verify` and the column reference in the docs all come from `COLUMNS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mpsim.rules import Rules

Array = npt.NDArray[Any]
Arrays = dict[str, Array]
"""Rows as the kernels give them: one array a column, categories as int8 codes, `plays` as uint8 rows."""

SCHEMA_VERSION = 1
PART_BITS = 20
PART_DEALS = 1 << PART_BITS
"""Deal numbers a part: part i holds the deals i * 2^20 up to (i + 1) * 2^20 - 1 that are in the run."""
ROW_GROUP = 1 << 18

CONTRACTS = ("c", "d", "h", "s", "NT", "AT", "none")
"""Names of contracts by code, where the suits are those of the French deck."""
OUTCOMES = ("made", "failed", "hung", "thrown_in", "scored")
"""Names of outcomes by code."""
NO_CARD = 255
"""What `plays` holds for a card that was never played (a thrown-in deal)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What game and run make of the columns: cards and bits of the deck, categories by code, plays or not."""

    cards: int = 32
    word: int = 32
    contracts: tuple[str, ...] = CONTRACTS
    outcomes: tuple[str, ...] = OUTCOMES[:4]
    plays: bool = False

    def categories(self, name: str) -> tuple[str, ...]:
        """The values of a column of categories, by code."""
        return self.contracts if name == "contract" else self.outcomes


FRENCH = Layout()
"""Of every game with 32 French cards and an auction, plays not recorded."""


def layout_of(rules: Rules, record_plays: bool = False) -> Layout:
    """The layout of a run of checked rules."""
    deck = rules.deck
    # A file holds the whole list of its categories: `scored` is on it only where it can come.
    outcomes = OUTCOMES if rules.auction.kind == "turned" else OUTCOMES[:4]
    return Layout(len(deck.cards), 4 * deck.field, (*deck.suits, "NT", "AT", "none"), outcomes, record_plays)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `kind` is its type in words, `encoding` its Parquet encoding (None: chosen by the writer)."""

    name: str
    kind: str
    unit: str
    meaning: str
    since: str = "0.1"
    encoding: str | None = None
    categories: tuple[str, ...] = ()


def _per_seat(prefix: str, meaning: str) -> tuple[Column, ...]:
    return tuple(Column(f"{prefix}_{seat}", "cards", "set of cards", meaning.format(seat)) for seat in range(4))


def _per_team(prefix: str, kind: str, unit: str, meaning: str) -> tuple[Column, ...]:
    return tuple(_small(f"{prefix}_{team}", kind, unit, meaning.format(team)) for team in range(2))


def _small(name: str, kind: str, unit: str, meaning: str) -> Column:
    # Bit-packed differences: 4 % smaller than plain after zstd, and every Parquet reader knows them.
    return Column(name, kind, unit, meaning, encoding="DELTA_BINARY_PACKED")


COLUMNS: tuple[Column, ...] = (
    Column("deal", "uint64", "number", "Deal number.", encoding="DELTA_BINARY_PACKED"),
    *_per_seat("hand", "The hand seat {} plays, after any exchange: bit F * suit + rank, F being 8, or 16 in a deck of "
               "40 cards."),
    *_per_seat("first", "The cards seat {} held while bidding, or before the second deal."),
    _small("upcard", "int8", "card", "The turned card's number, F * suit + rank; -1 where the game has none."),
    _small("round", "int8", "round", "Round of the auction in which the contract was called, four turns a round on a "
           "ladder; 1 where there is no auction; 0: thrown in."),
    _small("taker", "int8", "seat", "Seat that fixed the contract; -1: thrown in, or nobody takes in this game."),
    Column("contract", "category", "contract", "Trump suit by the deck's letter, NT (no trumps), AT (all trumps), or "
           "none: thrown in.", categories=CONTRACTS),
    _small("multiplier", "int8", "factor", "1, 2 (doubled) or 4 (redoubled)."),
    _small("exchanger", "int8", "seat", "Seat that swapped the seven for the turned card; -1: nobody."),
    *_per_team("meld", "int16", "points", "Meld points scored by team {}, trump pair included."),
    *_per_team("tricks", "int8", "tricks", "Tricks won by team {}."),
    *_per_team("points", "int16", "points", "Card points of team {} with last-trick and all-trick bonus, the factor of "
               "no trumps included, before settlement."),
    *_per_team("score", "int16", "game's own unit", "What team {} writes down: points, or game points (tens) where the "
               "rules round to tens."),
    Column("outcome", "category", "outcome", "What became of the contract; scored: there is none to make, each team "
           "writes down its own.", categories=OUTCOMES),
)

PLAYS = Column("plays", "plays", "cards", "Card numbers in play order, one byte each; 255: not played. Only with "
               "`--record plays`.")


def columns(record_plays: bool = False) -> tuple[Column, ...]:
    """The columns of a run, in file order."""
    return (*COLUMNS, PLAYS) if record_plays else COLUMNS


def arrow_type(column: Column, layout: Layout = FRENCH) -> pa.DataType:
    """The Arrow type of a column."""
    if column.kind == "cards":
        return pa.uint32() if layout.word == 32 else pa.uint64()
    if column.kind == "plays":
        return pa.binary(layout.cards)
    if column.kind == "category":
        return pa.dictionary(pa.int8(), pa.string())
    return {"uint64": pa.uint64(), "int8": pa.int8(), "int16": pa.int16()}[column.kind]


@cache
def arrow_schema(layout: Layout = FRENCH) -> pa.Schema:
    """The Arrow schema of a run's files, without metadata; no column holds nulls."""
    return pa.schema([pa.field(c.name, arrow_type(c, layout), nullable=False) for c in columns(layout.plays)])


@cache
def _dictionary(values: tuple[str, ...]) -> pa.Array:
    """Text as an Arrow array, from its buffers."""
    ends = np.cumsum([0, *(len(value.encode()) for value in values)]).astype(np.int32)
    text = "".join(values).encode()
    return pa.Array.from_buffers(pa.string(), len(values), [None, pa.py_buffer(ends), pa.py_buffer(text)])


def to_batch(arrays: Arrays, layout: Layout) -> pa.RecordBatch:
    """A record batch of the kernels' arrays, without copying them."""
    schema = arrow_schema(layout)
    return pa.RecordBatch.from_arrays([_to_arrow(arrays[f.name], f, layout) for f in schema], schema=schema)


def _to_arrow(values: Array, field: pa.Field, layout: Layout) -> pa.Array:
    # Built from buffers: pa.array() would import pandas, a fifth of a second, to see whether it was given a Series.
    buffers, length = [None, pa.py_buffer(np.ascontiguousarray(values))], len(values)
    if pa.types.is_dictionary(field.type):
        codes = pa.Array.from_buffers(pa.int8(), length, buffers)
        return pa.DictionaryArray.from_arrays(codes, _dictionary(layout.categories(field.name)))
    return pa.Array.from_buffers(field.type, length, buffers)


def to_arrays(table: pa.Table | pa.RecordBatch, layout: Layout = FRENCH) -> Arrays:
    """The kernels' arrays of a table or batch: the inverse of `to_batch`."""
    table = table if isinstance(table, pa.Table) else pa.Table.from_batches([table])
    return {name: _to_numpy(table.column(name).combine_chunks(), name, layout) for name in table.column_names}


def _to_numpy(array: pa.Array, name: str, layout: Layout) -> Array:
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    if pa.types.is_dictionary(array.type):
        return _codes(array, layout.categories(name))
    if pa.types.is_fixed_size_binary(array.type):
        width = array.type.byte_width
        rows: Array = np.frombuffer(array.buffers()[1], np.uint8)
        return rows[array.offset * width : (array.offset + len(array)) * width].reshape(-1, width)
    values: Array = array.to_numpy(zero_copy_only=False)
    return values


def _codes(array: pa.DictionaryArray, categories: tuple[str, ...]) -> Array:
    """Codes in our order, whatever the order of the file's dictionary; -1 for an unknown category."""
    known = {name: code for code, name in enumerate(categories)}
    table = np.array([known.get(value, -1) for value in array.dictionary.to_pylist()] or [-1], np.int8)
    codes: Array = table[array.indices.to_numpy(zero_copy_only=False)]
    return codes
