"""From what a caller asks for to a run: its deals, its folder, and what is already there."""

from __future__ import annotations

import math
import os
import re
import secrets
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from mpsim.errors import RunError, UsageError
from mpsim.policies import Policies, load_policies
from mpsim.rules import Rules, load_rules, presets, rules_digest
from mpsim.store.folder import is_free, is_run
from mpsim.store.provenance import Record, RunSpec, differences, load_record, parts_text, read_record, spec_of

DEFAULT_RULES, DEFAULT_PLAY, DEFAULT_BID = "mpourloto", "greedy", "points"
WORD = 1 << 64
MAX_DEALS = 1 << 40
MAX_THREADS = 1024
BYTES_ON_DISK = {32: (32, 17), 40: (40, 27)}
"""Bytes a deal takes by cards of the deck, and `plays` on top, measured with the default policies."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller gave; None stands for the default, or on `resume` for what the run in `out` has."""

    deals: int | None = None
    rules: str | Path | Rules | None = None
    settings: tuple[str, ...] = ()
    seed: int | None = None
    play: str | None = None
    bid: str | None = None
    first: int | None = None
    shard: str | None = None
    record_plays: bool | None = None
    out: Path | None = None
    named: bool = False
    """Without `out`: make a folder under runs/ (else keep the rows in memory)."""
    resume: bool = False
    force: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A run to be made: in `folder` (None: in memory), on top of `record` when that is a run to be continued.

    `record` and `replaces` are how the folder was when the plan was made; `with_folder` looks again.
    """

    spec: RunSpec
    folder: Path | None = None
    resume: bool = False
    force: bool = False
    record: Record | None = None
    replaces: bool = False

    @property
    def estimated_bytes(self) -> int:
        """About what the whole run takes on disk."""
        deal, plays = BYTES_ON_DISK[self.spec.layout.cards]
        return self.spec.deals * (deal + plays * self.spec.record_plays)

    def with_folder(self) -> Plan:
        """The plan for what is in the folder now; RunError where that is somebody else's.

        Only an answer got while the folder is held (`store.folder.writing`) may be acted on.
        """
        if self.folder is None:
            return self
        record = _claim(self.folder, self)
        return replace(self, record=record, replaces=record is None and is_run(self.folder))


def make_plan(request: Request) -> Plan:
    """Resolve a request; UsageError, RulesError, PolicyError or RunError say what does not fit."""
    if request.resume and request.force:
        raise UsageError("--resume continues a run and --force replaces it: give one of them")
    if (request.resume or request.force) and request.out is None and not request.named:
        raise UsageError("resume and force are for a run in a folder: say in which with out")
    if request.resume and request.out is None and request.seed is None:
        raise UsageError("--resume needs --out, or --seed, to know which run to continue")
    if request.shard is not None and request.deals is None:
        raise UsageError("--shard cuts a run of so many deals: give --deals too, or leave it out to resume a whole run")
    stored = None
    if request.resume and request.out is not None and is_run(request.out):
        stored = spec_of(read_record(request.out), request.out)
    spec = _resolve(request, stored)
    folder = request.out or (default_folder(spec, request) if request.named else None)
    return Plan(spec, folder, request.resume, request.force).with_folder()


def _resolve(request: Request, stored: RunSpec | None) -> RunSpec:
    """The run asked for; where nothing is asked, `stored` fills in, else the defaults."""
    rules = _rules(request, stored)
    spec = RunSpec(
        rules,
        _policies(request, stored, rules),
        _seed(request.seed, stored),
        *_range(request, stored),
        record_plays=_plays(request, stored),
    )
    return spec if request.shard is None else take_shard(spec, request.shard)


def _plays(request: Request, stored: RunSpec | None) -> bool:
    if request.record_plays is None:
        return stored is not None and stored.record_plays
    return request.record_plays


def _rules(request: Request, stored: RunSpec | None) -> Rules:
    if stored and request.rules is None and not request.settings:
        return stored.rules
    return load_rules(DEFAULT_RULES if request.rules is None else request.rules, request.settings)


def _policies(request: Request, stored: RunSpec | None, rules: Rules) -> Policies:
    if stored and request.play is None and request.bid is None:
        return stored.policies
    play = DEFAULT_PLAY if request.play is None else request.play
    policies = load_policies(play, DEFAULT_BID if request.bid is None else request.bid, rules)
    policies.bidders(rules)  # refuses a point count that is made for another game
    return policies


def _seed(seed: int | None, stored: RunSpec | None) -> int:
    if seed is None:
        return stored.seed if stored else secrets.randbits(64)
    if not 0 <= seed < WORD:
        raise UsageError(f"seed {seed} is outside 0 .. 2^64 - 1: give another, or none to have one drawn")
    return seed


def _range(request: Request, stored: RunSpec | None) -> tuple[int, int]:
    if request.deals is None:
        if stored is None:
            raise UsageError("how many deals? give --deals 1e6, or deals=1e6 in Python")
        return (stored.first if request.first is None else request.first), stored.deals
    first = request.first or 0
    if not 1 <= request.deals <= MAX_DEALS:
        raise UsageError(f"{request.deals} deals cannot be played: give 1 to 2^40 (about 1.1e12)")
    if not 0 <= first < first + request.deals <= WORD:
        raise UsageError(f"deals {first} .. {first + request.deals - 1} leave 0 .. 2^64 - 1: give another first deal")
    return first, request.deals


def take_shard(spec: RunSpec, shard: str) -> RunSpec:
    """The i-th of n shares of a run, `i/n` with 1 <= i <= n, cut between parts so that no two shards share a file."""
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", shard)
    index, count = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= index <= count:
        raise UsageError(f"shard {shard!r} is no share: write i/n, like 1/4 for the first of four")
    low, high = spec.part_count * (index - 1) // count, spec.part_count * index // count
    if low == high:
        whole = f"{parts_text(spec.part_count)} of 2^20 deals"
        raise UsageError(f"shard {shard} is empty: the run has {whole}, cut it in fewer")
    first, last = spec.part(low), spec.part(high - 1)
    return replace(spec, first=first.first, deals=last.first + last.rows - first.first)


def default_folder(spec: RunSpec, request: Request) -> Path:
    """`runs/RULES-DEALS-seedSEED`, and a hash of the identity where rules, policies or columns are not default."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", spec.rules.name) or "rules"
    parts = [name, short_count(request.deals or spec.deals), f"seed{spec.seed}"]
    if request.first:
        parts.append(f"first{request.first}")
    if request.shard:
        parts.append("shard" + request.shard.replace("/", "of"))
    if not _is_default(spec):
        parts.append(spec.digest[:8])
    return Path("runs") / "-".join(parts)


