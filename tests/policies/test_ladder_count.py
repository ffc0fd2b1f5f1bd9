"""The point count of a ladder auction: the file, the record, what is refused, who may bid with it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mpsim.policies.bid as bid
from mpsim.errors import PolicyError
from mpsim.policies import (
    Always,
    Chance,
    LadderCount,
    Never,
    PointCount,
    Policies,
    load_policies,
    policies_from_dict,
    read_ladder,
    shipped_count,
    shipped_ladder,
)
from mpsim.referee import (
    LadderAlwaysBidder,
    LadderChanceBidder,
    LadderNeverBidder,
    LadderPointBidder,
    LadderView,
    NeverBidder,
)
from mpsim.rules import load_rules, presets

FILE = """
name = "own"
[trump]
cards = [0, 1, 2, 3, 4, 5, 6, 7]
length = [0, 0, 0, 5, 10, 15, 20, 25, 30]
[side]
cards = [0, 0, 0, 1, -1, 0, 2, 4]
length = [3, 1, 0, 0, 0, 0, 0, 0, 0]
[no_trumps]
cards = [0, 0, 0, 10, 1, 2, 3, 20]
length = [-1, 0, 0, 0, 0, 0, 0, 0, 0]
[all_trumps]
cards = [0, 0, 14, 4, 20, 1, 2, 5]
length = [-2, 0, 0, 0, 0, 0, 0, 0, 0]
[call]
opening = [20, 21, 22, 23, 24, 25]
over_partner = [30, 31, 32, 33, 34, 35]
over_opponents = [40, 41, 42, 43, 44, 45]
double = [50, 51, 52, 53, 54, 55]
redouble = [60, 61, 62, 63, 64, 65]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "count.toml"
    path.write_text(FILE, "utf-8")
    return path


def test_read(file: Path) -> None:
    count = read_ladder(file)
    assert count == LadderCount(
        trump_cards=(0, 1, 2, 3, 4, 5, 6, 7),
        trump_length=(0, 0, 0, 5, 10, 15, 20, 25, 30),
        side_cards=(0, 0, 0, 1, -1, 0, 2, 4),
        side_length=(3, 1, 0, 0, 0, 0, 0, 0, 0),
        no_trumps_cards=(0, 0, 0, 10, 1, 2, 3, 20),
        no_trumps_length=(-1, 0, 0, 0, 0, 0, 0, 0, 0),
        all_trumps_cards=(0, 0, 14, 4, 20, 1, 2, 5),
        all_trumps_length=(-2, 0, 0, 0, 0, 0, 0, 0, 0),
        opening=(20, 21, 22, 23, 24, 25),
        over_partner=(30, 31, 32, 33, 34, 35),
        over_opponents=(40, 41, 42, 43, 44, 45),
        double=(50, 51, 52, 53, 54, 55),
        redouble=(60, 61, 62, 63, 64, 65),
        name="own",
    )
    assert (count.no_trumps.cards, count.no_trumps.length) == (count.no_trumps_cards, count.no_trumps_length)
    assert (count.all_trumps.cards, count.all_trumps.length) == (count.all_trumps_cards, count.all_trumps_length)
    assert (count.trump.cards, count.side.length) == (count.trump_cards, count.side_length)
    assert (count.kind, count.label) == ("ladder", "points:own")


