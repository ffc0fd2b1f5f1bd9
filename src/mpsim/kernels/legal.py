"""Legal cards, one procedure with six flags, in play order: a stronger card is a larger number."""

from __future__ import annotations

from mpsim.kernels import lane_function
from mpsim.kernels.words import above, select


@lane_function
def legal(W, hand, led, best, partner_wins, rules):
    """The cards of `hand` that may follow a trick in the suit `led` (a field) that the card `best` is winning.

    `partner_wins` is a word, all ones where the hand's partner is winning.  A trump on a side suit is above every card
    of that suit, so once a trick is ruffed nobody can or need beat it by following.
    """
    stronger = above(best)
    following, trumps = W(hand & led), W(hand & rules.trumps)

    beats = W(following & stronger)
    duty = select(led == rules.trumps, rules.head_trump, rules.head_side)
    duty = W(duty & W(~W(partner_wins & rules.relief_follow)))
    follow = select((duty != W(0)) & (beats != W(0)), beats, following)

    ruffed = W(best & led) == W(0)
    over = W(W(trumps & stronger) & rules.must_overruff)
    under = W(trumps | W(hand & W(~rules.must_underruff)))
    beat_ruff = ruffed & (W(partner_wins & rules.relief_follow) == W(0))
    ruff = select(beat_ruff, select(over != W(0), over, under), trumps)
    free = W(W(partner_wins & rules.relief_ruff) | W(~rules.must_ruff))
    void = select((free != W(0)) | (trumps == W(0)), hand, ruff)

    return select(following != W(0), follow, void)
