"""What `mpsim acceptance` prints: how often each seat accepts, how far the cells are known, what an answer gains."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any


def print_acceptance(folder: Path) -> None:
    """A finished study for people."""
    from mpsim.commands.output import plural
    from mpsim.store.acceptance import CELLS, CHART, CLASSES, read_acceptance

    found = read_acceptance(folder)
    about = found.about
    print(f"{about['rules']['name']}, seed {about['seed']}: {plural(about['deals_played'], 'deal')}"
          + (f" and {plural(about['rare_deals'], 'deal')} of rare hands" if about["rare_deals"] else "")
          + f", {plural(about['decisions'], 'decision')} played both ways")  # fmt: skip
    _print_cells(found.cells)
    if about["course"]:
        print(f"Share of decisions that changed, chart by chart: {_course(about['course'])}")
    if about["answers"] is not None:
        _print_answers(about["answers"])
    print(f"Written to {folder}: {CLASSES}, {CELLS}, and {CHART} for --bid chart:{folder / CHART}")


def _print_cells(cells: Any) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from mpsim.commands.output import print_rich

    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="by trump holding and turned rank", title_justify="left")
    table.add_column("")
    for heading in ("decisions a deal", "chart takes", "accept", "pass", "undecided", "widest"):
        table.add_column(heading, justify="right")
    for label, row in _lines(cells):
        table.add_row(label, *row)
    print_rich(table)
    print("`chart takes` is of the decisions; accept, pass and undecided are numbers of cells by their 95 % intervals,")
    print("`widest` the widest of these, in points.  In round 2 a decision is asked for each suit.")


def _lines(cells: Any) -> Iterator[tuple[str, list[str]]]:
    import numpy as np

    columns = {name: cells[name].to_numpy(zero_copy_only=False) for name in ("round", "seat", "visits", "low", "high")}
    columns |= {name: np.array(cells[name].to_pylist()) for name in ("named", "verdict", "accepting")}
    for round_, named in ((1, "turned"), (2, "turned"), (2, "other")):
        for seat in range(4):
            here = (columns["round"] == round_) & (columns["seat"] == seat) & (columns["named"] == named)
            visits = columns["visits"][here]
            takes = float((visits * columns["accepting"][here]).sum() / max(visits.sum(), 1e-300))
            half = (columns["high"] - columns["low"])[here] / 2
            widest = f"+-{np.nanmax(half):.1f}" if np.isfinite(half).all() else "unknown"
            verdicts = columns["verdict"][here]
            counts = [str(int((verdicts == verdict).sum())) for verdict in ("accept", "pass", "undecided")]
            label = f"round {round_}, seat {seat}" + ("" if round_ == 1 else f", {named} suit")
            yield label, [f"{visits.sum():.3f}", f"{100 * takes:.1f} %", *counts, widest]


def _course(course: list[dict[str, Any]]) -> str:
    return ", ".join("-" if step["changed"] is None else f"{100 * step['changed']:.2f} %" for step in course)


def _print_answers(answers: list[dict[str, Any]]) -> None:
    from mpsim.commands.output import print_entries

    lines = [
        (f"seat {answer['seat']}, {'both rounds' if answer['round'] == 'both' else 'round ' + answer['round']}",
         answer["gain"])
        for answer in answers
    ]  # fmt: skip
    print("\nWhat a seat gains a deal by answering the chart as well as these deals tell, on other deals:")
    print_entries([("", lines)])
