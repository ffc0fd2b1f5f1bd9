"""What may become of a hand: exact chances of melds for one who sees his own cards and perhaps the turned card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mpsim.cards import format_card, format_cards
from mpsim.rules import rules_digest
from mpsim.rules.model import Rules
from mpsim.stats.exact_melds import Distribution
from mpsim.stats.seen_melds import seen_melds


@dataclass(frozen=True, slots=True)
class SeenStudy:
    """`found` holds distributions by who (`own`, `partner`, `opponents`, `team`, `anyone`) and meld."""

    rules: Rules
    holding: int
    up: int | None
    seat: int
    trump: int | None
    taker: int | None
    found: dict[str, dict[str, Distribution]]

    @property
    def known(self) -> dict[str, Any]:
        """What was seen, for people and for JSON."""
        deck = self.rules.deck.ranks, self.rules.deck.suits
        return {
            "holding": format_cards(self.holding, *deck),
            "up": None if self.up is None else format_card(self.up, *deck),
            "seat": self.seat,
            "trump": None if self.trump is None else (*deck[1], "NT", "AT")[self.trump],
            "taker": self.taker,
        }

    def as_dict(self) -> dict[str, Any]:
        """The whole answer for JSON: `chances[who][meld]`."""
        return {
            "rules": self.rules.name, "rules_sha256": rules_digest(self.rules), **self.known,
            "chances": {who: {meld: _entry(numbers) for meld, numbers in melds.items()}
                        for who, melds in self.found.items()},
        }

    def all_rows(self) -> list[dict[str, Any]]:
        """A row for every number of every meld of everybody, tidy: for a table."""
        return [
            {"who": who, "meld": meld, "value": value, "exact": float(numbers.p(value)),
             "exact_fraction": str(numbers.p(value))}
            for who, melds in self.found.items() for meld, numbers in melds.items() for value in numbers.counts
        ]


def _entry(numbers: Distribution) -> dict[str, Any]:
    some, mean = numbers.at_least(1), numbers.mean
    return {
        "p": float(some), "p_fraction": str(some), "expected": float(mean), "expected_fraction": str(mean),
        "number": {str(value): float(numbers.p(value)) for value in numbers.counts},
    }


def study_seen(
    rules: Rules, holding: int, up: int | None = None, seat: int = 0, trump: int | None = None, taker: int | None = None
) -> SeenStudy:
    """Arguments and errors as in `mpsim.stats.seen_melds.seen_melds`."""
    found = seen_melds(rules, holding, up, seat, trump, taker)
    known = up // rules.deck.field if trump is None and up is not None else trump
    return SeenStudy(rules, holding, up, seat, known, taker, found)
