"""The rules of one game as a frozen record: a variant is a value, never a code path.

Every key lives in one section (`play.head_plain`) and has a name of its own, so that the short form (`head_plain`)
is enough wherever a key is asked for.  Each key carries one sentence on its meaning and the source of its choices:
S000/S001 are the two texts on Mpourloto, GR-SITE the practice of a Greek online server (see docs/rules.md).
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

    ranks: str = key("789TJQKA", "Ranks in sequence order, low to high; bit order of a suit.")
    plain_order: str = key("ATKQJ987", "Ranks of a side suit, strongest first.")
    plain_values: tuple[int, ...] = key((11, 10, 4, 3, 2, 0, 0, 0), "Card points along plain_order.", high=31)
    trump_order: str = key("J9ATKQ87", "Ranks of the trump suit, strongest first.")
    trump_values: tuple[int, ...] = key((20, 14, 11, 10, 4, 3, 0, 0), "Card points along trump_order.", high=31)


@dataclass(frozen=True, slots=True)
class Deal:
    """How the cards reach the players."""

    packets: tuple[int, ...] = key(
        (1, 1, 1, 1, 1), "Packets dealt round the table before the auction.", low=1, high=10
    )
    turn_up: bool = key(True, "The next card is turned face up and stays on the table during the auction.")
    packets_after: tuple[int, ...] = key(
        (1, 1, 1), "Packets dealt after the auction; the turned card counts as one of them.", low=1, high=10
    )
    upcard_to: str = key("dealer", "Who takes the turned card as his last card (M11).", choices=("dealer", "taker"))
    shuffle: str = key("uniform", "How the deck is mixed between deals (C2).", choices=("uniform", "cut_only"))


@dataclass(frozen=True, slots=True)
class Auction:
    """How trumps are fixed."""

    kind: str = key(
        "accept", "accept: a first round for the turned suit, then one in which a suit may be named.",
        choices=("accept", "ladder", "turned"),
    )
    round2_any_suit: bool = key(True, "Round 2 may name the suit that round 1 refused (M9).")
    allpass_rotates: bool = key(True, "After a thrown-in deal the next player deals (M10).")
    aponta: bool = key(
        False,
        "The deal is thrown in before the auction when a player's first cards are all worth 0 in a side suit (M19).",
    )


@dataclass(frozen=True, slots=True)
class Exchange:
    """The swap of the seven for the turned card, before the second deal."""

    exchange_suit: str = key(
        "upcard",
        "Whose seven may be swapped: the turned suit's, the trump suit's, or the turned suit's if it is trump (M2).",
        choices=("upcard", "trump", "upcard_if_trump"),
    )
    exchange_window: str = key(
        "first5", "Where the seven must be: in the cards held while bidding, or anywhere in the final hand (M3).",
        choices=("first5", "full_hand"),
    )
    exchange_policy: str = key("always", "What the holder of the seven does.", choices=("always", "never"))


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
    trump_pair: int = key(20, "Points of king and queen of trumps in one hand.", high=1000)
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
    must_ruff: bool = key(True, "Void in the suit led, one must play a trump.")
    must_overruff: bool = key(True, "Ruffing over a ruff, one must go higher if one can.")
    must_underruff: bool = key(True, "Unable to overruff, one must still play a trump (M6).")
    partner_relief: str = key(
        "none", "Duties lifted while one's partner is winning: to beat when following (follow), to ruff when void "
        "(ruff), both (full) (M4).", choices=("none", "follow", "ruff", "full"),
    )


@dataclass(frozen=True, slots=True)
class Score:
    """How a deal is settled."""

    last_trick: int = key(10, "Points for the last trick.", high=100)
    all_tricks: int = key(90, "Points for winning all tricks.", high=200)
    capo_mode: str = key(
        "replace", "all_tricks replaces the last-trick points (replace) or is added to them (add) (M1).",
        choices=("replace", "add", "wins_match"),
    )
    mp_totals: str = key(
        "computed", "Totals as the cards give them, or the printed 152 and 232 of S000 (M1).",
        choices=("computed", "text152"),
    )
    nt_multiplier: int = key(
        1, "Factor on cards and last trick in a no-trump contract, which this game lacks.", low=1, high=2
    )
    tie_rule: str = key(
        "fail", "Makers level with opponents: fail (all to the opponents), hang (the makers' points wait for a later "
        "deal), made (each keeps his own) (M17).", choices=("fail", "hang", "made"),
    )
    rounding: str = key(
        "none", "How card points become what is written down; none: as they are.", choices=("none", "tens")
    )


@dataclass(frozen=True, slots=True)
class Match:
    """How deals make a match."""

    target: int = key(1000, "Points that win the match (M19).", low=1, high=1_000_000)
    tie_extra_deals: int = key(2, "Scored deals played when both teams reach the target level (M18).", low=1, high=100)
    tie_early_stop: bool = key(False, "A lead during those extra deals ends the match at once (M18).")
    capot_exit: str = key(
        "allowed", "Whether a deal with all tricks to one side may end the match.",
        choices=("allowed", "raise", "one_more"),
    )


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
