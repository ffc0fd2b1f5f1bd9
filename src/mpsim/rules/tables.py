"""A rules record as the numbers and masks that the kernels take as arguments.

Slow, readable code here; the kernels only use what it fills in.  Words are `uint32`, four suit fields of 8 bits, or
`uint64`, four fields of 16, of which a suit of ten ranks fills ten.  *Natural order* is the deck's own (a card's bit is
its number).  *Play order* turns the word so that trumps are the top field and orders each field by strength, weakest in
the lowest bit, so that a stronger card is a larger number.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mpsim.rules.model import Deck, Rules, run_value

Word = np.uint32 | np.uint64
Words = npt.NDArray[np.uint32 | np.uint64]
Ints = npt.NDArray[np.int64]


class DealTables(NamedTuple):
    """Deal, auction and exchange."""

    field: int                  # bits of a suit field
    cards: Word                 # the whole deck
    first_cards: int            # cards of a hand in the auction
    places: Ints                # [place in the deck]: 0-3 a seat's first cards, 4-7 its later ones, 8-11 its last one
    turned: int                 # 0 nothing, 1 the first card of the stock, 2 the dealer's own
    chain: int                  # deals of a table with a deck that is only cut; 0: shuffled for each deal
    gather_by_side: int
    kind: int                   # 0 accept, 1 ladder, 2 turned, 3 drawn
    worthless: Word             # cards worth 0 in a side suit, natural order
    aponta: int
    round2_any_suit: int
    overcalls: int              # a doubled contract may be outbid
    upcard_to_taker: int
    swaps: int                  # somebody may swap the seven
    exchange_suit: int          # 0 upcard, 1 trump, 2 upcard if it is trump
    exchange_full_hand: int
    seven: Word                 # the seven of the lowest suit, natural order
    sevens: Word                # of every suit
    swap_for: tuple[Word, Word, Word, Word]
    """Turned cards worth a swap: a side suit's for a side suit's seven, for the trumps'; trumps for the same two."""


class MeldTables(NamedTuple):
    """Runs, fours, the trump pair and their comparison."""

    field: int
    within: Word                # all bits but the top one of every field
    ones: Word                  # the lowest bit of every field
    king: int                   # place of the king in a suit, natural order
    queen: int
    pair_points: int
    run_steps: Ints             # [length]: points a run gains by its last card
    run_keys: Ints              # [length]: strength of a run in comparison, to which the top rank is added
    fours: Word                 # ranks whose four is a meld
    four_sizes: Words           # [size, (ranks, points)]: fours by what they are worth
    four_keys: Ints             # [rank]: strength of a four in comparison
    exclusive: int
    compare: int                # 0 none, 1 by category, 2 strongest
    no_trumps: int              # no trumps may be played, where nothing is declared
    declare: int


class OrderTables(NamedTuple):
    """From natural order to play order."""

    field: int
    cards: Word                 # the whole deck
    trumps: Word                # the trump field, play order
    side_moves: Words           # [move, (mask, turn)]: natural to strength order of a side suit, every field
    trump_moves: Words          # the same for the trump suit


class PlayTables(NamedTuple):
    """Legal cards and tricks; the flags of play are words, all ones or zero."""

    field: int
    cards: Word
    ones: Word
    within: Word
    smear2: Word                # all bits but the top two of every field
    smear4: Word                # all bits but the top four of every field
    smear8: Word                # all bits but the top eight of every field
    head_side: Word
    head_trump: Word
    must_ruff: Word
    must_overruff: Word
    must_underruff: Word
    bare_trumps_overruff: Word
    relief_side: Word
    relief_trump: Word
    relief_ruff: Word
    watches_pairs: int          # a pair may be lost by a discard
    pair_high: Word             # the stronger of king and queen as trumps, every field, play order
    pair_low: Word              # the weaker
    pair_gap: int               # bits between them


class ScoreTables(NamedTuple):
    """Card points and settlement; three values are for a suit contract, all trumps, no trumps."""

    all_tricks: int
    planes: Words               # [digit, (side, trump)]: cards whose points have the bit `1 << digit`, every field
    deck_points: tuple[int, int, int]
    last_trick: int
    last_swept: int             # the same for a team with all tricks
    capo: int                   # what such a team gets besides
    nt_factor: int              # on cards and last trick in no trumps
    nt_capo_factor: int
    mesa_cut: int               # taken off what a failed contract without capo pays (text152)
    lost_pair: int              # points of a pair, where one may be lost by a discard
    contract: int               # 0: each team writes down its own
    doubles: int                # the general settlement: doubles, rounding
    tie: int                    # 0 fail, 1 hang, 2 made
    tens: int                   # round to tens of points
    multiply_first: int
    limits: tuple[int, int, int]
    round_tie: int              # 0 fewer up, 1 caller low, 2 up, 3 down
    capot_cancels: int
    hang_half: int
    need_trick: int


