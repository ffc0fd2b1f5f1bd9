"""The fairness of the dealer: exact probabilities, p-values that are uniform, and dealers with a flaw that are caught.

Seeds are fixed, so nothing here fails by chance twice.
"""

from __future__ import annotations

import signal
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import kstest

from kernels.decks import SEAT, UP, Array, counted, shuffled
from mpsim.engine.stop import Interrupted
from mpsim.errors import UsageError
from mpsim.stats.chi_square import ChiSquare
from mpsim.studies import dealer, fairness
from mpsim.studies.dealer import QUESTIONS, Question
from mpsim.studies.fairness import PART, Answer, Certificate, certify, count, count_part

ASK = {question.name: question for question in QUESTIONS}
DEALS = 200_000
RARE = "which trumps"
"""The question that takes a million deals; the others are put to fewer here."""


# --- Exact values -----------------------------------------------------------------------------------------------------


def test_suit_lengths_by_hand() -> None:
    """Hands of 8 out of 32: 10,518,300; all of one suit 1, 4-4 in two suits 70^2, 2-2-2-2 28^4 of them."""
    probability = dealer.suit_length_probability()
    assert probability.sum() == pytest.approx(1)
    for clubs, diamonds, hearts, hands in ((8, 0, 0, 1), (0, 0, 0, 1), (4, 4, 0, 4900), (2, 2, 2, 614_656)):
        assert probability[clubs + 9 * diamonds + 81 * hearts] == pytest.approx(hands / 10_518_300)


def test_sharings_by_hand() -> None:
    """Two given cards: both at a given seat with chance 7/124, one each at two given seats with 8/124."""
    pair = dealer.sharing_probability(2)
    assert pair.sum() == pytest.approx(1)
    same, different = [0b0000, 0b0011, 0b1100, 0b1111], [0b0001, 0b0100, 0b0111, 0b1110]
    assert pair[same] == pytest.approx(7 / 124)
    assert pair[different] == pytest.approx(8 / 124)


def test_trumps_by_hand() -> None:
    """King and queen of the turned suit: with the dealer 14/155, with others 7/155 each; and he has a trump."""
    probability, code = dealer.trump_probability(), np.arange(1 << 16)
    assert probability.sum() == pytest.approx(1)
    low, high = code >> 5 & 3, code >> 13 & 3
    for seat, chance in ((0, 7 / 155), (1, 7 / 155), (2, 7 / 155), (3, 14 / 155)):
        both = (low == 3 * (seat & 1)) & (high == 3 * (seat >> 1))
        assert probability[both].sum() == pytest.approx(chance)
    nobody = (code & code >> 8 & 0xFF) == 0
    assert probability[nobody].max() == 0
    assert probability[~nobody].min() > 0
    assert (~nobody).sum() == 4**8 - 3**8


