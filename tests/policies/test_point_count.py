"""Point counts: the file, the record, what is refused."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mpsim.policies.bid as bid
from mpsim.errors import PolicyError
from mpsim.policies import PointCount, read_count, shipped_count

FILE = """
name = "own"
counts_upcard = false
[trump]
cards = [0, 1, 2, 3, 4, 5, 6, 7]
length = [0, 0, 0, 5, 10, 15, 20, 25, 30]
[side]
cards = [0, 0, 0, 1, -1, 0, 2, 4]
length = [3, 1, 0, 0, 0, 0, 0, 0, 0]
[accept]
round1 = [20, 21, 22, 23]
round2 = [24, 25, 26, 27]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "count.toml"
    path.write_text(FILE, "utf-8")
    return path


def test_read(file: Path) -> None:
    count = read_count(file)
    assert count == PointCount(
        trump_cards=(0, 1, 2, 3, 4, 5, 6, 7),
        trump_length=(0, 0, 0, 5, 10, 15, 20, 25, 30),
        side_cards=(0, 0, 0, 1, -1, 0, 2, 4),
        side_length=(3, 1, 0, 0, 0, 0, 0, 0, 0),
        round1=(20, 21, 22, 23),
        round2=(24, 25, 26, 27),
        counts_upcard=False,
        name="own",
    )
    assert (count.trump.cards, count.trump.length) == (count.trump_cards, count.trump_length)
    assert (count.side.cards, count.side.length) == (count.side_cards, count.side_length)
    assert (count.accept.round1, count.accept.round2) == (count.round1, count.round2)
    assert (count.kind, count.label) == ("points", "points:own")


def test_a_nameless_file_is_called_after_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(FILE.replace('name = "own"', ""), "utf-8")
    assert read_count(path).name == "mine"


def test_a_byte_order_mark_is_no_part_of_the_count(tmp_path: Path) -> None:
    path = tmp_path / "count.toml"
    path.write_text(FILE.strip(), "utf-8-sig")
    assert read_count(path).name == "own"


def test_shipped_count_says_everything_itself() -> None:
    data = tomllib.loads((Path(bid.__file__).parent / "presets" / "points.toml").read_text("utf-8"))
    count = shipped_count()
    assert set(data) == {"name", "counts_upcard", "trump", "side", "accept"}
    assert list(count.trump_cards) == data["trump"]["cards"]
    assert list(count.round2) == data["accept"]["round2"]
    assert count.label == "points"


def test_shipped_count_likes_what_players_like() -> None:
    """Trump jack before nine before any other trump; side aces before any other side card; length is never a loss."""
    count = shipped_count()
    seven, eight, nine, ten, jack, queen, king, ace = count.trump_cards
    assert jack > nine > max(seven, eight, ten, queen, king, ace)
    assert max(count.side_cards) == count.side_cards[7] > count.side_cards[0]
    assert list(count.trump_length) == sorted(count.trump_length)


def test_dictionary_and_back(file: Path) -> None:
    count = read_count(file)
    assert bid.bid_from_dict(count.as_dict()) == count
    assert count.as_dict()["trump_cards"] == [0, 1, 2, 3, 4, 5, 6, 7]


def _short(value: Any) -> str:
    return str(value)[:30]


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("counts_upcard = false", "counts_upcard = 0", ["counts_upcard = 0", "true or false"]),
        ("counts_upcard = false", "", ["lacks counts_upcard"]),
        ("counts_upcard = false", "count_upcard = false", ["'count_upcard'", "did you mean counts_upcard?"]),
        ("[20, 21, 22, 23]", "[20, 21, 22]", ["accept.round1 = [20, 21, 22]", "holds 3 where 4"]),
        ("[20, 21, 22, 23]", "20", ["accept.round1 = 20", "not a list"]),
        ("[20, 21, 22, 23]", "[20, 21, 22, 100001]", ["100001", "out of range", "100000"]),
        ("[0, 1, 2, 3, 4, 5, 6, 7]", "[0, 1, 2, 3, 4, 5, 6]", ["trump.cards", "holds 7 where 8"]),
        ("[0, 1, 2, 3, 4, 5, 6, 7]", "[0, 1, 2, 3, 4, 5, 6, 7.5]", ["trump.cards", "7.5", "whole number"]),
        ("[0, 1, 2, 3, 4, 5, 6, 7]", "[0, 1, 2, 3, 4, 5, 6, true]", ["trump.cards", "true", "whole number"]),
        ("[0, 1, 2, 3, 4, 5, 6, 7]", "[0, 1, 2, 3, 4, 5, 6, -1001]", ["trump.cards", "-1001", "-1000 to 1000"]),
        ("[trump]", '"trump.cards" = 1\n[trump]', ["trump.cards is given twice"]),
        ("[trump]", "[trumps]", ["'trumps.cards'", "did you mean trump.cards?"]),
        ('name = "own"', 'name = ""', ['name = ""', "one line of text"]),
        ("[accept]", "[accept", ["is not TOML"]),
        ("[20, 21, 22, 23]", "9" * 5000, ["is not TOML (a number has too many digits)"]),
        ("[20, 21, 22, 23]", f"[0x{'f' * 9000}, 0, 0, 0]", ["holds 0xfff", "f..., which is out of range"]),
        ("[20, 21, 22, 23]", "[" * 5000 + "]" * 5000, ["is not TOML (brackets stand too deep in one another)"]),
    ],
    ids=_short,
)
def test_refused(tmp_path: Path, old: str, new: str, parts: list[str]) -> None:
    path = tmp_path / "count.toml"
    path.write_text(FILE.replace(old, new), "utf-8")
    with pytest.raises(PolicyError) as caught:
        read_count(path)
    message = str(caught.value)
    assert all(part in message for part in [*parts, str(path)]), message
    assert "\n" not in message


def test_unreadable(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(PolicyError, match="not UTF-8"):
        read_count(tmp_path / "latin.toml")
    with pytest.raises(PolicyError, match="cannot be read"):
        read_count(tmp_path)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"round1": [1, 2, 3, 4]}, r"accept\.round1 = \[1, 2, 3, 4\] can change"),
        ({"side_cards": (1,) * 9}, "holds 9 where 8"),
        ({"name": None}, "name"),
    ],
)
def test_records_built_by_hand(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PolicyError, match=sentence):
        replace(shipped_count(), **changes)
