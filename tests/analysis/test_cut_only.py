"""The script on decks that are only cut: exact shares, counting by hand, and a small run."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mpsim.cards import format_card, parse_cards
from mpsim.rules import load_rules

sys.path.insert(0, str(Path(__file__).parents[2] / "analysis"))

import cut_only


def test_exact_shares() -> None:
    """Runs and fours as enumerated over all 10,518,300 hands; suits by the ways to have none missing."""
    void, five, six, run, four = cut_only.exact(load_rules("belote"))
    assert run == 1 - Fraction(8142534, 10518300)
    assert four == Fraction(40943, 2629575)
    # By inclusion and exclusion: 4 C(24,8) - 6 C(16,8) + 4 C(8,8) hands lack a suit.
    assert void == Fraction(4 * 735471 - 6 * 12870 + 4, 10518300)
    # Two suits cannot have five cards: 4 (C(8,5) C(24,3) + C(8,6) C(24,2) + C(8,7) C(24,1) + C(8,8)).
    assert five == Fraction(4 * (56 * 2024 + 28 * 276 + 8 * 24 + 1), 10518300)
    assert six == Fraction(4 * (28 * 276 + 8 * 24 + 1), 10518300)


HANDS = ("7c 8c 9c Tc Jc Qc Kd As", "7c 7d 7h 7s 8c 9d Jh Qs", "7c 9c Jc Kc Ac 7d 9d Jh", "7c 8c Td Jd Ah Kh 9s As")
"""Six clubs, a run, no hearts; a four; five clubs and no spades; nothing."""


def test_answers_by_hand() -> None:
    hands = np.array([[parse_cards(hand, count=8) for hand in HANDS]], np.uint32)
    assert cut_only.answers(hands)[:, 0].tolist() == [2, 2, 1, 1, 1]


def test_answers_in_plain_python() -> None:
    hands = np.random.default_rng(1).permuted(np.tile(np.arange(32), (300, 1)), axis=1)[:, :8]
    words = (1 << hands).sum(axis=1).astype(np.uint32)[:, None]
    found = cut_only.answers(words)
    for number, hand in enumerate(hands.tolist()):
        suits = ["".join(sorted(format_card(card)[0] for card in hand if card // 8 == suit)) for suit in range(4)]
        row = ["".join("x" if 8 * suit + rank in hand else "." for rank in range(8)) for suit in range(4)]
        expected = [
            "" in suits, max(map(len, suits)) >= 5, max(map(len, suits)) >= 6, any("xxx" in holding for holding in row),
            any(all(8 * suit + rank in hand for suit in range(4)) for rank in range(8)),
        ]
        assert found[:, number].tolist() == [int(value) for value in expected]


def test_a_small_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A shuffled deck agrees with the exact shares; after a deal a deck dealt in packets does not."""
    monkeypatch.setattr(sys, "argv", ["cut_only.py", "--deals", "3e5", "--seed", "3"])
    cut_only.main()
    lines = capsys.readouterr().out.splitlines()
    assert "2,343 tables of 128 deals, 9,372 hands a line" in lines[0]
    scores = [float(line.rpartition(" ")[2]) for line in lines if line.startswith("  after")]
    assert len(scores) == len(cut_only.ASKED) * len(cut_only.AFTER)
    assert all(abs(score) < 4 for score in scores[:: len(cut_only.AFTER)])
    assert min(scores[1:6]) > 10
