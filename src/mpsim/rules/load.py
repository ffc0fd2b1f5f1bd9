"""Rules from presets, TOML files and `key=value` settings, and back to dictionaries, canonical JSON and a digest."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mpsim.errors import RulesError
from mpsim.rules.check import FIELDS, check_rules, check_value, is_text, one_of, shown, suggestion, value_of
from mpsim.rules.model import SECTION_OF, SECTIONS, Rules
from mpsim.rules.toml import parse_toml, read_toml

Flat = dict[str, Any]
"""Values by dotted key; `name` and `title` stand beside them without a section."""

_FOLDER = Path(__file__).with_name("presets")
_PEOPLE = ("name", "title")
_ALIASES: dict[str, dict[Any, Flat]] = {
    "partner_winning_relief": {True: {"play.partner_relief": "full"}, False: {"play.partner_relief": "none"}},
    "ma_rank": {
        order: {"deck.plain_order": ranks, "deck.trump_order": ranks}
        for order, ranks in (("7over6", "A3KHJ76542"), ("6over7", "A3KHJ67542"))
    },
    "ma_upcard_index": {index: {"deal.upcard_index": index} for index in (19, 20)},
    "ma_must_ruff": {flag: {"play.must_ruff": flag, "play.must_underruff": flag} for flag in (True, False)},
    "ma_min_deals": {deals: {"match.min_deals": deals} for deals in range(1001)},
    "ma_sweep_wins": {True: {"score.capo_mode": "wins_match"}, False: {"score.capo_mode": "add"}},
}
"""Other names of rules, and what their values stand for."""


def presets() -> list[str]:
    """The names of the games that come with mpsim."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_rules(source: str | Path | Rules = "mpourloto", settings: Iterable[str] = ()) -> Rules:
    """Checked rules: a preset by name, a TOML file or a record, with `key=value` settings on top of it.

    A file holds the keys that differ from its `base` (a preset, mpourloto unless it says otherwise), in their sections
    or by their short names.  A setting is `play.head_plain=false` or `head_plain=false`; its value is TOML, a bare word
    is text, and of two settings of one key the later stands.  RulesError names what cannot be used and the cure.
    """
    flat = _flat(source) if isinstance(source, Rules) else _from_source(source)
    flat |= _from_settings(settings)
    return _build(flat)


def _build(flat: Flat) -> Rules:
    sections: dict[str, Flat] = {section: {} for section in SECTIONS}
    for dotted in FIELDS:
        section, name = dotted.split(".")
        sections[section][name] = flat[dotted]
    records = {section: SECTIONS[section](**values) for section, values in sections.items()}
    rules = Rules(name=flat["name"], title=flat["title"], **records)
    check_rules(rules)
    return rules


def _flat(rules: Rules) -> Flat:
    check_rules(rules)
    return {"name": rules.name, "title": rules.title} | {dotted: value_of(rules, dotted) for dotted in FIELDS}


def _from_source(source: str | Path) -> Flat:
    if isinstance(source, str) and source in presets():
        return _read_preset(source)
    if not isinstance(source, (str, Path)):
        raise RulesError(f"{shown(source)} names no rules: give a preset, a TOML file or a Rules record")
    path = Path(source)
    if isinstance(source, str) and path.suffix != ".toml" and not os.path.isfile(path):  # never raises
        hint = suggestion(source, presets())
        raise RulesError(f"there are no rules {source!r}{hint}: name a preset ({one_of(presets())}) or a TOML file")
    return _read_file(path)


def _read_preset(name: str) -> Flat:
    data = _parse_file(_FOLDER / f"{name}.toml")
    base = data.pop("base", None)
    return _complete((_read_preset(base) if base else {}) | _overlay(data))


def _read_file(path: Path) -> Flat:
    data = _parse_file(path)
    try:
        base = data.pop("base", "mpourloto")
        if base not in presets():
            hint = suggestion(base, presets()) if isinstance(base, str) else ""
            raise RulesError(f"base = {shown(base)} is no preset{hint}: write {one_of(presets())}")
        own = _overlay(data)
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from None
    own.setdefault("name", re.sub(r"[^A-Za-z0-9_.+-]", "_", path.stem).lstrip("_.+-")[:64] or "rules")
    own.setdefault("title", own["name"])
    return _read_preset(base) | own


