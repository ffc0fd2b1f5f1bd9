"""The certificate of a fair dealer as a page: what was dealt, asked and found, and how to repeat it."""

from __future__ import annotations

import math
import textwrap
from typing import Any

from mpsim import __version__
from mpsim.engine.plan import short_count
from mpsim.store.provenance import STREAM_VERSION
from mpsim.studies.fairness import LOOK_AGAIN, UNFAIR, Answer, Certificate

WIDTH = 120


def as_dict(certificate: Certificate) -> dict[str, Any]:
    """Plain values for JSON; an infinite chi-square, of a thing that cannot be, is None."""
    return {
        "seed": certificate.seed,
        "deals": certificate.deals,
        "version": __version__,
        "stream": STREAM_VERSION,
        "questions": [_answer(answer) for answer in certificate.answers],
        "smallest_p": certificate.smallest.p,
        "corrected_p": certificate.corrected,
        "verdict": certificate.verdict,
        "command": command(certificate),
    }


def _answer(answer: Answer) -> dict[str, Any]:
    question, found = answer.question, answer.found
    return {
        "name": question.name,
        "question": question.text,
        "cells": found.cells,
        "freedom": found.freedom,
        "chi_square": found.statistic if math.isfinite(found.statistic) else None,
        "p": found.p,
    }


def command(certificate: Certificate) -> str:
    """What repeats it."""
    return f"mpsim verify --deck --deals {short_count(certificate.deals)} --seed {certificate.seed}"


def page(certificate: Certificate) -> str:
    """The page, in Markdown that reads well as it is."""
    asked = [f"{number}. {answer.question.text}" for number, answer in enumerate(certificate.answers, 1)]
    parts = [
        "# Is the dealer fair?",
        _wrapped(
            f"mpsim {__version__} (random streams {STREAM_VERSION}) dealt {certificate.deals:,} deals of seed "
            f"{certificate.seed}: 32 cards to four hands of eight, seat 3 the dealer, whose last card is turned up. "
            "They are the deals that `mpsim simulate` plays with this seed. Each question below was put to them, and "
            "what was counted was set against what a perfect shuffle makes of it, worked out exactly."
        ),
        _wrapped(verdict(certificate)),
        "## What was asked",
        "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="   ") for line in asked),
        "## What came out",
        _table(certificate),
        _wrapped(
            "Chi-square adds up how far the counts of all cells are from the exact values; a fair dealer's is about as "
            "great as its degrees of freedom. p tells how often a fair dealer is as far off as this or farther, too "
            "uneven or too even: below 0.5 in half of all cases, below 0.01 in one of a hundred."
        ),
        "## Repeat it",
        f"```bash\n{command(certificate)}\n```",
        _wrapped(
            "gives the same numbers on any machine, with any number of threads. Better, take a seed of your own: "
            "nobody can have chosen that."
        ),
    ]
    return "\n\n".join(parts) + "\n"


def verdict(certificate: Certificate) -> str:
    """The three-state verdict, in words."""
    answer, asked = certificate.smallest, len(certificate.answers)
    which = f"{_p(answer.p)} (question {certificate.answers.index(answer) + 1}, {answer.question.name})"
    chance = f"with chance {_p(certificate.corrected)} at most"
    if certificate.verdict == "unfair":
        return (
            f"**Unfair.** The smallest of {asked} p-values is {which}. A fair dealer gives one so small {chance}, and "
            f"below {UNFAIR:g} that is no accident."
        )
    if certificate.verdict == "look again":
        return (
            f"**Look again.** The smallest of {asked} p-values is {which}. A fair dealer gives one so small {chance}: "
            f"below {LOOK_AGAIN:g} is rare, and no proof. Repeat it with another seed; if something is wrong, the same "
            "question will stand out again."
        )
    if certificate.corrected == 1:
        chance = "as a rule"
    return (
        f"**Nothing found.** The smallest of {asked} p-values is {which}; a fair dealer gives one so small {chance}. "
        "Whatever is wrong with this dealer is too little to be seen in so many deals."
    )


def _table(certificate: Certificate) -> str:
    """Columns of equal width, so that it is a table without being rendered too."""
    rows = [("", "question", "cells", "degrees of freedom", "chi-square", "p")]
    for number, answer in enumerate(certificate.answers, 1):
        found = answer.found
        numbers = f"{found.cells:,}", f"{found.freedom:,}", f"{found.statistic:,.1f}", _p(found.p)
        rows.append((str(number), answer.question.name, *numbers))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    rule = "|" + "|".join("-" * (width + 1) + (" " if place == 1 else ":") for place, width in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [text.ljust(width) if place == 1 else text.rjust(width)
             for place, (text, width) in enumerate(zip(row, widths, strict=True))]
    return f"| {' | '.join(cells)} |"


def _p(p: float) -> str:
    """Two digits that count: `0.38`, `0.0042`, `3e-09`."""
    return f"{p:.2f}" if p >= 0.1 else f"{p:.2g}"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
