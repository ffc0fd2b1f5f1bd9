"""When to accept trumps, in the head: the point count with small whole numbers that gains most.

Reads a folder of `mpsim acceptance`.  A count gives points for each trump, more for high ones, for aces, tens, kings of
side suits, for void suits and single cards, and says from how many on to take, by seat and round; in round 2 the suit
with most points counts, and the dealer counts the turned card as his.  What a count loses is the difference between
taking and passing wherever it says the worse, in points a deal and team, each seat deviating by itself from the table's
chart.  The best of the table is flattered by chance, being chosen on the deals that judge it; the check is paired play.

Prints the count and what it does at each seat, and writes it to a file that `--bid points:FILE` plays.

    mpsim acceptance --deals 1e8 --out tables/greedy
    python analysis/rule_of_thumb.py tables/greedy --out thumb.toml --best
    python analysis/bidding_gain.py --bid points:thumb.toml --against chart:tables/greedy/chart.npz
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from mpsim.policies import PointCount
from mpsim.store.acceptance import read_acceptance
from mpsim.studies.thumb import Count, Judge, NodeReport, decisions_of, fit, full_form, thumb_form

LARGEST = 100
FINE = 400
"""As good as real numbers."""


def as_toml(count: PointCount, source: str) -> str:
    """The count as a file."""
    return "\n".join([
        f"# Found by analysis/rule_of_thumb.py in {source}.", "",
        f'name = "{count.name}"', f"counts_upcard = {str(count.counts_upcard).lower()}", "",
        "[trump]", f"cards = {list(count.trump_cards)}   # 7 8 9 T J Q K A", f"length = {list(count.trump_length)}", "",
        "[side]", f"cards = {list(count.side_cards)}   # 7 8 9 T J Q K A", f"length = {list(count.side_length)}", "",
        "[accept]", f"round1 = {list(count.round1)}   # seats 0-3", f"round2 = {list(count.round2)}", "",
    ])


def print_count(count: Count, report: Sequence[NodeReport]) -> None:
    """The points, and from how many on each seat takes."""
    print("points:", ", ".join(f"{name} {value}" for name, value in count.points.items() if value))
    for round_ in (1, 2):
        asked = [
            f"seat {node.seat} from {threshold} on" if node.takes else f"seat {node.seat} never"
            for node, threshold in zip(report, count.thresholds, strict=True) if node.round == round_
        ]
        print(f"round {round_}:", ", ".join(asked))


def print_report(report: Sequence[NodeReport]) -> None:
    """What the count does at each node, and altogether."""
    heads = ("reached", "takes", "chart takes", "agrees", "lost to chart", "lost to best", "more by sets")
    print(f"\nround seat{''.join(f'{head:>14}' for head in heads)}")
    for node in report:
        shares = (100 * share for share in (node.reach, node.takes, node.chart_takes, node.agrees))
        points = (node.chart - node.gain, node.best - node.gain, node.steps - node.gain)
        numbers = "".join(f"{share:12.2f} %" for share in shares) + "".join(f"{gain / 2:z14.3f}" for gain in points)
        print(f"{node.round:5} {node.seat:4}{numbers}")
    print("more by sets: what it would gain if each strength by itself, high or low, were taken or passed")
    reach = sum(node.reach for node in report)
    agreement = sum(node.reach * node.agrees for node in report) / reach
    print(f"says what the chart says in {100 * agreement:.2f} % of all decisions")
    gain = sum(node.chart for node in report) / 2
    print(f"loses {lost(report):z.3f} points a deal and team to the chart, which gains {gain:.3f} over passing always; "
          f"{lost_to_best(report):z.3f} to the best of the table")


def lost(report: Sequence[NodeReport]) -> float:
    """Points a deal and team against the chart."""
    return sum(node.chart - node.gain for node in report) / 2


def lost_to_best(report: Sequence[NodeReport]) -> float:
    """Points a deal and team against the best of the table."""
    return sum(node.best - node.gain for node in report) / 2


def print_best(judge: Judge) -> None:
    """The least that counts lose whose points may be any numbers."""
    for what, form in (("a count of these names", thumb_form()), ("any count of cards and numbers", full_form())):
        report = judge.report(fit(judge, form, FINE, starts=1))
        found = f"loses {lost(report):z.3f} to the chart, {lost_to_best(report):z.3f} to the best of the table"
        print(f"{what}, points of any size: {found}")


def main(words: Sequence[str] | None = None) -> None:
    """Read, fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="folder of mpsim acceptance")
    parser.add_argument("--largest", type=int, default=4, help="largest number of points for anything")
    parser.add_argument("--best", action="store_true", help="find how well any count could do too: some minutes")
    parser.add_argument("--out", type=Path, default=Path("thumb.toml"), help="file to write the count to")
    options = parser.parse_args(words)
    if not 1 <= options.largest <= LARGEST:
        parser.error(f"--largest {options.largest} is out of range: give a number from 1 to {LARGEST}")
    judge = Judge(decisions_of(read_acceptance(options.table)))
    count = fit(judge, thumb_form(), options.largest)
    report = judge.report(count)
    print_count(count, report)
    print_report(report)
    if options.best:
        print_best(judge)
    options.out.write_text(as_toml(count.policy(options.out.stem), options.table.name), encoding="utf-8")


if __name__ == "__main__":
    main()
