"""Worked cases of the rules (docs/rules.md) as plain data, to run on the referee and on kernels.

Expected values are worked out by hand from the rules; where a case is a variation of a numbered one, its id says so
after a slash and a comment says how the value follows.  Flags and decks of other games (BG, B3, MA) stand beside
Mpourloto's since the procedure for legal cards and tricks is the same for all, and they turn switches that Mpourloto
leaves alone.  Cards are text, in play order within a trick; full deals are four hands in seat order,
spades.hearts.diamonds.clubs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from mpsim.rules import load_rules
from mpsim.rules.model import SECTION_OF, Deck, Rules


def rules_with(**keys: Any) -> Rules:
    """Mpourloto with some keys changed, by their short names."""
    return _changed(Rules("mpourloto", "Mpourloto"), keys)


def preset_with(name: str, **keys: Any) -> Rules:
    """Another game with some keys changed, by their short names."""
    return _changed(load_rules(name), keys)


def _changed(rules: Rules, keys: dict[str, Any]) -> Rules:
    for key, value in keys.items():
        section = SECTION_OF[key]
        rules = replace(rules, **{section: replace(getattr(rules, section), **{key: value})})
    return rules


MADRASSO_VALUES = (11, 10, 4, 3, 2, 0, 0, 0, 0, 0)


def madrasso_deck(order: str = "A3KHJ76542") -> Deck:
    """The 40-card deck; 7 over 6 unless another order is given."""
    return Deck("dcsb", "24567JHK3A", order, MADRASSO_VALUES, order, MADRASSO_VALUES)


# --- Legal cards -----------------------------------------------------------------------------------------------------

PLAY_FLAGS: dict[str, dict[str, Any]] = {
    "MP none": {},
    "MP follow": {"partner_relief": "follow"},
    "MP full": {"partner_relief": "full"},
    "BG": {"head_plain": False, "must_underruff": False, "partner_relief": "ruff"},
    "B3": {"head_plain": False, "partner_relief": "ruff"},
    "MA": {"head_plain": False, "head_trump": False, "must_ruff": False, "must_overruff": False},
    "MA Veneto": {"head_plain": False, "head_trump": False, "must_overruff": False},
}
"""The flags of each game, as changes to Mpourloto's."""


class LegalCase(NamedTuple):
    id: str
    contract: str
    trick: str
    hand: str
    legal: dict[str, str]  # by column


def _columns(none: str, follow: str, full: str, bg: str, b3: str) -> dict[str, str]:
    return {"MP none": none, "MP follow": follow, "MP full": full, "BG": bg, "B3": b3}


def _everywhere(legal: str) -> dict[str, str]:
    return _columns(*[legal] * 5)


LEGAL_CASES = [
    LegalCase("T01", "s", "Qh", "Ah 9h Js", _columns("Ah", "Ah", "Ah", "Ah 9h", "Ah 9h")),
    LegalCase("T03", "s", "Th 8s", "Ah 9h Js", _everywhere("Ah 9h")),
    LegalCase("T04", "s", "Ah", "9s 7s Kd", _everywhere("9s 7s")),
    LegalCase("T06", "s", "Ah 9s", "As 7s Kd", _columns("As 7s", "As 7s", "As 7s", "As 7s Kd", "As 7s")),
    LegalCase("T07", "s", "Ah 9s", "Kd 8c", _everywhere("Kd 8c")),
    LegalCase("T08", "s", "8h Ah 9h", "7s Kd", _columns("7s", "7s", "7s Kd", "7s Kd", "7s Kd")),
    LegalCase("T09", "s", "8h Kh Qh", "Ah 7h", _columns("Ah", "Ah 7h", "Ah 7h", "Ah 7h", "Ah 7h")),
    LegalCase("T12", "s", "Ah 8s Ks", "Qs 7s Kd", _columns("Qs 7s", "Qs 7s", "Qs 7s", "Qs 7s Kd", "Qs 7s")),
    LegalCase("T14", "s", "Ks", "Js 9s 8s", _everywhere("Js 9s")),
    LegalCase("T15", "s", "Js", "9s 8s Kd", _everywhere("9s 8s")),
    LegalCase("T17", "AT", "8d 9d 7d", "Jd Ad Kh", {"BG": "Jd"}),
    LegalCase("T19", "AT", "8d 9d", "Jh Kc", {"BG": "Jh Kc"}),
    LegalCase("T20", "NT", "Kd", "Ad 7d Jh", {"BG": "Ad 7d"}),
    LegalCase("T21", "d", "As", "2d Ac", {"MA": "2d Ac", "MA Veneto": "2d"}),
]


