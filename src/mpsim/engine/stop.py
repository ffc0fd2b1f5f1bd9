"""Ctrl-C: a first one asks the workers to stop, a second one acts at once."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class Interrupted(KeyboardInterrupt):
    """The run was stopped by Ctrl-C; the message says how to go on."""


@contextlib.contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """An event that a first SIGINT sets.  Outside the main thread, or where SIGINT is ignored, nothing is changed."""
    stop = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before in (signal.SIG_IGN, None):
        yield stop
        return

    def handler(number: int, frame: FrameType | None) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, handler)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
