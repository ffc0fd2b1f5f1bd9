"""The folder of `mpsim acceptance`: two tables, a chart, an account of how they were made.

`classes` has a row for each round, seat and class, `cells` one for each trump holding and turned rank; each column is
declared once, in `COLUMNS`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mpsim.errors import RunError
from mpsim.store.provenance import canonical_json
from mpsim.store.writer import METADATA_KEY, hidden_name

ACCOUNT, CLASSES, CELLS, CHART = "acceptance.json", "acceptance.parquet", "cells.parquet", "chart.npz"
ACCEPTANCE_VERSION = 1
RANKS = "789TJQKA"
VERDICTS = ("pass", "undecided", "accept")
_TEXT = pa.dictionary(pa.int16(), pa.string())


@dataclass(frozen=True, slots=True)
class AcceptanceColumn:
    """One column: its name, type, the tables that have it, and what it holds."""

    name: str
    type: pa.DataType
    tables: str      # "both", "classes" or "cells"
    meaning: str


COLUMNS = (
    AcceptanceColumn("round", pa.int8(), "both", "1 or 2."),
    AcceptanceColumn("seat", pa.int8(), "both", "Who decides, 0 to 3."),
    AcceptanceColumn("named", _TEXT, "both", "Which suit would be trumps: `turned`, or in round 2 an `other` one."),
    AcceptanceColumn("up", _TEXT, "both", "Rank of the turned card."),
    AcceptanceColumn("trumps", _TEXT, "both", "Cards held in that suit, the strongest first; `-` for none."),
    AcceptanceColumn("side_1", _TEXT, "classes", "Cards held in a side suit; with `other`, in the turned suit."),
    AcceptanceColumn("side_2", _TEXT, "classes", "Cards held in another one."),
    AcceptanceColumn("side_3", _TEXT, "classes", "Cards held in the last one."),
    AcceptanceColumn("hands", pa.int32(), "both", "Hands, turned cards and suits it stands for: of 5,437,152, or with "
                     "`other` of 16,311,456."),
    AcceptanceColumn("n", pa.int64(), "both", "Decisions played out."),
    AcceptanceColumn("take", pa.float64(), "both", "Mean gain of taking: points of the decider's team less the other "
                     "team's. NaN without decisions, as are the next three."),
    AcceptanceColumn("pass", pa.float64(), "both", "Mean gain of passing, on the same deals."),
    AcceptanceColumn("difference", pa.float64(), "both", "Mean of taking minus passing."),
    AcceptanceColumn("se", pa.float64(), "both", "Its standard error; NaN with fewer than three decisions."),
    AcceptanceColumn("pooled", pa.float64(), "classes", "The difference, partly pooled with classes like this one."),
    AcceptanceColumn("pooled_se", pa.float64(), "classes", "Its standard error."),
    AcceptanceColumn("low", pa.float64(), "both", "95 % interval of the difference, of `pooled` where there is one."),
    AcceptanceColumn("high", pa.float64(), "both", "Its upper end."),
    AcceptanceColumn("verdict", _TEXT, "both", "`accept` or `pass` if 0 is outside the interval, else `undecided`."),
    AcceptanceColumn("plays", pa.bool_(), "classes", "Whether the chart takes."),
    AcceptanceColumn("accepting", pa.float64(), "cells", "Share of its hands with which the chart takes."),
    AcceptanceColumn("visits", pa.float64(), "cells", "How often a deal comes to this decision, by the deals dealt at "
                     "random."),
)  # fmt: skip


def acceptance_schema(table: str) -> pa.Schema:
    """The schema of `classes` or `cells`."""
    return pa.schema([(column.name, column.type) for column in COLUMNS if column.tables in ("both", table)])


@dataclass(frozen=True)
class Acceptance:
    """A finished study: its tables, what it was, and its folder."""

    classes: pa.Table
    cells: pa.Table
    about: dict[str, Any]
    folder: Path

    @property
    def chart_file(self) -> Path:
        """What `--bid chart:FILE` plays."""
        return self.folder / CHART


def write_table(table: pa.Table, path: Path, account: dict[str, Any]) -> None:
    """A table with its account, whole under its name or not there."""
    hidden = hidden_name(path)
    metadata = {METADATA_KEY: canonical_json(account).encode()}
    try:
        pq.write_table(
            table.replace_schema_metadata(metadata), hidden, compression="zstd", compression_level=3,
            row_group_size=1 << 18, write_page_checksum=True,
        )
        hidden.replace(path)
    finally:
        hidden.unlink(missing_ok=True)


def write_account(account: dict[str, Any], folder: Path) -> None:
    """`acceptance.json`, whole or not there."""
    hidden = hidden_name(folder / ACCOUNT)
    try:
        hidden.write_text(json.dumps(account, indent=2) + "\n", encoding="utf-8")
        hidden.replace(folder / ACCOUNT)
    finally:
        hidden.unlink(missing_ok=True)


def read_account(folder: Path) -> dict[str, Any]:
    """`acceptance.json`; RunError for a folder without one that can be read."""
    try:
        account = json.loads((folder / ACCOUNT).read_text(encoding="utf-8"))
    except OSError:
        raise RunError(f"{folder} holds no {ACCOUNT}: give a folder that mpsim acceptance wrote") from None
    except ValueError as error:
        raise RunError(f"{folder / ACCOUNT} cannot be read ({error}): make it again with --force") from None
    if not isinstance(account, dict) or account.get("schema") != ACCEPTANCE_VERSION:
        raise RunError(f"{folder / ACCOUNT} is of another version: make it again with --force")
    return account


def read_acceptance(folder: str | Path) -> Acceptance:
    """A finished study; RunError where it is none or not finished."""
    folder = Path(folder)
    account = read_account(folder)
    if account.get("status") != "complete":
        raise RunError(f"{folder} is not finished: complete it with mpsim acceptance --resume --out {folder}")
    tables = []
    for name, table in ((CLASSES, "classes"), (CELLS, "cells")):
        try:
            tables.append(pq.read_table(folder / name, schema=acceptance_schema(table)))
        except (OSError, pa.ArrowException) as error:
            said = str(error).split("\n")[0]
            raise RunError(f"{folder / name} cannot be read ({said}): make it again with --force") from None
    return Acceptance(tables[0], tables[1], account, folder)
