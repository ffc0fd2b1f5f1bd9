"""The checks find nothing in the referee's rows, under every rule they depend on, and find each planted fault."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest

from mpsim.policies import load_policies
from mpsim.referee import play_deal
from mpsim.rules import load_rules, presets
from mpsim.store.invariants import faults
from mpsim.store.rows import popcount
from mpsim.store.schema import Arrays, arrow_schema, layout_of

DEALS = 120


@functools.cache
def referee_rows(
    settings: tuple[str, ...] = (), bid: str = "chance:0.2", deals: int = DEALS, base: str = "mpourloto",
    play: str = "random", first: int = 0,
) -> Arrays:
    """Rows that the referee made, as arrays."""
    rules = load_rules(base, settings)
    policies = load_policies(play, bid, rules)
    bidders, players = policies.bidders(rules), policies.players(rules)
    rows = [play_deal(rules, 11, deal, bidders, players).row() for deal in range(first, first + deals)]
    arrays: Arrays = {}
    layout = layout_of(rules, record_plays=True)
    for field in arrow_schema(layout):
        values = [row[field.name] for row in rows]
        if field.name in ("contract", "outcome"):
            order = layout.categories(field.name)
            arrays[field.name] = np.array([order.index(str(value)) for value in values], np.int8)
        elif field.name == "plays":
            arrays["plays"] = np.array([list(value) for value in values], np.uint8)  # type: ignore[arg-type]
        else:
            arrays[field.name] = np.array(values, field.type.to_pandas_dtype())
    return arrays


RULES = [
    (), ("round2_any_suit=false",), ("aponta=true",), ("upcard_to=taker",), ("exchange_suit=trump",),
    ("exchange_suit=upcard_if_trump",), ("exchange_window=full_hand",),
    ("exchange_window=full_hand", "upcard_to=taker"),
    ("exchange_policy=never",), ("long_run=cap",), ("overlap=exclusive",), ("meld_compare=by_category",),
    ("meld_compare=strongest",), ("melds_need_trick=true",), ("meld_policy=never",), ("head_plain=false",),
    ("capo_mode=add",), ("mp_totals=text152",), ("tie_rule=hang",), ("tie_rule=made",),
    ("fours_table=[0, 0, 150, 100, 200, 100, 100, 100]",),
]  # fmt: skip


@pytest.mark.parametrize("settings", RULES, ids=lambda settings: "+".join(settings) or "preset")
def test_the_referees_rows_are_without_fault(settings: tuple[str, ...]) -> None:
    rows = referee_rows(settings)
    assert len(set(rows["round"].tolist())) == 3
    assert [name for name, _ in faults(rows, load_rules("mpourloto", settings))] == []


OTHER_GAMES = [
    *((name, ()) for name in presets() if name != "mpourloto"),
    ("bulgarian", ("overcall_cancels_double=false", "belot_on_discard=true")),
    ("bulgarian", ("meld_compare=strongest", "seq_compare=capped5", "nt_capot_doubled=true")),
    ("bulgarian", ("melds_need_trick=true", "capot_cancels_double=true", "tie_rule=fail")),
    ("bulgarian", ("turn_up=true", "exchange_suit=trump", "exchange_policy=better", "upcard_to=taker")),
    *(("bulgarian", (f"round_tie={tie}",)) for tie in ("caller_low", "up", "down")),
    ("bulgarian", ("round_then_multiply=false", "hang_doubled=half")),
    ("bulgarian", ("rounding=none", "hang_doubled=half")),
    ("contree", ("turn_up=true", "upcard_to=taker", "aponta=true")),
    ("madrasso", ("exchange_rank=K", "exchange_policy=always", "upcard_index=20")),
    ("madrasso", ("aponta=true", "ma_sweep_wins=false", "ma_rank=6over7")),
]


@pytest.mark.parametrize(("base", "settings"), OTHER_GAMES, ids=lambda part: part if isinstance(part, str) else None)
@pytest.mark.parametrize("recorded", [True, False], ids=["plays", "no plays"])
def test_rows_of_other_games_are_without_fault(base: str, settings: tuple[str, ...], recorded: bool) -> None:
    rows = dict(referee_rows(settings, "chance:0.4", base=base))
    if not recorded:
        del rows["plays"]
    assert [name for name, _ in faults(rows, load_rules(base, settings))] == []


Choice = Callable[[Arrays], np.ndarray]


def swapped_by_a_non_dealer(arrays: Arrays) -> np.ndarray:
    return (arrays["round"] == 1) & (arrays["exchanger"] < 3) & (arrays["exchanger"] >= 0)


def broken(
    change: Callable[[Arrays, int], None], chosen: Choice = swapped_by_a_non_dealer, base: str = "mpourloto",
    settings: tuple[str, ...] = (), deals: int = DEALS,
) -> list[str]:
    """Names of the faults after a change to one row, which must be the only row at fault."""
    rows = referee_rows(settings, "chance:0.2" if base == "mpourloto" else "chance:0.4", deals, base)
    arrays = {name: values.copy() for name, values in rows.items()}
    row = int(np.flatnonzero(chosen(arrays))[0])
    change(arrays, row)
    found = list(faults(arrays, load_rules(base, settings)))
    assert all(np.flatnonzero(mask).tolist() == [row] for _, mask in found)
    return [name for name, _ in found]


def swap_cards(arrays: Arrays, row: int) -> None:
    """Seats 0 and 1 exchange their lowest cards."""
    one, two = int(arrays["hand_0"][row]), int(arrays["hand_1"][row])
    a, b = one & -one, two & -two
    arrays["hand_0"][row], arrays["hand_1"][row] = one ^ a ^ b, two ^ a ^ b


def set_to(name: str, value: int) -> Callable[[Arrays, int], None]:
    def change(arrays: Arrays, row: int) -> None:
        arrays[name][row] = value

    return change


def add_to(name: str, value: int) -> Callable[[Arrays, int], None]:
    def change(arrays: Arrays, row: int) -> None:
        arrays[name][row] += value

    return change


def drop_card(arrays: Arrays, row: int) -> None:
    hand = int(arrays["hand_3"][row])
    arrays["hand_3"][row] = hand & (hand - 1)


def repeat_play(arrays: Arrays, row: int) -> None:
    arrays["plays"][row, 5] = arrays["plays"][row, 6]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (drop_card, "each seat plays a full hand"),
        (drop_card, "the four hands are the deck, each card once"),
        (set_to("first_0", 0b111), "each seat holds 5 cards while bidding"),
        (set_to("upcard", 32), "the turned card is a card of the deck"),
        (set_to("round", 3), "the round is 0, 1 or 2"),
        (set_to("taker", 4), "the taker is a seat, or -1 when thrown in"),
        (set_to("taker", -1), "the taker is a seat, or -1 when thrown in"),
        (set_to("contract", 4), "the contract is a suit, or none when thrown in"),
        (set_to("contract", -1), "the contract is a suit, or none when thrown in"),
        (set_to("outcome", 3), "the outcome is thrown_in when nobody played"),
        (set_to("outcome", -1), "the outcome is known"),
        (set_to("multiplier", 2), "the multiplier is 1"),
        (set_to("exchanger", -1), "whoever holds the seven swaps, and nobody else"),
        (set_to("exchanger", 100), "whoever holds the seven swaps, and nobody else"),
        (set_to("exchanger", -1), "a seat keeps its first cards, the exchange apart"),
        (add_to("tricks_0", 1), "all tricks are won by a team"),
        (add_to("points_0", 1), "points add up to the cards and the bonus"),
        (add_to("meld_0", 20), "meld points are those of the hands"),
        (set_to("meld_1", -20), "meld points are not negative"),
        (swap_cards, "a seat keeps its first cards, the exchange apart"),
        (repeat_play, "every card is played once"),
    ],
)
def test_a_fault_is_found(change: Callable[[Arrays, int], None], fault: str) -> None:
    assert fault in broken(change)


def played_in(*contracts: int) -> Choice:
    """Deals in contracts by code, both teams with a trick."""
    def chosen(arrays: Arrays) -> np.ndarray:
        return np.isin(arrays["contract"], contracts) & (arrays["tricks_0"] > 1) & (arrays["tricks_1"] > 1)

    return chosen


SUIT, NO_TRUMPS, ALL_TRUMPS = played_in(0, 1, 2, 3), played_in(4), played_in(5)


def useless(arrays: Arrays) -> np.ndarray:
    """Madrasso deals whose turned card ranks below the seven, which a non-dealer holds."""
    rank, suit = arrays["upcard"] % 16, arrays["upcard"] // 16
    seven = np.uint64(1) << (16 * suit + 4).astype(np.uint64)
    return (rank < 4) & (arrays["hand_0"] & seven != 0)


def thrown_in(arrays: Arrays) -> np.ndarray:
    return arrays["round"] == 0


def swap_first_cards(arrays: Arrays, row: int) -> None:
    """Seat 0 held seat 1's lowest card too, and one of its own less."""
    one, two = int(arrays["first_0"][row]), int(arrays["first_1"][row])
    arrays["first_0"][row] = (one & (one - 1)) | (two & -two)


