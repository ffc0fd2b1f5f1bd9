"""`mpsim bench`: the speed of every layer on this machine."""

from __future__ import annotations

from typing import Annotated

import typer


def bench(
    repeats: Annotated[int, typer.Option(help="Runs of each benchmark; the median counts.", min=1, max=1000)] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Measure the speed of every layer: median and spread in deals/s, beside its goal."""
    from dataclasses import asdict

    from mpsim.commands.output import print_json
    from mpsim.store.provenance import machine, software
    from mpsim.studies.speed import measure_all

    if as_json:
        rates = [asdict(rate) for rate in measure_all(repeats)]
        print_json({"machine": machine(), "software": software(), "rates": rates})
        return
    print(f"{'':28}{'median':>10}{'lowest':>10}{'highest':>10}{'goal':>10}")
    for rate in measure_all(repeats):
        numbers = (rate.median, rate.low, rate.high, rate.goal)
        print(f"{rate.name:28}" + "".join(f"{_text(value, rate.unit):>10}" for value in numbers), flush=True)
    print(f"\nmillions of deals a second on one core unless it says otherwise; {repeats} runs each")


def _text(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:.2f} x" if unit == "x" else f"{value / 1e6:.2f}"
