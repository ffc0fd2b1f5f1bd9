"""The command line's table of contents: every command lives in `mpsim.commands` and is imported when it is called."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from mpsim import __version__
from mpsim.commands.failures import FAILED, INTERRUPTED, known_errors, say

COMMANDS: dict[str, tuple[str, str]] = {
    "simulate": ("mpsim.commands.simulate:simulate", "Play deals, write them as Parquet, print a summary."),
    "info": ("mpsim.commands.info:info", "Identity, size and summary of a run."),
    "show": ("mpsim.commands.show:show", "Tell one deal of a run: hands, auction, melds, tricks, settlement."),
    "verify": ("mpsim.commands.verify:verify", "Check a run's files, every row, and a sample against the referee."),
    "match": ("mpsim.commands.match:match", "Play whole matches, sum them up, write a row each; or tell one."),
    "melds": ("mpsim.commands.melds:melds", "How often melds come: exact, simulated, or seeing one's own cards."),
    "acceptance": ("mpsim.commands.acceptance:acceptance", "When to accept trumps: every decision played both ways."),
    "rules": ("mpsim.commands.rules:app", "List, show, compare and check rules."),
    "bench": ("mpsim.commands.bench:bench", "Measure the speed of every layer."),
}


class LazyGroup(TyperGroup):
    """A group that knows its commands by name and imports one only to run it or to print its help."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, imported; None when there is no such name."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        target = getattr(import_module(module), attribute)
        app = target if isinstance(target, typer.Typer) else _app_of(target)
        command = get_command(app)
        command.name = cmd_name
        return command

    def main(self, *args: Any, **options: Any) -> Any:
        """Read and run a command line and exit with its code; known errors are sentences."""
        with known_errors():
            code = super().main(*args, **{**options, "standalone_mode": False})
        sys.exit(code)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, with known errors turned into sentences before typer makes its own of an interrupt."""
        with known_errors():
            return super().invoke(ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The table, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def _app_of(function: Callable[..., Any]) -> typer.Typer:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(function)
    return app


app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},  # commands inherit it
)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
) -> None:
    """Play millions of deals of Mpourloto (Greek Belote) or one of its relatives, and sum them up.

    Exit codes: 0 done, 1 failed, 2 wrong usage or rules, 3 verify found a difference, 130 interrupted.
    """
    if version:
        print(f"mpsim {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        say("stdout is closed: send it to a file, or to /dev/null")
        sys.exit(FAILED)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        get_command(app).main(prog_name="mpsim")
    except SystemExit as left:
        if left.code == INTERRUPTED:
            os._exit(INTERRUPTED)  # a kernel may be compiling still, in a thread that an exit would wait for
        raise
