"""Write the generated parts of the docs: the table of rule keys, the columns, the command line.

    python docs/generate.py            writes what has changed
    python docs/generate.py --check    changes nothing; prints a diff and exits with 1 when something would change

Generated text stands between `<!-- generated: NAME -->` and `<!-- end -->`; all around it is written by hand.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from typer.main import get_command

from mpsim.cli import COMMANDS, app
from mpsim.rules import load_rules
from mpsim.rules.check import FIELDS, shown
from mpsim.store.match_schema import MATCH_COLUMNS
from mpsim.store.provenance import record_schema
from mpsim.store.schema import FRENCH, Column, arrow_type, columns, layout_of

DOCS = Path(__file__).parent


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table; a bar inside a cell would end it, so bars are escaped."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in lines)


def code(text: str) -> str:
    """Text as inline code; nothing for nothing."""
    return f"`{text}`" if text else ""


def rule_keys() -> str:
    """Every rule key with its default, what it may hold and its meaning."""
    rows = [(code(key), code(shown(f.default)), _values(key), f.metadata["doc"]) for key, f in FIELDS.items()]
    return table(("key", "default", "may hold", "meaning"), rows)


_SPECIAL_VALUES = {
    "deck.suits": "four small letters",
    "deck.ranks": "8 or 10 digits and capital letters, each once",
    "deal.upcard_index": "4 times the cards of `packets`, or one less",
    "deal.chain": "a power of two, 1 to 1,048,576",
    "exchange.exchange_rank": "one of the ranks",
}
"""What keys may hold whose declaration does not say it all."""


def _values(key: str) -> str:
    """What a key may hold."""
    default, meta = FIELDS[key].default, FIELDS[key].metadata
    if key in _SPECIAL_VALUES:
        return _SPECIAL_VALUES[key]
    if isinstance(default, bool):
        return "`true`, `false`"
    if meta["choices"]:
        return ", ".join(code(shown(value)) for value in meta["choices"])
    if isinstance(default, str):
        return "the ranks, each once"
    span = f"{meta['low']:,} to {meta['high']:,}"
    return f"list of numbers, {span}" if isinstance(default, tuple) else span


def shipped_file(name: str) -> Callable[[], str]:
    """A point count that comes with mpsim, as its file has it."""
    text = files("mpsim.policies").joinpath(f"presets/{name}").read_text("utf-8")
    return lambda: f"```toml\n{text.strip()}\n```"


def column_table() -> str:
    """Every column of a run's files."""
    return table(
        ("column", "Arrow type", "unit", "meaning", "since"),
        [(code(c.name), _type(c), c.unit, c.meaning + _categories(c), c.since) for c in columns(record_plays=True)],
    )


def _type(column: Column) -> str:
    """The Arrow type, and where it is another one that of a deck of 40 cards."""
    if column.categories:
        return "`dictionary` of strings"
    small, large = (code(str(arrow_type(column, layout))) for layout in (FRENCH, layout_of(load_rules("madrasso"))))
    return small if small == large else f"{small}; {large} with 40 cards"


def _categories(column: Column) -> str:
    return f" One of {', '.join(map(code, column.categories))}." if column.categories else ""


def match_column_table() -> str:
    """Every column of a file of matches."""
    return table(
        ("column", "Arrow type", "unit", "meaning"),
        [(code(c.name), code("dictionary") + " of strings" if c.categories else code(c.kind), c.unit,
          c.meaning + _categories(c)) for c in MATCH_COLUMNS],
    )


def record_table() -> str:
    """Every field of run.json, from the schema that validates it."""
    schema = record_schema()
    part = schema["$defs"]["part"]["properties"]
    fields = [(name, value) for name, value in schema["properties"].items()]
    fields += [(f"parts[].{name}", value) for name, value in part.items()]
    return table(("field", "meaning"), [(code(name), _described(name, value)) for name, value in fields])