class MatchTables(NamedTuple):
    """How deals make a match."""

    target: int
    min_deals: int
    tie_extra_deals: int
    tie_early_stop: int
    capot_exit: int             # 0 allowed, 1 raise, 2 one more
    hang_blocks_end: int
    sweep_wins: int
    allpass_rotates: int
    claims: int
    claims_from: int            # deal


class RuleTables(NamedTuple):
    """What the kernels need of the rules, a part for each."""

    deal: DealTables
    melds: MeldTables
    order: OrderTables
    play: PlayTables
    score: ScoreTables


def word_type(deck: Deck) -> type[np.uint32] | type[np.uint64]:
    """The machine word of a hand: four fields."""
    return np.uint32 if deck.field == 8 else np.uint64


class _Words:
    """Words of a deck's size from sets of ranks."""

    def __init__(self, rules: Rules) -> None:
        self.deck, self.field = rules.deck, rules.deck.field
        self.type = word_type(rules.deck)
        self.ranks = (1 << len(rules.deck.ranks)) - 1

    def word(self, bits: int) -> Word:
        """Any bits as a word."""
        return self.type(bits)

    def every(self, ranks: int) -> Word:
        """The same ranks in every field."""
        return self.word(_every_field(ranks, self.field))

    def below(self, count: int) -> Word:
        """All bits but the top `count` of every field."""
        return self.every((1 << max(self.field - count, 0)) - 1)

    def flag(self, flag: bool) -> Word:
        """All ones, or zero."""
        return self.word((1 << 4 * self.field) - 1 if flag else 0)

    def trumps(self) -> Word:
        """The trump field in play order."""
        return self.word(self.ranks << 3 * self.field)


def _every_field(ranks: int, field: int) -> int:
    return sum(ranks << suit * field for suit in range(4))


def _moves(order: str, words: _Words) -> Words:
    """Masks and left turns that bring natural order to strength order (weakest lowest) in every field."""
    masks: dict[int, int] = {}
    for strength, rank in enumerate(reversed(order)):
        natural = words.deck.ranks.index(rank)
        masks[strength - natural] = masks.get(strength - natural, 0) | 1 << natural
    field = words.field
    moves = [(_every_field(mask, field), shift % (4 * field)) for shift, mask in sorted(masks.items())]
    return _frozen(moves, words.type)  # type: ignore[no-any-return]


def _planes(rules: Rules, words: _Words) -> Words:
    """Cards by the binary digits of their points, in play order, as side suits and as trumps."""
    def plane(values: tuple[int, ...], digit: int) -> int:
        ranks = sum((value >> digit & 1) << strength for strength, value in enumerate(reversed(values)))
        return _every_field(ranks, words.field)

    deck = rules.deck
    planes = [[plane(values, digit) for values in (deck.plain_values, deck.trump_values)] for digit in range(5)]
    return _frozen(planes, words.type)  # type: ignore[no-any-return]


def _run_tables(rules: Rules) -> tuple[Ints, Ints]:
    width, melds = rules.hand_size, rules.melds
    points = [run_value(rules, length) for length in range(width + 1)]
    steps = [0, *(points[k] - points[k - 1] for k in range(1, width + 1))]
    cap = melds.sequence_max if melds.seq_compare == "capped5" else width
    worth = points if melds.meld_compare == "strongest" else [0] * (width + 1)
    keys = [(worth[k] << 10) + (min(k, cap) << 4) for k in range(width + 1)]
    return _frozen(steps, np.int64), _frozen(keys, np.int64)


def _four_sizes(rules: Rules, words: _Words) -> Words:
    sizes: dict[int, int] = {}
    for rank, points in enumerate(rules.melds.fours_table):
        sizes[points] = sizes.get(points, 0) | 1 << rank
    by_size = [(ranks, points) for points, ranks in sorted(sizes.items())]
    return _frozen(by_size, words.type)  # type: ignore[no-any-return]


