"""A deal told to a person: hands, auction, exchange, melds, tricks, settlement."""

from __future__ import annotations

from collections.abc import Sequence

from mpsim.cards import format_card, suit_signs
from mpsim.referee.auction import Call
from mpsim.referee.deal import dealers_own
from mpsim.referee.ladder import DOUBLE, PASS, REDOUBLE, LadderCall
from mpsim.referee.melds import FOUR, PAIR, RUN, Meld, thrown_away
from mpsim.referee.narrate_score import has_melds, settlement_told
from mpsim.referee.record import DealRecord
from mpsim.referee.trick import NO_TRUMPS, Order, contracts, order_of
from mpsim.rules import rules_name
from mpsim.rules.model import Rules

SUIT_NAMES: dict[str, tuple[str, ...]] = {
    "cdhs": ("clubs", "diamonds", "hearts", "spades"),
    "dcsb": ("denari", "coppe", "spade", "bastoni"),
}
"""What the suits of a deck are called; those of another one go by their letters."""

CALLS = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}
TIMES = {1: "", 2: ", doubled", 4: ", redoubled"}

SHOWN = (3, 2, 1, 0)
"""Suits from the left in a laid-out hand: the highest in the auction first."""


def narrate(record: DealRecord, rules: Rules) -> str:
    """The deal as lines of text, the settlement last; cards with suit symbols."""
    parts = [[f"Deal {record.deal}, seed {record.seed}, {_game(rules)}", _teams(rules)], _first_hands(record, rules)]
    parts.append(_auction(record, rules))
    if record.round > 0:
        if record.upcard >= 0:
            parts.append(_exchange(record, rules))
        parts.append(_hands(record, rules))
        if has_melds(rules):
            parts.append(_melds(record, rules))
        parts.append(_tricks(record, rules))
    parts.append(settlement_told(record, rules))
    return "\n\n".join("\n".join(part) for part in parts)


def _game(rules: Rules) -> str:
    """The title, and what is changed in the preset."""
    return rules.title + rules_name(rules).removeprefix(rules.name)


def _teams(rules: Rules) -> str:
    first = "speaks and leads" if rules.auction.kind in ("accept", "ladder") else "leads"
    return f"Team 0: seats 0 ({first} first) and 2.  Team 1: seats 1 and 3 (deals)."


def _card(card: int, rules: Rules) -> str:
    return format_card(card, rules.deck.ranks, rules.deck.suits, pretty=True)


def _cards(cards: Sequence[int], rules: Rules) -> str:
    return " ".join(_card(card, rules) for card in cards)


def contract_name(contract: str, rules: Rules) -> str:
    """A contract in words."""
    suits = SUIT_NAMES.get(rules.deck.suits, tuple(rules.deck.suits))
    names: tuple[str, ...] = (*suits, "no trumps", "all trumps")
    return names[contracts(rules.deck).index(contract)]


