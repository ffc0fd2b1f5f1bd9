"""In how many deals does a rule that sources tell differently make a difference?

Every deal is played by the preset and by the preset with one rule changed: the same cards, players and bidders, the
same draws.  Counted are deals in which a team writes down something else.  Keys of the match change no deal and are not
asked.

    python analysis/rule_effects.py --deals 1e6
    python analysis/rule_effects.py --deals 1e6 --play random --bid chance:0.2
"""

from __future__ import annotations

import argparse

import numpy as np

from mpsim.engine.batch import play_batch
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.stats.estimates import rate

BATCH = 1 << 17

FOURS = "fours_table=[0, 0, 150, 100, 200, 100, 100, 100]"
CHANGES: dict[str, dict[str, str]] = {
    "mpourloto": {
        "mp_totals=text152": "M1", "capo_mode=add": "M1", "exchange_suit=trump": "M2",
        "exchange_suit=upcard_if_trump": "M2", "exchange_window=full_hand": "M3", "partner_relief=full": "M4",
        "partner_relief=ruff": "M4", "partner_relief=follow": "M4", "head_plain=false": "M5",
        "must_underruff=false": "M6", "trump_values=[20, 14, 11, 10, 3, 4, 0, 0]": "M7", "round2_any_suit=false": "M9",
        "upcard_to=taker": "M11", "long_run=cap": "M12", "overlap=exclusive": "M13", "meld_compare=strongest": "M14",
        "meld_compare=by_category": "M14", FOURS: "M15", "melds_need_trick=true": "M16", "tie_rule=hang": "M17",
        "aponta=true": "M19",
    },
    "bulgarian": {
        "hang_doubled=half": "B4", "capot_cancels_double=true": "B6", "round_then_multiply=false": "B7",
        "round_tie=caller_low": "B8", "must_underruff=true": "B9", "head_trump_vs_partner=false": "B10",
        "seq_compare=capped5": "B12", "long_run=split": "B13", "fours_order=J9AKQT87": "B14",
        "meld_compare=strongest": "B15", "overlap=cross_type": "B16", "overcall_cancels_double=false": "B17",
        "nt_capot_doubled=true": "B18", "melds_need_trick=true": "B19", "belot_on_discard=true": "B21",
        "tie_rule=fail": "B23",
    },
    "belote": {
        "must_underruff=false": "C3", "partner_relief=full": "C4", "nt_multiplier=2": "C5", "round_tie=up": "C6",
        "round_tie=down": "C6", "tie_rule=hang": "C7", FOURS: "C8", "meld_compare=by_category": "C9",
        "overlap=exclusive": "C9", "long_run=split": "C9",
    },
    "madrasso": {
        "ma_rank=6over7": "D1", "ma_upcard_index=20": "D2", "ma_must_ruff=true": "D4",
    },
}
"""By preset, what is changed and which question it answers."""


def changed(base: str, setting: str, play: str, bid: str, seed: int, deals: int) -> int:
    """Deals in which a team writes down something else."""
    count = 0
    for first in range(0, deals, BATCH):
        width = min(BATCH, deals - first)
        scores = []
        for settings in ([], [setting]):
            rules = load_rules(base, settings)
            columns = play_batch(rules, load_policies(play, bid, rules), seed, first, width)
            scores.append((columns["score_0"], columns["score_1"]))
        count += int(np.count_nonzero((scores[0][0] != scores[1][0]) | (scores[0][1] != scores[1][1])))
    return count


def main() -> None:
    """Print the share of each change, in percent of all deals, with its 95 % interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=float, default=1e6)
    parser.add_argument("--play", default="greedy")
    parser.add_argument("--bid", default="points")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    deals = int(options.deals)
    print(f"play {options.play}, bid {options.bid}, seed {options.seed}, {deals:,} deals; other scores, % of all deals")
    for base, settings in CHANGES.items():
        for setting, question in settings.items():
            count = changed(base, setting, options.play, options.bid, options.seed, deals)
            share = rate(count, deals, "all deals")
            spread = f"{100 * (share.low or 0):.5f} .. {100 * (share.high or 0):.5f}"
            print(f"{base:10} {question:4} {setting:52} {100 * count / deals:10.5f}   {spread}", flush=True)


if __name__ == "__main__":
    main()
