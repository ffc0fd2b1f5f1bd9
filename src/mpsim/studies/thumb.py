"""Rules of thumb: point counts with whole numbers, fitted to the decisions of an acceptance table.

A decision is a round, a seat, and a hand with a turned card (a class, policies/classes.py).  Some share of all deals
comes to it, and taking there gains or loses against passing.  A count takes where a hand's strength reaches the seat's
threshold.  What it gains by that over passing always is summed over all decisions, each seat deviating by itself while
the chart of the table decides for the others; half of that sum is points a deal and team.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.errors import UsageError
from mpsim.policies.bid import PointCount
from mpsim.policies.chart import PASS, TURNED, Actions, read_chart
from mpsim.policies.classes import RANKS, SIZE, named_sides, turned_classes
from mpsim.store.acceptance import Acceptance
from mpsim.studies.verdicts import design, groups

Array = npt.NDArray[Any]
Form = Mapping[str, Array]
"""What a count adds up: by name, how much 34 weights grow with one point of it."""

LENGTHS = 9
WEIGHTS = 2 * (RANKS + LENGTHS)
"""Trump cards along the ranks, numbers of trumps 0 .. 8, side cards, numbers of cards in a side suit."""
_TRUMP_LENGTH, _SIDE, _SIDE_LENGTH = RANKS, RANKS + LENGTHS, 2 * RANKS + LENGTHS
NODES = tuple((round_, seat) for round_ in (1, 2) for seat in range(4))
_TURNED = np.array([[1.0], [0.0], [0.0], [0.0]])
NEAR = 20.0
"""A decision that gains or loses so many points weighs half as much in least squares as one that does not matter."""
_NAMES = "789TJQKA"


class Decisions(NamedTuple):
    """Of every class at every node (round 1 by seat, then round 2): how often it is reached, and what taking gains.

    `gain2` has four suits: the turned one, then the side suits by their holdings, as in policies/chart.py.
    """

    reach: Array     # float64 [8, class]: a share of all deals
    gain1: Array     # float64 [4, class]: points, taking minus passing
    gain2: Array     # float64 [4, 4, class]: by seat and suit
    chart: Actions   # uint8 [8, class]: what the chart says
    brings_upcard: tuple[int, ...] = (3,)   # seats to which taking brings the turned card: they count it


class Judged(NamedTuple):
    """Of every class at a node: the strength that is judged, what taking gains times its reach, and with which suit."""

    strength: Array   # int64 [class]
    value: Array      # float64 [class]
    named: Array      # float64 [suit, class]: chance that the count would name it (equals are named equally often)


@dataclass(frozen=True, slots=True)
class Count:
    """Points by name, whole numbers, and the strengths asked for at the eight nodes."""

    form: Form
    points: dict[str, int]
    thresholds: tuple[int, ...]

    @property
    def weights(self) -> Array:
        """The 34 weights."""
        return weights_of(self.form, self.points)

    def policy(self, name: str) -> PointCount:
        """As a bidding policy."""
        w = [int(value) for value in self.weights]
        return PointCount(
            trump_cards=tuple(w[:_TRUMP_LENGTH]), trump_length=tuple(w[_TRUMP_LENGTH:_SIDE]),
            side_cards=tuple(w[_SIDE:_SIDE_LENGTH]), side_length=tuple(w[_SIDE_LENGTH:]),
            round1=self.thresholds[:4], round2=self.thresholds[4:], counts_upcard=True, name=name,
        )


@dataclass(frozen=True, slots=True)
class NodeReport:
    """What a count does at one node; gains are points times reach, over passing always."""

    round: int
    seat: int
    reach: float       # deals in which the node is reached
    takes: float       # share of these in which the count takes
    chart_takes: float
    agrees: float      # share in which the count says what the chart says
    gain: float        # of the count
    chart: float       # of the chart
    best: float        # of whatever the table says is best
    steps: float       # of the count, were each strength by itself taken or passed, high or low


def decisions_of(table: Acceptance) -> Decisions:
    """What a table tells; UsageError where the turned suit may not be named again in round 2.

    Within a cell decisions were met as often as random deals meet them, however many were dealt on purpose.
    """
    rules = table.about["rules"]
    if not rules["auction"]["round2_any_suit"]:
        raise UsageError(f"{table.folder} is of rules that bar the turned suit from round 2: give a table of others")
    n, pooled = (table.classes.column(name).to_numpy() for name in ("n", "pooled"))
    visits, cell, cells = table.cells.column("visits").to_numpy(), design(False).cell, design(False).cells
    reach, gains = [], []
    for place, group in enumerate(groups()):
        gains.append(pooled[group.start : group.stop])
        if not group.other:
            met = n[group.start : group.stop]
            of_cell = np.bincount(cell, met, cells)
            often = visits[place * cells : (place + 1) * cells] / np.maximum(of_cell, 1)
            reach.append(met * often[cell])
    second = [[gains[4 + seat], *gains[8 + seat][named_sides()]] for seat in range(4)]
    chart = read_chart(table.chart_file).actions
    brings = (3,) if rules["deal"]["upcard_to"] == "dealer" else (0, 1, 2, 3)
    return Decisions(np.stack(reach), np.stack(gains[:4]), np.array(second), chart, brings)


def unit(*places: int) -> Array:
    """Weights of 1 at some places."""
    weights = np.zeros(WEIGHTS, np.int64)
    weights[list(places)] = 1
    return weights


def thumb_form() -> dict[str, Array]:
    """Trumps by rank and number, side aces, tens and kings, void suits and single cards."""
    each = np.zeros(WEIGHTS, np.int64)
    each[_TRUMP_LENGTH:_SIDE] = np.arange(LENGTHS)
    form = {rank: unit(_NAMES.index(rank)) for rank in "J9ATKQ"} | {"each trump": each}
    form |= {f"side {rank}": unit(_SIDE + _NAMES.index(rank)) for rank in "ATK"}
    return form | {"void": unit(_SIDE_LENGTH), "single card": unit(_SIDE_LENGTH + 1)}


def full_form() -> dict[str, Array]:
    """Every card and every number of cards that a hand can hold."""
    form = {f"trump {rank}": unit(place) for place, rank in enumerate(_NAMES)}
    form |= {f"{n} trumps": unit(_TRUMP_LENGTH + n) for n in range(7)}
    form |= {f"side {rank}": unit(_SIDE + place) for place, rank in enumerate(_NAMES)}
    return form | {f"{n} side cards": unit(_SIDE_LENGTH + n) for n in range(6)}


def weights_of(form: Form, points: Mapping[str, int]) -> Array:
    """The 34 weights that points come to."""
    return sum((points[name] * vector for name, vector in form.items()), np.zeros(WEIGHTS, np.int64))


class Judge:
    """Judges all hands of a table by one count after another."""

    def __init__(self, decisions: Decisions) -> None:
        classes = turned_classes()
        self.decisions = decisions
        held = np.stack([classes.trumps, *classes.sides]).astype(np.uint8)
        turned = held.copy()
        turned[0] |= (1 << classes.up).astype(np.uint8)
        brings = decisions.brings_upcard
        views = ((held, [seat for seat in range(4) if seat not in brings]), (turned, brings))
        self._views = [(cards, seats) for cards, seats in views if seats]
        self._value1 = decisions.reach[:4] * decisions.gain1
        self._value2 = decisions.reach[4:, None] * decisions.gain2
        self._named = np.vstack([np.full_like(held[:1], 255), held[1:]])  # the turned suit is like no other

    def nodes(self, weights: Array) -> list[Judged]:
        """All hands at all nodes."""
        found: dict[int, Judged] = {}
        for held, seats in self._views:
            strengths = _strengths(weights, held)
            best = strengths.max(axis=0)
            named = (strengths == best).astype(np.float64)
            named /= named.sum(axis=0)
            for seat in seats:
                found[seat] = Judged(strengths[0], self._value1[seat], _TURNED)
                found[4 + seat] = Judged(best, np.einsum("sc,sc->c", named, self._value2[seat]), named)
        return [found[place] for place in range(len(NODES))]

    def fit_thresholds(self, weights: Array) -> tuple[tuple[int, ...], float]:
        """The strengths to ask for at each node that gain most, and that gain."""
        best = [_best_threshold(*by_strength(node)) for node in self.nodes(weights)]
        return tuple(threshold for threshold, _ in best), sum(gain for _, gain in best)

    def gain(self, form: Form, points: Mapping[str, int]) -> float:
        """What a count gains with the best thresholds."""
        return self.fit_thresholds(weights_of(form, points))[1]

    def slopes(self, form: Form) -> dict[str, float]:
        """Points that each name is worth by weighted least squares on the gains, those near 0 weighing most."""
        size, nodes = len(form), len(NODES)
        normal, right = np.zeros((size + nodes,) * 2), np.zeros(size + nodes)
        for held, seats in self._views:
            rows = np.stack([_strengths(weights, held) for weights in form.values()]).astype(np.float64)
            for seat in seats:
                for node, suit, gain in self._gains(seat):
                    weight = self.decisions.reach[node] / (1 + (gain / NEAR) ** 2)
                    design = np.vstack([rows[:, suit], np.zeros((nodes, len(gain)))])
                    design[size + node] = 1
                    normal += (design * weight) @ design.T
                    right += design @ (weight * gain)
        solution, *_ = np.linalg.lstsq(normal, right, rcond=1e-9)
        return dict(zip(form, solution.tolist(), strict=False))

    def _gains(self, seat: int) -> list[tuple[int, int, Array]]:
        """Node, suit and gains of what a seat may take."""
        later = [(4 + seat, suit, gain) for suit, gain in enumerate(self.decisions.gain2[seat])]
        return [(seat, 0, self.decisions.gain1[seat]), *later]

    def report(self, count: Count) -> list[NodeReport]:
        """What a count does at each node."""
        nodes = zip(self.nodes(count.weights), count.thresholds, strict=True)
        return [self._report(place, judged, threshold) for place, (judged, threshold) in enumerate(nodes)]

    def _report(self, place: int, judged: Judged, threshold: int) -> NodeReport:
        table, (round_, seat) = self.decisions, NODES[place]
        reach, chart = table.reach[place], table.chart[place]
        gains = table.gain1[seat][None] if round_ == 1 else table.gain2[seat]
        takes = judged.strength >= threshold
        said = np.take_along_axis(np.vstack([np.zeros_like(reach), gains]), chart[None].astype(np.intp), 0)[0]
        named = np.take_along_axis(self._named, np.maximum(chart, TURNED)[None].astype(np.intp) - 1, 0)
        same = (judged.named * (self._named == named)).sum(axis=0)
        agrees = np.where(takes, (chart != PASS) * same, chart == PASS)
        _, totals = by_strength(judged)
        return NodeReport(
            round_, seat, float(reach.sum()), _share(reach, takes), _share(reach, chart != PASS),
            _share(reach, agrees), float(judged.value[takes].sum()), float(reach @ said),
            float(reach @ np.maximum(gains.max(axis=0), 0)), float(np.maximum(totals, 0).sum()),
        )


def _share(reach: Array, of: Array) -> float:
    return float(reach @ of / reach.sum()) if reach.any() else 0.0


def _strengths(weights: Array, held: Array) -> Array:
    """Strength with each suit as trumps, int64 [suit, class], of holdings [suit, class]."""
    trump, side = holding_worths(weights)
    sides = side[held]
    return np.asarray(sides.sum(axis=0) - sides + trump[held])


def holding_worths(weights: Array) -> tuple[Array, Array]:
    """What every holding, a byte, is worth as trumps and as a side suit."""
    bits = np.arange(256)[:, None] >> np.arange(RANKS) & 1
    trump = bits @ weights[:_TRUMP_LENGTH] + weights[_TRUMP_LENGTH + SIZE]
    return trump, bits @ weights[_SIDE:_SIDE_LENGTH] + weights[_SIDE_LENGTH + SIZE]


def by_strength(node: Judged) -> tuple[int, Array]:
    """The least strength, and the values of taking added up by strength from it on."""
    least = int(node.strength.min())
    return least, np.bincount(node.strength - least, node.value)


def _best_threshold(least: int, totals: Array) -> tuple[int, float]:
    """The threshold that gains most, one above all strengths if nothing gains."""
    tails = np.append(totals[::-1].cumsum()[::-1], 0.0)
    place = int(tails.argmax())
    return least + place, float(tails[place])


def fit(judge: Judge, form: Form, largest: int, starts: int = 4) -> Count:
    """The count of a form that gains most, its points no larger than `largest`, as far as `climbed` finds it.

    It sets out from what least squares say, at so many scales.
    """
    slopes = np.array([*judge.slopes(form).values()])
    slopes /= np.abs(slopes).max()
    tops = np.unique(np.linspace((largest + 1) // 2, largest, starts).astype(int))
    scaled = (dict(zip(form, (int(value) for value in np.rint(top * slopes)), strict=True)) for top in tops)
    points, _ = max((climbed(judge, form, start, largest) for start in scaled), key=lambda climb: climb[1])
    return Count(form, points, judge.fit_thresholds(weights_of(form, points))[0])


def climbed(judge: Judge, form: Form, points: dict[str, int], largest: int) -> tuple[dict[str, int], float]:
    """Points moved one name at a time as long as that gains, and what they gain.

    A move is a step up or down, at first of an eighth of `largest`, halved when no move gains; or to 0.
    """
    best, step = judge.gain(form, points), max(largest // 8, 1)
    while step:
        before = best
        for name in form:
            for value in (points[name] + step, points[name] - step, 0):
                moved = points | {name: value}
                if value != points[name] and abs(value) <= largest and (gain := judge.gain(form, moved)) > best:
                    points, best = moved, gain
        step = step if best > before else step // 2
    return points, best
