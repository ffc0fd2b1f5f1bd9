"""Whole deals of every game: what must hold in each of them."""

import pytest

from cases import preset_with
from mpsim.errors import CardError, UsageError
from mpsim.policies import load_policies
from mpsim.referee import GreedyPlayer, LadderChanceBidder, NeverBidder, RandomPlayer, draws, order_of, play_deal

VARIANTS = [
    ("mpourloto", {}), ("mpourloto-greek", {}), ("bulgarian", {}), ("belote", {}), ("belote-bg", {}), ("madrasso", {}),
    ("contree", {}), ("bulgarian", {"overcall_cancels_double": False, "hang_doubled": "half"}),
    ("bulgarian", {"round_then_multiply": False, "capot_cancels_double": True, "tie_rule": "fail"}),
    ("bulgarian", {"nt_capot_doubled": True, "rounding": "none", "melds_need_trick": True}),
    ("belote", {"belot_on_discard": True, "turn_up": True}), ("madrasso", {"upcard_index": 20, "must_ruff": True}),
    ("madrasso", {"exchange_policy": "always", "kind": "drawn"}), ("contree", {"aponta": True}),
    ("madrasso", {"kind": "accept", "exchange_window": "first5"}),
]
PLAYERS = [GreedyPlayer(), RandomPlayer(), GreedyPlayer(), RandomPlayer()]


@pytest.fixture(scope="module", params=VARIANTS, ids=str)
def played(request):
    """Rules and their first 150 deals of seed 3, everybody bidding by chance."""
    name, keys = request.param
    rules = preset_with(name, **keys)
    bidders = load_policies("greedy", "chance:0.3", rules).bidders(rules)
    return rules, [play_deal(rules, 3, number, bidders, PLAYERS) for number in range(150)]


def decided(records):
    found = [record for record in records if record.round > 0]
    assert len(found) > 50
    return found


def test_cards(played):
    rules, records = played
    first = sum(rules.deal.packets)
    for record in records:
        assert sorted(card for hand in record.hands for card in hand) == list(rules.deck.cards)
        assert [len(hand) for hand in record.hands] == [rules.hand_size] * 4
        assert [len(hand) for hand in record.first] == [first] * 4