def _four_keys(rules: Rules) -> Ints:
    """By category a four's strength is its rank's in the order of fours; in one pool its points come first."""
    strength = [rules.melds.fours_order[::-1].index(rank) + 1 for rank in rules.deck.ranks]
    if rules.melds.meld_compare == "strongest":
        strength = [(p << 10) + (1 << 9) + s for p, s in zip(rules.melds.fours_table, strength, strict=True)]
    return _frozen(strength, np.int64)  # type: ignore[no-any-return]


def _frozen(values: Any, dtype: Any) -> Any:
    array = np.array(values, dtype)
    array.flags.writeable = False
    return array


def _worth_a_swap(rules: Rules, words: _Words) -> tuple[Word, Word, Word, Word]:
    """Turned cards that the holder of the seven wants, natural order: see `DealTables.swap_for`."""
    deck, seven = rules.deck, rules.exchange.exchange_rank

    def above(order: str, order_of_seven: str) -> Word:
        least = len(order) - order_of_seven.index(seven) if rules.exchange.exchange_policy == "better" else 0
        return words.every(sum(1 << deck.ranks.index(rank) for rank in order if len(order) - order.index(rank) > least))

    plain, trump = deck.plain_order, deck.trump_order
    return above(plain, plain), above(plain, trump), above(trump, plain), above(trump, trump)


def _places(rules: Rules, turned: int) -> Ints:
    """Where the cards of a deck in dealing order go; the turned card is the dealer's last if it lies on the table."""
    deal = rules.deal
    places = [seat for packet in deal.packets for seat in range(4) for _ in range(packet)]
    after = [[4 + seat for seat in range(4) for _ in range(packet)] for packet in deal.packets_after]
    last = after[-1]
    for seat in range(3):
        last[last.index(4 + seat) + deal.packets_after[-1] - 1] = 8 + seat
    if turned == 1:
        last.pop()
        places.append(11)
    elif turned == 0:
        last[-1] = 11
    places += [place for packet in after for place in packet]
    return _frozen(places, np.int64)  # type: ignore[no-any-return]


def _deal_tables(rules: Rules, words: _Words) -> DealTables:
    deck, deal, exchange = rules.deck, rules.deal, rules.exchange
    first, seven = sum(deal.packets), deck.ranks.index(exchange.exchange_rank)
    values = zip(deck.plain_order, deck.plain_values, strict=True)
    turned = (1 if deal.upcard_index == 4 * first else 2) if deal.turn_up else 0
    return DealTables(
        field=words.field,
        cards=words.every(words.ranks),
        first_cards=first,
        places=_places(rules, turned),
        turned=turned,
        chain=deal.chain if deal.shuffle == "cut_only" else 0,
        gather_by_side=int(deal.gather == "by_side"),
        kind=("accept", "ladder", "turned", "drawn").index(rules.auction.kind),
        worthless=words.every(sum(1 << deck.ranks.index(rank) for rank, value in values if value == 0)),
        aponta=int(rules.auction.aponta),
        round2_any_suit=int(rules.auction.round2_any_suit),
        overcalls=int(rules.auction.overcall_cancels_double),
        upcard_to_taker=int(deal.upcard_to == "taker" and turned == 1),
        swaps=int(turned > 0 and exchange.exchange_policy != "never"),
        exchange_suit=("upcard", "trump", "upcard_if_trump").index(exchange.exchange_suit),
        exchange_full_hand=int(exchange.exchange_window == "full_hand"),
        seven=words.word(1 << seven),
        sevens=words.every(1 << seven),
        swap_for=_worth_a_swap(rules, words),
    )


def _place(rank: str, order: str) -> int:
    """Where a rank stands, 0 where the deck has none of it."""
    return max(order.find(rank), 0)


def _meld_tables(rules: Rules, words: _Words) -> MeldTables:
    melds, ranks = rules.melds, rules.deck.ranks
    steps, keys = _run_tables(rules)
    return MeldTables(
        field=words.field,
        within=words.below(1),
        ones=words.every(1),
        king=_place("K", ranks),
        queen=_place("Q", ranks),
        pair_points=melds.trump_pair,
        run_steps=steps,
        run_keys=keys,
        fours=words.word(sum(1 << rank for rank, points in enumerate(melds.fours_table) if points)),
        four_sizes=_four_sizes(rules, words),
        four_keys=_four_keys(rules),
        exclusive=int(melds.overlap == "exclusive"),
        compare=("none", "by_category", "strongest").index(melds.meld_compare),
        no_trumps=int(rules.auction.kind == "ladder"),
        declare=int(melds.meld_policy == "always"),
    )


