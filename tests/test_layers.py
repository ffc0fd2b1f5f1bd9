"""Imports run one way: errors, cards, rules, referee | kernels, policies, store, engine, studies, commands, cli.

Every import counts, those inside functions, those only for type checking and `import_module("...")` of a literal too.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "mpsim"

_RULES = {"errors", "cards", "rules"}
_POLICIES = _RULES | {"referee", "kernels"}
_STORE = _POLICIES | {"policies", "stats", "version"}
_ENGINE = _STORE | {"store"}
_STUDIES = _ENGINE | {"engine"}
_COMMANDS = _STUDIES | {"studies", "charts"}

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "cards": {"errors"},
    "rules": {"errors", "cards"},
    "referee": _RULES,
    "kernels": set(),
    "policies": _POLICIES,
    "stats": _RULES,
    "store": _STORE,
    "engine": _ENGINE,
    "studies": _STUDIES,
    "charts": {"stats", "studies"},
    "commands": _COMMANDS,
    "cli": _COMMANDS | {"commands"},
    "__main__": {"cli"},
    "__init__": _COMMANDS - {"charts"},
}
"""What each layer may import besides itself; `version` stands for names of the package's own `__init__`."""

OUTSIDE: dict[str, set[str]] = {
    "errors": set(),
    "cards": set(),
    "rules": {"numpy"},
    "referee": set(),
    "kernels": {"numpy", "numba", "llvmlite"},
    "policies": {"numpy"},
    "stats": {"numpy"},
}
"""What the lower layers may import besides the standard library."""


def _layer(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0]


def _modules(tree: ast.AST, package: str) -> Iterator[str]:
    """Dotted names of all that is imported; `from a import b` gives `a.b`, which may be a module or a name in one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                start = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*start, *filter(None, [base])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                yield str(node.args[0].value)


def violations(source: str, layer: str, package: str) -> list[str]:
    """Imports of `source` that its layer may not have."""
    found = []
    for module in _modules(ast.parse(source), package):
        top, _, rest = module.partition(".")
        if top == "mpsim":
            target = rest.partition(".")[0]
            target = target if target in MAY_IMPORT else "version"
            if target != layer and target not in MAY_IMPORT[layer]:
                found.append(module)
        elif layer in OUTSIDE and top not in OUTSIDE[layer] and top not in sys.stdlib_module_names:
            found.append(module)
    return found


FILES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path: Path) -> None:
    layer = _layer(path)
    assert layer in MAY_IMPORT, f"{path.name} belongs to no layer"
    relative = path.relative_to(ROOT)
    package = ".".join(["mpsim", *relative.parts[:-1]])
    assert violations(path.read_text("utf-8"), layer, package) == []


def test_layers_have_no_cycle() -> None:
    """Layers can be put in an order in which each imports only earlier ones."""
    left, done = dict(MAY_IMPORT), {"version"}
    while left:
        free = [layer for layer, needs in left.items() if needs <= done]
        assert free, f"a cycle among {sorted(left)}"
        done.update(free)
        for layer in free:
            del left[layer]


@pytest.mark.parametrize(
    ("layer", "source", "found"),
    [
        ("rules", "import mpsim.policies.load", ["mpsim.policies.load"]),
        ("rules", "from mpsim import policies", ["mpsim.policies"]),
        ("rules", "def f():\n    from mpsim.engine.run import execute", ["mpsim.engine.run.execute"]),
        ("rules", "from ..policies import load", ["mpsim.policies.load"]),
        ("rules", "from .model import Rules\nfrom mpsim.cards import RANKS\nimport numpy as np", []),
        ("rules", 'import importlib\nimportlib.import_module("mpsim.engine")', ["mpsim.engine"]),
        ("kernels", "from mpsim.rules.model import Rules", ["mpsim.rules.model.Rules"]),
        ("kernels", "from mpsim import __version__", ["mpsim.__version__"]),
        ("kernels", "import numba\nfrom mpsim.kernels.words import popcount", []),
        ("referee", "import numba", ["numba"]),
        ("referee", "from mpsim.kernels import kernel", ["mpsim.kernels.kernel"]),
        ("stats", "from mpsim.store.reader import iter_groups", ["mpsim.store.reader.iter_groups"]),
        ("stats", "import pyarrow", ["pyarrow"]),
        ("charts", "from mpsim.engine import run", ["mpsim.engine.run"]),
        ("charts", "from mpsim.stats.tally import Tally\nimport matplotlib", []),
        ("store", "from mpsim import __version__", []),
        ("engine", "from mpsim.commands.show import show", ["mpsim.commands.show.show"]),
    ],
)
def test_the_walk_sees_what_is_forbidden(layer: str, source: str, found: list[str]) -> None:
    assert violations(source, layer, f"mpsim.{layer}") == found