def test_card_points_by_simulation() -> None:
    """Mean and covariance of the seats' points over numpy's deals; points of the game as its rules tell them."""
    plain, trump = np.array([0, 0, 0, 10, 2, 3, 4, 11]), np.array([0, 0, 14, 10, 20, 3, 4, 11])
    assert [list(values) for values in dealer.card_values()] == [list(plain), list(trump)]
    places = shuffled(200_000, 3)
    suit = (places == UP).argmax(axis=1) // 8
    values = np.where(np.arange(32) // 8 == suit[:, None], np.tile(trump, 4), np.tile(plain, 4))
    points = np.array([np.where(SEAT[places] == seat, values, 0).sum(axis=1) for seat in range(4)])
    mean, covariance = dealer.point_moments(plain, trump)
    assert mean.sum() == pytest.approx(152)
    assert covariance.sum(axis=0) == pytest.approx(0)
    assert points.mean(axis=1) == pytest.approx(mean, abs=0.15)
    assert np.cov(points) == pytest.approx(covariance, rel=0.03)


# --- A fair dealer's p-values are uniform -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many() -> dict[str, list[ChiSquare]]:
    """Every question but the rare one, put to 120 seeds of 60,000 deals each."""
    counts = [count_part(seed, 0, 60_000) for seed in range(120)]
    return {name: [question.ask(c) for c in counts] for name, question in ASK.items() if name != RARE}


@pytest.mark.parametrize("name", [name for name in ASK if name != RARE])
def test_p_values_are_uniform(many: dict[str, list[ChiSquare]], name: str) -> None:
    """Kolmogorov and Smirnov; and the mean is the degrees of freedom, the variance twice that."""
    found = many[name]
    assert kstest([answer.p for answer in found], "uniform").pvalue > 0.002
    freedom = found[0].freedom
    values = np.array([answer.statistic for answer in found])
    assert abs(values.mean() - freedom) < 3.5 * (2 * freedom / len(found)) ** 0.5
    assert 0.65 < values.var() / (2 * freedom) < 1.45


def test_p_values_of_rare_sharings_are_uniform() -> None:
    found = [ASK[RARE].ask(count_part(seed, 0, 1_000_000)) for seed in range(16)]
    assert kstest([answer.p for answer in found], "uniform").pvalue > 0.002
    assert found[0].cells > 30_000


@pytest.fixture(scope="module")
def fair_deals() -> Array:
    """By numpy's shuffle."""
    return shuffled(DEALS, 2)


def test_another_fair_dealer_passes(fair_deals: Array) -> None:
    counts = counted(fair_deals)
    assert all(question.ask(counts).p > 1e-3 for name, question in ASK.items() if name != RARE)


# --- Dealers with a flaw ----------------------------------------------------------------------------------------------

Random = np.random.Generator


def swap(places: Array, deals: Array, card: Array | int, place: Array | int) -> None:
    """In these deals the card changes its place with the card that lies there."""
    rows = places[deals]
    at = np.arange(len(rows))
    cards, wanted = np.broadcast_to(card, len(rows)), np.broadcast_to(place, len(rows)).astype(np.int8)
    other = (rows == wanted[:, None]).argmax(axis=1)
    rows[at, other], rows[at, cards] = rows[at, cards], wanted
    places[deals] = rows


def favourite_card(places: Array, random: Random) -> None:
    """The jack of spades comes to the dealer with chance 0.26 instead of 0.25."""
    elsewhere = np.flatnonzero((SEAT[places[:, 28]] != 3) & (random.random(len(places)) < 1 / 75))
    swap(places, elsewhere, 28, random.choice(np.flatnonzero(SEAT == 3), len(elsewhere)))


def favourite_turned(places: Array, random: Random) -> None:
    """The ace of spades is turned up in a percent of the deals, wherever it was before."""
    swap(places, np.flatnonzero(random.random(len(places)) < 0.01), 31, UP)


def late_seven(places: Array, random: Random) -> None:
    """The seven of clubs changes from a seat's five to its last card in two percent of the deals."""
    chosen = np.flatnonzero((places[:, 0] < 20) & (random.random(len(places)) < 0.02))
    swap(places, chosen, 0, 28 + SEAT[places[chosen, 0]])


def sticky_hand(places: Array, random: Random) -> None:
    """King and queen of diamonds, neighbours in a new pack, stay together in a few percent of the deals."""
    _stick(places, random, lambda place: (place + 1) % 5 + place // 5 * 5)


def sticky_steps(places: Array, random: Random) -> None:
    """Of the same two cards, the king goes to the hand after the queen's in a few percent of the deals."""
    _stick(places, random, lambda place: (place + 5) % 20)


def sticky_partners(places: Array, random: Random) -> None:
    """The king goes to the partner of the queen's hand in a few percent of the deals."""
    _stick(places, random, lambda place: (place + 10) % 20)


def _stick(places: Array, random: Random, to: Callable[[Array], Array]) -> None:
    """Among the packets of five only."""
    chosen = np.flatnonzero((places[:, 13] < 20) & (places[:, 14] < 20) & (random.random(len(places)) < 0.1))
    swap(places, chosen, 14, to(places[chosen, 13]))


def no_long_suits(places: Array, random: Random) -> None:
    """Deals in which a hand has six cards of a suit or more are dealt again, once."""
    held = np.array([(SEAT[places] == seat).reshape(-1, 4, 8).sum(axis=2).max(axis=1) for seat in range(4)])
    _again(places, random, held.max(axis=0) >= 6)


def poor_dealer(places: Array, random: Random) -> None:
    """A tenth of the deals in which the dealer has four trumps or more are dealt again."""
    suit = (places == UP).argmax(axis=1) // 8
    held = (SEAT[places[np.arange(len(places))[:, None], 8 * suit[:, None] + np.arange(8)]] == 3).sum(axis=1)
    _again(places, random, (held >= 4) & (random.random(len(places)) < 0.1))


def shared_aces(places: Array, random: Random) -> None:
    """A twentieth of the deals in which one hand has three aces or more are dealt again."""
    _again(places, random, _many_of(places, 7) & (random.random(len(places)) < 0.2))


def shared_jacks(places: Array, random: Random) -> None:
    """The same for jacks."""
    _again(places, random, _many_of(places, 4) & (random.random(len(places)) < 0.2))


def _many_of(places: Array, rank: int) -> Array:
    seats = SEAT[places[:, rank::8]]
    return np.array([(seats == seat).sum(axis=1) for seat in range(4)]).max(axis=0) >= 3


def _again(places: Array, random: Random, deals: Array) -> None:
    places[deals] = shuffled(int(deals.sum()), int(random.integers(1 << 32)))


def strong_first_seat(places: Array, random: Random) -> None:
    """Seat 0 gets an ace for its first card in five percent of the deals."""
    chosen = np.flatnonzero(random.random(len(places)) < 0.05)
    swap(places, chosen, random.choice([7, 15, 23, 31], len(chosen)), 0)


def repeated_deals(places: Array, random: Random) -> None:
    """Two percent of the deals are the deal before once more."""
    again = np.flatnonzero(random.random(len(places)) < 0.02)
    again = again[again > 0]
    places[again] = places[again - 1]


def too_even(places: Array, random: Random) -> None:
    """Each deal is followed by 31 more in which every card has moved on by a place: nothing is left to chance."""
    base = places[::32]
    for step in range(32):
        places[step::32] = (base[: len(places[step::32])] + step) % 32


@pytest.mark.parametrize(
    ("flaw", "names"),
    [
        (favourite_card, ["card by seat"]),
        (favourite_turned, ["turned card", "card by packet"]),
        (late_seven, ["card by packet"]),
        (sticky_hand, ["two cards in a hand", "two cards in a packet"]),
        (sticky_partners, ["two cards of partners"]),
        (sticky_steps, ["card in the next hand"]),
        (no_long_suits, ["suit lengths"]),
        (poor_dealer, ["number of trumps"]),
        (shared_aces, ["aces"]),
        (shared_jacks, ["jacks"]),
        (strong_first_seat, ["card points", "card by seat"]),
        (repeated_deals, ["seat in the next deal", "turned card after"]),
        (too_even, ["card by seat", "turned card"]),
    ],
)
def test_a_flawed_dealer_is_caught(
    fair_deals: Array, flaw: Callable[[Array, Random], None], names: list[str]
) -> None:
    places = fair_deals.copy()
    flaw(places, np.random.default_rng(3))
    assert (np.sort(places[:1000], axis=1) == np.arange(32)).all()
    counts = counted(places, with_relations=flaw in (sticky_hand, sticky_partners, sticky_steps))
    found = {name: ASK[name].ask(counts).p for name in names}
    assert max(found.values()) < 1e-6 / len(QUESTIONS), found


def test_a_card_that_shuns_a_trump_is_caught() -> None:
    """Jack and nine of trumps part company in a tenth of the deals in which one seat has them: who holds *which*."""
    counts = count_part(1, 0, 1_000_000)
    code = np.arange(1 << 16)
    low, high = code >> 2 & 0b101, code >> 10 & 0b101
    together = np.isin(low, (0, 5)) & np.isin(high, (0, 5))
    moved = np.random.default_rng(1).binomial(counts.trumps, 0.1 * together)
    parted = code ^ 0b10000  # the jack goes to the neighbour
    trumps = counts.trumps - moved
    np.add.at(trumps, parted, moved)
    assert ASK[RARE].ask(counts._replace(trumps=trumps)).p < 1e-6 / len(QUESTIONS)


# --- Counting and the verdict -----------------------------------------------------------------------------------------


def test_threads_and_parts_change_nothing() -> None:
    deals = 4 * PART + 12_345
    seen: list[int] = []
    alone, together = count(5, deals, 1, seen.append), count(5, deals, 3)
    assert sum(seen) == deals
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))
    assert dealer.deals_of(alone) == deals
    assert alone.turned.sum() == deals - 5  # a pair of successive deals lies in one of the five parts


