"""What must hold in every deal (docs/columns.md), on 100,000 deals a table, worked out again from recorded plays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from kernels.compare import Columns
from kernels.harness import places
from kernels.switches import MIXED, PAIRS, SWITCHES, Switch
from kernels.table import Replay
from mpsim.engine.batch import play_batch
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.rules.model import Rules
from mpsim.store.invariants import faults, popcount

DEALS = 100_000
TABLES = [
    ((), PAIRS[0]),
    ((), (MIXED, "chance:0.3")),
    (("partner_relief=full", "capo_mode=add"), ("random", "chance:0.3")),
]


class Played(NamedTuple):
    rules: Rules
    columns: Columns
    replay: Replay
    decided: np.ndarray


@pytest.fixture(scope="module", params=TABLES, ids=str)
def played(request) -> Played:
    settings, pair = request.param
    rules = load_rules("mpourloto", settings)
    columns = play_batch(rules, load_policies(*pair), 12, 0, DEALS, record_plays=True)
    return Played(rules, columns, Replay(rules, columns), columns["round"] != 0)


def test_hands(played: Played) -> None:
    """32 different cards, eight a seat; five a seat and the turned card before."""
    hands = [played.columns[f"hand_{seat}"].astype(np.uint64) for seat in range(4)]
    assert (sum(hands) == 2**32 - 1).all()
    assert all((popcount(hand) == 8).all() for hand in hands)
    first = [played.columns[f"first_{seat}"].astype(np.uint64) for seat in range(4)]
    assert all((popcount(hand) == 5).all() for hand in first)
    turned = np.uint64(1) << played.columns["upcard"].astype(np.uint64)
    assert (popcount(first[0] | first[1] | first[2] | first[3] | turned) == 21).all()


def test_plays(played: Played) -> None:
    """Every card is held and legal when it is played; no legal set is empty."""
    decided, replay = played.decided, played.replay
    plays = played.columns["plays"]
    assert (plays[~decided] == 255).all()
    assert (np.sort(plays[decided], axis=1) == np.arange(32)).all()
    assert replay.held[decided].all()
    assert (replay.legal[decided] != 0).all()
    assert (replay.legal[decided] >> plays[decided].astype(np.uint32) & 1 != 0).all()


def test_tricks_and_points(played: Played) -> None:
    """Tricks and card points follow from the plays; they come to 152, 10 for the last trick or the capo bonus more."""
    columns, decided, rules = played.columns, played.decided, played.rules
    winners = played.replay.winners[decided]
    trump = columns["contract"][decided]
    values = np.array([*rules.deck.plain_values[::-1] * 3, *rules.deck.trump_values[::-1]])[places(rules)]
    cards = values[trump[:, None], columns["plays"][decided]].reshape(-1, 8, 4).sum(axis=2)
    assert (cards.sum(axis=1) == 152).all()
    capo = 90 + (10 if rules.score.capo_mode == "add" else 0)
    for team in range(2):
        ours = winners % 2 == team
        swept = ours.all(axis=1) | (~ours).all(axis=1)
        points = (cards * ours).sum(axis=1) + np.where(ours[:, 7], np.where(swept, capo, 10), 0)
        assert (columns[f"tricks_{team}"][decided] == ours.sum(axis=1)).all()
        assert (columns[f"points_{team}"][decided] == points).all()


def test_scores_hold_all_points_and_melds(played: Played) -> None:
    """162 and all melds, made or not; with all tricks to one team 242 (252 when the bonus is added)."""
    columns = {name: values.astype(np.int64) for name, values in played.columns.items()}
    swept = (columns["tricks_0"] == 0) | (columns["tricks_1"] == 0)
    whole = 252 if played.rules.score.capo_mode == "add" else 242
    points = np.where(played.decided, np.where(swept, whole, 162), 0)
    assert (columns["points_0"] + columns["points_1"] == points).all()
    assert (columns["score_0"] + columns["score_1"] == points + columns["meld_0"] + columns["meld_1"]).all()
    assert swept[played.decided].any()
    makers = np.where(columns["taker"] % 2 == 0, columns["score_0"], columns["score_1"])
    assert ((makers > 0) == (columns["outcome"] == 0))[played.decided].all()


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_stored_checks_find_nothing(switch: Switch) -> None:
    """The checks of `mpsim verify` pass on 2,000 deals of every switch."""
    rules = load_rules("mpourloto", switch.settings)
    for pair in switch.pairs[:2]:
        columns = play_batch(rules, load_policies(*pair), 13, 0, 2_000, record_plays=True)
        assert [(name, int(mask.argmax())) for name, mask in faults(columns, rules)] == []
