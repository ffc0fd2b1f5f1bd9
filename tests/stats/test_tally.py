"""Counts of a handful of rows made by hand, and how they add."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mpsim.stats.estimates import Moments
from mpsim.stats.summary import summarise
from mpsim.stats.tally import IdentityError, Tally, tally_deals, tally_from_dict

# round, taker, exchanger, melds, tricks, points, scores, outcome (0 made, 1 failed, 2 hung, 3 thrown in)
ROWS = [
    (1, 0, 3, (20, 0), (5, 3), (100, 62), (120, 62), 0),
    (1, 3, 1, (0, 50), (8, 0), (242, 0), (292, 0), 1),
    (2, 2, -1, (0, 0), (8, 0), (242, 0), (242, 0), 0),
    (0, -1, -1, (0, 0), (0, 0), (0, 0), (0, 0), 3),
]


def rows(chosen: list[Any]) -> dict[str, np.ndarray]:
    arrays = {
        "round": np.array([r[0] for r in chosen], np.int8),
        "taker": np.array([r[1] for r in chosen], np.int8),
        "exchanger": np.array([r[2] for r in chosen], np.int8),
        "outcome": np.array([r[7] for r in chosen], np.int8),
    }
    for position, (name, kind) in enumerate((("meld", "i2"), ("tricks", "i1"), ("points", "i2"), ("score", "i2")), 3):
        for team in range(2):
            arrays[f"{name}_{team}"] = np.array([r[position][team] for r in chosen], kind)
    return arrays


def test_counts_by_hand() -> None:
    tally = tally_deals("game", rows(ROWS))
    counts = {name: count for name, count in tally.counts.items() if count}
    assert counts == {
        "deals": 4, "played": 3, "accepted_1_0": 1, "accepted_1_3": 1, "accepted_2_2": 1,
        "made": 2, "failed": 1, "thrown_in": 1, "exchanged_3": 1, "exchanged_1": 1,
        "capo_makers": 1, "capo_defenders": 1,
    }  # fmt: skip


def test_moments_by_hand() -> None:
    tally = tally_deals("game", rows(ROWS))
    assert tally.moments["meld_makers"] == Moments(3, 70, 20**2 + 50**2)
    assert tally.moments["meld_defenders"] == Moments(3, 0, 0)
    assert tally.moments["meld_deal"] == Moments(3, 70, 20**2 + 50**2)
    assert tally.moments["points_makers"] == Moments(3, 342, 100**2 + 242**2)
    assert tally.moments["points_difference"] == Moments(3, 38 - 242 + 242, 38**2 + 2 * 242**2)
    assert tally.moments["score_defenders"] == Moments(3, 62 + 292, 62**2 + 292**2)
    assert tally.moments["score_difference"] == Moments(3, 58 - 292 + 242, 58**2 + 292**2 + 242**2)


def test_counts_of_deals_fit_them() -> None:
    tally = tally_deals("game", rows(ROWS))
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
    ],
)
def test_counts_that_no_deals_have(change: dict[str, int]) -> None:
    tally = tally_deals("game", rows(ROWS))
    assert not Tally("game", tally.counts | change, tally.moments).fits(4)


@pytest.mark.parametrize("change", [Moments(2, 62, 62**2), Moments(3, 62, 1000), Moments()])
def test_moments_that_no_deals_have(change: Moments) -> None:
    tally = tally_deals("game", rows(ROWS))
    assert not Tally("game", tally.counts, tally.moments | {"score_defenders": change}).fits(4)


@pytest.mark.parametrize("cut", range(5))
def test_parts_add_up_to_the_whole(cut: int) -> None:
    parts = Tally("game") + tally_deals("game", rows(ROWS[:cut])) + tally_deals("game", rows(ROWS[cut:]))
    assert parts == tally_deals("game", rows(ROWS))


def test_a_tally_survives_json() -> None:
    tally = tally_deals("game", rows(ROWS))
    assert tally_from_dict("game", json.loads(json.dumps(tally.as_dict()))) == tally


def test_different_games_do_not_add() -> None:
    with pytest.raises(IdentityError, match=r"different rules, policies or seeds"):
        Tally("a" * 64) + Tally("b" * 64)


def test_summary_names_its_denominators() -> None:
    summary = summarise(tally_deals("game", rows(ROWS)))
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


def test_summary_of_nothing_has_no_numbers() -> None:
    summary = summarise(Tally("game"))
    assert summary["deals"] == 0
    assert summary["score"]["makers"]["mean"] is None
    assert summary["thrown_in"]["low"] is None
