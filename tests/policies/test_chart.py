"""Charts: as files, as policies, and what referee and kernels read in them."""

from __future__ import annotations

from math import comb
from pathlib import Path

import numpy as np
import pytest

from kernels.compare import referee_columns
from mpsim.engine.batch import play_batch
from mpsim.errors import PolicyError
from mpsim.policies import load_policies, policies_from_dict
from mpsim.policies.chart import CLASSES, Chart, read_chart, write_chart
from mpsim.referee.chart_bidder import class_numbers
from mpsim.rules import load_rules


def random_chart(seed: int, share: float = 0.2) -> Chart:
    """Takes at random."""
    random = np.random.default_rng(seed)
    takes = random.random((8, CLASSES)) < share
    actions = np.where(takes, 1, 0)
    actions[4:] *= random.integers(1, 5, (4, CLASSES))
    return Chart(actions.astype(np.uint8), f"random{seed}")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("charts") / "mine.npz"
    write_chart(random_chart(1), path)
    return path


def test_classes_are_counted_out_in_full() -> None:
    """Each class stands for so many hands that together they are all hands of five beside each turned card."""
    numbers = class_numbers()
    assert len(numbers) == CLASSES
    hands = 0
    for _, _, sides in numbers:
        a, b, c = sides
        alike = 6 if a < b < c else 1 if a == b == c else 3
        hands += alike
    assert hands == 8 * comb(31, 5)


def test_a_file_holds_a_chart(file: Path) -> None:
    chart = read_chart(file)
    assert chart == random_chart(1)
    assert np.array_equal(chart.actions, random_chart(1).actions)
    assert chart.label == "chart:mine"
    assert file.stat().st_size < 2_000_000


@pytest.mark.parametrize(("settings", "bids"), [
    ((), (1, 1, 1, 1)), ((), (1, 2, 3, 4)), (("round2_any_suit=false",), (2, 2, 2, 2)),
    (("upcard_to=taker", "aponta=true"), (3, 1, 3, 1)),
])  # fmt: skip
def test_referee_and_kernels_read_the_same(settings: tuple[str, ...], bids: tuple[int, ...]) -> None:
    rules, policies = load_rules("mpourloto", settings), load_policies("greedy", "points")
    charts = tuple(random_chart(number, 0.05 * number) for number in bids)
    policies = type(policies)(policies.play, charts)  # type: ignore[arg-type]
    fast = play_batch(rules, policies, 3, 0, 700)
    slow = referee_columns(rules, policies, 3, 0, 700)
    for name in fast:
        assert np.array_equal(fast[name].astype(slow[name].dtype), slow[name]), name


def test_a_chart_beside_other_bidders(file: Path) -> None:
    rules, policies = load_rules(), load_policies("random", f"chart:{file},points,chance:0.3,never")
    fast, slow = play_batch(rules, policies, 4, 0, 500), referee_columns(rules, policies, 4, 0, 500)
    for name in fast:
        assert np.array_equal(fast[name].astype(slow[name].dtype), slow[name]), name


def test_policies_with_a_chart_come_back(file: Path, tmp_path: Path) -> None:
    policies = load_policies("greedy", f"chart:{file}")
    assert policies_from_dict(policies.as_dict()) == policies
    elsewhere = tmp_path / "other.npz"
    write_chart(random_chart(1), elsewhere)
    assert load_policies("greedy", f"chart:{elsewhere}").digest == policies.digest
    write_chart(random_chart(2), elsewhere)
    assert load_policies("greedy", f"chart:{elsewhere}").digest != policies.digest
    stale = {**policies.bid[0].as_dict(), "file": str(elsewhere)}
    with pytest.raises(PolicyError, match="is not the chart it was"):
        policies_from_dict({"play": ["greedy"] * 4, "bid": [stale] * 4})


@pytest.mark.parametrize(("text", "said"), [
    ("chart:", "chart: names no file"), ("chart:/nowhere.npz", "cannot be read"),
])  # fmt: skip
def test_what_is_no_chart(text: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        load_policies("greedy", text)


def test_files_that_are_no_charts(tmp_path: Path) -> None:
    for name, write in (
        ("text.npz", lambda path: path.write_text("J 9 A", "utf-8")),
        ("empty.npz", lambda path: path.write_bytes(b"")),
        ("other.npz", lambda path: np.savez(path, round1=np.zeros(3))),
    ):
        write(tmp_path / name)
        with pytest.raises(PolicyError, match="is no chart"):
            read_chart(tmp_path / name)


def test_the_chart_that_comes_with_mpsim() -> None:
    """By name, back from a record, and nothing but that chart."""
    policies = load_policies("greedy", "chart")
    (chart, *_) = policies.bid
    assert isinstance(chart, Chart)
    assert (chart.label, chart.file, chart.provenance["rules"]["name"]) == ("chart", "", "mpourloto")
    assert policies_from_dict(policies.as_dict()) == policies
    stale = chart.as_dict() | {"sha256": "0" * 64}
    with pytest.raises(PolicyError, match="comes with another chart"):
        policies_from_dict({"play": ["greedy"] * 4, "bid": [stale] * 4})


def test_the_shipped_chart_bids_better_than_the_shipped_count() -> None:
    """Each deal twice, the chart once with either team: 200,000 deals leave no doubt."""
    rules = load_rules()
    margins = []
    for bids in ("chart,points,chart,points", "points,chart,points,chart"):
        columns = play_batch(rules, load_policies("greedy", bids), 11, 0, 200_000)
        margins.append(columns["score_0"].astype(int) - columns["score_1"])
    gains = (margins[0] - margins[1]) / 2
    assert gains.mean() > 4 * gains.std() / len(gains) ** 0.5


def test_actions_that_are_none() -> None:
    actions = np.zeros((8, CLASSES), np.uint8)
    actions[2, 7] = 2
    with pytest.raises(PolicyError, match="actions that are none"):
        Chart(actions, "wrong")


def test_games_with_other_auctions_refuse_a_chart(file: Path) -> None:
    for game in ("bulgarian", "belote"):
        with pytest.raises(PolicyError, match="ladder auction"):
            load_policies("greedy", f"chart:{file}").bidders(load_rules(game))
