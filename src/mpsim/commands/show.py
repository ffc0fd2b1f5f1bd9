"""`mpsim show`: one deal of a run, told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def show(
    run: Annotated[Path, typer.Argument(help="A run's folder.", show_default=False)],
    deal: Annotated[str, typer.Option(help="The deal's number.", show_default=False)],
) -> None:
    """Tell one deal of a run: hands, auction, exchange, melds, tricks, settlement.

    The referee plays it again from run.json and the number, so plays need not have been recorded.
    """
    from mpsim.engine.plan import WORD, parse_count
    from mpsim.engine.results import open_run

    number = parse_count(deal, "--deal", 0, WORD - 1)
    print(_printable(open_run(run).narrate(number), sys.stdout.encoding or "ascii"))


def _printable(text: str, encoding: str) -> str:
    """Suits as letters where stdout has no signs for them."""
    try:
        text.encode(encoding)
        return text
    except UnicodeEncodeError:
        return text.translate(str.maketrans("♣♦♥♠", "cdhs"))
