"""What must hold in every deal (docs/columns.md), on 100,000 deals a table, worked out again from recorded plays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from kernels.compare import Columns
from kernels.switches import MIXED, PAIRS, SWITCHES, Switch
from kernels.table import Replay
from mpsim.engine.batch import play_batch
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.rules.model import Rules
from mpsim.store.invariants import faults
from mpsim.store.rows import popcount

DEALS = 100_000
TABLES = [
    Switch((), (PAIRS[0],)),
    Switch((), ((MIXED, "chance:0.3"),)),
    Switch(("partner_relief=full", "capo_mode=add"), (("random", "chance:0.3"),)),
    Switch((), (PAIRS[0],), "bulgarian"),
    Switch((), (("random", "chance:0.3"),), "bulgarian"),
    Switch(("round_tie=caller_low", "hang_doubled=half"), (("random", "chance:0.5"),), "bulgarian"),
    Switch((), (PAIRS[0],), "madrasso"),
]

CARD_POINTS = {"mpourloto": [152] * 4, "bulgarian": [152] * 4 + [120, 248], "madrasso": [120] * 4}
"""Of the whole deck, by contract."""


class Played(NamedTuple):
    game: str
    rules: Rules
    columns: Columns
    replay: Replay
    decided: np.ndarray


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table.base} {table.name}")
def played(request) -> Played:
    base, settings, (pair,) = request.param.base, request.param.settings, request.param.pairs
    rules = load_rules(base, settings)
    columns = play_batch(rules, load_policies(*pair, rules), 12, 0, DEALS, record_plays=True)
    return Played(base, rules, columns, Replay(rules, columns), columns["round"] != 0)


def test_hands(played: Played) -> None:
    """All cards of the deck, equally many a seat; five a seat before, and the turned card."""
    size, deck = played.rules.hand_size, played.rules.deck
    hands = [played.columns[f"hand_{seat}"].astype(np.uint64) for seat in range(4)]
    assert (sum(hands) == sum(1 << card for card in deck.cards)).all()
    assert all((popcount(hand) == size).all() for hand in hands)
    first = [played.columns[f"first_{seat}"].astype(np.uint64) for seat in range(4)]
    assert all((popcount(hand) == 5).all() for hand in first)
    upcard, before = played.columns["upcard"], first[0] | first[1] | first[2] | first[3]
    assert (popcount(before) == 20).all()
    if played.game == "bulgarian":
        assert (upcard == -1).all()
    else:
        held = first[3] >> upcard.astype(np.uint64) & np.uint64(1) == 1
        assert (held == (played.game == "madrasso")).all()
        assert ((before >> upcard.astype(np.uint64) & np.uint64(1)) == held).all()


def test_plays(played: Played) -> None:
    """Every card is held and legal when it is played; no legal set is empty."""
    decided, replay = played.decided, played.replay
    plays = played.columns["plays"]
    assert (plays[~decided] == 255).all()
    assert (np.sort(plays[decided], axis=1) == played.rules.deck.cards).all()
    assert replay.held[decided].all()
    assert (replay.legal[decided] != 0).all()
    assert (replay.legal[decided] >> plays[decided].astype(replay.legal.dtype) & 1 != 0).all()


def card_values(rules: Rules) -> np.ndarray:
    """[contract, card]: what a card counts."""
    deck = rules.deck
    side, trump = (dict(zip(order, values, strict=True)) for order, values in (
        (deck.plain_order, deck.plain_values), (deck.trump_order, deck.trump_values),
    ))
    table = np.zeros((6, 4 * deck.field), int)
    for contract in range(6):
        for card in deck.cards:
            is_trump = contract in (card // deck.field, 5)
            table[contract, card] = (trump if is_trump else side)[deck.ranks[card % deck.field]]
    return table


def test_tricks_and_points(played: Played) -> None:
    """Tricks and card points follow from the plays; the whole deck's points, and those for last trick or all tricks."""
    columns, decided, rules = played.columns, played.decided, played.rules
    winners, contract = played.replay.winners[decided], columns["contract"][decided]
    cards = card_values(rules)[contract[:, None], columns["plays"][decided]].reshape(len(contract), -1, 4).sum(axis=2)
    assert (cards.sum(axis=1) == np.array(CARD_POINTS[played.game])[contract]).all()
    factor = np.where(contract == 4, 2, 1)
    last, all_tricks = {"replace": (0, 90), "add": (10, 90), "wins_match": (10, 0)}[rules.score.capo_mode]
    for team in range(2):
        ours = winners % 2 == team
        swept = ours.all(axis=1) | (~ours).all(axis=1)
        bonus = np.where(swept, last * factor + all_tricks, 10 * factor)
        points = factor * (cards * ours).sum(axis=1) + np.where(ours[:, -1], bonus, 0)
        assert (columns[f"tricks_{team}"][decided] == ours.sum(axis=1)).all()
        assert (columns[f"points_{team}"][decided] == points).all()


