"""The folder of compiled kernels: any that cannot be used is done without."""

from __future__ import annotations

import errno
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mpsim import kernels


class Cache:
    """What numba's cache of a function looks like, failing as told."""

    def __init__(self, failure: Exception | None) -> None:
        self.failure, self.flushed = failure, False

    def load_overload(self, *what: Any) -> str:
        if self.failure:
            raise self.failure
        return "loaded"

    def save_overload(self, *what: Any) -> None:
        if self.failure:
            raise self.failure

    def flush(self) -> None:
        self.flushed = True


@pytest.mark.parametrize(
    "failure",
    [EOFError("Ran out of input"), pickle.UnpicklingError("pickle data was truncated"), OSError(errno.EIO, "")],
)
def test_what_cannot_be_read_is_compiled_anew(failure: Exception) -> None:
    cache = Cache(failure)
    kernels._forgiving(cache)
    assert (cache.load_overload(), cache.flushed) == (None, True)  # type: ignore[comparison-overlap]


def test_what_cannot_be_written_is_done_without() -> None:
    cache = Cache(OSError(errno.ENOSPC, "No space left on device"))
    kernels._forgiving(cache)
    cache.save_overload()
    sound = Cache(None)
    kernels._forgiving(sound)
    assert (sound.load_overload(), sound.flushed) == ("loaded", False)


def test_nobody_knows_of_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("MPSIM_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert "mpsim-" in str(kernels.cache_folder().parent)


@pytest.mark.parametrize("kept", [0, 100])
def test_files_cut_short_are_compiled_anew(tmp_path: Path, kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a power cut leaves them."""
    program = (
        "import numpy as np\nfrom mpsim.kernels import kernel\nfrom mpsim.kernels.lanes import new_state\n"
        "print(len(new_state(np.zeros(1, np.uint32))))"
    )
    monkeypatch.setenv("MPSIM_CACHE_DIR", str(tmp_path))

    def output() -> str:
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    first = output()
    for path in [*tmp_path.rglob("*.nbc"), *tmp_path.rglob("*.nbi")]:
        path.write_bytes(path.read_bytes()[:kept])
    assert output() == first
    assert output() == first
    assert all(path.stat().st_size > kept for path in tmp_path.rglob("*.nb?"))


FACTORY = """
import numpy as np
from mpsim.kernels import closure_kernel, kernel

def times(factor):
    @closure_kernel
    def multiply(values):
        total = 0
        for at in range(len(values)):
            for bit in range(64):
                values[at] = values[at] * 3 + factor if values[at] >> bit & 1 else values[at] ^ factor
            total += values[at]
        return total
    return multiply

by_five, by_seven = times(5), times(7)

@kernel
def with_five(values):
    return by_five(values) + by_five(values[1:])

@kernel
def with_seven(values):
    return by_seven(values) - by_seven(values[1:])

def print_both(*which):
    print([int(one(np.arange(9))) for one in which])
"""


def test_what_two_processes_compiled_stays_apart_in_a_third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba numbers functions anew in each process, and of code under one name it loads the first only."""
    (tmp_path / "factory.py").write_text(FACTORY)
    monkeypatch.setenv("MPSIM_CACHE_DIR", str(tmp_path / "cache"))

    def output(which: str) -> list[int]:
        program = f"from factory import *; print_both({which})"
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return [int(number) for number in done.stdout.strip("[]\n").split(",")]

    apart = output("with_five") + output("with_seven")
    assert output("with_five, with_seven") == apart