# --- Trick winners ---------------------------------------------------------------------------------------------------


class WinnerCase(NamedTuple):
    id: str
    contract: str
    trick: str
    winner: str
    deck: Deck = Deck()


WINNER_CASES = [
    WinnerCase("T23", "s", "Th 7s Ah 8s", "8s"),
    WinnerCase("T25", "s", "Ks 9s Js As", "Js"),
    WinnerCase("T26", "s", "Kh Jh Th 9h", "Th"),
    WinnerCase("T27", "AT", "8d 9d Jh Ad", "9d"),
    WinnerCase("T29", "d", "6c 7c 5c 4c", "7c", madrasso_deck()),
    WinnerCase("T29/6over7", "d", "6c 7c 5c 4c", "6c", madrasso_deck("A3KHJ67542")),
    WinnerCase("T31/first", "d", "Kc Hc Jc 3c", "3c", madrasso_deck()),
    WinnerCase("T31/second", "d", "7c Ac 3c Kc", "Ac", madrasso_deck()),
]


# --- Deals and exchange ----------------------------------------------------------------------------------------------


class DealCase(NamedTuple):
    """The deck 0..31 dealt: which places of the deck each seat gets."""

    id: str
    keys: dict[str, Any]
    upcard: int
    hands: tuple[tuple[int, ...], ...]


DEAL_CASES = [
    DealCase("T32", {}, 20, (
        (0, 4, 8, 12, 16, 21, 25, 29), (1, 5, 9, 13, 17, 22, 26, 30),
        (2, 6, 10, 14, 18, 23, 27, 31), (3, 7, 11, 15, 19, 24, 28, 20),
    )),
    DealCase("T33", {"packets": (3, 2), "turn_up": False, "packets_after": (3,)}, -1, (
        (0, 1, 2, 12, 13, 20, 21, 22), (3, 4, 5, 14, 15, 23, 24, 25),
        (6, 7, 8, 16, 17, 26, 27, 28), (9, 10, 11, 18, 19, 29, 30, 31),
    )),
]


class ExchangeCase(NamedTuple):
    """Who swaps, and which of the named cards each seat ends up with; cards not named do not matter."""

    id: str
    keys: dict[str, Any]
    upcard: str
    first: dict[int, str]       # cards held while bidding
    stock: str                  # cards dealt after the auction, in dealing order: D[21], D[22], ...
    round: int
    taker: int
    contract: str
    exchanger: int
    ends_with: dict[int, str]


_T36: dict[int, str] = {1: "7h", 2: "7s"}

