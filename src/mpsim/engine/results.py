"""A run that was made: its summary, and its rows as tables or batch by batch."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from mpsim.engine.batch import play_batch
from mpsim.engine.plan import thread_count
from mpsim.engine.pool import in_order
from mpsim.errors import RunError, UsageError
from mpsim.policies import Policies
from mpsim.rules import Rules
from mpsim.stats.summary import summarise
from mpsim.stats.tally import Tally
from mpsim.store.folder import resume_command
from mpsim.store.parts import entry_tally, sound_entries
from mpsim.store.provenance import RECORD_NAME, Record, RunSpec, read_record, spec_of
from mpsim.store.reader import check_columns, iter_groups
from mpsim.store.schema import arrow_schema, to_batch

if TYPE_CHECKING:
    import pandas as pd

    from mpsim.referee import DealRecord

BATCH = 1 << 16


class Run:
    """Deals that were played, in a folder (`path`) or in memory (`path` is None).

    `rules`, `policies`, `seed`, `first` and `deals` say what was played; two runs with equal ones have equal rows.
    `timed_deals` were played in `seconds` of wall time: a run that was killed knows less than its whole time.
    """

    def __init__(
        self,
        spec: RunSpec,
        tally: Tally,
        timing: tuple[float, int],
        record: Record | None = None,
        path: Path | None = None,
        rows: list[pa.RecordBatch] | None = None,
    ) -> None:
        self._spec, self._rows = spec, rows
        self.path = path
        self.tally = tally
        self.seconds, self.timed_deals = timing
        self.record = record

    def __repr__(self) -> str:
        where = f" in {str(self.path)!r}" if self.path else ""
        return (
            f"<Run: {self.tally.counts.get('deals', 0)} deals of {self.rules.name}{where}, "
            f"{self.players_text}, seed {self.seed}>"
        )

    @property
    def rules(self) -> Rules:
        """The rules played by."""
        return self._spec.rules

    @property
    def policies(self) -> Policies:
        """The playing and bidding policies of the four seats."""
        return self._spec.policies

    @property
    def players_text(self) -> str:
        """Who plays, and who bids where anybody does: for people."""
        return self._spec.players_text

    @property
    def seed(self) -> int:
        """The seed, drawn or given."""
        return self._spec.seed

    @property
    def first(self) -> int:
        """The first deal's number."""
        return self._spec.first

    @property
    def deals(self) -> int:
        """How many deals the run has when complete."""
        return self._spec.deals

    @property
    def complete(self) -> bool:
        """Whether all deals are there; an unfinished run gives what it has."""
        return self.tally.count("deals") == self.deals

    @property
    def summary(self) -> dict[str, Any]:
        """Rates and means as plain values, each with n and 95 % interval, and the speed: see `mpsim.stats.summary`."""
        summary = summarise(self.tally, self.rules)
        speed = self.timed_deals / self.seconds if self.seconds else None
        return {**summary, "seconds": self.seconds, "timed_deals": self.timed_deals, "deals_per_second": speed}

    def batches(self, columns: str | Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The rows by deal number, about 65,536 at a time: for runs larger than memory.  UsageError: no such column."""
        names = check_columns(columns, self._spec.record_plays)
        if self.path is not None and self.record is not None:
            return self._from_files(self.path, names)
        if self._rows is not None:
            return iter([batch if names is None else batch.select(names) for batch in self._rows])
        return self._played_again(names)

    def table(self, columns: str | Sequence[str] | None = None) -> pa.Table:
        """All rows by deal number as an Arrow table; columns as `mpsim.store.schema` declares them."""
        names = check_columns(columns, self._spec.record_plays)
        schema = arrow_schema(self._spec.layout)
        schema = schema if names is None else pa.schema([schema.field(name) for name in names])
        return pa.Table.from_batches(self.batches(names), schema)

    def frame(self, columns: str | Sequence[str] | None = None) -> pd.DataFrame:
        """All rows as a pandas frame; `contract` and `outcome` are categorical."""
        return self.table(columns).to_pandas()

    def play_deal(self, deal: int) -> DealRecord:
        """A deal played once more by the referee, with every step; UsageError when the run does not have it."""
        from mpsim.referee import play_deal

        last = self.first + self.deals - 1
        if not self.first <= deal <= last:
            raise UsageError(f"deal {deal} is not in the run: give a number from {self.first} to {last}")
        rules, policies = self.rules, self.policies
        return play_deal(rules, self.seed, deal, policies.bidders(rules), policies.players(rules))

    def narrate(self, deal: int) -> str:
        """A deal told for people: hands, auction, exchange, melds, tricks, settlement."""
        from mpsim.referee import narrate

        return narrate(self.play_deal(deal), self.rules)

    def _from_files(self, path: Path, names: list[str] | None) -> Iterator[pa.RecordBatch]:
        for entry in self.record["parts"] if self.record else ():
            for group in iter_groups(path / entry["file"], names):
                yield from group.to_batches(max_chunksize=BATCH)

    def _played_again(self, names: list[str] | None) -> Iterator[pa.RecordBatch]:
        spec, width = self._spec, thread_count(None)

        def work(first: int) -> pa.RecordBatch:
            count = min(BATCH, spec.end - first)
            rows = play_batch(spec.rules, spec.policies, spec.seed, first, count, spec.record_plays)
            batch = to_batch(rows, spec.layout)
            return batch if names is None else batch.select(names)

        with ThreadPoolExecutor(width, "mpsim") as executor:
            starts = itertools.takewhile(lambda first: first < spec.end, itertools.count(spec.first, BATCH))
            yield from in_order(work, starts, executor, 2 * width)


def run_in_memory(spec: RunSpec, tally: Tally, seconds: float, rows: list[pa.RecordBatch] | None) -> Run:
    """A run without a folder; rows are played again when `rows` is None."""
    return Run(spec, tally, (seconds, spec.deals), rows=rows)


def run_of_record(folder: Path, record: Record) -> Run:
    """The run of a folder whose record is known to be valid."""
    spec = spec_of(record, folder)
    entries = sound_entries(record, spec)
    if len(entries) != len(record["parts"]) or (record["status"] == "complete" and len(entries) != spec.part_count):
        raise RunError(
            f"{folder / RECORD_NAME} contradicts itself: its parts do not add up to the run; "
            f"`{resume_command(folder)}` looks at the files and puts it right"
        )
    tally = Tally(spec.digest)
    for entry in record["parts"]:
        tally = tally + entry_tally(entry, spec)
    times = record["times"]
    return Run(spec, tally, (times["seconds"], times["deals"]), record, folder)


def open_run(path: str | Path) -> Run:
    """The run in a folder that `simulate` wrote, finished or not; RunError says what is wrong with it."""
    folder = Path(path)
    return run_of_record(folder, read_record(folder))
