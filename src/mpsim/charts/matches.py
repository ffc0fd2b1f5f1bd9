"""Figures of matches: how long they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from mpsim.charts.style import BLUE, DPI, ORANGE, captioned, plain, titled
from mpsim.stats.match_tally import MatchTally, moments_by_value, quantile

RAREST = 1e-4
"""Lengths of a smaller share of all matches are not drawn."""


def length_figure(games: Mapping[str, MatchTally], source: str) -> Figure:
    """Matches by their number of deals, a panel a game, all on one axis; `source` says what was played."""
    figure = Figure(figsize=(10, 1.6 + 1.75 * len(games)), dpi=DPI)
    panels = figure.subplots(len(games), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (name, tally) in zip(panels, games.items(), strict=True):
        _panel(axes, name, tally)
    panels[-1].set_xlabel("deals in a match")
    panels[-1].set_xlim(0.3, max(_shares(tally.of("deals"))[0][-1] for tally in games.values()) + 0.7)
    panels[-1].xaxis.set_major_locator(MaxNLocator(18, integer=True))
    titled(figure, "How long a match is")
    captioned(figure, (
        f"Shares of all matches by how many deals they took: {source}. Bars: deals dealt, thrown-in ones too; "
        "diamonds: scored deals, where any are thrown in; dashed: the mean of the deals dealt. The 95 % intervals of "
        f"the shares are ±{100 * _largest_error(games):.2f} percentage points or narrower; shares below "
        f"{100 * RAREST:g} % are not drawn."
    ))
    return figure


def _panel(axes: Axes, name: str, tally: MatchTally) -> None:
    dealt, scored = tally.of("deals"), tally.of("scored")
    axes.bar(*_shares(dealt), width=0.84, color=BLUE, label="dealt")
    if dealt != scored:
        axes.plot(*_shares(scored), "D", color=ORANGE, ms=5.5, mec="white", mew=0.7, label="scored")
    moments = moments_by_value(dealt)
    mean = moments.total / moments.n
    axes.axvline(mean, color="black", lw=1.2, ls="--")
    axes.set_title(f"{name}: mean {mean:.2f}, middle half {quantile(dealt, 25)} to {quantile(dealt, 75)}", loc="left",
                   fontsize=10)
    axes.set_ylabel("% of matches")
    axes.set_ylim(0, 112 * max(max(values.values()) for values in (dealt, scored)) / tally.matches)
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.grid(axis="y", color="#e5e5e5")
    axes.set_axisbelow(True)
    axes.legend(loc="upper left", frameon=False, fontsize=9)
    plain(axes, "top", "right")


def _shares(values: Counter[int]) -> tuple[list[int], list[float]]:
    """Values, and percent of matches with them."""
    drawn = [value for value in sorted(values) if values[value] >= RAREST * values.total()]
    return drawn, [100 * values[value] / values.total() for value in drawn]


def _largest_error(games: Mapping[str, MatchTally]) -> float:
    """Half a 95 % interval of a share of one half, the widest there is, with the fewest matches."""
    return float(1.96 * 0.5 / min(tally.matches for tally in games.values()) ** 0.5)
