"""The columns against the table that other programs rely on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from mpsim.rules import load_rules, presets
from mpsim.store.schema import (
    CONTRACTS,
    FRENCH,
    OUTCOMES,
    Layout,
    arrow_schema,
    columns,
    layout_of,
    to_arrays,
    to_batch,
)

PLAYS = replace(FRENCH, plays=True)
MADRASSO = layout_of(load_rules("madrasso"), record_plays=True)

CONTRACT = """
deal uint64 · hand_0 uint32 · hand_1 uint32 · hand_2 uint32 · hand_3 uint32 ·
first_0 uint32 · first_1 uint32 · first_2 uint32 · first_3 uint32 · upcard int8 · round int8 · taker int8 ·
contract dictionary<values=string, indices=int8, ordered=0> · multiplier int8 · exchanger int8 ·
meld_0 int16 · meld_1 int16 · tricks_0 int8 · tricks_1 int8 · points_0 int16 · points_1 int16 ·
score_0 int16 · score_1 int16 · outcome dictionary<values=string, indices=int8, ordered=0>
"""


def test_names_and_types_are_the_contract() -> None:
    expected = [tuple(item.split(maxsplit=1)) for item in CONTRACT.replace("\n", " ").split("·")]
    expected = [(name, kind.strip()) for name, kind in expected]
    assert [(field.name, str(field.type)) for field in arrow_schema()] == expected


def test_plays_are_bytes_in_order() -> None:
    assert arrow_schema(PLAYS).field("plays").type == pa.binary(32)
    assert arrow_schema(MADRASSO).field("plays").type == pa.binary(40)
    assert arrow_schema(PLAYS).names[:-1] == arrow_schema().names


def test_a_larger_deck_has_wider_hands_and_else_the_same_columns() -> None:
    large, small = arrow_schema(MADRASSO), arrow_schema(PLAYS)
    assert large.names == small.names
    differ = [name for name in small.names if large.field(name).type != small.field(name).type]
    assert differ == [f"{kind}_{seat}" for kind in ("hand", "first") for seat in range(4)] + ["plays"]
    assert {large.field(name).type for name in differ[:-1]} == {pa.uint64()}


@pytest.mark.parametrize("name", presets())
def test_layouts_of_the_presets(name: str) -> None:
    """Only Madrasso is another: 40 cards in 64 bits, its own suits, and deals that nobody has to make."""
    layout = layout_of(load_rules(name))
    if name == "madrasso":
        assert layout == Layout(40, 64, ("d", "c", "s", "b", "NT", "AT", "none"), OUTCOMES)
    else:
        assert layout == FRENCH


def test_contracts_are_named_by_the_suits_of_the_deck() -> None:
    assert layout_of(load_rules("mpourloto", ["suits=hsdc"])).contracts[:4] == ("h", "s", "d", "c")


def test_no_column_holds_nulls_or_floats_and_each_is_explained() -> None:
    assert not any(field.nullable or pa.types.is_floating(field.type) for field in arrow_schema(PLAYS))
    assert all(column.meaning.endswith(".") and column.unit and column.since for column in columns(True))


@pytest.mark.parametrize("layout", [PLAYS, MADRASSO], ids=["32 cards", "40 cards"])
def test_arrays_come_back(layout: Layout) -> None:
    numbers = [field for field in arrow_schema() if not pa.types.is_dictionary(field.type)]
    arrays = {field.name: np.arange(2, dtype=str(field.type)) for field in numbers} | {
        "deal": np.array([2**64 - 2, 2**64 - 1], np.uint64),
        "contract": np.array([6, 0], np.int8),
        "outcome": np.array([3, len(layout.outcomes) - 1], np.int8),
        "plays": np.arange(2 * layout.cards, dtype=np.uint8).reshape(2, -1),
    }
    words = np.array([0xFF, 2**layout.word - 1], f"uint{layout.word}")
    arrays |= {f"{kind}_{seat}": words for kind in ("hand", "first") for seat in range(4)}
    batch = to_batch(arrays, layout)
    batch.validate(full=True)
    assert batch.column("contract").to_pylist() == ["none", layout.contracts[0]]
    assert batch.column("outcome").to_pylist() == ["thrown_in", layout.outcomes[-1]]
    assert batch.column("hand_3").to_pylist() == [0xFF, 2**layout.word - 1]
    assert batch.column("plays")[1].as_py() == bytes(range(layout.cards, 2 * layout.cards))
    for back in (to_arrays(batch, layout), to_arrays(pa.Table.from_batches([batch, batch]).slice(2), layout)):
        assert all(np.array_equal(back[name], arrays[name]) for name in arrays)


def test_categories_are_read_by_name_not_by_code() -> None:
    other = pa.array(["s", "?", "c"]).dictionary_encode()
    assert to_arrays(pa.table({"contract": other}))["contract"].tolist() == [3, -1, 0]
    assert to_arrays(pa.table({"contract": other}), MADRASSO)["contract"].tolist() == [2, -1, 1]


@pytest.mark.parametrize(("categories", "count"), [(CONTRACTS, 7), (OUTCOMES, 5)])
def test_categories(categories: tuple[str, ...], count: int) -> None:
    assert len(set(categories)) == count
