"""Rows depend on rules, policies, seed and deal number, and on nothing else: one compiled kernel, any process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kernels.compare import compare
from kernels.switches import COUNTS, MIXED, SWITCHES, TOGETHER
from mpsim.engine import batch
from mpsim.engine.batch import play_batch
from mpsim.kernels.batch import whole_deals
from mpsim.policies import load_policies
from mpsim.rules import load_rules

SRC, TESTS = Path(batch.__file__).parents[2], Path(__file__).parents[1]
RULE_A: tuple[str, ...] = ()
RULE_B = ("head_plain=false", "partner_relief=full", "exchange_suit=trump", "tie_rule=hang", "overlap=exclusive")
PAIR = (MIXED, f"points,chance:0.5,points:{COUNTS / 'uneven.toml'},chance:0.2")


def digest(settings: tuple[str, ...]) -> str:
    """Of 5,000 deals, all columns."""
    columns = play_batch(load_rules("mpourloto", settings), load_policies(*PAIR), 6, 900, 5_000, record_plays=True)
    return hashlib.sha256(b"".join(np.ascontiguousarray(values).tobytes() for values in columns.values())).hexdigest()


def digests_elsewhere(*rules: tuple[str, ...], hash_seed: int) -> list[str]:
    """The same from a fresh process with a warm cache, one set of rules after another."""
    program = f"from kernels.test_identity import digest\nfor rules in {rules!r}: print(digest(rules))"
    path = os.pathsep.join([str(SRC), str(TESTS), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": path},
        capture_output=True, text=True, check=True,
    )
    return done.stdout.split()


def test_no_rule_or_policy_compiles_again() -> None:
    for switch in SWITCHES:
        rules = load_rules(switch.base, switch.settings)
        for play, bid in switch.pairs:
            for record in (False, True):
                play_batch(rules, load_policies(play, bid, rules), 1, 0, 1, record)
    if hasattr(whole_deals, "signatures"):  # not under NUMBA_DISABLE_JIT
        assert len(whole_deals.signatures) == 2  # a suit in one byte, and in two


def test_one_rule_after_another_in_one_process_and_in_fresh_ones() -> None:
    """Different rows for different rules, right ones, and the same for PYTHONHASHSEED 0 and 1."""
    both = digests_elsewhere(RULE_A, RULE_B, hash_seed=0)
    assert both == digests_elsewhere(RULE_A, hash_seed=1) + digests_elsewhere(RULE_B, hash_seed=1)
    assert both == [digest(RULE_A), digest(RULE_B)]
    assert both[0] != both[1]
    for settings in (RULE_A, RULE_B):
        difference = compare(settings, PAIR, 6, 900, 200)
        assert difference.deals == 0, difference.shown


@pytest.mark.parametrize("settings", [(), *TOGETHER[:3]], ids=str)
def test_any_split_gives_the_same_rows(settings: tuple[str, ...]) -> None:
    rules, policies = load_rules("mpourloto", settings), load_policies(MIXED, "chance:0.4")
    whole = play_batch(rules, policies, 2, 100, 1_000, True)
    cuts = [0, 1, 2, 255, 511, 700, 1_000]
    parts = [play_batch(rules, policies, 2, 100 + a, b - a, True) for a, b in pairwise(cuts)]
    for name, values in whole.items():
        assert np.array_equal(values, np.concatenate([part[name] for part in parts])), name


def test_threads_do_not_disturb_each_other() -> None:
    """Eight ranges of two sets of rules at once, on four threads."""
    policies = load_policies(MIXED, "chance:0.4")
    jobs = [(load_rules("mpourloto", settings), 20_000 * k) for settings in (RULE_A, RULE_B) for k in range(8)]

    def work(job) -> dict:
        return play_batch(job[0], policies, 3, job[1], 20_000, True)

    with ThreadPoolExecutor(4) as executor:
        together = list(executor.map(work, jobs))
    for job, found in zip(jobs, together, strict=True):
        alone = work(job)
        assert all(np.array_equal(found[name], alone[name]) for name in alone)
