"""What is a hand worth in each contract, and what should a call take?  Finds the ladder count that mpsim ships.

First each seat in turn plays each kind of contract unopposed, whatever it holds; least squares on the five cards held
(by rank and by number, trumps apart from side suits) shares its mean gain, in tenths of a game point, among the cards.
Then the strength that calls take is found by trial: in turn, each threshold is raised and lowered for the seats of one
team while the other keeps the old ones, on the same deals with sides changed; what gains most beyond its error stays,
and when nothing does the step is halved.

    python analysis/tune_ladder.py --deals 4e5 > ladder.toml
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from tune_point_count import holdings

from mpsim.engine.batch import play_batch
from mpsim.policies import Never, Policies
from mpsim.policies.ladder import LadderCount
from mpsim.rules import load_rules

Floats = npt.NDArray[np.float64]
RULES = load_rules("bulgarian")
GREEDY = ("greedy",) * 4
RANKS = "789TJQKA"
SPADES, NO_TRUMPS, ALL_TRUMPS = 3, 4, 5
NEVER = 90_000
CALLS = ("opening", "over_partner", "over_opponents", "double", "redouble")
KINDS = {"suits": (0, 1, 2, 3), "no trumps": (4,), "all trumps": (5,)}
STEPS = (160, 80, 40, 20)
"""Changes of a threshold that are tried, in tenths of a game point."""


def nothing(**calls: tuple[int, ...]) -> LadderCount:
    """A count to which all hands are alike."""
    cards, length, never = (0,) * 8, (0,) * 9, (NEVER,) * 6
    worth = {f"{name}_{part}": value for name in ("trump", "side", "no_trumps", "all_trumps")
             for part, value in (("cards", cards), ("length", length))}
    return LadderCount(**worth, **(dict.fromkeys(CALLS, never) | calls), name="points")


def declared(contract: int, seat: int, seed: int, deals: int) -> tuple[npt.NDArray[np.uint32], Floats]:
    """Hands held while bidding, and what declaring brought: own game points less the others', in tenths."""
    only = tuple(-NEVER if c == contract else NEVER for c in range(6))
    bids = tuple(nothing(opening=only) if other == seat else Never() for other in range(4))
    columns = play_batch(RULES, Policies(GREEDY, bids), seed, 0, deals)  # type: ignore[arg-type]
    gain = columns["score_0"].astype(np.float64) - columns["score_1"]
    return columns[f"first_{seat}"], 10 * (gain if seat % 2 == 0 else -gain)


def _regressors(hands: npt.NDArray[np.uint32], contract: int) -> Floats:
    """[n, 34] in a suit, trumps first; [n, 17] where all suits are alike."""
    trump = np.full(len(hands), min(contract, SPADES), np.int8)
    rows = holdings(hands, trump)
    return rows if contract == SPADES else rows[:, :17] + rows[:, 17:]


def worths(contract: int, seed: int, deals: int) -> tuple[Floats, float]:
    """Least squares of the gain on the regressors, and the mean gain."""
    hands, gains = (np.concatenate(part) for part in zip(*(
        declared(contract, seat, seed, deals) for seat in range(4)
    ), strict=True))
    rows = _regressors(hands, contract)
    gram = rows.T @ rows + np.eye(rows.shape[1])
    return np.linalg.solve(gram, rows.T @ gains), float(gains.mean())


def _level(values: Floats, slope: float) -> tuple[Floats, Floats]:
    """The same worth in friendlier numbers: the weakest rank, and two cards of a suit, count 0.

    All hands have five cards, so `slope` may be added to what every card is worth, wherever it lies.  Lengths above
    five repeat.
    """
    cards, length = values[:8] - values[:8].min(), values[8:] + (slope + values[:8].min()) * np.arange(9)
    length = length - length[2]
    length[6:] = length[5]
    return cards, length


def _slope(values: Floats) -> float:
    """What makes lengths of one and three cards worth the same."""
    return float(-(values[8 + 3] - values[8 + 1]) / 2 - values[:8].min())


def _whole(values: Floats) -> tuple[int, ...]:
    return tuple(int(value) for value in np.rint(values))


