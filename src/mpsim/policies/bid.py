"""Bidding policies as values: a point count, a coin, and the two that never think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from mpsim.errors import PolicyError
from mpsim.rules.check import one_of, shown, suggestion
from mpsim.rules.toml import read_toml

KINDS = ("points", "always", "never", "chance")

STEPS = 1 << 27
"""The values that a draw for a chance can have."""

_SHIPPED = Path(__file__).with_name("presets") / "points.toml"
_SHAPES = {  # key in TOML: (field of PointCount, numbers, what they are for, largest size)
    "trump.cards": ("trump_cards", 8, "one for each rank from the lowest", 1_000),
    "trump.length": ("trump_length", 9, "one for each length from 0 to 8 cards", 1_000),
    "side.cards": ("side_cards", 8, "one for each rank from the lowest", 1_000),
    "side.length": ("side_length", 9, "one for each length from 0 to 8 cards", 1_000),
    "accept.round1": ("round1", 4, "one for each seat from the dealer's next", 100_000),
    "accept.round2": ("round2", 4, "one for each seat from the dealer's next", 100_000),
}
_PLAIN = ("name", "counts_upcard")


class Holdings(NamedTuple):
    """What the cards of one suit are worth: by card along the ranks, and by their number."""

    cards: tuple[int, ...]
    length: tuple[int, ...]


class Thresholds(NamedTuple):
    """The strength each seat asks for, by round."""

    round1: tuple[int, ...]
    round2: tuple[int, ...]


class _Bid:
    """What all bidding policies share: a kind, a label for people, a json-able dictionary."""

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def label(self) -> str:
        """As it is written on a command line."""
        return self.kind

    def as_dict(self) -> dict[str, Any]:
        """Kind and parameters, whole and json-able."""
        values = {name: getattr(self, name) for name in _parameters(type(self))}
        return {"kind": self.kind} | {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


@dataclass(frozen=True, slots=True)
class PointCount(_Bid):
    """A hand's strength in points, and the strength each seat asks for in each round.

    A holding is worth the sum of its cards (`*_cards`, along the deck's ranks) plus `*_length[number of cards]`;
    strength with a trump suit is its trump worth plus the side worth of the other three suits.  A seat accepts, or
    names its best suit, iff strength >= `round1[seat]`, `round2[seat]`.  `counts_upcard`: a seat to which taking would
    bring the turned card judges it as part of its hand.  PolicyError for wrong types, lengths or sizes.
    """

    kind: ClassVar[str] = "points"

    trump_cards: tuple[int, ...]
    trump_length: tuple[int, ...]
    side_cards: tuple[int, ...]
    side_length: tuple[int, ...]
    round1: tuple[int, ...]
    round2: tuple[int, ...]
    counts_upcard: bool
    name: str

    def __post_init__(self) -> None:
        for key, (name, length, meaning, size) in _SHAPES.items():
            _check_numbers(key, getattr(self, name), length, meaning, size)
        if not isinstance(self.counts_upcard, bool):
            raise PolicyError(f"counts_upcard = {shown(self.counts_upcard)} is not a truth value: write true or false")
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise PolicyError(f"name = {shown(self.name)} cannot name a point count: write one line of text")

    @property
    def trump(self) -> Holdings:
        """What the trump suit is worth."""
        return Holdings(self.trump_cards, self.trump_length)

    @property
    def side(self) -> Holdings:
        """What a side suit is worth."""
        return Holdings(self.side_cards, self.side_length)

    @property
    def accept(self) -> Thresholds:
        """What it takes to bid."""
        return Thresholds(self.round1, self.round2)

    @property
    def label(self) -> str:
        """`points` for the shipped count, `points:NAME` for another."""
        return "points" if self == shipped_count() else f"points:{self.name}"


@dataclass(frozen=True, slots=True)
class Always(_Bid):
    """Accepts in round 1, whatever it holds; names the lowest allowed suit in round 2."""

    kind: ClassVar[str] = "always"


@dataclass(frozen=True, slots=True)
class Never(_Bid):
    """Passes, whatever it holds."""

    kind: ClassVar[str] = "never"


@dataclass(frozen=True, slots=True)
class Chance(_Bid):
    """Takes with a probability, blind; in round 2 any allowed suit, equally likely.

    PolicyError for what is no probability, and for one that 27 random bits cannot tell from 0 or 1.
    """

    kind: ClassVar[str] = "chance"

    probability: float

    def __post_init__(self) -> None:
        p = self.probability
        if isinstance(p, bool) or not isinstance(p, (int, float)) or not 0 <= p <= 1:
            raise PolicyError(f"chance:{shown(p)} is not a probability: write a number from 0 to 1, like chance:0.25")
        object.__setattr__(self, "probability", abs(float(p)))  # -0.0 and 0 are the same policy as 0.0
        if self.threshold in (0, STEPS) and p not in (0, 1):
            sure = self.threshold // STEPS
            raise PolicyError(
                f"{self.label} is nearer to {sure} than 2^-27, the step in which chances are drawn: "
                f"write chance:{sure} or a number further from it"
            )

    @property
    def label(self) -> str:
        """`chance:0.25`."""
        return f"chance:{self.probability!r}"

    @property
    def threshold(self) -> int:
        """The probability in 2^-27: a draw of 27 bits below it takes."""
        return round(self.probability * STEPS)


BidPolicy = PointCount | Always | Never | Chance


def _parameters(policy: type[Any]) -> tuple[str, ...]:
    return tuple(f.name for f in fields(policy))


def _check_numbers(key: str, values: Any, length: int, meaning: str, size: int) -> None:
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


def parse_bid(text: str) -> BidPolicy:
    """The bidding policy named `points`, `points:FILE`, `always`, `never` or `chance:P`; else PolicyError."""
    kind, colon, detail = text.strip().partition(":")
    if kind == "points":
        if colon and not detail:
            raise PolicyError("points: names no file: write points:FILE, or points for the count that comes with mpsim")
        return read_count(detail) if colon else shipped_count()
    if kind == "chance":
        return Chance(_probability(detail))
    if kind not in KINDS:
        raise PolicyError(
            f"there is no bidding policy {text.strip()!r}{suggestion(kind, KINDS)}: "
            "write points, points:FILE, always, never or chance:P"
        )
    if colon:
        raise PolicyError(f"{text.strip()!r} has a detail where none is needed: write {kind}")
    return Always() if kind == "always" else Never()


def _probability(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        said = f"chance:{text} is not a probability" if text else "chance has no probability"
        raise PolicyError(f"{said}: write a number from 0 to 1, like chance:0.25") from None


@cache
def shipped_count() -> PointCount:
    """The point count that comes with mpsim."""
    return read_count(_SHIPPED)


def read_count(path: str | Path) -> PointCount:
    """A point count from a TOML file (policies/presets/points.toml shows the form); PolicyError names what is wrong."""
    path = Path(path)
    data = read_toml(path, "point count", "counts_upcard = true", PolicyError)
    try:
        return _count_from_toml({"name": path.stem} | data)
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None


def _count_from_toml(data: Mapping[str, Any]) -> PointCount:
    flat: dict[str, Any] = {}
    for key, value in data.items():
        own = {f"{key}.{inner}": item for inner, item in value.items()} if isinstance(value, Mapping) else {key: value}
        for twice in flat.keys() & own.keys():
            raise PolicyError(f"{twice} is given twice: keep one of the two")
        flat |= own
    known = (*_PLAIN, *_SHAPES)
    for key in flat:
        if key not in known:
            raise PolicyError(f"unknown key {key!r}{suggestion(key, known)}: a point count has {one_of(known, 'and')}")
    _refuse_missing(known, flat)
    values = {name: _tuple(flat[key]) for key, (name, *_) in _SHAPES.items()}
    return PointCount(**values, counts_upcard=flat["counts_upcard"], name=flat["name"])


def _refuse_missing(known: tuple[str, ...], given: Mapping[str, Any]) -> None:
    missing = [key for key in known if key not in given]
    if missing:
        raise PolicyError(f"the point count lacks {one_of(missing, 'and')}: give every key (see docs/policies.md)")


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def bid_from_dict(data: Mapping[str, Any]) -> BidPolicy:
    """The policy that `as_dict` wrote."""
    if not isinstance(data, Mapping):
        raise PolicyError(f"{shown(data)} is no bidding policy: it must hold a kind and its parameters")
    if data.get("kind") not in KINDS:
        raise PolicyError(f"kind = {shown(data.get('kind'))} is no bidding policy: write {one_of(KINDS)}")
    rest = {key: _tuple(value) for key, value in data.items() if key != "kind"}
    policy: type[Any] = {kind.kind: kind for kind in (PointCount, Always, Never, Chance)}[data["kind"]]
    odd = sorted(set(rest) ^ set(_parameters(policy)))
    if odd:
        raise PolicyError(f"a {data['kind']} policy has missing or unknown keys: look at {one_of(odd, 'and')}")
    built: BidPolicy = policy(**rest)
    return built
