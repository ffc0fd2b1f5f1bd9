"""The checks find nothing in the referee's rows, under every rule they depend on, and find each planted fault."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest

from mpsim.policies import load_policies
from mpsim.referee import play_deal
from mpsim.rules import load_rules
from mpsim.store.invariants import faults, popcount
from mpsim.store.schema import CONTRACTS, OUTCOMES, Arrays, arrow_schema

DEALS = 120


@functools.cache
def referee_rows(settings: tuple[str, ...] = (), bid: str = "chance:0.2", deals: int = DEALS) -> Arrays:
    """Rows that the referee made, as arrays."""
    rules, policies = load_rules("mpourloto", settings), load_policies("random", bid)
    bidders, players = policies.bidders(rules), policies.players(rules)
    rows = [play_deal(rules, 11, deal, bidders, players).row() for deal in range(deals)]
    arrays: Arrays = {}
    for field in arrow_schema(record_plays=True):
        values = [row[field.name] for row in rows]
        if field.name in ("contract", "outcome"):
            order = CONTRACTS if field.name == "contract" else OUTCOMES
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


def broken(change: Callable[[Arrays, int], None]) -> list[str]:
    """Names of the faults after a change to one row, which must be the only row at fault."""
    arrays = {name: values.copy() for name, values in referee_rows().items()}
    row = int(np.flatnonzero((arrays["round"] == 1) & (arrays["exchanger"] < 3) & (arrays["exchanger"] >= 0))[0])
    change(arrays, row)
    found = list(faults(arrays, load_rules("mpourloto")))
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
        (set_to("outcome", 3), "the outcome is thrown_in when nobody took"),
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


@pytest.mark.parametrize("name", ["score_0", "score_1"])
def test_a_wrong_score_is_found(name: str) -> None:
    assert len(broken(add_to(name, 1))) == 1


def test_bits_are_counted() -> None:
    words = np.array([0, 1, 0xFF, 2**32 - 1, 2**64 - 1, 0x8000000000000001], np.uint64)
    assert popcount(words).tolist() == [0, 1, 8, 32, 64, 2]