def swap_first_plays(arrays: Arrays, row: int) -> None:
    plays = arrays["plays"]
    plays[row, 0], plays[row, 1] = plays[row, 1], plays[row, 0]


def move(name: str, value: int) -> Callable[[Arrays, int], None]:
    """Take something from team 1 and give it to team 0."""
    def change(arrays: Arrays, row: int) -> None:
        arrays[f"{name}_0"][row] += value
        arrays[f"{name}_1"][row] -= value

    return change


def another_suit(arrays: Arrays, row: int) -> None:
    arrays["contract"][row] = (arrays["contract"][row] + 1) % 4


@pytest.mark.parametrize(
    ("base", "chosen", "change", "fault"),
    [
        ("bulgarian", SUIT, set_to("upcard", 5), "no card is turned"),
        ("bulgarian", SUIT, set_to("exchanger", 1), "nobody swaps where no card is turned"),
        ("bulgarian", SUIT, swap_first_cards, "first cards are all different"),
        ("bulgarian", SUIT, swap_first_cards, "a seat keeps its first cards"),
        ("bulgarian", SUIT, set_to("taker", -1), "the taker is a seat, or -1 when thrown in"),
        ("bulgarian", SUIT, set_to("multiplier", 3), "the multiplier is 1, 2 or 4"),
        ("bulgarian", thrown_in, set_to("multiplier", 2), "the multiplier is 1, 2 or 4"),
        ("bulgarian", SUIT, set_to("contract", 6), "the contract is one of the ladder, or none when thrown in"),
        ("bulgarian", thrown_in, set_to("contract", 4), "the contract is one of the ladder, or none when thrown in"),
        ("bulgarian", SUIT, set_to("round", 14), "the contract is called before the ladder ends"),
        ("bulgarian", SUIT, set_to("round", -1), "the contract is called before the ladder ends"),
        ("bulgarian", SUIT, set_to("contract", 5), "points add up to the cards and the bonus"),
        ("bulgarian", ALL_TRUMPS, set_to("contract", 4), "points add up to the cards and the bonus"),
        ("bulgarian", NO_TRUMPS, move("points", 1), "points of team 0's cards are even where no trumps double them"),
        ("bulgarian", NO_TRUMPS, set_to("meld_1", 20), "no melds where none may be declared"),
        ("bulgarian", SUIT, add_to("meld_1", 10), "meld points are those of the hands"),
        ("bulgarian", ALL_TRUMPS, add_to("meld_0", 100), "meld points are those of the hands"),
        ("bulgarian", SUIT, add_to("score_0", 1), "everything is written down, or hangs"),
        ("bulgarian", NO_TRUMPS, add_to("score_1", -1), "everything is written down, or hangs"),
        ("bulgarian", SUIT, set_to("outcome", 4), "the outcome follows from the totals"),
        ("bulgarian", SUIT, swap_first_plays, "every card is of the seat whose turn it is"),
        ("bulgarian", SUIT, move("tricks", 1), "the plays win team 0 its tricks"),
        ("bulgarian", ALL_TRUMPS, move("points", 2), "the plays bring team 0 its points"),
        ("contree", SUIT, set_to("contract", 4), "the contract is a suit, or none when thrown in"),
        ("contree", SUIT, set_to("round", 2), "the round is 1, or 0 when thrown in"),
        ("contree", SUIT, set_to("multiplier", 2), "the multiplier is 1"),
        ("contree", SUIT, set_to("taker", -1), "the taker is a seat, or -1 when thrown in"),
        ("contree", SUIT, another_suit, "the plays bring team 0 its points"),
        ("contree", SUIT, set_to("round", 0), "only a worthless first hand is thrown in"),
        ("madrasso", SUIT, set_to("taker", 2), "nobody takes"),
        ("madrasso", SUIT, another_suit, "trumps are the turned suit"),
        ("madrasso", SUIT, set_to("upcard", 10), "the turned card is a card of the deck"),
        ("madrasso", SUIT, add_to("upcard", 16), "the turned card is one of the dealer's first cards"),
        ("madrasso", useless, set_to("exchanger", 0), "whoever holds the seven swaps, and nobody else"),
        ("madrasso", swapped_by_a_non_dealer, set_to("exchanger", -1), "the turned card goes to its receiver"),
        ("madrasso", SUIT, set_to("outcome", 0), "there is no contract to make"),
        ("madrasso", SUIT, add_to("score_1", 1), "team 1 scores its own points"),
        ("madrasso", SUIT, set_to("meld_0", 20), "meld points are those of the hands"),
        ("madrasso", SUIT, drop_card, "each seat plays a full hand"),
        ("madrasso", SUIT, repeat_play, "every card is played once"),
        ("madrasso", SUIT, move("points", 1), "the plays bring team 1 its points"),
        ("madrasso", SUIT, set_to("round", 0), "only a worthless first hand is thrown in"),
    ],
)  # fmt: skip
def test_a_fault_in_another_game_is_found(
    base: str, chosen: Choice, change: Callable[[Arrays, int], None], fault: str
) -> None:
    assert fault in broken(change, chosen, base)


