"""Ctrl-C, or a plain kill: a first one asks the workers to stop, a second one acts at once."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class Interrupted(KeyboardInterrupt):
    """The run was stopped by Ctrl-C or a kill; the message says how to go on."""


@contextlib.contextmanager
def stop_on_interrupt() -> Iterator[threading.Event]:
    """An event that a first SIGINT or SIGTERM sets.

    Outside the main thread, where SIGINT is ignored, or SIGTERM has a handler of the caller's, that is left as it is.
    """
    stop, before, seen = threading.Event(), _to_be_caught(), False

    def restore() -> None:
        for number, action in before.items():
            signal.signal(number, action)

    def handler(number: int, frame: FrameType | None) -> None:
        # The second may come while the first is in stop.set(), which holds a lock: it must not ask for it again.
        nonlocal seen
        if not seen:
            seen = True
            stop.set()
            return
        restore()
        action = before[number]
        if callable(action):
            action(number, frame)
        else:
            signal.raise_signal(number)

    for number in before:
        signal.signal(number, handler)
    try:
        yield stop
    finally:
        restore()


def _to_be_caught() -> dict[int, signal._HANDLER]:
    """The signals to be caught, each with its handler until now."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    interrupt, kill = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    caught: dict[int, signal._HANDLER] = {}
    if interrupt not in (signal.SIG_IGN, None):
        caught[signal.SIGINT] = interrupt
    if kill == signal.SIG_DFL:
        caught[signal.SIGTERM] = kill
    return caught
