"""How many points a deal does one bidding policy gain over another, at the same cards and the same play?

Each deal is played twice, once with `--bid` at the seats of team 0 and `--against` at those of team 1, once the other
way round; half the difference of the margins is what a team gains by bidding the one way rather than the other.

    python analysis/bidding_gain.py --bid points --against chance:0.2 --deals 4e6
    python analysis/bidding_gain.py --rules bulgarian --bid points --against points:mine.toml
"""

from __future__ import annotations

import argparse

from mpsim.engine.batch import play_batch
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.stats.estimates import Moments, mean
from mpsim.stats.tally import moments_of

BATCH = 1 << 18


def doubled_gain(game: str, bid: str, against: str, play: str, seed: int, first: int, count: int) -> Moments:
    """Twice the gain, deal by deal, so that it stays whole."""
    rules, margins = load_rules(game), []
    for bids in ((bid, against), (against, bid)):
        columns = play_batch(rules, load_policies(play, ",".join(bids * 2), rules), seed, first, count)
        margins.append(columns["score_0"].astype("int64") - columns["score_1"])
    return moments_of(margins[0] - margins[1])


def main() -> None:
    """Print the gain with its 95 % interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="mpourloto")
    parser.add_argument("--bid", default="points")
    parser.add_argument("--against", default="chance:0.2")
    parser.add_argument("--play", default="greedy")
    parser.add_argument("--deals", type=float, default=4e6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    total = Moments()
    for first in range(0, int(options.deals), BATCH):
        count = min(BATCH, int(options.deals) - first)
        total += doubled_gain(options.rules, options.bid, options.against, options.play, options.seed, first, count)
    gain = mean(total, "all deals")
    asked = f"{options.rules}, play {options.play}, seed {options.seed}"
    print(f"{options.bid} over {options.against}: {asked}, n {gain.n:,}")
    points, low, high = (float(value or 0) / 2 for value in (gain.mean, gain.low, gain.high))
    print(f"{points:+.3f} points a deal and team, {low:+.3f} .. {high:+.3f} (95 %, paired)")


if __name__ == "__main__":
    main()
