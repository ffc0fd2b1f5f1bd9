"""The game in lanes: kernels play many deals side by side, one machine word a hand.

`kernel` is the only numba decorator of the package.  Its options live here, and its cache folder is named by a digest of
every kernel source and of all that numba's own cache does not notice, so a stale kernel is never loaded.
"""

from __future__ import annotations

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

__all__ = ["cache_folder", "kernel"]


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
    base = os.environ.get("MPSIM_CACHE_DIR")
    root = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mpsim"
    folder = root / f"kernels-{_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.gettempdir()) / f"mpsim-{os.getuid()}" / folder.name


_FOLDER = str(cache_folder())


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first call, without the GIL, cached; plain Python under NUMBA_DISABLE_JIT=1."""
    before, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
    try:
        compiled: Callable[..., Any] = numba.njit(nogil=True, cache=True)(function)
    finally:
        config.CACHE_DIR = before
    return compiled
