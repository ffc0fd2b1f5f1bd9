"""`mpsim melds`: how often melds come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mpsim.errors import UsageError

if TYPE_CHECKING:
    from mpsim.rules import Rules
    from mpsim.studies.melds import MeldStudy

SEEN = ("up", "seat", "trump", "taker")
DEALT = ("first", "seed", "bid")


def melds(
    rules: Annotated[str | None, typer.Option(help="A preset's name or a TOML file.  [default: mpourloto]")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, like melds.overlap=exclusive; repeatable."),
    ] = None,
    deals: Annotated[str | None, typer.Option(help="Deal and bid so many deals too: 1e7.")] = None,
    run: Annotated[Path | None, typer.Option(help="Read the deals of this run instead.")] = None,
    seed: Annotated[str | None, typer.Option(help="With --deals.  [default: one is drawn]")] = None,
    first: Annotated[str | None, typer.Option(help="With --deals: number of the first.  [default: 0]")] = None,
    bid: Annotated[str | None, typer.Option(help="With --deals: who bids.  [default: points]")] = None,
    threads: Annotated[str | None, typer.Option(help="Threads.  [default: one a processor]")] = None,
    holding: Annotated[
        str | None, typer.Option(help='Own cards, "JH 9H QH KH 7D": exact chances for one who sees them.')
    ] = None,
    up: Annotated[str | None, typer.Option(help="With --holding: the turned card.  Without it nobody swaps.")] = None,
    seat: Annotated[str | None, typer.Option(help="With --holding: own seat; 3 deals.  [default: 0]")] = None,
    trump: Annotated[
        str | None,
        typer.Option(help="With --holding: c, d, h or s; NT or AT on a ladder.  [default: the turned suit]"),
    ] = None,
    taker: Annotated[str | None, typer.Option(help="With --holding: the taker's seat.  [default: own]")] = None,
    out: Annotated[Path | None, typer.Option(help="Write all numbers as a table: FILE.csv or FILE.parquet.")] = None,
    figures: Annotated[Path | None, typer.Option(help="Draw figures into this folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """How often melds come: exactly, beside deals dealt or read, or for one who sees his own cards."""
    from mpsim.commands import meld_output as output
    from mpsim.commands.output import print_json

    given = {"deals": deals, "run": run, "seed": seed, "first": first, "bid": bid, "up": up, "seat": seat,
             "trump": trump, "taker": taker, "threads": threads, "rules": rules, "settings": settings}
    _check_combination({name for name, value in given.items() if value}, holding is not None)
    output.check_path(out)
    output.check_figures(figures)
    if run is None:
        played = _rules(rules, settings)
    else:
        from mpsim.engine.results import open_run

        played = open_run(run).rules
    if not output.has_any_melds(played, as_json):
        return
    if holding is not None:
        if figures:
            raise UsageError("--figures draws what is dealt at random: leave it out with --holding")
        seen = _seen(played, holding, up, seat, trump, taker)
        if out:
            output.write_table(seen.all_rows(), out)
        print_json(seen.as_dict()) if as_json else output.print_seen(seen)
        return
    study = _study(rules, settings, deals, run, seed, first, bid, threads, quiet)
    if out:
        output.write_table(study.all_rows(), out)
    drawn = output.draw(study, figures) if figures else []
    print_json(study.as_dict()) if as_json else output.print_study(study)
    for path in drawn if not as_json else ():
        print(f"Drawn: {path}")


def _check_combination(given: set[str], holding: bool) -> None:
    if holding:
        wrong = sorted(given & {"deals", "run", "threads", *DEALT})
        if wrong:
            raise UsageError(f"--holding has exact answers only: leave out --{wrong[0]}")
        return
    alone = [name for name in SEEN if name in given]
    if alone:
        raise UsageError(f"--{alone[0]} tells more of a holding: give one, like --holding \"JH 9H QH KH 7D\"")
    if {"deals", "run"} <= given:
        raise UsageError("--deals deals, --run reads deals that are there: give one of them")
    if "run" in given and given & {"rules", "settings", *DEALT}:
        raise UsageError("a run has its own rules, seed and bidding: leave out "
                         + ("--set" if "settings" in given else f"--{min(given & {'rules', *DEALT})}"))
    if "deals" not in given and "run" not in given and given & {"threads", *DEALT}:
        raise UsageError(f"--{min(given & {'threads', *DEALT})} is about deals: give --deals too, like --deals 1e7")


def _rules(rules: str | None, settings: list[str] | None) -> Rules:
    from mpsim.rules import load_rules

    return load_rules(rules or "mpourloto", settings or ())


def _seen(rules: Rules, holding: str, up: str | None, seat: str | None, trump: str | None, taker: str | None) -> Any:
    from mpsim.cards import parse_card, parse_cards
    from mpsim.studies.seen import study_seen

    deck = rules.deck.ranks, rules.deck.suits
    return study_seen(
        rules,
        parse_cards(holding, *deck),
        None if up is None else parse_card(up, *deck),
        0 if seat is None else _seat(seat, "--seat"),
        None if trump is None else _trump(trump, rules),
        None if taker is None else _seat(taker, "--taker"),
    )


def _trump(text: str, rules: Rules) -> int:
    """A suit's number; on a ladder 4 for no trumps and 5 for all trumps."""
    from mpsim.stats.meld_counts import has_all_trumps

    suits = tuple(rules.deck.suits)
    known = (*suits, "nt", "at") if has_all_trumps(rules) else suits
    if text.lower() not in known:
        words = " ".join((*suits, *(name.upper() for name in known[4:])))
        raise UsageError(f"--trump {text!r} is no {'contract' if len(known) > 4 else 'suit'}: give one of {words}")
    return known.index(text.lower())


def _seat(text: str, name: str) -> int:
    from mpsim.engine.plan import parse_count

    return parse_count(text, name, 0, 3)


def _study(
    rules: str | None, settings: list[str] | None, deals: str | None, run: Path | None, seed: str | None,
    first: str | None, bid: str | None, threads: str | None, quiet: bool,
) -> MeldStudy:
    from mpsim.commands.output import progress_bar, say_if_compiling
    from mpsim.engine.plan import MAX_DEALS, MAX_THREADS, WORD, Request, make_plan, parse_count
    from mpsim.engine.results import open_run
    from mpsim.studies.melds import study_deals, study_exact, study_run

    width = None if threads is None else parse_count(threads, "--threads", 1, MAX_THREADS)
    if run is not None:
        opened = open_run(run)
        say_if_compiling(quiet)
        with progress_bar(opened.tally.count("deals"), quiet) as progress:
            return study_run(opened, width, progress)
    if deals is None:
        return study_exact(_rules(rules, settings))
    spec = make_plan(Request(
        deals=parse_count(deals, "--deals", 1, MAX_DEALS), rules=rules, settings=tuple(settings or ()), bid=bid,
        seed=None if seed is None else parse_count(seed, "--seed", 0, WORD - 1),
        first=None if first is None else parse_count(first, "--first", 0, WORD - 1), named=False,
    )).spec
    say_if_compiling(quiet)
    with progress_bar(spec.deals, quiet) as progress:
        return study_deals(spec.rules, spec.policies, spec.seed, spec.first, spec.deals, width, progress)
