"""Whose folder it is: decided while the folder is held, and only what mpsim wrote is replaced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mpsim
from mpsim.engine.plan import Request, make_plan
from mpsim.engine.run import execute
from mpsim.errors import RunError


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_that_another_process_finished_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    plan = make_plan(Request(deals=100, seed=1, out=tmp_path))
    mpsim.simulate(100, seed=2, out=tmp_path)
    before = files(tmp_path)
    with pytest.raises(RunError, match="already holds another run, complete"):
        execute(plan)
    assert files(tmp_path) == before


def test_a_run_that_another_process_replaced_meanwhile_is_not_resumed(tmp_path: Path) -> None:
    mpsim.simulate(100, seed=1, out=tmp_path)
    plan = make_plan(Request(resume=True, out=tmp_path))
    mpsim.simulate(100, seed=2, out=tmp_path, force=True)
    before = files(tmp_path)
    with pytest.raises(RunError, match=r"holds another run \(seed 2, not 1\)"):
        execute(plan)
    assert files(tmp_path) == before


def test_a_run_that_another_process_completed_meanwhile_is_resumed(tmp_path: Path) -> None:
    plan = make_plan(Request(deals=100, seed=1, resume=True, out=tmp_path))
    made = mpsim.simulate(100, seed=1, out=tmp_path)
    before = files(tmp_path)
    assert execute(plan).tally == made.tally
    assert files(tmp_path) == before


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"status": "complete", "parts": []}', '{"software": "mpsim"}'])
def test_somebody_elses_run_json_is_not_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "part-000000.parquet").write_text("mine")
    (tmp_path / "run.json").write_text(text)
    before = files(tmp_path)
    with pytest.raises(RunError, match=r"(no JSON|not written by mpsim).*give another folder"):
        mpsim.simulate(100, seed=1, out=tmp_path, force=True)
    assert files(tmp_path) == before


def test_a_damaged_run_of_mpsim_is_replaced(tmp_path: Path) -> None:
    made = mpsim.simulate(100, seed=1, out=tmp_path)
    path = tmp_path / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "deals": -1}))
    with pytest.raises(RunError, match=r"deals: -1 .* write the run again with --force"):
        mpsim.open_run(tmp_path)
    assert mpsim.simulate(100, seed=1, out=tmp_path, force=True).tally == made.tally
