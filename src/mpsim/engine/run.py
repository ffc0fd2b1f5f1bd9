"""Playing a plan: parts on a thread pool, each worker plays, counts and writes its own part.

At most one part a thread is in flight and a worker holds a few slices of it, so memory is flat however many deals.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from mpsim.engine.batch import play_batch
from mpsim.engine.plan import Plan, thread_count
from mpsim.engine.pool import Stopped, apart, as_they_come
from mpsim.engine.results import Run, run_in_memory, run_of_record
from mpsim.engine.stop import Interrupted, stop_on_interrupt
from mpsim.errors import RunError
from mpsim.stats.tally import Tally, tally_deals
from mpsim.store.folder import create, drop_hidden, drop_parts, resume_command, writing
from mpsim.store.parts import entry_tally, sound_entries
from mpsim.store.provenance import Part, Record, RunSpec, new_record, now, parts_text, validate_record, write_record
from mpsim.store.reader import iter_groups, recognise_part
from mpsim.store.schema import Arrays, to_arrays, to_batch
from mpsim.store.writer import PartFile, PartWriter

SLICE = 1 << 16
"""Deals between two looks at the stop event; divides a row group."""
KEEP_DEALS = 1 << 22
"""A run without a folder keeps up to so many rows in memory (about 60 bytes each); a larger one plays them again."""
RECORD_SECONDS = 1.0

Advance = Callable[[int], None]


class Sink(Protocol):
    """Where a part's rows go."""

    def write(self, rows: Arrays) -> None:
        """Take the next rows."""


def execute(plan: Plan, threads: int | None = None, progress: Advance | None = None, keep: bool = True) -> Run:
    """Play what the plan asks and is not there yet.  `progress` gets numbers of deals, from any thread.

    Without a folder, rows stay in memory if `keep` and at most KEEP_DEALS; else they are played again on demand.
    RunError when a file cannot be written (whole parts are kept), Interrupted on Ctrl-C.
    """
    width = thread_count(threads)
    advance = progress or (lambda deals: None)
    if plan.record is None or plan.record["status"] != "complete":
        _warm_up(plan.spec)
    with stop_on_interrupt() as stop, ThreadPoolExecutor(width, "mpsim") as executor:
        if plan.folder is None:
            return _play_in_memory(plan.spec, executor, width, stop, advance, keep and plan.spec.deals <= KEEP_DEALS)
        create(plan.folder)
        with writing(plan.folder):
            # Another process may have been here since the plan was made.
            return _Session(plan.with_folder(), plan.folder, executor, width, stop, advance).run()


def play_part(spec: RunSpec, part: Part, sink: Sink, stop: threading.Event, advance: Advance) -> Tally:
    """Play a part slice by slice into the sink; Stopped as soon as `stop` is set."""
    tally = Tally(spec.digest)
    for first in range(part.first, part.first + part.rows, SLICE):
        if stop.is_set():
            raise Stopped
        count = min(SLICE, part.first + part.rows - first)
        rows = play_batch(spec.rules, spec.policies, spec.seed, first, count, spec.record_plays)
        tally = tally + tally_deals(spec.digest, rows, spec.rules)
        sink.write(rows)
        advance(count)
    return tally


class _Forget:
    """A sink for runs of which only the summary is wanted."""

    def write(self, rows: Arrays) -> None:
        """Rows are counted already."""


class _Keep:
    """A sink that holds a part in memory."""

    def __init__(self, spec: RunSpec) -> None:
        self._layout = spec.layout
        self.batches: list[pa.RecordBatch] = []

    def write(self, rows: Arrays) -> None:
        """Keep the rows."""
        self.batches.append(to_batch(rows, self._layout))


def _play_in_memory(
    spec: RunSpec, executor: Executor, width: int, stop: threading.Event, advance: Advance, keep: bool
) -> Run:
    def work(part: Part) -> tuple[int, Tally, list[pa.RecordBatch]]:
        sink = _Keep(spec) if keep else _Forget()
        tally = play_part(spec, part, sink, stop, advance)
        return part.index, tally, sink.batches if isinstance(sink, _Keep) else []

    tally, kept = Tally(spec.digest), {}
    start = time.perf_counter()
    for index, counted, batches in as_they_come(work, map(spec.part, range(spec.part_count)), executor, width, stop):
        tally = tally + counted
        kept[index] = batches
    if stop.is_set():
        raise Interrupted("interrupted; nothing was written")
    rows = [batch for index in sorted(kept) for batch in kept[index]] if keep else None
    return run_in_memory(spec, tally, time.perf_counter() - start, rows)


def _warm_up(spec: RunSpec) -> None:
    """Compile the kernels, or load them, before the clock runs and while Ctrl-C still acts at once."""
    apart(play_batch, spec.rules, spec.policies, spec.seed, spec.first, 1, spec.record_plays)


