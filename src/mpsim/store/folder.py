"""The run folder: who may write in it, and what in it belongs to a run."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from mpsim.errors import RunError
from mpsim.store.provenance import PARTS_FOLDER, RECORD_NAME

_PART = re.compile(r"part-\d{6,}\.parquet")
_HIDDEN = re.compile(r"\.(part-\d{6,}\.parquet|run\.json)\.tmp")


def is_run(folder: Path) -> bool:
    """Whether the folder holds a run, finished or not."""
    return (folder / RECORD_NAME).is_file()


def hidden_files(folder: Path) -> list[Path]:
    """Unfinished files that a stopped run left."""
    return [path for path in _listing(folder) + _listing(folder / PARTS_FOLDER) if _HIDDEN.fullmatch(path.name)]


def part_files(folder: Path) -> list[Path]:
    """The run's Parquet files."""
    return [path for path in _listing(folder / PARTS_FOLDER) if _PART.fullmatch(path.name)]


def is_free(folder: Path) -> bool:
    """Whether a run may begin here: nothing there, or nothing but what a run leaves that was killed at its birth."""
    left = [path for path in _listing(folder) if not _HIDDEN.fullmatch(path.name)]
    return all(path.name == PARTS_FOLDER and path.is_dir() and not _listing(path) for path in left)


def _listing(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except NotADirectoryError:
        raise RunError(f"{folder} is a file: give a folder with --out") from None
    except OSError as error:
        raise RunError(f"{folder} cannot be read: {error.strerror}") from None


def create(folder: Path) -> None:
    """Make the folder and its `deals` folder; RunError says why it cannot be."""
    try:
        os.fspath(folder).encode()
    except UnicodeEncodeError:
        raise RunError(f"{folder} is no UTF-8, as Parquet needs: give a folder of another name with --out") from None
    try:
        (folder / PARTS_FOLDER).mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise RunError(f"{folder} cannot be made, a file is in its way: give another folder with --out") from None
    except OSError as error:
        raise RunError(f"{folder} cannot be made: {error.strerror}; give another folder with --out") from None


def resume_command(folder: Path) -> str:
    """What to type to go on with a run."""
    return f"mpsim simulate --resume --out {shlex.quote(str(folder))}"


def drop_parts(folder: Path) -> None:
    """Remove the Parquet files that a run wrote, finished and not, and nothing else."""
    for path in [*part_files(folder), *hidden_files(folder)]:
        path.unlink(missing_ok=True)


def drop_hidden(folder: Path) -> None:
    """Remove unfinished files."""
    for path in hidden_files(folder):
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Hold the folder for one writer; the lock dies with the process.  A system without such locks does without."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"{folder} is being written by another mpsim: wait for it, or give another folder") from None
        except OSError:
            pass
        yield
    finally:
        os.close(handle)
