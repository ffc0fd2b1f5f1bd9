"""What all bidding policies share, and what all point counts do: lists of whole numbers, read from TOML files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from mpsim.errors import PolicyError
from mpsim.rules.check import one_of, shown, suggestion
from mpsim.rules.toml import read_toml

WORTH = 1_000
"""Largest size of what a card or a length is worth."""
STRENGTH = 100_000
"""Largest size of a strength that is asked for."""

_BY_RANK = "one for each rank from the lowest"
_BY_LENGTH = "one for each length from 0 to 8 cards"


class Shape(NamedTuple):
    """A list of numbers in a point count."""

    field: str      # of the record
    length: int
    meaning: str
    size: int       # largest size of a number


def holdings_shapes(section: str) -> dict[str, Shape]:
    """The two lists that say what the cards of one suit are worth, by their keys in TOML."""
    return {
        f"{section}.cards": Shape(f"{section}_cards", 8, _BY_RANK, WORTH),
        f"{section}.length": Shape(f"{section}_length", 9, _BY_LENGTH, WORTH),
    }


class Holdings(NamedTuple):
    """What the cards of one suit are worth: by card along the ranks, and by their number."""

    cards: tuple[int, ...]
    length: tuple[int, ...]


class Bid:
    """What all bidding policies share: a kind, a label for people, a json-able dictionary."""

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def label(self) -> str:
        """As it is written on a command line."""
        return self.kind

    def as_dict(self) -> dict[str, Any]:
        """Kind and parameters, whole and json-able."""
        values = {name: getattr(self, name) for name in parameters(type(self))}
        return {"kind": self.kind} | {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


def parameters(policy: type[Any]) -> tuple[str, ...]:
    """The names of a policy's parameters."""
    return tuple(f.name for f in fields(policy))


def check_count(count: Any, shapes: Mapping[str, Shape]) -> None:
    """PolicyError for numbers or a name that no point count can have."""
    for key, shape in shapes.items():
        _check_numbers(key, getattr(count, shape.field), shape)
    name = count.name
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise PolicyError(f"name = {shown(name)} cannot name a point count: write one line of text")


def _check_numbers(key: str, values: Any, shape: Shape) -> None:
    length, meaning, size = shape.length, shape.meaning, shape.size
    if isinstance(values, list):
        raise PolicyError(f"{key} = {shown(values)} can change later: give a tuple")
    if not isinstance(values, tuple):
        raise PolicyError(f"{key} = {shown(values)} is not a list of whole numbers: write {length}, {meaning}")
    if len(values) != length:
        raise PolicyError(f"{key} = {shown(values)} holds {len(values)} where {length} are needed, {meaning}")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int):
            raise PolicyError(f"{key} holds {shown(value)}, which is not a whole number: write {length} whole numbers")
        if abs(value) > size:
            raise PolicyError(
                f"{key} holds {shown(value)}, which is out of range: write whole numbers from -{size} to {size}"
            )


def read_sections(path: Path) -> dict[str, Any]:
    """A point count's file as it stands; one without a name is called after its file."""
    return {"name": path.stem} | read_toml(path, "point count", "counts_upcard = true", PolicyError)


def parameters_from_toml(
    data: Mapping[str, Any], shapes: Mapping[str, Shape], plain: tuple[str, ...]
) -> dict[str, Any]:
    """What a file's sections say of a point count, by field; `plain` are keys without a section."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        own = {f"{key}.{inner}": item for inner, item in value.items()} if isinstance(value, Mapping) else {key: value}
        for twice in flat.keys() & own.keys():
            raise PolicyError(f"{twice} is given twice: keep one of the two")
        flat |= own
    known = (*plain, *shapes)
    for key in flat:
        if key not in known:
            raise PolicyError(f"unknown key {key!r}{suggestion(key, known)}: a point count has {one_of(known, 'and')}")
    _refuse_missing(known, flat)
    return {key: flat[key] for key in plain} | {shape.field: as_tuple(flat[key]) for key, shape in shapes.items()}


def _refuse_missing(known: tuple[str, ...], given: Mapping[str, Any]) -> None:
    missing = [key for key in known if key not in given]
    if missing:
        raise PolicyError(f"the point count lacks {one_of(missing, 'and')}: give every key (see docs/policies.md)")


def as_tuple(value: Any) -> Any:
    """A list as a tuple, anything else as it is."""
    return tuple(value) if isinstance(value, list) else value
