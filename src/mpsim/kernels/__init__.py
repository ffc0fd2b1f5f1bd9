"""The game in lanes: kernels play many deals side by side, one machine word a hand.

The three numba decorators of the package live here.  Their cache folder is named by a digest of every kernel source and
of all that numba's own cache does not notice, so a stale kernel is never loaded.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import config

__all__ = ["cache_folder", "closure_kernel", "kernel", "lane_function"]


def _digest() -> str:
    """A name for this very set of kernels: sources, compiler versions, bounds checking."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    versions = (numba.__version__, llvmlite.__version__, np.__version__, str(config.BOUNDSCHECK))
    digest.update("|".join(versions).encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept: $MPSIM_CACHE_DIR, else the user's cache folder, else a temporary one."""
    base, name = os.environ.get("MPSIM_CACHE_DIR"), f"kernels-{_digest()}"
    try:
        root = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mpsim"
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):  # RuntimeError: nobody knows of a home
        return Path(tempfile.gettempdir()) / f"mpsim-{os.getuid()}" / name


_FOLDER = str(cache_folder())


def _forgiving(cache: Any) -> None:
    """Make numba's cache of a function compile anew what cannot be read, and do without what cannot be written."""
    load, save = cache.load_overload, cache.save_overload

    def load_overload(*what: Any) -> Any:
        try:
            return load(*what)
        except Exception:  # a file that a power cut left empty or short: pickle knows many ways to fail
            with contextlib.suppress(OSError):
                cache.flush()
            return None

    def save_overload(*what: Any) -> None:
        with contextlib.suppress(OSError):
            save(*what)

    cache.load_overload, cache.save_overload = load_overload, save_overload


def _name_by_constants(function: Callable[..., Any]) -> None:
    """Name what a factory made after the factory's arguments.

    numba tells functions of one name apart by numbers that start anew in each process: what two processes cached would
    call each other's functions.
    """
    for cell in function.__closure__ or ():
        function.__name__ += f"_{getattr(cell.cell_contents, '__name__', cell.cell_contents)}"
        function.__qualname__ = function.__name__


def _compiled(function: Callable[..., Any], **options: bool) -> Callable[..., Any]:
    _name_by_constants(function)
    before, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
    try:
        compiled: Callable[..., Any] = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    finally:
        config.CACHE_DIR = before
    if options.get("cache") and hasattr(compiled, "_cache"):
        _forgiving(compiled._cache)
    return compiled


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first call, without the GIL, cached; plain Python under NUMBA_DISABLE_JIT=1."""
    return _compiled(function, cache=True)


def closure_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel made in a factory, for constants that LLVM must know: numba cannot cache it, whoever calls it is."""
    return _compiled(function)


def lane_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for what a kernel does in one lane: always inlined, or the loop over lanes would stay scalar."""
    return _compiled(function, forceinline=True, no_cpython_wrapper=True)
