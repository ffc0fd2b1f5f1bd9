"""Legal cards, one procedure with six flags, in play order: a stronger card is a larger number."""

from __future__ import annotations

from mpsim.kernels import lane_function
from mpsim.kernels.words import above, inverse, select


@lane_function
def legal(W, hand, led, best, partner_wins, ruffs, highs, rules):
    """The cards of `hand` that may follow a trick in the suit `led` (a field) that the card `best` is winning.

    `partner_wins` is a word, all ones where the hand's partner is winning; `ruffs` are the trumps of a suit contract,
    `highs` all cards that rank as trumps.  A trump on a side suit is above every card of that suit, so once a trick is
    ruffed nobody can or need beat it by following.
    """
    stronger = above(best)
    following, trumps = W(hand & led), W(hand & ruffs)

    beats = W(following & stronger)
    head_high = W(rules.head_trump & inverse(W(partner_wins & rules.relief_trump)))
    head_side = W(rules.head_side & inverse(W(partner_wins & rules.relief_side)))
    duty = select(W(led & highs) != W(0), head_high, head_side)
    follow = select((duty != W(0)) & (beats != W(0)), beats, following)

    ruffed = W(best & led) == W(0)
    higher = W(trumps & stronger)
    over = W(higher & rules.must_overruff)
    under = W(trumps | W(hand & inverse(rules.must_underruff)))
    beat_ruff = ruffed & (W(partner_wins & rules.relief_side) == W(0))
    ruff = select(beat_ruff, select(over != W(0), over, under), trumps)
    bare = W(W(partner_wins & rules.bare_trumps_overruff) & higher)
    freed = select((trumps == hand) & (bare != W(0)), bare, hand)
    free = W(W(partner_wins & rules.relief_ruff) | inverse(rules.must_ruff))
    void = select((free != W(0)) | (trumps == W(0)), freed, ruff)

    return select(following != W(0), follow, void)