def _is_default(spec: RunSpec) -> bool:
    if spec.record_plays or spec.policies.digest != load_policies(DEFAULT_PLAY, DEFAULT_BID, spec.rules).digest:
        return False
    return spec.rules.name in presets() and rules_digest(load_rules(spec.rules.name)) == rules_digest(spec.rules)


def short_count(count: int) -> str:
    """`1e7`, `25e6`, `1048576`: trailing zeros, three or more, as an exponent."""
    digits = str(count)
    zeros = len(digits) - len(digits.rstrip("0"))
    return f"{digits[:-zeros]}e{zeros}" if zeros >= 3 else digits


def _claim(folder: Path, plan: Plan) -> Record | None:
    """The record to go on from, or None to begin; RunError where the folder is somebody else's."""
    if not is_run(folder):
        if not is_free(folder):
            raise RunError(f"{folder} holds other files and no run: give another folder with --out")
        return None
    if plan.force:
        load_record(folder)  # only what mpsim wrote may be replaced
        return None
    record = read_record(folder)
    other = differences(spec_of(record, folder), plan.spec)
    if plan.resume:
        if other:
            raise RunError(
                f"{folder} holds another run ({'; '.join(other)}): resume it with its own options, or --force a new one"
            )
        return record
    raise RunError(f"{folder} already holds {_what_to_do(record, same=not other)}, or --force to replace it")


def _what_to_do(record: Record, same: bool) -> str:
    complete = record["status"] == "complete"
    if same:
        return "this very run, complete: give --resume to check it" if complete else "it, unfinished: give --resume"
    return f"another run, {'complete' if complete else 'unfinished'}: give another folder with --out"


def thread_count(threads: int | None) -> int:
    """As asked, else one thread for every processor this process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"{threads} threads cannot be run: give 1 to {MAX_THREADS}, or none for one a processor")
    return threads


_COUNT = re.compile(r"\d+(?:_\d+)*(?:\.\d+)?(?:[eE]\+?(\d+))?", re.ASCII)


def parse_count(text: str, name: str, low: int = 0, high: int = MAX_DEALS) -> int:
    """A whole number written `10000000`, `10_000_000` or `1e7`, from `low` to `high`; UsageError names it otherwise."""
    match = _COUNT.fullmatch(text.strip())
    if match and (len(match[1] or "") > 3 or Decimal(match[0]) > high):
        raise UsageError(f"{name} {_shown(text)} is too large: at most {_limit(high)}")
    value = Decimal(match[0]) if match else Decimal(-1)
    if value < low or value != math.floor(value):
        example = "1000, 1_000 or 1e3" if low <= 1000 else "1000000, 1_000_000 or 1e6"
        raise UsageError(f"{name} {_shown(text)} is no whole number of at least {low}: write it like {example}")
    return int(value)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _limit(high: int) -> str:
    """`2^40`, `2^64 - 1`, `1024`."""
    if high <= 1 << 20:
        return str(high)
    return f"2^{high.bit_length() - 1}" if high & (high - 1) == 0 else f"2^{high.bit_length()} - 1"
