"""What in a folder belongs to a run, and who may write there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mpsim.errors import RunError
from mpsim.store.folder import create, drop_parts, is_free, is_run, writing


def fill(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")


def test_only_what_a_run_wrote_is_removed(tmp_path: Path) -> None:
    own = ["deals/part-000000.parquet", "deals/part-1000000.parquet", "deals/.part-000001.parquet.tmp", ".run.json.tmp"]
    others = ["run.json", "notes.txt", "deals/part-1.parquet", "deals/part-000000.parquet.bak", "deals/.hidden"]
    fill(tmp_path, *own, *others)
    drop_parts(tmp_path)
    left = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(left) == sorted(others)


def test_free_folders(tmp_path: Path) -> None:
    assert is_free(tmp_path / "missing")
    assert is_free(tmp_path)
    create(tmp_path)
    fill(tmp_path, ".run.json.tmp")
    assert is_free(tmp_path)
    assert not is_run(tmp_path)
    fill(tmp_path, "deals/letter.txt")
    assert not is_free(tmp_path)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from mpsim.store.folder import writing\n"
        "with writing(pathlib.Path(sys.argv[1])): print('in')"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with writing(tmp_path):
        other = subprocess.run(command, check=False, capture_output=True, text=True)
        assert "is being written by another mpsim" in other.stderr
        with pytest.raises(RunError, match="another mpsim"), writing(tmp_path):
            pass
    other = subprocess.run(command, check=True, capture_output=True, text=True)
    assert other.stdout == "in\n"


def test_a_file_in_the_way(tmp_path: Path) -> None:
    fill(tmp_path, "file")
    with pytest.raises(RunError, match="a file is in its way"):
        create(tmp_path / "file" / "run")


def test_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is no UTF-8"):
        create(tmp_path / os.fsdecode(b"caf\xe9"))
    assert list(tmp_path.iterdir()) == []
