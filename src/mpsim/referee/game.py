"""One deal from the shuffle to the settlement, with everything that happened on record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mpsim.cards import format_card, to_hand
from mpsim.errors import CardError, PolicyError, UsageError
from mpsim.referee import melds as meld_rules
from mpsim.referee.auction import THROWN_IN_UNSPOKEN, Auction, Bidders, Call, auction_draws, hold_auction
from mpsim.referee.deal import (
    FirstDeal,
    Hands,
    cut,
    deal_first,
    deal_rest,
    shuffle,
    somebody_has_nothing,
    upcard_receiver,
)
from mpsim.referee.exchange import Exchange, swap_seven
from mpsim.referee.ladder import LadderCall
from mpsim.referee.legal import legal_cards
from mpsim.referee.melds import Meld
from mpsim.referee.players import Player, PlayView
from mpsim.referee.score import NO_SCORE, Settlement, deal_points, scored_melds, settle
from mpsim.referee.streams import PLAY, check_word, draws, remainder
from mpsim.referee.trick import Order, contracts, order_of, trick_points, winner
from mpsim.rules.check import one_of
from mpsim.rules.model import Rules

NOT_PLAYED = 255
"""Stands in the `plays` column for a card that was never played."""


@dataclass(frozen=True)
class DealRecord:
    """All of one deal; cards by number, seats from the dealer's next, teams 0 (seats 0, 2) and 1 (seats 1, 3)."""

    seed: int
    deal: int
    first: Hands                            # held while bidding
    upcard: int                             # -1: none turned
    calls: tuple[Call | LadderCall, ...]
    round: int                              # 0: thrown in
    taker: int                              # -1: thrown in, or nobody takes in this game
    contract: str                           # a suit's letter, NT, AT, or none
    multiplier: int                         # 2 doubled, 4 redoubled
    receiver: int                           # who has the turned card before any exchange, -1: none turned
    exchanger: int                          # -1: nobody
    seven: int                              # the card that may be swapped for the turned one, -1: none
    hands: Hands                            # played, after any exchange
    declared: tuple[tuple[Meld, ...], ...]  # melds by seat
    counted: tuple[tuple[Meld, ...], ...]   # those that survived the comparison and the play
    melds: tuple[int, int]                  # meld points scored by team
    plays: tuple[int, ...]                  # cards in the order played
    seats: tuple[int, ...]                  # who played each of them
    legal: tuple[tuple[int, ...], ...]      # what he could have played
    winners: tuple[int, ...]                # seat that won each trick
    trick_points: tuple[int, ...]           # card points in each trick
    tricks: tuple[int, int]
    points: tuple[int, int]                 # cards and bonus for the last or all tricks, by team
    settlement: Settlement

    def cards_won(self, team: int) -> list[int]:
        """The cards in a team's tricks, in the order won and played."""
        return [card for ply, card in enumerate(self.plays) if self.winners[ply // 4] % 2 == team]

    def row(self) -> dict[str, int | str | bytes]:
        """The deal as a row of a run's files: hands as sets of bits, `plays` as bytes."""
        row: dict[str, int | str | bytes] = {"deal": self.deal}
        row |= {f"hand_{seat}": _bits(hand) for seat, hand in enumerate(self.hands)}
        row |= {f"first_{seat}": _bits(hand) for seat, hand in enumerate(self.first)}
        row |= {"upcard": self.upcard, "round": self.round, "taker": self.taker, "contract": self.contract}
        row |= {"multiplier": self.multiplier, "exchanger": self.exchanger}
        for name, pair in (
            ("meld", self.melds), ("tricks", self.tricks), ("points", self.points), ("score", self.settlement.scores),
        ):
            row |= {f"{name}_{team}": pair[team] for team in (0, 1)}
        row["outcome"] = self.settlement.outcome
        size = sum(map(len, self.hands))
        row["plays"] = bytes(self.plays) if self.plays else bytes([NOT_PLAYED] * size)
        return row


def _bits(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


class CardPlay(NamedTuple):
    """The tricks of one deal."""

    plays: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    legal: tuple[tuple[int, ...], ...] = ()
    winners: tuple[int, ...] = ()
    trick_points: tuple[int, ...] = ()

    def tricks(self) -> tuple[int, int]:
        """Tricks won by each team."""
        won = sum(seat % 2 == 0 for seat in self.winners)
        return won, len(self.winners) - won

    def card_points(self) -> tuple[int, int]:
        """Card points won by each team."""
        points = [0, 0]
        for seat, held in zip(self.winners, self.trick_points, strict=True):
            points[seat % 2] += held
        return points[0], points[1]


def play_tricks(
    hands: Hands, order: Order, rules: Rules, players: Sequence[Player], bits: Sequence[int], taker: int = 0
) -> CardPlay:
    """Play full hands out, seat 0 leading; `bits` are two draws a trick.

    The first serves the leader and, with what his number of choices leaves of it, the second player; the other one the
    third and the fourth.
    """
    held = [list(hand) for hand in hands]
    plays: list[int] = []
    seats: list[int] = []
    choices: list[tuple[int, ...]] = []
    winners: list[int] = []
    points: list[int] = []
    played: set[int] = set()
    leader = draw = 0
    for number in range(len(held[0])):
        trick: list[int] = []
        for place in range(4):
            seat = (leader + place) % 4
            legal = legal_cards(held[seat], trick, order, rules.play)
            own_team_took = taker >= 0 and seat % 2 == taker % 2
            view = PlayView(held[seat], trick, played, order, own_team_took)
            draw = remainder(draw, len(choices[-1])) if place % 2 else bits[2 * number + place // 2]
            card = _choice(players[seat], view, legal, draw, rules)
            held[seat].remove(card)
            trick.append(card)
            played.add(card)
            plays.append(card)
            seats.append(seat)
            choices.append(tuple(legal))
        leader = (leader + winner(trick, order)) % 4
        winners.append(leader)
        points.append(trick_points(trick, order))
    return CardPlay(tuple(plays), tuple(seats), tuple(choices), tuple(winners), tuple(points))


def _choice(player: Player, view: PlayView, legal: list[int], draw: int, rules: Rules) -> int:
    """What the player plays; nobody is asked when there is nothing to choose."""
    if len(legal) == 1:
        return legal[0]
    card = player.choose(view, legal, draw)
    if card not in legal:
        numbers = one_of(f"{number} ({format_card(number, rules.deck.ranks, rules.deck.suits)})" for number in legal)
        raise PolicyError(f"a player chose {card!r}, which may not be played: choose {numbers}")
    return card


def play_deal(
    rules: Rules,
    seed: int,
    deal: int,
    bidders: Bidders,
    players: Sequence[Player],
    deck: Sequence[int] | None = None,
    contract: str | None = None,
    taker: int | None = None,
) -> DealRecord:
    """Play deal number `deal` of a seed; four bidders and four players by seat.

    `deck` replaces the shuffled one: every card once by number, in the order dealt.  Its first cards go round the table
    in packets, then comes the turned card if one lies on the table, then the packets after the auction, in which the
    turned card is the receiver's last; seed and number then only tell what is drawn by those who bid or play at random.
    Where the deck is only cut, the deals before this one at the same table are played first.

    `contract` and `taker` replace the auction: nobody is asked, and the deal counts once.

    UsageError for a seed or deal outside 0 .. 2^64 - 1 and for a contract or taker that cannot be, CardError for any
    other deck, PolicyError unless four of each call and play fair.
    """
    _check_seats("bidders", bidders)
    _check_seats("players", players)
    check_word("seed", seed)
    check_word("deal", deal)
    given = _given_auction(rules, contract, taker)
    if deck is None:
        cards = next_deck(rules, seed, deal, _deal_before(rules, seed, deal, bidders, players, given))
    else:
        cards = _whole(deck, rules)
    return _play(rules, seed, deal, bidders, players, cards, given)


def next_deck(rules: Rules, seed: int, deal: int, before: DealRecord | None) -> list[int]:
    """The deck of a deal in dealing order: shuffled, or gathered from the deal before it and cut."""
    if before is None:
        return shuffle(seed, deal, rules)
    return cut(gathered(before, rules), seed, deal)


def starts_table(rules: Rules, deal: int) -> bool:
    """Whether a deal's deck owes nothing to the deal before it."""
    return rules.deal.shuffle == "uniform" or deal % rules.deal.chain == 0


def gathered(record: DealRecord, rules: Rules) -> list[int]:
    """The cards of a deal as they are gathered: by tricks, or hand by hand when nothing was played."""
    if not record.plays:
        return [card for hand in record.hands for card in hand]
    if rules.deal.gather == "in_order":
        return list(record.plays)
    makers = max(record.taker, 0) % 2
    return [*record.cards_won(makers), *record.cards_won(1 - makers)]


def _deal_before(
    rules: Rules, seed: int, deal: int, bidders: Bidders, players: Sequence[Player],
    given: Auction | None,
) -> DealRecord | None:
    """The deal whose deck is cut for this one, its table played up to it; None where the deck is shuffled."""
    before: DealRecord | None = None
    if starts_table(rules, deal):
        return before
    for number in range(deal - deal % rules.deal.chain, deal):
        cards = next_deck(rules, seed, number, before)
        before = _play(rules, seed, number, bidders, players, cards, given)
    return before


def _given_auction(rules: Rules, contract: str | None, taker: int | None) -> Auction | None:
    """The auction that a given contract and taker stand for."""
    if contract is None and taker is None:
        return None
    known = contracts(rules.deck)
    if contract not in known:
        raise UsageError(f"contract = {contract!r} is none of this game's: give {one_of(known)}, and a taker")
    if rules.auction.kind == "turned":
        if taker is not None:
            raise UsageError(f"taker = {taker!r} is given where nobody takes: leave it out")
        return Auction((), 1, -1, contract)
    if isinstance(taker, bool) or not isinstance(taker, int) or not 0 <= taker < 4:
        raise UsageError(f"taker = {taker!r} is no seat: give the one that took the contract, 0, 1, 2 or 3")
    return Auction((), 1, taker, contract)


def _check_seats(what: str, given: Sequence[object]) -> None:
    if len(given) != 4:
        raise PolicyError(f"{len(given)} {what} are given where 4 are needed: give one for each seat, seat 0 first")


def _whole(deck: Sequence[int], rules: Rules) -> list[int]:
    """A deck given from outside: all cards, each once, as ints."""
    size = 4 * rules.hand_size
    if len(deck) != size:
        raise CardError(f"the deck has {len(deck)} cards where {size} are needed: give each card once")
    to_hand(deck, rules.deck.ranks, rules.deck.suits)
    return [int(card) for card in deck]


def _play(
    rules: Rules, seed: int, deal: int, bidders: Bidders, players: Sequence[Player],
    deck: Sequence[int], given: Auction | None,
) -> DealRecord:
    dealt = deal_first(deck, rules)
    auction = given or _auction(rules, seed, deal, dealt, bidders)
    receiver = upcard_receiver(auction.taker, rules)
    full = deal_rest(dealt, receiver, rules)
    if auction.round == 0:
        return _thrown_in(seed, deal, dealt, auction, receiver, full)
    swapped = swap_seven(dealt.first, full, dealt.upcard, receiver, auction.contract, rules)
    order = order_of(rules.deck, auction.contract)
    bits = draws(seed, deal, PLAY, 2 * rules.hand_size)
    card_play = play_tricks(swapped.hands, order, rules, players, bits, auction.taker)
    return _settled(seed, deal, dealt, auction, receiver, swapped, card_play, rules)


def _auction(
    rules: Rules, seed: int, deal: int, dealt: FirstDeal, bidders: Bidders
) -> Auction:
    if rules.auction.aponta and somebody_has_nothing(dealt.first, rules):
        return THROWN_IN_UNSPOKEN
    return hold_auction(dealt, rules, bidders, auction_draws(seed, deal, rules))


def _thrown_in(seed: int, deal: int, dealt: FirstDeal, auction: Auction, receiver: int, full: Hands) -> DealRecord:
    nothing: tuple[tuple[Meld, ...], ...] = ((), (), (), ())
    return DealRecord(
        seed, deal, dealt.first, dealt.upcard, auction.calls, 0, -1, "none", 1, receiver, -1, -1, full,
        nothing, nothing, (0, 0), (), (), (), (), (), (0, 0), (0, 0), NO_SCORE,
    )


def _settled(
    seed: int, deal: int, dealt: FirstDeal, auction: Auction, receiver: int, swapped: Exchange, card_play: CardPlay,
    rules: Rules,
) -> DealRecord:
    contract, tricks = auction.contract, card_play.tricks()
    order = order_of(rules.deck, contract)
    declared = tuple(meld_rules.declare(hand, order, rules) for hand in swapped.hands)
    counted = meld_rules.announced(meld_rules.counting(declared, rules), card_play.plays, order, rules)
    melds = scored_melds(meld_rules.team_points(counted), tricks, rules)
    points = deal_points(card_play.card_points(), tricks, card_play.winners[-1] % 2, contract, rules)
    makers = auction.taker % 2 if auction.taker >= 0 else -1
    settlement = settle(makers, contract, auction.multiplier, points, melds, tricks, rules)
    return DealRecord(
        seed, deal, dealt.first, dealt.upcard, auction.calls, auction.round, auction.taker, contract,
        auction.multiplier, receiver, swapped.exchanger, swapped.seven, swapped.hands, declared, counted, melds,
        card_play.plays, card_play.seats, card_play.legal, card_play.winners, card_play.trick_points,
        tricks, points, settlement,
    )
