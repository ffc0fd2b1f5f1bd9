"""The command line's table of contents: every command lives in `mpsim.commands` and is imported when it is called."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from mpsim import __version__
from mpsim.errors import CardError, MpsimError, PolicyError, RulesError, UsageError

COMMANDS: dict[str, tuple[str, str]] = {
    "simulate": ("mpsim.commands.simulate:simulate", "Play deals, write them as Parquet, print a summary."),
    "info": ("mpsim.commands.info:info", "Identity, size and summary of a run."),
    "show": ("mpsim.commands.show:show", "Tell one deal of a run: hands, auction, melds, tricks, settlement."),
    "verify": ("mpsim.commands.verify:verify", "Check a run's files, every row, and a sample against the referee."),
    "rules": ("mpsim.commands.rules:app", "List, show, compare and check rules."),
    "bench": ("mpsim.commands.bench:bench", "Measure the speed of every layer."),
}

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130


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

    def invoke(self, ctx: Any) -> Any:
        """Run the command, with known errors turned into sentences."""
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
    """Play millions of deals of Mpourloto (Greek Belote) or its house rules, and sum them up.

    Exit codes: 0 done, 1 failed, 2 wrong usage or rules, 3 verify found a difference, 130 interrupted.
    """
    if version:
        print(f"mpsim {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


def exit_code(error: MpsimError) -> int:
    """2 for what was typed wrongly, 1 for what went wrong."""
    return WRONG_USAGE if isinstance(error, UsageError | RulesError | PolicyError | CardError) else FAILED


@contextlib.contextmanager
def known_errors() -> Iterator[None]:
    """Turn errors that a person can mend into one sentence on stderr and an exit code; a closed pipe into silence."""
    try:
        yield
        sys.stdout.flush()
    except MpsimError as error:
        _say(str(error))
        sys.exit(exit_code(error))
    except KeyboardInterrupt as error:
        _say(str(error) or "interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Nobody reads any more: let the interpreter's own flush at exit go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.filename is None:
            raise
        _say(f"{error.filename}: {error.strerror}")
        sys.exit(FAILED)


def _say(message: str) -> None:
    with contextlib.suppress(OSError):
        print(f"mpsim: {message}", file=sys.stderr)


def main() -> None:
    """Run the command line and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    get_command(app).main(prog_name="mpsim")