def test_pairs_in_all_trumps_take_the_plays_to_know() -> None:
    """20 points more are always found with the plays; without them only where no pair was lost in play."""
    rules = load_rules("bulgarian")
    rows = {name: values[ALL_TRUMPS(referee_rows((), "chance:0.4", base="bulgarian"))].copy()
            for name, values in referee_rows((), "chance:0.4", base="bulgarian").items()}
    rows["meld_0"] += 20
    with_plays = dict(faults(rows, rules))["meld points are those of the hands"]
    del rows["plays"]
    without = dict(faults(rows, rules))["meld points are those of the hands"]
    assert with_plays.all()
    assert 0 < (~without).sum() < len(without) / 2


@pytest.mark.parametrize(
    ("settings", "points", "scores", "outcome"),
    [
        # Suit contracts of seat 0's team, 162 points: by hand from the limit digit 6.
        ((), (106, 56), (10, 6), 0),
        (("round_tie=up",), (106, 56), (11, 6), 0),
        (("round_tie=down",), (106, 56), (10, 5), 0),
        (("round_tie=caller_low",), (56, 106), (0, 16), 1),
        ((), (81, 81), (0, 8), 2),
        (("tie_rule=made",), (81, 81), (8, 8), 0),
        (("tie_rule=fail",), (81, 81), (0, 16), 1),
        (("rounding=none",), (81, 81), (0, 81), 2),
        (("rounding=none",), (90, 72), (90, 72), 0),
    ],
)
def test_settlements_by_hand(
    settings: tuple[str, ...], points: tuple[int, int], scores: tuple[int, int], outcome: int
) -> None:
    """A row is without fault with the scores worked out by hand, and with no others."""
    source = referee_rows((), "chance:0.4", base="bulgarian")
    melds = (source["meld_0"] == 0) & (source["meld_1"] == 0)
    row = np.flatnonzero(SUIT(source) & (source["taker"] == 0) & (source["multiplier"] == 1) & melds)[0]
    one = {name: values[row : row + 1].copy() for name, values in source.items() if name != "plays"}
    for team in range(2):
        one[f"points_{team}"][:], one[f"score_{team}"][:] = points[team], scores[team]
    one["outcome"][:] = outcome
    rules = load_rules("bulgarian", settings)
    assert [name for name, _ in faults(one, rules)] == []
    for team in range(2):
        other = {name: values.copy() for name, values in one.items()}
        other[f"score_{team}"] += 1
        assert list(faults(other, rules))