EXCHANGE_CASES = [
    ExchangeCase("T35", {}, "Ah", {1: "7h"}, "", 1, 0, "h", 1, {1: "Ah", 3: "7h"}),
    ExchangeCase("T36", {}, "Ah", _T36, "", 2, 0, "s", 1, {1: "Ah", 2: "7s", 3: "7h"}),
    ExchangeCase("T36/trump", {"exchange_suit": "trump"}, "Ah", _T36, "", 2, 0, "s", 2, {1: "7h", 2: "Ah", 3: "7s"}),
    ExchangeCase("T36/upcard_if_trump", {"exchange_suit": "upcard_if_trump"}, "Ah", _T36, "", 2, 0, "s", -1,
                 {1: "7h", 2: "7s", 3: "Ah"}),
    # Round 1 fixes the turned suit, so all three readings are the same.
    ExchangeCase("T35/trump", {"exchange_suit": "trump"}, "Ah", {1: "7h"}, "", 1, 0, "h", 1, {1: "Ah", 3: "7h"}),
    ExchangeCase("T35/upcard_if_trump", {"exchange_suit": "upcard_if_trump"}, "Ah", {1: "7h"}, "", 1, 0, "h", 1,
                 {1: "Ah", 3: "7h"}),
    ExchangeCase("T35/never", {"exchange_policy": "never"}, "Ah", {1: "7h"}, "", 1, 0, "h", -1, {1: "7h", 3: "Ah"}),
    # M11: the taker (seat 2) receives the place of the turned card, here the seven.
    ExchangeCase("T35/taker", {"upcard_to": "taker"}, "Ah", {1: "7h"}, "", 1, 2, "h", 1, {1: "Ah", 2: "7h"}),
    ExchangeCase("T35/taker_holds", {"upcard_to": "taker"}, "Ah", {2: "7h"}, "", 1, 2, "h", 2, {2: "7h Ah"}),
    ExchangeCase("T37", {}, "7h", {1: "Ah"}, "", 1, 0, "h", -1, {1: "Ah", 3: "7h"}),
    ExchangeCase("T37/trump", {"exchange_suit": "trump"}, "7h", {1: "7s"}, "", 2, 0, "s", -1, {1: "7s", 3: "7h"}),
    # D[21] goes to seat 0, D[27] to seat 2.
    ExchangeCase("T38", {}, "Ah", {}, "7h", 1, 0, "h", -1, {0: "7h", 3: "Ah"}),
    ExchangeCase("T38/full_hand", {"exchange_window": "full_hand"}, "Ah", {}, "7h", 1, 0, "h", 0, {0: "Ah", 3: "7h"}),
    ExchangeCase("T38/full_hand_late", {"exchange_window": "full_hand"}, "Ah", {}, "7c 8c 7d 8d 9c 9d 7h", 1, 0, "h",
                 2, {2: "Ah", 3: "7h"}),
    ExchangeCase("T39", {}, "Ah", {3: "7h"}, "", 1, 0, "h", 3, {3: "7h Ah"}),
    ExchangeCase("T39/never", {"exchange_policy": "never"}, "Ah", {3: "7h"}, "", 1, 0, "h", -1, {3: "7h Ah"}),
]


def exchange_deck(case: ExchangeCase) -> list[str]:
    """The deck of a case in dealing order: its named cards in place, the others from clubs up where there is room."""
    deck: list[str] = [""] * 32
    deck[20] = case.upcard
    for seat, cards in case.first.items():
        for k, card in enumerate(cards.split()):
            deck[seat + 4 * k] = card
    for k, card in enumerate(case.stock.split()):
        deck[21 + k] = card
    rest = [rank + suit for suit in "cdhs" for rank in "89TJQKA7" if rank + suit not in deck]
    # The sevens not named lie last, so that none of them is held while bidding.
    rest.sort(key=lambda card: card[0] == "7")
    return [card or rest.pop(0) for card in deck]


# --- Melds -----------------------------------------------------------------------------------------------------------

BG_FOURS = (0, 0, 150, 100, 200, 100, 100, 100)
"""Values of fours along 7 8 9 T J Q K A in Bulgarian Belot."""
B3_FOURS = (0, 0, 150, 0, 200, 100, 100, 100)
"""The same in source text 003: tens are not listed."""
BG_MELDS: dict[str, Any] = {"fours_table": BG_FOURS, "overlap": "exclusive", "long_run": "cap"}
B3_MELDS: dict[str, Any] = {"fours_table": B3_FOURS, "long_run": "cap"}


class MeldCase(NamedTuple):
    """Points of one full hand's melds before any comparison, trump pair included."""

    id: str
    keys: dict[str, Any]
    hand: str
    contract: str
    points: int


