"""What is each card worth when one decides on trumps?  Finds the point count that mpsim ships.

At each decision (seat, round) the deals in which it is reached are played twice, with the same cards and the same play:
once the seat takes, once it passes.  The paired difference of the team scores is what taking is worth; least squares
on the cards held (trumps by rank and number, side cards by rank, side suits by length, one constant a seat and round)
gives each card's share, and the constants give the thresholds.  All seats then play the new count, half-way after the
first iteration, and the next iteration measures against it.

    python analysis/tune_point_count.py --deals 1e6 --iterations 8 > points.toml
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mpsim.engine.batch import play_batch
from mpsim.policies import PointCount, Policies, load_policies
from mpsim.rules import load_rules

Floats = npt.NDArray[np.float64]
RULES = load_rules("mpourloto")
TAKE, PASS = -100_000, 100_000
RANKS = "789TJQKA"
FIRST = Path(__file__).with_name("first_count.toml")
RIDGE = 1.0
"""Shrinks what the data cannot tell apart (all holdings add up to the hand); of no weight against 10^5 decisions."""


def forced(count: PointCount, seat: int, round_: int, threshold: int) -> Policies:
    """All seats bid by `count`, but `seat` takes or passes at its decision in `round_` whatever it holds."""
    name = f"round{round_}"
    thresholds = list(getattr(count, name))
    thresholds[seat] = threshold
    mine = replace(count, **{name: tuple(thresholds)})
    bidders = tuple(mine if other == seat else count for other in range(4))
    return Policies(play=("greedy",) * 4, bid=bidders)  # type: ignore[arg-type]


def holdings(hands: npt.NDArray[np.uint32], trump: npt.NDArray[np.int8]) -> Floats:
    """Regressors [n, 34]: 8 trump cards, 9 trump lengths, 8 side cards by rank, 9 side lengths (number of suits)."""
    rows = np.zeros((len(hands), 34))
    for turn in range(4):
        suit = (trump.astype(np.int64) + turn) % 4
        byte = (hands.astype(np.int64) >> 8 * suit) & 255
        bits = (byte[:, None] >> np.arange(8)) & 1
        offset = 0 if turn == 0 else 17
        rows[:, offset : offset + 8] += bits
        np.add.at(rows, (np.arange(len(hands)), offset + 8 + bits.sum(1)), 1)
    return rows


def decisions(count: PointCount, seat: int, round_: int, seed: int, deals: int) -> tuple[Floats, Floats]:
    """Regressors and paired differences (points, the taker's team minus the other) where the decision is reached."""
    take = play_batch(RULES, forced(count, seat, round_, TAKE), seed, 0, deals)
    leave = play_batch(RULES, forced(count, seat, round_, PASS), seed, 0, deals)
    here = (take["taker"] == seat) & (take["round"] == round_)
    margins = [c["score_0"][here].astype(np.int64) - c["score_1"][here].astype(np.int64) for c in (take, leave)]
    hands = take[f"first_{seat}"][here]
    if seat == 3:
        hands = hands | np.uint32(1) << take["upcard"][here].astype(np.uint32)
    difference = (margins[0] - margins[1]) * (1 if seat % 2 == 0 else -1)
    return holdings(hands, take["contract"][here]), difference.astype(np.float64)


def fit(count: PointCount, seed: int, deals: int) -> tuple[Floats, Floats]:
    """The 34 card and length values and the 8 constants, by ridge regression over all decisions."""
    gram, moment = np.zeros((42, 42)), np.zeros(42)
    for node in range(8):
        rows, difference = decisions(count, node % 4, 1 + node // 4, seed, deals)
        design = np.hstack([rows, np.zeros((len(rows), 8))])
        design[:, 34 + node] = 1
        gram += design.T @ design
        moment += design.T @ difference
        print(f"  seat {node % 4} round {1 + node // 4}: {len(rows):8,} decisions, taking is worth "
              f"{difference.mean():+6.2f} +- {1.96 * difference.std() / max(len(rows), 1) ** 0.5:.2f}", file=sys.stderr)
    solution = np.linalg.solve(gram + RIDGE * np.eye(42), moment)
    return solution[:34], solution[34:]


def updated(count: PointCount, values: Floats, constants: Floats, weight: float) -> PointCount:
    """The count moved towards the fitted one by `weight`, in whole points."""
    old = np.array([*count.trump_cards, *count.trump_length, *count.side_cards, *count.side_length], float)
    new = np.rint((1 - weight) * old + weight * values).astype(int)
    thresholds = np.rint((1 - weight) * np.array([*count.round1, *count.round2]) - weight * constants).astype(int)
    whole = [int(v) for v in new]
    return PointCount(
        trump_cards=tuple(whole[:8]), trump_length=tuple(whole[8:17]),
        side_cards=tuple(whole[17:25]), side_length=tuple(whole[25:]),
        round1=tuple(int(t) for t in thresholds[:4]), round2=tuple(int(t) for t in thresholds[4:]),
        counts_upcard=True, name=count.name,
    )


def readable(count: PointCount) -> PointCount:
    """The same decisions in friendlier numbers: the middle side card, no trumps and two-card side suits count 0.

    A hand has five cards (the dealer's six, the turned one counted) and three side suits, so what is added to every
    card or suit is taken off the thresholds.  Lengths that no hand of six can have repeat the longest that one can.
    """
    card, side, none = sorted(count.side_cards)[4], count.side_length[2], count.trump_length[0]
    trump_length = [value - none - card * n for n, value in enumerate(count.trump_length)][:7]
    side_length = [value - side for value in count.side_length][:7]
    shift = [none + 3 * side + card * (6 if seat == 3 else 5) for seat in range(4)]
    return replace(
        count,
        trump_length=(*trump_length, *trump_length[-1:] * 2),
        side_cards=tuple(value - card for value in count.side_cards),
        side_length=(*side_length, *side_length[-1:] * 2),
        round1=tuple(t - s for t, s in zip(count.round1, shift, strict=True)),
        round2=tuple(t - s for t, s in zip(count.round2, shift, strict=True)),
    )


def as_toml(count: PointCount) -> str:
    """The count as a file that `--bid points:FILE` takes."""
    return "\n".join([
        f'name = "{count.name}"', f"counts_upcard = {str(count.counts_upcard).lower()}", "",
        "[trump]", f"cards = {list(count.trump_cards)}   # {' '.join(RANKS)}", f"length = {list(count.trump_length)}",
        "",
        "[side]", f"cards = {list(count.side_cards)}   # {' '.join(RANKS)}", f"length = {list(count.side_length)}", "",
        "[accept]", f"round1 = {list(count.round1)}   # seats 0-3", f"round2 = {list(count.round2)}", "",
    ])


def gain(new: PointCount, old: PointCount, seed: int, deals: int) -> tuple[float, float]:
    """Points a deal that `new` at one team's seats gains over `old` there, mean over both teams, and its half-width."""
    def margins(bids: tuple[PointCount, ...]) -> Floats:
        columns = play_batch(RULES, Policies(("greedy",) * 4, bids), seed, 0, deals)  # type: ignore[arg-type]
        return columns["score_0"].astype(np.float64) - columns["score_1"]

    difference = (margins((new, old, new, old)) - margins((old, new, old, new))) / 2
    return float(difference.mean()), float(1.96 * difference.std(ddof=1) / deals**0.5)


def main() -> None:
    """Iterate from the count made by hand, or from another, and print the result as TOML."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=float, default=1e6)
    parser.add_argument("--iterations", type=int, default=8)
    parser.add_argument("--start", default=f"points:{FIRST}", help="points, or points:FILE")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    deals = int(options.deals)
    start = count = load_policies(bid=options.start).bid[0]
    assert isinstance(start, PointCount)
    assert isinstance(count, PointCount)
    for iteration in range(options.iterations):
        print(f"iteration {iteration + 1}", file=sys.stderr)
        values, constants = fit(count, options.seed + iteration, deals)
        count = updated(count, values, constants, 1.0 if iteration == 0 else 0.5)
        better, half = gain(count, start, options.seed + 1000, deals)
        print(f"  against the start: {better:+.2f} +- {half:.2f} points a deal", file=sys.stderr)
    print(as_toml(readable(count)))


if __name__ == "__main__":
    main()