def test_scores_hold_all_points_and_melds(played: Played) -> None:
    """Nothing is lost: points or, in Bulgarian Belot, tens as often as the deal counts, or they hang."""
    columns = {name: values.astype(np.int64) for name, values in played.columns.items()}
    swept = (columns["tricks_0"] == 0) | (columns["tricks_1"] == 0)
    no_trumps, all_trumps = columns["contract"] == 4, columns["contract"] == 5
    plain = np.where(no_trumps, 260, np.where(all_trumps, 258, 130 if played.game == "madrasso" else 162))
    capo = {"replace": 80, "add": 90, "wins_match": 0}[played.rules.score.capo_mode]
    points = np.where(played.decided, plain + capo * swept, 0)
    whole = points + columns["meld_0"] + columns["meld_1"]
    written = columns["score_0"] + columns["score_1"]
    assert (columns["points_0"] + columns["points_1"] == points).all()
    if played.game != "bulgarian":
        assert (written == whole).all()
    else:
        whole = (whole + 5) // 10 * columns["multiplier"]
        hung = columns["outcome"] == 2
        assert (written[~hung] == whole[~hung]).all()
        assert (written[hung] < whole[hung]).all()
        assert hung.any()
    assert swept[played.decided].any()
    if played.game == "madrasso":
        assert (columns["outcome"] == 4).all()
        return
    makers = np.where(columns["taker"] % 2 == 0, columns["score_0"], columns["score_1"])
    assert ((makers > 0) == (columns["outcome"] == 0))[played.decided].all()


def test_no_trumps_and_all_trumps_hold_what_the_rules_say() -> None:
    """152, 248 and 120 card points, 10 for the last trick, no trumps twice, 90 for all tricks: no other totals."""
    rules = load_rules("bulgarian")
    columns = play_batch(rules, load_policies("random", "chance:0.5", rules), 12, 0, DEALS)
    totals = (columns["points_0"] + columns["points_1"])[columns["round"] > 0]
    assert set(totals.tolist()) == {162, 252, 258, 348, 260, 350}


@pytest.mark.parametrize(
    "settings",
    [(), ("round_tie=caller_low",), ("round_tie=up", "hang_doubled=half"),
     ("round_then_multiply=false", "tie_rule=made"), ("round_then_multiply=false", "hang_doubled=half")],
    ids=str,
)  # fmt: skip
def test_level_deals_are_shared_as_the_rules_say(settings: tuple[str, ...]) -> None:
    """Of deals by chance one in two hundred is level, one in ten of these at the limit digit: it takes many."""
    rules = load_rules("bulgarian", settings)
    columns = play_batch(rules, load_policies("random", "chance:0.5", rules), 12, 0, DEALS)
    totals = [columns[f"points_{team}"] + columns[f"meld_{team}"] for team in range(2)]
    limit = np.array([6, 6, 6, 6, 5, 4, 0])[columns["contract"]]
    level = (columns["round"] > 0) & (totals[0] == totals[1])
    assert (level & (totals[0] % 10 == limit)).sum() > 10
    assert [(name, int(mask.argmax())) for name, mask in faults(columns, rules)] == []


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_stored_checks_find_nothing(switch: Switch) -> None:
    """The checks of `mpsim verify` pass on 2,000 deals of every switch, with the plays and without."""
    rules = load_rules(switch.base, switch.settings)
    for pair in switch.pairs[:2]:
        columns = play_batch(rules, load_policies(*pair, rules), 13, 0, 2_000, record_plays=True)
        assert [(name, int(mask.argmax())) for name, mask in faults(columns, rules)] == []
        del columns["plays"]
        assert [(name, int(mask.argmax())) for name, mask in faults(columns, rules)] == []
