"""mpsim: fast, reproducible simulation of Mpourloto (Greek Belote) and its house rules.

>>> import mpsim
>>> run = mpsim.simulate(deals=1000, seed=1)
>>> run.table().num_rows
1000

Nothing heavy is imported until one of the names below is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mpsim.cards import format_cards as format_cards
    from mpsim.cards import parse_cards as parse_cards
    from mpsim.engine.matches import simulate_matches as simulate_matches
    from mpsim.engine.results import Run as Run
    from mpsim.engine.results import open_run as open_run
    from mpsim.engine.simulate import simulate as simulate
    from mpsim.errors import MpsimError as MpsimError
    from mpsim.policies import load_policies as load_policies
    from mpsim.referee import narrate as narrate
    from mpsim.referee import play_deal as play_deal
    from mpsim.rules import Rules as Rules
    from mpsim.rules import load_rules as load_rules

__version__ = "0.1.0"

_HOMES = {
    "MpsimError": "mpsim.errors",
    "Rules": "mpsim.rules",
    "Run": "mpsim.engine.results",
    "format_cards": "mpsim.cards",
    "load_policies": "mpsim.policies",
    "load_rules": "mpsim.rules",
    "narrate": "mpsim.referee",
    "open_run": "mpsim.engine.results",
    "parse_cards": "mpsim.cards",
    "play_deal": "mpsim.referee",
    "simulate": "mpsim.engine.simulate",
    "simulate_matches": "mpsim.engine.matches",
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'mpsim' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
