"""What `mpsim melds` prints, writes and draws."""

from __future__ import annotations

import csv
import math
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpsim.commands.output import print_rich, replaced
from mpsim.errors import RunError, UsageError
from mpsim.stats.meld_table import meld_name

if TYPE_CHECKING:
    from mpsim.stats.meld_table import Row
    from mpsim.studies.melds import MeldStudy
    from mpsim.studies.seen import SeenStudy

ENDINGS = (".csv", ".parquet")
SCOPES = ("hand", "team", "deal")


def check_path(out: Path | None) -> None:
    """UsageError for a table whose format the file's name does not tell."""
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise UsageError(f"--out {out} tells no format: end it with {' or '.join(ENDINGS)}")


def check_figures(folder: Path | None) -> None:
    """UsageError where figures are wanted and nothing can draw them."""
    if folder is not None and find_spec("matplotlib") is None:
        raise UsageError(f"--figures {folder} needs matplotlib: install it, or mpsim with its extra `charts`")


def write_table(rows: list[dict[str, Any]], out: Path) -> None:
    """Rows of plain values as CSV or Parquet; the file is replaced in one step."""
    with replaced(out) as hidden:
        _write_csv(rows, hidden) if out.suffix.lower() == ".csv" else _write_parquet(rows, hidden)


