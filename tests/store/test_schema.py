"""The columns against the table that other programs rely on."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from mpsim.store.schema import CONTRACTS, OUTCOMES, arrow_schema, columns, to_arrays, to_batch

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
    assert arrow_schema(True).field("plays").type == pa.binary(32)
    assert arrow_schema(True, deck_size=40).field("plays").type == pa.binary(40)
    assert arrow_schema(True).names[:-1] == arrow_schema().names


def test_a_larger_deck_has_wider_hands() -> None:
    assert arrow_schema(deck_size=40).field("hand_2").type == pa.uint64()


def test_no_column_holds_nulls_or_floats_and_each_is_explained() -> None:
    assert not any(field.nullable or pa.types.is_floating(field.type) for field in arrow_schema(True))
    assert all(column.meaning.endswith(".") and column.unit and column.since for column in columns(True))


def test_arrays_come_back() -> None:
    schema = pa.schema([arrow_schema(True).field(name) for name in ("deal", "hand_0", "contract", "outcome", "plays")])
    arrays = {
        "deal": np.array([2**64 - 2, 2**64 - 1], np.uint64),
        "hand_0": np.array([0xFF, 2**32 - 1], np.uint32),
        "contract": np.array([6, 0], np.int8),
        "outcome": np.array([3, 0], np.int8),
        "plays": np.arange(64, dtype=np.uint8).reshape(2, 32),
    }
    batch = to_batch(arrays, schema)
    batch.validate(full=True)
    assert batch.column("contract").to_pylist() == ["none", "c"]
    assert batch.column("outcome").to_pylist() == ["thrown_in", "made"]
    assert batch.column("plays")[1].as_py() == bytes(range(32, 64))
    for back in (to_arrays(batch), to_arrays(pa.Table.from_batches([batch, batch]).slice(2))):
        assert all(np.array_equal(back[name], arrays[name]) for name in arrays)


def test_categories_are_read_by_name_not_by_code() -> None:
    other = pa.array(["s", "?", "c"]).dictionary_encode()
    assert to_arrays(pa.table({"contract": other}))["contract"].tolist() == [3, -1, 0]


@pytest.mark.parametrize(("categories", "count"), [(CONTRACTS, 7), (OUTCOMES, 4)])
def test_categories(categories: tuple[str, ...], count: int) -> None:
    assert len(set(categories)) == count
