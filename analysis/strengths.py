"""Is the chart the same whoever plays the cards?  Sets acceptance tables side by side, cell by cell.

Reads two or more folders of `mpsim acceptance`, say of players of different strength under the same rules.  A cell is a
holding of trumps and the rank of the turned card: 960 for the turned suit, at each seat in each round, and 1,752 for
another suit in round 2.  A cell is robust where every table has decided and all decided alike; where one says accept
and another pass they disagree; all other cells are undecided.  Shares are of cells, and of the hands they stand for,
which are equally likely to be dealt.

Prints the shares, and writes them to FOLDER/strengths.csv and every cell to FOLDER/cells.csv.

    mpsim acceptance --deals 1e8 --play random --out tables/random
    mpsim acceptance --deals 1e8 --play greedy --out tables/greedy
    python analysis/strengths.py tables/random tables/greedy --out strengths
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from mpsim.errors import UsageError
from mpsim.store.acceptance import read_acceptance

Row = dict[str, Any]
Cell = tuple[int, int, str, str, str]

CELL = ("round", "seat", "named", "trumps", "up")
SAID = ("n", "difference", "se", "verdict")
RELATIONS = ("all accept", "all pass", "disagree", "undecided")


def labels_of(folders: Sequence[Path]) -> list[str]:
    """What tables are called: by their folders' names, or whole paths where these are not all different."""
    names = [folder.resolve().name for folder in folders]
    names = names if len(set(names)) == len(names) else [str(folder) for folder in folders]
    if len(set(names)) < 2 or len(set(names)) < len(names):
        raise UsageError(f"{', '.join(names)}: give two or more tables, each once")
    return names


def compared(tables: dict[str, pa.Table]) -> list[Row]:
    """A row for each cell: what every table says of it, how they stand to each other, and whether it is robust."""
    first, *others = ({cell_of(row): row for row in table.to_pylist()} for table in tables.values())
    for label, other in zip([*tables][1:], others, strict=True):
        if other.keys() != first.keys():
            raise UsageError(f"{label} has other cells than {next(iter(tables))}: give whole tables of the same game")
    rows = []
    for cell, row in first.items():
        said = dict(zip(tables, (row, *(other[cell] for other in others)), strict=True))
        how = relation([entry["verdict"] for entry in said.values()])
        found = dict(zip(CELL, cell, strict=True)) | {"hands": row["hands"]}
        found |= {f"{name}_{label}": entry[name] for label, entry in said.items() for name in SAID}
        rows.append(found | {"relation": how, "robust": how.startswith("all")})
    return rows


def cell_of(row: Row) -> Cell:
    """Which cell a row is of."""
    return row["round"], row["seat"], row["named"], row["trumps"], row["up"]


def relation(verdicts: Sequence[str]) -> str:
    """How the verdicts on one cell stand to each other."""
    if {"accept", "pass"} <= set(verdicts):
        return "disagree"
    return "undecided" if "undecided" in verdicts else f"all {verdicts[0]}"


def shares(rows: Sequence[Row]) -> list[Row]:
    """By round, seat and kind of trumps, and by round and kind for all seats: cells and shares of each relation."""
    found = []
    for round_, named in ((1, "turned"), (2, "turned"), (2, "other")):
        group = [row for row in rows if (row["round"], row["named"]) == (round_, named)]
        by_seat = {str(seat): [row for row in group if row["seat"] == seat] for seat in range(4)}
        for seat, cells in (by_seat | {"all": group}).items():
            if cells:
                found.append({"round": round_, "seat": seat, "named": named, "cells": len(cells)} | shares_of(cells))
    return found


def shares_of(rows: Sequence[Row]) -> Row:
    """Of each relation the share of cells and of hands."""
    all_hands, found = sum(row["hands"] for row in rows), {}
    for name in RELATIONS:
        hands = [row["hands"] for row in rows if row["relation"] == name]
        found |= {f"{name}, cells": len(hands) / len(rows), f"{name}, hands": sum(hands) / all_hands}
    return found


def print_shares(found: Sequence[Row]) -> None:
    """In percent, of cells and of hands."""
    print(f"{'':27}" + "".join(f"{name + ', %':>22}" for name in RELATIONS))
    print(f"{'round':>5} {'seat':>4} {'suit':>7} {'cells':>6}   " + f"{'of cells':>13} {'hands':>8}" * len(RELATIONS))
    for row in found:
        numbers = "".join(
            f"{100 * row[f'{name}, cells']:13.1f} {100 * row[f'{name}, hands']:8.1f}" for name in RELATIONS
        )
        print(f"{row['round']:5} {row['seat']:>4} {row['named']:>7} {row['cells']:6,}   {numbers}")


def write_csv(rows: Sequence[Row], path: Path) -> None:
    """All numbers, a row each."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def main(words: Sequence[str] | None = None) -> None:
    """Read, compare, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path, nargs="+", help="two or more folders of mpsim acceptance")
    parser.add_argument("--out", type=Path, default=Path("strengths"), help="folder to write to, made if need be")
    options = parser.parse_args(words)
    labels = labels_of(options.tables)
    rows = compared({label: read_acceptance(path).cells for label, path in zip(labels, options.tables, strict=True)})
    found = shares(rows)
    print(" | ".join(labels))
    print_shares(found)
    options.out.mkdir(parents=True, exist_ok=True)
    write_csv(found, options.out / "strengths.csv")
    write_csv(rows, options.out / "cells.csv")


if __name__ == "__main__":
    main()
