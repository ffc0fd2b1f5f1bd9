"""`mpsim verify`: is a run what it says it is?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DIFFERENCE = 3


def verify(
    run: Annotated[Path, typer.Argument(help="A run's folder.", show_default=False)],
    sample: Annotated[str, typer.Option(help="Rows that the referee plays again.")] = "200",
    threads: Annotated[str | None, typer.Option(help="Threads.  [default: one a processor]")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check a run's files, every row, and a sample against the referee.  Exit code 3: something differs.

    Checks are independent, so one damaged file may count twice: it is not the one written, and it cannot be read.
    """
    from mpsim.commands.output import plural, print_json
    from mpsim.engine.plan import MAX_THREADS, parse_count
    from mpsim.engine.verify import verify as check

    width = None if threads is None else parse_count(threads, "--threads", 1, MAX_THREADS)
    report = check(run, parse_count(sample, "--sample"), width)
    if as_json:
        problems = [problem.as_dict() for problem in report.problems]
        print_json({"rows": report.rows, "replayed": report.replayed, "problems": problems})
    else:
        for problem in report.problems:
            print(f"{problem.file}: {problem.what}{_deals(problem.count, problem.deals)}")
        state = plural(len(report.problems), "difference") if report.problems else "no difference"
        print(f"{plural(report.rows, 'row')} checked, {report.replayed:,} played again by the referee: {state}")
    if report.problems:
        raise typer.Exit(DIFFERENCE)


def _deals(count: int, deals: tuple[int, ...]) -> str:
    if not count:
        return ""
    more = ", ..." if count > len(deals) else ""
    return f"; {'deal' if count == 1 else f'{count:,} deals'}: {', '.join(map(str, deals))}{more}"
