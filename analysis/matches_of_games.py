"""How do matches of the games compare: how long are they, does it matter who deals first, what decides them?

Reads files of matches, prints a table in Markdown with 95 % intervals, and draws the lengths of all into one figure.

    for game in mpourloto bulgarian belote madrasso; do
        mpsim match --matches 1e6 --rules $game --seed 1 --out $game.parquet
    done
    python analysis/matches_of_games.py {mpourloto,bulgarian,belote,madrasso}.parquet --figure match_length.png
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mpsim.charts.matches import length_figure
from mpsim.commands.output import entry_cells
from mpsim.engine.match_results import Matches, open_matches

Summary = dict[str, Any]


def told(entry: Summary) -> str:
    """A rate or a mean with its interval; a dash for what never came."""
    value, between, _ = entry_cells(entry)
    return "-" if entry.get("count") == 0 or between == "-" else f"{value} ({between})"


def least_to_most(entry: Summary) -> str:
    """Minimum, median and maximum."""
    return ", ".join(f"{entry['quantiles'][name]}" for name in ("min", "median", "max"))


LINES: tuple[tuple[str, Callable[[Summary], str]], ...] = (
    ("deals dealt, mean", lambda s: told(s["length"]["deals"]["mean"])),
    ("… least, median, most", lambda s: least_to_most(s["length"]["deals"])),
    ("scored deals, mean", lambda s: told(s["length"]["scored"]["mean"])),
    ("thrown-in deals, mean", lambda s: told(s["thrown_in"]["mean"])),
    ("capot deals, mean", lambda s: told(s["capots"]["mean"])),
    ("won by the first dealer's team", lambda s: told(s["first_dealer"])),
    ("… against 50 %", lambda s: str(s["first_dealer"]["verdict"])),
    ("winner's margin, mean", lambda s: told(s["margin"]["mean"])),
    ("… least, median, most", lambda s: least_to_most(s["margin"])),
    ("decided by `target`", lambda s: told(s["ended"]["target"])),
    ("by `level`", lambda s: told(s["ended"]["level"])),
    ("by `raise`", lambda s: told(s["ended"]["raise"])),
    ("by `sweep`", lambda s: told(s["ended"]["sweep"])),
    ("matches with hung deals", lambda s: told(s["hung"]["some"])),
    ("matches that lose hanging points", lambda s: told(s["hanging"]["some"])),
    ("… lost by them, mean", lambda s: told(s["lost"])),
)
"""What is told of each game."""


def table(played: Sequence[Matches]) -> Iterator[str]:
    """Lines of Markdown, a column a game."""
    summaries = [matches.summary for matches in played]
    yield "| | " + " | ".join(f"`{matches.rules.name}`" for matches in played) + " |"
    yield "|---" * (len(played) + 1) + "|"
    for name, tell in LINES:
        yield f"| {name} | " + " | ".join(map(tell, summaries)) + " |"


def source(played: Sequence[Matches]) -> str:
    """What was played, for the caption: once where it is the same for all."""
    said = [matches.spec.describe() for matches in played]
    if len(set(said)) == 1:
        return f"{said[0]}, of each game"
    return "; ".join(f"{matches.rules.name}, {text}" for matches, text in zip(played, said, strict=True))


def main(words: Sequence[str] | None = None) -> None:
    """Read, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="Parquet files that `mpsim match --out` wrote")
    parser.add_argument("--figure", type=Path, help="a PNG file to draw")
    options = parser.parse_args(words)
    played = [open_matches(file) for file in options.files]
    print("\n".join(table(played)))
    if options.figure:
        games = {matches.rules.name: matches.tally for matches in played}
        length_figure(games, source(played)).savefig(options.figure)


if __name__ == "__main__":
    main()
