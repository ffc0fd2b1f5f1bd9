"""The deck from one deal to the next: shuffled, or gathered as it was played and cut once (docs/rules.md, C2)."""

from __future__ import annotations

from collections.abc import Sequence

from mpsim.referee.deal import shuffle
from mpsim.referee.record import DealRecord
from mpsim.referee.streams import DEAL, below, draws
from mpsim.rules.model import Rules


def next_deck(rules: Rules, seed: int, deal: int, before: DealRecord | None) -> list[int]:
    """The deck of a deal in dealing order: shuffled, or gathered from the deal before it and cut."""
    if before is None:
        return shuffle(seed, deal, rules)
    return cut(gathered(before, rules), seed, deal)


def starts_table(rules: Rules, deal: int) -> bool:
    """Whether a deal's deck owes nothing to the deal before it."""
    return rules.deal.shuffle == "uniform" or deal % rules.deal.chain == 0


def gathered(record: DealRecord, rules: Rules) -> list[int]:
    """The cards of a deal as they are gathered: by tricks, or hand by hand when nothing was played."""
    if not record.plays:
        return [card for hand in record.hands for card in hand]
    if rules.deal.gather == "in_order":
        return list(record.plays)
    makers = max(record.taker, 0) % 2
    return [*record.cards_won(makers), *record.cards_won(1 - makers)]


def cut(pile: Sequence[int], seed: int, deal: int) -> list[int]:
    """A gathered deck cut once for a deal, anywhere, all places equally likely."""
    place = below(draws(seed, deal, DEAL, 1)[0], len(pile))
    return [*pile[place:], *pile[:place]]