_WHOLE = "7h 8h 9h Th Jh Qh Kh Ah"
_SEVENS_EIGHTS = "7c 7d 7h 7s 8c 8d 8h 8s"
_JACKS = "Jc Jd Jh Js 7c 8d 7h Ts"
_TENS = "Tc Td Th Ts 7c 8d 7h 8s"
_SHORT = {
    3: "7h 8h 9h Jc Kc 7d 9d Jd", 4: "7h 8h 9h Th Jc Kc 7d 9d", 5: "7h 8h 9h Th Jh Jc Kc 7d",
    6: "7h 8h 9h Th Jh Qh Jc Kc", 7: "7h 8h 9h Th Jh Qh Kh Jc", 8: _WHOLE,
}
"""Hands with one run, by its length, and nothing else with spades as trumps."""
_RUN_AND_JACKS = "8h 9h Th Jh Qh Jc Jd Js"
_RUN_OF_FOUR_AND_QUEENS = "9h Th Jh Qh Qc Qd Qs 7c"

MELD_CASES = [
    MeldCase("T41", {}, _WHOLE, "h", 140),
    MeldCase("T41/cap", {"long_run": "cap"}, _WHOLE, "h", 120),
    MeldCase("T41/side", {}, _WHOLE, "s", 120),
    MeldCase("T41/side_cap", {"long_run": "cap"}, _WHOLE, "s", 100),
    MeldCase("T41/bg", BG_MELDS, _WHOLE, "h", 120),
    *(MeldCase(f"T42/{n}", {}, _SHORT[n], "s", points)
      for n, points in {3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 120}.items()),
    *(MeldCase(f"T42/{n}_cap", {"long_run": "cap"}, _SHORT[n], "s", points)
      for n, points in {3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 100}.items()),
    MeldCase("T43", {}, _SEVENS_EIGHTS, "s", 200),
    MeldCase("T43/bg", BG_MELDS, _SEVENS_EIGHTS, "s", 0),
    MeldCase("T44", {}, _JACKS, "s", 100),
    MeldCase("T44/bg", BG_MELDS, _JACKS, "s", 200),
    MeldCase("T44/b3", B3_MELDS, _JACKS, "s", 200),
    MeldCase("T46", {}, "Qs Js Ts 9s Ac Tc Kc 7d", "s", 50),
    MeldCase("T46/bg", BG_MELDS, "Qs Js Ts 9s Ac Tc Kc 7d", "s", 50),
    MeldCase("T47", {}, "Ah 7h 8h Td Jd Ac Kc 7s", "h", 0),
    MeldCase("T47/bg", BG_MELDS, "Ah 7h 8h Td Jd Ac Kc 7s", "h", 0),
    MeldCase("T51", {}, _TENS, "s", 100),
    MeldCase("T51/bg", BG_MELDS, _TENS, "s", 100),
    MeldCase("T51/b3", B3_MELDS, _TENS, "s", 0),
    # Exclusive overlap: four jacks and what is left of the run, 200 + 20; with cards serving twice 200 + 100.
    MeldCase("M13/exclusive", BG_MELDS, _RUN_AND_JACKS, "s", 220),
    MeldCase("M13/cross_type", {"fours_table": BG_FOURS}, _RUN_AND_JACKS, "s", 300),
    # Fours at 20: the four and the surviving tierce (40) are worth less than the run of five (100).
    MeldCase("M13/run_is_better", {"fours_table": (20,) * 8, "overlap": "exclusive"}, _RUN_AND_JACKS, "s", 100),
    # Fours at 30: four queens and 9-T-J (30 + 20) are worth as much as the run of four (50).
    MeldCase("M13/level", {"fours_table": (30,) * 8, "overlap": "exclusive"}, _RUN_OF_FOUR_AND_QUEENS, "s", 50),
    MeldCase("meld_policy", {"meld_policy": "never"}, _WHOLE, "h", 0),
]


class CompareCase(NamedTuple):
    """Meld points of each team in a full deal, trump pair included."""

    id: str
    keys: dict[str, Any]
    deal: str
    contract: str
    points: tuple[int, int]


