"""`mpsim simulate`: a thin skin over `mpsim.simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mpsim.errors import UsageError

if TYPE_CHECKING:
    from mpsim.engine.plan import Plan, Request
    from mpsim.engine.results import Run


def simulate(
    deals: Annotated[
        str | None, typer.Option(help="How many deals, unless --resume knows: 1e7, 10_000_000 or 10000000.")
    ] = None,
    rules: Annotated[str | None, typer.Option(help="A preset's name or a TOML file.  [default: mpourloto]")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, like play.head_plain=false; repeatable."),
    ] = None,
    seed: Annotated[str | None, typer.Option(help="0 .. 2^64 - 1.  [default: one is drawn]")] = None,
    play: Annotated[
        str | None, typer.Option(help="Who plays: greedy, random, or four by seat.  [default: greedy]")
    ] = None,
    bid: Annotated[
        str | None,
        typer.Option(help="Who bids: points, chart (or :FILE), always, never, chance:P, or four.  [default: points]"),
    ] = None,
    first: Annotated[str | None, typer.Option(help="Number of the first deal.  [default: 0]")] = None,
    threads: Annotated[str | None, typer.Option(help="Threads that play.  [default: one a processor]")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write.  [default: one under runs/]")] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Play the i-th of n shares, 1/4 to 4/4, cut between files of 2^20 deals."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Complete a run that was stopped.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the run in the folder.")] = False,
    record: Annotated[
        str | None, typer.Option(metavar="plays", help="Record more columns: plays, the cards in play order.")
    ] = None,
    summary_only: Annotated[bool, typer.Option("--summary-only", help="Print the summary, write nothing.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Play deals, write them as Parquet, print a summary."""
    from mpsim.engine.plan import MAX_DEALS, MAX_THREADS, WORD, Request, make_plan, parse_count

    if record not in (None, "plays"):
        raise UsageError(f"nothing called {record!r} can be recorded: --record plays is all there is")
    if summary_only and (out or resume or force):
        raise UsageError("--summary-only writes nothing: leave out --out, --resume and --force")
    request = Request(
        deals=None if deals is None else parse_count(deals, "--deals", 1, MAX_DEALS),
        rules=rules,
        settings=tuple(settings or ()),
        seed=None if seed is None else parse_count(seed, "--seed", 0, WORD - 1),
        play=play,
        bid=bid,
        first=None if first is None else parse_count(first, "--first", 0, WORD - 1),
        shard=shard,
        record_plays=True if record else None,
        out=out,
        named=not summary_only,
        resume=resume,
        force=force,
    )
    width = None if threads is None else parse_count(threads, "--threads", 1, MAX_THREADS)
    plan = make_plan(request)
    if dry_run:
        _print_plan(plan, request, as_json)
    else:
        _run(plan, request, width, as_json, quiet)


def _run(plan: Plan, request: Request, threads: int | None, as_json: bool, quiet: bool) -> None:
    from mpsim.commands.output import print_json, print_summary, progress_bar, say_if_compiling
    from mpsim.engine.run import execute

    if plan.record is None or plan.record["status"] != "complete":
        say_if_compiling(quiet)
    with progress_bar(plan.spec.deals, quiet) as progress:
        run = execute(plan, threads, progress, keep=False)
    if as_json:
        print_json({**_identity(plan), "folder": str(run.path) if run.path else None, "summary": run.summary})
        return
    print(_headline(plan, request.seed is None and plan.record is None))
    print_summary(run.summary, run.rules)
    if run.path:
        print(_where(run))


def _headline(plan: Plan, drawn: bool) -> str:
    from mpsim.rules import rules_name

    spec = plan.spec
    return (
        f"{rules_name(spec.rules)}, {spec.players_text}, seed {spec.seed}{' (drawn)' if drawn else ''}, "
        f"deals {spec.first} .. {spec.end - 1}"
    )


def _where(run: Run) -> str:
    from mpsim.commands.output import plural, size_text

    parts = run.record["parts"] if run.record else []
    size = sum(part["bytes"] for part in parts)
    each = size / sum(part["rows"] for part in parts)
    return f"Written to {run.path}: {plural(len(parts), 'part')}, {size_text(size)}, {each:.1f} bytes a deal"


def _identity(plan: Plan) -> dict[str, Any]:
    spec = plan.spec
    return {
        "rules": spec.rules.name,
        "rules_sha256": spec.identity["rules_sha256"],
        "policies": spec.policies.as_dict(),
        "policies_sha256": spec.identity["policies_sha256"],
        "seed": spec.seed,
        "first": spec.first,
        "deals": spec.deals,
        "plays": spec.record_plays,
        "identity": spec.digest,
    }


def _print_plan(plan: Plan, request: Request, as_json: bool) -> None:
    from mpsim.commands.output import plural, print_json, size_text

    count = plan.spec.part_count
    whole = len(plan.record["parts"]) if plan.record else 0
    if as_json:
        folder = str(plan.folder) if plan.folder else None
        size = plan.estimated_bytes if plan.folder else 0
        print_json({**_identity(plan), "folder": folder, "parts": count, "parts_there": whole, "estimated_bytes": size})
        return
    print(_headline(plan, request.seed is None and plan.record is None))
    if plan.folder is None:
        print(f"{plural(count, 'part')} would be played, nothing written")
        return
    there = f", {whole} of them there already" if plan.record else ""
    replaced = ", in place of the run there" if plan.replaces else ""
    about = size_text(plan.estimated_bytes)
    print(f"{plural(count, 'part')}{there}, about {about}, would be written to {plan.folder}{replaced}")
