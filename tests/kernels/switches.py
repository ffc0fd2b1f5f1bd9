"""Every preset, every rule switch that a deal can feel, turned alone, and some turned together.

The one list that the tests here and analysis/validate.py share.  `VALUES` holds, by preset and rule key, values other
than the preset's; test_switches.py sees to it that no key and no choice is missing.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

COUNTS = Path(__file__).parents[1] / "data" / "counts"

Pair = tuple[str, str]
"""How a table plays and bids, as on the command line."""

MIXED = "greedy,random,greedy,random"
PAIRS: tuple[Pair, ...] = (
    ("greedy", "points"),
    ("random", "chance:0.3"),
    (MIXED, "points,chance:0.5,chance:0.2,points"),
)
"""Each switch is played by all of these in turn: the kernels have a path for each kind of table."""


class Switch(NamedTuple):
    """Changes to a preset, and who plays under them."""

    settings: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = PAIRS
    base: str = "mpourloto"

    @property
    def name(self) -> str:
        """For people: the preset and what is changed in it; mpourloto is only named where nothing is."""
        changed = self.settings if self.base == "mpourloto" else (self.base, *self.settings)
        rules = " ".join(changed)
        if self.pairs is PAIRS:
            return rules or "mpourloto"
        (play, bid), *_ = self.pairs
        return f"{rules} play {play} bid {bid.replace(str(COUNTS) + '/', '')}".strip()


FOURS_BG = "[0, 0, 150, 100, 200, 100, 100, 100]"

MPOURLOTO: dict[str, tuple[str, ...]] = {
    "ranks": ("789JTQKA", "K7J8Q9TA"),
    "plain_order": ("AKQJT987", "789TJQKA"),
    "plain_values": ("[10, 11, 3, 4, 0, 2, 0, 1]", "[1, 2, 3, 4, 5, 6, 7, 31]"),
    "trump_order": ("JATKQ987", "789TJQKA"),
    "trump_values": ("[31, 31, 31, 0, 0, 0, 0, 1]", "[0, 0, 0, 0, 0, 0, 0, 0]"),
    "suits": ("hsdc",),
    "packets": ("[3, 2]", "[2, 1, 2]"),
    "packets_after": ("[3]", "[2, 1]"),
    "upcard_index": ("19",),
    "upcard_to": ("taker",),
    "kind": ("turned", "drawn"),
    "round2_any_suit": ("false",),
    "allpass_rotates": ("false",),
    "aponta": ("true",),
    "exchange_suit": ("trump", "upcard_if_trump"),
    "exchange_window": ("full_hand",),
    "exchange_rank": ("8", "A"),
    "exchange_policy": ("never", "better"),
    "run_points": ("[30, 60, 90]", "[0, 50, 100]", "[50, 20, 100]", "[20, 50, 100, 110, 150, 151]"),
    "sequence_max": ("3", "4"),
    "long_run": ("cap",),
    "fours_table": (FOURS_BG, "[0, 0, 0, 0, 0, 0, 0, 0]", "[1, 2, 3, 4, 5, 6, 7, 1000]"),
    "trump_pair": ("0", "1000"),
    "overlap": ("exclusive",),
    "meld_compare": ("by_category", "strongest"),
    "seq_compare": ("capped5",),
    "melds_need_trick": ("true",),
    "meld_policy": ("never",),
    "head_plain": ("false",),
    "head_trump": ("false",),
    "head_trump_vs_partner": ("false",),
    "must_ruff": ("false",),
    "must_overruff": ("false",),
    "must_underruff": ("false",),
    "partner_relief": ("follow", "ruff", "full"),
    "last_trick": ("0", "37"),
    "all_tricks": ("0", "200"),
    "capo_mode": ("add", "wins_match"),
    "mp_totals": ("text152",),
    "tie_rule": ("hang", "made"),
    "rounding": ("tens",),
    "target": ("1551",),
    "min_deals": ("10",),
    "tie_extra_deals": ("1",),
    "tie_early_stop": ("true",),
    "capot_exit": ("raise", "one_more"),
    "hang_blocks_end": ("true",),
}

BULGARIAN: dict[str, tuple[str, ...]] = {
    "packets": ("[2, 2]", "[4, 3]"),
    "packets_after": ("[1, 2]",),
    "turn_up": ("true",),
    "plain_order": ("AKQJT987",),
    "trump_order": ("KJ9ATQ87", "Q789JTAK"),
    "plain_values": ("[9, 8, 7, 6, 0, 0, 0, 0]",),
    "aponta": ("true",),
    "overcall_cancels_double": ("false",),
    "run_points": ("[30, 60, 90]",),
    "long_run": ("split",),
    "fours_table": ("[100, 100, 100, 100, 100, 100, 100, 100]",),
    "fours_order": ("AKQTJ987", "789TJQKA"),
    "trump_pair": ("0", "40"),
    "belot_on_discard": ("true",),
    "overlap": ("cross_type",),
    "meld_compare": ("none", "strongest"),
    "seq_compare": ("capped5",),
    "melds_need_trick": ("true",),
    "meld_policy": ("never",),
    "head_plain": ("true",),
    "head_trump": ("false",),
    "head_trump_vs_partner": ("false",),
    "must_ruff": ("false",),
    "must_overruff": ("false",),
    "must_underruff": ("true",),
    "bare_trumps_overruff": ("true",),
    "partner_relief": ("none", "follow", "full"),
    "all_tricks": ("0", "140"),
    "capo_mode": ("replace", "wins_match"),
    "nt_multiplier": ("1",),
    "nt_capot_doubled": ("true",),
    "tie_rule": ("fail", "made"),
    "rounding": ("none",),
    "round_tie": ("caller_low", "up", "down"),
    "round_then_multiply": ("false",),
    "capot_cancels_double": ("true",),
    "hang_doubled": ("half",),
    "limit_digits": ("[1, 9, 0]",),
}
"""Values of rules that the ladder auction and its contracts feel."""

MADRASSO: dict[str, tuple[str, ...]] = {
    "ma_rank": ("6over7",),
    "ranks": ("A3KHJ76542",),
    "plain_order": ("2456A7J3HK",),
    "trump_order": ("A7KHJ36542",),
    "trump_values": ("[15, 12, 9, 4, 3, 2, 1, 0, 0, 0]",),
    "upcard_index": ("20",),
    "packets": ("[3, 1]",),
    "packets_after": ("[6]",),
    "kind": ("drawn",),
    "aponta": ("true",),
    "exchange_rank": ("2", "J"),
    "exchange_window": ("first5",),
    "exchange_policy": ("always", "never"),
    "exchange_suit": ("trump",),
    "head_plain": ("true",),
    "head_trump": ("true",),
    "must_ruff": ("true",),
    "must_overruff": ("true",),
    "must_underruff": ("true",),
    "last_trick": ("0",),
    "capo_mode": ("add",),
    "declare_policy": ("perfect",),
    "declare_from_deal": ("5",),
}
"""Values of rules in the longer deck's words."""

VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "mpourloto": MPOURLOTO,
    "mpourloto-greek": {},
    "bulgarian": BULGARIAN,
    "belote": {"round_tie": ("up", "down", "caller_low")},
    "belote-bg": {},
    "madrasso": MADRASSO,
    "contree": {"bare_trumps_overruff": ("false",), "partner_relief": ("none", "full"), "kind": ("ladder",)},
}

TOGETHER: tuple[tuple[str, ...], ...] = (
    ("head_plain=false", "must_underruff=false", "partner_relief=ruff"),
    ("head_plain=false", "head_trump=false", "must_ruff=false", "must_overruff=false", "must_underruff=false"),
    ("must_overruff=false", "must_underruff=false", "partner_relief=follow"),
    ("must_ruff=false", "partner_relief=full", "head_trump=false"),
    ("overlap=exclusive", "long_run=cap", "meld_compare=by_category", f"fours_table={FOURS_BG}"),
    ("overlap=exclusive", "meld_compare=strongest", "fours_table=[30, 30, 30, 30, 30, 30, 30, 30]"),
    ("meld_compare=by_category", "seq_compare=capped5", "trump_order=789TJQKA"),
    ("meld_compare=strongest", "seq_compare=capped5", "sequence_max=4"),
    ("meld_compare=strongest", f"fours_table={FOURS_BG}", "run_points=[0, 50, 100]"),
    ("meld_compare=strongest", "long_run=cap", "run_points=[100, 20, 50]"),
    ("meld_compare=by_category", "run_points=[0, 0, 0]", "ranks=K7J8Q9TA"),
    ("sequence_max=8", "run_points=[20, 50, 100, 110, 150, 151]", "overlap=exclusive"),
    ("sequence_max=6", "long_run=cap", "run_points=[50, 20, 100, 10]", "overlap=exclusive"),
    ("melds_need_trick=true", "tie_rule=hang", "capo_mode=add", "trump_pair=500"),
    ("mp_totals=text152", "tie_rule=made", "last_trick=30", "all_tricks=30"),
    ("upcard_to=taker", "exchange_window=full_hand", "exchange_suit=trump"),
    ("upcard_to=taker", "exchange_suit=upcard_if_trump", "aponta=true", "round2_any_suit=false"),
    ("aponta=true", "plain_values=[0, 10, 4, 3, 2, 0, 0, 5]", "ranks=789JTQKA", "exchange_window=full_hand"),
    ("exchange_window=full_hand", "exchange_suit=trump", "round2_any_suit=false"),
)


