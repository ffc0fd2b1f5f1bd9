"""TOML from files and settings; whatever cannot be read becomes one sentence."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from mpsim.errors import MpsimError


def parse_toml(text: str) -> dict[str, Any]:
    """The keys and values of a TOML text; TOMLDecodeError for all that tomllib cannot take."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python's limit on the digits of a number
        raise tomllib.TOMLDecodeError("a number has too many digits") from None
    except RecursionError:
        raise tomllib.TOMLDecodeError("brackets stand too deep in one another") from None


def read_toml(path: Path, what: str, example: str, refuse: type[MpsimError]) -> dict[str, Any]:
    """The keys and values of a TOML file, a byte order mark allowed; `refuse` says what is wrong with the `what`."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise refuse(f"the {what} {path} is not UTF-8 text: save it as UTF-8") from None
    except (OSError, ValueError) as error:  # a ValueError is a name that no file can have
        reason = getattr(error, "strerror", error)
        raise refuse(f"the {what} {path} cannot be read ({reason}): check its name and rights") from None
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise refuse(f"the {what} {path} is not TOML ({error}): write lines like {example}") from None