_BY_CATEGORY = {"meld_compare": "by_category"}
_BG = {"meld_compare": "by_category", "fours_table": BG_FOURS}
_STRONGEST = {"meld_compare": "strongest"}
# Seat 0 T-J-Q-K of hearts, seat 1 T-J-Q-K of clubs, nothing else.
_LEVEL = "K87.KQJT..8 J.87.T.KQJT AT9.A9.Q9.A Q..AKJ87.97"
# The same, and seat 2 has 7-8-9 of diamonds.
_LEVEL_TIERCE = "97.KQJT.T.8 QJ.7.K.KQJT A8.8.987.A7 KT.A9.AQJ.9"
# Seat 0 has 7-8-9-T-J-Q of hearts, seat 1 T-J-Q-K-A of diamonds.
_SIX_FIVE = "7.QJT987.9. A..AKQJT7.9 Q98.K.8.AKT KJT.A..QJ87"
_QUEENS_TENS = "Q.Q8.QJ.AQ7 KT.T9.T7.JT J8.KJ.AK9.K A97.A7.8.98"
_NINES_ACES = "9.98.J9.K97 AQ.AT.A7.AJ J8.QJ.KQT.Q KT7.K7.8.T8"
# Seat 0 has J-Q-K of hearts, seat 1 four aces.
_RUN_ACES = ".KQJ7.T.K87 AQ.A8.A7.AJ J9.T9.QJ9.Q KT87..K8.T9"
# Seat 0 has J-Q-K of hearts, seat 3 Q-K-A of diamonds, seat 1 four nines.
_ALL_TO_ONE = "KT8.KQJ.J.8 9.A9.9.QT97 Q7.T87.87.J AJ..AKQT.AK"
# Seat 0 has 7-8-9 of hearts, seat 2 king and queen of spades.
_ONE_SIDED = ".J987.K9.QT J97.KQ..AJ7 KQ8.A.T8.K9 AT.T.AQJ7.8"
# Seat 0 T-J-Q-K-A of spades, seat 1 7-8-9 of clubs, seat 2 8-9-T of diamonds, seat 3 king and queen of hearts.
_RUNS_ONLY = "AKQJT.8.Q7. 87.J..KJ987 .AT.AKT98.T 9.KQ97.J.AQ"
# Seat 0 T-J-Q-K-A of hearts, seat 1 four eights, seat 3 9-T-J of clubs.
_HUNDREDS = "KT.AKQJT.J. 8.87.T8.Q87 AJ7..KQ97.A Q9.9.A.KJT9"

COMPARE_CASES = [
    CompareCase("T53", _BY_CATEGORY, _LEVEL, "s", (0, 0)),
    CompareCase("T53/none", {}, _LEVEL, "s", (50, 50)),
    CompareCase("T53/trumps", _BY_CATEGORY, _LEVEL, "c", (0, 20)),
    CompareCase("T53/tierce", _BY_CATEGORY, _LEVEL_TIERCE, "s", (0, 0)),
    CompareCase("T53/tierce_none", {}, _LEVEL_TIERCE, "s", (70, 50)),
    CompareCase("T53/strongest", _STRONGEST, _LEVEL_TIERCE, "s", (0, 0)),
    CompareCase("T54", _BY_CATEGORY, _SIX_FIVE, "s", (100, 0)),
    CompareCase("T54/capped5", _BY_CATEGORY | {"seq_compare": "capped5"}, _SIX_FIVE, "s", (0, 100)),
    CompareCase("T54/none", {}, _SIX_FIVE, "s", (100, 100)),
    CompareCase("T55", _BG, _QUEENS_TENS, "s", (0, 100)),
    CompareCase("T55/nines_aces", _BG, _NINES_ACES, "s", (150, 0)),
    CompareCase("T55/both_score", _BG, _RUN_ACES, "s", (20, 100)),
    CompareCase("T55/both_to_one", _BG, _ALL_TO_ONE, "s", (0, 170)),
    # Only one team has runs: they count; the trump pair is never compared.
    CompareCase("M14/only_one", _BY_CATEGORY, _ONE_SIDED, "s", (40, 0)),
    CompareCase("M14/pair_kept", _STRONGEST, _RUNS_ONLY, "h", (120, 20)),
    # A four ranks above a run worth the same; the strongest team scores all its melds.
    CompareCase("M14/four_over_run", _STRONGEST, _HUNDREDS, "s", (0, 120)),
    CompareCase("M14/by_category", _BY_CATEGORY, _HUNDREDS, "s", (100, 100)),
    CompareCase("M14/run_loses", _STRONGEST, _RUN_ACES, "s", (0, 100)),
    # Between fours worth the same the trump order decides: nines before aces, tens before queens.
    CompareCase("M14/nines_aces", _STRONGEST, _NINES_ACES, "s", (100, 0)),
    CompareCase("M14/tens_queens", _STRONGEST, _QUEENS_TENS, "s", (0, 100)),
]


