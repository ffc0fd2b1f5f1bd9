"""Orders, values and trick winners; cases T23 to T31."""

import pytest

from cases import WINNER_CASES, madrasso_deck, rules_with
from mpsim.cards import parse_card
from mpsim.referee import order_of, trick_points, winner

DECK = rules_with().deck


@pytest.mark.parametrize("case", WINNER_CASES, ids=lambda case: case.id)
def test_winner(case):
    deck = case.deck.ranks, case.deck.suits
    trick = [parse_card(card, *deck) for card in case.trick.split()]
    assert trick[winner(trick, order_of(case.deck, case.contract))] == parse_card(case.winner, *deck)


@pytest.mark.parametrize(
    ("deck", "contract", "total"),
    [(DECK, "c", 152), (DECK, "s", 152), (DECK, "AT", 248), (DECK, "NT", 120), (madrasso_deck(), "d", 120)],
)
def test_the_deck_counts(deck, contract, total):
    """Sums of the card values: 62 + 3 * 30, 4 * 62, 4 * 30, and 4 * 30 again in Madrasso."""
    order = order_of(deck, contract)
    assert trick_points(deck.cards, order) == total


def test_points_of_single_cards():
    order = order_of(DECK, "h")
    points = {text: order.points[parse_card(text)] for text in ("Jh", "9h", "Ah", "Th", "Kh", "Qh", "8h", "7h")}
    assert list(points.values()) == [20, 14, 11, 10, 4, 3, 0, 0]
    side = [parse_card(text) for text in ("As", "Ts", "Ks", "Qs", "Js", "9s", "8s", "7s")]
    assert [order.points[card] for card in side] == [11, 10, 4, 3, 2, 0, 0, 0]
