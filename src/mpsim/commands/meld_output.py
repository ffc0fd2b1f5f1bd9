"""What `mpsim melds` prints, writes and draws."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpsim.commands.output import print_json, print_rich, replaced
from mpsim.errors import RunError, UsageError
from mpsim.rules import rules_digest, rules_name
from mpsim.stats.meld_counts import TURNS, has_all_trumps, has_melds, stages_of
from mpsim.stats.meld_table import meld_name

if TYPE_CHECKING:
    from mpsim.rules import Rules
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


def has_any_melds(rules: Rules, as_json: bool) -> bool:
    """Whether there is anything to count; if not, it is said.  UsageError for melds of a deck that is too large."""
    if not has_melds(rules):
        text = f"{rules.name} has no melds: nothing is declared, and no run, four or trump pair is worth points."
        print_json({"rules": rules.name, "rules_sha256": rules_digest(rules), "melds": False, "message": text}) \
            if as_json else print(text)
        return False
    if len(rules.deck.ranks) > 8:
        raise UsageError(
            f"{rules.name} has melds and {len(rules.deck.ranks)} ranks, and mpsim melds counts decks of 8 ranks: "
            "see the meld columns of a run instead"
        )
    return True


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
    trumps = ", one suit being trumps" if study.all_trumps else ""
    dealt = f": {study.dealt.describe()}" if study.dealt else ""
    print(f"{rules_name(study.rules)}, cards dealt at random{trumps}{dealt}")
    for scope in SCOPES:
        print_rich(_table(study, scope))
    print_rich(_points(study.rows, "chance of just so many points, exactly"))
    if study.who_scores:
        print_rich(_who_scores(study.who_scores))
    if study.all_trumps:
        print_rich(_all_trumps(study))
        print_rich(_points(study.all_trumps, "points in all trumps, exactly"))
    if study.bidding:
        print(bidding_text(study.rules))
    for turn, stage in product(TURNS[study.rules.auction.kind], stages_of(study.rules)) if study.bidding else ():
        print_rich(_bidding(study, turn, stage))
    if may_lose_pairs(study.rules):
        print(LOST_PAIRS)
    if study.dealt and study.rules.deal.shuffle != "uniform":
        print("The deck was only cut: exact numbers are of a shuffled one, and deals of a table hang together.\n")
    for line in _verdicts(study):
        print(line)


def _points(rows: Sequence[Row], title: str) -> Any:
    """The exact distribution of points; what comes less than once in 10,000 deals is left to --out."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left", title_style="bold")
    for heading in ("points", *(f"a {scope}" for scope in SCOPES)):
        table.add_column(heading, justify="right")
    chances = {(row.scope, row.value): row.exact or 0 for row in rows
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


def _all_trumps(study: MeldStudy) -> Any:
    """Pairs and points of the same cards in all trumps."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="the same cards in all trumps", title_justify="left",
                  title_style="bold")
    table.add_column("")
    table.add_column("exact", justify="right")
    if study.dealt:
        for heading in ("simulated", "± 95 %", "z"):
            table.add_column(heading, justify="right")
    for row in study.all_trumps:
        if row.meld == "pair" and row.what == "number":
            table.add_row(f"a {row.scope}: {_pairs(row.value or 0)}", *_cells(row, study.dealt is not None))
        elif row.meld == "points" and row.what == "mean":
            table.add_row(f"a {row.scope}: mean points", *_cells(row, study.dealt is not None))
            table.add_section()
    return table


def _pairs(number: int) -> str:
    return f"{number or 'no'} K+Q" if number < 2 else f"{number} times K+Q"


def may_lose_pairs(rules: Rules) -> bool:
    """Whether a pair that is held may score nothing in the end."""
    melds = rules.melds
    scored = melds.meld_policy == "always" and melds.trump_pair > 0
    return has_all_trumps(rules) and scored and not melds.belot_on_discard


LOST_PAIRS = """\
In all trumps a pair is lost when its first card is thrown on a lead of another suit.  Nobody plays
here: every pair counts.
"""

_FIXED = {
    "accept": "by the round in which\ntrumps were fixed.",
    "ladder": "by the kind of\ncontract; in no trumps nothing counts.",
    "drawn": "trumps and taker\nbeing drawn by lot.",
    "turned": "the turned suit being\ntrumps.",
}

ROLES = """\
`after taker` is the defender who plays next after the taker, `before taker` the other; makers and
defenders are teams, and the deal is all four hands.
"""


def bidding_text(rules: Rules) -> str:
    """What the tables by role show."""
    kind = rules.auction.kind
    start = f"With trumps as they were chosen: percent with one or more, and mean points, {_FIXED[kind]}"
    change = "In brackets the change from random cards, in percentage points or points."
    apart = "\n" if kind == "ladder" else "  "
    return f"{start}{apart}{change}\n" + ("" if kind == "turned" else ROLES)


SHOWN = {"run_3_up": "run of 3+", "run_4_up": "run of 4+", "fours": "any four", "pair": "K+Q trumps",
         "points": "points"}
WHO = {"taker": "taker", "partner": "partner", "left": "after taker", "right": "before taker", "makers": "makers",
       "defenders": "defenders", "any": "the deal"}
NOBODYS = {**{f"seat_{seat}": f"seat {seat}" for seat in range(4)}, "team_0": "team 0", "team_1": "team 1",
           "any": "the deal"}
"""Where nobody takes."""
TITLES = {"1": "round 1", "2": "round 2", "suit": "a suit is trumps", "no_trumps": "no trumps",
          "all_trumps": "all trumps", "drawn": "trumps and taker drawn", "turned": "the turned suit is trumps"}


def _bidding(study: MeldStudy, turn: str, stage: str) -> Any:
    """Of a round or kind of contract and a stage: percent with some, and mean points, by role."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    found = {(row.who, row.meld, row.what): row for row in study.bidding if (row.round, row.stage) == (turn, stage)}
    deals = found["any", "points", "mean"].n
    when = "" if stage == "bid" else f", {stage} the exchange"
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title_justify="left", title_style="bold",
                  title=f"{TITLES[turn]}{when}: {deals:,} deals")
    for heading in ("", *SHOWN.values()):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for who, name in (NOBODYS if turn == "turned" else WHO).items():
        table.add_row(name, *(_change(found[who, meld, "mean" if meld == "points" else "some"]) for meld in SHOWN))
        if who in ("right", "seat_3", "defenders", "team_1"):
            table.add_section()
    return table


