"""A rules record as the numbers and masks that the kernels take as arguments.

Slow, readable code here; the kernels only use what it fills in.  Words are `uint32`: four suit fields of `field` bits.
*Natural order* is the deck's own (a card's bit is its number).  *Play order* turns the word so that trumps are the top
field and orders each field by strength, weakest in the lowest bit, so that a stronger card is a larger number.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.errors import RulesError
from mpsim.rules.model import Rules, run_value

Words = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.int64]


class DealTables(NamedTuple):
    """Auction, second deal and exchange."""

    field: int                  # bits of a suit field
    lowest_rank: np.uint32      # the lowest card of every suit, natural order
    worthless: np.uint32        # cards worth 0 in a side suit, natural order
    aponta: int
    round2_any_suit: int
    upcard_to_taker: int
    exchange_suit: int          # 0 upcard, 1 trump, 2 upcard if it is trump
    exchange_full_hand: int
    exchange_always: int


class MeldTables(NamedTuple):
    """Runs, fours, the trump pair and their comparison."""

    field: int
    within: np.uint32           # all bits but the top one of every field
    ones: np.uint32             # the lowest bit of every field
    pair: np.uint32             # king and queen of the lowest field, natural order
    pair_points: int
    run_steps: Ints             # [length]: points a run gains by its last card
    run_keys: Ints              # [length]: strength of a run in comparison, to which the top rank is added
    fours: np.uint32            # ranks whose four is a meld
    four_sizes: Words           # [size, (ranks, points)]: fours by what they are worth
    four_keys: Ints             # [rank]: strength of a four in comparison
    exclusive: int
    compare: int                # 0 none, 1 by category, 2 strongest
    declare: int


class OrderTables(NamedTuple):
    """From natural order to play order."""

    field: int
    cards: np.uint32            # the whole deck
    trumps: np.uint32           # the trump field, play order
    side_moves: Words           # [move, (mask, turn)]: natural to strength order of a side suit, every field
    trump_moves: Words          # the same for the trump suit


class PlayTables(NamedTuple):
    """Legal cards and tricks; the flags of play are words, all ones or zero."""

    field: int
    trumps: np.uint32
    ones: np.uint32
    within: np.uint32
    smear2: np.uint32           # all bits but the top two of every field
    smear4: np.uint32           # all bits but the top four of every field
    head_side: np.uint32
    head_trump: np.uint32
    must_ruff: np.uint32
    must_overruff: np.uint32
    must_underruff: np.uint32
    relief_follow: np.uint32
    relief_ruff: np.uint32


class ScoreTables(NamedTuple):
    """Card points and settlement."""

    all_tricks: int
    planes: Words               # [digit]: cards whose points have the bit `1 << digit`, play order
    deck_points: int
    last_trick: int
    capo: int                   # what a team with all tricks gets instead of last_trick
    mesa_cut: int               # taken off what a failed contract without capo pays (text152)
    tie: int                    # 0 fail, 1 hang, 2 made
    need_trick: int


class RuleTables(NamedTuple):
    """What the kernels need of the rules, a part for each."""

    deal: DealTables
    melds: MeldTables
    order: OrderTables
    play: PlayTables
    score: ScoreTables


def _every_field(byte: int, field: int) -> int:
    return sum(byte << suit * field for suit in range(4))


def _trump_field(field: int) -> np.uint32:
    return np.uint32(((1 << field) - 1) << 3 * field)


def _moves(order: str, ranks: str, field: int) -> Words:
    """Masks and left turns that bring natural order to strength order (weakest lowest) in every field."""
    masks: dict[int, int] = {}
    for strength, rank in enumerate(reversed(order)):
        natural = ranks.index(rank)
        masks[strength - natural] = masks.get(strength - natural, 0) | 1 << natural
    moves = [(_every_field(mask, field), shift % (4 * field)) for shift, mask in sorted(masks.items())]
    return _frozen(moves, np.uint32)  # type: ignore[no-any-return]


def _planes(rules: Rules) -> Words:
    """Cards by the binary digits of their points, in play order."""
    deck, field = rules.deck, len(rules.deck.ranks)
    suits = [deck.plain_values[::-1]] * 3 + [deck.trump_values[::-1]]
    planes = [0] * 5
    for suit, values in enumerate(suits):
        for strength, value in enumerate(values):
            for digit in range(5):
                planes[digit] |= (value >> digit & 1) << suit * field + strength
    return _frozen(planes, np.uint32)  # type: ignore[no-any-return]


def _mask(flag: bool) -> np.uint32:
    return np.uint32(0xFFFFFFFF if flag else 0)


def _run_tables(rules: Rules) -> tuple[Ints, Ints]:
    width, melds = rules.hand_size, rules.melds
    points = [run_value(rules, length) for length in range(width + 1)]
    steps = [0, *(points[k] - points[k - 1] for k in range(1, width + 1))]
    cap = melds.sequence_max if melds.seq_compare == "capped5" else width
    worth = points if melds.meld_compare == "strongest" else [0] * (width + 1)
    keys = [(worth[k] << 10) + (min(k, cap) << 4) for k in range(width + 1)]
    return _frozen(steps, np.int64), _frozen(keys, np.int64)


def _four_sizes(rules: Rules) -> Words:
    sizes: dict[int, int] = {}
    for rank, points in enumerate(rules.melds.fours_table):
        sizes[points] = sizes.get(points, 0) | 1 << rank
    by_size = [(ranks, points) for points, ranks in sorted(sizes.items())]
    return _frozen(by_size, np.uint32)  # type: ignore[no-any-return]


def _four_keys(rules: Rules) -> Ints:
    """By category a four's strength is its rank's in the trump order; in one pool its points come first."""
    strength = [rules.deck.trump_order[::-1].index(rank) + 1 for rank in rules.deck.ranks]
    if rules.melds.meld_compare == "strongest":
        strength = [(p << 10) + (1 << 9) + s for p, s in zip(rules.melds.fours_table, strength, strict=True)]
    return _frozen(strength, np.int64)  # type: ignore[no-any-return]


def _capo(rules: Rules) -> int:
    score = rules.score
    if score.mp_totals == "text152":
        return score.all_tricks - score.last_trick
    return score.all_tricks + (score.last_trick if score.capo_mode == "add" else 0)


def _frozen(values: Any, dtype: Any) -> Any:
    array = np.array(values, dtype)
    array.flags.writeable = False
    return array


def _deal_tables(rules: Rules) -> DealTables:
    deck, exchange, field = rules.deck, rules.exchange, len(rules.deck.ranks)
    values = zip(deck.plain_order, deck.plain_values, strict=True)
    worthless = sum(1 << deck.ranks.index(rank) for rank, value in values if value == 0)
    return DealTables(
        field=field,
        lowest_rank=np.uint32(_every_field(1, field)),
        worthless=np.uint32(_every_field(worthless, field)),
        aponta=int(rules.auction.aponta),
        round2_any_suit=int(rules.auction.round2_any_suit),
        upcard_to_taker=int(rules.deal.upcard_to == "taker"),
        exchange_suit=("upcard", "trump", "upcard_if_trump").index(exchange.exchange_suit),
        exchange_full_hand=int(exchange.exchange_window == "full_hand"),
        exchange_always=int(exchange.exchange_policy == "always"),
    )


def _meld_tables(rules: Rules) -> MeldTables:
    melds, ranks, field = rules.melds, rules.deck.ranks, len(rules.deck.ranks)
    steps, keys = _run_tables(rules)
    return MeldTables(
        field=field,
        within=np.uint32(_every_field((1 << field - 1) - 1, field)),
        ones=np.uint32(_every_field(1, field)),
        pair=np.uint32(1 << ranks.index("K") | 1 << ranks.index("Q")),
        pair_points=melds.trump_pair,
        run_steps=steps,
        run_keys=keys,
        fours=np.uint32(sum(1 << rank for rank, points in enumerate(melds.fours_table) if points)),
        four_sizes=_four_sizes(rules),
        four_keys=_four_keys(rules),
        exclusive=int(melds.overlap == "exclusive"),
        compare=("none", "by_category", "strongest").index(melds.meld_compare),
        declare=int(melds.meld_policy == "always"),
    )


def _play_tables(rules: Rules) -> PlayTables:
    play, field = rules.play, len(rules.deck.ranks)
    return PlayTables(
        field=field,
        trumps=_trump_field(field),
        ones=np.uint32(_every_field(1, field)),
        within=np.uint32(_every_field((1 << field - 1) - 1, field)),
        smear2=np.uint32(_every_field((1 << field - 2) - 1, field)),
        smear4=np.uint32(_every_field((1 << field - 4) - 1, field)),
        head_side=_mask(play.head_plain),
        head_trump=_mask(play.head_trump),
        must_ruff=_mask(play.must_ruff),
        must_overruff=_mask(play.must_overruff),
        must_underruff=_mask(play.must_underruff),
        relief_follow=_mask(play.partner_relief in ("follow", "full")),
        relief_ruff=_mask(play.partner_relief in ("ruff", "full")),
    )


def _score_tables(rules: Rules) -> ScoreTables:
    deck, score = rules.deck, rules.score
    return ScoreTables(
        all_tricks=rules.hand_size,
        planes=_planes(rules),
        deck_points=sum(deck.trump_values) + 3 * sum(deck.plain_values),
        last_trick=score.last_trick,
        capo=_capo(rules),
        mesa_cut=score.last_trick if score.mp_totals == "text152" else 0,
        tie=("fail", "hang", "made").index(score.tie_rule),
        need_trick=int(rules.melds.melds_need_trick),
    )


_PLAYED = {
    "deal.packets": (1, 1, 1, 1, 1), "deal.upcard_index": 20, "deal.shuffle": "uniform", "auction.kind": "accept",
    "exchange.exchange_rank": "7", "play.head_trump_vs_partner": True, "play.bare_trumps_overruff": False,
    "score.rounding": "none",
}
"""What the kernels play so far; the referee plays everything."""


def _refuse_unplayed(rules: Rules) -> None:
    for dotted, played in _PLAYED.items():
        section, name = dotted.split(".")
        if getattr(getattr(rules, section), name) != played:
            raise RulesError(f"{dotted}: the fast engine plays nothing but {played} yet")


@lru_cache(maxsize=64)
def rule_tables(rules: Rules) -> RuleTables:
    """The tables of checked rules; arrays are read-only."""
    _refuse_unplayed(rules)
    deck, field = rules.deck, len(rules.deck.ranks)
    order = OrderTables(
        field=field,
        cards=np.uint32((1 << 4 * field) - 1),
        trumps=_trump_field(field),
        side_moves=_moves(deck.plain_order, deck.ranks, field),
        trump_moves=_moves(deck.trump_order, deck.ranks, field),
    )
    return RuleTables(_deal_tables(rules), _meld_tables(rules), order, _play_tables(rules), _score_tables(rules))