# --- Scoring and match -----------------------------------------------------------------------------------------------


class ScoreCase(NamedTuple):
    """Card points (without any bonus), tricks and melds of makers and opponents, and what they write down."""

    id: str
    keys: dict[str, Any]
    cards: tuple[int, int]
    tricks: tuple[int, int]
    last: int                   # 0: the makers win the last trick
    melds: tuple[int, int]
    scores: tuple[int, int]
    outcome: str


SCORE_CASES = [
    ScoreCase("T57", {}, (80, 72), (4, 4), 0, (20, 0), (110, 72), "made"),
    ScoreCase("T57/last_to_opponents", {}, (90, 62), (4, 4), 1, (20, 0), (110, 72), "made"),
    ScoreCase("T58", {}, (71, 81), (4, 4), 1, (20, 0), (0, 182), "failed"),
    ScoreCase("T59", {}, (71, 81), (4, 4), 0, (0, 0), (0, 162), "failed"),
    ScoreCase("T60", {}, (60, 92), (4, 4), 1, (50, 20), (0, 232), "failed"),
    ScoreCase("T62", {}, (152, 0), (8, 0), 0, (20, 50), (262, 50), "made"),
    # capo_mode=add: 152 + 10 + 90.
    ScoreCase("T62/add", {"capo_mode": "add"}, (152, 0), (8, 0), 0, (20, 50), (272, 50), "made"),
    ScoreCase("T94", {}, (0, 152), (0, 8), 1, (250, 0), (250, 242), "made"),
    ScoreCase("T94/melds_need_trick", {"melds_need_trick": True}, (0, 152), (0, 8), 1, (250, 0), (0, 242), "failed"),
    ScoreCase("T64", {"mp_totals": "text152"}, (60, 92), (4, 4), 1, (50, 20), (0, 222), "failed"),
    ScoreCase("T64/capo", {"mp_totals": "text152"}, (152, 0), (8, 0), 0, (20, 50), (252, 50), "made"),
    # A capo by the opponents under text152: 232 and all melds.
    ScoreCase("T64/mesa_capo", {"mp_totals": "text152"}, (0, 152), (0, 8), 1, (20, 0), (0, 252), "failed"),
    # M17: the makers' 91 wait for a later deal; or each keeps his own.
    ScoreCase("T58/hang", {"tie_rule": "hang"}, (71, 81), (4, 4), 1, (20, 0), (0, 91), "hung"),
    ScoreCase("T58/made", {"tie_rule": "made"}, (71, 81), (4, 4), 1, (20, 0), (91, 91), "made"),
]


class MatchCase(NamedTuple):
    """Scores after a deal, then the scores of further deals; the winner after each (None: play on)."""

    id: str
    keys: dict[str, Any]
    totals: list[tuple[int, int]]
    winners: list[int | None]


MATCH_CASES = [
    MatchCase("T65", {}, [(1010, 1045)], [1]),
    MatchCase("T66", {}, [(1020, 1020), (1100, 1082), (1130, 1164)], [None, None, 1]),
    MatchCase("T66/early_stop", {"tie_early_stop": True}, [(1020, 1020), (1100, 1082)], [None, 0]),
    MatchCase("T66/again", {}, [(1000, 1000), (1082, 1080), (1162, 1162), (1300, 1186), (1300, 1348)],
              [None, None, None, None, 1]),
    MatchCase("T66/one_extra", {"tie_extra_deals": 1}, [(1020, 1020), (1100, 1082)], [None, 0]),
    MatchCase("T67", {}, [(1003, 990)], [0]),
    MatchCase("T67/exactly", {}, [(999, 998), (1000, 1159)], [None, 1]),
    MatchCase("M19", {"target": 1551}, [(1500, 1550), (1551, 1550)], [None, 0]),
]
