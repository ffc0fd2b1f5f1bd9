"""What `mpsim match` prints and draws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpsim.commands.output import Entries, entry_cells, print_entries, print_rich, size_text
from mpsim.errors import RunError
from mpsim.rules import rules_name
from mpsim.stats.match_summary import COUNTED, QUANTILES, clauses

if TYPE_CHECKING:
    from mpsim.engine.match_results import Matches
    from mpsim.rules import Rules

LABELS = {
    "thrown_in": "thrown-in deals", "capots": "capot deals", "hung": "hung deals", "hanging": "lost points",
}
CLAUSES = {
    "target": "the target", "level": "extra deals, level", "raise": "a raised target", "one_more": "one more deal",
    "sweep": "a sweep", "claim": "a claim", "unfinished": "nothing, 1024 deals",
}
SPREADS = {"deals": "deals", "scored": "scored deals", "margin": "margin"}
AGAINST_EVEN = {
    "above": "more than the opener's", "below": "less than the opener's",
    "undecided": "undecided: the interval holds 50 %",
}


def print_matches(played: Matches, drawn: bool) -> None:
    """The summary as tables, every line with its interval and what it is of; then the first dealer's advantage."""
    spec, summary = played.spec, played.summary
    players, seed = spec.policies.describe_at(spec.rules), f"seed {spec.seed}{' (drawn)' if drawn else ''}"
    print(f"{rules_name(spec.rules)}, {players}, {seed}, matches {spec.first} .. {spec.end - 1}")
    print_entries(match_lines(summary, spec.rules))
    print_rich(_quantiles(summary, spec.rules))
    print_rich(_histogram(summary, spec.rules))
    print(_advantage(summary))
    if played.seconds:
        speed = summary["matches_per_second"]
        print(f"Played in {played.seconds:.2f} s: {speed / 1e6:.2f} M matches/s")
    if played.path:
        size = played.path.stat().st_size
        print(f"Written to {played.path}: {size_text(size)}, {size / spec.matches:.1f} bytes a match")


def match_lines(summary: dict[str, Any], rules: Rules) -> list[tuple[str, Entries]]:
    """The summary's entries as (heading, [(label, entry)]); what cannot happen under the rules is left out."""
    counted, possible = _counted(rules), clauses(rules)
    lengths = [(SPREADS[name], entry["mean"]) for name, entry in _lengths_shown(summary, rules).items()]
    lines: list[tuple[str, Entries]] = [
        ("won by", [(name.replace("_", " "), entry) for name, entry in summary["winner"].items()
                    if name != "nobody" or entry["count"]]),
        ("won by team of", [("first dealer", summary["first_dealer"]), ("opener", summary["opener"])]),
        ("decided by", [(CLAUSES[how], entry) for how, entry in summary["ended"].items()
                        if entry["count"] or (how in possible and how != "unfinished")]),
        ("mean", [*lengths, *((LABELS[name], summary[name]["mean"]) for name in counted),
                  ("winner's margin", summary["margin"]["mean"])]),
        ("matches with", [(LABELS[name], summary[name]["some"]) for name in counted]),
    ]
    return [*lines, ("", [("points lost, where any", summary["lost"])])] if "hanging" in counted else lines


def _counted(rules: Rules) -> list[str]:
    """What can happen to the deals of a match."""
    hangs = rules.score.tie_rule == "hang" and rules.auction.kind != "turned"
    left_out = {*(() if hangs else ("hung", "hanging")), *(() if _may_be_thrown_in(rules) else ("thrown_in",))}
    return [name for name in COUNTED if name not in left_out]


def _may_be_thrown_in(rules: Rules) -> bool:
    return rules.auction.kind in ("accept", "ladder") or rules.auction.aponta


def _lengths_shown(summary: dict[str, Any], rules: Rules) -> dict[str, dict[str, Any]]:
    """Lengths in deals dealt and in scored ones, which are the same where none are thrown in."""
    lengths: dict[str, dict[str, Any]] = summary["length"]
    return lengths if _may_be_thrown_in(rules) else {"deals": lengths["deals"]}


def _quantiles(summary: dict[str, Any], rules: Rules) -> Any:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("quantiles", *QUANTILES):
        table.add_column(heading, justify="left" if heading == "quantiles" else "right")
    for name, spread in {**_lengths_shown(summary, rules), "margin": summary["margin"]}.items():
        values = spread["quantiles"].values()
        table.add_row(SPREADS[name], *("-" if value is None else f"{value:,}" for value in values))
    return table


def _histogram(summary: dict[str, Any], rules: Rules) -> Any:
    """How many matches are how long."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("deals", justify="right")
    shown = [entry["histogram"] for entry in _lengths_shown(summary, rules).values()]
    for heading, _ in zip(("dealt", "scored"), shown, strict=False):
        table.add_column(heading, justify="right")
        table.add_column("95 % interval", justify="right")
    for length in sorted(set().union(*shown), key=int):
        cells = [entry_cells(shares[length])[:2] if length in shares else ("-", "-") for shares in shown]
        table.add_row(length, *(cell for two in cells for cell in two))
    return table


def _advantage(summary: dict[str, Any]) -> str:
    entry = summary["first_dealer"]
    share, between, n = entry_cells(entry)
    return f"First dealer's team: {share} of {n} {entry['of']} ({between}), {AGAINST_EVEN[entry['verdict']]}"


def draw_matches(played: Matches, folder: Path) -> list[Path]:
    """The figures as PNG files in a folder, made if need be."""
    from mpsim.charts.matches import length_figure

    spec = played.spec
    figure = length_figure({spec.rules.name: played.tally}, spec.describe())
    path = folder / "match_length.png"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        figure.savefig(path)
    except OSError as error:
        raise RunError(f"{folder} cannot be written to: {error.strerror}; give another folder with --figures") from None
    return [path]
