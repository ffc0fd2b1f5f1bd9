"""The columns of matches: declared once, of the kernels' own types."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from mpsim.engine.match import play_matches
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.stats.match_tally import ENDED
from mpsim.store.match_schema import MATCH_COLUMNS, MATCH_SCHEMA, to_match_arrays, to_match_batch


def rows() -> dict[str, np.ndarray]:
    rules = load_rules("madrasso")
    return play_matches(rules, load_policies(rules=rules), 1, 2**53, 400)


def test_kernels_fill_what_is_declared() -> None:
    """Arrow takes the arrays' memory as it is."""
    played = rows()
    assert set(played) == {column.name for column in MATCH_COLUMNS}
    for field in MATCH_SCHEMA:
        stored = pa.int8() if pa.types.is_dictionary(field.type) else field.type
        assert played[field.name].dtype == stored.to_pandas_dtype(), field.name


def test_there_and_back() -> None:
    played = rows()
    batch = to_match_batch(played)
    batch.validate(full=True)
    assert batch.column("ended").to_pylist() == [ENDED[code] for code in played["ended"]]
    assert batch.column("match").to_pylist() == list(range(2**53, 2**53 + 400))
    for name, values in to_match_arrays(batch).items():
        assert np.array_equal(values, played[name]), name
    for name, values in to_match_arrays(batch.slice(7, 5)).items():
        assert np.array_equal(values, played[name][7:12]), name


@pytest.mark.parametrize("number", range(len(MATCH_COLUMNS)))
def test_every_column_is_explained(number: int) -> None:
    column = MATCH_COLUMNS[number]
    assert column.meaning.endswith(".")
    assert bool(column.categories) == (column.kind == "category")


def test_writing_rows_does_not_import_pandas() -> None:
    code = (
        "import sys, tempfile, mpsim\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    mpsim.simulate_matches(2, seed=1, out=f'{folder}/m.parquet')\n"
        "print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
