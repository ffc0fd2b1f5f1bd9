"""Runs on disk and in memory: the same rows however they are made, stopped or cut."""

from __future__ import annotations

import itertools
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mpsim
from mpsim.engine import run as engine_run
from mpsim.engine.stop import Interrupted
from mpsim.errors import RunError, UsageError
from mpsim.store.provenance import validate_record
from mpsim.store.schema import FRENCH, arrow_schema

PART = 1 << 20
FIRST, DEALS, SEED = PART - 700, 1500, 5
"""A small range that crosses a part's border, so that the run has two files."""


def make(out: Path | None = None, **options: Any) -> mpsim.Run:
    return mpsim.simulate(**{"deals": DEALS, "first": FIRST, "seed": SEED, "out": out, **options})


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "deals").iterdir())}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> mpsim.Run:
    return make(tmp_path_factory.mktemp("run") / "whole", record_plays=True)


def test_a_run_folder(made: mpsim.Run) -> None:
    assert made.path is not None
    assert sorted(path.relative_to(made.path).as_posix() for path in made.path.rglob("*")) == [
        "deals", "deals/part-000000.parquet", "deals/part-000001.parquet", "run.json",
    ]  # fmt: skip
    record = json.loads((made.path / "run.json").read_text())
    validate_record(record, made.path)
    assert record["status"] == "complete"
    assert [(part["first"], part["rows"]) for part in record["parts"]] == [(FIRST, 700), (PART, 800)]
    assert record["times"]["finished"] >= record["times"]["started"]


def test_files_are_written_as_declared(made: mpsim.Run) -> None:
    assert made.path is not None
    file = pq.ParquetFile(made.path / "deals" / "part-000000.parquet")
    assert file.schema_arrow.remove_metadata() == arrow_schema(replace(FRENCH, plays=True))
    account = json.loads(file.metadata.metadata[b"mpsim"])
    assert (account["seed"], account["first"], account["rows"], account["stream"]) == (SEED, FIRST, 700, 1)
    assert account["rules"]["score"]["last_trick"] == 10
    group = file.metadata.row_group(0)
    for position in range(group.num_columns):
        column = group.column(position)
        assert column.compression == "ZSTD"
        dictionary = column.path_in_schema in ("contract", "outcome")
        assert ("RLE_DICTIONARY" in column.encodings) == dictionary, column.path_in_schema
    assert "DELTA_BINARY_PACKED" in group.column(0).encodings


