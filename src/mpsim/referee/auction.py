"""How trumps are fixed: accept the turned suit or name one, a ladder of contracts, or no auction at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, cast

from mpsim.errors import PolicyError
from mpsim.referee.deal import FirstDeal, dealers_own
from mpsim.referee.ladder import LADDER_DRAWS, LadderBidder, LadderCall, climb
from mpsim.referee.streams import AUCTION, below, draws, remainder
from mpsim.rules.check import one_of
from mpsim.rules.model import Rules

AUCTION_DRAWS = 12
"""Draw s is seat s's in round 1; draws 4+2s and 5+2s are its two in round 2."""


class BidView(NamedTuple):
    """What a bidder knows when it is his turn, and the random bits that are his to use."""

    seat: int
    round: int
    cards: tuple[int, ...]
    upcard: int
    allowed: tuple[int, ...]    # the suits he may name: the turned one in round 1
    brings_upcard: bool         # the turned card would be his if he took
    draws: tuple[int, ...]      # 32 random bits each: one in round 1, two in round 2


class Bidder(Protocol):
    """Whoever bids for a seat where the turned suit is accepted or a suit named."""

    def call(self, view: BidView) -> int | None:
        """The suit to make trumps, one of `view.allowed`; None to pass."""


Bidders = Sequence[Bidder | LadderBidder]
"""Four bidders, by seat unless said otherwise, all of the kind that the game's auction asks."""


class Call(NamedTuple):
    """One call of the auction; `suit` is None for a pass."""

    seat: int
    round: int
    suit: int | None


class Auction(NamedTuple):
    """How the auction went; thrown in: round 0, taker -1, contract `none`.  Where nobody takes, taker is -1 too."""

    calls: tuple[Call | LadderCall, ...]
    round: int
    taker: int
    contract: str
    multiplier: int = 1


THROWN_IN_UNSPOKEN = Auction((), 0, -1, "none")
"""The auction of a deal thrown in before anybody spoke."""


def hold_auction(dealt: FirstDeal, rules: Rules, bidders: Bidders, bits: Sequence[int]) -> Auction:
    """Fix trumps as the game does it; `bits` are the draws of the auction's stream."""
    suits = rules.deck.suits
    match rules.auction.kind:
        case "accept":
            return _accept(dealt, rules, cast(Sequence[Bidder], bidders), bits)
        case "ladder":
            climbed = climb(dealt.first, rules, cast(Sequence[LadderBidder], bidders), bits)
            return Auction(*climbed)
        case "turned":
            return Auction((), 1, -1, suits[dealt.upcard // rules.deck.field])
        case _:
            taker, rest = below(bits[0], 4), remainder(bits[0], 4)
            return Auction((), 1, taker, suits[below(rest, 4)])


def _accept(dealt: FirstDeal, rules: Rules, bidders: Sequence[Bidder], bits: Sequence[int]) -> Auction:
    """Ask the seats in turn for two rounds, until one fixes trumps."""
    turned = dealt.upcard // rules.deck.field
    any_suit = tuple(suit for suit in range(4) if rules.auction.round2_any_suit or suit != turned)
    calls = []
    for number, allowed in ((1, (turned,)), (2, any_suit)):
        for seat in range(4):
            own = (bits[seat],) if number == 1 else (bits[4 + 2 * seat], bits[5 + 2 * seat])
            view = BidView(seat, number, dealt.first[seat], dealt.upcard, allowed, _brings_upcard(seat, rules), own)
            suit = bidders[seat].call(view)
            calls.append(Call(seat, number, suit))
            if suit is not None:
                _check(suit, view, rules)
                return Auction(tuple(calls), number, seat, rules.deck.suits[suit])
    return Auction(tuple(calls), 0, -1, "none")


def _brings_upcard(seat: int, rules: Rules) -> bool:
    """Whether taking brings a seat the turned card; the dealer may hold it already."""
    return not dealers_own(rules) and (rules.deal.upcard_to == "taker" or seat == 3)


def _check(suit: int, view: BidView, rules: Rules) -> None:
    if suit not in view.allowed:
        numbers = one_of(f"{number} ({rules.deck.suits[number]})" for number in view.allowed)
        raise PolicyError(f"seat {view.seat} named suit {suit!r} in round {view.round}: name {numbers}, or pass (None)")


def auction_draws(seed: int, deal: int, rules: Rules) -> list[int]:
    """The random bits of a deal's auction."""
    count = {"accept": AUCTION_DRAWS, "ladder": LADDER_DRAWS, "turned": 0, "drawn": 1}[rules.auction.kind]
    return draws(seed, deal, AUCTION, count)
