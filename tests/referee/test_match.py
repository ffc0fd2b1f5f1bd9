"""The end of a match; cases T65 to T67, T80 and T84 to T89, M17 and M18; whole matches."""

from types import SimpleNamespace

import pytest

from cases import MATCH_CASES, preset_with, rules_with
from mpsim.errors import UsageError
from mpsim.referee import (
    ChanceBidder,
    GreedyPlayer,
    LadderAlwaysBidder,
    LadderNeverBidder,
    Match,
    NeverBidder,
    RandomPlayer,
    Settlement,
    draws,
    play_deal,
    play_match,
)

NOTHING = Settlement((0, 0), (0, 0), "thrown_in", -1)


@pytest.mark.parametrize("case", MATCH_CASES, ids=lambda case: case.id)
def test_match_end(case):
    match = Match(rules_with(**case.keys))
    for total, winner in zip(case.totals, case.winners, strict=True):
        match.add_scores([total[team] - match.scores[team] for team in (0, 1)])
        assert match.winner == winner
    assert tuple(match.scores) == case.totals[-1]


def test_teams_turn_with_the_deal():
    """Player 3 deals first, so seat 0 is player 0; next player 0 deals and seat 0 is player 1."""
    match = Match(rules_with(), dealer=3)
    match.add(Settlement((110, 72), (110, 72), "made", 0))
    assert match.scores == [110, 72]
    match.add(Settlement((100, 62), (100, 62), "made", 0))
    assert match.scores == [172, 172]


def test_M17_hung_points_go_to_the_better_team_of_the_next_decided_deal():
    match = Match(rules_with(tie_rule="hang"), dealer=3)
    match.add(Settlement((0, 91), (91, 91), "hung", 0, 91))
    assert (match.scores, match.pool) == ([0, 91], 91)
    match.add(NOTHING)
    assert match.pool == 91
    # Player 1 deals: seat 0 is player 2, of team 0.
    match.add(Settlement((0, 81), (81, 81), "hung", 0, 81))
    assert (match.scores, match.pool) == ([0, 172], 172)
    # Player 2 deals: seat 0 is player 3, of team 1; its side fails, so team 0 gets 162 and the pool.
    match.add(Settlement((0, 162), (60, 102), "failed", 0))
    assert (match.scores, match.pool) == ([334, 172], 0)


def test_M17_makers_take_the_pool_when_they_make_it():
    match = Match(rules_with(tie_rule="hang"), dealer=1)
    match.pool = 50
    match.add(Settlement((72, 90), (72, 90), "made", 1))
    assert match.scores == [72, 140]


def test_M18_thrown_in_deals_are_no_extra_deals():
    match = Match(rules_with())
    match.add_scores((1000, 1000))
    match.add_scores((90, 72))
    match.add(NOTHING)
    assert match.winner is None
    match.add_scores((0, 1))
    assert match.winner == 0


def test_a_decided_match_stays_decided():
    match = Match(rules_with())
    match.add_scores((1003, 990))
    match.add_scores((0, 500))
    assert match.winner == 0


# --- Other games: a match told by its scores after each deal, sweeps marked -------------------------------------------


def told(rules, totals):
    """Winner and what decided it after each deal; a total may name the team that won all its tricks."""
    match, seen = Match(rules), []
    for total in totals:
        ours, theirs, *sweeper = total
        match.add_scores((ours - match.scores[0], theirs - match.scores[1]), *sweeper)
        seen.append((match.winner, match.ended))
    return seen


ON = (None, "")


