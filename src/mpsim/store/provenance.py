"""What a run is, and `run.json`: its identity, and a record of how and with what it was made.

The identity holds all that changes a row (rules, policies, seed, stream version, columns) and nothing else: not
threads, not the machine, not the range of deals, so a deal has the same identity in every run that holds it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

from mpsim import __version__
from mpsim.errors import MpsimError, RunError
from mpsim.policies import Policies, policies_from_dict
from mpsim.rules import Rules, canonical_rules, diff_rules, rules_dict, rules_digest, rules_from_dict
from mpsim.store.schema import PART_BITS, PART_DEALS, SCHEMA_VERSION, Layout, layout_of

STREAM_VERSION = 1
RECORD_NAME = "run.json"
PARTS_FOLDER = "deals"
Record = dict[str, Any]
_REWRITE = "write the run again with --force"
_ELSEWHERE = "give another folder, or remove this one if nobody needs it"


@dataclass(frozen=True, slots=True)
class Part:
    """`rows` deals from number `first` on, all of the same part number."""

    first: int
    rows: int

    @property
    def index(self) -> int:
        """The part's number."""
        return self.first >> PART_BITS

    @property
    def file(self) -> str:
        """The part's file inside the run folder, with forward slashes."""
        return f"{PARTS_FOLDER}/part-{self.index:06d}.parquet"


@dataclass(frozen=True)
class RunSpec:
    """One run: deals `first` .. `first + deals - 1` of one game, played by given policies from one seed."""

    rules: Rules
    policies: Policies
    seed: int
    first: int
    deals: int
    record_plays: bool = False

    @property
    def end(self) -> int:
        """One past the last deal's number."""
        return self.first + self.deals

    @cached_property
    def identity(self) -> Record:
        """All that changes a row, as plain values."""
        return {
            "schema": SCHEMA_VERSION,
            "stream": STREAM_VERSION,
            "rules": json.loads(canonical_rules(self.rules)),
            "rules_sha256": rules_digest(self.rules),
            "policies": _nameless(self.policies),
            "policies_sha256": self.policies.digest,
            "seed": self.seed,
            "plays": self.record_plays,
        }

    @cached_property
    def digest(self) -> str:
        """The identity's sha256, in hex."""
        return hashlib.sha256(canonical_json(self.identity).encode()).hexdigest()

    @cached_property
    def layout(self) -> Layout:
        """How the rows lie in files."""
        return layout_of(self.rules, self.record_plays)

    @property
    def players_text(self) -> str:
        """Who plays, and who bids where anybody does: for people."""
        return self.policies.describe_at(self.rules)

    @property
    def part_count(self) -> int:
        """How many files the run has."""
        return ((self.end - 1) >> PART_BITS) - (self.first >> PART_BITS) + 1

    def part(self, position: int) -> Part:
        """The run's part by position, 0 .. part_count - 1."""
        start = ((self.first >> PART_BITS) + position) << PART_BITS
        low, high = max(start, self.first), min(start + PART_DEALS, self.end)
        return Part(low, high - low)

    def parts(self) -> list[Part]:
        """All parts, in order."""
        return [self.part(position) for position in range(self.part_count)]


def parts_text(count: int) -> str:
    """`1 part`, `2 parts`."""
    return f"{count:,} part" + ("" if count == 1 else "s")


def _nameless(policies: Policies) -> Record:
    """Policies without what is for people only, so that equal rows come with equal files."""
    plain = policies.as_dict()
    bid = [{key: value for key, value in bidder.items() if key != "name"} for bidder in plain["bid"]]
    return {**plain, "bid": bid}


