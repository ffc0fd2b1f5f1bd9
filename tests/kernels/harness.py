"""What the tests need to drive kernels: rows of a state array, and small kernels around functions of one lane."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mpsim.kernels import kernel
from mpsim.kernels.lanes import LANES, SIZE
from mpsim.kernels.legal import legal
from mpsim.kernels.random import below, draw, remainder
from mpsim.rules.model import Rules
from mpsim.rules.tables import word_type

Words = npt.NDArray[Any]


def new_state(rules: Rules | None = None) -> Words:
    """The state of a block, all zeros."""
    return np.zeros(SIZE, word_type(rules.deck) if rules else np.uint32)


def row(state: Words, start: int) -> Words:
    """The lanes of one row, as a view."""
    return state[start : start + LANES]


@kernel
def legal_words(hands, led, best, partner_wins, ruffs, highs, rules, out):
    """out[i] = legal cards of hands[i]; all arrays [n], words in play order."""
    W = hands.dtype.type  # noqa: N806
    for i in range(hands.shape[0]):
        out[i] = legal(W, hands[i], led[i], best[i], partner_wins[i], ruffs[i], highs[i], rules)


@kernel
def draw_words(state, out):
    """out[k, lane] = the k-th draw from now of each lane's stream."""
    for k in range(out.shape[0]):
        for lane in range(LANES):
            out[k, lane] = draw(state, lane)


@kernel
def below_words(bits, n, out):
    """out[i] = the draw bits[i] brought below n[i]."""
    for i in range(bits.shape[0]):
        out[i] = below(bits[i], n[i])


@kernel
def remainder_words(bits, n, out):
    """out[i] = what a choice among n[i] leaves of the draw bits[i]."""
    for i in range(bits.shape[0]):
        out[i] = remainder(bits[i], n[i])


NT, AT = 4, 5


def places(rules: Rules) -> npt.NDArray[Any]:
    """[contract, card]: the bit of a card in play order: trumps the top field, each suit's weakest card lowest.

    In no trumps and all trumps the suits stay where they are.  Bits that are no card stay too.
    """
    deck, field = rules.deck, rules.deck.field
    table = np.tile(np.arange(4 * field, dtype=word_type(deck)), (6, 1))
    for contract in range(6):
        for suit in range(4):
            order = deck.trump_order if contract in (suit, AT) else deck.plain_order
            to = suit if contract >= NT else (suit - contract - 1) % 4
            for rank, name in enumerate(deck.ranks):
                table[contract, suit * field + rank] = to * field + order[::-1].index(name)
            for bit in range(len(deck.ranks), field):
                table[contract, suit * field + bit] = to * field + bit
    return table


def moved(words: Words, to: npt.NDArray[Any]) -> Words:
    """Words [n] whose bit c goes to bit to[n, c]."""
    out, word = np.zeros_like(words), words.dtype.type
    for card in range(to.shape[1]):
        out |= (words >> word(card) & word(1)) << to[:, card]
    return out
