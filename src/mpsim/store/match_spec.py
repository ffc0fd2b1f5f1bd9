"""Which matches were played: all that makes their rows, and what a file of them says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mpsim.policies import Policies
from mpsim.rules import Rules, rules_dict, rules_digest
from mpsim.store.match_schema import MATCH_SCHEMA_VERSION
from mpsim.store.provenance import STREAM_VERSION


@dataclass(frozen=True)
class MatchSpec:
    """Matches `first` .. `first + matches - 1` of one game, played by given policies from one seed."""

    rules: Rules
    policies: Policies
    seed: int
    first: int
    matches: int

    @property
    def end(self) -> int:
        """One past the last match's number."""
        return self.first + self.matches

    def describe(self) -> str:
        """For headlines and captions."""
        number = "1 match" if self.matches == 1 else f"{self.matches:,} matches"
        return f"{number} of seed {self.seed} from {self.first}, {self.policies.describe_at(self.rules)}"

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values, with hashes: what a file says of itself."""
        return {
            "match_schema": MATCH_SCHEMA_VERSION,
            "stream": STREAM_VERSION,
            "rules": rules_dict(self.rules),
            "rules_sha256": rules_digest(self.rules),
            "policies": self.policies.as_dict(),
            "policies_sha256": self.policies.digest,
            "seed": self.seed,
            "first": self.first,
            "matches": self.matches,
        }