def canonical_json(value: Any) -> str:
    """One text for one value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def differences(old: RunSpec, new: RunSpec) -> list[str]:
    """What tells two runs apart, in words for an error; empty for the same run."""
    found = [
        f"{name} {a}, not {b}"
        for name, a, b in (
            ("seed", old.seed, new.seed),
            ("first deal", old.first, new.first),
            ("deals", old.deals, new.deals),
            ("record plays", old.record_plays, new.record_plays),
        )
        if a != b
    ]
    if old.policies.digest != new.policies.digest:
        found.append(f"{_policy_text(old.policies)}, not {_policy_text(new.policies)}")
    return found + _rule_differences(old, new)


def _policy_text(policies: Policies) -> str:
    return f"{policies.describe()} ({policies.digest[:8]})"


def _rule_differences(old: RunSpec, new: RunSpec) -> list[str]:
    if rules_digest(old.rules) == rules_digest(new.rules):
        return []
    return [f"{key} {a}, not {b}" for key, a, b in diff_rules(old.rules, new.rules)]


def new_record(spec: RunSpec) -> Record:
    """A `run.json` of a run that begins now."""
    identity = spec.identity
    return {
        "schema": SCHEMA_VERSION,
        "status": "running",
        "identity": spec.digest,
        "stream": STREAM_VERSION,
        "seed": spec.seed,
        "first": spec.first,
        "deals": spec.deals,
        "plays": spec.record_plays,
        "rules": rules_dict(spec.rules),
        "rules_sha256": identity["rules_sha256"],
        "policies": spec.policies.as_dict(),
        "policies_sha256": identity["policies_sha256"],
        "software": software(),
        "machine": machine(),
        "times": {"started": now(), "finished": None, "seconds": 0.0, "deals": 0},
        "parts": [],
    }


def spec_of(record: Record, folder: Path) -> RunSpec:
    """The run that the valid `run.json` of a folder describes; RunError when it is none or contradicts itself."""
    path = folder / RECORD_NAME
    try:
        rules, policies = rules_from_dict(record["rules"]), policies_from_dict(record["policies"])
    except MpsimError as error:
        raise RunError(f"{path} describes no run: {error}; {_REWRITE}") from None
    spec = RunSpec(rules, policies, record["seed"], record["first"], record["deals"], record["plays"])
    if spec.end > 1 << 64:
        raise RunError(f"{path} describes no run: its deals {spec.first} .. {spec.end - 1} leave 64 bits; {_REWRITE}")
    for name, stored, computed in (
        ("rules_sha256", record["rules_sha256"], rules_digest(spec.rules)),
        ("policies_sha256", record["policies_sha256"], spec.policies.digest),
        ("identity", record["identity"], spec.digest),
    ):
        if stored != computed:
            raise RunError(
                f"{path} contradicts itself: {name} is {stored[:12]} but its content gives {computed[:12]}; {_REWRITE}"
            )
    return spec


def software() -> dict[str, str]:
    """Versions of what computes and writes rows."""
    names = ("numpy", "numba", "pyarrow")
    return {"mpsim": __version__, "python": platform.python_version(), **{name: _version(name) for name in names}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def machine() -> dict[str, Any]:
    """The kind of machine, without its name."""
    return {"system": platform.system(), "architecture": platform.machine(), "cpus": os.cpu_count() or 1}


def now() -> str:
    """The time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def write_record(folder: Path, record: Record) -> None:
    """Replace `run.json` in one step: a reader sees the old one or the new one, whole."""
    hidden = folder / f".{RECORD_NAME}.tmp"
    try:
        hidden.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        os.replace(hidden, folder / RECORD_NAME)
    except OSError:
        with contextlib.suppress(OSError):
            hidden.unlink(missing_ok=True)
        raise


def read_record(folder: Path) -> Record:
    """The validated `run.json` of a run folder; RunError says what is wrong with it."""
    record = load_record(folder)
    validate_record(record, folder / RECORD_NAME)
    return record


def load_record(folder: Path) -> Record:
    """The `run.json` that mpsim wrote in a folder, sound or not; RunError where there is none or it is not mpsim's."""
    path = folder / RECORD_NAME
    try:
        record = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except FileNotFoundError:
        why = f"it has no {RECORD_NAME}" if folder.is_dir() else "there is no such folder"
        raise RunError(f"{folder} is no run: {why}; give a folder that `mpsim simulate` wrote") from None
    except NotADirectoryError:
        raise RunError(f"{folder} is a file: give a folder that `mpsim simulate` wrote") from None
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is no JSON ({error}): {_ELSEWHERE}") from None
    software = record.get("software") if isinstance(record, dict) else None
    if not isinstance(software, dict) or "mpsim" not in software:
        raise RunError(f"{path} was not written by mpsim: {_ELSEWHERE}")
    return dict(record)


def _no_number(name: str) -> None:
    """Refuse NaN and Infinity, which JSON does not have and Python reads."""
    raise ValueError(f"{name} is no number")


def validate_record(record: Record, path: Path) -> None:
    """Check a record against the shipped JSON schema; RunError names the first field that fails."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    if isinstance(record.get("schema"), int) and record["schema"] > SCHEMA_VERSION:
        raise RunError(f"{path} has schema version {record['schema']}, this mpsim knows {SCHEMA_VERSION}: update mpsim")
    # To JSON schema 5.0 is an integer.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    validator = extend(Draft202012Validator, type_checker=types)
    error = next(validator(record_schema()).iter_errors(record), None)
    if error is not None:
        where = ".".join(str(step) for step in error.path) or "the document"
        raise RunError(f"{path} is not a valid run record: {where}: {error.message[:200]}; {_REWRITE}")


def record_schema() -> dict[str, Any]:
    """The JSON schema of `run.json`, as shipped."""
    text = files("mpsim.store").joinpath("run.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
