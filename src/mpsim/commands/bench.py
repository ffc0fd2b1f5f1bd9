"""`mpsim bench`: the speed of every layer on this machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from mpsim.studies.speed import Rate


def bench(
    rules: Annotated[str, typer.Option(help="A preset's name or a TOML file.")] = "mpourloto",
    repeats: Annotated[str, typer.Option(help="Runs of each benchmark; the median counts.")] = "5",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Measure the speed of every layer: median and spread in deals/s, beside its goal where the preset has one."""
    from dataclasses import asdict

    from mpsim.commands.output import print_json, say_if_compiling
    from mpsim.engine.plan import parse_count
    from mpsim.rules import load_rules
    from mpsim.store.provenance import machine, software
    from mpsim.studies.speed import measure_all

    count = parse_count(repeats, "--repeats", 1, 1000)
    game = load_rules(rules)
    say_if_compiling()
    rates = measure_all(count, game)
    if as_json:
        measured = [asdict(rate) for rate in rates]
        print_json({"rules": game.name, "machine": machine(), "software": software(), "rates": measured})
    else:
        print_rates(rates)


def print_rates(rates: Iterable[Rate]) -> None:
    """A line a benchmark, as soon as it is measured."""
    print(f"{'M deals/s':28}{'median':>10}{'lowest':>10}{'highest':>10}{'goal':>10}{'runs':>6}")
    for rate in rates:
        numbers = (rate.median, rate.low, rate.high, rate.goal)
        cells = "".join(f"{_text(value, rate.unit):>10}" for value in numbers)
        print(f"{rate.name:28}{cells}{rate.repeats:>6}", flush=True)


def _text(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:.2f} x" if unit == "x" else f"{value / 1e6:.2f}"
