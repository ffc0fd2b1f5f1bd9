"""Checking a run folder: files against their digests, every row against the rules, a sample against the referee."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mpsim.engine.plan import thread_count
from mpsim.engine.pool import Stopped, as_they_come
from mpsim.engine.stop import Interrupted, stop_on_interrupt
from mpsim.errors import MpsimError
from mpsim.referee import play_deal
from mpsim.stats.tally import Tally, tally_deals
from mpsim.store.folder import part_files
from mpsim.store.invariants import faults
from mpsim.store.provenance import Part, Record, RunSpec, canonical_json, parts_text, read_record, spec_of
from mpsim.store.reader import iter_groups, read_metadata
from mpsim.store.schema import Array, Arrays, Layout, arrow_schema, to_arrays
from mpsim.store.writer import ContentDigest, file_digest

SHOWN = 10
"""Deal numbers named in a problem; its count tells how many there are."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that differs: what, in which file, in how many deals, the first of their numbers."""

    what: str
    file: str
    count: int = 0
    deals: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"what": self.what, "file": self.file, "count": self.count, "deals": list(self.deals)}


@dataclass
class Report:
    """What was checked, and what differs."""

    rows: int = 0
    replayed: int = 0
    problems: list[Problem] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """Take in a part's report."""
        self.rows += other.rows
        self.replayed += other.replayed
        self.problems += other.problems


@dataclass(frozen=True, slots=True)
class _Job:
    """What the checks of all parts share: the run, the deals to be played again, the event that ends it."""

    folder: Path
    spec: RunSpec
    wanted: Array
    stop: threading.Event

    def go_on(self) -> None:
        """Stopped once the event is set."""
        if self.stop.is_set():
            raise Stopped


def verify(path: str | Path, sample: int = 200, threads: int | None = None) -> Report:
    """Check a run whole; `sample` rows, chosen by the run's identity, are played again by the referee.

    RunError when there is no readable `run.json`; anything else that is wrong is a Problem of the report.
    Interrupted on Ctrl-C.
    """
    folder = Path(path)
    record = read_record(folder)
    spec = spec_of(record, folder)
    report = Report(problems=_folder_problems(folder, spec, record))
    entries = {entry["first"]: entry for entry in record["parts"]}
    present = [part for part in spec.parts() if part.first in entries]
    chosen = random.Random(spec.digest).sample(range(spec.deals), min(sample, spec.deals))
    wanted = np.sort(np.array(chosen, np.uint64) + np.uint64(spec.first))
    width = thread_count(threads)

    def look(part: Part) -> tuple[int, Report]:
        return part.first, _check_part(job, part, entries[part.first])

    with stop_on_interrupt() as stop, ThreadPoolExecutor(width, "mpsim") as executor:
        job = _Job(folder, spec, wanted, stop)
        found = dict(as_they_come(look, present, executor, width, stop))
    if stop.is_set():
        raise Interrupted("interrupted before all was checked")
    for first in sorted(found):
        report.add(found[first])
    return report


def _folder_problems(folder: Path, spec: RunSpec, record: Record) -> list[Problem]:
    problems = []
    planned, listed = spec.parts(), [Part(entry["first"], entry["rows"]) for entry in record["parts"]]
    if record["status"] != "complete":
        there = f"{len(listed):,} of {parts_text(len(planned))} are there"
        problems.append(Problem(f"the run is unfinished, {there}: go on with --resume", "run.json"))
    elif listed != planned:
        problems.append(Problem("the parts listed are not those of the run's range", "run.json"))
    names = {entry["file"] for entry in record["parts"]}
    for path in part_files(folder):
        name = path.relative_to(folder).as_posix()
        if name not in names:
            problems.append(Problem("a file that run.json does not list", name))
    return problems