def _laid_out(hands: Sequence[Sequence[int]], rules: Rules, trumps: Sequence[int] = ()) -> list[str]:
    """A line a seat, suits in columns, each suit from its strongest card down."""
    deck = rules.deck
    rows = []
    for hand in hands:
        columns = []
        for suit in SHOWN:
            strongest_first = deck.trump_order if suit in trumps else deck.plain_order
            held = [deck.ranks[card % deck.field] for card in hand if card // deck.field == suit]
            holding = "".join(sorted(held, key=strongest_first.index)) or "-"
            columns.append(f"{suit_signs(deck.suits)[suit]} {holding}")
        rows.append(columns)
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [
        f"  seat {seat}  " + "  ".join(text.ljust(size) for text, size in zip(row, widths, strict=True)).rstrip()
        for seat, row in enumerate(rows)
    ]


def _first_hands(record: DealRecord, rules: Rules) -> list[str]:
    lines = ["First cards", *_laid_out(record.first, rules)]
    if record.upcard >= 0:
        whose = ", the last of seat 3" if dealers_own(rules) else ""
        lines.append(f"Turned up{whose}: {_card(record.upcard, rules)}")
    return lines


def _auction(record: DealRecord, rules: Rules) -> list[str]:
    if not record.calls:
        return ["Auction", f"  {_no_auction(record, rules)}"]
    lines = ["Auction", *(f"  round {call.round}, seat {call.seat} {_said(call, rules)}" for call in record.calls)]
    if record.round > 0:
        subject = "The contract is" if rules.auction.kind == "ladder" else "Trumps are"
        lines.append(f"  {subject} {_contract_made(record, rules)}")
    return lines


def _contract_made(record: DealRecord, rules: Rules) -> str:
    contract = contract_name(record.contract, rules)
    return f"{contract}{TIMES[record.multiplier]}; team {record.taker % 2} must make it."


def _no_auction(record: DealRecord, rules: Rules) -> str:
    if record.round == 0:
        return "None: somebody's first cards are worth nothing, so the deal is thrown in."
    contract = contract_name(record.contract, rules)
    if record.taker < 0:
        return f"None: trumps are {contract}, and no team has to make anything."
    how = "By lot" if rules.auction.kind == "drawn" else "None"
    return f"{how}: seat {record.taker} has {_contract_made(record, rules)}"


def _said(call: Call | LadderCall, rules: Rules) -> str:
    if isinstance(call, LadderCall):
        return CALLS.get(call.said) or f"calls {contract_name(call.said, rules)}"
    if call.suit is None:
        return "passes"
    suit = contract_name(rules.deck.suits[call.suit], rules)
    return f"accepts {suit}" if call.round == 1 else f"names {suit}"


def _exchange(record: DealRecord, rules: Rules) -> list[str]:
    return ["Exchange", *(f"  {line}" for line in _swap(record, rules))]


def _swap(record: DealRecord, rules: Rules) -> list[str]:
    turned, receiver, own = _card(record.upcard, rules), record.receiver, dealers_own(rules)
    taken = f"Seat {receiver} keeps it." if own else f"Seat {receiver} takes the turned {turned} as last card."
    if record.seven < 0:
        return [f"The turned {turned} may not be swapped.", taken]
    seven = _card(record.seven, rules)
    if record.exchanger < 0:
        return [_why_not(record, seven, turned, rules), taken]
    if record.exchanger == receiver:
        both = f"and the turned {turned}" if own else f"and takes the turned {turned} as well"
        return [f"Seat {receiver} holds the {seven} {both}: no change."]
    return [f"Seat {record.exchanger} swaps the {seven} for the turned {turned}; seat {receiver} takes the {seven}."]


def _why_not(record: DealRecord, seven: str, turned: str, rules: Rules) -> str:
    policy, rank = rules.exchange.exchange_policy, order_of(rules.deck, record.contract).rank
    if policy == "never":
        return f"Nobody swaps the {seven} for the turned {turned}: exchange_policy is never."
    if policy == "better" and rank[record.upcard] <= rank[record.seven]:
        return f"Nobody swaps the {seven} for the turned {turned}, which ranks no higher."
    return f"Nobody can swap the {seven} for the turned {turned}."


def _hands(record: DealRecord, rules: Rules) -> list[str]:
    return ["Hands", *_laid_out(record.hands, rules, order_of(rules.deck, record.contract).trump_suits)]


def _meld_name(meld: Meld, rules: Rules) -> str:
    kind = {RUN: f"run of {len(meld.cards)}", FOUR: "four of a kind", PAIR: "king and queen of trumps"}[meld.kind]
    return f"{kind} {_cards(meld.cards, rules)} ({meld.points})"


def _melds(record: DealRecord, rules: Rules) -> list[str]:
    order = order_of(rules.deck, record.contract)
    lines = ["Melds"]
    for seat, melds in enumerate(record.declared):
        for meld in melds:
            if meld.points:
                lost = "" if meld in record.counted[seat] else _why_lost(meld, record, order)
                lines.append(f"  seat {seat}: {_meld_name(meld, rules)}{lost}")
    if len(lines) == 1:
        return ["Melds", f"  None{_why_none(record, rules)}."]
    lines.append(f"  Points scored: team 0 {record.melds[0]}, team 1 {record.melds[1]}.")
    for team in (0, 1):
        declared = any(record.counted[team::2])
        if declared and rules.melds.melds_need_trick and record.tricks[team] == 0:
            lines.append(f"  Team {team} won no trick, so its melds are lost.")
    return lines


def _why_lost(meld: Meld, record: DealRecord, order: Order) -> str:
    if thrown_away(meld, record.plays, order):
        return ", does not count: the first of the two was thrown on another suit"
    return ", does not count: not the better team's"


def _why_none(record: DealRecord, rules: Rules) -> str:
    if rules.melds.meld_policy == "never":
        return ": meld_policy is never"
    return ": nothing is declared in no trumps" if record.contract == NO_TRUMPS else ""


def _tricks(record: DealRecord, rules: Rules) -> list[str]:
    order = order_of(rules.deck, record.contract)
    lines = ["Tricks"]
    for number, (taken_by, points) in enumerate(zip(record.winners, record.trick_points, strict=True)):
        plies = range(4 * number, 4 * number + 4)
        shown = "  ".join(f"{record.seats[ply]}: {_card(record.plays[ply], rules)}" for ply in plies)
        label = f"{number + 1}".ljust(len(f"{len(record.winners)}"))
        lines.append(f"  {label}  {shown}  won by seat {taken_by} (team {taken_by % 2}), {points} points")
    return [*lines, *(_team_tricks(record, team, order, rules) for team in (0, 1))]


def _team_tricks(record: DealRecord, team: int, order: Order, rules: Rules) -> str:
    won = sum(order.points[card] for card in record.cards_won(team))
    factor = rules.score.nt_multiplier if record.contract == NO_TRUMPS else 1
    doubled = ", doubled in no trumps," if factor > 1 else ""
    extra = record.points[team] - factor * won
    capo = record.tricks[1 - team] == 0 and rules.score.capo_mode != "wins_match"
    bonus = f" and {extra} for {'all tricks' if capo else 'the last trick'}" if extra else ""
    tricks = "1 trick" if record.tricks[team] == 1 else f"{record.tricks[team]} tricks"
    return f"  Team {team}: {tricks}, {won} card points{doubled if bonus else doubled.rstrip(',')}{bonus}."
