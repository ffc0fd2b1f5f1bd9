"""Each layer of a deal on its own, many blocks over: what the benchmarks time."""

from __future__ import annotations

from numba import uint64 as u64

from mpsim.kernels import kernel
from mpsim.kernels.auction import auction
from mpsim.kernels.batch import deal_and_bid, play_block
from mpsim.kernels.deal import deal
from mpsim.kernels.exchange import complete, exchange
from mpsim.kernels.lanes import LANES
from mpsim.kernels.melds import melds
from mpsim.kernels.random import DEAL, seed_streams
from mpsim.kernels.score import settle


@kernel
def deal_blocks(state, blocks, rules):
    """Seed the streams and deal."""
    for block in range(blocks):
        seed_streams(state, u64(1), u64(block * LANES), 1, DEAL)
        deal(state, rules)


@kernel
def bid_blocks(state, blocks, rules, bid):
    """Auction, second deal and exchange, on the cards that are there."""
    for _ in range(blocks):
        auction(state, rules.deal, bid)
        complete(state, rules.deal)
        exchange(state, rules.deal)


@kernel
def meld_blocks(state, blocks, rules):
    """Melds of the hands that are there."""
    for _ in range(blocks):
        melds(state, rules.melds)


@kernel
def random_deal_blocks(state, blocks, rules, bid):
    """Deal, then eight tricks of random legal cards under the turned suit, and points: no auction, no melds."""
    for block in range(blocks):
        first = u64(block * LANES)
        seed_streams(state, u64(1), first, 1, DEAL)
        deal(state, rules.deal)
        complete(state, rules.deal)
        play_block(state, u64(1), first, 1, rules, 15, 0, False)
        settle(state, rules.score)


@kernel
def play_blocks(state, blocks, rules, random_seats, greedy_seats):
    """Play order and eight tricks, on the hands that are there."""
    for block in range(blocks):
        play_block(state, u64(1), u64(block * LANES), 1, rules, random_seats, greedy_seats, False)


@kernel
def whole_blocks(state, blocks, rules, bid, random_seats, greedy_seats):
    """Everything from the deal to the settlement, without columns."""
    for block in range(blocks):
        first = u64(block * LANES)
        deal_and_bid(state, u64(1), first, rules, bid)
        play_block(state, u64(1), first, 1, rules, random_seats, greedy_seats, False)
        settle(state, rules.score)
