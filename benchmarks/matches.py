"""Whole matches in columns on one core, in matches/s.  Goal: 200,000 matches/s of Mpourloto.

    python benchmarks/matches.py
"""

from __future__ import annotations

from functools import partial

from mpsim.engine.match import play_matches
from mpsim.policies import load_policies
from mpsim.rules import Rules, load_rules
from mpsim.studies.speed import Benchmark, measure

GAMES = {"mpourloto": 200_000.0, "bulgarian": None, "belote": None, "madrasso": None}
"""Presets, with goals."""
MATCHES = 1 << 16
REPEATS = 5


def play(rules: Rules) -> int:
    """Matches of the default policies; returns how many."""
    play_matches(rules, load_policies(rules=rules), 1, 0, MATCHES)
    return MATCHES


def main() -> None:
    """Print a line a game."""
    print(f"{'matches/s':12}{'median':>12}{'lowest':>12}{'highest':>12}{'goal':>10}")
    for name, goal in GAMES.items():
        found = measure(Benchmark(name, partial(play, load_rules(name)), goal), REPEATS)
        shown = f"{goal:,.0f}" if goal else ""
        print(f"{name:12}{found.median:12,.0f}{found.low:12,.0f}{found.high:12,.0f}{shown:>10}", flush=True)


if __name__ == "__main__":
    main()
