"""Work in flight is bounded, failures and stops end it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from mpsim.engine.pool import Stopped, as_they_come, in_order


class Meter:
    """Counts how many pieces run at once."""

    def __init__(self) -> None:
        self.lock, self.now, self.most = threading.Lock(), 0, 0

    def __call__(self, item: int) -> int:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.002)
        with self.lock:
            self.now -= 1
        return item * item


@pytest.fixture
def executor() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def test_at_most_width_in_flight_and_items_taken_late(executor: ThreadPoolExecutor) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(40):
            taken.append(item)
            yield item

    meter, results = Meter(), []
    for result in as_they_come(meter, items(), executor, 3, threading.Event()):
        results.append(result)
        assert len(taken) <= len(results) + 6
    assert sorted(results) == [item * item for item in range(40)]
    assert meter.most <= 3


def test_in_order_keeps_the_order(executor: ThreadPoolExecutor) -> None:
    meter = Meter()
    assert list(in_order(meter, range(30), executor, 4)) == [item * item for item in range(30)]
    assert meter.most <= 4


def test_stop_begins_nothing_new_and_swallows_stopped_work(executor: ThreadPoolExecutor) -> None:
    stop, begun = threading.Event(), []

    def work(item: int) -> int:
        begun.append(item)
        if item >= 2:
            stop.wait(5)
            raise Stopped
        return item

    results = []
    for result in as_they_come(work, range(100), executor, 2, stop):
        results.append(result)
        if len(results) == 2:
            stop.set()
    assert sorted(results) == [0, 1]
    assert len(begun) <= 4


def test_a_failure_stops_the_others(executor: ThreadPoolExecutor) -> None:
    stop = threading.Event()

    def work(item: int) -> int:
        if item == 1:
            raise OSError("full")
        stop.wait(5)
        return item

    with pytest.raises(OSError, match="full"):
        list(as_they_come(work, range(100), executor, 3, stop))
    assert stop.is_set()
