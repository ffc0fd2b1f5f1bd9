"""Playing policies by name."""

from __future__ import annotations

from mpsim.errors import PolicyError
from mpsim.rules.check import one_of, shown, suggestion

PLAY = {
    "random": "any legal card, each equally likely",
    "greedy": "draws trumps when its side took, cashes high cards, wins cheaply, feeds its partner's tricks",
}
"""What each playing policy does, in one line."""


def parse_play(text: str) -> str:
    """The policy's name, if there is one; else PolicyError."""
    if not isinstance(text, str):
        raise PolicyError(f"{shown(text)} is no playing policy: write {one_of(PLAY)}")
    name = text.strip()
    if name not in PLAY:
        raise PolicyError(f"there is no playing policy {name!r}{suggestion(name, PLAY)}: write {one_of(PLAY)}")
    return name
