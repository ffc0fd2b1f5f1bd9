"""Reading a file of matches back: what it says of itself, and its rows batch by batch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mpsim.errors import MpsimError, RunError
from mpsim.policies import policies_from_dict
from mpsim.rules import rules_from_dict
from mpsim.store.match_schema import MATCH_SCHEMA
from mpsim.store.match_spec import MatchSpec
from mpsim.store.writer import METADATA_KEY


def read_match_spec(path: Path) -> MatchSpec:
    """What a Parquet file of matches says that it holds; RunError where it is none."""
    try:
        with path.open("rb") as stream, pq.ParquetFile(stream) as file:
            account = json.loads((file.metadata.metadata or {})[METADATA_KEY.encode()])
            if file.schema_arrow.remove_metadata() != MATCH_SCHEMA or file.metadata.num_rows != account["matches"]:
                raise KeyError
        return MatchSpec(
            rules_from_dict(account["rules"]), policies_from_dict(account["policies"]), account["seed"],
            account["first"], account["matches"],
        )
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from None
    except (KeyError, TypeError, ValueError, pa.ArrowException, MpsimError):
        raise RunError(f"{path} holds no matches: give a Parquet file that `mpsim match --out` wrote") from None


def iter_matches(path: Path, names: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """A Parquet file's rows in order, checksums verified; RunError when it is damaged."""
    try:
        with path.open("rb") as stream, pq.ParquetFile(stream, page_checksum_verification=True) as file:
            for batch in file.iter_batches(batch_size=1 << 15, columns=names, use_threads=False):
                yield batch if names is None else batch.select(names)
    except (OSError, pa.ArrowException) as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise RunError(f"{path} cannot be read ({said}): play the matches again, the seed is the same") from None