class _Session:
    """One go at a run folder, held locked: recognise, play, record."""

    def __init__(
        self, plan: Plan, folder: Path, executor: Executor, width: int, stop: threading.Event, advance: Advance
    ) -> None:
        self._plan, self._spec, self._folder = plan, plan.spec, folder
        self._executor, self._width, self._stop, self._advance = executor, width, stop, advance
        self._record: Record = plan.record or new_record(plan.spec)
        self._done: dict[int, Record] = {}
        self._start = self._saved = time.perf_counter()
        self._before = dict(self._record["times"])
        self._played = 0
        # Until all files were looked at, what run.json says is better than what we know.
        self._knows = plan.record is None
        self._begun = plan.record is not None

    def run(self) -> Run:
        """Play the parts that are missing; the folder is a resumable run at every moment."""
        try:
            if self._plan.record is None:
                write_record(self._folder, self._record)
                self._begun = True
            if self._plan.replaces:
                drop_parts(self._folder)
            drop_hidden(self._folder)
            self._recognise()
            if len(self._done) < self._spec.part_count:
                self._play_missing()
            elif self._record["status"] != "complete" or self._record["parts"] != self._entries():
                self._save("complete")
        except (OSError, pa.ArrowException) as error:
            self._save_if_possible()
            raise self._unwritable(error) from None
        return run_of_record(self._folder, self._record)

    def _recognise(self) -> None:
        if self._plan.record is None:
            return
        entries = sound_entries(self._record, self._spec)

        def look(part: Part) -> Record | None:
            if self._stop.is_set():
                raise Stopped
            entry = entries.get(part.first)
            found = recognise_part(self._folder, self._spec, part, entry)
            return None if found is None else _entry(found, _tally_of(self._folder, self._spec, found, entry))

        for found in as_they_come(look, self._parts(), self._executor, self._width, self._stop):
            if found is not None:
                self._done[found["first"]] = found
                self._advance(found["rows"])
        self._knows = not self._stop.is_set()
        self._leave_if_stopped()

    def _play_missing(self) -> None:
        self._start = self._saved = time.perf_counter()
        self._save("running")
        missing = (part for part in self._parts() if part.first not in self._done)
        for entry in as_they_come(self._play, missing, self._executor, self._width, self._stop):
            self._done[entry["first"]] = entry
            self._played += entry["rows"]
            if time.perf_counter() - self._saved >= RECORD_SECONDS:
                self._save("running")
        self._leave_if_stopped()
        self._save("complete")

    def _parts(self) -> map[Part]:
        return map(self._spec.part, range(self._spec.part_count))

    def _play(self, part: Part) -> Record:
        writer = PartWriter(self._folder, self._spec, part)
        try:
            tally = play_part(self._spec, part, writer, self._stop, self._advance)
            return _entry(writer.finish(), tally)
        except BaseException:
            writer.abort()
            raise

    def _save(self, status: str) -> None:
        record, seconds = self._record, time.perf_counter() - self._start
        record["status"] = status
        record["parts"] = self._entries()
        record["times"] |= {
            "finished": now() if status == "complete" else None,
            "seconds": round(self._before["seconds"] + seconds, 3) if self._played else self._before["seconds"],
            "deals": self._before["deals"] + self._played,
        }
        if status == "complete":
            validate_record(record, self._folder)
        write_record(self._folder, record)
        self._saved = time.perf_counter()

    def _entries(self) -> list[Record]:
        return [self._done[first] for first in sorted(self._done)]

    def _save_if_possible(self) -> None:
        if self._begun and self._knows:
            with contextlib.suppress(OSError):
                self._save("running")

    def _leave_if_stopped(self) -> None:
        if self._stop.is_set():
            self._save_if_possible()
            state = f"with {self._whole()} whole" if self._knows else "while looking at the parts that are there"
            raise Interrupted(f"interrupted {state}; go on with: {resume_command(self._folder)}")

    def _unwritable(self, error: Exception) -> RunError:
        if not self._begun:
            state = "the run there is as it was" if self._plan.replaces else "nothing was written"
            cure = "begin again"
        else:
            state = f"{self._whole()} whole and kept" if self._knows else "the parts there are kept"
            cure = f"go on with: {resume_command(self._folder)}"
        return RunError(f"{self._folder} cannot be written: {_reason(error)}; {state}, so mend that and {cure}")

    def _whole(self) -> str:
        return f"{len(self._done):,} of {parts_text(self._spec.part_count)}"


def _reason(error: Exception) -> str:
    """What the system said, without Arrow's words around it."""
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    said = re.search(r"\[errno \d+\] ([^\n]+)", str(error), re.IGNORECASE)
    return said[1] if said else str(error).split("\n")[0]


def _entry(found: PartFile, tally: Tally) -> Record:
    return {**found.as_dict(), "tally": tally.as_dict()}


def _tally_of(folder: Path, spec: RunSpec, found: PartFile, entry: Record | None) -> Tally:
    """A recognised part's tally: recorded, or counted again from its rows."""
    if entry:
        return entry_tally(entry, spec)
    tally = Tally(spec.digest)
    for group in iter_groups(folder / found.file):
        tally = tally + tally_deals(spec.digest, to_arrays(group, spec.layout), spec.rules)
    return tally