def _parse_file(path: Path) -> dict[str, Any]:
    return read_toml(path, "rules file", "head_plain = false", RulesError)


def _overlay(data: Mapping[str, Any]) -> Flat:
    """Checked values of a nested mapping; keys stand in their sections or, by their short names, at the top."""
    pairs: list[tuple[str, Any]] = []
    for key, value in data.items():
        if key in SECTIONS:
            if not isinstance(value, Mapping):
                raise RulesError(f"{key} = {shown(value)} is no section: write its keys below a line [{key}]")
            pairs += [(f"{key}.{inner}", item) for inner, item in value.items()]
        elif isinstance(value, Mapping):
            hint = suggestion(key, SECTIONS)
            raise RulesError(f"unknown section {key!r}{hint}: write one of {one_of(SECTIONS)}")
        else:
            pairs.append((key, value))
    _refuse_twice(key for key, _ in pairs)
    return _checked(pairs)


def _refuse_twice(keys: Iterable[str]) -> None:
    """A key may stand in its section or at the top of a file, but not in both."""
    meant: dict[str, str] = {}
    for key in keys:
        dotted = _resolve(key)
        if dotted in meant:
            raise RulesError(f"{meant[dotted]} and {key} are one rule, given twice: keep one of the two")
        meant[dotted] = key


def _from_settings(settings: Iterable[str]) -> Flat:
    if isinstance(settings, str):
        settings = [settings]
    pairs = []
    for setting in settings:
        if not isinstance(setting, str):
            raise RulesError(f"the setting {shown(setting)} is not text: write it like head_plain=false")
        key, equals, text = setting.partition("=")
        if not equals or not key.strip() or not text.strip():
            raise RulesError(f"the setting {setting!r} is not key=value: write it like head_plain=false")
        pairs.append((key.strip(), _Word(text.strip())))
    return _checked(pairs)


class _Word(str):
    """A setting's value as typed, not yet read."""


def _read_word(word: _Word, text_wanted: bool) -> Any:
    """The TOML value of a typed word; what is no TOML is text, and so is everything where text is wanted."""
    try:
        parsed = parse_toml(f"value = {word}")
    except tomllib.TOMLDecodeError:
        return str(word)
    value = parsed["value"] if len(parsed) == 1 else str(word)
    return str(word) if text_wanted and not isinstance(value, str) else value


def _checked(pairs: Iterable[tuple[str, Any]]) -> Flat:
    flat: Flat = {}
    given: dict[str, dict[str, Any]] = {}
    for key, value in pairs:
        dotted = _resolve(key)
        if isinstance(value, _Word):
            value = _read_word(value, dotted in _PEOPLE or (dotted in FIELDS and is_text(dotted)))
        meant = _stands_for(dotted, value) if dotted in _ALIASES else {dotted: value}
        for rule, own in meant.items():
            checked = own if rule in _PEOPLE else check_value(rule, own)
            given.setdefault(rule, {})[dotted] = checked
            flat[rule] = checked
    for rule, by_name in given.items():
        _refuse_contradiction(rule.rpartition(".")[2], by_name)
    return flat


def _stands_for(alias: str, value: Any) -> Flat:
    """The values of the rules that a value of an alias stands for."""
    meanings = _ALIASES[alias]
    for choice, meant in meanings.items():
        if type(choice) is type(value) and choice == value:
            return meant
    if all(isinstance(choice, bool) for choice in meanings):
        raise RulesError(f"{alias} = {shown(value)} is not a truth value: write true or false")
    few = list(meanings)
    cure = one_of(few) if len(few) <= 4 else f"a whole number from {few[0]} to {few[-1]}"
    raise RulesError(f"{alias} = {shown(value)} is not a choice: write {cure}")


