"""Counts of a handful of rows made by hand, and how they add."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mpsim.rules import load_rules
from mpsim.stats.estimates import Moments
from mpsim.stats.summary import summarise
from mpsim.stats.tally import IdentityError, Tally, tally_deals, tally_from_dict

MPOURLOTO, BULGARIAN, MADRASSO = (load_rules(name) for name in ("mpourloto", "bulgarian", "madrasso"))

# round, taker, exchanger, melds, tricks, points, scores, outcome (0 made, 1 failed, 2 hung, 3 thrown in, 4 scored),
# contract (0-3 suits, 4 no trumps, 5 all trumps, 6 none), multiplier
ROWS = [
    (1, 0, 3, (20, 0), (5, 3), (100, 62), (120, 62), 0, 2, 1),
    (1, 3, 1, (0, 50), (8, 0), (242, 0), (292, 0), 1, 3, 1),
    (2, 2, -1, (0, 0), (8, 0), (242, 0), (242, 0), 0, 2, 1),
    (0, -1, -1, (0, 0), (0, 0), (0, 0), (0, 0), 3, 6, 1),
]
LADDER = [
    (1, 3, -1, (0, 0), (4, 4), (106, 154), (0, 52), 0, 4, 2),
    (5, 0, -1, (20, 0), (5, 3), (90, 168), (0, 112), 1, 5, 4),
    (2, 2, -1, (0, 0), (4, 4), (81, 81), (0, 8), 2, 0, 1),
    (0, -1, -1, (0, 0), (0, 0), (0, 0), (0, 0), 3, 6, 1),
]
TEAMS = [
    (1, -1, 3, (0, 0), (6, 4), (100, 30), (100, 30), 4, 1, 1),
    (1, -1, -1, (0, 0), (0, 10), (0, 130), (0, 130), 4, 3, 1),
]


def rows(chosen: list[Any]) -> dict[str, np.ndarray]:
    arrays = {
        "round": np.array([r[0] for r in chosen], np.int8),
        "taker": np.array([r[1] for r in chosen], np.int8),
        "exchanger": np.array([r[2] for r in chosen], np.int8),
        "outcome": np.array([r[7] for r in chosen], np.int8),
        "contract": np.array([r[8] for r in chosen], np.int8),
        "multiplier": np.array([r[9] for r in chosen], np.int8),
    }
    for position, (name, kind) in enumerate((("meld", "i2"), ("tricks", "i1"), ("points", "i2"), ("score", "i2")), 3):
        for team in range(2):
            arrays[f"{name}_{team}"] = np.array([r[position][team] for r in chosen], kind)
    return arrays


def test_counts_by_hand() -> None:
    tally = tally_deals("game", rows(ROWS), MPOURLOTO)
    counts = {name: count for name, count in tally.counts.items() if count}
    assert counts == {
        "deals": 4, "played": 3, "accepted_1_0": 1, "accepted_1_3": 1, "accepted_2_2": 1,
        "made": 2, "failed": 1, "thrown_in": 1, "exchanged_3": 1, "exchanged_1": 1,
        "capo_makers": 1, "capo_defenders": 1,
        "contract_h": 2, "contract_s": 1, "made_h": 2,
    }  # fmt: skip


def test_counts_of_a_ladder_by_hand() -> None:
    tally = tally_deals("game", rows(LADDER), BULGARIAN)
    counts = {name: count for name, count in tally.counts.items() if count}
    assert counts == {
        "deals": 4, "played": 3, "thrown_in": 1, "accepted_0": 1, "accepted_2": 1, "accepted_3": 1,
        "made": 1, "failed": 1, "hung": 1, "contract_c": 1, "contract_NT": 1, "contract_AT": 1, "made_NT": 1,
        "doubled": 1, "redoubled": 1,
    }  # fmt: skip
    assert tally.fits(4)
    # The makers' team is 1, 0, 0.
    assert tally.moments["score_makers"] == Moments(3, 52, 52**2)
    assert tally.moments["points_difference"] == Moments(3, 48 - 78 + 0, 48**2 + 78**2)


def test_counts_by_team_where_nobody_takes() -> None:
    tally = tally_deals("game", rows(TEAMS), MADRASSO)
    counts = {name: count for name, count in tally.counts.items() if count}
    assert counts == {
        "deals": 2, "played": 2, "scored": 2, "contract_c": 1, "contract_b": 1, "exchanged_3": 1, "capo_team_1": 1,
    }  # fmt: skip
    assert not [name for name in (*tally.counts, *tally.moments) if "makers" in name or "accepted" in name]
    assert tally.moments["score_team_0"] == Moments(2, 100, 100**2)
    assert tally.moments["score_difference"] == Moments(2, 70 - 130, 70**2 + 130**2)
    assert tally.fits(2)
    assert not Tally("game", tally.counts | {"scored": 1}, tally.moments).fits(2)


def test_moments_by_hand() -> None:
    tally = tally_deals("game", rows(ROWS), MPOURLOTO)
    assert tally.moments["meld_makers"] == Moments(3, 70, 20**2 + 50**2)
    assert tally.moments["meld_defenders"] == Moments(3, 0, 0)
    assert tally.moments["meld_deal"] == Moments(3, 70, 20**2 + 50**2)
    assert tally.moments["points_makers"] == Moments(3, 342, 100**2 + 242**2)
    assert tally.moments["points_difference"] == Moments(3, 38 - 242 + 242, 38**2 + 2 * 242**2)
    assert tally.moments["score_defenders"] == Moments(3, 62 + 292, 62**2 + 292**2)
    assert tally.moments["score_difference"] == Moments(3, 58 - 292 + 242, 58**2 + 292**2 + 242**2)


def test_counts_of_deals_fit_them() -> None:
    tally = tally_deals("game", rows(ROWS), MPOURLOTO)
    assert tally.fits(4)
    assert not tally.fits(3)
    assert (tally + tally).fits(8)


@pytest.mark.parametrize(
    "change",
    [
        {"deals": 5},
        {"played": 2},
        {"made": 3},
        {"accepted_1_0": 2},
        {"accepted_1_0": 2, "accepted_2_2": 0, "accepted_2_1": -1, "accepted_1_1": 1},
        {"exchanged_0": 2},
        {"capo_makers": 3},
        {"contract_c": 1},
        {"made_h": 1},
        {"scored": 1},
        {"doubled": 4},
    ],
)
def test_counts_that_no_deals_have(change: dict[str, int]) -> None:
    tally = tally_deals("game", rows(ROWS), MPOURLOTO)
    assert not Tally("game", tally.counts | change, tally.moments).fits(4)


@pytest.mark.parametrize("change", [Moments(2, 62, 62**2), Moments(3, 62, 1000), Moments()])
def test_moments_that_no_deals_have(change: Moments) -> None:
    tally = tally_deals("game", rows(ROWS), MPOURLOTO)
    assert not Tally("game", tally.counts, tally.moments | {"score_defenders": change}).fits(4)


@pytest.mark.parametrize("cut", range(5))
def test_parts_add_up_to_the_whole(cut: int) -> None:
    for game, chosen in ((MPOURLOTO, ROWS), (BULGARIAN, LADDER), (MADRASSO, TEAMS)):
        first, second = (tally_deals("game", rows(part), game) for part in (chosen[:cut], chosen[cut:]))
        assert Tally("game") + first + second == tally_deals("game", rows(chosen), game)


def test_a_tally_survives_json() -> None:
    tally = tally_deals("game", rows(ROWS), MPOURLOTO)
    assert tally_from_dict("game", json.loads(json.dumps(tally.as_dict()))) == tally


def test_different_games_do_not_add() -> None:
    with pytest.raises(IdentityError, match=r"different rules, policies or seeds"):
        Tally("a" * 64) + Tally("b" * 64)


def test_summary_names_its_denominators() -> None:
    summary = summarise(tally_deals("game", rows(ROWS), MPOURLOTO), MPOURLOTO)
    assert summary["thrown_in"]["rate"] == 0.25
    assert summary["thrown_in"]["of"] == "all deals"
    assert summary["accepted"]["round_1"]["any"]["count"] == 2
    assert summary["accepted"]["round_2"]["seat_2"]["n"] == 4
    assert summary["outcome"]["made"]["rate"] == pytest.approx(2 / 3)
    assert summary["outcome"]["made"]["of"] == "played deals"
    assert summary["exchange"]["any"]["count"] == 2
    assert summary["exchange"]["non_dealers"]["count"] == 1
    assert summary["capo"]["defenders"]["n"] == 3
    assert summary["melds"]["deal"]["mean"] == pytest.approx(70 / 3)
    assert summary["score"]["difference"]["mean"] == pytest.approx(8 / 3)


def test_summary_of_a_ladder() -> None:
    summary = summarise(tally_deals("game", rows(LADDER), BULGARIAN), BULGARIAN)
    assert summary["score_unit"] == "game points"
    assert list(summary["contract"]) == ["c", "d", "h", "s", "NT", "AT"]
    assert summary["contract"]["NT"]["rate"] == pytest.approx(1 / 3)
    assert summary["made"]["NT"] | {"low": 0, "high": 0} == {
        "count": 1, "n": 1, "of": "deals in NT", "rate": 1.0, "low": 0, "high": 0,
    }  # fmt: skip
    assert summary["made"]["d"]["rate"] is None
    assert [entry["count"] for entry in summary["multiplier"].values()] == [1, 1]
    assert summary["accepted"]["any"]["count"] == 3
    assert summary["accepted"]["any"]["n"] == 4
    assert "exchange" not in summary


def test_summary_of_a_game_without_makers() -> None:
    summary = summarise(tally_deals("game", rows(TEAMS), MADRASSO), MADRASSO)
    assert summary["outcome"]["scored"]["rate"] == 1
    assert set(summary) == {
        "deals", "played", "score_unit", "thrown_in", "contract", "outcome", "capo", "exchange", "points", "score",
    }  # fmt: skip
    assert list(summary["score"]) == ["team_0", "team_1", "difference"]
    assert summary["score"]["difference"]["mean"] == -30
    assert summary["score_unit"] == "points"


def test_summary_of_nothing_has_no_numbers() -> None:
    summary = summarise(Tally("game"), MPOURLOTO)
    assert summary["deals"] == 0
    assert summary["score"]["makers"]["mean"] is None
    assert summary["thrown_in"]["low"] is None
