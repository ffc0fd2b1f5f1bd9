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

Words = npt.NDArray[np.uint32]


def new_state() -> Words:
    """The state of a block, all zeros."""
    return np.zeros(SIZE, np.uint32)


def row(state: Words, start: int) -> Words:
    """The lanes of one row, as a view."""
    return state[start : start + LANES]


@kernel
def legal_words(hands, led, best, partner_wins, rules, out):
    """out[i] = legal cards of hands[i]; all arrays [n], words in play order."""
    W = hands.dtype.type  # noqa: N806
    for i in range(hands.shape[0]):
        out[i] = legal(W, hands[i], led[i], best[i], partner_wins[i], rules)


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


def places(rules: Rules) -> npt.NDArray[Any]:
    """[trump, card]: the bit of a card in play order: trumps the top field, each suit's weakest card lowest."""
    deck = rules.deck
    table = np.empty((4, 32), np.uint32)
    for trump in range(4):
        for card in range(32):
            suit, rank = card // 8, deck.ranks[card % 8]
            order = deck.trump_order if suit == trump else deck.plain_order
            table[trump, card] = (suit - trump - 1) % 4 * 8 + order[::-1].index(rank)
    return table


def moved(words: Words, to: npt.NDArray[Any]) -> Words:
    """Words [n] whose bit c goes to bit to[n, c]."""
    out = np.zeros_like(words)
    for card in range(32):
        out |= (words >> np.uint32(card) & np.uint32(1)) << to[:, card]
    return out