def _check_part(job: _Job, part: Part, entry: Record) -> Report:
    path, report = job.folder / part.file, Report()
    everything = (part.rows, tuple(range(part.first, part.first + min(part.rows, SHOWN))))
    try:
        if not path.is_file():
            report.problems.append(Problem("the file is missing", part.file, *everything))
            return report
        said = (entry["file"], entry["bytes"])
        if said != (part.file, path.stat().st_size):
            what = f"run.json speaks of {said[0]} with {said[1]:,} bytes, the file has {path.stat().st_size:,}"
            report.problems.append(Problem(what, part.file, *everything))
        if file_digest(path) != entry["sha256"]:
            what = "the file is not the one that was written (sha256 differs)"
            report.problems.append(Problem(what, part.file, *everything))
        problem = _account_problem(path, job.spec, part, entry)
        if problem:
            report.problems.append(Problem(problem, part.file, *everything))
            return report
        _check_rows(job, part, entry, report)
    except (MpsimError, OSError) as error:
        report.problems.append(Problem(str(error), part.file, *everything))
    return report


def _account_problem(path: Path, spec: RunSpec, part: Part, entry: Record) -> str | None:
    account, schema, rows = read_metadata(path)
    expected = {**spec.identity, "first": part.first, "rows": part.rows, "content": entry["content"]}
    if schema != arrow_schema(spec.layout):
        return "the columns are not those of the schema"
    if rows != part.rows:
        return f"the file has {rows} rows where the run has {part.rows}"
    if canonical_json(account) != canonical_json(expected):
        names = [name for name in expected if account.get(name) != expected[name]]
        return f"the file's metadata is of another run ({', '.join(names) or 'more keys'})"
    return None


def _check_rows(job: _Job, part: Part, entry: Record, report: Report) -> None:
    spec = job.spec
    digest, tally, first = ContentDigest(), Tally(spec.digest), part.first
    for group in iter_groups(job.folder / part.file):
        job.go_on()
        rows = to_arrays(group, spec.layout)
        count = len(rows["deal"])
        digest.update(rows)
        numbers = np.arange(count, dtype=np.uint64) + np.uint64(first)
        _note(report, part, "the deal numbers follow each other", rows["deal"] != numbers, numbers)
        for name, mask in faults(rows, spec.rules):
            _note(report, part, name, mask, numbers)
        if not report.problems:
            tally = tally + tally_deals(spec.digest, rows, spec.rules)
        _replay(job, part, rows, numbers, report)
        first, report.rows = first + count, report.rows + count
    if digest.hexdigest() != entry["content"]:
        report.problems.append(Problem("the rows are not those that were written (content digest differs)", part.file))
    elif not report.problems and tally.as_dict() != entry["tally"]:
        report.problems.append(Problem("the counts in run.json are not those of the rows", part.file))


def _note(report: Report, part: Part, rule: str, mask: Array, numbers: Array) -> None:
    if not mask.any():
        return
    what, deals = f"broken: {rule}", tuple(int(number) for number in numbers[mask][:SHOWN])
    for place, known in enumerate(report.problems):
        if known.what == what:
            both = (*known.deals, *deals)[:SHOWN]
            report.problems[place] = Problem(what, part.file, known.count + int(mask.sum()), both)
            return
    report.problems.append(Problem(what, part.file, int(mask.sum()), deals))


def _replay(job: _Job, part: Part, rows: Arrays, numbers: Array, report: Report) -> None:
    """Play the wanted deals among these rows with the referee and compare every column."""
    spec, wanted = job.spec, job.wanted
    low, high = np.searchsorted(wanted, numbers[0]), np.searchsorted(wanted, numbers[-1], side="right")
    bidders, players = spec.policies.bidders(spec.rules), spec.policies.players(spec.rules)
    for deal in wanted[low:high]:
        job.go_on()
        played = play_deal(spec.rules, spec.seed, int(deal), bidders, players).row()
        stored = _row(rows, int(deal - numbers[0]), spec.layout)
        differ = [name for name, value in stored.items() if played[name] != value]
        report.replayed += 1
        if differ:
            words = ", ".join(f"{name} is {stored[name]!r}, not {played[name]!r}" for name in differ[:4])
            report.problems.append(Problem(f"the referee plays it otherwise: {words}", part.file, 1, (int(deal),)))


def _row(rows: Arrays, position: int, layout: Layout) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, values in rows.items():
        value = values[position]
        if name == "plays":
            row[name] = value.tobytes()
        elif name in ("contract", "outcome"):
            categories = layout.categories(name)
            row[name] = categories[value] if 0 <= value < len(categories) else None
        else:
            row[name] = int(value)
    return row
