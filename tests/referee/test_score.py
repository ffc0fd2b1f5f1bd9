"""Settlement; cases T57 to T64, T71 to T78, T81 to T83, T92 and T94."""

import pytest

from cases import SCORE_CASES, preset_with, rules_with
from mpsim.referee import deal_points, game_points, scored_melds, settle


@pytest.mark.parametrize("case", SCORE_CASES, ids=lambda case: case.id)
@pytest.mark.parametrize("makers", [0, 1])
def test_settlement(case, makers):
    rules = rules_with(**case.keys)

    def by_team(values):
        return values if makers == 0 else values[::-1]

    last_winner = makers if case.last == 0 else 1 - makers
    points = deal_points(by_team(case.cards), by_team(case.tricks), last_winner, "s", rules)
    melds = scored_melds(by_team(case.melds), case.tricks if makers == 0 else case.tricks[::-1], rules)
    deal = settle(makers, "s", 1, points, melds, by_team(case.tricks), rules)
    assert by_team(deal.scores) == case.scores
    assert deal.outcome == case.outcome
    assert deal.hung == (91 if case.outcome == "hung" else 0)


@pytest.mark.parametrize(
    ("keys", "total", "capo_total"),
    [({}, 162, 242), ({"capo_mode": "add"}, 162, 252), ({"mp_totals": "text152"}, 162, 232)],
)
def test_totals(keys, total, capo_total):
    rules = rules_with(**keys)
    assert sum(deal_points((60, 92), (3, 5), 1, "s", rules)) == total
    assert deal_points((0, 152), (0, 8), 1, "s", rules) == (0, capo_total)


# --- Tens of points (Bulgarian Belot, Belote) -------------------------------------------------------------------------

SPLIT = (4, 4)


def tens(own, other, contract="h", times=1, makers=0, tricks=SPLIT, game="bulgarian", **keys):
    """What makers and opponents write down, and what hangs, from their raw points."""
    points = (own, other) if makers == 0 else (other, own)
    won = tricks if makers == 0 else tricks[::-1]
    deal = settle(makers, contract, times, points, (0, 0), won, preset_with(game, **keys))
    scores = deal.scores if makers == 0 else deal.scores[::-1]
    return (*scores, deal.hung)


@pytest.mark.parametrize("makers", [0, 1])
@pytest.mark.parametrize(
    ("contract", "own", "other", "written"),
    [
        # T71; where the opponents have more their side takes everything, so the makers are put first.
        ("AT", 224, 34, (22, 4)), ("AT", 194, 164, (19, 17)), ("h", 106, 56, (10, 6)), ("h", 156, 6, (15, 1)),
        # T72
        ("h", 97, 65, (10, 6)), ("h", 98, 64, (10, 6)), ("h", 99, 63, (10, 6)), ("h", 102, 60, (10, 6)),
        ("h", 101, 61, (10, 6)), ("h", 86, 76, (8, 8)), ("AT", 225, 33, (23, 3)), ("AT", 223, 35, (22, 4)),
        ("AT", 226, 32, (23, 3)), ("AT", 227, 31, (23, 3)), ("AT", 219, 39, (22, 4)), ("AT", 134, 124, (13, 13)),
        ("NT", 136, 124, (14, 12)),
    ],
)
def test_T71_T72_a_made_contract_in_tens(contract, own, other, written, makers):
    assert tens(own, other, contract, makers=makers) == (*written, 0)


def test_T73_no_trumps_are_doubled_before_they_are_rounded():
    """58 + 10 and 62 in cards: 136-124, 14-12, and not twice 7-6."""
    rules = preset_with("bulgarian")
    points = deal_points((58, 62), SPLIT, 0, "NT", rules)
    assert points == (136, 124)
    assert settle(0, "NT", 1, points, (0, 0), SPLIT, rules).scores == (14, 12)


@pytest.mark.parametrize(
    ("contract", "half", "opponents", "hung"),
    [("h", 106, 10, 11), ("AT", 154, 15, 16), ("h", 81, 8, 8), ("AT", 129, 13, 13), ("NT", 130, 13, 13)],
)
def test_T74_level_points_hang(contract, half, opponents, hung):
    for makers in (0, 1):
        assert tens(half, half, contract, makers=makers) == (0, opponents, hung)
    # C7 made: each keeps his own, the makers rounding up at the limit; fail: everything to the opponents.
    assert tens(half, half, contract, tie_rule="made") == (hung, opponents, 0)
    assert tens(half, half, contract, tie_rule="fail") == (0, hung + opponents, 0)


@pytest.mark.parametrize(
    ("contract", "times", "own", "other", "written"),
    [
        ("h", 2, 90, 72, (32, 0)), ("h", 4, 72, 90, (0, 64)), ("NT", 2, 136, 124, (52, 0)),
        ("AT", 4, 200, 128, (132, 0)), ("h", 1, 72, 90, (0, 16)),
    ],
)
def test_T76_doubled_deals(contract, times, own, other, written):
    assert tens(own, other, contract, times) == (*written, 0)


