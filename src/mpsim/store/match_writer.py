"""One file of matches: Parquet with its own account of what was played, or CSV; whole under its name, or not there.

The bytes depend on the matches and on the software that wrote them, not on threads.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from mpsim.errors import RunError, UsageError
from mpsim.store.match_schema import MATCH_COLUMNS, MATCH_SCHEMA, to_match_batch
from mpsim.store.match_spec import MatchSpec
from mpsim.store.provenance import canonical_json, software
from mpsim.store.schema import ROW_GROUP, Arrays
from mpsim.store.writer import METADATA_KEY, ContentDigest, hidden_name

ENDINGS = (".parquet", ".csv")


def check_match_path(path: Path) -> None:
    """UsageError for a file whose format its name does not tell, or that cannot be written."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"--out {path} tells no format: end it with {' or '.join(ENDINGS)}")
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"--out {path} is no file that can be written: give a name in a folder that is there")


class _Format(Protocol):
    def write(self, batches: list[pa.RecordBatch]) -> None: ...
    def close(self, content: str) -> None: ...
    def abort(self) -> None: ...


class _Parquet:
    def __init__(self, stream: IO[bytes], spec: MatchSpec) -> None:
        self._spec = spec
        self._writer = pq.ParquetWriter(
            stream, MATCH_SCHEMA, compression="zstd", compression_level=1, write_page_checksum=True,
            use_dictionary=[column.name for column in MATCH_COLUMNS if column.categories],
            column_encoding={column.name: column.encoding for column in MATCH_COLUMNS if column.encoding},
        )

    def write(self, batches: list[pa.RecordBatch]) -> None:
        self._writer.write_table(pa.Table.from_batches(batches, MATCH_SCHEMA), row_group_size=ROW_GROUP)

    def close(self, content: str) -> None:
        account = {**self._spec.as_dict(), "content": content, "software": software()}
        self._writer.add_key_value_metadata({METADATA_KEY: canonical_json(account)})
        self._writer.close()

    def abort(self) -> None:
        with contextlib.suppress(OSError, pa.ArrowException):
            self._writer.close()
        self._writer.is_open = False  # else it would try once more, and complain, when it is collected


class _Csv:
    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        stream.write((",".join(MATCH_SCHEMA.names) + "\n").encode())

    def write(self, batches: list[pa.RecordBatch]) -> None:
        from pyarrow import csv

        plain = csv.WriteOptions(include_header=False, quoting_style="none")
        csv.write_csv(pa.Table.from_batches(batches, MATCH_SCHEMA), self._stream, plain)

    def close(self, content: str) -> None:
        """Nothing comes after the rows."""

    def abort(self) -> None:
        """Nothing is held."""


class MatchWriter:
    """Takes matches in order; `finish` gives the file its name, `abort` leaves nothing.  OSError when it cannot."""

    def __init__(self, path: Path, spec: MatchSpec) -> None:
        self._path, self._hidden = path, hidden_name(path)
        self._digest = ContentDigest()
        self._waiting: list[pa.RecordBatch] = []
        self._stream = self._hidden.open("wb")
        is_csv = path.suffix.lower() == ".csv"
        self._format: _Format = _Csv(self._stream) if is_csv else _Parquet(self._stream, spec)

    def write(self, rows: Arrays) -> None:
        """Add rows: at most ROW_GROUP at once, and a divisor of it unless they are the last."""
        self._digest.update({name: rows[name] for name in MATCH_SCHEMA.names})
        self._waiting.append(to_match_batch(rows))
        if sum(batch.num_rows for batch in self._waiting) >= ROW_GROUP:
            self._flush()

    def finish(self) -> None:
        """Write what is left, then move the file to its name."""
        self._flush()
        self._format.close(self._digest.hexdigest())
        self._stream.close()
        os.replace(self._hidden, self._path)

    def abort(self) -> None:
        """Forget the file."""
        self._format.abort()
        with contextlib.suppress(OSError):
            self._stream.close()
        with contextlib.suppress(OSError):
            self._hidden.unlink(missing_ok=True)

    def _flush(self) -> None:
        if self._waiting:
            self._format.write(self._waiting)
            self._waiting = []


@contextlib.contextmanager
def match_writer(path: Path, spec: MatchSpec) -> Iterator[MatchWriter]:
    """A writer whose file is there after the block, or not at all; RunError says why it cannot be written."""
    try:
        writer = MatchWriter(path, spec)
        try:
            yield writer
            writer.finish()
        except BaseException:
            writer.abort()
            raise
    except (OSError, pa.ArrowException) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error).split("\n")[0]
        raise RunError(f"{path} cannot be written: {said}; nothing is kept, give another file with --out") from None
