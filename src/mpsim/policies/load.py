"""The policies of a whole table: four players and four bidders, from names, and back to dictionaries and a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from mpsim.errors import PolicyError
from mpsim.policies.bid import Always, BidPolicy, Chance, PointCount, bid_from_dict, parse_bid
from mpsim.policies.play import parse_play
from mpsim.rules.check import shown
from mpsim.rules.model import Rules

if TYPE_CHECKING:
    from mpsim.referee.auction import Bidder
    from mpsim.referee.players import Player

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Policies:
    """Who plays and who bids how, by seat: `play` holds names, `bid` whole policies."""

    play: tuple[str, str, str, str]
    bid: tuple[BidPolicy, BidPolicy, BidPolicy, BidPolicy]

    def as_dict(self) -> dict[str, Any]:
        """All of it, json-able: whole point counts, not their files' names."""
        return {"play": list(self.play), "bid": [bidder.as_dict() for bidder in self.bid]}

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of all that changes what is bid or played; a point count's name does not."""
        identity = self.as_dict()
        for bidder in identity["bid"]:
            bidder.pop("name", None)
        return hashlib.sha256(json.dumps(identity, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def describe(self) -> str:
        """For people, short: `play greedy, bid points`; seats that differ are listed, `play greedy/random/...`."""
        return f"play {_short(self.play)}, {self.describe_bidding()}"

    def describe_bidding(self) -> str:
        """The second half of it, for what nobody plays."""
        return f"bid {_short(tuple(bidder.label for bidder in self.bid))}"

    def players(self, rules: Rules) -> tuple[Player, Player, Player, Player]:
        """The referee's players, by seat."""
        from mpsim.referee.players import GreedyPlayer, RandomPlayer

        a, b, c, d = (RandomPlayer() if name == "random" else GreedyPlayer() for name in self.play)
        return a, b, c, d

    def bidders(self, rules: Rules) -> tuple[Bidder, Bidder, Bidder, Bidder]:
        """The referee's bidders, by seat."""
        a, b, c, d = (_bidder(policy) for policy in self.bid)
        return a, b, c, d


def _bidder(policy: BidPolicy) -> Bidder:
    from mpsim.referee.players import AlwaysBidder, ChanceBidder, NeverBidder, PointBidder

    if isinstance(policy, PointCount):
        return PointBidder(policy)
    if isinstance(policy, Chance):
        return ChanceBidder(policy.probability)
    return AlwaysBidder() if isinstance(policy, Always) else NeverBidder()


def _short(names: tuple[str, ...]) -> str:
    return names[0] if len(set(names)) == 1 else "/".join(names)


def load_policies(play: str = "greedy", bid: str = "points") -> Policies:
    """Policies by name, one for all four seats or four parted by commas; PolicyError names what does not exist.

    play: `random`, `greedy`.  bid: `points`, `points:FILE`, `always`, `never`, `chance:P`.
    """
    return Policies(_by_seat("playing", play, parse_play), _by_seat("bidding", bid, parse_bid))


def _by_seat(what: str, text: str, parse: Callable[[str], T]) -> tuple[T, T, T, T]:
    if not isinstance(text, str):
        raise PolicyError(f"{shown(text)} names no {what} policy: write one for all seats or four parted by commas")
    words = text.split(",")
    if len(words) not in (1, 4):
        file = "; a comma parts seats, so no file's name may hold one" if "points:" in text else ""
        raise PolicyError(
            f"{text!r} names {len(words)} {what} policies: write one for all seats or four, from the dealer's next "
            f"on{file}"
        )
    parsed = {word: parse(word) for word in words}
    a, b, c, d = (parsed[word] for word in (words * 4 if len(words) == 1 else words))
    return a, b, c, d


def policies_from_dict(data: Mapping[str, Any]) -> Policies:
    """The policies that `as_dict` wrote; PolicyError for anything else."""
    if not isinstance(data, Mapping) or set(data) != {"play", "bid"}:
        raise PolicyError(f"{shown(data)} is no record of policies: it must hold play and bid, and nothing else")
    for key in ("play", "bid"):
        if not isinstance(data[key], list) or len(data[key]) != 4:
            raise PolicyError(f"{key} = {shown(data[key])} is no list of four policies: write one for each seat")
    a, b, c, d = (parse_play(name) for name in data["play"])
    e, f, g, h = (bid_from_dict(bidder) for bidder in data["bid"])
    return Policies((a, b, c, d), (e, f, g, h))
