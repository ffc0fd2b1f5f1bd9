"""Melds counted by the kernels, against the referee's means deal by deal."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mpsim
from engine.naive_melds import SWITCHES, check_counts, looked_at, naive_counts
from mpsim.engine import melds as engine
from mpsim.engine.melds import melds_of_deals, melds_of_run
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.stats.meld_counts import (
    ALL_TRUMPS,
    DEAL,
    HAND,
    ROLE_UNITS,
    TEAM,
    TURNED,
    MeldCounts,
    groups_of,
    in_steps,
    kinds,
    points_step,
)

SEED = 11
@pytest.mark.parametrize(("settings", "bid"), SWITCHES, ids=[" ".join((*settings, bid)) for settings, bid in SWITCHES])
def test_every_count_is_what_the_referee_finds(settings: tuple[str, ...], bid: str) -> None:
    check_counts(settings, bid, SEED, 0, 600)


def test_a_deals_hands_give_the_error_of_their_mean() -> None:
    """Four hands of a deal are not independent: the error is that of the sum a deal."""
    rules, policies, deals = load_rules("mpourloto"), load_policies("random", "points"), 2_000
    counts = melds_of_deals(rules, policies, SEED, 0, deals, threads=1)
    kind = kinds(rules).index("run_3_up")
    helds = naive_counts((), "points", SEED, 0, deals)[TURNED]
    by_deal = np.array([sum(number >= 1 for number in held.numbers.get("run_3_up", ())) for held in helds])
    some = counts.of("held", groups_of("before"), kind).some(HAND)
    assert some.n == 4 * deals
    assert some.mean == pytest.approx(by_deal.mean() / 4, abs=1e-12)
    # P(some) = 1 - P(0): the squares of the hands without are those of 4 - by_deal.
    assert some.se == pytest.approx(by_deal.std() / 4 / np.sqrt(deals), rel=1e-9)


def test_means_add_up_over_hands_teams_and_deal() -> None:
    rules, policies, deals = load_rules("mpourloto"), load_policies("random", "points"), 2_000
    declared = melds_of_deals(rules, policies, SEED, 0, deals, threads=1).of("declared", [TURNED])
    helds = naive_counts((), "points", SEED, 0, deals)[TURNED]
    sums = np.array([sum(held.declared) for held in helds]) / points_step(rules)
    for unit, each in ((HAND, 4), (TEAM, 2)):
        mean = declared.mean(unit)
        assert (mean.mean, mean.n) == (pytest.approx(sums.mean() / each), deals * each)
        assert mean.se == pytest.approx(sums.std() / each / np.sqrt(deals), rel=1e-9)


def test_roles_are_turned_to_the_taker() -> None:
    rules, policies, deals = load_rules("mpourloto"), load_policies("random", "points"), 2_000
    counts = melds_of_deals(rules, policies, SEED, 0, deals, threads=1)
    expected: dict[str, list[int]] = defaultdict(list)
    for deal in range(deals):
        for looked, held in looked_at(rules, policies, SEED, deal):
            if looked.stage in ("unswapped", "after") and looked.turn == 2:
                hand = held.declared
                for place, role in enumerate(("taker", "left", "partner", "right")):
                    expected[role].append(hand[(looked.taker + place) % 4])
                makers = hand[looked.taker] + hand[(looked.taker + 2) % 4]
                expected["makers"].append(makers)
                expected["defenders"].append(sum(hand) - makers)
    roles = counts.by_role("declared", "after", (2,))
    for role, unit in ROLE_UNITS.items():
        mean = roles.mean(unit)
        assert mean.n == len(expected[role])
        assert mean.mean * points_step(rules) == pytest.approx(np.mean(expected[role]))


def same(a: MeldCounts, b: MeldCounts) -> bool:
    pairs = ((a.deals, b.deals), (a.held, b.held), (a.declared, b.declared), (a.scored, b.scored))
    return all(np.array_equal(one, other) for one, other in pairs)


def test_counts_hang_on_neither_threads_nor_batches_nor_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, policies = load_rules("mpourloto"), load_policies("greedy", "points")
    whole = melds_of_deals(rules, policies, SEED, 5, 3_000, threads=1)
    monkeypatch.setattr(engine, "BATCH", 700)
    monkeypatch.setattr(engine, "BLOCK", 300)
    assert same(whole, melds_of_deals(rules, policies, SEED, 5, 3_000, threads=3))
    halves = [melds_of_deals(rules, policies, SEED, first, 1_500, threads=2) for first in (5, 1_505)]
    assert same(whole, halves[0] + halves[1])


OTHER_SUITS = ("suits=dcsb", "exchange_suit=trump")


@pytest.mark.parametrize(("game", "settings"), [
    ("mpourloto", ()), ("mpourloto", ("upcard_to=taker",)), ("mpourloto", OTHER_SUITS), ("bulgarian", ()),
    ("mpourloto", ("exchange_suit=trump", "meld_compare=strongest")), ("bulgarian", ("suits=dcsb",)), ("contree", ()),
], ids=str)
def test_a_run_read_gives_what_its_deals_give(tmp_path: Path, game: str, settings: tuple[str, ...]) -> None:
    run = mpsim.simulate(3_000, rules=game, settings=settings, seed=SEED, play="random", out=tmp_path / "run")
    counted = melds_of_deals(run.rules, run.policies, SEED, 0, 3_000, threads=1)
    assert same(counted, melds_of_run(mpsim.open_run(tmp_path / "run"), threads=2))
    assert same(counted, melds_of_run(mpsim.simulate(3_000, rules=game, settings=settings, seed=SEED, play="greedy")))


def test_deals_of_a_ladder_fall_into_kinds_of_contract(tmp_path: Path) -> None:
    run = mpsim.simulate(5_000, rules="bulgarian", seed=SEED, play="random")
    table = run.table(["contract", "taker"])
    found = Counter(zip(table["contract"].to_pylist(), table["taker"].to_pylist(), strict=True))
    counts = melds_of_run(run, threads=1)
    kinds_of = {0: ("none",), 1: tuple("cdhs"), 2: ("NT",), 3: ("AT",)}
    for turn, contracts in kinds_of.items():
        deals = sum(number for (contract, _), number in found.items() if contract in contracts)
        assert counts.deals[groups_of("bid", (turn,))].sum() == deals > 0
    for taker in range(4):
        assert counts.deals[groups_of("bid", (3,))[taker]] == found["AT", taker]
    assert counts.deals[[TURNED, ALL_TRUMPS]].tolist() == [5_000, 5_000]
    nothing = counts.of("scored", groups_of("bid", (2,))).mean(DEAL)
    assert (nothing.mean, nothing.n) == (0, counts.deals[groups_of("bid", (2,))].sum())


def test_points_are_counted_in_their_common_step() -> None:
    rules = load_rules("mpourloto", ("run_points=[30, 60, 95]",))
    assert points_step(rules) == 5     # 30, 60, 95, fours at 100, the pair at 20
    assert in_steps(rules).melds.run_points == (6, 12, 19)
    nothing = replace(rules.melds, run_points=(0, 0, 0), fours_table=(0,) * 8, trump_pair=0)
    assert points_step(replace(rules, melds=nothing)) == 1