def test_a_nameless_file_is_called_after_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(FILE.replace('name = "own"', ""), "utf-8")
    assert read_ladder(path).name == "mine"


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("[call]", "[calls]", ["unknown key 'calls.opening'", "did you mean call.opening?"]),
        ("[60, 61, 62, 63, 64, 65]", "[60]",
         ["call.redouble = [60] holds 1 where 6", "four suits, no trumps, all trumps"]),
        ("[60, 61, 62, 63, 64, 65]", "[60, 61, 62, 63, 64, 100001]", ["100001", "-100000 to 100000"]),
        ("[0, 0, 14, 4, 20, 1, 2, 5]", "[0, 0, 14, 4, 20, 1, 2]", ["all_trumps.cards", "holds 7 where 8"]),
        ("[0, 0, 14, 4, 20, 1, 2, 5]", "[0, 0, 14, 4, 20, 1, 2, 1001]", ["all_trumps.cards", "-1000 to 1000"]),
        ("redouble = [60, 61, 62, 63, 64, 65]", "", ["the point count lacks call.redouble"]),
        ('name = "own"', 'name = "own"\ncounts_upcard = true', ["unknown key 'counts_upcard'"]),
        ('name = "own"', 'name = ""', ['name = ""', "one line of text"]),
        ("[side]", "[side", ["is not TOML"]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_refused(tmp_path: Path, old: str, new: str, parts: list[str]) -> None:
    path = tmp_path / "count.toml"
    path.write_text(FILE.replace(old, new), "utf-8")
    with pytest.raises(PolicyError) as caught:
        read_ladder(path)
    assert all(part in str(caught.value) for part in [*parts, str(path)]), str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"opening": [1] * 6}, r"call\.opening = .* can change"),
        ({"double": (1,) * 5}, "holds 5 where 6"),
        ({"name": 3}, "name = 3 cannot name a point count"),
    ],
)
def test_records_built_by_hand(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PolicyError, match=sentence):
        replace(shipped_ladder(), **changes)


def test_shipped_count_says_everything_itself() -> None:
    data = tomllib.loads((Path(bid.__file__).parent / "presets" / "ladder.toml").read_text("utf-8"))
    count = shipped_ladder()
    assert set(data) == {"name", "trump", "side", "no_trumps", "all_trumps", "call"}
    assert list(count.all_trumps_cards) == data["all_trumps"]["cards"]
    assert list(count.redouble) == data["call"]["redouble"]
    assert count.label == "points"


def test_shipped_count_likes_what_players_like() -> None:
    """Jack before nine in trumps and in all trumps, aces in no trumps, no suit dearer than another."""
    count = shipped_ladder()
    for cards in (count.trump_cards, count.all_trumps_cards):
        assert sorted(cards)[-2:] == [cards[2], cards[4]]
    assert max(count.no_trumps_cards) == count.no_trumps_cards[7]
    for calls in (count.opening, count.over_partner, count.over_opponents, count.double, count.redouble):
        assert len(set(calls[:4])) == 1
    assert all(a <= b <= c for a, b, c in zip(count.opening, count.double, count.redouble, strict=True))


# --- By name, and back -----------------------------------------------------------------------------------------------

LADDERS = ["belote", "belote-bg", "bulgarian"]


@pytest.mark.parametrize("name", presets())
def test_points_means_the_count_for_the_auction(name: str) -> None:
    expected = shipped_ladder() if name in LADDERS else shipped_count()
    policies = load_policies(rules=load_rules(name))
    assert policies.bid == (expected,) * 4
    assert policies.describe() == "play greedy, bid points"
    assert load_policies().bid == (shipped_count(),) * 4


def test_a_file_is_what_it_holds(file: Path, tmp_path: Path) -> None:
    """A section [call] makes it a ladder count, whatever the rules."""
    other = tmp_path / "other.toml"
    other.write_text((Path(bid.__file__).parent / "presets" / "points.toml").read_text("utf-8"), "utf-8")
    for rules in (None, load_rules("bulgarian"), load_rules()):
        ladder, points, *_ = load_policies("greedy", f"points:{file},points:{other},never,always", rules).bid
        assert ladder == read_ladder(file)
        assert isinstance(points, PointCount)


def test_dictionary_and_back(file: Path) -> None:
    policies = Policies(("greedy",) * 4, (read_ladder(file), shipped_ladder(), Chance(0.5), shipped_count()))
    data = policies.as_dict()
    assert data["bid"][0]["kind"] == "ladder"
    assert data["bid"][0]["over_partner"] == [30, 31, 32, 33, 34, 35]
    assert policies_from_dict(data) == policies
    assert policies_from_dict(data).digest == policies.digest


