"""The ladder auction: legal calls, endings, draws; cases T69 and T70, and every auction to a depth."""

from __future__ import annotations

from collections import Counter
from functools import cache
from types import SimpleNamespace

import pytest

from cases import preset_with
from mpsim.errors import PolicyError
from mpsim.referee import (
    LadderAlwaysBidder,
    LadderChanceBidder,
    LadderNeverBidder,
    LadderPointBidder,
    LadderView,
    RandomPlayer,
    climb,
    draws,
    play_deal,
)
from mpsim.referee.ladder import LADDER_DRAWS, LADDER_TURNS

RULES = preset_with("bulgarian")
LAST_DOUBLE = preset_with("bulgarian", overcall_cancels_double=False)
FIRST = ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11, 12, 13, 14), (15, 16, 17, 18, 19))
BITS = list(range(1000, 1000 + LADDER_DRAWS))


class Scripted:
    """Says the next word of a script that all four seats share, and keeps what it was shown."""

    def __init__(self, script):
        self.script, self.views = script.split(), []

    def call(self, view):
        self.views.append(view)
        return self.script[len(self.views) - 1]


def auction(script, rules=RULES, bits=BITS):
    everybody = Scripted(script)
    return climb(FIRST, rules, [everybody] * 4, bits), everybody.views


def test_T69_a_contract_after_a_pass_and_an_overcall():
    result, views = auction("pass c pass d pass pass pass")
    assert (result.contract, result.taker, result.multiplier, result.round) == ("d", 3, 1, 1)
    # The first to pass could have bid at his second turn.
    assert views[4].seat == 0
    assert views[4].legal == ("pass", "h", "s", "NT", "AT", "double")


def test_T70_who_may_double_and_redouble():
    _, views = auction("pass h pass pass double pass pass s pass pass pass")
    # Hearts by seat 1: his partner may not double, both opponents may.
    assert [("double" in views[turn].legal) for turn in (2, 3, 4)] == [True, False, True]
    # Doubled by seat 0: seats 1 and 3 may redouble, seat 2 may not; nobody doubles again.
    assert [("redouble" in views[turn].legal) for turn in (5, 6, 7)] == [True, False, True]
    assert not any("double" in views[turn].legal for turn in (5, 6, 7))
    assert views[5].legal == ("pass", "s", "NT", "AT", "redouble")


def test_T70_an_overcall_ends_the_double():
    result, views = auction("pass h double s pass pass pass")
    assert (result.contract, result.taker, result.multiplier) == ("s", 3, 1)
    assert "double" in views[4].legal
    result, views = auction("pass h double redouble NT pass pass pass")
    assert (result.contract, result.taker, result.multiplier, result.round) == ("NT", 0, 1, 2)
    assert views[4].legal == ("pass", "s", "NT", "AT")


def test_T70_four_passes_throw_the_deal_in():
    result, _ = auction("pass pass pass pass")
    assert result[1:] == (0, -1, "none", 1)
    assert len(result.calls) == 4


def test_three_passes_end_it_after_a_contract_a_double_and_a_redouble():
    for script, multiplier in (("c pass pass pass", 1), ("c double pass pass pass", 2),
                               ("c double redouble pass pass pass", 4), ("c pass pass double pass pass pass", 2)):
        result, _ = auction(script)
        assert (result.contract, result.taker, result.multiplier) == ("c", 0, multiplier)
        assert len(result.calls) == len(script.split())


def test_a_double_may_be_the_last_word():
    """B17: nothing but a redouble after a double."""
    result, views = auction("pass h double redouble pass pass pass", LAST_DOUBLE)
    assert (result.contract, result.multiplier) == ("h", 4)
    assert [view.legal for view in views[3:]] == [("pass", "redouble"), ("pass",), ("pass",), ("pass",)]


