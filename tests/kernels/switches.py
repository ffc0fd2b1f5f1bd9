"""Every rule switch that a deal of Mpourloto can feel, turned alone, and some turned together.

The one list that the tests here and analysis/validate.py share.  `VALUES` holds, for each rule key, the values other
than the default that are played; test_switches.py sees to it that no key and no choice is missing.
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
    """Changes to the preset `mpourloto`, and who plays under them."""

    settings: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = PAIRS

    @property
    def name(self) -> str:
        """For people: what is changed."""
        rules = " ".join(self.settings)
        if self.pairs is PAIRS:
            return rules or "mpourloto"
        (play, bid), *_ = self.pairs
        return f"{rules} play {play} bid {bid.replace(str(COUNTS) + '/', '')}".strip()


FOURS_BG = "[0, 0, 150, 100, 200, 100, 100, 100]"

VALUES: dict[str, tuple[str, ...]] = {
    "ranks": ("789JTQKA", "K7J8Q9TA"),
    "plain_order": ("AKQJT987", "789TJQKA"),
    "plain_values": ("[10, 11, 3, 4, 0, 2, 0, 1]", "[1, 2, 3, 4, 5, 6, 7, 31]"),
    "trump_order": ("JATKQ987", "789TJQKA"),
    "trump_values": ("[31, 31, 31, 0, 0, 0, 0, 1]", "[0, 0, 0, 0, 0, 0, 0, 0]"),
    "upcard_to": ("taker",),
    "round2_any_suit": ("false",),
    "allpass_rotates": ("false",),
    "aponta": ("true",),
    "exchange_suit": ("trump", "upcard_if_trump"),
    "exchange_window": ("full_hand",),
    "exchange_policy": ("never",),
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
    "must_ruff": ("false",),
    "must_overruff": ("false",),
    "must_underruff": ("false",),
    "partner_relief": ("follow", "ruff", "full"),
    "last_trick": ("0", "37"),
    "all_tricks": ("0", "200"),
    "capo_mode": ("add",),
    "mp_totals": ("text152",),
    "tie_rule": ("hang", "made"),
    "target": ("1551",),
    "tie_extra_deals": ("1",),
    "tie_early_stop": ("true",),
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


def _alone(key: str, value: str) -> Switch:
    # Runs may only be as long as there are points for.
    more = ("sequence_max=8",) if key == "run_points" and value.count(",") == 5 else ()
    return Switch((f"{key}={value}", *more))


SWITCHES: tuple[Switch, ...] = (
    Switch(),
    *(_alone(key, value) for key, values in VALUES.items() for value in values),
    *(Switch(settings) for settings in TOGETHER),
    *TABLES,
)
