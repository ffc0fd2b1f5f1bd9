"""One deal from the shuffle to the settlement, with everything that happened on record."""

from __future__ import annotations

from collections.abc import Sequence

from mpsim.cards import to_hand
from mpsim.errors import CardError, PolicyError, UsageError
from mpsim.referee import melds as meld_rules
from mpsim.referee.auction import THROWN_IN_UNSPOKEN, Auction, Bidders, auction_draws, hold_auction
from mpsim.referee.deal import FirstDeal, Hands, deal_first, deal_rest, somebody_has_nothing, upcard_receiver
from mpsim.referee.exchange import Exchange, swap_seven
from mpsim.referee.gather import next_deck, starts_table
from mpsim.referee.melds import Meld
from mpsim.referee.players import Player
from mpsim.referee.record import DealRecord
from mpsim.referee.score import NO_SCORE, deal_points, scored_melds, settle
from mpsim.referee.streams import PLAY, check_word, draws
from mpsim.referee.trick import contracts, order_of
from mpsim.referee.tricks import CardPlay, play_tricks
from mpsim.rules.check import one_of
from mpsim.rules.model import Rules


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


def _deal_before(
    rules: Rules, seed: int, deal: int, bidders: Bidders, players: Sequence[Player], given: Auction | None
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
        raise UsageError(f"contract = {contract!r} is none of this game's: give {one_of(known)}")
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
    rules: Rules, seed: int, deal: int, bidders: Bidders, players: Sequence[Player], deck: Sequence[int],
    given: Auction | None,
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


def _auction(rules: Rules, seed: int, deal: int, dealt: FirstDeal, bidders: Bidders) -> Auction:
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
