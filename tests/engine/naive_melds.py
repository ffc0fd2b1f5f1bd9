"""Melds counted deal by deal with the referee's own means: what `mpsim.engine.melds` must agree with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mpsim.engine.melds import melds_of_deals
from mpsim.policies import load_policies
from mpsim.policies.load import Policies
from mpsim.referee import DealRecord, play_deal
from mpsim.referee.deal import deal_first, deal_rest, shuffle
from mpsim.referee.melds import counting, declare, find_pairs, team_points
from mpsim.referee.trick import order_of
from mpsim.rules import load_rules
from mpsim.rules.model import Rules
from mpsim.stats.meld_counts import AFTER, ALL_TRUMPS, BEFORE, TURNED, UNSWAPPED, MeldCounts, kinds, points_step

Hands = Sequence[Sequence[int]]
DEALT = {"turned": TURNED, "all_trumps": ALL_TRUMPS}
STAGES = {"unswapped": UNSWAPPED, "before": BEFORE, "after": AFTER}
Switch = tuple[tuple[str, ...], str]
SWITCHES: tuple[Switch, ...] = (
    ((), "points"),
    ((), "chance:0.2"),
    ((), "points,chance:0.5,never,always"),
    (("upcard_to=taker",), "points"),
    (("upcard_to=taker", "exchange_suit=trump", "exchange_window=full_hand"), "chance:0.3"),
    (("exchange_suit=trump",), "chance:0.2"),
    (("exchange_suit=upcard_if_trump", "exchange_window=full_hand"), "points"),
    (("exchange_policy=never",), "points"),
    (("overlap=exclusive", "fours_table=[0, 0, 150, 100, 200, 100, 100, 100]"), "points"),
    (("meld_compare=by_category", "seq_compare=capped5"), "points"),
    (("meld_compare=strongest", "overlap=exclusive", "long_run=cap"), "points"),
    (("run_points=[30, 60, 95]", "trump_pair=0"), "points"),
    (("ranks=K7J8Q9TA",), "points"),
    (("aponta=true",), "chance:0.4"),
    (("meld_policy=never",), "points"),
    (("melds_need_trick=true",), "points"),
    (("bulgarian",), "points"),
    (("bulgarian",), "chance:0.5"),
    (("bulgarian", "meld_compare=strongest", "trump_pair=30"), "chance:0.7,points,always,points"),
    (("belote",), "points"),
    (("belote",), "chance:0.4"),
    (("belote-bg",), "chance:0.6"),
    (("contree",), "points"),
    (("contree", "run_points=[20, 50, 100]", "aponta=true"), "chance:0.5"),
    (("mpourloto-greek",), "points"),
    (("mpourloto-greek",), "chance:0.3"),
    (("auction.kind=ladder", "exchange_suit=trump", "score.rounding=none"), "chance:0.5"),
    (("auction.kind=turned", "exchange_policy=better"), "never"),
    (("auction.kind=turned", "upcard_index=19", "exchange_window=full_hand", "aponta=true"), "never"),
    (("ranks=26J8354A", "plain_order=A8J65432", "trump_order=A8J65432", "fours_order=A8J65432", "exchange_rank=2",
      "trump_pair=0", "suits=dcsb"), "points"),
)
"""Rules, a preset first if it is not mpourloto, and bidding under which melds are counted."""


def rules_of(settings: tuple[str, ...]) -> Rules:
    """A preset's rules, mpourloto's by default, with some keys changed."""
    if settings and "=" not in settings[0]:
        return load_rules(settings[0], settings[1:])
    return load_rules("mpourloto", settings)


def fixed_by(rules: Rules, record: DealRecord) -> tuple[int, int]:
    """Turn and taker as deals are grouped: rounds or, on a ladder, suit, no trumps, all trumps; 0, 0 of none."""
    if record.round == 0:
        return 0, 0
    if rules.auction.kind == "ladder":
        return {"NT": 2, "AT": 3}.get(record.contract, 1), record.taker
    return (record.round, record.taker) if rules.auction.kind == "accept" else (1, max(record.taker, 0))


class Looked(NamedTuple):
    """A deal as it is looked at: when, and how the auction went (0, 0 of none)."""

    stage: str          # turned, all_trumps, unswapped, before, after
    turn: int
    taker: int


class Held(NamedTuple):
    """Numbers of each meld by hand, points declared by hand and scored by team."""

    numbers: dict[str, tuple[int, ...]]
    declared: tuple[int, ...]
    scored: tuple[int, int]


def looked_at(rules: Rules, policies: Policies, seed: int, deal: int) -> Iterator[tuple[Looked, Held]]:
    """Every way in which a deal is counted."""
    record = play_deal(rules, seed, deal, policies.bidders(rules), policies.players(rules))
    dealt = deal_first(shuffle(seed, deal, rules), rules)
    before = deal_rest(dealt, record.receiver if record.round else 3, rules)
    suits = rules.deck.suits
    turned = suits[record.upcard // rules.deck.field] if record.upcard >= 0 else suits[0]
    trump = record.contract if record.round else turned
    auction = fixed_by(rules, record)
    after = record.hands if record.round else before
    yield Looked("turned", 0, 0), held(before, turned, rules)
    if rules.auction.kind == "ladder":
        yield Looked("all_trumps", 0, 0), held(before, "AT", rules)
    if tuple(map(tuple, before)) == tuple(map(tuple, after)):
        yield Looked("unswapped", *auction), held(after, trump, rules)
    else:
        yield Looked("before", *auction), held(before, trump, rules)
        yield Looked("after", *auction), held(after, trump, rules)


def held(hands: Hands, trump: str, rules: Rules) -> Held:
    """What four hands hold and score."""
    order = order_of(rules.deck, trump)
    by_hand = [_numbers(hand, rules) for hand in hands]
    for numbers, hand in zip(by_hand, hands, strict=True):
        numbers["pair"] = len(find_pairs(hand, order, rules))
    names = sorted({name for numbers in by_hand for name in numbers})
    melds = [declare(hand, order, rules) for hand in hands]
    return Held(
        {name: tuple(numbers[name] for numbers in by_hand) for name in names},
        tuple(sum(meld.points for meld in declared) for declared in melds),
        team_points(counting(melds, rules)),
    )


def _numbers(hand: Sequence[int], rules: Rules) -> Counter[str]:
    """Runs by their cards in a row, fours by their four cards."""
    width, found = len(rules.deck.ranks), Counter[str]()
    for suit in range(4):
        row = "".join("x" if suit * width + rank in hand else " " for rank in range(width))
        for run in row.split():
            if len(run) >= 3:
                found[f"run_{len(run)}"] += 1
                for least in range(3, min(len(run), 5) + 1):
                    found[f"run_{least}_up"] += 1
    for rank, name in enumerate(rules.deck.ranks):
        if all(suit * width + rank in hand for suit in range(4)):
            found[f"four_{name}"] += 1
            found["fours"] += rules.melds.fours_table[rank] > 0
    return found


def naive_counts(settings: tuple[str, ...], bid: str, seed: int, first: int, count: int) -> dict[int, list[Held]]:
    """What is held, by group."""
    rules = rules_of(settings)
    policies = load_policies("random", bid, rules)
    found: dict[int, list[Held]] = defaultdict(list)
    for deal in range(first, first + count):
        for looked, held in looked_at(rules, policies, seed, deal):
            auction = 0 if looked.turn == 0 else 4 * looked.turn - 3 + looked.taker
            found[DEALT[looked.stage] if looked.stage in DEALT else STAGES[looked.stage] + auction].append(held)
    return found


def check_rows(rows: Any, by_hand: Sequence[Sequence[int]], teams: Sequence[Sequence[int]], scale: int) -> None:
    """Rows of a completed histogram against the values of each deal, by hand and by team."""
    for seat in range(4):
        assert Counter(values[seat] // scale for values in by_hand) == nonzero(rows[seat])
    for team in range(2):
        assert Counter(values[team] // scale for values in teams) == nonzero(rows[4 + team])
    assert Counter(sum(values) // scale for values in teams) == nonzero(rows[6])
    for row, deals in ((7, by_hand), (8, teams)):
        squares = Counter[int]()
        for values in deals:
            for value, number in Counter(values).items():
                squares[value // scale] += number**2
        assert squares == nonzero(rows[row])


def nonzero(row: Any) -> dict[int, int]:
    return {value: int(count) for value, count in enumerate(row) if count}


def check_counts(settings: tuple[str, ...], bid: str, seed: int, first: int, count: int) -> None:
    """AssertionError where `melds_of_deals` counts anything else than the referee finds."""
    rules = rules_of(settings)
    counts = melds_of_deals(rules, load_policies("random", bid, rules), seed, first, count, threads=1)
    naive = naive_counts(settings, bid, seed, first, count)
    assert nonzero(counts.deals) == {group: len(helds) for group, helds in naive.items()}
    for group, helds in naive.items():
        _check_points(counts, group, helds, points_step(rules))
        for kind, name in enumerate(kinds(rules)):
            if group not in DEALT.values() or name == "pair":
                by_hand = [held.numbers.get(name, (0, 0, 0, 0)) for held in helds]
                check_rows(counts.of("held", [group], kind).rows, by_hand, [_by_team(hands) for hands in by_hand], 1)


def _by_team(hands: Sequence[int]) -> tuple[int, int]:
    return hands[0] + hands[2], hands[1] + hands[3]


def _check_points(counts: MeldCounts, group: int, helds: list[Held], step: int) -> None:
    declared, scored = [held.declared for held in helds], [held.scored for held in helds]
    check_rows(counts.of("declared", [group]).rows, declared, [_by_team(hands) for hands in declared], step)
    rows = counts.of("scored", [group]).rows
    for team in range(2):
        assert Counter(values[team] // step for values in scored) == nonzero(rows[4 + team])
    assert Counter(sum(values) // step for values in scored) == nonzero(rows[6])
