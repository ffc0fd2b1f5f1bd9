"""Reading a run's files back: whole, by columns, or batch by batch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mpsim.errors import RunError, UsageError
from mpsim.store.folder import resume_command
from mpsim.store.provenance import Part, Record, RunSpec, canonical_json
from mpsim.store.schema import arrow_schema, columns, to_arrays
from mpsim.store.writer import METADATA_KEY, ContentDigest, PartFile, file_digest


def check_columns(names: str | Sequence[str] | None, record_plays: bool) -> list[str] | None:
    """Column names as given, one or many; UsageError for one that the run does not have."""
    known = [column.name for column in columns(record_plays)]
    names = [names] if isinstance(names, str) else names
    for name in names or ():
        if name not in known:
            hint = "record them with --record plays" if name == "plays" else f"the run has {', '.join(known)}"
            raise UsageError(f"no column {name!r}: {hint}")
    return None if names is None else list(names)


def iter_groups(path: Path, names: list[str] | None = None) -> Iterator[pa.Table]:
    """A part's row groups in order, checksums verified; RunError when the file is damaged."""
    try:
        with _open(path) as file:
            for group in range(file.num_row_groups):
                yield file.read_row_group(group, columns=names, use_threads=False)
    except (OSError, UnicodeError, pa.ArrowException) as error:
        raise RunError(f"{path} cannot be read ({_first_line(error)}): {_cure(path)}") from None


def _open(path: Path) -> pq.ParquetFile:
    """A part, by its whole name: Arrow takes `s3:runs` for a URI."""
    return pq.ParquetFile(path.absolute(), page_checksum_verification=True)


def _cure(part: Path) -> str:
    return f"`{resume_command(part.parents[1])}` writes missing and damaged parts again"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:160].rstrip(".")


def read_metadata(path: Path) -> tuple[dict[str, Any], pa.Schema, int]:
    """A part's own account of itself, its Arrow schema (without metadata) and its number of rows."""
    try:
        with _open(path) as file:
            stored = (file.metadata.metadata or {}).get(METADATA_KEY.encode(), b"{}")
            account: dict[str, Any] = json.loads(stored)
            return account, file.schema_arrow.remove_metadata(), file.metadata.num_rows
    except (OSError, ValueError, pa.ArrowException) as error:
        raise RunError(f"{path} cannot be read ({_first_line(error)}): {_cure(path)}") from None


def recognise_part(folder: Path, spec: RunSpec, part: Part, entry: Record | None) -> PartFile | None:
    """The part's file if it is whole and this very part of this very run, else None.

    `entry` is what `run.json` says of the part, if anything: then the file's digest decides.  A file that came just
    before a kill has no entry: then its rows must match the digest that the file itself carries.
    """
    path = folder / part.file
    if not path.is_file():
        return None
    try:
        return _known(path, entry) if entry else _unknown(path, spec, part)
    except (OSError, RunError):
        return None


def _known(path: Path, entry: Record) -> PartFile | None:
    whole = path.stat().st_size == entry["bytes"] and file_digest(path) == entry["sha256"]
    whole = whole and read_metadata(path)[0].get("content") == entry["content"]
    return PartFile(**{name: entry[name] for name in PartFile.__dataclass_fields__}) if whole else None


def _unknown(path: Path, spec: RunSpec, part: Part) -> PartFile | None:
    account, schema, rows = read_metadata(path)
    content = account.pop("content", None)
    expected = {**spec.identity, "first": part.first, "rows": part.rows}
    if canonical_json(account) != canonical_json(expected) or rows != part.rows:
        return None
    if schema != arrow_schema(spec.layout):
        return None
    digest = ContentDigest()
    for group in iter_groups(path):
        digest.update(to_arrays(group, spec.layout))
    if digest.hexdigest() != content:
        return None
    return PartFile(part.file, part.first, rows, path.stat().st_size, file_digest(path), content)
