"""`mpsim.simulate`: from arguments to a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mpsim.engine.plan import Request, make_plan, parse_count
from mpsim.engine.results import Run
from mpsim.engine.run import execute
from mpsim.errors import UsageError
from mpsim.rules import Rules


def simulate(
    deals: int | str | None = None,
    *,
    rules: str | Path | Rules | None = None,
    settings: str | Iterable[str] = (),
    seed: int | None = None,
    play: str | None = None,
    bid: str | None = None,
    first: int | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    record_plays: bool | None = None,
    shard: str | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Play deals `first` .. `first + deals - 1` and return the run.

    rules: a preset's name (default `mpourloto`), a TOML file or a record; `settings` are `key=value` on top of it.
    seed: 0 .. 2^64 - 1; none: one is drawn, see `Run.seed`.
    play, bid: policies (default `greedy`, `points`), one for all seats or four parted by commas.
    out: the folder to write; none: the rows stay in memory (large runs play them again when asked).
    record_plays: keep the order of play in column `plays` (default no).
    shard: `i/n` plays the i-th of n shares, cut between files.
    resume: go on with the run in `out`; arguments not given are taken from it.  force: replace the run in `out`.
    progress: called with numbers of deals just played, from any thread.
    Raises a subclass of MpsimError for what the caller can mend (there `--resume` stands for `resume=True`), and
    KeyboardInterrupt on Ctrl-C or SIGTERM, whole parts kept.
    """
    request = Request(
        deals=None if deals is None else parse_count(str(deals), "deals", 1),
        rules=rules,
        settings=(settings,) if isinstance(settings, str) else tuple(settings),
        seed=whole(seed, "seed"),
        play=play,
        bid=bid,
        first=whole(first, "first"),
        shard=_text(shard, "shard", "1/4"),
        record_plays=None if record_plays is None else bool(record_plays),
        out=None if out is None else Path(out),
        resume=resume,
        force=force,
    )
    width = whole(threads, "threads")
    return execute(make_plan(request), width, progress)


def whole(value: Any, name: str) -> int | None:
    """An int of any integer type, numpy's too, before anything is written; a truth value or a float is a mistake."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise UsageError(f"{name} = {value!r} is no whole number: give an int, like {name}=1")
    return int(value)


def _text(value: Any, name: str, example: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{name} = {value!r} is no text: write it like {name}={example!r}")
    return value