def test_the_round_is_that_of_the_final_contract():
    """Turn 4 is the first of round 2; a double or a pass later on does not move it."""
    assert auction("c pass pass d pass pass pass")[0].round == 1
    assert auction("c pass pass pass")[0].round == 1
    result, _ = auction("c d h s NT double pass pass pass")
    assert (result.contract, result.round, result.taker, result.multiplier) == ("NT", 2, 0, 2)
    assert [call.round for call in result.calls] == [1, 1, 1, 1, 2, 2, 2, 2, 3]


def test_what_a_bidder_is_shown():
    _, views = auction("pass h double pass pass s pass pass pass")
    assert [view.seat for view in views] == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    assert [view.cards for view in views[:4]] == list(FIRST)
    assert [view.contract for view in views] == [None, None, 2, 2, 2, 2, 3, 3, 3]
    assert [view.own for view in views] == [False, False, False, True, False, True, False, True, False]
    assert [view.multiplier for view in views] == [1, 1, 1, 2, 2, 2, 1, 1, 1]
    assert [view.draws for view in views[:3]] == [(1000, 1001), (1002, 1003), (1004, 1005)]
    assert views[0].legal == ("pass", "c", "d", "h", "s", "NT", "AT")
    assert auction("pass AT pass pass pass")[1][2].legal == ("pass", "double")


@pytest.mark.parametrize("said", ["c", "double", "redouble", "hearts", None])
def test_a_call_that_is_not_legal_is_refused(said):
    class Stubborn:
        def call(self, view):
            return said if view.seat == 3 else "d" if view.contract is None else "pass"

    bidders = [Stubborn()] * 4
    bidders[0] = LadderNeverBidder()
    sentence = rf"^seat 3 called {said!r}, which may not be called: call pass, h, s, NT or AT$"
    with pytest.raises(PolicyError, match=sentence):
        climb(FIRST, RULES, bidders, BITS)


# --- All auctions, by a generator that goes by what has been said alone -----------------------------------------------

LADDER = ("c", "d", "h", "s", "NT", "AT")


def may_say(said, overcall=True):
    """What may be said after a list of words, seat 0's first; nothing if the auction is over."""
    contracts = [turn for turn, word in enumerate(said) if word in LADDER]
    if not contracts:
        return [] if len(said) == 4 else ["pass", *LADDER]
    if said[-3:] == ("pass",) * 3 and len(said) - 3 > contracts[-1]:
        return []
    since = said[contracts[-1] :]
    doubles = [word for word in since if word in ("double", "redouble")]
    calls = ["pass"]
    if overcall or not doubles:
        calls += LADDER[LADDER.index(since[0]) + 1 :]
    same_side = (len(said) - contracts[-1]) % 2 == 0
    if not doubles and not same_side:
        calls.append("double")
    if doubles == ["double"] and same_side:
        calls.append("redouble")
    return calls


def all_auctions(depth, overcall, said=()):
    """Every auction that has ended, or been cut off, after at most `depth` calls."""
    calls = may_say(said, overcall)
    if not calls or len(said) == depth:
        yield said, not calls
        return
    for word in calls:
        yield from all_auctions(depth, overcall, (*said, word))


@pytest.mark.parametrize("overcall", [True, False])
def test_every_auction_of_six_calls(overcall):
    """Each bidder is offered what the generator allows at its turn, and all ends where the generator ends."""
    rules = RULES if overcall else LAST_DOUBLE
    seen = Counter()
    for said, ended in all_auctions(6, overcall):
        words = Scripted(" ".join([*said, *["pass"] * 3]))
        result = climb(FIRST, rules, [words] * 4, BITS)
        seen[ended] += 1
        if ended:
            assert tuple(call.said for call in result.calls) == said
        else:
            assert len(result.calls) > len(said) - 3
        for turn, view in enumerate(words.views[: len(said)]):
            assert list(view.legal) == may_say(said[:turn], overcall)
        assert_result(result)
    assert min(seen.values()) > 100