def first_count(seed: int, deals: int) -> LadderCount:
    """A count with fitted worths, whose thresholds are the strengths at which declaring unopposed breaks even."""
    suit, suit_mean = worths(SPADES, seed, deals)
    none, none_mean = worths(NO_TRUMPS, seed, deals)
    every, every_mean = worths(ALL_TRUMPS, seed, deals)
    print(f"declaring unopposed whatever one holds: suit {suit_mean / 10:+.2f}, no trumps {none_mean / 10:+.2f}, all "
          f"trumps {every_mean / 10:+.2f} game points a deal", file=sys.stderr)
    trump, side = (_level(values, _slope(suit[17:])) for values in (suit[:17], suit[17:]))
    no_trumps, all_trumps = (_level(values, _slope(values)) for values in (none, every))
    count = replace(
        nothing(), trump_cards=_whole(trump[0]), trump_length=_whole(trump[1]), side_cards=_whole(side[0]),
        side_length=_whole(side[1]), no_trumps_cards=_whole(no_trumps[0]), no_trumps_length=_whole(no_trumps[1]),
        all_trumps_cards=_whole(all_trumps[0]), all_trumps_length=_whole(all_trumps[1]),
    )
    zero = [_break_even(count, contract, seed, deals) for contract in (SPADES, NO_TRUMPS, ALL_TRUMPS)]
    needed = (*[zero[0]] * 4, zero[1], zero[2])
    margins = dict(zip(CALLS, (0, 100, 50, 100, 200), strict=True))
    calls = {name: tuple(value + more for value in needed) for name, more in margins.items()}
    return replace(count, **calls)


def _break_even(count: LadderCount, contract: int, seed: int, deals: int) -> int:
    """The strength at which the fitted gain is 0: mean strength less mean gain."""
    hands, gains = declared(contract, 0, seed, deals)
    rows = _regressors(hands, contract)
    if contract == SPADES:
        worth = [*count.trump_cards, *count.trump_length, *count.side_cards, *count.side_length]
    elif contract == NO_TRUMPS:
        worth = [*count.no_trumps_cards, *count.no_trumps_length]
    else:
        worth = [*count.all_trumps_cards, *count.all_trumps_length]
    return round(float((rows @ np.array(worth, float)).mean() - gains.mean()))


def gain(new: LadderCount, old: LadderCount, seed: int, deals: int) -> tuple[float, float]:
    """Game points a deal that `new` at one team's seats gains over `old` there, mean over both teams, and its SE."""
    def margins(bids: tuple[LadderCount, ...]) -> Floats:
        columns = play_batch(RULES, Policies(GREEDY, bids), seed, 0, deals)  # type: ignore[arg-type]
        return columns["score_0"].astype(np.float64) - columns["score_1"]

    difference = (margins((new, old, new, old)) - margins((old, new, old, new))) / 2
    return float(difference.mean()), float(difference.std(ddof=1) / deals**0.5)


def changes(count: LadderCount, step: int) -> Iterator[tuple[str, LadderCount]]:
    """The count with one threshold, the same for all suits, raised or lowered."""
    for name in CALLS:
        for kind, contracts in KINDS.items():
            for by in (step, -step):
                values = tuple(v + by * (c in contracts) for c, v in enumerate(getattr(count, name)))
                yield f"{name}, {kind}, {by:+}", replace(count, **{name: values})


def climb(count: LadderCount, seed: int, deals: int, rounds: int) -> LadderCount:
    """Take the change that gains most, as long as one gains more than three standard errors."""
    for step in STEPS:
        for number in range(rounds):
            tried = [(*gain(new, count, seed, deals), said, new) for said, new in changes(count, step)]
            better, error, said, new = max(tried, key=lambda one: one[0] / max(one[1], 1e-9))
            if better < 3 * error:
                break
            seed, count = seed + 1, new
            print(f"  step {step}, round {number + 1}: {said} gains {better:+.4f} +- {error:.4f}", file=sys.stderr)
    return count


def as_toml(count: LadderCount) -> str:
    """The count as a file that `--bid points:FILE` takes."""
    lines = [f'name = "{count.name}"']
    for section in ("trump", "side", "no_trumps", "all_trumps"):
        lines += ["", f"[{section}]", f"cards = {list(getattr(count, f'{section}_cards'))}   # {' '.join(RANKS)}",
                  f"length = {list(getattr(count, f'{section}_length'))}"]
    lines += ["", "[call]", *(f"{name} = {list(getattr(count, name))}" for name in CALLS)]
    return "\n".join(lines)


def main() -> None:
    """Fit, climb, and print the result as TOML."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=float, default=4e5)
    parser.add_argument("--rounds", type=int, default=12, help="changes taken at each step, at the most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    deals = int(options.deals)
    start = first_count(options.seed, deals)
    count = climb(start, options.seed + 1, deals, options.rounds)
    better, error = gain(count, start, options.seed + 1000, 4 * deals)
    print(f"against the start: {better:+.3f} +- {1.96 * error:.3f} game points a deal", file=sys.stderr)
    print(as_toml(count))


if __name__ == "__main__":
    main()