def test_row_groups_of_a_whole_part(tmp_path: Path) -> None:
    run = mpsim.simulate(deals=PART, seed=1, out=tmp_path / "r")
    file = pq.ParquetFile(tmp_path / "r" / "deals" / "part-000000.parquet")
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [PART // 4] * 4
    assert file.metadata.row_group(0).total_byte_size > 0
    assert (tmp_path / "r" / "deals" / "part-000000.parquet").stat().st_size / PART <= 45
    assert run.summary["deals"] == PART


def test_rows_in_memory_are_the_rows_on_disk(made: mpsim.Run) -> None:
    memory = make(record_plays=True)
    assert memory.path is None
    assert memory.table().equals(made.table())
    assert memory.tally == made.tally
    assert memory.table()["deal"].to_pylist() == list(range(FIRST, FIRST + DEALS))


def test_rows_played_again_are_the_same(made: mpsim.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_run, "KEEP_DEALS", 100)
    again = make(record_plays=True)
    assert again.table().equals(made.table())
    assert pa.Table.from_batches(list(again.batches(["deal", "score_0"]))).equals(made.table(["deal", "score_0"]))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_files_do_not_depend_on_threads(made: mpsim.Run, tmp_path: Path, threads: int) -> None:
    assert made.path is not None
    make(tmp_path / "r", record_plays=True, threads=threads)
    assert contents(tmp_path / "r") == contents(made.path)


def test_rows_do_not_depend_on_the_cut(made: mpsim.Run) -> None:
    cut = [FIRST, FIRST + 1, FIRST + 650, PART, PART + 123, FIRST + DEALS]
    pieces = [
        make(first=low, deals=high - low, record_plays=True) for low, high in itertools.pairwise(cut)
    ]
    assert pa.concat_tables([piece.table() for piece in pieces]).equals(made.table())
    tally = pieces[0].tally
    for piece in pieces[1:]:
        tally = tally + piece.tally
    assert tally == made.tally


def test_shards_have_the_same_files(made: mpsim.Run, tmp_path: Path) -> None:
    assert made.path is not None
    files: dict[str, bytes] = {}
    for shard in ("1/2", "2/2"):
        folder = tmp_path / shard[0]
        make(folder, record_plays=True, shard=shard)
        files |= contents(folder)
    assert files == contents(made.path)


def test_a_finished_run_resumed_does_nothing(made: mpsim.Run) -> None:
    assert made.path is not None
    before = {path: path.stat().st_mtime_ns for path in made.path.rglob("*") if path.is_file()}
    again = mpsim.simulate(out=made.path, resume=True)
    assert {path: path.stat().st_mtime_ns for path in made.path.rglob("*") if path.is_file()} == before
    assert again.tally == made.tally


def test_a_finished_run_is_not_begun_again(made: mpsim.Run) -> None:
    with pytest.raises(RunError, match=r"this very run, complete: give --resume .* or --force"):
        make(made.path, record_plays=True)
    with pytest.raises(RunError, match=r"another run, complete: give another folder"):
        make(made.path, seed=6)


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        ({"seed": 6}, "seed 5, not 6"),
        ({"deals": 1501}, "deals 1500, not 1501"),
        ({"first": FIRST + 1}, f"first deal {FIRST}, not {FIRST + 1}"),
        ({"settings": ["head_plain=false"]}, "play.head_plain True, not False"),
        ({"play": "random"}, "not play random"),
        ({"record_plays": False}, "record plays True, not False"),
    ],
)
def test_another_run_is_not_resumed(made: mpsim.Run, options: dict[str, Any], difference: str) -> None:
    with pytest.raises(RunError, match="holds another run") as caught:
        make(made.path, resume=True, **{"record_plays": True, **options})
    assert difference in str(caught.value)


def stop_after(deals: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A progress callback that stops the run as Ctrl-C does, once so many deals were played."""
    events: list[threading.Event] = []
    real = engine_run.stop_on_interrupt

    def spying() -> Any:
        manager = real()
        enter = manager.__enter__

        class Spy:
            def __enter__(self) -> threading.Event:
                events.append(enter())
                return events[-1]

            def __exit__(self, *error: Any) -> Any:
                return manager.__exit__(*error)

        return Spy()

    monkeypatch.setattr(engine_run, "stop_on_interrupt", spying)
    seen = [0]

    def progress(count: int) -> None:
        seen[0] += count
        if seen[0] >= deals:
            events[-1].set()

    return progress


def test_a_stopped_run_is_completed_to_the_same_files(
    made: mpsim.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert made.path is not None
    monkeypatch.setattr(engine_run, "SLICE", 256)
    with pytest.raises(Interrupted, match=r"1 of 2 parts whole; go on with: mpsim simulate --resume --out"):
        make(tmp_path, record_plays=True, threads=1, progress=stop_after(900, monkeypatch))
    assert [path.name for path in (tmp_path / "deals").iterdir()] == ["part-000000.parquet"]
    half = mpsim.open_run(tmp_path)
    assert not half.complete
    assert half.table().equals(made.table().slice(0, 700))
    whole = mpsim.simulate(resume=True, out=tmp_path)
    assert contents(tmp_path) == contents(made.path)
    assert whole.complete
    assert whole.tally == made.tally


def test_a_part_that_run_json_does_not_know_is_recognised(made: mpsim.Run, tmp_path: Path) -> None:
    """What a kill leaves between a part's rename and the next run.json."""
    assert made.path is not None
    run = make(tmp_path, record_plays=True)
    record = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps({**record, "status": "running", "parts": []}))
    before = (tmp_path / "deals" / "part-000001.parquet").stat().st_mtime_ns
    (tmp_path / "deals" / "part-000000.parquet").unlink()
    (tmp_path / "deals" / ".part-000000.parquet.tmp").write_bytes(b"half")
    again = mpsim.simulate(resume=True, out=tmp_path)
    assert (tmp_path / "deals" / "part-000001.parquet").stat().st_mtime_ns == before
    assert contents(tmp_path) == contents(made.path)
    assert again.tally == run.tally


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("damage", ["truncated", "flipped", "other run"])
def test_damaged_parts_are_written_again(made: mpsim.Run, tmp_path: Path, damage: str, known: bool) -> None:
    assert made.path is not None
    make(tmp_path, record_plays=True)
    path = tmp_path / "deals" / "part-000001.parquet"
    good = path.read_bytes()
    if damage == "truncated":
        path.write_bytes(good[:-1000])
    elif damage == "flipped":
        path.write_bytes(good[:5000] + bytes([good[5000] ^ 1]) + good[5001:])
    else:
        other = make(tmp_path / "other", record_plays=True, seed=6)
        assert other.path is not None
        path.write_bytes((other.path / "deals" / "part-000001.parquet").read_bytes())
    if not known:
        record = json.loads((tmp_path / "run.json").read_text())
        (tmp_path / "run.json").write_text(json.dumps({**record, "parts": record["parts"][:1], "status": "running"}))
    mpsim.simulate(resume=True, out=tmp_path)
    assert contents(tmp_path) == contents(made.path)


