"""Four seats' policies from names, their dictionaries, digests and the referee's objects."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mpsim.errors import PolicyError
from mpsim.policies import PLAY, Always, Chance, Never, Policies, load_policies, policies_from_dict, shipped_count
from mpsim.referee.players import AlwaysBidder, ChanceBidder, GreedyPlayer, NeverBidder, PointBidder, RandomPlayer
from mpsim.rules import load_rules


def test_defaults() -> None:
    assert load_policies() == load_policies("greedy", "points")
    assert load_policies() == Policies(("greedy",) * 4, (shipped_count(),) * 4)


def test_one_or_four() -> None:
    mixed = load_policies("greedy,random, greedy ,random", "always,never,chance:0.25,points")
    assert mixed.play == ("greedy", "random", "greedy", "random")
    assert mixed.bid == (Always(), Never(), Chance(0.25), shipped_count())
    assert load_policies("random", "never").bid == (Never(),) * 4


def test_describe() -> None:
    assert load_policies().describe() == "play greedy, bid points"
    mixed = load_policies("greedy,random,greedy,random", "always,never,chance:0.25,points")
    assert mixed.describe() == "play greedy/random/greedy/random, bid always/never/chance:0.25/points"


@pytest.mark.parametrize(
    ("play", "bid", "parts"),
    [
        ("gredy", "points", ["'gredy'", "did you mean greedy?", "random or greedy"]),
        ("", "points", ["''", "random or greedy"]),
        ("greedy,random", "points", ["'greedy,random'", "2 playing policies", "four"]),
        ("greedy", "a,b,c,d,e", ["5 bidding policies"]),
        ("greedy", "point", ["'point'", "did you mean points?", "chance:P"]),
        ("greedy", "points:", ["names no file", "points:FILE"]),
        ("greedy", "points:/no/such.toml", ["/no/such.toml", "cannot be read"]),
        ("greedy", "always:1", ["'always:1'", "write always"]),
        ("greedy", "chance", ["0 to 1", "chance:0.25"]),
        ("greedy", "chance:often", ["chance:often", "0 to 1"]),
        ("greedy", "chance:1.01", ["1.01", "0 to 1"]),
        ("greedy", "chance:-0.1", ["-0.1", "0 to 1"]),
        ("greedy", "chance:nan", ["nan", "0 to 1"]),
        ("greedy", "chance:1e-300", ["chance:1e-300", "2^-27", "write chance:0 or"]),
        ("greedy", "chance:0.9999999999", ["chance:0.9999999999", "2^-27", "write chance:1 or"]),
        ("greedy", "points:a,b.toml", ["'points:a,b.toml' names 2 bidding policies", "a comma parts seats"]),
    ],
)
def test_refused(play: str, bid: str, parts: list[str]) -> None:
    with pytest.raises(PolicyError) as caught:
        load_policies(play, bid)
    assert all(part in str(caught.value) for part in parts), str(caught.value)


@pytest.mark.parametrize(
    ("p", "threshold"), [(0, 0), (1, 2**27), (0.5, 2**26), (0.25, 2**25), (2**-27, 1), (0.3, 40265318)]
)
def test_chance_in_27_bits(p: float, threshold: int) -> None:
    """0.3 * 2^27 = 40265318.4."""
    assert Chance(p).threshold == threshold


@pytest.mark.parametrize("p", [True, "0.5", None, pytest.param(10**5000, id="huge")])
def test_chance_of_wrong_type_or_size(p: Any) -> None:
    with pytest.raises(PolicyError, match="0 to 1"):
        Chance(p)


def test_equal_chances_are_one_policy() -> None:
    digests = {load_policies(bid=f"chance:{text}").digest for text in ("0", "-0", "0.0", "0e5")}
    assert len(digests) == 1


def test_dictionary_and_back() -> None:
    mixed = load_policies("greedy,random,greedy,random", "always,never,chance:0.3,points")
    data = json.loads(json.dumps(mixed.as_dict()))
    assert policies_from_dict(data) == mixed
    assert policies_from_dict(data).digest == mixed.digest
    assert data["bid"][3]["trump_cards"] == list(shipped_count().trump_cards)


DEEP: list[Any] = []
for _ in range(5000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "change",
    [
        {"play": ["greedy"] * 3},
        {"play": "greedy"},
        {"play": ["greedy"] * 3 + ["best"]},
        {"bid": [{"kind": "always"}] * 3 + [{"kind": "sometimes"}]},
        {"bid": [{"kind": "always"}] * 3 + [{"kind": "chance"}]},
        {"bid": [{"kind": "always"}] * 3 + [{"kind": "chance", "probability": 2}]},
        {"bid": [{"kind": "always"}] * 3 + [{"kind": "never", "why": 1}]},
        {"bid": [{"kind": "always"}] * 3 + ["never"]},
        {"play": [3] * 4},
        {"bid": [{"kind": "always"}] * 3 + [{"kind": []}]},
        {"bid": [{"kind": "always"}] * 3 + [{"kind": "chance", "probability": DEEP}]},
        {"bid": [{"kind": "always"}] * 3 + [DEEP]},
        {"bid": DEEP},
        {"extra": 1},
    ],
)
def test_odd_dictionaries(change: dict[str, Any]) -> None:
    with pytest.raises(PolicyError):
        policies_from_dict(load_policies().as_dict() | change)
    with pytest.raises(PolicyError):
        policies_from_dict({"play": ["greedy"] * 4})


def test_names_of_a_wrong_type() -> None:
    name: Any
    for name in (None, 3, ("greedy",) * 4):
        with pytest.raises(PolicyError, match="names no playing policy: write one for all seats or four"):
            load_policies(play=name)


def test_digest_sees_numbers_and_seats_not_names(tmp_path: Path) -> None:
    base = load_policies()
    renamed = Policies(base.play, (replace(shipped_count(), name="other"),) * 4)
    assert renamed.digest == base.digest
    assert renamed.describe() == "play greedy, bid points:other"
    assert replace(shipped_count(), name="points") == shipped_count()
    other = {
        load_policies("random").digest,
        load_policies("random,greedy,random,greedy").digest,
        load_policies("greedy,random,greedy,random").digest,
        load_policies(bid="always").digest,
        load_policies(bid="chance:0.3").digest,
        load_policies(bid="chance:0.31").digest,
        Policies(base.play, (replace(shipped_count(), round1=(1, 2, 3, 4)),) * 4).digest,
        Policies(base.play, (replace(shipped_count(), counts_upcard=not shipped_count().counts_upcard),) * 4).digest,
    }
    assert len(other | {base.digest}) == 9
    identity = base.as_dict()
    for bidder in identity["bid"]:
        del bidder["name"]
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    assert base.digest == hashlib.sha256(text.encode()).hexdigest()


def test_referee_objects() -> None:
    rules = load_rules()
    mixed = load_policies("greedy,random,greedy,random", "always,never,chance:0.3,points")
    assert [type(player) for player in mixed.players(rules)] == [GreedyPlayer, RandomPlayer, GreedyPlayer, RandomPlayer]
    bidders = mixed.bidders(rules)
    assert [type(bidder) for bidder in bidders] == [AlwaysBidder, NeverBidder, ChanceBidder, PointBidder]
    assert bidders[2] == ChanceBidder(0.3)
    assert bidders[3] == PointBidder(shipped_count())


def test_every_player_is_described() -> None:
    assert list(PLAY) == ["random", "greedy"]
    assert all(PLAY.values())