@pytest.mark.parametrize(
    ("game", "keys", "totals", "seen"),
    [
        # T80
        ("bulgarian", {}, [(158, 153)], [(0, "target")]),
        ("bulgarian", {}, [(150, 149), (151, 165)], [ON, (1, "target")]),
        ("bulgarian", {}, [(155, 155), (163, 163), (163, 179)], [ON, ON, (1, "level")]),
        ("bulgarian", {}, [(151, 149)], [(0, "target")]),
        # T84
        ("belote", {}, [(151, 140), (152, 140)], [ON, (0, "target")]),
        ("belote", {}, [(160, 155)], [(0, "target")]),
        ("belote", {}, [(165, 140, 0)], [(0, "target")]),
        # B5, raise: 165 after a capot makes the target 166, and a further capot raises it again.
        ("bulgarian", {}, [(165, 140, 0), (165, 156), (181, 156)], [ON, ON, (0, "raise")]),
        ("bulgarian", {}, [(165, 140, 0), (165, 175, 1), (175, 175), (191, 175)], [ON, ON, ON, (0, "raise")]),
        ("bulgarian", {}, [(165, 140, 0), (167, 167), (167, 183)], [ON, ON, (1, "level")]),
        # A capot below the target raises nothing.
        ("bulgarian", {}, [(150, 100, 0), (151, 115)], [ON, (0, "target")]),
        # B5, one more: the next deal that is no capot decides, for the leader, whoever it is.
        ("bulgarian", {"capot_exit": "one_more"}, [(165, 140, 0), (165, 175, 1), (170, 186)],
         [ON, ON, (1, "one_more")]),
        ("bulgarian", {"capot_exit": "one_more"}, [(165, 140, 0), (165, 156)], [ON, (0, "one_more")]),
        ("bulgarian", {"capot_exit": "one_more"}, [(165, 149, 0), (165, 165), (181, 165)], [ON, ON, (0, "level")]),
        ("bulgarian", {"capot_exit": "allowed"}, [(165, 140, 0)], [(0, "target")]),
        # T85, T86: 130 points a deal, and not before ten of them.
        ("madrasso", {}, [*[(77, 53)] * 9, (777, 523)], [*[ON] * 9, (0, "target")]),
        ("madrasso", {}, [*[(77, 53)] * 9, (776, 524), (800, 630)], [*[ON] * 10, (0, "target")]),
        ("madrasso", {}, [*[(77, 53)] * 7, (800, 240), (860, 310)], [ON] * 9),
        # T88
        ("madrasso", {}, [*[(0, 0)] * 11, (780, 780), (845, 845), (900, 920)], [*[ON] * 13, (1, "level")]),
        # T89
        ("madrasso", {}, [(60, 70), (100, 160), (100, 290, 1)], [ON, ON, (1, "sweep")]),
        ("madrasso", {}, [(60, 70), (100, 160), (230, 160, 0)], [ON, ON, (0, "sweep")]),
        ("madrasso", {"capo_mode": "add"}, [(60, 70), (190, 70, 0)], [ON, ON]),
    ],
)
def test_ends_of_other_games(game, keys, totals, seen):
    assert told(preset_with(game, **keys), totals) == seen


def hangs(makers, hung, opponents):
    scores = (0, opponents) if makers == 0 else (opponents, 0)
    return Settlement(scores, (0, 0), "hung", makers, hung)


def test_hanging_points_wait_for_a_decided_deal():
    """T74 twice: 11 and 8 hang; player 2's side then makes 10-6 in deal 3, where seat 0 is player 2."""
    match = Match(preset_with("bulgarian"), dealer=3)
    match.add(hangs(0, 11, 10))
    match.add(hangs(0, 8, 8))
    assert (match.scores, match.pool) == ([8, 10], 19)
    match.add(Settlement((10, 6), (106, 56), "made", 0))
    assert (match.scores, match.pool) == ([8 + 10 + 19, 10 + 6], 0)


def test_B20_a_match_may_have_to_wait_for_hanging_points():
    for blocks, winner in ((False, 1), (True, None)):
        match = Match(preset_with("bulgarian", hang_blocks_end=blocks), dealer=3)
        match.add_scores((100, 145))
        match.add(hangs(0, 11, 10))
        assert (match.scores, match.winner) == ([100, 155], winner)
    match.add(Settlement((10, 6), (106, 56), "made", 0))
    # Player 0 dealt: seat 0 is player 1, whose side gets 10 + 11.
    assert (match.scores, match.pool, match.winner) == ([106, 176], 0, 1)


def test_level_points_of_belote_hang_nothing():
    match = Match(preset_with("belote"))
    match.add(Settlement((8, 8), (81, 81), "made", 0))
    assert (match.scores, match.pool) == ([8, 8], 0)


def deal_with(tricks):
    """A deal of Madrasso as far as the score sheet looks: who won each trick and what it held."""
    points = [0, 0]
    for seat, held in tricks:
        points[seat % 2] += held
    points[tricks[-1][0] % 2] += 10
    scores = tuple(points)
    return SimpleNamespace(
        winners=tuple(seat for seat, _ in tricks), trick_points=tuple(held for _, held in tricks),
        settlement=Settlement(scores, scores, "scored", -1),
    )


# Seat 0: 30 points by its third trick; seat 1: 30 by its second.
RACE = [(0, 10), (1, 20), (0, 10), (1, 10), (0, 10), *[(1, 12)] * 5]


def claimed(ours, theirs, scored=10, dealer=3, **keys):
    match = Match(preset_with("madrasso", declare_policy="perfect", **keys), dealer=dealer)
    match.scores, match.scored = [ours, theirs], scored
    match.add_record(deal_with(RACE))
    return match.winner, match.ended, match.scores


def test_D7_who_gets_there_first_claims():
    """Both need 30: seat 1's side has them at trick 4, when seat 0's has 20."""
    assert claimed(747, 747) == (1, "claim", [767, 777])
    assert claimed(750, 747) == (1, "claim", [770, 777])
    assert claimed(757, 747) == (0, "claim", [777, 767])
    # The other side deals first: the deal's team 0 is team 1 of the match.
    assert claimed(747, 757, dealer=0) == (1, "claim", [767, 777])


