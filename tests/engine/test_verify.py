"""`verify` finds what was changed, and says where."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import mpsim
from mpsim.engine.verify import verify
from mpsim.stats.tally import Tally, tally_deals
from mpsim.store.provenance import Part
from mpsim.store.reader import iter_groups
from mpsim.store.schema import to_arrays
from mpsim.store.writer import PartWriter

FIRST = (1 << 20) - 400


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify") / "run"
    mpsim.simulate(deals=1000, first=FIRST, seed=2, out=folder, record_plays=True)
    return folder


@pytest.fixture
def run(original: Path, tmp_path: Path) -> Path:
    shutil.copytree(original, tmp_path / "run")
    return tmp_path / "run"


def test_a_good_run(original: Path) -> None:
    report = verify(original, sample=50)
    assert (report.rows, report.replayed, report.problems) == (1000, 50, [])


def test_a_sample_of_all_rows(original: Path) -> None:
    assert verify(original, sample=10**6).replayed == 1000


def forge(run: Path, deal: int, **values: Any) -> None:
    """Change one row and everything that would give it away but the rules: digests, metadata, counts."""
    spec = mpsim.open_run(run)._spec
    record = json.loads((run / "run.json").read_text())
    place = int(deal >= 1 << 20)
    entry = record["parts"][place]
    part = Part(entry["first"], entry["rows"])
    (table,) = iter_groups(run / part.file)
    rows = {name: array.copy() for name, array in to_arrays(table, spec.layout).items()}
    for name, value in values.items():
        rows[name][deal - part.first] = value
    writer = PartWriter(run, spec, part)
    writer.write(rows)
    tally = Tally(spec.digest) + tally_deals(spec.digest, rows, spec.rules)
    record["parts"][place] = {**writer.finish().as_dict(), "tally": tally.as_dict()}
    (run / "run.json").write_text(json.dumps(record))


def test_a_forged_row_breaks_a_rule(run: Path) -> None:
    forge(run, FIRST + 17, points_0=99)
    report = verify(run, sample=0)
    assert {problem.deals for problem in report.problems} == {(FIRST + 17,)}
    assert any(problem.what.endswith("points add up to the cards and the bonus") for problem in report.problems)
    assert {problem.file for problem in report.problems} == {"deals/part-000000.parquet"}


def test_a_forged_play_breaks_a_rule(run: Path) -> None:
    row = mpsim.open_run(run).table().slice(500, 1).to_pylist()[0]
    plays = bytearray(row["plays"])
    plays[-1], plays[-2] = plays[-2], plays[-1]
    forge(run, row["deal"], plays=np.frombuffer(bytes(plays), np.uint8))
    problems = verify(run, sample=0).problems
    assert {problem.deals for problem in problems} == {(row["deal"],)}
    assert problems[0].what == "broken: every card is of the seat whose turn it is"


def test_a_forged_row_that_keeps_the_rules_meets_the_referee(tmp_path: Path) -> None:
    """Without the plays nothing in a row says how many tricks its points took."""
    run = tmp_path / "run"
    mpsim.simulate(deals=1000, first=FIRST, seed=2, out=run)
    rows = mpsim.open_run(run).table().to_pylist()
    row = next(row for row in rows[450:] if row["tricks_0"] > 1 and row["tricks_1"] > 1)
    forge(run, row["deal"], tricks_0=row["tricks_0"] - 1, tricks_1=row["tricks_1"] + 1)
    assert verify(run, sample=0).problems == []
    (problem,) = verify(run, sample=1000).problems
    assert problem.deals == (row["deal"],)
    assert problem.what.startswith("the referee plays it otherwise: tricks_0 is")


def test_other_counts_are_found(run: Path) -> None:
    record = json.loads((run / "run.json").read_text())
    record["parts"][1]["tally"]["counts"]["made"] += 1
    (run / "run.json").write_text(json.dumps(record))
    (problem,) = verify(run).problems
    assert problem.what == "the counts in run.json are not those of the rows"


@pytest.mark.parametrize("kept", [0, 10, 5000, -9, -1])
def test_a_truncated_part(run: Path, kept: int) -> None:
    path = run / "deals" / "part-000001.parquet"
    path.write_bytes(path.read_bytes()[:kept])
    problems = verify(run, sample=20).problems
    assert {problem.file for problem in problems} == {"deals/part-000001.parquet"}
    assert problems[0].deals[0] == 1 << 20
    assert any("cannot be read" in problem.what for problem in problems)
    assert any(f"--resume --out {run}`" in problem.what for problem in problems)
    assert not any("\n" in problem.what for problem in problems)


def test_a_flipped_bit(run: Path) -> None:
    path = run / "deals" / "part-000001.parquet"
    good = bytearray(path.read_bytes())
    good[4000] ^= 4
    path.write_bytes(good)
    whats = [problem.what for problem in verify(run, sample=0).problems]
    assert "the file is not the one that was written (sha256 differs)" in whats
    assert len(whats) > 1


def test_files_missing_and_too_many(run: Path) -> None:
    (run / "deals" / "part-000000.parquet").rename(run / "deals" / "part-000007.parquet")
    found = {(problem.what, problem.file) for problem in verify(run).problems}
    assert found == {
        ("the file is missing", "deals/part-000000.parquet"),
        ("a file that run.json does not list", "deals/part-000007.parquet"),
    }


def test_a_part_of_another_run(run: Path, tmp_path: Path) -> None:
    mpsim.simulate(deals=1000, first=FIRST, seed=3, out=tmp_path / "other", record_plays=True)
    name = "deals/part-000000.parquet"
    shutil.copy(tmp_path / "other" / name, run / name)
    whats = [problem.what for problem in verify(run).problems]
    assert "the file's metadata is of another run (seed, content)" in whats


def test_an_unfinished_run(run: Path) -> None:
    record = json.loads((run / "run.json").read_text())
    del record["parts"][1]
    (run / "deals" / "part-000001.parquet").unlink()
    (run / "run.json").write_text(json.dumps({**record, "status": "running"}))
    (problem,) = verify(run).problems
    assert problem.what == "the run is unfinished, 1 of 2 parts are there: go on with --resume"


def test_other_columns(run: Path) -> None:
    path = run / "deals" / "part-000000.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["taker"]), path)
    assert "the columns are not those of the schema" in [problem.what for problem in verify(run).problems]


def change_entry(run: Path, number: int, **values: Any) -> None:
    record = json.loads((run / "run.json").read_text())
    record["parts"][number] |= values
    (run / "run.json").write_text(json.dumps(record))


def test_another_size_or_name_in_the_record(run: Path) -> None:
    change_entry(run, 0, bytes=5)
    (problem,) = verify(run).problems
    assert problem.what.startswith("run.json speaks of deals/part-000000.parquet with 5 bytes, the file has ")


def test_another_content_in_the_record_is_found_and_mended(run: Path) -> None:
    change_entry(run, 0, content="0" * 64)
    (problem,) = verify(run).problems
    assert "(content)" in problem.what
    mpsim.simulate(resume=True, out=run)
    assert verify(run).problems == []