def assert_result(result):
    """Contract, taker, round and multiplier, read off the words."""
    said = [call.said for call in result.calls]
    contracts = [turn for turn, word in enumerate(said) if word in LADDER]
    if not contracts:
        assert result[1:] == (0, -1, "none", 1)
        return
    last = contracts[-1]
    times = 1 + ("double" in said[last:]) + 2 * ("redouble" in said[last:])
    assert result[1:] == (last // 4 + 1, last % 4, said[last], times)


@cache
def longest(contract, doubled, distance, passes):
    """Most calls still to come: contracts called so far, 0-2 doubles, turns since the last of both, passes in a row."""
    if passes == (4 if contract < 0 else 3):
        return 0
    options = [longest(contract, doubled, distance + 1, passes + 1)]
    options += [longest(above, 0, 1, 0) for above in range(contract + 1, 6)]
    same_side = distance % 2 == 0
    if contract >= 0 and doubled == 0 and not same_side:
        options.append(longest(contract, 1, 1, 0))
    # A redouble is made by the doubler's opponents.
    if doubled == 1 and not same_side:
        options.append(longest(contract, 2, 1, 0))
    return 1 + max(options)


def test_the_longest_auction():
    assert longest(-1, 0, 0, 0) == LADDER_TURNS == 58
    assert LADDER_DRAWS == 116


def test_the_longest_auction_can_be_held():
    words = "pass pass pass"
    for number, contract in enumerate(LADDER):
        between = "" if number == 0 else "pass pass "
        words += f" {between}{contract} pass pass double pass pass redouble"
    result, _ = auction(words + " pass pass pass")
    assert len(result.calls) == 58
    assert (result.contract, result.multiplier) == ("AT", 4)


# --- Bidders ---------------------------------------------------------------------------------------------------------


def test_never_and_always():
    assert climb(FIRST, RULES, [LadderNeverBidder()] * 4, BITS).taker == -1
    result = climb(FIRST, RULES, [LadderNeverBidder(), *[LadderAlwaysBidder()] * 3], BITS)
    assert result[1:] == (1, 1, "c", 1)
    assert len(result.calls) == 5


def shown(legal, contract=None, own=False, multiplier=1, draws=(0, 0), cards=()):
    return LadderView(0, tuple(cards), tuple(legal.split()), contract, own, multiplier, draws)


def test_chance_makes_any_call_but_a_pass():
    """One half: a call if the first draw is below 2^31; the second picks among the n calls, in n equal parts."""
    half, low, high = LadderChanceBidder(0.5), 2**31 - 1, 2**31
    legal = "pass s NT AT double"
    assert half.call(shown(legal, draws=(high, 0))) == "pass"
    picked = [half.call(shown(legal, draws=(low, quarter * 2**30))) for quarter in range(4)]
    assert picked == ["s", "NT", "AT", "double"]
    assert half.call(shown(legal, draws=(low, 2**30 - 1))) == "s"
    assert half.call(shown("pass", draws=(0, 0))) == "pass"
    assert LadderChanceBidder(0.0).call(shown(legal, draws=(0, 0))) == "pass"
    assert LadderChanceBidder(1.0).call(shown(legal, draws=(2**32 - 1, 2**32 - 1))) == "double"


def test_deals_use_the_auction_stream():
    """Turn t has draws 2t and 2t+1 of stream 1; seed 9, deal 4, a call with chance 0.3."""
    record = play_deal(RULES, 9, 4, [LadderChanceBidder(0.3)] * 4, [RandomPlayer()] * 4)
    bits = draws(9, 4, 1, LADDER_DRAWS)
    for turn, call in enumerate(record.calls):
        choices = may_say(tuple(call.said for call in record.calls[:turn]))[1:]
        willing = bits[2 * turn] / 2**32 < 0.3 and choices
        assert call.said == (choices[int(bits[2 * turn + 1] / 2**32 * len(choices))] if willing else "pass")


NEVER = (99,) * 6


def count(**changes):
    """Trumps: J 10, 9 6 and 2 a card; a side ace 4; no trumps: aces 5; all trumps: jacks 7, one less for a void."""
    given = {
        "trump": SimpleNamespace(cards=(0, 0, 6, 0, 10, 0, 0, 0), length=(0, 2, 4, 6, 8, 10, 12, 14, 16)),
        "side": SimpleNamespace(cards=(0, 0, 0, 0, 0, 0, 0, 4), length=(0,) * 9),
        "no_trumps": SimpleNamespace(cards=(0, 0, 0, 0, 0, 0, 0, 5), length=(0,) * 9),
        "all_trumps": SimpleNamespace(cards=(0, 0, 0, 0, 7, 0, 0, 0), length=(-1, *(0,) * 8)),
        "opening": NEVER, "over_partner": NEVER, "over_opponents": NEVER, "double": NEVER, "redouble": NEVER,
    }
    return SimpleNamespace(**(given | changes))


# Jh 9h 7h, Ac, Ad: clubs 2 + 4, diamonds 2 + 4, hearts 16 + 6 + 8, spades 8, no trumps 10, all trumps 7 - 1.
HAND = (20, 18, 16, 7, 15)
STRENGTHS = (6, 6, 30, 8, 10, 6)
ALL = "pass c d h s NT AT"


def decide(view_legal=ALL, contract=None, own=False, multiplier=1, **changes):
    return LadderPointBidder(count(**changes)).call(shown(view_legal, contract, own, multiplier, cards=HAND))


@pytest.mark.parametrize("contract", range(6))
def test_strength_in_each_contract(contract):
    """It calls a contract for exactly its strength and not for one more."""
    exact = tuple(STRENGTHS[c] if c == contract else 99 for c in range(6))
    assert decide(opening=exact) == LADDER[contract]
    assert decide(opening=tuple(needed + 1 for needed in exact)) == "pass"


def test_the_call_furthest_above_what_it_takes():
    assert decide(opening=(0, 0, 25, 0, 1, 0)) == "NT"
    # Clubs and diamonds 4 above, hearts 3, spades 4, all trumps 4: the lowest of equals.
    assert decide(opening=(2, 2, 27, 4, 7, 2)) == "c"
    assert decide("pass d h s NT AT", contract=0, own=True, over_partner=(2, 2, 27, 4, 7, 2)) == "d"


def test_who_holds_the_contract_decides_what_a_call_takes():
    low = (0,) * 6
    assert decide(opening=low) == "h"
    assert decide("pass h s NT AT", contract=1, own=True, opening=low, over_opponents=low) == "pass"
    assert decide("pass h s NT AT", contract=1, own=True, over_partner=low) == "h"
    assert decide("pass h s NT AT double", contract=1, opening=low, over_partner=low) == "pass"
    assert decide("pass h s NT AT double", contract=1, over_opponents=low) == "h"
    # Hearts are no longer to be had: spades 8 or no trumps 10.
    assert decide("pass s NT AT", contract=2, own=True, over_partner=low) == "NT"


def test_a_double_goes_before_a_call_and_a_redouble_after():
    doubled_hearts = (99, 99, 30, 99, 99, 99)
    low = (0,) * 6
    assert decide("pass s NT AT double", contract=2, double=doubled_hearts, over_opponents=low) == "double"
    assert decide("pass s NT AT double", contract=2, double=(99, 99, 31, 99, 99, 99), over_opponents=low) == "NT"
    assert decide("pass s NT AT", contract=2, own=True, double=doubled_hearts) == "pass"
    assert decide("pass s NT AT redouble", 2, True, 2, redouble=doubled_hearts) == "redouble"
    assert decide("pass s NT AT redouble", 2, True, 2, redouble=doubled_hearts, over_partner=low) == "NT"
    assert decide("pass redouble", 2, True, 2, redouble=doubled_hearts, over_partner=low) == "redouble"
    assert decide("pass redouble", 2, True, 2, over_partner=low) == "pass"
