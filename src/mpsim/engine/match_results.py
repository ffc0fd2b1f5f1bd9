"""Matches that were played: their summary, and their rows as tables or batch by batch."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from mpsim.engine.match_batches import match_batches
from mpsim.engine.plan import thread_count
from mpsim.errors import UsageError
from mpsim.policies import Policies
from mpsim.rules import Rules
from mpsim.stats.match_summary import summarise_matches
from mpsim.stats.match_tally import MatchTally, tally_matches
from mpsim.store.match_reader import iter_matches, read_match_spec
from mpsim.store.match_schema import MATCH_SCHEMA, to_match_arrays, to_match_batch
from mpsim.store.match_spec import MatchSpec

if TYPE_CHECKING:
    import pandas as pd

    from mpsim.referee import MatchRecord


class Matches:
    """Matches `first` .. `first + matches - 1` of a seed, in a file (`path`) or not (`path` is None).

    Two with equal `rules`, `policies`, `seed`, `first` and `matches` have equal rows.  `seconds` of wall time were
    taken to play them; None for a file that was opened.
    """

    def __init__(
        self, spec: MatchSpec, tally: MatchTally, seconds: float | None = None, path: Path | None = None,
        rows: list[pa.RecordBatch] | None = None,
    ) -> None:
        self.spec, self.tally, self.seconds, self.path = spec, tally, seconds, path
        self._rows = rows

    def __repr__(self) -> str:
        where = f" in {str(self.path)!r}" if self.path else ""
        return (
            f"<Matches: {self.spec.matches} of {self.rules.name}{where}, {self.policies.describe()}, "
            f"seed {self.spec.seed}>"
        )

    @property
    def rules(self) -> Rules:
        """The rules played by."""
        return self.spec.rules

    @property
    def policies(self) -> Policies:
        """The playing and bidding policies of the four players."""
        return self.spec.policies

    @property
    def seed(self) -> int:
        """The seed, drawn or given."""
        return self.spec.seed

    @property
    def summary(self) -> dict[str, Any]:
        """Rates and means as plain values, each with n and 95 % interval: docs/matches.md explains the keys."""
        speed = self.spec.matches / self.seconds if self.seconds else None
        return {**summarise_matches(self.tally, self.rules), "seconds": self.seconds, "matches_per_second": speed}

    def batches(self, columns: str | Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The rows by match number, some 32,768 at a time.  UsageError: no such column."""
        names = _known(columns)
        if self._rows is not None:
            batches: Iterator[pa.RecordBatch] = iter(self._rows)
        elif self.path is not None and self.path.suffix.lower() == ".parquet":
            return iter_matches(self.path, names)
        else:
            batches = self._played_again()
        return (batch if names is None else batch.select(names) for batch in batches)

    def table(self, columns: str | Sequence[str] | None = None) -> pa.Table:
        """All rows by match number as an Arrow table."""
        names = _known(columns)
        schema = MATCH_SCHEMA if names is None else pa.schema([MATCH_SCHEMA.field(name) for name in names])
        return pa.Table.from_batches(self.batches(names), schema)

    def frame(self, columns: str | Sequence[str] | None = None) -> pd.DataFrame:
        """All rows as a pandas frame; `ended` is categorical."""
        return self.table(columns).to_pandas()

    def play_match(self, match: int) -> MatchRecord:
        """A match played once more by the referee, deal by deal; UsageError when it is not one of these."""
        from mpsim.referee import play_match

        if not self.spec.first <= match < self.spec.end:
            raise UsageError(
                f"match {match} is not among them: give a number from {self.spec.first} to {self.spec.end - 1}"
            )
        return play_match(
            self.rules, self.seed, match, self.policies.bidders(self.rules), self.policies.players(self.rules)
        )

    def narrate(self, match: int) -> str:
        """The course of a match for people, a line a deal."""
        from mpsim.referee import narrate_match

        return narrate_match(self.play_match(match), self.rules)

    def _played_again(self) -> Iterator[pa.RecordBatch]:
        width = thread_count(None)
        with ThreadPoolExecutor(width, "mpsim") as executor:
            for rows, _ in match_batches(self.spec, executor, width, threading.Event(), lambda matches: None):
                yield to_match_batch(rows)


def _known(columns: str | Sequence[str] | None) -> list[str] | None:
    names = [columns] if isinstance(columns, str) else columns
    for name in names or ():
        if name not in MATCH_SCHEMA.names:
            raise UsageError(f"no column {name!r}: matches have {', '.join(MATCH_SCHEMA.names)}")
    return None if names is None else list(names)


def open_matches(path: str | Path) -> Matches:
    """The matches in a Parquet file that `mpsim match` or `simulate_matches` wrote, counted again from its rows."""
    file, tally = Path(path), MatchTally()
    spec = read_match_spec(file)
    for batch in iter_matches(file):
        tally = tally + tally_matches(to_match_arrays(batch))
    return Matches(spec, tally, path=file)
