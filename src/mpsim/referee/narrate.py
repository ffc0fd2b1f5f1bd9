"""A deal told to a person: hands, auction, exchange, melds, tricks, settlement."""

from __future__ import annotations

from collections.abc import Sequence

from mpsim.cards import SUITS, format_card
from mpsim.referee.game import DealRecord
from mpsim.referee.melds import FOUR, PAIR, RUN, Meld
from mpsim.referee.score import FAILED, HUNG, MADE
from mpsim.referee.trick import order_of
from mpsim.rules.model import Rules

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_SYMBOLS = "♣♦♥♠"
SHOWN = (3, 2, 1, 0)
"""Suits from the left in a laid-out hand: spades first."""


def narrate(record: DealRecord, rules: Rules) -> str:
    """The deal as lines of text, the settlement last; cards with suit symbols."""
    parts = [[f"Deal {record.deal}, seed {record.seed}, {rules.title}", _teams(record)], _first_hands(record, rules)]
    parts.append(_auction(record, rules))
    if record.taker >= 0:
        parts += [_exchange(record, rules), _hands(record, rules), _melds(record, rules), _tricks(record, rules)]
    parts.append(_settlement(record, rules))
    return "\n\n".join("\n".join(part) for part in parts)


def _teams(record: DealRecord) -> str:
    return "Team 0: seats 0 (speaks and leads first) and 2.  Team 1: seats 1 and 3 (deals)."


def _card(card: int, rules: Rules) -> str:
    return format_card(card, rules.deck.ranks, pretty=True)


def _cards(cards: Sequence[int], rules: Rules) -> str:
    return " ".join(_card(card, rules) for card in cards)


