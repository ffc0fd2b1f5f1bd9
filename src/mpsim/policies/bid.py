"""Bidding policies as values: point counts, a coin, and the two that never think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from mpsim.errors import PolicyError
from mpsim.policies.chart import Chart, chart_from_dict, read_chart, shipped_chart
from mpsim.policies.counts import (
    STRENGTH,
    Bid,
    Shape,
    as_tuple,
    check_count,
    holdings_shapes,
    parameters,
    parameters_from_toml,
    read_sections,
)
from mpsim.policies.counts import Holdings as Holdings
from mpsim.policies.ladder import LadderCount, is_ladder, ladder_from_sections, shipped_ladder
from mpsim.rules.check import one_of, shown, suggestion
from mpsim.rules.model import Rules

KINDS = ("points", "chart", "always", "never", "chance")
"""What bidding policies are called on a command line."""

STEPS = 1 << 27
"""The values that a draw for a chance can have."""

_SHIPPED = Path(__file__).with_name("presets") / "points.toml"
_BY_SEAT = "one for each seat from the dealer's next"
_SHAPES = holdings_shapes("trump") | holdings_shapes("side") | {
    "accept.round1": Shape("round1", 4, _BY_SEAT, STRENGTH),
    "accept.round2": Shape("round2", 4, _BY_SEAT, STRENGTH),
}


class Thresholds(NamedTuple):
    """The strength each seat asks for, by round."""

    round1: tuple[int, ...]
    round2: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PointCount(Bid):
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
        check_count(self, _SHAPES)
        if not isinstance(self.counts_upcard, bool):
            raise PolicyError(f"counts_upcard = {shown(self.counts_upcard)} is not a truth value: write true or false")

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
class Always(Bid):
    """Accepts in round 1, whatever it holds; names the lowest allowed suit in round 2."""

    kind: ClassVar[str] = "always"


@dataclass(frozen=True, slots=True)
class Never(Bid):
    """Passes, whatever it holds."""

    kind: ClassVar[str] = "never"


@dataclass(frozen=True, slots=True)
class Chance(Bid):
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


BidPolicy = PointCount | LadderCount | Chart | Always | Never | Chance


def parse_bid(text: str, rules: Rules | None = None) -> BidPolicy:
    """The bidding policy named `points`, `points:FILE`, `chart`, `chart:FILE`, `always`, `never`, `chance:P`.

    PolicyError for others.  `points` is the count that comes with mpsim for the auction of the rules.
    """
    kind, colon, detail = text.strip().partition(":")
    if kind == "points":
        if colon and not detail:
            raise PolicyError("points: names no file: write points:FILE, or points for the count that comes with mpsim")
        return _read(Path(detail)) if colon else _shipped(rules)
    if kind == "chart":
        if colon and not detail:
            raise PolicyError("chart: names no file: write chart:FILE, or chart for the one that comes with mpsim")
        return read_chart(detail) if colon else shipped_chart()
    if kind == "chance":
        return Chance(_probability(detail))
    if kind not in KINDS:
        raise PolicyError(
            f"there is no bidding policy {text.strip()!r}{suggestion(kind, KINDS)}: "
            "write points, points:FILE, chart, chart:FILE, always, never or chance:P"
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


def _shipped(rules: Rules | None) -> PointCount | LadderCount:
    return shipped_ladder() if rules is not None and rules.auction.kind == "ladder" else shipped_count()


def _read(path: Path) -> PointCount | LadderCount:
    data = read_sections(path)
    return ladder_from_sections(path, data) if is_ladder(data) else _count_from_sections(path, data)


@cache
def shipped_count() -> PointCount:
    """The point count that comes with mpsim."""
    return read_count(_SHIPPED)


def read_count(path: str | Path) -> PointCount:
    """A point count from a TOML file (policies/presets/points.toml shows the form); PolicyError names what is wrong."""
    path = Path(path)
    return _count_from_sections(path, read_sections(path))


def _count_from_sections(path: Path, data: Mapping[str, Any]) -> PointCount:
    try:
        return PointCount(**parameters_from_toml(data, _SHAPES, ("name", "counts_upcard")))
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None


def bid_from_dict(data: Mapping[str, Any]) -> BidPolicy:
    """The policy that `as_dict` wrote."""
    if not isinstance(data, Mapping):
        raise PolicyError(f"{shown(data)} is no bidding policy: it must hold a kind and its parameters")
    if data.get("kind") == Chart.kind:
        return chart_from_dict(data)
    policies = {policy.kind: policy for policy in (PointCount, LadderCount, Always, Never, Chance)}
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in policies:
        raise PolicyError(f"kind = {shown(kind)} is no bidding policy: write {one_of(policies)}")
    policy: type[Any] = policies[kind]
    rest = {key: as_tuple(value) for key, value in data.items() if key != "kind"}
    odd = sorted(set(rest) ^ set(parameters(policy)))
    if odd:
        raise PolicyError(f"a {data['kind']} policy has missing or unknown keys: look at {one_of(odd, 'and')}")
    built: BidPolicy = policy(**rest)
    return built