_PLAIN_FIELDS = {
    "seed": "The seed, 0 to 2^64 - 1.",
    "rules_sha256": "Hash of the rules, without name and title.",
    "policies_sha256": "Hash of the policies, without names of point counts.",
    "software": "Versions of what computed and wrote the rows.",
    "machine": "The kind of machine, without its name.",
    "times": "When the run began and ended, and how many deals took how many seconds.",
    "parts[].file": "The file, inside the run's folder.",
    "parts[].first": "Number of its first deal.",
    "parts[].rows": "Its rows.",
    "parts[].bytes": "Its size.",
}
"""Words for fields that the schema describes by their type alone."""


def _described(name: str, schema: dict[str, Any]) -> str:
    text = schema.get("description") or _PLAIN_FIELDS[name]
    return f"{text} One of {', '.join(map(code, schema['enum']))}." if "enum" in schema else text


def command_line() -> str:
    """Every command with its arguments and options, from the declarations that make its help."""
    group: Any = get_command(app)
    parts = ["\n".join(_command("mpsim", group))]
    for name in COMMANDS:
        command = group.get_command(None, name)
        parts.append("\n".join(_command(f"mpsim {name}", command)))
        for inner, sub in getattr(command, "commands", {}).items():
            parts.append("\n".join(_command(f"mpsim {name} {inner}", sub)))
    return "\n\n".join(parts)


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.name != "help"]
    group = hasattr(command, "list_commands")
    words = [name, *(["[OPTIONS]"] if options else []), *map(_placeholder, arguments), *(["COMMAND"] if group else [])]
    yield f"## `{name}`\n\n```text\n{' '.join(words)}\n```\n"
    yield from (f"{paragraph}\n" for paragraph in _paragraphs(command.help or ""))
    rows = [(code(_placeholder(p)), p.help or "") for p in arguments]
    rows += [(code(_spelling(p)), _help(p)) for p in options]
    if rows:
        yield table(("", "meaning"), rows)


def _paragraphs(text: str) -> list[str]:
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def _placeholder(parameter: Any) -> str:
    word = parameter.metavar or parameter.name.upper()
    return word if parameter.required or parameter.param_type_name == "option" else f"[{word}]"


def _spelling(option: Any) -> str:
    names = ", ".join([*option.opts, *option.secondary_opts])
    return names if getattr(option, "is_flag", False) else f"{names} {_placeholder(option)}"


def _help(option: Any) -> str:
    """An option's help, with its default where that is a plain value, in one form whoever wrote it."""
    text = re.sub(r"\s*\[default: (.*)\]", r" Default: \1.", option.help or "")
    plain = isinstance(option.default, int | float | str) and not isinstance(option.default, bool)
    if option.required:
        return f"{text} Required."
    return f"{text} Default: {option.default}." if plain and option.default != "" else text


GENERATED: dict[str, dict[str, Callable[[], str]]] = {
    "rules.md": {"rule keys": rule_keys},
    "columns.md": {"columns": column_table, "run.json": record_table},
    "matches.md": {"match columns": match_column_table},
    "policies.md": {"shipped count": shipped_file("points.toml"), "ladder count": shipped_file("ladder.toml")},
    "cli.md": {"command line": command_line},
}


def page(name: str) -> str:
    """A page of the docs as it should be: the page as it is, its generated parts made anew."""
    text = (DOCS / name).read_text("utf-8")
    for part, make in GENERATED[name].items():
        start, end = f"<!-- generated: {part} -->\n", "\n<!-- end -->"
        before, found, rest = text.partition(start)
        if not found or end not in rest:
            raise SystemExit(f"{name} has no place for {part!r}: write {start.strip()} and {end.strip()} in it")
        text = f"{before}{start}\n{make()}\n{end}{rest.partition(end)[2]}"
    return text


def difference(name: str) -> str:
    """What `python docs/generate.py` would change in a page; empty when nothing."""
    old, new = (DOCS / name).read_text("utf-8"), page(name)
    return "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, f"{name}, generated"))


def main() -> None:
    """Write the pages, or with --check say what is not up to date."""
    check = "--check" in sys.argv[1:]
    stale = False
    for name in GENERATED:
        changes = difference(name)
        if check and changes:
            print(changes, end="")
            stale = True
        elif changes:
            (DOCS / name).write_text(page(name), "utf-8")
            print(f"docs/{name} written")
    if stale:
        sys.exit("the generated docs are not up to date: run `python docs/generate.py`")


if __name__ == "__main__":
    main()
