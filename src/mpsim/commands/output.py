"""What commands print: one JSON document, or tables for people; data to stdout, progress to stderr."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpsim.errors import RunError

if TYPE_CHECKING:
    from mpsim.rules import Rules


def print_json(document: Any) -> None:
    """One document on stdout."""
    print(json.dumps(document, indent=2))


def print_summary(summary: dict[str, Any], rules: Rules) -> None:
    """A run's summary as a table, every line with its interval and what it is of."""
    print_entries(summary_lines(summary, rules))
    speed = summary["deals_per_second"]
    if speed:
        print(f"{plural(summary['timed_deals'], 'deal')} in {summary['seconds']:.2f} s: {speed / 1e6:.2f} M deals/s")


def print_entries(lines: list[tuple[str, Entries]]) -> None:
    """Rates and means as (heading, [(label, entry)]) in a table."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for heading in ("value", "95 % interval", "n"):
        table.add_column(heading, justify="right")
    table.add_column("of")
    for title, entries in lines:
        for number, (label, entry) in enumerate(entries):
            first = f"{title}: " if title else ""
            name = first + label if number == 0 or not title else " " * len(first) + label
            table.add_row(name, *entry_cells(entry), entry["of"])
        table.add_section()
    print_rich(table)


_WHO = {"any": "anybody", "seat_3": "seat 3 (dealer)", "deal": "both teams", "non_dealers": "a non-dealer"}
Entries = list[tuple[str, dict[str, Any]]]


def summary_lines(summary: dict[str, Any], rules: Rules) -> list[tuple[str, Entries]]:
    """The summary's entries as (heading, [(label, entry)])."""
    lines: list[tuple[str, Entries]] = []
    if rules.auction.kind in ("accept", "ladder") or rules.auction.aponta:
        lines.append(("", [("thrown in", summary["thrown_in"])]))
    lines += _auction_lines(summary, rules)
    outcome = summary["outcome"]
    if "scored" not in outcome:
        lines.append(("contract", [(name, rate) for name, rate in outcome.items() if rate["count"] or name != "hung"]))
    lines.append(("capo by", _labelled(summary["capo"])))
    if "exchange" in summary:
        lines.append(("exchange by", _labelled(summary["exchange"])))
    if "melds" in summary:
        lines.append(("melds", _labelled(summary["melds"])))
    lines.append(("points but melds" if "melds" in summary else "points", _labelled(summary["points"])))
    unit = "score" if summary["score_unit"] == "points" else summary["score_unit"]
    return [*lines, (f"{unit} written", _labelled(summary["score"]))]


def _auction_lines(summary: dict[str, Any], rules: Rules) -> list[tuple[str, Entries]]:
    """Who took; on a ladder what, how high and with what success; the trumps where nobody takes."""
    accepted = summary.get("accepted", {})
    if "round_1" in accepted:
        return [("accepted", [
            (f"{turn.replace('_', ' ')}{',' if who == 'any' else ''} {_who(who)}", entry)
            for turn, seats in accepted.items() for who, entry in seats.items()
        ])]
    lines: list[tuple[str, Entries]] = [("taken by", _labelled(accepted))] if accepted else []
    lines.append(("contract in" if accepted else "trumps", _by_contract(summary["contract"], rules)))
    if "multiplier" in summary:
        lines.append(("contract", _labelled(summary["multiplier"])))
    if accepted:
        lines.append(("made in", _by_contract(summary["made"], rules)))
    return lines


def _labelled(entries: dict[str, dict[str, Any]]) -> Entries:
    return [(_who(name), entry) for name, entry in entries.items()]


def _who(name: str) -> str:
    return _WHO.get(name, name.replace("_", " "))


def _by_contract(entries: dict[str, dict[str, Any]], rules: Rules) -> Entries:
    from mpsim.referee.narrate import contract_name

    return [(contract_name(contract, rules), entry) for contract, entry in entries.items()]


def entry_cells(entry: dict[str, Any]) -> tuple[str, str, str]:
    """A rate in percent or a mean, its interval, and its n."""
    if "rate" in entry:
        value, unit, scale = entry["rate"], " %", 100.0
    else:
        value, unit, scale = entry["mean"], "", 1.0
    digits = _digits(entry, scale)
    shown = "-" if value is None else f"{value * scale:.{digits}f}{unit}"
    low, high = entry["low"], entry["high"]
    between = "-" if low is None else f"{low * scale:.{digits}f} .. {high * scale:.{digits}f}"
    return shown, between, f"{entry['n']:,}"


def _digits(entry: dict[str, Any], scale: float) -> int:
    """As many decimals as the interval supports: it shows two significant digits of its width."""
    if entry["low"] is None:
        return 2
    width = (entry["high"] - entry["low"]) * scale
    digits = 2
    while digits < 6 and 0 < width < 10 ** (1 - digits):
        digits += 1
    return digits


def print_rich(content: Any) -> None:
    """A rich object on stdout, coloured only on a terminal."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    console = Console(width=None if terminal else 100)
    with console.capture() as capture:
        console.print(content)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))


def say_if_compiling(quiet: bool = False) -> None:
    """One line on stderr before the first run of an installation: nothing else would tell why it waits."""
    if quiet:
        return
    from numba import config

    from mpsim.kernels import cache_folder

    if not config.DISABLE_JIT and not any(cache_folder().rglob("*.nbi")):
        with contextlib.suppress(OSError):
            print("compiling the kernels, once: a minute or so", file=sys.stderr, flush=True)


@contextlib.contextmanager
def progress_bar(
    total: int, quiet: bool, things: str = "deals", step: str = ""
) -> Iterator[Callable[[int], None] | None]:
    """A bar on stderr with rate and time left, or None where nobody watches: not a terminal, or `quiet`.

    `step` says what of a long work is going on.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Things a second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed / 1e6:.2f} M {things}/s" if task.speed else "")

    done = TextColumn((f"{step}: " if step else "") + "{task.completed:,.0f} of {task.total:,.0f} " + things)
    shown = (done, BarColumn(), Rate(), TimeRemainingColumn())
    with Progress(*shown, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(things, total=total)
        yield lambda count: progress.advance(task, count)


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A hidden file that takes the path's place in one step once it is written; RunError where that cannot be."""
    hidden = path.with_name(f".{path.name}.tmp")
    try:
        yield hidden
        os.replace(hidden, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            hidden.unlink(missing_ok=True)
        raise RunError(f"{path} cannot be written: {error.strerror}; give another file with --out") from None


def plural(count: int, thing: str) -> str:
    """`1 part`, `2 parts`."""
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


def size_text(size: int) -> str:
    """Bytes for people: `320 MB`."""
    amount = float(size)
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if amount < 1000 or unit == "TB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "bytes" or amount >= 100 else f"{amount:.1f} {unit}"
