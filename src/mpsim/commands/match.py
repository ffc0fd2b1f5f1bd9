"""`mpsim match`: whole matches, a row each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mpsim.errors import UsageError

if TYPE_CHECKING:
    from mpsim.engine.plan import Request
    from mpsim.store.match_spec import MatchSpec


def match(
    matches: Annotated[str | None, typer.Option(help="How many matches: 1e6, 1_000_000 or 1000000.")] = None,
    rules: Annotated[str | None, typer.Option(help="A preset's name or a TOML file.  [default: mpourloto]")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, like match.target=1551; repeatable."),
    ] = None,
    seed: Annotated[str | None, typer.Option(help="0 .. 2^64 - 1.  [default: one is drawn]")] = None,
    play: Annotated[
        str | None, typer.Option(help="Who plays: greedy, random, or four by player.  [default: greedy]")
    ] = None,
    bid: Annotated[
        str | None,
        typer.Option(help="Who bids: points, chart (or :FILE), always, never, chance:P, or four.  [default: points]"),
    ] = None,
    first: Annotated[str | None, typer.Option(help="Number of the first match.  [default: 0]")] = None,
    threads: Annotated[str | None, typer.Option(help="Threads that play.  [default: one a processor]")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row a match: FILE.parquet or FILE.csv, replaced.")
    ] = None,
    figures: Annotated[Path | None, typer.Option(help="Draw figures into this folder.")] = None,
    show: Annotated[
        str | None, typer.Option(metavar="N", help="Tell the course of match N instead, deal by deal.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Play whole matches to the game's own end, print a summary, write a row a match.

    Players keep their policies while they move from seat to seat; players 0 and 2 are team 0.
    """
    from mpsim.engine.match import MAX_MATCHES
    from mpsim.engine.plan import MAX_DEALS, MAX_THREADS, WORD, Request, parse_count

    given = {"matches": matches, "first": first, "threads": threads, "out": out, "figures": figures}
    request = Request(
        deals=None if matches is None else parse_count(matches, "--matches", 1, MAX_DEALS),
        rules=rules,
        settings=tuple(settings or ()),
        seed=None if seed is None else parse_count(seed, "--seed", 0, WORD - 1),
        play=play,
        bid=bid,
        first=None if first is None else parse_count(first, "--first", 0, MAX_MATCHES - 1),
    )
    width = None if threads is None else parse_count(threads, "--threads", 1, MAX_THREADS)
    if show is not None:
        alone = [name for name, value in given.items() if value is not None]
        if alone:
            raise UsageError(f"--show tells one match and plays no others: leave out --{alone[0]}")
        _tell(request, parse_count(show, "--show", 0, MAX_MATCHES - 1), as_json)
    else:
        _play(request, width, out, figures, as_json, quiet)


def _tell(request: Request, number: int, as_json: bool) -> None:
    """One match, played by the referee."""
    from dataclasses import asdict, replace

    from mpsim.commands.output import print_json
    from mpsim.engine.match_results import Matches
    from mpsim.engine.matches import match_spec
    from mpsim.referee import course, narrate_match
    from mpsim.stats.match_tally import MatchTally

    spec = match_spec(replace(request, deals=1, first=number))
    record = Matches(spec, MatchTally()).play_match(number)
    if not as_json:
        print(narrate_match(record, spec.rules))
        return
    print_json({
        **_identity(spec), "match": number, "winner": record.winner, "ended": record.ended, "scores": record.scores,
        "hanging": record.pool, "first_dealer": record.dealer,
        "deals": [asdict(step) for step in course(record, spec.rules)],
    })


def _play(
    request: Request, threads: int | None, out: Path | None, figures: Path | None, as_json: bool, quiet: bool
) -> None:
    from mpsim.commands.match_output import draw_matches, print_matches
    from mpsim.commands.meld_output import check_figures
    from mpsim.commands.output import print_json, progress_bar, say_if_compiling
    from mpsim.engine.matches import match_spec, run_matches
    from mpsim.store.match_writer import check_match_path

    spec = match_spec(request)
    if out is not None:
        check_match_path(out)
    check_figures(figures)
    say_if_compiling(quiet)
    with progress_bar(spec.matches, quiet, "matches") as progress:
        played = run_matches(spec, out, threads, progress, keep=False)
    drawn = draw_matches(played, figures) if figures else []
    if as_json:
        print_json({**_identity(spec), "file": str(out) if out else None, "summary": played.summary})
        return
    print_matches(played, request.seed is None)
    for path in drawn:
        print(f"Drawn: {path}")


def _identity(spec: MatchSpec) -> dict[str, Any]:
    """What was played, the rules by name and hash."""
    return {**spec.as_dict(), "rules": spec.rules.name}
