"""Figures of a study of melds: how often they come, what they are worth, and what bidding and exchange change."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from mpsim.charts.style import BLUE, DPI, GREEN, GREY, ORANGE, captioned, plain, titled
from mpsim.stats.meld_counts import TURNS, stages_of
from mpsim.stats.meld_table import Row, meld_name
from mpsim.studies.melds import MeldStudy

SCOPES = {"hand": (BLUE, "o"), "team": (GREEN, "s"), "deal": (ORANGE, "D")}
STAGES = {"before": (BLUE, "o", -0.17), "after": (ORANGE, "D", 0.17), "bid": (BLUE, "o", 0.0)}
CONFIDENCE = 1.96
RAREST = 1e-6
"""Points that come less often are not drawn."""

ROLES = {
    "taker": "taker", "partner": "his partner", "left": "defender after him", "right": "defender before him",
    "makers": "makers together", "defenders": "defenders together", "any": "the deal",
}
MEASURES = {
    "run_3_up": "a run of 3 or more", "fours": "four of a kind", "pair": "K+Q of trumps", "points": "mean meld points",
}


def meld_figures(study: MeldStudy) -> dict[str, Figure]:
    """Figures by name; the one about bidding only where deals were looked at in which somebody took."""
    figures = {"meld_frequency": frequency_figure(study), "meld_points": points_figure(study)}
    if any(row.change is not None and row.who == "taker" for row in study.bidding):
        figures["meld_bidding"] = bidding_figure(study)
    return figures


def frequency_figure(study: MeldStudy) -> Figure:
    """How often a hand, a team and a deal have one or more of each meld, on a logarithmic axis."""
    figure = Figure(figsize=(10, 6.2), dpi=DPI)
    axes = figure.add_subplot()
    melds = _melds_shown(study)
    for shift, (scope, (colour, marker)) in zip((-0.24, 0, 0.24), SCOPES.items(), strict=True):
        rows = [study.find(scope, meld, "some") for meld in melds]
        places = [place + shift for place in range(len(melds))]
        axes.plot([_exact(row) for row in rows], places, marker, color=colour, mfc="none", mew=1.6, ms=8,
                  label=f"a {scope}, exact")
        _error_bars(axes, places, rows, upright=False)
    _percent_and_odds(axes, min(_exact(study.find("hand", meld, "some")) for meld in melds))
    names = {"four_" + study.rules.deck.ranks[0]: "four of one given rank"}
    axes.set_yticks(range(len(melds)), [names.get(meld, meld_name(meld)) for meld in melds])
    axes.set_ylim(len(melds) - 0.5, -0.5)
    axes.grid(axis="x", color="#e5e5e5")
    for place in range(1, len(melds), 2):
        axes.axhspan(place - 0.5, place + 0.5, color="#f5f5f5", zorder=0)
    axes.set_axisbelow(True)
    plain(axes, "top")
    handles = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))  # one of all simulated
    axes.legend(handles.values(), handles.keys(), loc="upper left", framealpha=1, edgecolor="none")
    titled(figure, "How often melds are dealt: one or more of each")
    _captioned(figure, study, (
        f"Chance that a hand ({study.rules.hand_size} cards), a team (its two hands) or a deal (all four) holds one or "
        f"more; each hand, team or deal counts once. {_marks(study)} A run of just so many cards is not part of a "
        "longer one; a four is of any rank that is worth points, or of one rank alone, equally likely for each."
    ))
    return figure


def _melds_shown(study: MeldStudy) -> list[str]:
    held = {row.meld for row in study.rows if row.scope == "hand" and row.what == "some" and row.exact}
    runs_up = [f"run_{length}_up" for length in range(3, 6)]
    runs = [f"run_{length}" for length in range(3, 9)]
    others = ["pair", "fours", "four_" + study.rules.deck.ranks[0]]
    return [meld for meld in (*runs_up, *others, *runs) if meld in held]


def _percent_and_odds(axes: Axes, smallest: float) -> None:
    """A logarithmic axis of chances, in percent below and as odds above."""
    decades = range(1, len(f"{1 / smallest:.0f}") + 1)
    ticks = [10.0**-decade for decade in reversed(decades)] + [1.0]
    axes.set_xscale("log")
    axes.set_xticks(ticks, [_percent(tick) for tick in ticks])
    axes.set_xlim(ticks[0], 1)
    axes.set_xlabel("chance")
    above = axes.secondary_xaxis("top")
    above.set_xticks(ticks[1:], [f"{1 / tick:,.0f}" for tick in ticks[1:]])
    above.set_xlabel("one in")
    for axis in (axes.xaxis, above.xaxis):
        axis.set_tick_params(which="minor", length=0)


def _percent(chance: float) -> str:
    return f"{100 * chance:.12f}".rstrip("0").rstrip(".") + " %"


def points_figure(study: MeldStudy) -> Figure:
    """How often a hand, a team and a deal have how many meld points."""
    figure = Figure(figsize=(10, 5), dpi=DPI)
    panels = figure.subplots(1, 3, sharey=True)
    for axes, (scope, (colour, marker)) in zip(panels, SCOPES.items(), strict=True):
        rows = [row for row in study.rows if (row.scope, row.meld, row.what) == (scope, "points", "number")
                and _exact(row) >= RAREST]
        values = [float(row.value or 0) for row in rows]
        axes.plot(values, [_exact(row) for row in rows], marker, color=colour, mfc="none", mew=1.4, ms=6,
                  label=f"a {scope}, exact")
        _error_bars(axes, values, rows, upright=True)
        axes.set_title(f"a {scope}: {_means(study.find(scope, 'points', 'mean'))}", loc="left", fontsize=10)
        axes.set(xlabel="meld points", yscale="log", ylim=(RAREST / 2, 1.5))
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda chance, _: _percent(chance)))
        axes.grid(color="#e5e5e5")
        axes.set_axisbelow(True)
        plain(axes, "top", "right")
    panels[0].set_ylabel("chance of just so many")
    titled(figure, "What melds are worth, for cards dealt at random")
    trumps = "the turned suit" if study.rules.deal.turn_up else "one suit"
    declared = "" if study.rules.melds.meld_compare == "none" else (
        "A hand's points are what it declares, a team's and a deal's what counts after melds are compared. "
    )
    _captioned(figure, study, (
        f"Shares of all hands, teams and deals, {trumps} being trumps. {declared}{_marks(study)} "
        "What comes less often than once in a million is not drawn."
    ))
    return figure


def _means(row: Row) -> str:
    simulated = ""
    if row.simulated is not None and row.se is not None:
        simulated = f"\nsimulated {row.simulated:.3f} ± {CONFIDENCE * row.se:.3f}"
    return f"mean {_exact(row):.4f} exactly{simulated}"


FIXED = {
    "1": "trumps fixed in round 1", "2": "trumps fixed in round 2", "suit": "a suit is trumps",
    "no_trumps": "no trumps", "all_trumps": "all trumps", "drawn": "trumps and taker by lot",
}


def bidding_figure(study: MeldStudy) -> Figure:
    """How far bidding, and then any exchange, move chances and means from those of cards dealt at random."""
    turns, stages = TURNS[study.rules.auction.kind], stages_of(study.rules)
    figure = Figure(figsize=(10, 1.4 + 2.5 * len(turns)), dpi=DPI)
    panels = figure.subplots(len(turns), len(MEASURES), sharex="col", sharey=True, squeeze=False)
    found = {(row.round, row.stage, row.who, row.meld, row.what): row for row in study.bidding}
    for turn, across in zip(turns, panels, strict=True):
        for axes, meld in zip(across, MEASURES, strict=True):
            what, scale = ("mean", 1) if meld == "points" else ("some", 100)
            for stage in stages:
                colour, marker, shift = STAGES[stage]
                rows = [found[turn, stage, who, meld, what] for who in ROLES]
                places = [place + shift for place in range(len(rows))]
                _changes(axes, places, rows, scale, colour, marker, f"{stage} the exchange")
            _bidding_axes(axes)
        deals = found[turn, stages[0], "any", "points", "mean"].n
        across[0].set_ylabel(f"{FIXED[turn]}\n({deals:,} deals)")
    for above, below, (meld, title) in zip(panels[0], panels[-1], MEASURES.items(), strict=True):
        above.set_title(title, fontsize=10)
        below.set_xlabel("change, points" if meld == "points" else "change, percentage points")
    if len(stages) > 1:
        figure.legend(*panels[0][0].get_legend_handles_labels(), loc="upper right", ncols=2, frameon=False)
    titled(figure, "What bidding and the exchange change" if len(stages) > 1 else "What bidding changes")
    _captioned(figure, study, _what_changes(study))
    return figure


def _what_changes(study: MeldStudy) -> str:
    rules = study.rules
    if rules.auction.kind == "accept":
        return (
            "Change of the chance of one or more, or of the mean points, from their exact values for random cards (the "
            "line at 0): of one hand, of a team's two, of all four. Over all deals whose trumps were fixed in that "
            "round, with the trumps chosen, before anybody swaps the seven and after; whiskers are 95 % intervals."
        )
    under = " under the same kind of contract" if rules.auction.kind == "ladder" else ""
    swaps = ", before anybody swaps the seven and after" if rules.deal.turn_up else ""
    return (
        f"Change of the chance of one or more, or of the mean points, from their exact values for random cards{under} "
        f"(the line at 0): of one hand, of a team's two, of all four{swaps}; whiskers are 95 % intervals."
    )


def _changes(
    axes: Axes, places: Sequence[float], rows: Sequence[Row], scale: int, colour: str, marker: str, label: str
) -> None:
    seen = [(place, row) for place, row in zip(places, rows, strict=True) if row.change is not None]
    errors = [CONFIDENCE * scale * (row.se or 0.0) for _, row in seen]
    axes.errorbar([scale * (row.change or 0.0) for _, row in seen], [place for place, _ in seen], xerr=errors,
                  fmt=marker, color=colour, ms=4.5, capsize=2.5, lw=1.2, label=label)


def _bidding_axes(axes: Axes) -> None:
    axes.axvline(0, color=GREY, lw=1)
    axes.set_yticks(range(len(ROLES)), list(ROLES.values()))
    axes.set_ylim(len(ROLES) - 0.5, -0.5)
    for place in (3.5, 5.5):
        axes.axhline(place, color="#bbbbbb", lw=0.8)
    axes.grid(axis="x", color="#e5e5e5")
    axes.set_axisbelow(True)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    plain(axes, "top", "right")


def _error_bars(axes: Axes, places: Sequence[float], rows: Sequence[Row], upright: bool) -> None:
    """Simulated chances with 95 % intervals; what never came has no place on a logarithmic axis."""
    seen = [(place, row.simulated, CONFIDENCE * (row.se or 0.0)) for place, row in zip(places, rows, strict=True)
            if row.simulated and row.simulated > 0]
    if not seen:
        return
    where, means, errors = zip(*seen, strict=True)
    x, y = (where, means) if upright else (means, where)
    axes.errorbar(x, y, errors if upright else None, None if upright else errors, fmt=".", color="black", ms=4,
                  capsize=2.5, lw=1, label="simulated")


def _exact(row: Row) -> float:
    return float(row.exact or 0)


def _marks(study: MeldStudy) -> str:
    if study.dealt is None:
        return "All numbers are exact."
    return "Hollow marks are exact; dots are simulated, with 95 % intervals (none if it never came)."


def _captioned(figure: Figure, study: MeldStudy, text: str) -> None:
    """The figure laid out with a caption below it that says what was measured."""
    source = f"; {study.dealt.describe()}" if study.dealt else ""
    captioned(figure, f"Rules {study.rules.name}{source}. {text}")
