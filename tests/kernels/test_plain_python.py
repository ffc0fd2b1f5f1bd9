"""The kernels as plain Python: the same deals under NUMBA_DISABLE_JIT=1, where every line can be stepped through.

Compiled, the tests below compare few deals with the referee like others do; the last one runs them again uncompiled.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import config

from kernels.compare import compare
from kernels.switches import MIXED, PAIRS

ROOT = Path(__file__).parents[2]


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize(
    ("settings", "pair"),
    [
        ((), PAIRS[0]),
        ((), (MIXED, "chance:0.3")),
        (("overlap=exclusive", "meld_compare=strongest", "aponta=true", "upcard_to=taker"), PAIRS[1]),
        (("partner_relief=follow", "exchange_suit=trump", "tie_rule=hang", "capo_mode=add"), (MIXED, "points")),
    ],
    ids=str,
)
def test_few_deals(settings: tuple[str, ...], pair: tuple[str, str]) -> None:
    difference = compare(settings, pair, 31, 0, 36)
    assert difference.deals == 0, difference.shown


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="this is the run without compiling")
def test_all_of_this_without_compiling() -> None:
    program = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(Path(__file__))]
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    done = subprocess.run(program, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "4 passed" in done.stdout