OTHERS_TOGETHER: tuple[tuple[str, ...], ...] = (
    ("bulgarian", "tie_rule=fail", "nt_multiplier=1", "round_tie=caller_low", "all_tricks=0"),
    ("bulgarian", "rounding=none", "hang_doubled=half", "capot_cancels_double=true"),
    ("bulgarian", "rounding=none", "tie_rule=made", "nt_capot_doubled=true", "capo_mode=replace"),
    ("bulgarian", "round_then_multiply=false", "tie_rule=made", "round_tie=up"),
    ("bulgarian", "trump_order=KJ9AT87Q", "ranks=K7J8Q9TA", "trump_pair=30"),
    ("bulgarian", "turn_up=true", "upcard_to=taker", "exchange_suit=trump", "exchange_window=full_hand"),
    ("bulgarian", "overcall_cancels_double=false", "aponta=true", "must_ruff=false", "head_trump_vs_partner=false"),
    ("bulgarian", "meld_compare=strongest", "overlap=cross_type", "fours_order=789TJQKA", "melds_need_trick=true"),
    ("madrasso", "must_ruff=true", "must_overruff=true", "partner_relief=ruff", "head_trump=true", "head_plain=true"),
    ("madrasso", "kind=drawn", "tie_rule=hang", "capo_mode=replace", "all_tricks=50", "bare_trumps_overruff=true"),
    ("contree", "kind=ladder", "must_underruff=true", "rounding=tens", "tie_rule=hang"),
)


def _count(name: str) -> str:
    return f"points:{COUNTS / name}.toml"


_TAKER = ("upcard_to=taker",)
_OTHER = ("round2_any_suit=false",)
TABLES: tuple[Switch, ...] = (
    *(Switch((), ((play, "chance:0.4"),)) for play in (
        "random", "greedy", "random,greedy,greedy,greedy", "greedy,random,random,random", "random,random,greedy,greedy",
    )),
    *(Switch((), (("random", bid),)) for bid in ("always", "never", "chance:0", "chance:1", "chance:0.0625")),
    Switch((), ((MIXED, "points,never,chance:0.7,always"),)),
    Switch((), ((MIXED, "never,never,chance:0.4,never"),)),
    Switch(_OTHER, (("random", "never,never,never,chance:0.5"),)),
    *(Switch(settings, (("greedy", _count(name)),))
      for name in ("uneven", "extreme", "level") for settings in ((), _TAKER, _OTHER)),
    Switch(_TAKER, (("random", f"{_count('level')},points,{_count('uneven')},{_count('extreme')}"),)),
    Switch((), (("greedy", f"chance:0.1,{_count('level')},never,{_count('uneven')}"),)),
)
"""Policies turned alone, the rules being the preset's or those that a bidder looks at."""


_LADDERS = ("always", "never", "chance:1", "chance:0.5", _count("ladder_bold"), _count("ladder_level"))
LADDER_TABLES: tuple[Switch, ...] = (
    *(Switch((), (("greedy", bid),), "bulgarian") for bid in _LADDERS),
    Switch((), (("random", f"{_count('ladder_bold')},never,chance:0.4,points"),), "bulgarian"),
    Switch(("overcall_cancels_double=false",), (("random", _count("ladder_bold")),), "bulgarian"),
)
"""Policies on the ladder."""

_GO_TOGETHER = {
    ("bulgarian", "packets", "[2, 2]"): ("packets_after=[3, 1]",),
    ("bulgarian", "packets", "[4, 3]"): ("packets_after=[1]",),
    ("madrasso", "packets", "[3, 1]"): ("packets_after=[2, 4]", "upcard_index=15"),
    ("madrasso", "packets_after", "[6]"): ("packets=[4]", "upcard_index=16"),
    ("contree", "kind", "ladder"): ("nt_multiplier=2",),
}
"""What else must change, or should, for a value to be played."""


def _alone(base: str, key: str, value: str) -> Switch:
    more = _GO_TOGETHER.get((base, key, value), ())
    if key == "run_points" and value.count(",") == 5:
        more = ("sequence_max=8",)  # runs may only be as long as there are points for
    return Switch((f"{key}={value}", *more), PAIRS, base)


SWITCHES: tuple[Switch, ...] = (
    *(Switch((), PAIRS, base) for base in VALUES),
    *(_alone(base, key, value) for base, keys in VALUES.items() for key, values in keys.items() for value in values),
    *(Switch(settings) for settings in TOGETHER),
    *(Switch(tuple(settings), PAIRS, base) for base, *settings in OTHERS_TOGETHER),
    *TABLES,
    *LADDER_TABLES,
)
