"""`mpsim rules`: list, show, compare and check rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from mpsim.rules import Rules

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Source = Annotated[str, typer.Argument(help="A preset's name, a TOML file or a run's folder.", show_default=False)]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a rule, like play.head_plain=false; repeatable."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.callback(invoke_without_command=True)
def _rules(context: typer.Context) -> None:
    """List, show, compare and check rules."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("list")
def list_rules(as_json: Json = False) -> None:
    """The presets, by name and title."""
    from mpsim.commands.output import print_json
    from mpsim.rules import load_rules, presets

    titles = {name: load_rules(name).title for name in presets()}
    if as_json:
        print_json(titles)
        return
    width = max(map(len, titles))
    for name, title in titles.items():
        print(f"{name:{width}}  {title}")


@app.command("show")
def show_rules(source: Source = "mpourloto", settings: Settings = None, as_json: Json = False) -> None:
    """Every key of some rules with its value and meaning."""
    from mpsim.commands.output import print_json
    from mpsim.rules import rules_dict, rules_digest

    rules = _load(source, settings)
    if as_json:
        print_json({"rules": rules_dict(rules), "rules_sha256": rules_digest(rules)})
        return
    print("# (M5), (B9) and the like number the open questions in the docs of the games")
    print(f"# {rules.title}\n# sha256 {rules_digest(rules)}\nname = {_toml(rules.name)}\ntitle = {_toml(rules.title)}")
    for line in _sections(rules):
        print(line)


@app.command("diff")
def diff(left: Source, right: Source, settings: Settings = None, as_json: Json = False) -> None:
    """The keys in which two sets of rules differ, with their meaning and both values.

    --set changes the second one.
    """
    from mpsim.commands.output import plural, print_json
    from mpsim.rules import diff_rules
    from mpsim.rules.check import FIELDS

    one, other = _load(left), _load(right, settings)
    found = diff_rules(one, other)
    if as_json:
        print_json({key: [a, b] for key, a, b in found})
        return
    if not found:
        print("no difference")
        return
    print(f"{one.name} -> {other.name}: {plural(len(found), 'key')}")
    for key, a, b in found:
        print(f"\n{key}: {_toml(a)} -> {_toml(b)}")
        print(_wrapped(FIELDS[key].metadata["doc"], "  "))


@app.command("check")
def check(source: Source, settings: Settings = None) -> None:
    """Whether rules can be played.

    Exit code 2 and a sentence where they cannot.
    """
    from mpsim.rules import rules_digest

    rules = _load(source, settings)
    print(f"{rules.name}: ok, sha256 {rules_digest(rules)}")


def _load(source: str, settings: list[str] | None = None) -> Rules:
    """Rules by name, from a TOML file, or those of a run."""
    from pathlib import Path

    from mpsim.rules import load_rules
    from mpsim.store.folder import is_run
    from mpsim.store.provenance import read_record, spec_of

    folder = Path(source)
    known = spec_of(read_record(folder), folder).rules if is_run(folder) else source
    return load_rules(known, settings or ())


def _wrapped(text: str, start: str) -> str:
    """A sentence in lines of 100 characters that start alike."""
    import textwrap

    return textwrap.fill(text, 100, initial_indent=start, subsequent_indent=start, break_on_hyphens=False)


def _sections(rules: Rules) -> list[str]:
    from dataclasses import fields

    from mpsim.rules.model import SECTIONS

    lines = []
    for section, record in SECTIONS.items():
        lines.append(f"\n[{section}]")
        for key in fields(record):
            value = _toml(getattr(getattr(rules, section), key.name))
            lines += [_wrapped(key.metadata["doc"], "# "), f"{key.name} = {value}"]
    return lines


def _toml(value: Any) -> str:
    """A rule's value as TOML."""
    import json

    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