def test_B7_multiplied_before_it_is_rounded():
    """162 four times 648 is 65, 258 four times 1032 is 103; an undoubled deal is as ever."""
    before = {"round_then_multiply": False}
    assert tens(90, 72, "h", 4, **before) == (65, 0, 0)
    assert tens(90, 72, "h", 4) == (64, 0, 0)
    assert tens(100, 158, "AT", 4, **before) == (0, 103, 0)
    assert tens(100, 158, "AT", 4) == (0, 104, 0)
    assert tens(106, 56, "h", 1, **before) == (10, 6, 0)
    # Level: 2 * 212 = 424 is 42, shared 21-21; where all hangs, 42 hang.
    assert tens(106, 106, "h", 2, tie_rule="made", **before) == (21, 21, 0)
    assert tens(106, 106, "h", 2, **before) == (0, 0, 42)


def test_B4_a_doubled_deal_that_hangs():
    """106-106 are 21 game points, 10 of them the opponents' half."""
    assert tens(106, 106, "h", 2) == (0, 0, 42)
    assert tens(106, 106, "h", 4) == (0, 0, 84)
    assert tens(106, 106, "h", 2, hang_doubled="half") == (0, 20, 22)
    assert tens(106, 106, "h", 2, tie_rule="fail") == (0, 42, 0)
    assert tens(106, 106, "h", 2, tie_rule="made") == (22, 20, 0)


@pytest.mark.parametrize(
    ("contract", "cards", "points", "game_points_"),
    [("h", 152, 252, 25), ("AT", 248, 348, 35), ("NT", 120, 350, 35)],
)
def test_T78_capot(contract, cards, points, game_points_):
    rules = preset_with("bulgarian")
    assert deal_points((cards, 0), (8, 0), 0, contract, rules) == (points, 0)
    assert tens(points, 0, contract, tricks=(8, 0)) == (game_points_, 0, 0)
    assert tens(points, 0, contract, 2, tricks=(8, 0)) == (2 * game_points_, 0, 0)
    assert tens(0, points, contract, tricks=(0, 8)) == (0, game_points_, 0)
    # B6: a double that a capot cancels.
    assert tens(points, 0, contract, 2, tricks=(8, 0), capot_cancels_double=True) == (game_points_, 0, 0)
    assert tens(130, 120, contract, 2, capot_cancels_double=True) == (50, 0, 0)


def test_T78_the_pair_of_a_side_without_tricks():
    assert tens(252, 20, "h", tricks=(8, 0)) == (25, 2, 0)


def test_B18_the_bonus_for_all_tricks_doubled_in_no_trumps():
    """(120 + 10 + 90) * 2."""
    assert deal_points((0, 120), (0, 8), 1, "NT", preset_with("bulgarian", nt_capot_doubled=True)) == (0, 440)
    assert deal_points((0, 248), (0, 8), 1, "AT", preset_with("bulgarian", nt_capot_doubled=True)) == (0, 348)


def test_T81_exactly_at_the_limit():
    """The makers are the side with more; 106-56 in a suit, 75-55 in no trumps of 130 points."""
    for tie, suit, no_trumps in (("fewer_up", (10, 6), (7, 6)), ("up", (11, 6), (8, 6)), ("down", (10, 5), (7, 5)),
                                 ("caller_low", (10, 6), (7, 6))):
        assert tens(106, 56, game="belote", round_tie=tie) == (*suit, 0)
        assert tens(75, 55, "NT", game="belote", round_tie=tie) == (*no_trumps, 0)


def test_T81_level_at_the_limit():
    """106-106: the opponents' half as the rule rounds it, the rest of 21 hangs."""
    for tie, opponents in (("fewer_up", 10), ("caller_low", 11), ("up", 11), ("down", 10)):
        assert tens(106, 106, round_tie=tie) == (0, opponents, 21 - opponents)


def test_T82_belote_lets_each_keep_his_own():
    assert tens(81, 81, game="belote") == (8, 8, 0)
    assert tens(70, 92, game="belote") == (0, 16, 0)
    assert tens(90, 72, times=2, game="belote") == (32, 0, 0)
    assert tens(81, 81, times=2, game="belote") == (16, 16, 0)


def test_T83_belote_no_trumps_capot():
    """120 + 10 + 90, not doubled."""
    points = deal_points((120, 0), (8, 0), 0, "NT", preset_with("belote"))
    assert points == (220, 0)
    assert settle(0, "NT", 1, points, (0, 0), (8, 0), preset_with("belote")).scores == (22, 0)


