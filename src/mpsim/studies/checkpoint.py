"""Where a long study can go on from: one file, replaced in one step, so it is the old state or the new one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from mpsim.errors import RunError
from mpsim.store.writer import hidden_name

CHECKPOINT = "checkpoint.npz"
Arrays = dict[str, npt.NDArray[Any]]


def write_checkpoint(folder: Path, about: dict[str, Any], **arrays: npt.NDArray[Any]) -> None:
    """Plain values and arrays by name; OSError when they cannot be written."""
    path = folder / CHECKPOINT
    hidden = hidden_name(path)
    try:
        with hidden.open("wb") as stream:
            np.savez(stream, allow_pickle=False, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)
        hidden.replace(path)
    finally:
        hidden.unlink(missing_ok=True)


def read_checkpoint(folder: Path) -> tuple[dict[str, Any], Arrays] | None:
    """What was written last; None where nothing was; RunError for what cannot be read."""
    path = folder / CHECKPOINT
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files if name != "about"}
            return json.loads(file["about"].tobytes()), arrays
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise RunError(f"{path} cannot be read ({error}): begin again with --force") from None


def remove_checkpoint(folder: Path) -> None:
    """Once it is not needed."""
    (folder / CHECKPOINT).unlink(missing_ok=True)
    hidden_name(folder / CHECKPOINT).unlink(missing_ok=True)
