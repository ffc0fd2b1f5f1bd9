"""How often are melds dealt, and what are they worth?  Counts the melds of a run beside their exact chances.

Reads the deals of a run that `mpsim simulate` made, before bidding and exchange and after them.  Prints a short table,
and writes every number to FOLDER/melds.csv (its columns: docs/melds.md) and the figures beside it.

    mpsim simulate --deals 1e7 --seed 1 --out runs/first
    python analysis/meld_frequency.py runs/first --out melds
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

import mpsim
from mpsim.charts.melds import meld_figures
from mpsim.stats.meld_table import Row, meld_name
from mpsim.studies.melds import MeldStudy, study_run

SHOWN = ("run_3_up", "run_4_up", "run_5_up", "fours", "pair")
"""The melds of the printed table; others are named as in the CSV file."""


def print_table(study: MeldStudy) -> None:
    """Chances of one or more, and mean points: exact, and simulated with 95 % intervals."""
    print(f"{study.rules.name}: {study.dealt.describe() if study.dealt else 'exact'}")
    print(f"{'':28} {'exact':>12} {'simulated':>12} {'± 95 %':>10} {'n':>14}")
    for scope in ("hand", "team", "deal"):
        for meld in SHOWN:
            print_row(f"a {scope}: {meld_name(meld)}, %", study.find(scope, meld, "some"), 100)
        print_row(f"a {scope}: mean points", study.find(scope, "points", "mean"), 1)


def print_row(name: str, row: Row, scale: int) -> None:
    """One line, its numbers times `scale`."""
    exact, simulated, error = (scale * float(value or 0) for value in (row.exact, row.simulated, 1.96 * (row.se or 0)))
    print(f"{name:28} {exact:12.5f} {simulated:12.5f} {error:10.5f} {row.n or 0:14,}")


def write_csv(study: MeldStudy, path: Path) -> None:
    """All numbers, a row each."""
    rows = study.all_rows()
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def draw(study: MeldStudy, folder: Path) -> None:
    """A PNG file for each figure."""
    for name, figure in meld_figures(study).items():
        figure.savefig(folder / f"{name}.png")


def main(words: Sequence[str] | None = None) -> None:
    """Read, print, write, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of a run")
    parser.add_argument("--out", type=Path, default=Path("melds"), help="folder to write to, made if need be")
    options = parser.parse_args(words)
    study = study_run(mpsim.open_run(options.run))
    print_table(study)
    options.out.mkdir(parents=True, exist_ok=True)
    write_csv(study, options.out / "melds.csv")
    draw(study, options.out)


if __name__ == "__main__":
    main()
