"""`mpsim info`: what a run is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from mpsim.engine.results import Run


def info(
    run: Annotated[Path, typer.Argument(help="A run's folder.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Identity, size and summary of a run."""
    from mpsim.commands.output import print_json, print_summary
    from mpsim.engine.results import open_run

    opened = open_run(run)
    if as_json:
        print_json({**description(opened), "summary": opened.summary})
        return
    for name, value in _lines(opened):
        print(f"{name:10} {value}")
    print_summary(opened.summary, opened.rules)


def description(run: Run) -> dict[str, Any]:
    """A run's identity and size: run.json with the parts added up."""
    record = dict(run.record or {})
    parts = record.pop("parts", [])
    return {
        "folder": str(run.path),
        **record,
        "parts": len(parts),
        "rows": sum(part["rows"] for part in parts),
        "bytes": sum(part["bytes"] for part in parts),
    }


def _lines(run: Run) -> list[tuple[str, str]]:
    from mpsim.commands.output import plural, size_text
    from mpsim.rules import rules_name

    about = description(run)
    rows, size, software, times = about["rows"], about["bytes"], about["software"], about["times"]
    each = f", {size / rows:.1f} bytes a deal" if rows else ""
    complete = about["status"] == "complete"
    state = "complete" if complete else f"unfinished, {rows:,} deals are there: go on with --resume"
    return [
        ("run", str(run.path)),
        ("state", state),
        ("rules", f"{rules_name(run.rules)}, {run.rules.title} ({about['rules_sha256'][:12]})"),
        ("policies", f"{run.players_text} ({about['policies_sha256'][:12]})"),
        ("seed", str(run.seed)),
        ("deals", f"{run.first} .. {run.first + run.deals - 1} ({run.deals:,})"),
        ("plays", "recorded" if about["plays"] else "not recorded"),
        ("identity", about["identity"]),
        ("files", f"{plural(about['parts'], 'part')}, {size_text(size)}{each}"),
        ("written", f"{times['started']}, {times['seconds']} s"),
        ("software", ", ".join(f"{name} {version}" for name, version in software.items())),
    ]
