"""A record that does not add up is refused, and `--resume` puts it right; a disk that fails leaves what was there."""

from __future__ import annotations

import copy
import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mpsim
from mpsim.engine import run as engine_run
from mpsim.engine.verify import verify
from mpsim.errors import RunError

FIRST = (1 << 20) - 300
Record = dict[str, Any]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repairs") / "run"
    mpsim.simulate(700, first=FIRST, seed=4, out=folder)
    return folder


@pytest.fixture
def run(original: Path, tmp_path: Path) -> Path:
    shutil.copytree(original, tmp_path / "run")
    return tmp_path / "run"


def read(folder: Path) -> Record:
    record: Record = json.loads((folder / "run.json").read_text())
    return record


def no_parts(record: Record) -> None:
    record["parts"] = []


def twice(record: Record) -> None:
    record["parts"][1] = record["parts"][0]


def one_more(record: Record) -> None:
    record["parts"].append(record["parts"][0])


def other_file(record: Record) -> None:
    record["parts"][1]["file"] = "deals/part-000000.parquet"


def other_deals(record: Record) -> None:
    record["parts"][1]["first"] = 5


def other_rows(record: Record) -> None:
    record["parts"][1]["rows"] -= 1


def fewer_counted(record: Record) -> None:
    record["parts"][1]["tally"]["counts"]["deals"] -= 1


def more_made(record: Record) -> None:
    record["parts"][1]["tally"]["counts"]["made"] += 1


def no_moments(record: Record) -> None:
    record["parts"][1]["tally"]["moments"] = {}


def impossible_squares(record: Record) -> None:
    record["parts"][1]["tally"]["moments"]["score_makers"][2] = 0


@pytest.mark.parametrize(
    "damage",
    [no_parts, twice, one_more, other_file, other_deals, other_rows, fewer_counted, more_made, no_moments,
     impossible_squares],
)  # fmt: skip
def test_parts_that_do_not_add_up_are_refused_and_resumed(run: Path, damage: Callable[[Record], None]) -> None:
    good = read(run)
    bad = copy.deepcopy(good)
    damage(bad)
    (run / "run.json").write_text(json.dumps(bad))
    with pytest.raises(RunError, match=r"its parts do not add up to the run; `mpsim simulate --resume --out"):
        mpsim.open_run(run)
    before = {path: path.stat().st_mtime_ns for path in run.glob("deals/*")}
    assert mpsim.simulate(resume=True, out=run).complete
    assert read(run)["parts"] == good["parts"]
    assert read(run)["status"] == "complete"
    assert {path: path.stat().st_mtime_ns for path in run.glob("deals/*")} == before


def test_a_complete_record_without_its_files_is_played_again(run: Path) -> None:
    good = {path.name: path.read_bytes() for path in run.glob("deals/*")}
    (run / "run.json").write_text(json.dumps({**read(run), "parts": []}))
    shutil.rmtree(run / "deals")
    mpsim.simulate(resume=True, out=run)
    assert {path.name: path.read_bytes() for path in run.glob("deals/*")} == good


def test_what_a_kill_leaves_is_no_difference(run: Path) -> None:
    (run / ".run.json.tmp").write_text("{")
    (run / "deals" / ".part-000001.parquet.tmp").write_text("PAR1")
    assert verify(run, sample=0).problems == []


def full(*args: object, **more: object) -> None:
    raise OSError(errno.ENOSPC, "Error writing bytes to file. Detail: [errno 28] No space left on device")


def test_a_full_disk_before_anything_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mpsim.store.provenance.os.replace", full)
    with pytest.raises(RunError) as caught:
        mpsim.simulate(100, seed=1, out=tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} cannot be written: No space left on device; nothing was written, so mend that and begin again"
    )
    assert [path.name for path in tmp_path.rglob("*")] == ["deals"]


def test_a_full_disk_before_the_run_was_replaced(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, tried = os.replace, []

    def full_at_first(*names: Any) -> None:
        tried.append(names)
        if len(tried) == 1:
            full()
        real(*names)

    monkeypatch.setattr("mpsim.store.provenance.os.replace", full_at_first)
    with pytest.raises(RunError, match="the run there is as it was, so mend that and begin again"):
        mpsim.simulate(100, seed=1, out=run, force=True)
    assert verify(run, sample=0).problems == []
    assert mpsim.open_run(run).seed == 4
    assert list(run.glob(".*")) == []


def test_a_disk_that_fails_while_files_are_looked_at(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_run, "recognise_part", full)
    with pytest.raises(RunError, match="the parts there are kept, so mend that and go on with: mpsim"):
        mpsim.simulate(resume=True, out=run)
    monkeypatch.undo()
    assert verify(run, sample=0).problems == []
