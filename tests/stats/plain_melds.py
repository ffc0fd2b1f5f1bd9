"""Melds of cards by name, in sets and strings: slow, plain and apart from the package."""

from collections import Counter
from itertools import combinations

RANKS = "789TJQKA"


def deck(ranks=RANKS):
    return [rank + suit for suit in "cdhs" for rank in ranks]


def run_lengths(hand, ranks=RANKS):
    """Lengths of the maximal runs of three or more cards."""
    found = []
    for suit in "cdhs":
        held = "".join(rank if rank + suit in hand else " " for rank in ranks)
        found += [len(run) for run in held.split() if len(run) >= 3]
    return found


def fours(hand, ranks=RANKS):
    return [rank for rank in ranks if all(rank + suit in hand for suit in "cdhs")]


def has_pair(hand, trump):
    return trump is not None and {"K" + trump, "Q" + trump} <= set(hand)


def run_points(length, long_run):
    if length > 5:
        return 120 if length == 8 and long_run == "split" else 100
    return {3: 20, 4: 50, 5: 100}[length]


def points(hand, trump, ranks=RANKS, *, worth=None, pair=20, long_run="split", overlap="cross_type"):
    """What one hand declares; `worth` are the points of a four by rank."""
    worth = worth or dict.fromkeys(ranks, 100)
    held = [rank for rank in fours(hand, ranks) if worth[rank]]
    plans = []
    for count in range(len(held) + 1):
        for kept in combinations(held, count):
            cards = [card for card in hand if card[0] not in kept]
            runs = sum(run_points(length, long_run) for length in run_lengths(cards, ranks))
            plans.append(runs + sum(worth[rank] for rank in kept))
    if overlap == "cross_type":
        runs = sum(run_points(length, long_run) for length in run_lengths(hand, ranks))
        plans = [runs + sum(worth[rank] for rank in held)]
    return max(plans) + pair * has_pair(hand, trump)


def held(hand, trump, ranks=RANKS, **options):
    """Every number that is asked of a hand, by its name; what is not held is 0."""
    found = Counter()
    for length in run_lengths(hand, ranks):
        found[f"run_{length}"] += 1
        for least in range(3, min(length, 5) + 1):
            found[f"run_{least}_up"] += 1
    worth = options.get("worth") or dict.fromkeys(ranks, 100)
    for rank in fours(hand, ranks):
        found[f"four_{rank}"] += 1
        found["fours"] += worth[rank] > 0
    found["pair"] += has_pair(hand, trump)
    found["points"] += points(hand, trump, ranks, **options)
    return found
