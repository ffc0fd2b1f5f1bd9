"""`mpsim verify`: is a run what it says it is, and is the dealer fair?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mpsim.commands.failures import closed_pipe_ignored
from mpsim.errors import UsageError

DIFFERENCE = 3


def verify(
    run: Annotated[Path | None, typer.Argument(help="A run's folder.", show_default=False)] = None,
    sample: Annotated[str | None, typer.Option(help="Rows that the referee plays again.  [default: 200]")] = None,
    deck: Annotated[bool, typer.Option("--deck", help="Certify the dealer instead of a run.")] = False,
    deals: Annotated[
        str | None, typer.Option(help="With --deck: how many deals, at least 1e6.  [default: 1e8]")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="With --deck: 0 .. 2^64 - 1.  [default: one is drawn]")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE.md", help="With --deck: write the page to a file.")] = None,
    threads: Annotated[str | None, typer.Option(help="Threads.  [default: one a processor]")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check a run's files, every row, and a sample against the referee; or, with --deck, whether the dealer is fair.

    Exit code 3: something differs, or the dealer is unfair.

    Checks are independent, so one damaged file may count twice: it is not the one written, and it cannot be read.
    """
    from mpsim.engine.plan import MAX_THREADS, parse_count

    if deck and run is not None:
        raise UsageError(f"--deck asks about the dealer, not about the run {run}: leave out one of them")
    if not deck and run is None:
        raise UsageError("what is to be verified? give a run's folder, or --deck for the dealer")
    if deck and sample is not None:
        raise UsageError("--sample is for the rows of a run: leave it out with --deck")
    for name, value in (("--deals", deals), ("--seed", seed), ("--out", out)):
        if not deck and value is not None:
            raise UsageError(f"{name} is for the dealer: give it with --deck, and no run")
    width = None if threads is None else parse_count(threads, "--threads", 1, MAX_THREADS)
    if run is None:
        good = _dealer_is_fair(deals or "1e8", seed, width, as_json, out)
    else:
        good = _run_is_right(run, sample or "200", width, as_json)
    if not good:
        raise typer.Exit(DIFFERENCE)


def _run_is_right(run: Path, sample: str, threads: int | None, as_json: bool) -> bool:
    from mpsim.commands.output import plural, print_json
    from mpsim.engine.plan import parse_count
    from mpsim.engine.verify import verify as check

    report = check(run, parse_count(sample, "--sample"), threads)
    with closed_pipe_ignored():
        if as_json:
            problems = [problem.as_dict() for problem in report.problems]
            print_json({"rows": report.rows, "replayed": report.replayed, "problems": problems})
        else:
            for problem in report.problems:
                print(f"{problem.file}: {problem.what}{_deals(problem.count, problem.deals)}")
            state = plural(len(report.problems), "difference") if report.problems else "no difference"
            print(f"{plural(report.rows, 'row')} checked, {report.replayed:,} played again by the referee: {state}")
    return not report.problems


def _dealer_is_fair(deals: str, seed: str | None, threads: int | None, as_json: bool, out: Path | None) -> bool:
    import secrets

    from mpsim.commands.certificate import as_dict, page
    from mpsim.commands.output import print_json, progress_bar, replaced, say_if_compiling
    from mpsim.engine.plan import WORD, parse_count
    from mpsim.studies.fairness import MIN_DEALS, certify

    if out is not None and (out.is_dir() or not out.parent.is_dir()):
        raise UsageError(f"--out {out} is no file that can be written: give a name in a folder that is there")
    count = parse_count(deals, "--deals", MIN_DEALS)
    chosen = secrets.randbits(64) if seed is None else parse_count(seed, "--seed", 0, WORD - 1)
    say_if_compiling()
    with progress_bar(count, quiet=False) as progress:
        certificate = certify(chosen, count, threads, progress)
    text = page(certificate)
    if out is not None:
        with replaced(out) as hidden:
            hidden.write_text(text, "utf-8")
    with closed_pipe_ignored():
        if as_json:
            print_json(as_dict(certificate))
        elif out is None:
            print(text, end="")
        else:
            print(f"{certificate.verdict}: the page is in {out}")
    return certificate.verdict != "unfair"


def _deals(count: int, deals: tuple[int, ...]) -> str:
    if not count:
        return ""
    more = ", ..." if count > len(deals) else ""
    return f"; {'deal' if count == 1 else f'{count:,} deals'}: {', '.join(map(str, deals))}{more}"