def _refuse_contradiction(rule: str, by_name: Mapping[str, Any]) -> None:
    """A rule may be given by its own name and by another one, but not with different values."""
    if len(set(by_name.values())) > 1:
        alias = next(name for name in by_name if name in _ALIASES)
        other = next(name for name in by_name if name != alias)
        raise RulesError(
            f"{alias} stands for {rule} = {shown(by_name[alias])}, and {other.rpartition('.')[2]} = "
            f"{shown(by_name[other])} is given too: keep one of the two"
        )


def _resolve(key: str) -> str:
    """The dotted key that a short or dotted one means."""
    section, dot, name = key.rpartition(".")
    if key in FIELDS or key in _PEOPLE:
        return key
    if name in _ALIASES and section in ("", *(meant.partition(".")[0] for meant in _first_meaning(name))):
        return name
    if not dot and key in SECTION_OF:
        return f"{SECTION_OF[key]}.{key}"
    if name in SECTION_OF:
        raise RulesError(f"the rule {name} is not in section {section}: write {SECTION_OF[name]}.{name}")
    if key in SECTIONS:
        first = next(dotted for dotted in FIELDS if dotted.startswith(f"{key}."))
        raise RulesError(f"{key} is a section and has no value of its own: set a key of it, like {first}")
    hint = suggestion(name, [*SECTION_OF, *_ALIASES]) or suggestion(key, FIELDS)
    raise RulesError(f"unknown rule key {key!r}{hint}: `mpsim rules show mpourloto` lists them all")


def _first_meaning(alias: str) -> Flat:
    return next(iter(_ALIASES[alias].values()))


def _complete(flat: Flat) -> Flat:
    missing = [key for key in (*_PEOPLE, *FIELDS) if key not in flat]
    if missing:
        raise RulesError(f"the rules lack {one_of(missing, 'and')}: a whole record has every key")
    return flat


def rules_dict(rules: Rules) -> dict[str, Any]:
    """Plain nested dictionary of all keys, with lists for tuples, as JSON and TOML hold them."""
    nested: dict[str, Any] = {"name": rules.name, "title": rules.title}
    for dotted in FIELDS:
        section, name = dotted.split(".")
        value = value_of(rules, dotted)
        nested.setdefault(section, {})[name] = list(value) if isinstance(value, tuple) else value
    return nested


def rules_from_dict(data: Mapping[str, Any]) -> Rules:
    """The rules that `rules_dict` wrote; every key must be there."""
    if not isinstance(data, Mapping):
        raise RulesError(f"{shown(data)} is no record of rules: it must hold the sections with their keys")
    return _build(_complete(_overlay(data)))


def canonical_rules(rules: Rules) -> str:
    """JSON of all that makes the game (not its name or title): sorted keys, no spaces, ASCII."""
    identity = {key: value for key, value in rules_dict(rules).items() if key not in _PEOPLE}
    return json.dumps(identity, sort_keys=True, separators=(",", ":"))


def rules_digest(rules: Rules) -> str:
    """SHA-256, in hex, of the canonical JSON: equal exactly when the games are."""
    return hashlib.sha256(canonical_rules(rules).encode()).hexdigest()


def diff_rules(a: Rules, b: Rules) -> list[tuple[str, Any, Any]]:
    """The keys in which two games differ, dotted and in the record's order, with both values."""
    pairs = ((dotted, value_of(a, dotted), value_of(b, dotted)) for dotted in FIELDS)
    return [(dotted, one, other) for dotted, one, other in pairs if one != other]


MANY = 4
"""Changes that are counted and not listed."""


def rules_name(rules: Rules) -> str:
    """The name, and what is changed in the preset of that name: `mpourloto with head_plain = false`."""
    if rules.name not in presets():
        return rules.name
    changed = [(dotted.split(".")[1], value) for dotted, _, value in diff_rules(load_rules(rules.name), rules)]
    if not changed:
        return rules.name
    if len(changed) > MANY:
        return f"{rules.name} with {len(changed)} keys changed"
    return f"{rules.name} with " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in changed)