def _laid_out(hands: Sequence[Sequence[int]], rules: Rules, trump: int | None = None) -> list[str]:
    """A line a seat, suits in columns, each suit from its strongest card down."""
    deck = rules.deck
    width = len(deck.ranks)
    rows = []
    for hand in hands:
        columns = []
        for suit in SHOWN:
            strongest_first = deck.trump_order if suit == trump else deck.plain_order
            held = [deck.ranks[card % width] for card in hand if card // width == suit]
            holding = "".join(sorted(held, key=strongest_first.index)) or "-"
            columns.append(f"{SUIT_SYMBOLS[suit]} {holding}")
        rows.append(columns)
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [
        f"  seat {seat}  " + "  ".join(text.ljust(size) for text, size in zip(row, widths, strict=True)).rstrip()
        for seat, row in enumerate(rows)
    ]


def _first_hands(record: DealRecord, rules: Rules) -> list[str]:
    turned = [f"Turned up: {_card(record.upcard, rules)}"] if record.upcard >= 0 else []
    return ["First cards", *_laid_out(record.first, rules), *turned]


def _auction(record: DealRecord, rules: Rules) -> list[str]:
    if not record.calls:
        return ["Auction", "  None: somebody's first cards are worth nothing, so the deal is thrown in."]
    lines = ["Auction"]
    for call in record.calls:
        if call.suit is None:
            said = "passes"
        elif call.round == 1:
            said = f"accepts {SUIT_NAMES[call.suit]}"
        else:
            said = f"names {SUIT_NAMES[call.suit]}"
        lines.append(f"  round {call.round}, seat {call.seat} {said}")
    if record.taker >= 0:
        trump = SUIT_NAMES[SUITS.index(record.contract)]
        lines.append(f"  Trumps are {trump}; team {record.taker % 2} must make it.")
    return lines


def _exchange(record: DealRecord, rules: Rules) -> list[str]:
    turned, receiver = _card(record.upcard, rules), record.receiver
    taken = f"  Seat {receiver} takes the turned {turned} as last card."
    if record.seven < 0:
        return ["Exchange", f"  The turned {turned} may not be swapped.", taken]
    seven = _card(record.seven, rules)
    if rules.exchange.exchange_policy == "never":
        return ["Exchange", f"  Nobody swaps the {seven} for the turned {turned}: exchange_policy is never.", taken]
    if record.exchanger < 0:
        return ["Exchange", f"  Nobody can swap the {seven} for the turned {turned}.", taken]
    if record.exchanger == receiver:
        return ["Exchange", f"  Seat {receiver} holds the {seven} and takes the turned {turned} as well: no change."]
    return [
        "Exchange",
        f"  Seat {record.exchanger} swaps the {seven} for the turned {turned}; seat {receiver} takes the {seven}.",
    ]


def _hands(record: DealRecord, rules: Rules) -> list[str]:
    return ["Hands", *_laid_out(record.hands, rules, SUITS.index(record.contract))]


def _meld_name(meld: Meld, rules: Rules) -> str:
    kind = {RUN: f"run of {len(meld.cards)}", FOUR: "four of a kind", PAIR: "king and queen of trumps"}[meld.kind]
    return f"{kind} {_cards(meld.cards, rules)} ({meld.points})"


def _melds(record: DealRecord, rules: Rules) -> list[str]:
    lines = ["Melds"]
    for seat, melds in enumerate(record.declared):
        for meld in melds:
            beaten = "" if meld in record.counted[seat] else ", does not count: not the better team's"
            lines.append(f"  seat {seat}: {_meld_name(meld, rules)}{beaten}")
    if len(lines) == 1:
        return ["Melds", "  None: meld_policy is never." if rules.melds.meld_policy == "never" else "  None."]
    lines.append(f"  Points scored: team 0 {record.melds[0]}, team 1 {record.melds[1]}.")
    for team in (0, 1):
        declared = any(record.counted[team::2])
        if declared and rules.melds.melds_need_trick and record.tricks[team] == 0:
            lines.append(f"  Team {team} won no trick, so its melds are lost.")
    return lines


def _tricks(record: DealRecord, rules: Rules) -> list[str]:
    order = order_of(rules.deck, record.contract)
    lines = ["Tricks"]
    for number, (taken_by, points) in enumerate(zip(record.winners, record.trick_points, strict=True)):
        plies = range(4 * number, 4 * number + 4)
        shown = "  ".join(f"{record.seats[ply]}: {_card(record.plays[ply], rules)}" for ply in plies)
        lines.append(f"  {number + 1}  {shown}  won by seat {taken_by} (team {taken_by % 2}), {points} points")
    won = [sum(order.points[card] for card in _won_by(record, team)) for team in (0, 1)]
    for team in (0, 1):
        extra = record.points[team] - won[team]
        reason = "all tricks" if record.tricks[1 - team] == 0 else "the last trick"
        bonus = f" and {extra} for {reason}" if extra else ""
        tricks = "1 trick" if record.tricks[team] == 1 else f"{record.tricks[team]} tricks"
        lines.append(f"  Team {team}: {tricks}, {won[team]} card points{bonus}.")
    return lines


def _won_by(record: DealRecord, team: int) -> list[int]:
    """The cards in a team's tricks."""
    return [card for ply, card in enumerate(record.plays) if record.winners[ply // 4] % 2 == team]


def _settlement(record: DealRecord, rules: Rules) -> list[str]:
    deal = record.settlement
    if record.taker < 0:
        dealer = "the next player deals" if rules.auction.allpass_rotates else "the same player deals again"
        return ["Settlement", f"  Thrown in: nobody scores, {dealer}."]
    makers, others = deal.makers, 1 - deal.makers
    made, against = deal.totals[makers], deal.totals[others]
    lines = ["Settlement"]
    for team, role in ((makers, "makers"), (others, "opponents")):
        points, melds = record.points[team], record.melds[team]
        lines.append(f"  Team {team} ({role}): {points} + {melds} melds = {deal.totals[team]}.")
    level = made == against
    unpaid = sum(deal.totals) - sum(deal.scores)
    less = f", but not the {unpaid} for the last trick, which the printed totals leave out" if unpaid else ""
    verdict = {
        MADE: "Level: each team keeps its own." if level else "Made: each team scores its own.",
        FAILED: f"Mesa{', level counts as failed' if level else ''}: the opponents score everything{less}.",
        HUNG: f"Level: the makers' {deal.hung} points wait for a later deal.",
    }[deal.outcome]
    lines.append(f"  {verdict}")
    lines.append(f"  Written down: team 0 {deal.scores[0]}, team 1 {deal.scores[1]}.")
    return lines