@pytest.mark.parametrize(
    ("settings", "times", "points", "scores", "outcome"),
    [
        ((), 2, (90, 72), (32, 0), 0),
        ((), 4, (72, 90), (0, 64), 1),
        ((), 2, (106, 106), (0, 0), 2),
        (("hang_doubled=half",), 2, (106, 106), (0, 20), 2),
        (("round_then_multiply=false",), 4, (90, 72), (65, 0), 0),
        (("tie_rule=made",), 2, (81, 81), (16, 16), 0),
        (("rounding=none",), 4, (72, 90), (0, 648), 1),
    ],
)
def test_doubled_settlements_by_hand(
    settings: tuple[str, ...], times: int, points: tuple[int, int], scores: tuple[int, int], outcome: int
) -> None:
    """Clubs, doubled or redoubled; 50 meld points are put on both sides where the points say so."""
    source = referee_rows((), "chance:0.4", base="bulgarian")
    row = np.flatnonzero(SUIT(source) & (source["taker"] == 0))[0]
    one = {name: values[row : row + 1].copy() for name, values in source.items() if name != "plays"}
    melds = (sum(points) - 162) // 2
    for team in range(2):
        one[f"points_{team}"][:], one[f"score_{team}"][:] = points[team] - melds, scores[team]
        one[f"meld_{team}"][:] = melds
    one["multiplier"][:], one["outcome"][:] = times, outcome
    found = {name for name, _ in faults(one, load_rules("bulgarian", settings))}
    assert found <= {"meld points are those of the hands"}


def test_a_wrong_score_is_found() -> None:
    for name in ("score_0", "score_1"):
        own = [fault for fault in broken(add_to(name, 1)) if fault.endswith("everything or nothing")]
        assert len(own) == 1


def test_bits_are_counted() -> None:
    words = np.array([0, 1, 0xFF, 2**32 - 1, 2**64 - 1, 0x8000000000000001], np.uint64)
    assert popcount(words).tolist() == [0, 1, 8, 32, 64, 2]