def test_digest_sees_numbers_not_names() -> None:
    def digest(count: LadderCount) -> str:
        return Policies(("greedy",) * 4, (count,) * 4).digest

    count = shipped_ladder()
    assert digest(replace(count, name="other")) == digest(count)
    assert digest(replace(count, redouble=(1,) * 6)) != digest(count)
    assert digest(replace(count, over_partner=count.opening)) != digest(count)


@pytest.mark.parametrize("change", [{"kind": "ladders"}, {"extra": 1}, {"double": [1, 2]}])
def test_odd_dictionaries(change: dict[str, Any]) -> None:
    with pytest.raises(PolicyError):
        bid.bid_from_dict(shipped_ladder().as_dict() | change)


# --- The referee's bidders -------------------------------------------------------------------------------------------


def test_bidders_of_a_ladder_auction() -> None:
    rules = load_rules("bulgarian")
    bidders = load_policies("greedy", "always,never,chance:0.3,points", rules).bidders(rules)
    assert [type(bidder) for bidder in bidders[:2]] == [LadderAlwaysBidder, LadderNeverBidder]
    assert bidders[2] == LadderChanceBidder(0.3)
    assert bidders[3] == LadderPointBidder(shipped_ladder())


@pytest.mark.parametrize("name", ["madrasso", "contree"])
def test_where_nobody_is_asked_any_policy_will_do(name: str) -> None:
    rules = load_rules(name)
    mixed = Policies(("greedy",) * 4, (shipped_ladder(), shipped_count(), Always(), Never()))
    assert [type(bidder) for bidder in mixed.bidders(rules)] == [NeverBidder] * 4


def test_a_count_for_another_auction_is_refused(file: Path) -> None:
    accept = "points counts for accepting the turned suit or naming one, and bulgarian has a ladder auction: give"
    with pytest.raises(PolicyError, match=rf"^{accept} a point count with \[call\]$"):
        load_policies().bidders(load_rules("bulgarian"))
    ladder = "points:own counts for a ladder auction, and mpourloto accepts the turned suit or names one: give"
    with pytest.raises(PolicyError, match=rf"^{ladder} a point count with \[accept\]$"):
        load_policies(bid=f"points:{file}").bidders(load_rules())


@pytest.mark.parametrize("settings", [["kind=accept"], ["kind=ladder"]])
def test_a_count_of_eight_ranks_is_refused_where_there_are_ten(settings: list[str]) -> None:
    rules = load_rules("madrasso", settings)
    with pytest.raises(PolicyError, match=r"^points counts 8 ranks, and madrasso has 10: bid always, never"):
        load_policies(rules=rules).bidders(rules)
    assert len(load_policies(bid="chance:0.3", rules=rules).bidders(rules)) == 4


def test_the_count_decides_as_it_says(file: Path) -> None:
    """Jh 9h Kh, Ac, Ad: in hearts 4 + 2 + 6 + 5, a side ace 4 + 1 twice and a void 3 make 30, and it takes 22.

    No trumps 1 + 0 + 3 + 20 + 20 - 1 = 43 at 24, all trumps 20 + 14 + 2 + 5 + 5 - 2 = 44 at 25: both 19 above, so the
    lower one.
    """
    bidder = LadderPointBidder(read_ladder(file))
    cards = (7, 15, 18, 20, 22)
    opening = LadderView(0, cards, ("pass", "c", "d", "h", "s", "NT", "AT"), None, False, 1, (0, 0))
    assert bidder.call(opening) == "NT"
    assert bidder.call(opening._replace(legal=("pass", "AT", "double"), contract=4)) == "pass"
    assert bidder.call(opening._replace(legal=("pass", "AT"), contract=4, own=True)) == "AT"
