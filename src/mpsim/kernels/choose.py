"""The players: which legal card to play in one lane, without a branch on the cards.

Cards are in play order, trumps the top field, so a stronger card of a suit is a larger number.  A player sees his own
hand, the legal cards in it, the trick, the cards played so far, the trick's included (`seen`), and which cards ruff:
the trumps of a suit contract, in no trumps and all trumps none.
"""

from __future__ import annotations

from mpsim.kernels import lane_function
from mpsim.kernels.words import above, down, highest, inverse, lowest, select, up


@lane_function
def unbeaten(W, hand, out, rules):
    """The cards of `hand` above every card of `out` in their suit: nobody else can beat them within it."""
    reach = W(out | W(down(out, W(1)) & rules.within))
    reach = W(reach | W(down(reach, W(2)) & rules.smear2))
    reach = W(reach | W(down(reach, W(4)) & rules.smear4))
    reach = W(reach | W(down(reach, W(8)) & rules.smear8))
    return W(hand & inverse(reach))


@lane_function
def _ranks(W, side, field):
    """The ranks held in any suit, in the lowest field."""
    half = W(side | down(side, W(field + field)))
    return W(W(half | down(half, field)) & W(up(W(1), field) - W(1)))


@lane_function
def lowest_side(W, side, rules):
    """The lowest card among side suits, of equals the one in the lowest field; 0 of none."""
    rank = lowest(_ranks(W, side, W(rules.field)))
    return lowest(W(side & W(rank * rules.ones)))


@lane_function
def highest_side(W, side, rules):
    """The highest card among side suits, of equals the one in the lowest field; 0 of none."""
    rank = highest(_ranks(W, side, W(rules.field)))
    return lowest(W(side & W(rank * rules.ones)))


@lane_function
def greedy_lead(W, hand, seen, took, ruffs, rules):
    """Draw trumps with the highest one out when one's side took; cash the best side card; else lead the least."""
    out = W(rules.cards & inverse(W(seen | hand)))
    sure = unbeaten(W, hand, out, rules)
    trumps, side = W(hand & ruffs), W(hand & inverse(ruffs))
    draws = took & (W(out & ruffs) != W(0)) & (W(sure & trumps) != W(0))
    cash = W(sure & side)
    least = select(side != W(0), lowest_side(W, side, rules), lowest(trumps))
    card = select(cash != W(0), highest_side(W, cash, rules), least)
    return select(draws, highest(trumps), card)


@lane_function
def greedy_follow(W, hand, legal, led, best, partner_wins, last, seen, ruffs, rules):
    """Feed a trick that the partner has won, else win it as cheaply as the seat allows, else throw what costs least.

    `partner_wins` and `last` (nobody plays after this seat) are words, all ones or zero.
    """
    out = W(rules.cards & inverse(W(seen | hand)))
    sure = unbeaten(W, W(hand | best), out, rules)
    side, trumps = W(legal & inverse(ruffs)), W(legal & ruffs)

    least = select(side != W(0), lowest_side(W, side, rules), lowest(trumps))
    spare = W(side & inverse(sure))
    feed = select(spare != W(0), highest_side(W, spare, rules), least)

    wins = W(W(legal & above(best)) & W(led | ruffs))
    sure_wins = W(W(wins & sure) & inverse(last))
    win = lowest(select(sure_wins != W(0), sure_wins, wins))

    card = select(wins != W(0), win, least)
    partner_has_it = W(partner_wins & W(last | W(W(0) - W(W(best & sure) != W(0)))))
    return select(partner_has_it != W(0), feed, card)
