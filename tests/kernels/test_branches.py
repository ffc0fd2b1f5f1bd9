"""Decisions played out both ways: the kernel against the referee, whose bidders are told what to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from kernels.told import Told, class_key, margin
from mpsim import referee
from mpsim.kernels.branches import Visits, add_visits, visit_deals
from mpsim.policies import load_policies
from mpsim.policies.classes import class_tables
from mpsim.policies.load import Policies
from mpsim.policies.tables import bid_tables, player_tables
from mpsim.rules import load_rules
from mpsim.rules.model import Rules
from mpsim.rules.tables import rule_tables


def visits_of_deal(rules: Rules, policies: Policies, seed: int, deal: int) -> list[tuple[Any, ...]]:
    """(round, seat, suit, hand, turned card, taking, passing) of every decision that the auction comes to."""
    bidders, players = policies.bidders(rules), policies.players(rules)
    as_bid = referee.play_deal(rules, seed, deal, bidders, players)
    found = []
    for call in as_bid.calls:
        def told(suit: int | None, call: Any = call) -> int:
            mine: Sequence[referee.Bidder] = [
                Told(bidder, call.round, suit) if seat == call.seat else bidder for seat, bidder in enumerate(bidders)
            ]
            return margin(referee.play_deal(rules, seed, deal, mine, players), call.seat)

        turned, passing = as_bid.upcard // 8, told(None)
        suits = [turned] if call.round == 1 else [s for s in range(4) if rules.auction.round2_any_suit or s != turned]
        found += [
            (call.round, call.seat, suit, as_bid.first[call.seat], as_bid.upcard, told(suit), passing) for suit in suits
        ]
    return found


def kernel_visits(rules: Rules, policies: Policies, seed: int, first: int, count: int) -> list[tuple[int, int, int]]:
    """(record, taking, passing) of every decision."""
    out = Visits(np.empty(20 * count, np.uint32), np.empty(20 * count, np.int16), np.empty(20 * count, np.int16))
    players = player_tables(policies)
    found = visit_deals(
        np.uint64(seed), np.uint64(first), count, rule_tables(rules), bid_tables(policies, rules),
        players.random_seats, players.greedy_seats, class_tables(), out,
    )
    columns = (out.record, out.taking, out.passing)
    return list(zip(*(column[:found].tolist() for column in columns), strict=True))


CASES: list[tuple[tuple[str, ...], str, str]] = [
    ((), "greedy", "points"),
    ((), "random", "points"),
    ((), "greedy,random,random,greedy", "points,chance:0.2,always,never"),
    (("upcard_to=taker",), "greedy", "chance:0.2"),
    (("exchange_suit=trump", "exchange_window=full_hand"), "greedy", "chance:0.15"),
    (("upcard_to=taker", "exchange_suit=upcard_if_trump", "round2_any_suit=false"), "random", "points"),
    (("tie_rule=hang", "capo_mode=add", "aponta=true"), "greedy", "never"),
]


@pytest.mark.parametrize(("settings", "play", "bid"), CASES, ids=[" ".join((*s, p, b)) for s, p, b in CASES])
def test_every_decision_both_ways(settings: tuple[str, ...], play: str, bid: str) -> None:
    """Values of all decisions in order; decisions of one class, and no others, have one record."""
    rules = load_rules("mpourloto", settings)
    policies, first, count = load_policies(play, bid, rules), 40, 130
    slow = [visit for deal in range(first, first + count) for visit in visits_of_deal(rules, policies, 9, deal)]
    fast = kernel_visits(rules, policies, 9, first, count)

    def in_order(visit: tuple[Any, ...]) -> int:
        return (visit[2] - visit[4] // 8) % 4  # the kernel begins with the turned suit

    blocks: list[tuple[Any, ...]] = []
    start = 0
    while start < len(slow):
        end = start + 1
        while end < len(slow) and slow[end][:2] == slow[start][:2] and slow[end][3:5] == slow[start][3:5] \
                and slow[start][0] == 2 and slow[end][2] > slow[end - 1][2]:
            end += 1
        blocks += sorted(slow[start:end], key=in_order)
        start = end
    assert [visit[5:] for visit in blocks] == [visit[1:] for visit in fast]
    records: dict[Any, int] = {}
    for (round_, seat, suit, hand, upcard, *_), (record, *_) in zip(blocks, fast, strict=True):
        key = (round_, seat, class_key(hand, upcard, suit))
        assert records.setdefault(key, record) == record
    assert len(set(records.values())) == len(records)


def test_numbers_of_classes() -> None:
    """255,304 with the turned suit as trumps, 707,896 with another."""
    tables = class_tables()
    assert (tables.turned, tables.other) == (255_304, 707_896)


def test_every_class_has_a_number_of_its_own() -> None:
    """All hands of five with a turned card, one of each class drawn at random a thousand times: numbers in range."""
    rules = load_rules()
    visits = kernel_visits(rules, load_policies("greedy", "never"), 2, 0, 3000)
    turned, other = class_tables().turned, class_tables().other
    assert len(visits) == 3000 * 20
    assert all(0 <= record < 8 * turned + 4 * other for record, *_ in visits)


def test_sums_by_record() -> None:
    rules, policies = load_rules(), load_policies()
    visits = kernel_visits(rules, policies, 4, 0, 2000)
    out = Visits(*(np.array(column, kind) for column, kind in zip(
        zip(*visits, strict=True), (np.uint32, np.int16, np.int16), strict=True,
    )))
    tables = class_tables()
    sums = np.zeros((8 * tables.turned + 4 * tables.other, 6), np.int64)
    add_visits(out, len(visits), sums)
    expected: dict[int, list[int]] = {}
    for record, taking, passing in visits:
        mine = expected.setdefault(record, [0] * 6)
        new = (1, taking, passing, taking * taking, passing * passing, taking * passing)
        mine[:] = [a + b for a, b in zip(mine, new, strict=True)]
    assert {int(record): sums[record].tolist() for record in np.flatnonzero(sums[:, 0])} == expected