def test_force_replaces_the_run_and_nothing_else(made: mpsim.Run, tmp_path: Path) -> None:
    assert made.path is not None
    make(tmp_path, seed=6, deals=3000)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "deals" / "part-000009.parquet").write_text("left over")
    make(tmp_path, record_plays=True, force=True)
    assert contents(tmp_path) == contents(made.path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_write_that_fails_keeps_whole_parts(
    made: mpsim.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert made.path is not None
    real = engine_run.PartWriter

    class Full(real):  # type: ignore[misc, valid-type]
        def finish(self) -> Any:
            if self._part.index == 1:
                raise OSError(28, "No space left on device")
            return super().finish()

    monkeypatch.setattr(engine_run, "PartWriter", Full)
    with pytest.raises(RunError, match=r"No space left on device; 1 of 2 parts whole and kept, so mend") as caught:
        make(tmp_path, record_plays=True, threads=1)
    assert "\n" not in str(caught.value)
    assert [path.name for path in (tmp_path / "deals").iterdir()] == ["part-000000.parquet"]
    monkeypatch.undo()
    mpsim.simulate(resume=True, out=tmp_path)
    assert contents(tmp_path) == contents(made.path)


def test_columns_can_be_chosen(made: mpsim.Run) -> None:
    assert made.table(["taker", "deal"]).column_names == ["taker", "deal"]
    frame = made.frame(["outcome", "score_0"])
    assert list(frame.columns) == ["outcome", "score_0"]
    assert len(frame) == DEALS
    with pytest.raises(UsageError, match="no column 'colour'"):
        made.table(["colour"])
    with pytest.raises(UsageError, match="record them with --record plays"):
        next(make().batches(["plays"]))


def test_the_referee_agrees_with_a_row(made: mpsim.Run) -> None:
    row = made.table().slice(3, 1).to_pylist()[0]
    assert made.play_deal(FIRST + 3).row() == row
    with pytest.raises(UsageError, match=f"give a number from {FIRST} to {FIRST + DEALS - 1}"):
        made.play_deal(FIRST + DEALS)


def test_a_thrown_in_deal_in_the_table() -> None:
    run = make(bid="never", record_plays=True)
    rows = run.table(["round", "taker", "contract", "outcome", "plays", "score_0"]).to_pylist()
    assert rows[0] == {
        "round": 0, "taker": -1, "contract": "none", "outcome": "thrown_in", "plays": b"\xff" * 32, "score_0": 0,
    }  # fmt: skip
    assert run.summary["thrown_in"]["rate"] == 1
    assert run.summary["score"]["makers"]["mean"] is None
