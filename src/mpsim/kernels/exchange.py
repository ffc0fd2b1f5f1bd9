"""The second deal and the swap of the seven for the turned card."""

from __future__ import annotations

from mpsim.kernels import kernel
from mpsim.kernels.lanes import (
    EXCHANGER, FIRST0, FIRST1, FIRST2, FIRST3, HAND0, HAND1, HAND2, HAND3, LANES, LATE0, LATE1, LATE2, ROUND, TAKER,
    TEMP_A, TEMP_B, TRUMP, UP, UP_SUIT,
)
from mpsim.kernels.words import inverse, select, up, vector_code

SEVEN, RECEIVER = TEMP_A, TEMP_B


@kernel
def complete(state, rules):
    """Bring every hand to its full size; the receiver of the turned card takes it in place of his last stock card."""
    vector_code()
    W = state.dtype.type
    dealer_takes = rules.upcard_to_taker == 0
    for lane in range(LANES):
        stays = dealer_takes | (state[ROUND + lane] == W(0))
        receiver = select(stays, W(3), state[TAKER + lane])
        turned, late0, late1, late2 = state[UP + lane], state[LATE0 + lane], state[LATE1 + lane], state[LATE2 + lane]
        card0 = select(receiver == W(0), turned, late0)
        card1 = select(receiver == W(1), turned, select(receiver < W(1), late0, late1))
        card2 = select(receiver == W(2), turned, select(receiver < W(2), late1, late2))
        card3 = select(receiver == W(3), turned, late2)
        state[RECEIVER + lane] = receiver
        state[HAND0 + lane] = W(W(state[HAND0 + lane] | state[FIRST0 + lane]) | card0)
        state[HAND1 + lane] = W(W(state[HAND1 + lane] | state[FIRST1 + lane]) | card1)
        state[HAND2 + lane] = W(W(state[HAND2 + lane] | state[FIRST2 + lane]) | card2)
        state[HAND3 + lane] = W(W(state[HAND3 + lane] | state[FIRST3 + lane]) | card3)


@kernel
def _find_seven(state, rules):
    """The card that may be swapped in each lane, 0 where none may or the players do not want to."""
    vector_code()
    W = state.dtype.type
    by_trump, only_if_trump = rules.exchange_suit == 1, rules.exchange_suit == 2
    field, one, sevens = W(rules.field), W(rules.seven), W(rules.sevens)
    plain_plain, plain_trump, trump_plain, trump_trump = rules.swap_for
    for lane in range(LANES):
        trump, turned = state[TRUMP + lane], state[UP_SUIT + lane]
        suit = trump if by_trump else turned
        wanted = select(turned == trump, W(trump_plain), W(plain_plain))
        wanted = select(suit == trump, select(turned == trump, W(trump_trump), W(plain_trump)), wanted)
        allowed = (state[ROUND + lane] != W(0)) & (W(state[UP + lane] & sevens) == W(0)) & (trump < W(4))
        allowed = allowed & (W(state[UP + lane] & wanted) != W(0))
        allowed = allowed & ((trump == turned) | (not only_if_trump))
        state[SEVEN + lane] = up(one, W(W(suit & W(3)) * field)) if allowed else W(0)


@kernel
def _nobody_swaps(state):
    vector_code()
    W = state.dtype.type
    for lane in range(LANES):
        state[EXCHANGER + lane] = inverse(W(0))


@kernel
def _swap(state, any_card):
    """Each hand that holds the seven among its first cards, or among `any_card`, gives it for the turned card."""
    vector_code()
    W = state.dtype.type
    none, seat1, seat2, seat3 = inverse(W(0)), W(1), W(2), W(3)
    for lane in range(LANES):
        seven, turned, receiver = state[SEVEN + lane], state[UP + lane], state[RECEIVER + lane]
        hand0, hand1, hand2, hand3 = state[HAND0 + lane], state[HAND1 + lane], state[HAND2 + lane], state[HAND3 + lane]
        has0 = W(W(hand0 & seven) & W(state[FIRST0 + lane] | any_card)) != W(0)
        has1 = W(W(hand1 & seven) & W(state[FIRST1 + lane] | any_card)) != W(0)
        has2 = W(W(hand2 & seven) & W(state[FIRST2 + lane] | any_card)) != W(0)
        has3 = W(W(hand3 & seven) & W(state[FIRST3 + lane] | any_card)) != W(0)
        exchanger = select(has0, W(0), select(has1, seat1, select(has2, seat2, select(has3, seat3, none))))
        both = select(exchanger == none, W(0), W(seven | turned))
        state[EXCHANGER + lane] = exchanger
        state[HAND0 + lane] = W(hand0 ^ select((exchanger == W(0)) ^ (receiver == W(0)), both, W(0)))
        state[HAND1 + lane] = W(hand1 ^ select((exchanger == seat1) ^ (receiver == seat1), both, W(0)))
        state[HAND2 + lane] = W(hand2 ^ select((exchanger == seat2) ^ (receiver == seat2), both, W(0)))
        state[HAND3 + lane] = W(hand3 ^ select((exchanger == seat3) ^ (receiver == seat3), both, W(0)))


@kernel
def exchange(state, rules):
    """Swap the seven and the turned card between the seven's holder and the turned card's receiver."""
    W = state.dtype.type
    if rules.swaps == 0:
        _nobody_swaps(state)
        return
    _find_seven(state, rules)
    _swap(state, inverse(W(0)) if rules.exchange_full_hand else W(0))
