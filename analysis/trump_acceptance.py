"""How often are trumps accepted, how often is that a success, and what does it bring?  By seat, round and hand.

Reads the deals of a run that `mpsim simulate` made; nothing is played again.  Each turn of the auction is a decision:
in round 1 about the turned suit, in round 2 about each suit that may be named, counted each by itself.  The class of a
hand is its number of trumps, were that suit trumps, and which of the two key trumps, jack and nine, are among them.
Of each seat, round and class: how often the seat took with that suit, how often it then made its contract, and its
team's mean score minus the other team's, with n and 95 % intervals.  With `--table` what an acceptance table says of
the class stands beside them: its decisions, their mean difference with its error, and the share of hands with which its
chart takes, each cell of the table weighing as often as deals come to it.

Prints the totals, and writes every number to FOLDER/trump_acceptance.csv and the rates to a figure beside it.

    mpsim simulate --deals 1e7 --seed 1 --out runs/first
    python analysis/trump_acceptance.py runs/first --out acceptance
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import mpsim
from mpsim.charts.style import BLUE, DPI, GREEN, GREY, ORANGE, captioned, plain, titled
from mpsim.engine.results import Run
from mpsim.stats.estimates import Moments, mean, rate
from mpsim.store.acceptance import read_acceptance
from mpsim.store.schema import OUTCOMES, layout_of, to_arrays

Array = npt.NDArray[Any]
Place = tuple[int, int, str, str, str]
"""Round, seat, suit (turned, other, any), number of trumps and key trumps (or all)."""
Row = dict[str, Any]

COLUMNS = (
    "first_0", "first_1", "first_2", "first_3", "upcard", "round", "taker", "contract", "outcome", "score_0", "score_1",
)
KEYS = ("-", "9", "J", "J9")
NINE, JACK = 4, 16
NUMBERS = 6
CLASSES = NUMBERS * len(KEYS)
CLASS = np.array([len(KEYS) * byte.bit_count() + bool(byte & NINE) + 2 * bool(byte & JACK) for byte in range(256)])
"""Class of a holding of the trump suit."""
WORTHY = sum(0b11111000 << 8 * suit for suit in range(4))
"""Tens, jacks, queens, kings and aces: worth something in a side suit."""
SHOWN = {"acceptance": 100, "success": 100, "score": 1}
SAID = ("table_n", "table_difference", "table_se", "table_accepts")
MARKS = {"-": (GREY, "o"), "9": (GREEN, "s"), "J": (BLUE, "^"), "J9": (ORANGE, "D")}


def counted(run: Run) -> Array:
    """int64 [round, seat, turned | other | any suit, class, 5]: decisions, taken, made, their scores, their squares."""
    rules, counts = run.rules, np.zeros((2, 4, 3, CLASSES, 5), np.int64)
    if rules.auction.kind != "accept" or len(rules.deck.ranks) != 8:
        raise mpsim.MpsimError(f"{rules.name} has no turned suit to accept: give a run of a game like mpourloto")
    for batch in run.batches(COLUMNS):
        rows = to_arrays(batch, layout_of(rules))
        speaks = np.ones(len(rows["round"]), bool)
        if rules.auction.aponta:
            speaks = np.all([rows[f"first_{seat}"] & np.uint32(WORTHY) != 0 for seat in range(4)], axis=0)
        for seat in range(4):
            add_seat(counts[:, seat], rows, seat, speaks, rules.auction.round2_any_suit)
    return counts


def add_seat(counts: Array, rows: dict[str, Array], seat: int, speaks: Array, any_suit: bool) -> None:
    """Add the decisions of one seat in a batch of deals; where not `speaks`, nobody was asked."""
    score = (rows["score_0"].astype(np.int64) - rows["score_1"]) * (1 if seat % 2 == 0 else -1)
    made, takes, hand = rows["outcome"] == OUTCOMES.index("made"), rows["taker"] == seat, rows[f"first_{seat}"]
    for round_ in (1, 2):
        later = (rows["round"] == 0) | (rows["round"] > round_)
        asked = speaks & (later | ((rows["round"] == round_) & (rows["taker"] >= seat)))
        taken = takes & (rows["round"] == round_)
        add(counts[round_ - 1, 2], np.zeros(len(hand), np.int64), asked, taken, made, score)
        for step in range(4 if round_ == 2 else 1):
            if step or round_ == 1 or any_suit:
                suit = (rows["upcard"] // 8 + step) % 4
                classes = CLASS[hand >> (8 * suit).astype(np.uint32) & np.uint32(255)]
                add(counts[round_ - 1, min(step, 1)], classes, asked, taken & (rows["contract"] == suit), made, score)


def add(counts: Array, classes: Array, asked: Array, taken: Array, made: Array, score: Array) -> None:
    """Add decisions to [class, 5]."""
    for column, (which, values) in enumerate((
        (asked, None), (taken, None), (taken & made, None), (taken, score), (taken, score**2),
    )):
        weights = None if values is None else values[which]
        counts[:, column] += np.bincount(classes[which], weights, CLASSES).astype(np.int64)


def table_rows(counts: Array) -> Iterator[tuple[Place, Row]]:
    """Every class that came, and the classes of a suit together; in round 2 all suits together too."""
    for round_, seat in np.ndindex(2, 4):
        for suit, name in enumerate(("turned", "other", "any")):
            classes = counts[round_, seat, suit]
            if name == "any" and round_ == 0:
                continue
            yield (round_ + 1, seat, name, "all", "all"), numbers(classes.sum(axis=0))
            for number in range(CLASSES if name != "any" else 0):
                place = (round_ + 1, seat, name, str(number // len(KEYS)), KEYS[number % len(KEYS)])
                yield place, numbers(classes[number])


def numbers(counts: Array) -> Row:
    """Rates and means with their intervals."""
    n, taken, made, total, squares = counts.tolist()
    accepted, success = rate(taken, n, "decisions"), rate(made, taken, "deals taken")
    score = mean(Moments(taken, total, squares), "deals taken")
    return {
        "n": n, "accepted": taken, "acceptance": accepted.rate, "acceptance_low": accepted.low,
        "acceptance_high": accepted.high, "made": made, "success": success.rate, "success_low": success.low,
        "success_high": success.high, "score": score.mean, "score_se": score.se, "score_low": score.low,
        "score_high": score.high,
    }


def said_by_table(cells: pa.Table) -> dict[Place, Row]:
    """Of an acceptance table by class: decisions, mean difference and how often its chart takes, by how often met."""
    sums: dict[Place, Array] = {}
    for cell in cells.to_pylist():
        keys = "".join(key for key in "J9" if key in cell["trumps"]) or "-"
        number, often = str(len(cell["trumps"].strip("-"))), cell["visits"]
        if often and not math.isnan(cell["se"]):
            found = np.array([
                cell["n"], often, often * cell["difference"], (often * cell["se"]) ** 2, often * cell["accepting"],
            ])
            for where in ((number, keys), ("all", "all")):
                place = (cell["round"], cell["seat"], cell["named"], *where)
                sums[place] = sums.get(place, 0) + found
    return {
        place: dict(zip(SAID, (int(n), total / often, squares**0.5 / often, takes / often), strict=True))
        for place, (n, often, total, squares, takes) in sums.items()
    }


def with_table(rows: Iterable[tuple[Place, Row]], said: dict[Place, Row]) -> list[Row]:
    """Rows as they are written, those of the table joined."""
    none = dict.fromkeys(SAID) if said else {}
    keys = ("round", "seat", "suit", "trumps", "keys")
    return [dict(zip(keys, place, strict=True)) | row | (said.get(place, none)) for place, row in rows if row["n"]]


def print_totals(rows: list[Row]) -> None:
    """The lines of all hands."""
    print(f"round seat    suit    decisions {'accepted, %':>23} {'then made, %':>23} {'mean score then':>23}")
    for row in rows:
        if row["trumps"] == "all":
            found = (f"{shown(row, name, scale):>24}" for name, scale in SHOWN.items())
            print(f"{row['round']:5} {row['seat']:4} {row['suit']:>7} {row['n']:12,}{''.join(found)}")


def shown(row: Row, name: str, scale: int) -> str:
    """A number with its interval."""
    if row[f"{name}_low"] is None:
        return "-"
    low, value, high = (scale * row[key] for key in (f"{name}_low", name, f"{name}_high"))
    return f"{value:.2f} ({low:.2f} .. {high:.2f})"


def figure_of(rows: list[Row], source: str) -> Figure:
    """Rates by number of trumps and key trumps: a row of panels for each round and rate, a column for each seat."""
    figure = Figure(figsize=(10, 10), dpi=DPI)
    panels = figure.subplots(4, 4, sharex=True, sharey="row")
    for across, (round_, name, label) in zip(panels, (
        (1, "acceptance", "accepted, round 1"), (1, "success", "then made"),
        (2, "acceptance", "named, round 2"), (2, "success", "then made"),
    ), strict=True):
        across[0].set_ylabel(f"{label}, %")
        for seat, axes in enumerate(across):
            for shift, keys in enumerate(KEYS):
                draw_rates(axes, classed(rows, round_, seat, keys), name, keys, 0.12 * shift - 0.18)
            axes.set_xticks(range(NUMBERS))
            axes.grid(color="#e5e5e5")
            plain(axes, "top", "right")
    for seat in range(4):
        panels[0][seat].set_title(f"seat {seat}" + " (dealer)" * (seat == 3), fontsize=10)
        panels[-1][seat].set_xlabel("trumps held")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", ncols=4, frameon=False)
    titled(figure, "How often trumps are accepted, and how often made")
    captioned(figure, (
        f"{source}. Shares of decisions at which the seat took, and of the deals it took which it made, by number of "
        "trumps among its five cards and by the key trumps, jack and nine, among them. Round 1: the turned suit; round "
        "2: any other suit, each counted by itself. Whiskers are 95 % Wilson intervals; rates of fewer than 30 "
        "decisions or deals are not drawn."
    ))
    return figure


def classed(rows: list[Row], round_: int, seat: int, keys: str) -> list[Row]:
    """The classes of one line."""
    wanted = (round_, seat, "turned" if round_ == 1 else "other", keys)
    return [row for row in rows if (row["round"], row["seat"], row["suit"], row["keys"]) == wanted]


def draw_rates(axes: Axes, rows: list[Row], name: str, keys: str, shift: float) -> None:
    """One line with its intervals."""
    colour, marker = MARKS[keys]
    rows = [row for row in rows if row["n" if name == "acceptance" else "accepted"] >= 30]
    points = [int(row["trumps"]) + shift for row in rows]
    rates = [100 * row[name] for row in rows]
    errors = [[100 * abs(row[name] - row[f"{name}_{end}"]) for row in rows] for end in ("low", "high")]
    axes.errorbar(points, rates, errors if rows else None, color=colour, marker=marker, ms=4.5, lw=1, capsize=2,
                  label="neither J nor 9" if keys == "-" else " and ".join(keys))


def write_csv(rows: list[Row], path: Path) -> None:
    """All numbers, a row each."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def main(words: Sequence[str] | None = None) -> None:
    """Read, count, print, write, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of a run")
    parser.add_argument("--table", type=Path, help="folder of an acceptance table to set beside it")
    parser.add_argument("--out", type=Path, default=Path("acceptance"), help="folder to write to, made if need be")
    options = parser.parse_args(words)
    run = mpsim.open_run(options.run)
    said = said_by_table(read_acceptance(options.table).cells) if options.table else {}
    rows = with_table(table_rows(counted(run)), said)
    source = f"{run.rules.name}, {run.tally.count('deals'):,} deals of seed {run.seed}, {run.players_text}"
    print(source)
    print_totals(rows)
    options.out.mkdir(parents=True, exist_ok=True)
    write_csv(rows, options.out / "trump_acceptance.csv")
    figure_of(rows, f"Rules {source}").savefig(options.out / "trump_acceptance.png")


if __name__ == "__main__":
    main()
