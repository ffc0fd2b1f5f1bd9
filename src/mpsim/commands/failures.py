"""What failures of a command come to: one sentence on stderr and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import typer

from mpsim.errors import CardError, MpsimError, PolicyError, RulesError, UsageError

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130

_MISTYPED: Any = typer.BadParameter.__mro__[2]
"""click's ClickException: typer has it from click, or in itself, depending on its version."""


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
        say(str(error))
        sys.exit(exit_code(error))
    except _MISTYPED as error:
        say(_mistyped(error))
        sys.exit(WRONG_USAGE)
    except KeyboardInterrupt as error:
        say(str(error) or "interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _give_up_stdout()
        sys.exit(0)
    except OSError as error:
        say(_system_error(error))
        sys.exit(FAILED)


@contextlib.contextmanager
def closed_pipe_ignored() -> Iterator[None]:
    """Print what the reader still wants; the exit code tells the rest."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up_stdout()


def say(message: str) -> None:
    """A sentence on stderr; nothing where that cannot be written."""
    with contextlib.suppress(OSError):
        print(f"mpsim: {message}", file=sys.stderr)


def _mistyped(error: Any) -> str:
    """What click says of a mistyped command line, and where to look."""
    said = " ".join(error.format_message().split()).rstrip(".")
    command = error.ctx.command_path if error.ctx else "mpsim"
    return f"{said[:1].lower()}{said[1:]}: `{command} --help` tells what there is"


def _system_error(error: OSError) -> str:
    """What the system refused; an error that is neither a file's nor stdout's is no known one and goes on."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    try:
        os.write(sys.stdout.fileno(), b"\n")
    except OSError:
        _give_up_stdout()
        return f"the result cannot be printed: {error.strerror}; send stdout elsewhere"
    raise error


def _give_up_stdout() -> None:
    """Nothing more can be printed: let the interpreter's own flush at exit go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
