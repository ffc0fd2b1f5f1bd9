"""What cannot be played is refused in one sentence that holds the value and the cure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mpsim.errors import MpsimError, RulesError
from mpsim.rules import SECTION_OF, check_rules, load_rules


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ("head_plian=false", ["head_plian", "did you mean head_plain?"]),
        ("play.head_plian=false", ["play.head_plian", "did you mean head_plain?"]),
        ("HEAD_PLAIN=false", ["HEAD_PLAIN", "did you mean head_plain?"]),
        ("zzz=1", ["unknown rule key 'zzz'", "mpsim rules show"]),
        ("score.head_plain=true", ["not in section score", "write play.head_plain"]),
        ("play=3", ["play is a section", "play.head_plain"]),
        ("head_plain", ["'head_plain'", "not key=value"]),
        ("=1", ["'=1'", "not key=value"]),
        ("head_plain=", ["'head_plain='", "not key=value"]),
        ("head_plain=False", ['"False"', "write true or false"]),
        ("head_plain=1", ["play.head_plain = 1", "write true or false"]),
        ("target=true", ["match.target = true", "not a whole number", "1 to 1000000"]),
        ("target=1e3", ["1000.0", "not a whole number"]),
        ("target=many", ['"many"', "not a whole number"]),
        ("target=0", ["match.target = 0", "out of range", "1 to 1000000"]),
        ("last_trick=-1", ["-1", "out of range", "0 to 100"]),
        ("sequence_max=9", ["9", "out of range", "3 to 8"]),
        ("run_points=20", ["melds.run_points = 20", "not a list", "[20, 50, 100]"]),
        ("run_points=20,50", ['"20,50"', "not a list"]),
        ("run_points=[]", ["[]", "not a list"]),
        ("trump_values=[20, 14, true, 10, 4, 3, 0, 0]", ["true", "not a whole number"]),
        ("trump_values=[20, 14, 99, 10, 4, 3, 0, 0]", ["99", "out of range", "0 to 31"]),
        ("partner_relief=folow", ['"folow"', "none, follow, ruff or full", "did you mean follow?"]),
        ("partner_relief=true", ['"true"', "none, follow, ruff or full"]),
        ("trump_pair={a=1}", ["melds.trump_pair", "not a whole number"]),
        ("plain_order=ATKQJ98", ["deck.plain_order", "ATKQJ98", "789TJQKA"]),
        ("trump_order=J9ATKQ88", ["deck.trump_order", "J9ATKQ88", "once"]),
        ("plain_values=[11, 10]", ["deck.plain_values = [11, 10]", "holds 2 where 8"]),
        ("fours_table=[100]", ["melds.fours_table = [100]", "holds 1 where 8"]),
        ("run_points=[20, 50]", ["[20, 50]", "sequence_max = 5", "write 3 numbers"]),
        ("sequence_max=6", ["sequence_max = 6", "write 4 numbers", "smaller sequence_max"]),
        ("ranks=789TJQKK", ["'K'", "once"]),
        ("ranks=789TJQKa", ["'a'", "capital"]),
        ("ranks=6789TJQA", ["6789TJQA", "write K and Q"]),
        ("base=mpourloto", ["unknown rule key 'base'"]),
    ],
)
def test_unusable_settings(setting: str, parts: list[str]) -> None:
    _refused([setting], parts)


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        (["ranks=6789TJQKA"], ['"6789TJQKA" has 9 ranks', "write 8 or 10"]),
        (["suits=cdh"], ['deck.suits = "cdh"', "four small letters, like cdhs"]),
        (["suits=cdhh"], ['deck.suits = "cdhh"', "four small letters"]),
        (["suits=CDHS"], ['deck.suits = "CDHS"', "four small letters"]),
        (["suits=cdh7"], ['deck.suits = "cdh7"', "four small letters"]),
        (["exchange_rank=6"], ['exchange.exchange_rank = "6"', "write one of 7 8 9 T J Q K A"]),
        (["exchange_rank=78"], ['exchange.exchange_rank = "78"', "write one of 7"]),
        (["fours_order=J9ATKQ88"], ["melds.fours_order", "J9ATKQ88", "once, strongest first"]),
        (["packets=[3, 2]", "packets_after=[2]"], ["[3, 2]", "[2]", "make 7 cards a hand", "write packets of 8"]),
        (["packets=[0, 5]"], ["deal.packets holds 0", "1 to 10"]),
        (["upcard_index=18"], ["deal.upcard_index = 18", "the 20 cards", "write 19 or 20"]),
        (["packets=[3]", "packets_after=[5]"], ["deal.upcard_index = 20", "the 12 cards", "write 11 or 12"]),
        (["chain=100"], ["deal.chain = 100", "no power of two", "like 128"]),
        (["turn_up=false"], ['auction.kind = "accept"', "needs a turned card", "turn_up to true"]),
        (["kind=turned", "turn_up=false"], ['auction.kind = "turned"', "needs a turned card"]),
        (["kind=turned", "upcard_to=taker"], ['deal.upcard_to = "taker"', '"turned"', "set it to dealer"]),
        (["kind=turned", "rounding=tens"], ['score.rounding = "tens"', '"turned"', "set it to none"]),
        (["declare_policy=perfect"], ['match.declare_policy = "perfect"', '"accept"', "set it to none"]),
        (["limit_digits=[6, 4]"], ["score.limit_digits = [6, 4]", "holds 2 where 3"]),
        # 162 is shared out by 1 and 6, 258 by 4 and 9, 130 by 0 and 5.
        (["rounding=tens", "limit_digits=[5, 4, 5]"], ["[5, 4, 5]", "the 162 points of a suit contract", "ends in 2"]),
        (["rounding=tens", "limit_digits=[6, 5, 5]"], ["[6, 5, 5]", "the 258 points of all trumps", "ends in 8"]),
        (["rounding=tens", "limit_digits=[6, 4, 4]"], ["[6, 4, 4]", "the 130 points of no trumps", "ends in 0"]),
        (["rounding=tens", "mp_totals=text152"], ["text152", '"tens"', "none", "computed"]),
    ],
    ids=str,
)
def test_rules_that_contradict_each_other(settings: list[str], parts: list[str]) -> None:
    _refused(settings, parts)


def test_text152_needs_replace() -> None:
    assert load_rules(settings=["mp_totals=text152"]).score.mp_totals == "text152"
    _refused(["mp_totals=text152", "capo_mode=add"], ["text152", '"add"', "replace", "computed"])
    _refused(["mp_totals=text152", "capo_mode=wins_match"], ["text152", '"wins_match"', "replace"])
    _refused(["mp_totals=text152", "all_tricks=9"], ["all_tricks = 9", "last_trick = 10", "computed"])


@pytest.mark.parametrize(
    "settings",
    [
        ["sequence_max=3", "run_points=[20]"],
        ["sequence_max=8", "run_points=[20, 50, 100, 100, 100, 120]"],
        ["capo_mode=add", "tie_rule=hang", "meld_compare=strongest", "overlap=exclusive"],
        ["exchange_suit=trump", "exchange_window=full_hand", "upcard_to=taker"],
        ["exchange_suit=upcard_if_trump", "exchange_policy=never", "aponta=true"],
        ["trump_order=JA9TKQ87", "ranks=789TJQKA"],
        ["partner_winning_relief=true"],
        ["turn_up=false", "kind=drawn"],
        ["kind=turned", "declare_policy=perfect", "upcard_index=19"],
        ["kind=ladder", "rounding=tens", "limit_digits=[1, 9, 0]"],
        ["packets=[4]", "packets_after=[4]", "upcard_index=15"],
        ["shuffle=cut_only", "chain=1"],
        ["turn_up=false", "kind=ladder", "upcard_index=3"],
        ["ranks=789TJA65", "plain_order=AT9876J5", "trump_order=AT9876J5", "fours_order=AT9876J5", "trump_pair=0"],
    ],
)
def test_playable(settings: list[str]) -> None:
    check_rules(load_rules(settings=settings))


@pytest.mark.parametrize(
    ("key", "value", "parts"),
    [
        ("run_points", [20, 50, 100], ["a list", "give a tuple"]),
        ("head_plain", 1, ["play.head_plain = 1", "true or false"]),
        ("target", True, ["match.target = true", "whole number"]),
        ("tie_rule", None, ["score.tie_rule", "not text", "fail, hang or made"]),
        ("ranks", 8, ["deck.ranks = 8", "not text"]),
    ],
)
def test_records_built_by_hand(key: str, value: Any, parts: list[str]) -> None:
    rules = load_rules()
    section = SECTION_OF[key]
    odd = replace(rules, **{section: replace(getattr(rules, section), **{key: value})})
    with pytest.raises(RulesError) as caught:
        check_rules(odd)
    _one_sentence(str(caught.value), parts)


def test_section_of_wrong_type() -> None:
    with pytest.raises(RulesError, match="the section play is a dict: give a Play"):
        check_rules(replace(load_rules(), play={}))  # type: ignore[arg-type]


def _refused(settings: list[str], parts: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(settings=settings)
    assert isinstance(caught.value, MpsimError)
    _one_sentence(str(caught.value), parts)


def _one_sentence(message: str, parts: list[str]) -> None:
    assert all(part in message for part in parts), message
    assert "\n" not in message
    assert ". " not in message