def splits():
    """Contract and both sides' points: every split of 162 + 10k and 258 + 10k, even ones of 260 + 10k."""
    for contract, total, step in (("h", 162, 1), ("AT", 258, 1), ("NT", 260, 2)):
        for whole in range(total, total + 500, 10):
            for own in range(0, whole + 1, step):
                yield contract, own, whole - own


def test_tens_conserve_the_deal_in_every_split():
    """gp(own) + gp(other) = (whole + 5) / 10, and more points never bring fewer."""
    rules = preset_with("bulgarian")
    before = {}
    for contract, own, other in splits():
        whole = (own + other + 5) // 10
        if own > other:
            mine, theirs, hung = tens_of(own, other, contract, rules)
            assert (mine + theirs, hung) == (whole, 0), (contract, own, other)
            assert abs(mine - own / 10) < 1
            key = contract, own + other
            assert mine >= before.get(key, 0)
            before[key] = mine
        elif own == other:
            mine, theirs, hung = tens_of(own, other, contract, rules)
            assert (mine, theirs + hung) == (0, whole)
            assert theirs <= hung <= theirs + 1
        else:
            assert tens_of(own, other, contract, rules) == (0, whole, 0)


def tens_of(own, other, contract, rules, times=1, tricks=SPLIT):
    deal = settle(0, contract, times, (own, other), (0, 0), tricks, rules)
    return (*deal.scores, deal.hung)


@pytest.mark.parametrize("keys", [{}, {"hang_doubled": "half"}, {"round_tie": "caller_low"}], ids=str)
def test_settlements_conserve_the_deal_in_all_six_rows(keys):
    """Written down plus what newly hangs is the deal's game points, as often as it counts; H itself is the match's."""
    rules = preset_with("bulgarian", **keys)
    rows = set()
    for contract, whole in (("h", 162), ("h", 212), ("AT", 258), ("AT", 308), ("NT", 260)):
        for own in range(0, whole + 1, 2):
            for times in (1, 2, 4):
                written = tens_of(own, whole - own, contract, rules, times)
                assert sum(written) == (whole + 5) // 10 * times
                rows.add(((own > whole - own) - (own < whole - own), min(times, 2)))
    assert len(rows) == 6


def test_plain_rounding_breaks_what_the_limit_digits_keep():
    """Half up breaks 48 of the 163 splits of 162 and 26 of the 259 of 258; limits all up or down 16 and 26."""
    def broken(total, contract, up):
        score = preset_with("bulgarian").score
        sums = (game_points(own, contract, up, score) + game_points(total - own, contract, up, score)
                for own in range(total + 1))
        return sum(found != (total + 5) // 10 for found in sums)

    assert sum((own + 5) // 10 + (167 - own) // 10 != 16 for own in range(163)) == 48
    assert [broken(162, "h", up) for up in (True, False)] == [16, 16]
    assert [broken(258, "AT", up) for up in (True, False)] == [26, 26]
    assert [broken(130, "NT", up) for up in (True, False)] == [13, 13]


# --- Points doubled, and deals without makers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "other", "keys", "written"),
    [
        (100, 62, {}, (324, 0, 0)), (62, 100, {}, (0, 324, 0)),
        (91, 91, {}, (0, 364, 0)), (91, 91, {"tie_rule": "made"}, (182, 182, 0)),
        (91, 91, {"tie_rule": "hang"}, (0, 0, 364)),
        (91, 91, {"tie_rule": "hang", "hang_doubled": "half"}, (0, 182, 182)),
        # The printed totals leave the last trick out of what one side takes whole: 152 twice.
        (62, 100, {"mp_totals": "text152"}, (0, 304, 0)),
    ],
)
def test_doubled_points(own, other, keys, written):
    deal = settle(0, "h", 2, (own, other), (0, 0), SPLIT, rules_with(**keys))
    assert (*deal.scores, deal.hung) == written
    assert deal.totals == (own, other)


def test_T92_madrasso_scores_what_each_team_took():
    """A last trick worth nothing still brings 10; nobody is the maker."""
    rules = preset_with("madrasso")
    points = deal_points((70, 50), (6, 4), 1, "d", rules)
    assert points == (70, 60)
    deal = settle(-1, "d", 1, points, (0, 0), (6, 4), rules)
    assert (deal.scores, deal.outcome, deal.makers, deal.hung, deal.sweeper) == ((70, 60), "scored", -1, 0, -1)


def test_a_sweep_brings_the_last_trick_and_no_more():
    rules = preset_with("madrasso")
    assert deal_points((0, 120), (0, 10), 1, "d", rules) == (0, 130)
    assert deal_points((0, 120), (0, 10), 1, "d", preset_with("madrasso", all_tricks=50)) == (0, 130)
    assert settle(-1, "d", 1, (0, 130), (0, 0), (0, 10), rules).sweeper == 1
