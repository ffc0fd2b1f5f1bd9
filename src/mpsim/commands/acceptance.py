"""`mpsim acceptance`: when to accept trumps, for every hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mpsim.errors import UsageError

if TYPE_CHECKING:
    from mpsim.studies.acceptance import AcceptancePlan


def acceptance(
    deals: Annotated[str | None, typer.Option(help="Deals played out at every decision: 1e9.")] = None,
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
        str | None, typer.Option(help="Who bids, with --iterate at first.  [default: as in simulate]")
    ] = None,
    iterate: Annotated[
        str | None, typer.Option(metavar="K", help="Let a chart answer itself K times before.  [default: 0]")
    ] = None,
    iterate_deals: Annotated[str, typer.Option(help="Deals of each of these times.")] = "2e7",
    half_width: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS", help="Deal rare hands until cells are +- so much: all of round 1, undecided ones of 2."
        ),
    ] = None,
    seconds: Annotated[
        str | None, typer.Option("--time", metavar="SECONDS", help="No more deals for the tables after so long.")
    ] = None,
    threads: Annotated[str | None, typer.Option(help="Threads that play.  [default: one a processor]")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Complete a study that was stopped.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the study in the folder.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Play every bidding decision both ways on the same cards: tables of what taking is worth, a chart that bids."""
    from mpsim.commands.acceptance_output import print_acceptance
    from mpsim.commands.output import print_json, progress_bar, say_if_compiling
    from mpsim.engine.plan import MAX_THREADS, parse_count
    from mpsim.studies.acceptance import Study, prepare

    if out is None:
        raise UsageError("where to? give --out FOLDER")
    width = None if threads is None else parse_count(threads, "--threads", 1, MAX_THREADS)
    limit = None if seconds is None else positive(seconds, "--time")
    asked = {"--deals": deals, "--rules": rules, "--set": settings, "--seed": seed, "--play": play, "--bid": bid,
             "--iterate": iterate, "--half-width": half_width}
    plan = None
    if not resume:
        plan = _plan(deals, rules, settings, seed, play, bid, iterate, iterate_deals, half_width)
    elif given := [name for name, value in asked.items() if value]:
        raise UsageError(f"--resume goes on with what the folder holds: leave out {given[0]}")
    plan = prepare(out, plan, force)
    say_if_compiling(quiet)
    study = Study(plan, out, resume, width, lambda total, step: progress_bar(total, quiet, step=step))
    account = study.run(limit)
    if as_json:
        print_json({"folder": str(out), **account})
    else:
        print_acceptance(out)


def _plan(
    deals: str | None, rules: str | None, settings: list[str] | None, seed: str | None, play: str | None,
    bid: str | None, iterate: str | None, iterate_deals: str, half_width: str | None,
) -> AcceptancePlan:
    from mpsim.engine.plan import MAX_DEALS, WORD, Request, make_plan, parse_count
    from mpsim.studies.acceptance import MAX_ITERATIONS, AcceptancePlan

    if deals is None:
        raise UsageError("how many deals? give --deals 1e8")
    spec = make_plan(Request(
        deals=parse_count(deals, "--deals", 1, MAX_DEALS), rules=rules, settings=tuple(settings or ()),
        seed=None if seed is None else parse_count(seed, "--seed", 0, WORD - 1), play=play, bid=bid,
    )).spec  # fmt: skip
    return AcceptancePlan(
        spec.rules, spec.policies, spec.seed, spec.deals,
        0 if iterate is None else parse_count(iterate, "--iterate", 0, MAX_ITERATIONS),
        parse_count(iterate_deals, "--iterate-deals", 1, MAX_DEALS),
        None if half_width is None else positive(half_width, "--half-width"),
    )


def positive(text: str, what: str) -> float:
    """A number above 0, or UsageError."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise UsageError(f"{what} {text} is no number above 0: give one like 1 or 0.5")
    return number

