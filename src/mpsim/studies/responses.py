"""How far a chart is from an equilibrium: what a seat that answers it best still gains, on deals not used to choose."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from mpsim.engine.batch import play_batch
from mpsim.engine.plan import thread_count
from mpsim.engine.pool import as_they_come
from mpsim.policies.chart import Actions, Chart
from mpsim.policies.load import Policies
from mpsim.rules.model import Rules
from mpsim.stats.estimates import Mean, Moments, mean

BATCH = 1 << 16
ROUNDS = {"1": (0,), "2": (4,), "both": (0, 4)}
"""Rows of a seat in a chart, by the rounds in which it answers."""


@dataclass(frozen=True, slots=True)
class Response:
    """One seat answers best in one round or in both, the others keep to the chart: gain in points a deal."""

    seat: int
    rounds: str
    gain: Mean

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"seat": self.seat, "round": self.rounds, "gain": self.gain.as_dict()}


def responses(
    rules: Rules, policies: Policies, chart: Chart, best: Actions, seed: int, first: int, deals: int,
    threads: int | None, advance: Callable[[int], None] | None, stop: threading.Event,
) -> list[Response] | None:
    """Gains of the actions `best` over the chart's on the same deals; None once `stop` is set."""
    asked = [(seat, rounds) for seat in range(4) for rounds in ROUNDS]
    others = []
    for seat, rounds in asked:
        answer = with_rows(chart, best, [row + seat for row in ROUNDS[rounds]])
        others.append((seat, with_bid(policies, [chart] * seat + [answer] + [chart] * (3 - seat))))
    gains = paired_gains(
        rules, with_bid(policies, [chart] * 4), others, seed, first, deals, threads, advance, stop
    )
    if stop.is_set():
        return None
    return [Response(*question, mean(gain, "deals")) for question, gain in zip(asked, gains, strict=True)]


def with_bid(policies: Policies, bid: list[Any]) -> Policies:
    """The same players with other bidders."""
    a, b, c, d = bid
    return replace(policies, bid=(a, b, c, d))


def with_rows(chart: Chart, best: Actions, rows: list[int]) -> Chart:
    """The chart with some rows of other actions."""
    actions = chart.actions.copy()
    actions[rows] = best[rows]
    return Chart(actions, "answer")


def paired_gains(
    rules: Rules, one: Policies, others: Sequence[tuple[int, Policies]], seed: int, first: int, deals: int,
    threads: int | None = None, advance: Callable[[int], None] | None = None, stop: threading.Event | None = None,
) -> list[Moments]:
    """For each (seat, policies): what the seat's team gains a deal when these sit at the table and not `one`.

    All play the same deals; `advance` hears of each deal played once.
    """
    stop = stop or threading.Event()

    def work(start: int) -> tuple[int, list[Moments]]:
        count = min(BATCH, first + deals - start)
        before = _gain(rules, one, seed, start, count)
        gains = [(_gain(rules, other, seed, start, count) - before) * (1 - 2 * (seat % 2)) for seat, other in others]
        return count, [_moments(gain) for gain in gains]

    totals, width = [Moments()] * len(others), thread_count(threads)
    with ThreadPoolExecutor(width, "mpsim") as executor:
        for count, found in as_they_come(work, range(first, first + deals, BATCH), executor, width, stop):
            totals = [total + moments for total, moments in zip(totals, found, strict=True)]
            if advance:
                advance(count)
    return totals


def _moments(values: npt.NDArray[np.int64]) -> Moments:
    return Moments(len(values), int(values.sum()), int((values * values).sum()))


def _gain(rules: Rules, policies: Policies, seed: int, first: int, count: int) -> npt.NDArray[np.int64]:
    """Of team 0, deal by deal."""
    columns = play_batch(rules, policies, seed, first, count)
    return columns["score_0"].astype(np.int64) - columns["score_1"].astype(np.int64)
