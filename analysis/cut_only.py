"""How far are the hands of a deck that is only cut from those of a shuffled one?

Tables play on with one deck, gathered after each deal and cut once.  After 1, 2, 10 and 100 deals since the deck was
shuffled it is counted in how many hands a suit is missing, a suit has five cards or more, there is a run of three or
more, and a four of a kind: beside the exact shares of a shuffled deck, with 95 % intervals whose unit is the table.
Nobody swaps the seven, so that hands are as they were dealt.

    python analysis/cut_only.py --rules belote --deals 1e7
    python analysis/cut_only.py --rules mpourloto --gather in_order --deals 1e7
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from mpsim.engine.batch import play_batch
from mpsim.policies import Policies, load_policies
from mpsim.rules import Rules, load_rules
from mpsim.stats.exact_melds import held_melds

Array = npt.NDArray[Any]

AFTER = (0, 1, 2, 5, 10, 100)
"""Deals since the deck was shuffled."""
TABLES = 2048
"""Tables played at once."""
RANKS = 8
ASKED = ("void", "five or more of a suit", "six or more of a suit", "run of 3 or more", "four of a kind")


def holdings(hands: Array) -> Array:
    """Words [...] as bytes [..., suit]."""
    return hands[..., None] >> np.arange(0, 4 * RANKS, RANKS, dtype=hands.dtype) & hands.dtype.type(255)


_LENGTH = np.array([byte.bit_count() for byte in range(256)])
_RUN = np.array([bool(byte & byte >> 1 & byte >> 2) for byte in range(256)])


def answers(hands: Array) -> Array:
    """[question, table]: how many of a deal's four hands have it; hands [table, seat]."""
    suits = holdings(hands)
    length, four = _LENGTH[suits], np.bitwise_and.reduce(suits, axis=-1) != 0
    longest = length.max(axis=-1)
    return np.stack([
        found.sum(axis=1)
        for found in ((length == 0).any(axis=-1), longest >= 5, longest >= 6, _RUN[suits].any(axis=-1), four)
    ])


def exact(rules: Rules) -> list[Fraction]:
    """The same of a hand out of a shuffled deck."""
    held = held_melds(rules, "hand")
    runs, fours = (held[name].at_least(1) for name in ("run_3_up", "four_7"))
    any_four = 8 * fours - Fraction(comb(8, 2), comb(32, 8))  # two fours in one hand are counted once
    return [_lengths(0, 0), _lengths(5, 8), _lengths(6, 8), runs, any_four]


def _lengths(least: int, most: int) -> Fraction:
    """Share of hands in which some suit has so many cards."""
    hands = [(a, b, c, 8 - a - b - c) for a in range(9) for b in range(9 - a) for c in range(9 - a - b)]
    ways = sum(
        comb(8, a) * comb(8, b) * comb(8, c) * comb(8, d) for a, b, c, d in hands
        if any(least <= length <= most for length in (a, b, c, d))
    )
    return Fraction(ways, comb(32, 8))


@dataclass
class Sums:
    """Sums over tables of the hands that have it, and of their squares."""

    tables: int
    hands: Array      # [after, question]
    squares: Array

    def share(self, after: int, question: int) -> tuple[float, float]:
        """Share of hands, and its standard error."""
        mean = self.hands[after, question] / self.tables
        variance = self.squares[after, question] / self.tables - mean**2
        return mean / 4, (variance / self.tables) ** 0.5 / 4


def count(rules: Rules, policies: Policies, seed: int, tables: int) -> Sums:
    """Play so many tables."""
    shape = (len(AFTER), len(ASKED))
    sums = Sums(tables, np.zeros(shape, np.int64), np.zeros(shape, np.int64))
    for first in range(0, tables, TABLES):
        here, chain = min(TABLES, tables - first), rules.deal.chain
        columns = play_batch(rules, policies, seed, first * chain, here * chain)
        for place, after in enumerate(AFTER):
            found = answers(np.stack([columns[f"hand_{seat}"][after::chain] for seat in range(4)], axis=1))
            sums.hands[place] += found.sum(axis=1)
            sums.squares[place] += (found**2).sum(axis=1)
    return sums


def report(rules: Rules, sums: Sums) -> Iterator[str]:
    """Lines: for each question the exact share, then what came after so many deals."""
    for question, name in enumerate(ASKED):
        expected = float(exact(rules)[question])
        yield f"{name}: {100 * expected:.4f} % of hands of a shuffled deck"
        for place, after in enumerate(AFTER):
            share, error = sums.share(place, question)
            away = f"{100 * (share - expected):+.4f} ± {196 * error:.4f}"
            score = f"z {(share - expected) / error:+.1f}" if error else "no z"
            yield f"  after {after:3} deals {100 * share:8.4f} %, {away} percentage points, {score}"


def main() -> None:
    """Play, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="belote", help="a preset of 32 cards, or a file")
    parser.add_argument("--gather", default="by_side", choices=("by_side", "in_order"))
    parser.add_argument("--play", default="greedy")
    parser.add_argument("--bid", default="points")
    parser.add_argument("--deals", type=float, default=1e7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    settings = ("shuffle=cut_only", "chain=128", f"gather={options.gather}", "exchange_policy=never")
    rules = load_rules(options.rules, settings)
    policies = load_policies(options.play, options.bid, rules)
    tables = max(int(options.deals) // rules.deal.chain, 1)
    print(f"{rules.name}, gathered {options.gather}, {policies.describe()}, seed {options.seed}: {tables:,} tables of "
          f"{rules.deal.chain} deals, {4 * tables:,} hands a line")
    for line in report(rules, count(rules, policies, options.seed, tables)):
        print(line)


if __name__ == "__main__":
    main()