def _watches_pairs(rules: Rules) -> bool:
    """Whether a pair may be lost: it takes all trumps, and points to lose."""
    melds = rules.melds
    declared = melds.meld_policy == "always" and melds.trump_pair > 0
    return rules.auction.kind == "ladder" and declared and not melds.belot_on_discard


def _play_tables(rules: Rules, words: _Words) -> PlayTables:
    play, weakest_first = rules.play, rules.deck.trump_order[::-1]
    low, high = sorted((_place("K", weakest_first), _place("Q", weakest_first)))
    relief, flag = play.partner_relief, words.flag
    return PlayTables(
        field=words.field,
        cards=words.every(words.ranks),
        ones=words.every(1),
        within=words.below(1),
        smear2=words.below(2),
        smear4=words.below(4),
        smear8=words.below(8),
        head_side=flag(play.head_plain),
        head_trump=flag(play.head_trump),
        must_ruff=flag(play.must_ruff),
        must_overruff=flag(play.must_overruff),
        must_underruff=flag(play.must_underruff),
        bare_trumps_overruff=flag(play.bare_trumps_overruff and play.must_ruff),
        relief_side=flag(relief in ("follow", "full")),
        relief_trump=flag(relief in ("follow", "full") or not play.head_trump_vs_partner),
        relief_ruff=flag(relief in ("ruff", "full")),
        watches_pairs=int(_watches_pairs(rules)),
        pair_high=words.every(1 << high),
        pair_low=words.every(1 << low),
        pair_gap=high - low,
    )


def _capo(rules: Rules) -> int:
    """What a team with all tricks gets besides what `last_swept` gives it."""
    score = rules.score
    if score.capo_mode == "wins_match":
        return 0
    return score.all_tricks - (score.last_trick if score.mp_totals == "text152" else 0)


def _score_tables(rules: Rules, words: _Words) -> ScoreTables:
    deck, score = rules.deck, rules.score
    plain, trump = sum(deck.plain_values), sum(deck.trump_values)
    suits, trumps, none = score.limit_digits
    return ScoreTables(
        all_tricks=rules.hand_size,
        planes=_planes(rules, words),
        deck_points=(trump + 3 * plain, 4 * trump, 4 * plain),
        last_trick=score.last_trick,
        last_swept=0 if score.capo_mode == "replace" else score.last_trick,
        capo=_capo(rules),
        nt_factor=score.nt_multiplier,
        nt_capo_factor=score.nt_multiplier if score.nt_capot_doubled else 1,
        mesa_cut=score.last_trick if score.mp_totals == "text152" else 0,
        lost_pair=rules.melds.trump_pair if _watches_pairs(rules) else 0,
        contract=int(rules.auction.kind != "turned"),
        doubles=int(rules.auction.kind == "ladder" or score.rounding == "tens"),
        tie=("fail", "hang", "made").index(score.tie_rule),
        tens=int(score.rounding == "tens"),
        multiply_first=int(not score.round_then_multiply),
        limits=(suits, trumps, none),
        round_tie=("fewer_up", "caller_low", "up", "down").index(score.round_tie),
        capot_cancels=int(score.capot_cancels_double),
        hang_half=int(score.hang_doubled == "half"),
        need_trick=int(rules.melds.melds_need_trick),
    )


def match_tables(rules: Rules) -> MatchTables:
    """What a match needs besides its deals."""
    match = rules.match
    return MatchTables(
        target=match.target,
        min_deals=match.min_deals,
        tie_extra_deals=match.tie_extra_deals,
        tie_early_stop=int(match.tie_early_stop),
        capot_exit=("allowed", "raise", "one_more").index(match.capot_exit),
        hang_blocks_end=int(match.hang_blocks_end),
        sweep_wins=int(rules.score.capo_mode == "wins_match"),
        allpass_rotates=int(rules.auction.allpass_rotates),
        claims=int(match.declare_policy == "perfect"),
        claims_from=match.declare_from_deal,
    )


@lru_cache(maxsize=64)
def rule_tables(rules: Rules) -> RuleTables:
    """The tables of checked rules; arrays are read-only."""
    deck, words = rules.deck, _Words(rules)
    order = OrderTables(
        field=words.field,
        cards=words.every(words.ranks),
        trumps=words.trumps(),
        side_moves=_moves(deck.plain_order, words),
        trump_moves=_moves(deck.trump_order, words),
    )
    return RuleTables(
        _deal_tables(rules, words), _meld_tables(rules, words), order, _play_tables(rules, words),
        _score_tables(rules, words),
    )
