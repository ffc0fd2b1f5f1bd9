"""The policies of a whole table: four players and four bidders, from names, and back to dictionaries and a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from mpsim.errors import PolicyError
from mpsim.policies.bid import Always, BidPolicy, Chance, PointCount, bid_from_dict, parse_bid
from mpsim.policies.chart import Chart
from mpsim.policies.ladder import LadderCount
from mpsim.policies.play import parse_play
from mpsim.rules.check import shown
from mpsim.rules.model import Rules

if TYPE_CHECKING:
    from mpsim.referee.auction import Bidder, Bidders
    from mpsim.referee.ladder import LadderBidder
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
            bidder.pop("file", None)
        return hashlib.sha256(json.dumps(identity, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    def describe(self) -> str:
        """For people, short: `play greedy, bid points`; seats that differ are listed, `play greedy/random/...`."""
        return f"{self.describe_play()}, {self.describe_bidding()}"

    def describe_at(self, rules: Rules) -> str:
        """The same, leaving out the bidding where nobody bids."""
        return self.describe_play() if rules.auction.kind in ("turned", "drawn") else self.describe()

    def describe_play(self) -> str:
        """The first half of it, for games in which nobody bids."""
        return f"play {_short(self.play)}"

    def describe_bidding(self) -> str:
        """The second half of it, for what nobody plays."""
        return f"bid {_short(tuple(bidder.label for bidder in self.bid))}"

    def players(self, rules: Rules) -> tuple[Player, Player, Player, Player]:
        """The referee's players, by seat."""
        from mpsim.referee.players import GreedyPlayer, RandomPlayer

        a, b, c, d = (RandomPlayer() if name == "random" else GreedyPlayer() for name in self.play)
        return a, b, c, d

    def bidders(self, rules: Rules) -> Bidders:
        """The referee's bidders, by seat; PolicyError where a point count is made for another auction."""
        a, b, c, d = (_bidder(policy, rules) for policy in self.bid)
        return a, b, c, d


def _bidder(policy: BidPolicy, rules: Rules) -> Bidder | LadderBidder:
    from mpsim.referee.players import NeverBidder

    match rules.auction.kind:
        case "accept":
            return _accept_bidder(policy, rules)
        case "ladder":
            return _ladder_bidder(policy, rules)
        case _:
            return NeverBidder()  # nobody is asked


def _accept_bidder(policy: BidPolicy, rules: Rules) -> Bidder:
    from mpsim.referee.chart_bidder import ChartBidder
    from mpsim.referee.players import AlwaysBidder, ChanceBidder, NeverBidder, PointBidder

    if isinstance(policy, LadderCount):
        raise PolicyError(
            f"{policy.label} counts for a ladder auction, and {rules.name} accepts the turned suit or names one: "
            "give a point count with [accept]"
        )
    if isinstance(policy, PointCount):
        _check_ranks(policy, rules)
        return PointBidder(policy)
    if isinstance(policy, Chart):
        _check_chart(policy, rules)
        return ChartBidder(policy.actions)
    if isinstance(policy, Chance):
        return ChanceBidder(policy.probability)
    return AlwaysBidder() if isinstance(policy, Always) else NeverBidder()


def _ladder_bidder(policy: BidPolicy, rules: Rules) -> LadderBidder:
    from mpsim.referee.ladder_bidders import (
        LadderAlwaysBidder,
        LadderChanceBidder,
        LadderNeverBidder,
        LadderPointBidder,
    )

    if isinstance(policy, Chart):
        raise PolicyError(
            f"{policy.label} is a chart for accepting the turned suit or naming one, and {rules.name} has a ladder "
            "auction: give a point count with [call]"
        )
    if isinstance(policy, PointCount):
        raise PolicyError(
            f"{policy.label} counts for accepting the turned suit or naming one, and {rules.name} has a ladder "
            "auction: give a point count with [call]"
        )
    if isinstance(policy, LadderCount):
        _check_ranks(policy, rules)
        return LadderPointBidder(policy)
    if isinstance(policy, Chance):
        return LadderChanceBidder(policy.probability)
    return LadderAlwaysBidder() if isinstance(policy, Always) else LadderNeverBidder()


def _check_ranks(policy: PointCount | LadderCount, rules: Rules) -> None:
    needed, counted = len(rules.deck.ranks), len(policy.trump_cards)
    if needed != counted:
        raise PolicyError(
            f"{policy.label} counts {counted} ranks, and {rules.name} has {needed}: bid always, never or chance:P"
        )


def _check_chart(chart: Chart, rules: Rules) -> None:
    if len(rules.deck.ranks) != 8 or sum(rules.deal.packets) != 5:
        raise PolicyError(
            f"{chart.label} is a chart of five cards out of 32, and {rules.name} deals otherwise: bid always, never or "
            "chance:P"
        )


def _short(names: tuple[str, ...]) -> str:
    return names[0] if len(set(names)) == 1 else "/".join(names)


def load_policies(play: str = "greedy", bid: str = "points", rules: Rules | None = None) -> Policies:
    """Policies by name, one for all four seats or four parted by commas; PolicyError names what does not exist.

    play: `random`, `greedy`.  bid: `points`, `points:FILE`, `chart`, `chart:FILE`, `always`, `never`, `chance:P`;
    `points` is the count for the auction of the rules, Mpourloto's if none are given.
    """
    by_name = partial(parse_bid, rules=rules)
    return Policies(_by_seat("playing", play, parse_play), _by_seat("bidding", bid, by_name))


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
