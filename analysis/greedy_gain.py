"""How many points a deal does greedy play gain over random play?

Every deal is played three times with the same cards and the same auction: by random players, with greedy players at the
seats of team 0, and at those of team 1.  The gain is the paired difference of (own score - other score).

    python analysis/greedy_gain.py --deals 4e6
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from mpsim.engine.batch import play_batch
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.stats.estimates import Moments, mean
from mpsim.stats.tally import moments_of

BATCH = 1 << 18


def margins(play: str, bid: str, seed: int, first: int, count: int) -> npt.NDArray[np.int64]:
    """Score of team 0 less that of team 1, deal by deal."""
    columns = play_batch(load_rules("mpourloto"), load_policies(play, bid), seed, first, count)
    return columns["score_0"].astype(np.int64) - columns["score_1"].astype(np.int64)


def gains(bid: str, seed: int, first: int, count: int) -> dict[str, npt.NDArray[np.int64]]:
    """Paired gains of a greedy team, against a random one and against a greedy one."""
    random = margins("random", bid, seed, first, count)
    team0 = margins("greedy,random,greedy,random", bid, seed, first, count)
    team1 = margins("random,greedy,random,greedy", bid, seed, first, count)
    greedy = margins("greedy", bid, seed, first, count)
    return {
        "team 0 turns greedy, team 1 random": team0 - random,
        "team 1 turns greedy, team 0 random": random - team1,
        "team 0 turns greedy, team 1 greedy": greedy - team1,
        "team 1 turns greedy, team 0 greedy": team0 - greedy,
    }


def main() -> None:
    """Print each gain with its 95 % interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=float, default=4e6)
    parser.add_argument("--bid", default="points")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    totals: dict[str, Moments] = {}
    for first in range(0, int(options.deals), BATCH):
        count = min(BATCH, int(options.deals) - first)
        for name, gain in gains(options.bid, options.seed, first, count).items():
            totals[name] = totals.get(name, Moments()) + moments_of(gain)
    print(f"mpourloto, bid {options.bid}, seed {options.seed}; points a deal, paired, over all deals")
    for name, moments in totals.items():
        result = mean(moments, "all deals")
        print(f"{name:36} {result.mean:+8.3f}   {result.low:+.3f} .. {result.high:+.3f}   n {result.n:,}")


if __name__ == "__main__":
    main()