def _write_csv(rows: list[dict[str, Any]], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _write_parquet(rows: list[dict[str, Any]], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Built column by column with types: pa.Table.from_pylist would call a column without values null.
    kinds = {"exact": pa.float64(), "simulated": pa.float64(), "se": pa.float64(), "z": pa.float64(),
             "change": pa.float64(), "value": pa.int64(), "n": pa.int64(), "seat": pa.int64()}
    columns = {name: pa.array([row[name] for row in rows], kinds.get(name, pa.string())) for name in rows[0]}
    pq.write_table(pa.table(columns), path, compression="zstd")


def draw(study: MeldStudy, folder: Path) -> list[Path]:
    """The figures of a study as PNG files in a folder, made if need be."""
    from mpsim.charts.melds import meld_figures

    drawn = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, figure in meld_figures(study).items():
            drawn.append(folder / f"{name}.png")
            figure.savefig(drawn[-1])
    except OSError as error:
        raise RunError(f"{folder} cannot be written to: {error.strerror}; give another folder with --figures") from None
    return drawn


def print_study(study: MeldStudy) -> None:
    """Tables of melds by hand, team and deal, and by role and round; then how well the simulated fit the exact."""
    print(f"{study.rules.name}, cards dealt at random{': ' + study.dealt.describe() if study.dealt else ''}")
    for scope in SCOPES:
        print_rich(_table(study, scope))
    print_rich(_points(study))
    if study.who_scores:
        print_rich(_who_scores(study.who_scores))
    if study.bidding:
        print(BIDDING)
    for turn, stage in product(("1", "2"), ("before", "after")) if study.bidding else ():
        print_rich(_bidding(study, turn, stage))
    for line in _verdicts(study):
        print(line)


def _points(study: MeldStudy) -> Any:
    """The exact distribution of points; what comes less than once in 10,000 deals is left to --out."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="chance of just so many points, exactly",
                  title_justify="left", title_style="bold")
    for heading in ("points", *(f"a {scope}" for scope in SCOPES)):
        table.add_column(heading, justify="right")
    chances = {(row.scope, row.value): row.exact or 0 for row in study.rows
               if (row.meld, row.what) == ("points", "number")}
    for value in sorted({value or 0 for _, value in chances}):
        found = [chances.get((scope, value), 0) for scope in SCOPES]
        if max(found) >= 1e-4:
            table.add_row(str(value), *(f"{100 * float(chance):.4f} %" if chance else "-" for chance in found))
    return table


def _table(study: MeldStudy, scope: str) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=f"a {scope}", title_justify="left", title_style="bold")
    table.add_column("one or more of")
    table.add_column("exact", justify="right")
    if study.dealt:
        for heading in ("simulated", "± 95 %", "z"):
            table.add_column(heading, justify="right")
    for row in study.rows:
        if row.scope == scope and row.what == "some":
            table.add_row(meld_name(row.meld), *_cells(row, study.dealt is not None))
    table.add_row("no run at all", *_cells(study.find(scope, "run_3_up", "number", 0), study.dealt is not None))
    table.add_section()
    table.add_row("mean points", *_cells(study.find(scope, "points", "mean"), study.dealt is not None))
    return table


def _cells(row: Row, dealt: bool) -> list[str]:
    scale, unit = (1, "") if row.what == "mean" else (100, " %")
    exact = scale * float(row.exact or 0)
    shown = [exact]
    if dealt:
        shown += [scale * (row.simulated or 0.0), 1.96 * scale * (row.se or 0.0)]
    cells = [f"{value:.{_decimals(exact)}f}{unit}" for value in shown]
    if dealt:
        cells.append("-" if row.z is None else f"{row.z:+.2f}")
    return cells


def _decimals(value: float) -> int:
    """Four, or of a small value as many as give it four digits."""
    return 4 if value == 0 else min(max(4, 3 - math.floor(math.log10(abs(value)))), 10)


def _who_scores(rows: list[Row]) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="whose count", title_justify="left", title_style="bold")
    for heading in ("", "nobody has any", "a tie voids them", "one team's"):
        table.add_column(heading, justify="left" if not heading else "right")
    for meld in ("runs", "fours"):
        table.add_row(meld, *(_cells(row, False)[0] for row in rows if row.meld == meld))
    return table


BIDDING = """\
With trumps as they were chosen: percent with one or more, and mean points, by the round in which
trumps were fixed.  In brackets the change from random cards, in percentage points or points.
`after taker` is the defender who plays next after the taker, `before taker` the other; makers and
defenders are teams, and the deal is all four hands.
"""

SHOWN = {"run_3_up": "run of 3+", "run_4_up": "run of 4+", "fours": "any four", "pair": "K+Q trumps",
         "points": "points"}
WHO = {"taker": "taker", "partner": "partner", "left": "after taker", "right": "before taker", "makers": "makers",
       "defenders": "defenders", "any": "the deal"}


def _bidding(study: MeldStudy, turn: str, stage: str) -> Any:
    """Of a round and a stage: percent with some, and mean points, by role."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    found = {(row.who, row.meld, row.what): row for row in study.bidding if (row.round, row.stage) == (turn, stage)}
    deals = found["any", "points", "mean"].n
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold",
                  title=f"round {turn}, {stage} the exchange: {deals:,} deals")
    for heading in ("", *SHOWN.values()):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for who, name in WHO.items():
        table.add_row(name, *(_change(found[who, meld, "mean" if meld == "points" else "some"]) for meld in SHOWN))
        if who in ("right", "defenders"):
            table.add_section()
    return table


def _change(row: Row) -> str:
    if row.simulated is None or row.change is None:
        return "-"
    scale = 1 if row.what == "mean" else 100
    return f"{scale * row.simulated:.2f} ({scale * row.change:+.2f})"


def _verdicts(study: MeldStudy) -> list[str]:
    lines = []
    if study.fit:
        fit = study.fit
        lines.append(f"Deals by meld points against the exact: chi-square {fit.statistic:.1f} with {fit.freedom} "
                     f"degrees of freedom, p = {study.fit_p:.3g}")
    if study.largest:
        count = sum(row.z is not None for row in study.rows)
        lines.append(f"Largest |z| of {count} rows: {abs(study.largest.z or 0):.2f}")
    return lines


def print_seen(study: SeenStudy) -> None:
    """Chances by meld and whose hand."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    known = study.known
    turned = f", {known['up']} turned" if known["up"] else ", no turned card known (nobody swaps)"
    trumps = f", {known['trump']} trumps" if known["trump"] else ", no trumps known"
    print(f"{study.rules.name}, seat {known['seat']} holds {known['holding']}{turned}{trumps}")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("one or more of", *study.found):
        table.add_column(heading, justify="left" if heading.startswith("one") else "right")
    for meld in study.found["own"]:
        if meld != "points":
            chances = (float(melds[meld].at_least(1)) for melds in study.found.values())
            table.add_row(meld_name(meld), *(f"{100 * chance:.4f} %" for chance in chances))
    table.add_section()
    table.add_row("mean points declared", *(f"{float(melds['points'].mean):.4f}" for melds in study.found.values()))
    print_rich(table)
