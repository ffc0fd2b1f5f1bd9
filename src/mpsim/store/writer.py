"""One part of a run as one Parquet file: whole under its name, or not there.

The bytes depend on the rows, the identity and the pyarrow version only, so equal runs have equal files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mpsim.store.provenance import Part, RunSpec, canonical_json
from mpsim.store.schema import ROW_GROUP, Arrays, arrow_schema, columns, to_batch

METADATA_KEY = "mpsim"


@dataclass(frozen=True, slots=True)
class PartFile:
    """A finished file: what `run.json` says of it, the tally apart."""

    file: str
    first: int
    rows: int
    bytes: int
    sha256: str
    content: str

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


class ContentDigest:
    """A hash of rows that does not know how they are stored: one sha256 a column, then one over all columns."""

    def __init__(self) -> None:
        self._columns: dict[str, Any] = {}

    def update(self, rows: Arrays) -> None:
        """Add further rows; the result does not depend on how rows are sliced."""
        for name, values in rows.items():
            digest = self._columns.setdefault(name, hashlib.sha256())
            little = values.astype(values.dtype.newbyteorder("<"), order="C", copy=False)
            digest.update(little.reshape(-1).view(np.uint8))

    def hexdigest(self) -> str:
        """The hash in hex."""
        whole = hashlib.sha256()
        for name in sorted(self._columns):
            whole.update(name.encode() + b"\0" + self._columns[name].digest())
        return whole.hexdigest()


def part_metadata(spec: RunSpec, part: Part, content: str) -> dict[str, str]:
    """A file's own account of itself: identity, its deals, the digest of its rows."""
    return {METADATA_KEY: canonical_json({**spec.identity, "first": part.first, "rows": part.rows, "content": content})}


def hidden_name(path: Path) -> Path:
    """Where a file grows until it is whole."""
    return path.with_name(f".{path.name}.tmp")


def file_digest(path: Path) -> str:
    """A file's sha256, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class PartWriter:
    """Takes a part's rows in order; `finish` gives the file its name, `abort` leaves nothing."""

    def __init__(self, folder: Path, spec: RunSpec, part: Part) -> None:
        self._spec, self._part = spec, part
        self._path = (folder / part.file).absolute()  # Arrow takes `s3:runs` for a URI
        self._schema = arrow_schema(spec.layout)
        self._names = self._schema.names
        self._digest = ContentDigest()
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0
        self._writer = pq.ParquetWriter(hidden_name(self._path), self._schema, **_options(spec.record_plays))

    def write(self, rows: Arrays) -> None:
        """Add rows: at most ROW_GROUP at once, and a divisor of it unless they are the last."""
        rows = {name: rows[name] for name in self._names}
        self._digest.update(rows)
        self._waiting.append(to_batch(rows, self._spec.layout))
        self._rows += len(rows["deal"])
        if sum(batch.num_rows for batch in self._waiting) >= ROW_GROUP:
            self._flush()

    def finish(self) -> PartFile:
        """Write what is left and the footer, then move the file to its name."""
        self._flush()
        content, hidden = self._digest.hexdigest(), hidden_name(self._path)
        self._writer.add_key_value_metadata(part_metadata(self._spec, self._part, content))
        self._writer.close()
        size, sha256 = hidden.stat().st_size, file_digest(hidden)
        os.replace(hidden, self._path)
        return PartFile(self._part.file, self._part.first, self._rows, size, sha256, content)

    def abort(self) -> None:
        """Forget the part."""
        with contextlib.suppress(OSError, pa.ArrowException):
            self._writer.close()
        with contextlib.suppress(OSError):
            hidden_name(self._path).unlink(missing_ok=True)

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.Table.from_batches(self._waiting, self._schema), row_group_size=ROW_GROUP)
            self._waiting = []


def _options(record_plays: bool) -> dict[str, Any]:
    declared = columns(record_plays)
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": [column.name for column in declared if column.categories],
        "column_encoding": {column.name: column.encoding for column in declared if column.encoding},
        "write_page_checksum": True,
    }
