"""What a run is, and `run.json`: its identity, and a record of how and with what it was made.

The identity holds all that changes a row (rules, policies, seed, stream version, columns) and nothing else: not
threads, not the machine, not the range of deals, so a deal has the same identity in every run that holds it.
"""

from __future__ import annotations

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
from mpsim.errors import RunError
from mpsim.policies import Policies, policies_from_dict
from mpsim.rules import Rules, canonical_rules, diff_rules, rules_dict, rules_digest, rules_from_dict
from mpsim.store.schema import PART_BITS, PART_DEALS, SCHEMA_VERSION

STREAM_VERSION = 1
RECORD_NAME = "run.json"
PARTS_FOLDER = "deals"
Record = dict[str, Any]


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


def spec_of(record: Record) -> RunSpec:
    """The run that a `run.json` describes; RunError when its parts contradict each other."""
    spec = RunSpec(
        rules_from_dict(record["rules"]),
        policies_from_dict(record["policies"]),
        record["seed"],
        record["first"],
        record["deals"],
        record["plays"],
    )
    for name, stored, computed in (
        ("rules_sha256", record["rules_sha256"], rules_digest(spec.rules)),
        ("policies_sha256", record["policies_sha256"], spec.policies.digest),
        ("identity", record["identity"], spec.digest),
    ):
        if stored != computed:
            raise RunError(
                f"run.json contradicts itself: {name} is {stored[:12]} but its content gives {computed[:12]}; "
                "write the run again with --force"
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
    hidden.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    os.replace(hidden, folder / RECORD_NAME)


def read_record(folder: Path) -> Record:
    """The validated `run.json` of a run folder; RunError says what is wrong with it."""
    path = folder / RECORD_NAME
    try:
        record: Record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        why = f"it has no {RECORD_NAME}" if folder.is_dir() else "there is no such folder"
        raise RunError(f"{folder} is no run: {why}; give a folder that `mpsim simulate` wrote") from None
    except NotADirectoryError:
        raise RunError(f"{folder} is a file: give a folder that `mpsim simulate` wrote") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"{path} cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise RunError(f"{path} is no JSON: {error}; write the run again with --force") from None
    validate_record(record, path)
    return record


def validate_record(record: Record, path: Path) -> None:
    """Check a record against the shipped JSON schema; RunError names the first field that fails."""
    from jsonschema import Draft202012Validator

    if isinstance(record, dict) and isinstance(record.get("schema"), int) and record["schema"] > SCHEMA_VERSION:
        raise RunError(f"{path} has schema version {record['schema']}, this mpsim knows {SCHEMA_VERSION}: update mpsim")
    error = next(Draft202012Validator(record_schema()).iter_errors(record), None)
    if error is not None:
        where = ".".join(str(step) for step in error.path) or "the document"
        raise RunError(f"{path} is not a valid run record: {where}: {error.message[:200]}")


def record_schema() -> dict[str, Any]:
    """The JSON schema of `run.json`, as shipped."""
    text = files("mpsim.store").joinpath("run.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
