"""The figure of match lengths draws the counts, and says what it is of."""

from __future__ import annotations

from collections import Counter

import pytest
from matplotlib.figure import Figure

from mpsim.charts.matches import length_figure
from mpsim.stats.match_tally import MatchTally, Outcome

SHORT = Counter({4: 60_000, 5: 39_999, 30: 1})
GAMES = {
    "one": MatchTally(Counter({Outcome(0, 1, "target"): 10}),
                      {"deals": Counter({12: 3, 10: 5, 13: 2}), "scored": Counter({9: 4, 10: 6})}),
    "two": MatchTally(Counter({Outcome(1, 1, "target"): 100_000}), {"deals": SHORT, "scored": SHORT}),
}


@pytest.fixture(scope="module")
def figure() -> Figure:
    return length_figure(GAMES, "10 matches and more")


def test_bars_and_marks_are_the_shares(figure: Figure) -> None:
    one, two = figure.axes
    bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in one.patches}
    assert bars == {10: 50, 12: 30, 13: 20}
    (marks,) = (line for line in one.lines if line.get_label() == "scored")
    assert [tuple(mark) for mark in marks.get_xydata()] == [(9, 40), (10, 60)]
    # Where nothing is thrown in, one of the two is enough.
    assert [line for line in two.lines if line.get_label() == "scored"] == []


def test_panels_say_what_they_are_of(figure: Figure) -> None:
    one, two = figure.axes
    assert one.get_title(loc="left") == "one: mean 11.20, middle half 10 to 12"
    assert two.get_title(loc="left") == "two: mean 4.40, middle half 4 to 5"
    assert one.get_xlim() == two.get_xlim()
    # One match in 100,000 with 30 deals is not waited for.
    assert one.get_xlim()[1] < 15
    assert one.get_ylim()[1] > 60
    caption = " ".join(" ".join(text.get_text().split()) for text in figure.texts)
    assert "by how many deals they took: 10 matches and more." in caption
    # Of ten matches a half has an interval of 1.96 * sqrt(0.25 / 10).
    assert "±30.99 percentage points" in caption
    assert figure.get_suptitle() == "How long a match is"


def test_one_game_alone() -> None:
    assert len(length_figure({"one": GAMES["one"]}, "").axes) == 1
