"""What no game can be played with, refused in one sentence: types and ranges, and combinations."""

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
    if not isinstance(value, str):
        cure = one_of(choices) if choices else "it in quotes"
        raise RulesError(f"{dotted} = {shown(value)} is not text: write {cure}")
    if choices and value not in choices:
        raise RulesError(
            f"{dotted} = {shown(value)} is not a choice: write {one_of(choices)}{suggestion(value, choices)}"
        )
    return value


def _check_number(subject: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RulesError(f"{subject} is not a whole number: write one from {low} to {high}")
    if not low <= value <= high:
        raise RulesError(f"{subject} is out of range: write a whole number from {low} to {high}")


def check_rules(rules: Rules) -> None:
    """Refuse with RulesError, in one sentence, what no game can be played with."""
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
    for check in (_check_deck, _check_deal, _check_auction, _check_melds, _check_totals, _check_rounding):
        check(rules)


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
    _check_suits(deck.suits)
    for rank in ranks:
        if not (rank.isascii() and rank.isalnum() and rank == rank.upper()) or ranks.count(rank) > 1:
            raise RulesError(f"deck.ranks = {shown(ranks)}: write {rank!r} once, as a digit or capital letter")
    if len(ranks) not in (8, 10):
        raise RulesError(f"deck.ranks = {shown(ranks)} has {len(ranks)} ranks: write 8 or 10, for 32 or 40 cards")
    if rules.melds.trump_pair and not {"K", "Q"} <= set(ranks):
        raise RulesError(
            f"deck.ranks = {shown(ranks)} lacks a card of the trump pair: write K and Q among them, or trump_pair = 0"
        )
    if rules.exchange.exchange_rank not in tuple(ranks):
        raise RulesError(
            f"exchange.exchange_rank = {shown(rules.exchange.exchange_rank)} is no rank: write one of {' '.join(ranks)}"
        )
    for name in ("plain", "trump"):
        order, values = getattr(deck, f"{name}_order"), getattr(deck, f"{name}_values")
        _check_order(f"deck.{name}_order", order, ranks)
        _check_length(f"deck.{name}_values", values, len(ranks), "one for each rank")


def _check_suits(suits: str) -> None:
    if len(suits) != 4 or len(set(suits)) != 4 or not (suits.isascii() and suits.isalpha() and suits.islower()):
        raise RulesError(f"deck.suits = {shown(suits)} names no four suits: write four small letters, like cdhs")


def _check_order(dotted: str, order: str, ranks: str) -> None:
    if sorted(order) != sorted(ranks):
        raise RulesError(
            f"{dotted} = {shown(order)} is no order of the ranks: write each of {shown(ranks)} once, strongest first"
        )


def _check_deal(rules: Rules) -> None:
    deal, size = rules.deal, rules.hand_size
    first, after = sum(deal.packets), sum(deal.packets_after)
    if first + after != size:
        raise RulesError(
            f"deal.packets = {shown(deal.packets)} and deal.packets_after = {shown(deal.packets_after)} make "
            f"{first + after} cards a hand: write packets of {size} together"
        )
    if deal.turn_up and deal.upcard_index not in (4 * first - 1, 4 * first):
        raise RulesError(
            f"deal.upcard_index = {deal.upcard_index} is neither the last of the {4 * first} cards dealt in "
            f"deal.packets nor the next: write {4 * first - 1} or {4 * first}"
        )
    if deal.chain & (deal.chain - 1):
        raise RulesError(f"deal.chain = {deal.chain} is no power of two: write one, like 128")


def _check_auction(rules: Rules) -> None:
    kind, deal = rules.auction.kind, rules.deal
    if kind in ("accept", "turned") and not deal.turn_up:
        raise RulesError(f"auction.kind = {shown(kind)} needs a turned card: set deal.turn_up to true, or another kind")
    if deal.upcard_to == "taker" and kind == "turned":
        raise RulesError(
            'deal.upcard_to = "taker" does not go with auction.kind = "turned", where nobody takes: set it to dealer'
        )
    if rules.score.rounding != "none" and kind == "turned":
        raise RulesError(
            f'score.rounding = {shown(rules.score.rounding)} does not go with auction.kind = "turned", where nobody is '
            "the maker: set it to none"
        )
    if rules.match.declare_policy != "none" and kind != "turned":
        raise RulesError(
            f"match.declare_policy = {shown(rules.match.declare_policy)} does not go with auction.kind = "
            f"{shown(kind)}, where points count only once the deal is over: set it to none"
        )


def _check_length(dotted: str, values: tuple[int, ...], length: int, why: str) -> None:
    if len(values) != length:
        raise RulesError(f"{dotted} = {shown(values)} holds {len(values)} where {length} are needed: write {why}")


def _check_melds(rules: Rules) -> None:
    melds, width = rules.melds, rules.hand_size
    _check_length("melds.fours_table", melds.fours_table, width, f"one for each rank of {rules.deck.ranks}")
    _check_order("melds.fours_order", melds.fours_order, rules.deck.ranks)
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
    if rules.auction.kind == "ladder":
        raise RulesError(
            'score.mp_totals = "text152" does not go with auction.kind = "ladder", whose deals may be doubled: set '
            "mp_totals to computed"
        )
    if score.rounding != "none":
        raise RulesError(
            f'score.mp_totals = "text152" does not go with score.rounding = {shown(score.rounding)}: set rounding to '
            "none or mp_totals to computed"
        )


def _check_rounding(rules: Rules) -> None:
    """Both teams' points can end in the limit digit only if twice the digit ends like the points of a deal."""
    score, deck = rules.score, rules.deck
    _check_length("score.limit_digits", score.limit_digits, 3, "one for suits, one for all trumps, one for no trumps")
    if score.rounding == "none":
        return
    plain, trump = sum(deck.plain_values), sum(deck.trump_values)
    no_trumps = (4 * plain + score.last_trick) * score.nt_multiplier
    totals = (trump + 3 * plain + score.last_trick, 4 * trump + score.last_trick, no_trumps)
    contracts = ("a suit contract", "all trumps", "no trumps")
    for digit, total, contract in zip(score.limit_digits, totals, contracts, strict=True):
        if 2 * digit % 10 != total % 10:
            raise RulesError(
                f"score.limit_digits = {shown(score.limit_digits)} does not share out the {total} points of "
                f"{contract}: write a digit of which two make a number that ends in {total % 10}"
            )
