"""The rules of one game as a frozen record: a variant is a value, never a code path.

Every key lives in one section (`play.head_plain`) and has a name of its own, so that the short form (`head_plain`)
is enough wherever a key is asked for.  Each key carries one sentence on its meaning; M, B, C and D number the open
questions on Mpourloto, Bulgarian Belot, computer Belote and Madrasso that it answers (docs/rules.md has the sources).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


def key(default: Any, doc: str, *, choices: tuple[str, ...] = (), low: int = 0, high: int = 10_000) -> Any:
    """A rule key: its default, its meaning, and what it may hold (`choices` for text, `low..high` for numbers)."""
    return field(default=default, metadata={"doc": doc, "choices": choices, "low": low, "high": high})


@dataclass(frozen=True, slots=True)
class Deck:
    """Which cards there are, how they rank and what they count."""

    suits: str = key("cdhs", "Letters of the suits, lowest in the auction first; bit order of a hand.")
    ranks: str = key("789TJQKA", "Ranks in sequence order, low to high; bit order of a suit.")
    plain_order: str = key("ATKQJ987", "Ranks of a side suit, strongest first.")
    plain_values: tuple[int, ...] = key((11, 10, 4, 3, 2, 0, 0, 0), "Card points along plain_order.", high=31)
    trump_order: str = key("J9ATKQ87", "Ranks of the trump suit, strongest first.")
    trump_values: tuple[int, ...] = key((20, 14, 11, 10, 4, 3, 0, 0), "Card points along trump_order.", high=31)

    @property
    def field(self) -> int:
        """Bits of a suit: card number = `field` * suit + rank, in a word of 32 or, with more than 8 ranks, 64 bits."""
        return 8 if len(self.ranks) <= 8 else 16

    @property
    def cards(self) -> tuple[int, ...]:
        """The numbers of all cards, ascending."""
        return tuple(self.field * suit + rank for suit in range(4) for rank in range(len(self.ranks)))


@dataclass(frozen=True, slots=True)
class Deal:
    """How the cards reach the players."""

    packets: tuple[int, ...] = key(
        (1, 1, 1, 1, 1), "Packets dealt round the table before the auction.", low=1, high=10
    )
    turn_up: bool = key(True, "A card is turned face up.")
    upcard_index: int = key(
        20, "Which card, counted from 0: the first after the packets stays on the table until it is dealt, the last of "
        "the packets lies open before the dealer, whose it is (D2).", high=39,
    )
    packets_after: tuple[int, ...] = key(
        (1, 1, 1), "Packets dealt after the auction; a turned card on the table counts as one of them.", low=1, high=10
    )
    upcard_to: str = key(
        "dealer", "Who takes a turned card on the table as his last card (M11).", choices=("dealer", "taker")
    )
    shuffle: str = key(
        "uniform", "Between deals the deck is shuffled, or only cut: a table plays on with the deck as gathered (C2).",
        choices=("uniform", "cut_only"),
    )
    gather: str = key(
        "by_side", "How a deck that is only cut was gathered: the makers' tricks in the order won, then the others' "
        "(by_side); or all tricks in the order played (in_order) (C2).", choices=("by_side", "in_order"),
    )
    chain: int = key(
        128, "Deals that a table plays with a deck that is only cut, before a new one starts with a fresh deck (C2).",
        low=1, high=1 << 20,
    )


@dataclass(frozen=True, slots=True)
class Auction:
    """How trumps are fixed."""

    kind: str = key(
        "accept", "accept: a first round for the turned suit, then one in which a suit may be named; ladder: suits, no "
        "trumps and all trumps outbid each other, with doubles; turned: the turned suit, no auction; drawn: seat and "
        "suit by lot, no auction.", choices=("accept", "ladder", "turned", "drawn"),
    )
    round2_any_suit: bool = key(True, "Round 2 may name the suit that round 1 refused (M9).")
    allpass_rotates: bool = key(True, "After a thrown-in deal the next player deals (M10).")
    aponta: bool = key(
        False,
        "The deal is thrown in before the auction when a player's first cards are all worth 0 in a side suit (M19).",
    )
    overcall_cancels_double: bool = key(
        True, "A doubled contract may still be outbid, which ends the double; else it is the last one (B17)."
    )


@dataclass(frozen=True, slots=True)
class Exchange:
    """The swap of the seven for the turned card, before the second deal."""

    exchange_suit: str = key(
        "upcard",
        "Whose seven may be swapped: the turned suit's, the trump suit's, or the turned suit's if it is trump (M2).",
        choices=("upcard", "trump", "upcard_if_trump"),
    )
    exchange_rank: str = key("7", "The rank that is called the seven here.")
    exchange_window: str = key(
        "first5", "Where the seven must be: in the cards held while bidding, or anywhere in the final hand (M3).",
        choices=("first5", "full_hand"),
    )
    exchange_policy: str = key(
        "always", "The holder of the seven swaps always, never, or if the turned card is the stronger one (better).",
        choices=("always", "never", "better"),
    )


@dataclass(frozen=True, slots=True)
class Melds:
    """What runs, fours of a kind and the trump pair are worth, and whose count."""

    run_points: tuple[int, ...] = key((20, 50, 100), "Points of a block of 3, 4, 5, ... consecutive cards.", high=1000)
    sequence_max: int = key(5, "Longest block a run may be declared in (M12).", low=3, high=8)
    long_run: str = key(
        "split",
        "A run longer than sequence_max counts as its best partition into blocks (split) or as one block (cap) (M12).",
        choices=("split", "cap"),
    )
    fours_table: tuple[int, ...] = key((100,) * 8, "Points of four of a kind, along ranks (M15).", high=1000)
    fours_order: str = key("J9ATKQ87", "Ranks whose fours beat each other in comparison, strongest first (B14).")
    trump_pair: int = key(20, "Points of king and queen of trumps in one hand.", high=1000)
    belot_on_discard: bool = key(
        False, "In all trumps the pair counts even if its first card is thrown on a lead of another suit (B21)."
    )
    overlap: str = key(
        "cross_type", "A card may serve in a run and in a four (cross_type), or in one of them (exclusive) (M13).",
        choices=("cross_type", "exclusive"),
    )
    meld_compare: str = key(
        "none",
        "All melds count (none); the better team's runs and the better team's fours (by_category); or all melds of the "
        "team with the strongest one (strongest) (M14).",
        choices=("none", "by_category", "strongest"),
    )
    seq_compare: str = key(
        "length", "Runs compare by their whole length, or by at most sequence_max cards (B12).",
        choices=("length", "capped5"),
    )
    melds_need_trick: bool = key(False, "A team that wins no trick loses its melds (M16).")
    meld_policy: str = key("always", "Whether players declare what they hold.", choices=("always", "never"))


@dataclass(frozen=True, slots=True)
class Play:
    """Which cards are legal: one procedure, six flags."""

    head_plain: bool = key(True, "Following a side suit, one must beat the best card if one can (M5).")
    head_trump: bool = key(True, "Following a trump lead, one must beat the best trump if one can.")
    head_trump_vs_partner: bool = key(True, "That holds when one's partner is winning too (B10).")
    must_ruff: bool = key(True, "Void in the suit led, one must play a trump (D4).")
    must_overruff: bool = key(True, "Ruffing over a ruff, one must go higher if one can.")
    must_underruff: bool = key(True, "Unable to overruff, one must still play a trump (M6, B9, C3).")
    bare_trumps_overruff: bool = key(
        False, "Who holds nothing but trumps must go higher if he can, even where his partner's ruff frees him."
    )
    partner_relief: str = key(
        "none", "Duties lifted while one's partner is winning: to beat when following (follow), to ruff when void "
        "(ruff), both (full) (M4, C4).", choices=("none", "follow", "ruff", "full"),
    )


@dataclass(frozen=True, slots=True)
class Score:
    """How a deal is settled."""

    last_trick: int = key(10, "Points for the last trick.", high=100)
    all_tricks: int = key(90, "Points for winning all tricks.", high=200)
    capo_mode: str = key(
        "replace", "all_tricks replaces the last-trick points (replace), is added to them (add), or all tricks bring "
        "no points but win the match at once (wins_match) (M1, D9).",
        choices=("replace", "add", "wins_match"),
    )
    mp_totals: str = key(
        "computed", "Totals as the cards give them, or the printed 152 and 232 of S000 (M1).",
        choices=("computed", "text152"),
    )
    nt_multiplier: int = key(1, "Factor on cards and last trick in no trumps (C5).", low=1, high=2)
    nt_capot_doubled: bool = key(False, "That factor is on all_tricks too (B18).")
    tie_rule: str = key(
        "fail", "Makers level with opponents: fail (all to the opponents), hang (the makers' points wait for a later "
        "deal), made (each keeps his own) (M17, B23, C7).", choices=("fail", "hang", "made"),
    )
    rounding: str = key(
        "none", "What is written down: points (none), or tens of points, rounded by limit digits (tens).",
        choices=("none", "tens"),
    )
    limit_digits: tuple[int, ...] = key(
        (6, 4, 5), "Last digit up to which points are rounded down, in a suit contract, all trumps, no trumps (B8).",
        high=9,
    )
    round_tie: str = key(
        "fewer_up", "Points that end in the limit digit: the team with fewer rounds up, the other down (fewer_up); "
        "makers down, opponents up (caller_low); both up; both down (B8, C6).",
        choices=("fewer_up", "caller_low", "up", "down"),
    )
    round_then_multiply: bool = key(True, "A doubled deal is rounded before it is multiplied (B7).")
    capot_cancels_double: bool = key(False, "A deal with all tricks to one side counts as undoubled (B6).")
    hang_doubled: str = key(
        "all", "Of a doubled deal that hangs, everything waits, or the opponents take their half at once (B4).",
        choices=("all", "half"),
    )


@dataclass(frozen=True, slots=True)
class Match:
    """How deals make a match."""

    target: int = key(1000, "Points that win the match (M19, C10, D11).", low=1, high=1_000_000)
    min_deals: int = key(0, "Scored deals before which points do not win (D6).", high=1000)
    tie_extra_deals: int = key(
        2, "Scored deals played when both teams reach the target level (M18, D8).", low=1, high=100
    )
    tie_early_stop: bool = key(False, "A lead during those extra deals ends the match at once (M18).")
    capot_exit: str = key(
        "allowed", "A deal with all tricks to one side may end the match (allowed); it ends nothing, and a team at the "
        "target makes one point more than the leader has the new target (raise); or one more scored deal without all "
        "tricks decides (one_more) (B5).",
        choices=("allowed", "raise", "one_more"),
    )
    hang_blocks_end: bool = key(False, "The match goes on while points hang (B20).")
    declare_policy: str = key(
        "none", "Nobody claims the match in mid-deal (none), or each team does with the trick that brings it the "
        "target (perfect) (D7).", choices=("none", "perfect"),
    )
    declare_from_deal: int = key(11, "First deal in which the match may be claimed (D7).", low=1, high=1000)


@dataclass(frozen=True, slots=True)
class Rules:
    """One game, whole.  `name` and `title` are for people and are no part of its identity."""

    name: str
    title: str
    deck: Deck = Deck()
    deal: Deal = Deal()
    auction: Auction = Auction()
    exchange: Exchange = Exchange()
    melds: Melds = Melds()
    play: Play = Play()
    score: Score = Score()
    match: Match = Match()

    @property
    def hand_size(self) -> int:
        """Cards in a full hand."""
        return len(self.deck.ranks)


SECTIONS: dict[str, type] = {
    "deck": Deck, "deal": Deal, "auction": Auction, "exchange": Exchange,
    "melds": Melds, "play": Play, "score": Score, "match": Match,
}

SECTION_OF: dict[str, str] = {f.name: section for section, record in SECTIONS.items() for f in fields(record)}
"""Which section each key lives in; every key name is unique."""


def run_value(rules: Rules, length: int) -> int:
    """Points of a maximal run of `length` cards: its best partition into blocks, or one capped block."""
    melds = rules.melds
    if length < 3:
        return 0
    if melds.long_run == "cap":
        return melds.run_points[min(length, melds.sequence_max) - 3]
    blocks = range(3, min(length, melds.sequence_max) + 1)
    return max(melds.run_points[block - 3] + run_value(rules, length - block) for block in blocks)
