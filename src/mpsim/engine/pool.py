"""Work on any concurrent.futures executor, never more of it in flight than asked: memory stays flat."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Stopped(Exception):  # noqa: N818
    """Raised by a piece of work that saw the stop event."""


def apart(work: Callable[..., object], *arguments: Any) -> None:
    """Do the work in a thread of its own and wait for it: for the first call of kernels, which compiles them.

    Where Ctrl-C strikes the compiler it is swallowed, or comes out as an error of numba's; here it strikes the waiting.
    """
    executor = ThreadPoolExecutor(1, "mpsim-compile")
    done = executor.submit(work, *arguments)
    executor.shutdown(wait=False)
    done.result()


def as_they_come(
    work: Callable[[Item], Result], items: Iterable[Item], executor: Executor, width: int, stop: threading.Event
) -> Iterator[Result]:
    """Results in order of completion, at most `width` in flight; once `stop` is set nothing new begins.

    When the caller leaves early, or a piece fails, `stop` is set and the pieces in flight are waited for.
    """
    waiting, running = iter(items), set[Future[Result]]()
    try:
        while True:
            _refill(work, waiting, executor, width, running, stop)
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                if not isinstance(future.exception(), Stopped):
                    yield future.result()
    finally:
        if running:
            stop.set()
            wait(running)


def _refill(
    work: Callable[[Item], Result],
    waiting: Iterator[Item],
    executor: Executor,
    width: int,
    running: set[Future[Result]],
    stop: threading.Event,
) -> None:
    while len(running) < width and not stop.is_set():
        try:
            item = next(waiting)
        except StopIteration:
            return
        running.add(executor.submit(work, item))


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], executor: Executor, width: int
) -> Iterator[Result]:
    """Results in the items' order, at most `width` in flight."""
    ahead = deque[Future[Result]]()
    try:
        for item in items:
            ahead.append(executor.submit(work, item))
            if len(ahead) >= width:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        for future in ahead:
            future.cancel()