def test_every_ply(played):
    _, records = played
    for record in decided(records):
        held = [set(hand) for hand in record.hands]
        leader = 0
        for ply, (seat, card, legal) in enumerate(zip(record.seats, record.plays, record.legal, strict=True)):
            assert seat == (leader + ply) % 4
            assert card in legal
            assert set(legal) <= held[seat]
            held[seat].remove(card)
            if ply % 4 == 3:
                leader = record.winners[ply // 4]
        assert not any(held)


def card_total(rules, contract):
    """152 in a suit, 248 in all trumps, 120 in no trumps and in Madrasso."""
    if rules.hand_size == 10:
        return 120
    return {"AT": 248, "NT": 120}.get(contract, 152)


def test_points(played):
    """162, 258, 130; 260 in no trumps that are doubled; 252, 348, 350 and so on when all tricks go to one side."""
    rules, records = played
    score = rules.score
    for record in decided(records):
        assert sum(record.trick_points) == card_total(rules, record.contract)
        factor = score.nt_multiplier if record.contract == "NT" else 1
        all_tricks = 0
        if 0 in record.tricks and score.capo_mode != "wins_match":
            all_tricks = 90 * (factor if score.nt_capot_doubled else 1) - (10 if score.capo_mode == "replace" else 0)
        assert sum(record.points) == (card_total(rules, record.contract) + 10) * factor + all_tricks
        assert record.settlement.totals == tuple(record.points[team] + record.melds[team] for team in (0, 1))


def test_what_is_written_down(played):
    """Written down and hanging make the deal's points, or its tens, as often as it counts."""
    rules, records = played
    for record in decided(records):
        deal, whole = record.settlement, sum(record.settlement.totals)
        times = 1 if 0 in record.tricks and rules.score.capot_cancels_double else record.multiplier
        if rules.score.rounding == "tens":
            before = rules.score.round_then_multiply
            whole = (whole + 5) // 10 * times if before else (whole * times + 5) // 10
        elif record.multiplier > 1:
            whole = whole * times
        assert sum(deal.scores) + deal.hung == whole
        assert (deal.makers, record.taker < 0) == ((-1, True) if record.taker < 0 else (record.taker % 2, False))
        if deal.outcome in ("failed", "hung"):
            assert deal.scores[deal.makers] == 0


def test_melds(played):
    rules, records = played
    for record in decided(records):
        if record.contract == "NT":
            assert record.declared == ((), (), (), ())
        trumps = order_of(rules.deck, record.contract).trump_suits
        for seat in range(4):
            assert set(record.counted[seat]) <= set(record.declared[seat])
            for meld in record.declared[seat]:
                assert set(meld.cards) <= set(record.hands[seat])
                if meld.kind == "pair":
                    assert meld.cards[0] // rules.deck.field in trumps


def test_rows(played):
    rules, records = played
    deck = sum(1 << card for card in rules.deck.cards)
    for record in records:
        row = record.row()
        assert row["hand_0"] | row["hand_1"] | row["hand_2"] | row["hand_3"] == deck
        assert len(row["plays"]) == 4 * rules.hand_size
        assert (row["multiplier"], row["contract"]) == (record.multiplier, record.contract)
        assert row["contract"] in (*rules.deck.suits, "NT", "AT", "none")
        assert list(row["plays"]) == (list(record.plays) or [255] * len(row["plays"]))


def test_who_fixes_trumps(played):
    rules, records = played
    for record in decided(records):
        if rules.auction.kind == "turned":
            assert (record.taker, record.round, record.calls) == (-1, 1, ())
            assert record.contract == rules.deck.suits[record.upcard // rules.deck.field]
        elif rules.auction.kind == "drawn":
            fraction = (draws(3, record.deal, 1, 1)[0] >> 5) / 2**27
            assert (record.taker, record.round, record.calls) == (int(fraction * 4), 1, ())
            assert record.contract == rules.deck.suits[int(fraction * 16) % 4]
        else:
            assert record.taker >= 0
            assert record.calls


def test_aponta_comes_before_any_auction():
    """Contree, five of 7 8 9 in seat 0's packets of three and two: places 0-2, 12, 13."""
    worthless = iter([0, 1, 2, 8, 9])
    others = iter([card for card in range(32) if card not in (0, 1, 2, 8, 9)])
    deck = [next(worthless) if place in (0, 1, 2, 12, 13) else next(others) for place in range(32)]
    bidders = [NeverBidder()] * 4
    thrown = play_deal(preset_with("contree", aponta=True), 1, 0, bidders, PLAYERS, deck)
    assert (thrown.round, thrown.settlement.outcome) == (0, "thrown_in")
    assert play_deal(preset_with("contree"), 1, 0, bidders, PLAYERS, deck).round == 1


def test_nobody_plays_for_a_contract_of_his_own_in_madrasso():
    """The master of trumps is led only by the side that took; here nobody did, so an ace of another suit is."""
    rules = preset_with("madrasso")
    record = play_deal(rules, 3, 0, [NeverBidder()] * 4, [GreedyPlayer()] * 4)
    assert record.taker == -1
    for ply, seat in enumerate(record.seats):
        if ply % 4 == 0 and record.plays[ply] // 16 == record.upcard // 16:
            left = set(record.hands[seat]) - set(record.plays[:ply])
            seen = set(record.plays[:ply]) | left
            order = order_of(rules.deck, record.contract)
            masters = [card for card in left if order.stronger[card] <= seen and order.suit[card] != order.trump]
            assert not masters


# --- A contract and a taker given ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["mpourloto", "bulgarian", "contree"])
@pytest.mark.parametrize(("contract", "taker"), [("h", 2), ("NT", 0), ("AT", 3)])
def test_a_given_contract_replaces_the_auction(game, contract, taker):
    rules = preset_with(game)
    record = play_deal(rules, 3, 7, [None] * 4, PLAYERS, contract=contract, taker=taker)
    assert (record.contract, record.taker, record.round, record.multiplier) == (contract, taker, 1, 1)
    assert record.calls == ()
    assert sum(record.trick_points) == card_total(rules, contract)


def test_the_same_deal_with_and_without_its_auction():
    rules = preset_with("bulgarian")
    bidders = [LadderChanceBidder(0.3)] * 4
    deals = (play_deal(rules, 3, number, bidders, PLAYERS) for number in range(99))
    bid = next(record for record in deals if record.round and record.multiplier == 1)
    given = play_deal(rules, 3, bid.deal, bidders, PLAYERS, contract=bid.contract, taker=bid.taker)
    assert (given.hands, given.plays, given.settlement) == (bid.hands, bid.plays, bid.settlement)


def test_madrasso_takes_a_contract_without_a_taker():
    record = play_deal(preset_with("madrasso"), 3, 7, [None] * 4, PLAYERS, contract="b")
    assert (record.contract, record.taker, record.settlement.outcome) == ("b", -1, "scored")


@pytest.mark.parametrize(
    ("game", "contract", "taker", "sentence"),
    [
        ("mpourloto", "x", 0, r"contract = 'x' is none of this game's: give c, d, h, s, NT or AT$"),
        ("madrasso", "h", None, r"contract = 'h' is none of this game's: give d, c, s, b, NT or AT$"),
        ("mpourloto", None, 0, "contract = None is none of this game's"),
        ("mpourloto", "h", None, "taker = None is no seat: give the one that took the contract, 0, 1, 2 or 3"),
        ("mpourloto", "h", 4, "taker = 4 is no seat"),
        ("mpourloto", "h", -1, "taker = -1 is no seat"),
        ("mpourloto", "h", True, "taker = True is no seat"),
        ("madrasso", "d", 0, "taker = 0 is given where nobody takes: leave it out"),
    ],
)
def test_contracts_and_takers_that_cannot_be(game, contract, taker, sentence):
    with pytest.raises(UsageError, match=f"^{sentence}"):
        play_deal(preset_with(game), 3, 7, [None] * 4, PLAYERS, contract=contract, taker=taker)


def test_another_decks_cards_are_refused():
    with pytest.raises(CardError, match="10 is no card's number: they run from 0 to 9, and as many from 16"):
        play_deal(preset_with("madrasso"), 3, 7, [NeverBidder()] * 4, PLAYERS, range(40))
