"""Who takes, how often it is made, and by how much?  Draws docs/picture.png, the picture of the README.

Left, the makers' margin over all played deals; right, for each seat and round in which trumps were fixed, how often the
contract was made, with greedy and with random play of the same deals.  Prints the numbers of the right side.

    python analysis/readme_picture.py --deals 4e6 --seed 1 [--out docs/picture.png]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import mpsim
from mpsim.stats.estimates import Rate, rate

Ints = npt.NDArray[np.int64]

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#555555"  # of the Okabe-Ito palette, told apart by the colour-blind too
PLAYS = (("greedy", BLUE, "o"), ("random", ORANGE, "s"))
COLUMNS = ("round", "taker", "outcome", "points_0", "points_1", "meld_0", "meld_1")
BIN = 10
CELLS = [(turn, seat) for turn in (1, 2) for seat in range(4)]


class Outcomes(NamedTuple):
    """What one player made of the deals."""

    margins: Ints               # [i]: played deals in which the makers were ahead by -MOST + 2 * i
    taken: dict[tuple[int, int], Rate]      # by (round, seat): of all deals, those in which trumps were fixed there
    made: dict[tuple[int, int], Rate]       # of these, those that were made


MOST = 600
"""No margin is larger: 242 points and melds of less than 360."""


def measure(run: mpsim.Run) -> Outcomes:
    """Count a run's deals, batch by batch."""
    margins, cells = np.zeros(MOST + 1, np.int64), np.zeros((3, 4, 2), np.int64)
    for batch in run.batches(COLUMNS):
        rows = {name: batch.column(name) for name in COLUMNS}
        made = rows.pop("outcome").cast("string").to_numpy(zero_copy_only=False) == "made"
        values = {name: column.to_numpy().astype(np.int64) for name, column in rows.items()}
        played = values["round"] > 0
        ahead = values["points_0"] + values["meld_0"] - values["points_1"] - values["meld_1"]
        ahead = np.where(values["taker"] % 2 == 0, ahead, -ahead)[played]
        # Points and melds of a deal add up to an even number, so no margin is odd.
        margins += np.bincount((ahead + MOST) // 2, minlength=len(margins))
        np.add.at(cells, (values["round"][played], values["taker"][played], made[played].astype(int)), 1)
    taken = {cell: rate(int(cells[cell].sum()), run.deals, "all deals") for cell in CELLS}
    made_rates = {cell: rate(int(cells[cell][1]), int(cells[cell].sum()), "contracts") for cell in CELLS}
    return Outcomes(margins, taken, made_rates)


def draw_margins(axes: Axes, outcomes: Outcomes) -> None:
    """The distribution of the makers' margin, made and failed shaded; a margin of 0 is failed."""
    margin = np.arange(-MOST, MOST + 2, 2)
    start = np.arange(-MOST - BIN + 1, MOST + BIN, BIN)  # ..., -9 to 0, 1 to 10, ...
    share = np.histogram(margin, start, weights=outcomes.margins)[0] / outcomes.margins.sum() * 100
    failed = float(outcomes.margins[margin <= 0].sum() / outcomes.margins.sum() * 100)
    colours = [BLUE if low > 0 else ORANGE for low in start[:-1]]
    axes.bar(start[:-1] + BIN / 2 - 0.5, share, BIN, color=colours, edgecolor="white", linewidth=0.4)
    axes.axvline(0.5, color=GREY, linewidth=0.8)
    top = share.max()
    axes.text(-12, top * 1.05, f"failed {failed:.1f} %", ha="right", color=ORANGE, fontweight="bold")
    axes.text(13, top * 1.05, f"made {100 - failed:.1f} %", ha="left", color=BLUE, fontweight="bold")
    capo = share[start[:-1] >= 221].max()
    axes.text(250, capo + top * 0.02, "all eight tricks", ha="center", va="bottom", color=GREY)
    axes.set(xlim=(-170, 310), ylim=(0, top * 1.15), ylabel="% of played deals",
             xlabel="makers' points minus opponents', melds included")
    axes.set_title("How far the makers are ahead (greedy play)", loc="left")


def draw_made(axes: Axes, by_play: dict[str, Outcomes]) -> None:
    """How often the contract is made by seat and round, with 95 % intervals."""
    for (play, colour, marker), shift in zip(PLAYS, (-0.13, 0.13), strict=True):
        rates = [by_play[play].made[cell] for cell in CELLS]
        middle = np.array([r.rate for r in rates], float) * 100
        low, high = (np.array([getattr(r, end) for r in rates], float) * 100 for end in ("low", "high"))
        places = np.arange(8) + (np.arange(8) >= 4) * 0.6 + shift
        axes.errorbar(places, middle, [middle - low, high - middle], fmt=marker, color=colour, markersize=4.5,
                      capsize=3.5, linewidth=1.2, label=f"{play} play")
    taken = by_play["greedy"].taken
    names = ["seat 0", "seat 1", "seat 2", "dealer"]
    labels = [f"{names[seat]}\n{(taken[turn, seat].rate or 0) * 100:.1f} %" for turn, seat in CELLS]
    axes.set_xticks(np.arange(8) + (np.arange(8) >= 4) * 0.6, labels, fontsize=8)
    for x, text in ((1.5, "round 1: takes the turned suit"), (6.1, "round 2: names a suit")):
        axes.text(x, -0.185, text, ha="center", va="top", transform=axes.get_xaxis_transform(), color=GREY)
    axes.axvline(3.8, color="#cccccc", linewidth=0.8)
    axes.grid(axis="y", color="#e5e5e5", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set(ylabel="contracts made, %")
    axes.margins(y=0.12)
    axes.set_title("Who takes (% of all deals below), and is it made?", loc="left")
    axes.legend(frameon=False, loc="best")


def picture(by_play: dict[str, Outcomes], caption: str) -> Figure:
    """Both sides and the caption."""
    with plt.rc_context({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}):
        figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.3), width_ratios=(1, 1.15))
        draw_margins(left, by_play["greedy"])
        draw_made(right, by_play)
        figure.text(0.01, 0.012, caption, fontsize=7.5, color=GREY)
        figure.tight_layout(rect=(0, 0.075, 1, 1), w_pad=2.5)
    return figure


def main() -> None:
    """Play, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", default="4e6")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "docs" / "picture.png")
    options = parser.parse_args()
    runs = {play: mpsim.simulate(options.deals, seed=options.seed, play=play) for play, *_ in PLAYS}
    by_play = {play: measure(run) for play, run in runs.items()}
    for cell in CELLS:
        rates = "".join(f"   {play} {_text(by_play[play].made[cell])}" for play in by_play)
        print(f"round {cell[0]} seat {cell[1]}: taken {_text(by_play['greedy'].taken[cell])}{rates}")
    run = runs["greedy"]
    bid = run.policies.bid[0].label
    figure = picture(by_play, (
        f"Rules {run.rules.name}; bidding {bid}; play as named, the same deals; {run.deals:,} deals, seed {run.seed}; "
        "whiskers are 95 % intervals.\nMade: % of the contracts of that seat and round (the axis does not start at 0); "
        "a level deal has failed. Seats in turn order: seat 0, the dealer's next, speaks first."
    ))
    figure.savefig(options.out, dpi=160, metadata={"Software": f"mpsim {mpsim.__version__}"})


def _text(of: Rate) -> str:
    return f"{(of.rate or 0) * 100:.2f} % ({(of.low or 0) * 100:.2f} .. {(of.high or 0) * 100:.2f}, n {of.n:,})"


if __name__ == "__main__":
    main()
