"""When to accept trumps: decisions of very many deals played out both ways, and a chart that answers itself.

A study goes through four steps.  *Charts*: estimate all differences under the bidding so far, average them with those
of earlier rounds, let the chart that they recommend bid, and again (fictitious play, on values: Brown, 1951; answers to
the last chart alone would run in circles).  *Deals*: estimate all differences under the last chart.  *Rare hands*: deal
cells on purpose whose interval is still too wide.  *Answers*: what one seat gains by leaving the chart.  Whatever is
counted is counted in whole numbers, so results do not depend on threads or on interruptions.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mpsim.engine.decisions import add_decisions, no_sums
from mpsim.engine.pool import apart
from mpsim.engine.stop import Interrupted, stop_on_interrupt
from mpsim.errors import RunError, UsageError
from mpsim.policies import Policies, policies_from_dict
from mpsim.policies.chart import Actions, Chart, write_chart
from mpsim.rules import Rules, rules_dict, rules_digest, rules_from_dict
from mpsim.store.acceptance import (
    ACCEPTANCE_VERSION,
    ACCOUNT,
    CELLS,
    CHART,
    CLASSES,
    read_account,
    write_account,
    write_table,
)
from mpsim.store.folder import writing
from mpsim.store.provenance import machine, now, software
from mpsim.studies.acceptance_tables import cell_table, class_table
from mpsim.studies.checkpoint import read_checkpoint, remove_checkpoint, write_checkpoint
from mpsim.studies.rare import Rare, add_rare
from mpsim.studies.responses import Response, responses, with_bid
from mpsim.studies.verdicts import best_actions, differences_of, pooled_groups, taken_records

Bar = Callable[[int, str], AbstractContextManager[Callable[[int], None] | None]]
"""A progress bar for so many deals of a step."""

CHUNK = 1 << 22
"""Deals between looks at the clock."""
SAVE_EVERY = 60.0
"""Seconds between checkpoints."""
LEAST_NEW = 0.3
"""The newest estimate weighs at least so much in the average of the rounds."""
ITERATION_BITS, ANSWERS_FROM = 42, 1 << 52
"""Round i of the charts plays the deals from i * 2^42 on, the answers those from 2^52 on."""
ANSWER_DEALS = 1 << 21
MAX_ITERATIONS = 500


@dataclass(frozen=True)
class AcceptancePlan:
    """What is to be found out, and with how many deals."""

    rules: Rules
    policies: Policies
    """Who plays; and who bids in the first round of the charts, or throughout where there is none."""
    seed: int
    deals: int
    iterations: int
    iteration_deals: int
    half_width: float | None

    def __post_init__(self) -> None:
        deck, deal = self.rules.deck, self.rules.deal
        if self.rules.auction.kind != "accept" or len(deck.ranks) != 8 or sum(deal.packets) != 5:
            raise UsageError(
                f"{self.rules.name} has no five cards and a turned one to accept: give rules like those of mpourloto"
            )
        if deal.shuffle != "uniform":
            raise UsageError("decisions are looked at in shuffled decks: leave out deal.shuffle")

    def as_dict(self) -> dict[str, Any]:
        """Plain values: all that changes a result."""
        return {
            "rules": rules_dict(self.rules), "rules_sha256": rules_digest(self.rules),
            "policies": self.policies.as_dict(), "seed": self.seed, "deals": self.deals,
            "iterations": self.iterations, "iteration_deals": self.iteration_deals, "half_width": self.half_width,
        }


@dataclass
class _State:
    """How far a study has come."""

    sums: npt.NDArray[np.int64] = field(default_factory=no_sums)
    done: int = 0
    """Deals of this step."""
    step: int = 0
    """Rounds of the charts that are through, then 1 more for the deals."""
    values: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    """Differences of all records, averaged over rounds."""
    natural: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    asked: dict[int, int] = field(default_factory=dict)
    course: list[dict[str, Any]] = field(default_factory=list)


def prepare(folder: Path, plan: AcceptancePlan | None, force: bool) -> AcceptancePlan:
    """Make the folder ready for a study, or without a plan find the one to go on with there; RunError, UsageError."""
    if plan is None:
        return _stored_plan(read_account(folder), folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise RunError(f"{folder} cannot be written: {error.strerror}; give another folder with --out") from None
    if names and ACCOUNT not in names:
        raise RunError(f"{folder} holds other files and no study: give another folder with --out")
    if names and not force:
        raise RunError(f"{folder} holds a study: complete it with --resume, replace it with --force, or give another")
    remove_checkpoint(folder)
    return plan


def _stored_plan(account: dict[str, Any], folder: Path) -> AcceptancePlan:
    if account["status"] == "complete":
        raise UsageError(f"{folder} is complete: there is nothing to go on with")
    try:
        return AcceptancePlan(
            rules_from_dict(account["rules"]), policies_from_dict(account["policies"]), account["seed"],
            account["deals"], account["iterations"], account["iteration_deals"], account["half_width"],
        )
    except KeyError as error:
        raise RunError(f"{folder / ACCOUNT} says nothing of {error}: begin again with --force") from None


class Study:
    """One study in one folder; `run` goes through the steps that are left."""

    def __init__(self, plan: AcceptancePlan, folder: Path, resume: bool, threads: int | None, bar: Bar) -> None:
        self._plan, self._folder, self._threads, self._bar = plan, folder, threads, bar
        self._state = self._resumed() if resume else _State()
        self._saved = time.monotonic()
        self._stop = threading.Event()
        self._until: float | None = None

    def run(self, seconds: float | None = None) -> dict[str, Any]:
        """All steps; the account of the finished study.

        After so many seconds no more deals begin, and tables are made of those that were played.  Interrupted on
        Ctrl-C, with a checkpoint to go on from.
        """
        plan, state = self._plan, self._state
        self._until = None if seconds is None else time.monotonic() + seconds
        with writing(self._folder), stop_on_interrupt() as self._stop:
            self._account("unfinished")
            apart(add_decisions, no_sums(), plan.rules, plan.policies, 0, 0, 1, 1)
            while state.step < plan.iterations:
                self._improve()
            self._deal_all()
            self._deal_rare()
            return self._finish()

    def _chart(self) -> Chart | None:
        """Who bids now; None for the bidding that was given."""
        if not len(self._state.values):
            return None
        return Chart(best_actions(self._state.values), "chart", provenance=self._plan.as_dict())

    def _policies(self) -> Policies:
        chart = self._chart()
        return self._plan.policies if chart is None else with_bid(self._plan.policies, [chart] * 4)

    def _improve(self) -> None:
        """One round of the charts."""
        plan, state = self._plan, self._state
        name = f"chart {state.step + 1} of {plan.iterations}"
        self._add(name, plan.iteration_deals, (state.step + 1) << ITERATION_BITS, may_end=False)
        before = self._chart()
        new = differences_of(pooled_groups(state.sums)).astype(np.float32)
        weight = max(1 / (state.step + 1), LEAST_NEW)
        state.values = new if before is None else (weight * new + (1 - weight) * state.values).astype(np.float32)
        state.course.append(self._moved(before))
        state.step, state.done, state.sums = state.step + 1, 0, no_sums()
        self._save()

    def _moved(self, before: Chart | None) -> dict[str, Any]:
        """How much the chart changed: by share of the decisions met in this round, and what it takes, by seat."""
        n, after = self._state.sums[:, 0], best_actions(self._state.values)
        takes = taken_records(after)
        changed = None if before is None else float((n * (takes != taken_records(before.actions))).sum() / n.sum())
        return {"decisions": int(n.sum()), "changed": changed}

    def _deal_all(self) -> None:
        """The deals that the tables are made of."""
        plan, state = self._plan, self._state
        if len(state.natural):
            return
        self._add("deals", plan.deals, 0, may_end=True)
        state.natural = state.sums[:, 0].copy()
        self._save()

    def _add(self, name: str, deals: int, first: int, may_end: bool) -> None:
        plan, state, policies = self._plan, self._state, self._policies()
        with self._bar(deals, name) as advance:
            if advance:
                advance(state.done)
            while state.done < deals and not (may_end and self._out_of_time()):
                count = min(CHUNK, deals - state.done)
                state.done += add_decisions(
                    state.sums, plan.rules, policies, plan.seed, first + state.done, count, self._threads, advance,
                    self._stop,
                )
                self._look()

    def _deal_rare(self) -> None:
        plan, state = self._plan, self._state
        if plan.half_width is None or self._out_of_time():
            return
        rare = Rare(state.natural, state.done, state.asked)
        wanted = sum(need.deals for need in rare.needs(state.sums, plan.half_width))
        with self._bar(wanted, "rare hands") as advance:
            for count in add_rare(
                state.sums, plan.rules, self._policies(), plan.seed, rare, plan.half_width, self._threads, self._stop
            ):
                if advance:
                    advance(count)
                self._look()
                if self._out_of_time():
                    return

    def _finish(self) -> dict[str, Any]:
        """Tables, chart and account; the checkpoint goes last."""
        plan, state = self._plan, self._state
        chart = self._chart()
        pooled = pooled_groups(state.sums)
        best = best_actions(differences_of(pooled))
        answers = None if chart is None else self._answers(chart, best)
        chart = chart or Chart(best, "chart", provenance=plan.as_dict())
        account = self._account("writing", answers)
        try:
            write_chart(chart, self._folder / CHART)
            classes = class_table(state.sums, pooled, chart.actions, plan.rules.deck)
            write_table(classes, self._folder / CLASSES, account)
            cells = cell_table(state.sums, state.natural, state.done, chart.actions, plan.rules.deck)
            write_table(cells, self._folder / CELLS, account)
        except OSError as error:
            raise self._cannot(error) from None
        account = self._account("complete", answers)
        remove_checkpoint(self._folder)
        return account

    def _answers(self, chart: Chart, best: Actions) -> list[Response]:
        with self._bar(ANSWER_DEALS, "answers") as advance:
            found = responses(
                self._plan.rules, self._plan.policies, chart, best, self._plan.seed, ANSWERS_FROM, ANSWER_DEALS,
                self._threads, advance, self._stop,
            )
        if found is None:
            self._interrupted()
        return found or []

    def _account(self, status: str, answers: list[Response] | None = None) -> dict[str, Any]:
        state = self._state
        account = {
            "schema": ACCEPTANCE_VERSION, "status": status, **self._plan.as_dict(), "deals_played": state.done,
            "decisions": int(state.sums[:, 0].sum()), "rare_deals": sum(state.asked.values()), "course": state.course,
            "answers": None if answers is None else [answer.as_dict() for answer in answers], "software": software(),
            "machine": machine(), "written": now(),
        }
        try:
            write_account(account, self._folder)
        except OSError as error:
            raise self._cannot(error) from None
        return account

    def _out_of_time(self) -> bool:
        return self._until is not None and time.monotonic() >= self._until

    def _look(self) -> None:
        """Save now and then, and when asked to stop."""
        if self._stop.is_set():
            self._interrupted()
        if time.monotonic() - self._saved > SAVE_EVERY:
            self._save()

    def _interrupted(self) -> None:
        self._save()
        raise Interrupted(f"interrupted; go on with: mpsim acceptance --resume --out {self._folder}")

    def _save(self) -> None:
        state = self._state
        about = {"plan": self._plan.as_dict(), "done": state.done, "step": state.step, "course": state.course,
                 "asked": {str(number): deals for number, deals in state.asked.items()}}
        try:
            write_checkpoint(self._folder, about, sums=state.sums, values=state.values, natural=state.natural)
        except OSError as error:
            raise self._cannot(error) from None
        self._account("unfinished")
        self._saved = time.monotonic()

    def _resumed(self) -> _State:
        found = read_checkpoint(self._folder)
        if found is None:
            return _State()
        about, arrays = found
        if about["plan"] != self._plan.as_dict():
            raise RunError(f"{self._folder} holds a checkpoint of another study: begin again with --force")
        asked = {int(number): deals for number, deals in about["asked"].items()}
        return _State(arrays["sums"], about["done"], about["step"], arrays["values"], arrays["natural"], asked,
                      about["course"])

    def _cannot(self, error: OSError) -> RunError:
        return RunError(f"{self._folder} cannot be written: {error.strerror}; make room, then go on with --resume")
