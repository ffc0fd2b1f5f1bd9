"""The referee: the game in plain Python, slow and readable, that every fast kernel is tested against.

A deal is played by `play_deal` and told by `narrate`, a match by `play_match` and `narrate_match`; the modules hold one
part of the rules each.
"""

from mpsim.referee.auction import Auction, Bidder, BidView, Call, auction_draws, hold_auction
from mpsim.referee.course import Step, course, narrate_match
from mpsim.referee.deal import FirstDeal, Hands, deal_first, deal_rest, shuffle, somebody_has_nothing, upcard_receiver
from mpsim.referee.exchange import Exchange, exchangeable, swap_seven
from mpsim.referee.game import play_deal
from mpsim.referee.gather import cut, gathered
from mpsim.referee.ladder import LadderBidder, LadderCall, LadderView, Standing, climb, legal_calls
from mpsim.referee.ladder_bidders import (
    LadderAlwaysBidder,
    LadderChanceBidder,
    LadderNeverBidder,
    LadderPointBidder,
    LadderTable,
    contract_strength,
)
from mpsim.referee.legal import legal_cards
from mpsim.referee.match import Match
from mpsim.referee.melds import Meld, announced, counting, declare, find_fours, find_pairs, find_runs, team_points
from mpsim.referee.narrate import narrate
from mpsim.referee.players import (
    AlwaysBidder,
    ChanceBidder,
    GreedyPlayer,
    NeverBidder,
    Player,
    PlayView,
    PointBidder,
    PointTable,
    RandomPlayer,
    hand_strength,
)
from mpsim.referee.record import DealRecord
from mpsim.referee.score import Settlement, deal_points, game_points, scored_melds, settle
from mpsim.referee.streams import below, draws, philox, remainder, xoshiro
from mpsim.referee.trick import Order, contracts, order_of, trick_points, winner
from mpsim.referee.tricks import CardPlay, play_tricks
from mpsim.referee.whole_match import MatchRecord, play_match

__all__ = [
    "AlwaysBidder", "Auction", "BidView", "Bidder", "Call", "CardPlay", "ChanceBidder", "DealRecord", "Exchange",
    "FirstDeal", "GreedyPlayer", "Hands", "LadderAlwaysBidder", "LadderBidder", "LadderCall", "LadderChanceBidder",
    "LadderNeverBidder", "LadderPointBidder", "LadderTable", "LadderView", "Match", "MatchRecord", "Meld",
    "NeverBidder", "Order", "PlayView", "Player", "PointBidder", "PointTable", "RandomPlayer", "Settlement", "Standing",
    "Step", "announced", "auction_draws", "below", "climb", "contract_strength", "contracts", "counting", "course",
    "cut", "deal_first", "deal_points", "deal_rest", "declare", "draws", "exchangeable", "find_fours", "find_pairs",
    "find_runs", "game_points", "gathered", "hand_strength", "hold_auction", "legal_calls", "legal_cards", "narrate",
    "narrate_match", "order_of", "philox", "play_deal", "play_match", "play_tricks", "remainder", "scored_melds",
    "settle", "shuffle", "somebody_has_nothing", "swap_seven", "team_points", "trick_points", "upcard_receiver",
    "winner", "xoshiro",
]
