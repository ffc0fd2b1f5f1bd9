"""The point count of a ladder auction: what a hand is worth in each contract, and what each call takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from mpsim.errors import PolicyError
from mpsim.policies.counts import (
    STRENGTH,
    Bid,
    Holdings,
    Shape,
    check_count,
    holdings_shapes,
    parameters_from_toml,
    read_sections,
)

_SHIPPED = Path(__file__).with_name("presets") / "ladder.toml"
_CALLS = ("opening", "over_partner", "over_opponents", "double", "redouble")
_SHAPES = {
    key: shape for section in ("trump", "side", "no_trumps", "all_trumps")
    for key, shape in holdings_shapes(section).items()
} | {
    f"call.{name}": Shape(name, 6, "one for each contract: four suits, no trumps, all trumps", STRENGTH)
    for name in _CALLS
}


@dataclass(frozen=True, slots=True)
class LadderCount(Bid):
    """A hand's strength in each contract, and the strength that each call takes.

    A holding is worth the sum of its cards (`*_cards`, along the deck's ranks) plus `*_length[number of cards]`.
    Strength in a suit contract is the trump worth of that suit plus the side worth of the other three; in no trumps and
    in all trumps the sum over the suits of their own worth.  The other lists stand along the contracts.  `opening`,
    `over_partner` and `over_opponents` is what it takes to call a contract when nobody has called one, one's own side
    holds it, the others hold it; `double` and `redouble` what it takes in the contract that stands.  A player doubles
    if he can, else calls the contract in which he is furthest above what it takes, else redoubles if he can, else
    passes.  PolicyError for wrong types, lengths or sizes.
    """

    kind: ClassVar[str] = "ladder"

    trump_cards: tuple[int, ...]
    trump_length: tuple[int, ...]
    side_cards: tuple[int, ...]
    side_length: tuple[int, ...]
    no_trumps_cards: tuple[int, ...]
    no_trumps_length: tuple[int, ...]
    all_trumps_cards: tuple[int, ...]
    all_trumps_length: tuple[int, ...]
    opening: tuple[int, ...]
    over_partner: tuple[int, ...]
    over_opponents: tuple[int, ...]
    double: tuple[int, ...]
    redouble: tuple[int, ...]
    name: str

    def __post_init__(self) -> None:
        check_count(self, _SHAPES)

    @property
    def trump(self) -> Holdings:
        """What the trump suit is worth."""
        return Holdings(self.trump_cards, self.trump_length)

    @property
    def side(self) -> Holdings:
        """What a side suit is worth."""
        return Holdings(self.side_cards, self.side_length)

    @property
    def no_trumps(self) -> Holdings:
        """What any suit is worth in no trumps."""
        return Holdings(self.no_trumps_cards, self.no_trumps_length)

    @property
    def all_trumps(self) -> Holdings:
        """What any suit is worth in all trumps."""
        return Holdings(self.all_trumps_cards, self.all_trumps_length)

    @property
    def label(self) -> str:
        """`points` for the shipped count, `points:NAME` for another."""
        return "points" if self == shipped_ladder() else f"points:{self.name}"


@cache
def shipped_ladder() -> LadderCount:
    """The point count for ladder auctions that comes with mpsim."""
    return read_ladder(_SHIPPED)


def read_ladder(path: str | Path) -> LadderCount:
    """A ladder count from a TOML file, as policies/presets/ladder.toml shows; PolicyError names what is wrong."""
    path = Path(path)
    return ladder_from_sections(path, read_sections(path))


def is_ladder(data: Mapping[str, Any]) -> bool:
    """Whether a point count's file is one for a ladder auction: it says what calls take."""
    return "call" in data


def ladder_from_sections(path: Path, data: Mapping[str, Any]) -> LadderCount:
    """The ladder count that a file's sections hold."""
    try:
        return LadderCount(**parameters_from_toml(data, _SHAPES, ("name",)))
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None