def test_D7_the_last_trick_counts_ten_more():
    """Seat 1's side takes 20 + 10 + 60 and 10 for the last trick."""
    assert claimed(0, 677) == (1, "claim", [30, 777])
    assert claimed(0, 676) == (None, "", [30, 776])


def test_D7_not_before_its_deal():
    assert claimed(747, 747, scored=9)[1] != "claim"
    assert claimed(747, 747, scored=9, declare_from_deal=10)[1] == "claim"
    match = Match(preset_with("madrasso"))
    match.scores, match.scored = [747, 747], 10
    match.add_record(deal_with(RACE))
    assert (match.winner, match.ended, match.scores) == (1, "target", [777, 847])


# --- Whole matches ---------------------------------------------------------------------------------------------------

GREEDY = [GreedyPlayer()] * 4
LADDER = [LadderAlwaysBidder()] * 4
CHANCE = [ChanceBidder(0.3)] * 4


def replayed(record, rules):
    """The match's scores from its deals, by the score sheet's own words: teams turn, the pool goes to the better."""
    sheet = Match(rules, record.dealer)
    for deal in record.records:
        assert sheet.winner is None
        sheet.add_record(deal)
    return sheet


@pytest.mark.parametrize(
    ("rules", "bidders"),
    [
        (rules_with(), CHANCE), (preset_with("mpourloto-greek"), CHANCE), (preset_with("bulgarian"), LADDER),
        (preset_with("belote"), LADDER), (preset_with("contree"), CHANCE), (preset_with("madrasso"), CHANCE),
        (preset_with("madrasso", declare_policy="perfect"), CHANCE), (rules_with(shuffle="cut_only"), CHANCE),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_matches_are_won(rules, bidders):
    firsts = set()
    for number in range(8):
        record = play_match(rules, 4, number, bidders, GREEDY)
        assert record.dealer == int(draws(4, number, 4, 1)[0] / 2**30)
        firsts.add(record.dealer)
        assert record.deals == len(record.records) > 3
        assert [deal.deal for deal in record.records] == list(range(1024 * number, 1024 * number + record.deals))
        assert record.thrown_in == sum(deal.round == 0 for deal in record.records)
        assert record.capots == sum(0 in deal.tricks for deal in record.records if deal.plays)
        assert record.hung == sum(deal.settlement.outcome == "hung" for deal in record.records)
        sheet = replayed(record, rules)
        assert (sheet.winner, sheet.ended, tuple(sheet.scores)) == (record.winner, record.ended, record.scores)
        assert record.scores[record.winner] >= rules.match.target or record.ended == "sweep"
        if rules.name == "madrasso" and record.ended == "target":
            assert sum(record.scores) == 130 * record.deals
            assert 10 <= record.deals <= 12
    assert len(firsts) > 1


def test_players_keep_their_policies_and_change_their_seats():
    """Only player 0 ever takes: he sits in seat (0 - dealer - 1) mod 4, and the deal goes round."""
    bidders = [LadderAlwaysBidder(), *[LadderNeverBidder()] * 3]
    record = play_match(preset_with("bulgarian"), 4, 1, bidders, GREEDY)
    takers = [deal.taker for deal in record.records]
    assert takers == [(0 - (record.dealer + k) - 1) % 4 for k in range(record.deals)]


def test_deals_of_a_match_are_deals_of_the_seed():
    rules = rules_with()
    record = play_match(rules, 4, 3, CHANCE, GREEDY)
    assert record.records[2] == play_deal(rules, 4, 3 * 1024 + 2, CHANCE, GREEDY)


def test_a_cut_deck_goes_on_through_a_match():
    """All policies alike, so that the deal played alone replays the table the same way."""
    rules = rules_with(shuffle="cut_only", chain=4)
    record = play_match(rules, 4, 2, CHANCE, [RandomPlayer()] * 4)
    assert record.deals > 6
    for deal in record.records:
        assert deal == play_deal(rules, 4, deal.deal, CHANCE, [RandomPlayer()] * 4)


def test_a_match_without_end():
    record = play_match(rules_with(), 4, 0, [NeverBidder()] * 4, GREEDY)
    assert (record.winner, record.ended, record.scores) == (-1, "unfinished", (0, 0))
    assert (record.deals, record.thrown_in) == (1024, 1024)


@pytest.mark.parametrize("number", [-1, 2**54, 1.5, True])
def test_match_numbers_out_of_range(number):
    with pytest.raises(UsageError, match=r"^match = \S+ is no whole number from 0 to 2\^54 - 1: give one that is$"):
        play_match(rules_with(), 4, number, CHANCE, GREEDY)