def _change(row: Row) -> str:
    if row.simulated is None or row.change is None:
        return "-"
    scale = 1 if row.what == "mean" else 100
    return f"{scale * row.simulated:.2f} ({scale * row.change:+.2f})"


def _verdicts(study: MeldStudy) -> list[str]:
    lines = []
    fits = (study.fit, study.fit_p, ""), (study.all_trumps_fit, study.all_trumps_fit_p, " in all trumps")
    for fit, p, where in fits:
        if fit:
            lines.append(f"Deals by meld points{where} against the exact: chi-square {fit.statistic:.1f} with "
                         f"{fit.freedom} degrees of freedom, p = {p:.3g}")
    if study.largest:
        count = sum(row.z is not None for row in (*study.rows, *study.all_trumps))
        lines.append(f"Largest |z| of {count} rows: {abs(study.largest.z or 0):.2f}")
    return lines


def print_seen(study: SeenStudy) -> None:
    """Chances by meld and whose hand."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    known = study.known
    nothing = ", no turned card known (nobody swaps)" if study.rules.deal.turn_up else ""
    turned = f", {known['up']} turned" if known["up"] else nothing
    trumps = {None: ", no trumps known", "NT": ", no trumps", "AT": ", all trumps"}.get(
        known["trump"], f", {known['trump']} trumps")
    print(f"{rules_name(study.rules)}, seat {known['seat']} holds {known['holding']}{turned}{trumps}")
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
    if known["trump"] == "NT":
        print("\nNothing is declared in no trumps.")
    elif study.rules.melds.meld_compare != "none":
        print("\nThese are what each hand holds: melds are compared, and only the better team's count.")
    if known["trump"] == "AT" and may_lose_pairs(study.rules):
        print(LOST_PAIRS, end="")
