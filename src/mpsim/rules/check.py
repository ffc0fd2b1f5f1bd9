"""What no game can be played with, refused in one sentence: types and ranges, combinations, rules not played yet."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import Field, fields
from typing import Any

from mpsim.errors import RulesError
from mpsim.rules.model import SECTIONS, Rules

FIELDS: dict[str, Field[Any]] = {
    f"{section}.{f.name}": f for section, record in SECTIONS.items() for f in fields(record)
}
"""Every rule key, dotted, with its declaration, in the order of the record."""

PLAYED: dict[str, tuple[Any, ...]] = {
    "deal.packets": ((1, 1, 1, 1, 1),),
    "deal.turn_up": (True,),
    "deal.packets_after": ((1, 1, 1),),
    "deal.shuffle": ("uniform",),
    "auction.kind": ("accept",),
    "score.capo_mode": ("replace", "add"),
    "score.nt_multiplier": (1,),
    "score.rounding": ("none",),
    "match.capot_exit": ("allowed",),
}
"""Values the record can hold and mpsim can play; the others belong to games that it does not know yet."""


LONGEST = 100
"""Characters of a value that a message repeats."""


def shown(value: Any) -> str:
    """A rule's value as TOML writes it, cut short where it is too long for a sentence."""
    text = _written(value, depth=3)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _written(value: Any, depth: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() > 4 * LONGEST:
        return hex(value)  # Python writes out no decimal number of thousands of digits
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(_written(item, depth - 1) for item in value) + "]" if depth else "[...]"
    if isinstance(value, Mapping):
        return "{...}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def one_of(values: Iterable[Any], joint: str = "or") -> str:
    """`a, b or c`."""
    words = [str(value) for value in values]
    return f" {joint} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def suggestion(word: str, known: Iterable[str]) -> str:
    """` (did you mean x?)` for the known word most like a wrong one; empty when none is."""
    near = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f" (did you mean {near[0]}?)" if near else ""


def is_text(dotted: str) -> bool:
    """Whether a key holds text."""
    return isinstance(FIELDS[dotted].default, str)


def check_value(dotted: str, value: Any) -> Any:
    """The value as the record holds it (lists become tuples); RulesError for a wrong type or range."""
    declared = FIELDS[dotted]
    default = declared.default
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise RulesError(f"{dotted} = {shown(value)} is not a truth value: write true or false")
        return value
    if isinstance(default, str):
        return _check_text(dotted, value, declared.metadata["choices"])
    low, high = declared.metadata["low"], declared.metadata["high"]
    if isinstance(default, tuple):
        if not isinstance(value, (tuple, list)) or not value:
            raise RulesError(f"{dotted} = {shown(value)} is not a list: write whole numbers like {shown(default)}")
        for item in value:
            _check_number(f"{dotted} holds {shown(item)}, which", item, low, high)
        return tuple(value)
    _check_number(f"{dotted} = {shown(value)}", value, low, high)
    return value


def _check_text(dotted: str, value: Any, choices: tuple[str, ...]) -> str:
    playable = PLAYED.get(dotted, choices)
    if not isinstance(value, str):
        cure = one_of(playable) if choices else "it in quotes"
        raise RulesError(f"{dotted} = {shown(value)} is not text: write {cure}")
    if choices and value not in choices:
        raise RulesError(
            f"{dotted} = {shown(value)} is not a choice: write {one_of(playable)}{suggestion(value, playable)}"
        )
    return value


def _check_number(subject: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RulesError(f"{subject} is not a whole number: write one from {low} to {high}")
    if not low <= value <= high:
        raise RulesError(f"{subject} is out of range: write a whole number from {low} to {high}")


def check_rules(rules: Rules) -> None:
    """Refuse with RulesError, in one sentence, what no game can be played with or mpsim does not play yet."""
    _check_name(rules)
    for section, record in SECTIONS.items():
        given = type(getattr(rules, section))
        if given is not record:
            raise RulesError(f"the section {section} is a {given.__name__}: give a {record.__name__}")
    for dotted in FIELDS:
        value = value_of(rules, dotted)
        if isinstance(value, list):
            raise RulesError(f"{dotted} = {shown(value)} is a list, which can change: give a tuple")
        check_value(dotted, value)
    _check_deck(rules)
    _check_melds(rules)
    _check_totals(rules)
    for dotted, played in PLAYED.items():
        value = value_of(rules, dotted)
        if value not in played:
            cure = one_of(shown(item) for item in played)
            raise RulesError(f"{dotted} = {shown(value)} is a rule that mpsim does not play yet: set it to {cure}")


def value_of(rules: Rules, dotted: str) -> Any:
    """The value of a dotted key."""
    section, name = dotted.split(".")
    return getattr(getattr(rules, section), name)


def _check_name(rules: Rules) -> None:
    if not isinstance(rules.name, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}", rules.name):
        raise RulesError(
            f"name = {shown(rules.name)} cannot name a game: write 1 to 64 letters, digits and signs of _ . + -, "
            "a letter or digit first"
        )
    if not isinstance(rules.title, str) or not rules.title.strip() or not rules.title.isprintable():
        raise RulesError(f"title = {shown(rules.title)} cannot be printed as a title: write one line of text")


def _check_deck(rules: Rules) -> None:
    deck = rules.deck
    ranks = deck.ranks
    for rank in ranks:
        if not (rank.isascii() and rank.isalnum() and rank == rank.upper()) or ranks.count(rank) > 1:
            raise RulesError(f"deck.ranks = {shown(ranks)}: write {rank!r} once, as a digit or capital letter")
    if len(ranks) != 8:
        raise RulesError(
            f"deck.ranks = {shown(ranks)} has {len(ranks)} ranks, a deck that mpsim does not play yet: write 8 ranks"
        )
    if not {"K", "Q"} <= set(ranks):
        raise RulesError(f"deck.ranks = {shown(ranks)} lacks a card of the trump pair: write K and Q among them")
    for name in ("plain", "trump"):
        order, values = getattr(deck, f"{name}_order"), getattr(deck, f"{name}_values")
        if sorted(order) != sorted(ranks):
            raise RulesError(
                f"deck.{name}_order = {shown(order)} is no order of the ranks: write each of {shown(ranks)} once, "
                "strongest first"
            )
        _check_length(f"deck.{name}_values", values, len(ranks), "one for each rank")


def _check_length(dotted: str, values: tuple[int, ...], length: int, why: str) -> None:
    if len(values) != length:
        raise RulesError(f"{dotted} = {shown(values)} holds {len(values)} where {length} are needed: write {why}")


def _check_melds(rules: Rules) -> None:
    melds, width = rules.melds, rules.hand_size
    _check_length("melds.fours_table", melds.fours_table, width, f"one for each rank of {rules.deck.ranks}")
    needed = melds.sequence_max - 2
    if len(melds.run_points) < needed:
        raise RulesError(
            f"melds.run_points = {shown(melds.run_points)} ends before melds.sequence_max = {melds.sequence_max}: "
            f"write {needed} numbers, for runs of 3 to {melds.sequence_max}, or a smaller sequence_max"
        )


def _check_totals(rules: Rules) -> None:
    score = rules.score
    if score.mp_totals != "text152":
        return
    if score.capo_mode != "replace":
        raise RulesError(
            f'score.mp_totals = "text152" does not go with score.capo_mode = {shown(score.capo_mode)}: '
            "set capo_mode to replace, as the printed 232 has it, or mp_totals to computed"
        )
    if score.all_tricks < score.last_trick:
        raise RulesError(
            f"score.all_tricks = {score.all_tricks} is less than score.last_trick = {score.last_trick}, and "
            'score.mp_totals = "text152" pays their difference: raise all_tricks or set mp_totals to computed'
        )