def test_memory_is_flat() -> None:
    """Twice the deals take no more memory."""
    def peak(deals: int) -> int:
        tracemalloc.start()
        count(5, deals, 1)
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(4 * PART)
    assert peak(8 * PART) < 1.1 * peak(4 * PART)


def test_ctrl_c() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    seen: list[int] = []

    def progress(deals: int) -> None:
        if not seen:
            signal.raise_signal(signal.SIGINT)
        seen.append(deals)

    try:
        with pytest.raises(Interrupted, match="interrupted"):
            count(1, 1 << 30, 2, progress)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(seen) < 20


@pytest.mark.parametrize(("seed", "deals"), [(1, 999_999), (1, 2**41), (-1, 10**6), (2**64, 10**6)])
def test_what_cannot_be_judged(seed: int, deals: int) -> None:
    with pytest.raises(UsageError, match="cannot be judged"):
        certify(seed, deals)


def certificate(*p_values: float) -> Certificate:
    """Answers with these p-values: of a chi-square with two degrees, P(X >= x) = e^(-x / 2)."""
    question = Question("a question", "Is it so?", lambda counts: ChiSquare(0, 1, 2))
    return Certificate(1, 10, tuple(Answer(question, ChiSquare(-2 * np.log(p / 2), 2, 3)) for p in p_values))


@pytest.mark.parametrize(
    ("p_values", "corrected", "verdict"),
    [
        ((0.5, 0.02, 0.9, 0.3), 0.08, "nothing found"),
        ((0.5, 0.4), 0.8, "nothing found"),
        ((0.9, 0.6, 0.7), 1.0, "nothing found"),
        ((0.5, 0.002, 0.9, 0.3), 0.008, "look again"),
        ((0.5, 2e-6), 4e-6, "look again"),
        ((0.5, 4e-7), 8e-7, "unfair"),
        ((1e-200,), 1e-200, "unfair"),
    ],
)
def test_verdicts_have_three_states(p_values: tuple[float, ...], corrected: float, verdict: str) -> None:
    found = certificate(*p_values)
    assert found.corrected == pytest.approx(corrected)
    assert found.verdict == verdict
    assert found.smallest.p == pytest.approx(min(p_values))


def test_a_verdict_is_right_about_the_dealer_in_use() -> None:
    assert certify(1, 1_000_000, 2).verdict == "nothing found"
    assert fairness.UNFAIR == 1e-6
