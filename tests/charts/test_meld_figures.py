"""Figures of melds draw the numbers of the study, say what they are of, and do not mind what is not there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

from mpsim.charts.melds import MEASURES, RAREST, ROLES, meld_figures
from mpsim.policies import load_policies
from mpsim.rules import load_rules
from mpsim.stats.meld_table import exact_melds
from mpsim.studies.melds import MeldStudy, study_deals, study_exact

RULES = load_rules("mpourloto")
DEALS = 20_000


@pytest.fixture(scope="module", autouse=True)
def _exact_once() -> Iterator[None]:
    """Exact numbers of the same rules are counted once, not for every study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mpsim.studies.melds.exact_melds", cache(exact_melds))
        yield


@pytest.fixture(scope="module")
def study() -> MeldStudy:
    return study_deals(RULES, load_policies(), 1, 0, DEALS)


@pytest.fixture(scope="module")
def figures(study: MeldStudy) -> dict[str, Figure]:
    return meld_figures(study)


def marks(axes: Axes, label: str) -> list[tuple[float, float]]:
    (line,) = (line for line in axes.lines if line.get_label() == label)
    return [(float(x), float(y)) for x, y in line.get_xydata()]


def bars(axes: Axes, label: str) -> list[tuple[float, float, float, float]]:
    """Each mark with the ends of its whisker: (x, y, least, most), in the direction of the whisker."""
    found = []
    for container in axes.containers:
        if isinstance(container, ErrorbarContainer) and container.get_label() == label:
            line, _, (whiskers,) = container
            across = 0 if container.has_xerr else 1
            for (x, y), ends in zip(line.get_xydata(), whiskers.get_segments(), strict=True):
                found.append((float(x), float(y), *(float(end[across]) for end in ends)))
    return found


def caption(figure: Figure) -> str:
    return " ".join(" ".join(text.get_text().split()) for text in figure.texts)


def test_every_figure_says_what_it_is_of(figures: dict[str, Figure]) -> None:
    assert list(figures) == ["meld_frequency", "meld_points", "meld_bidding"]
    for figure in figures.values():
        assert "Rules mpourloto; 20,000 deals of seed 1 from 0, bid points." in caption(figure)
        assert "95 %" in caption(figure)
        assert figure.get_suptitle()


@pytest.mark.parametrize("scope", ["hand", "team", "deal"])
def test_exact_frequencies_stand_where_they_should(figures: dict[str, Figure], study: MeldStudy, scope: str) -> None:
    axes = figures["meld_frequency"].axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    drawn = {names[round(y)]: x for x, y in marks(axes, f"a {scope}, exact")}
    assert len(drawn) == 12
    assert drawn["run of 3 or more"] == pytest.approx(1 - float(study.find(scope, "run_3_up", "number", 0).exact or 0))
    assert drawn["K+Q of trumps"] == pytest.approx({"hand": 1, "team": 2, "deal": 4}[scope] * 7 / 124)
    assert drawn["run of 8"] == float(study.find(scope, "run_8", "some").exact or 0)
    assert axes.get_xscale() == "log"
    assert axes.get_xlabel() == "chance"
    assert all(axes.get_xlim()[0] < x < axes.get_xlim()[1] for x in drawn.values())


def test_simulated_frequencies_have_their_errors(figures: dict[str, Figure], study: MeldStudy) -> None:
    drawn = bars(figures["meld_frequency"].axes[0], "simulated")
    row = study.find("hand", "run_3_up", "some")
    assert row.simulated is not None
    assert row.se is not None
    (mean, _, least, most), error = drawn[0], 1.96 * row.se
    assert (mean, least, most) == pytest.approx((row.simulated, row.simulated - error, row.simulated + error))
    assert all(mean > 0 for mean, *_ in drawn)


def test_points_and_their_means(figures: dict[str, Figure], study: MeldStudy) -> None:
    panels = figures["meld_points"].axes
    assert [axes.get_xlabel() for axes in panels] == ["meld points"] * 3
    assert panels[0].get_ylabel() == "chance of just so many"
    for axes, scope in zip(panels, ("hand", "team", "deal"), strict=True):
        expected = {row.value: float(row.exact or 0) for row in study.rows
                    if (row.scope, row.meld, row.what) == (scope, "points", "number")}
        drawn = dict(marks(axes, f"a {scope}, exact"))
        assert drawn == {value: chance for value, chance in expected.items() if chance >= RAREST}
        assert sum(drawn.values()) == pytest.approx(1, abs=1e-4)
        assert "± " in axes.get_title(loc="left")
    assert "a deal: mean 34.2618 exactly" in panels[2].get_title(loc="left")


def test_changes_of_bidding(figures: dict[str, Figure], study: MeldStudy) -> None:
    panels = figures["meld_bidding"].axes
    assert [axes.get_title() for axes in panels[:4]] == list(MEASURES.values())
    assert [axes.get_xlabel() for axes in panels[4:]] == ["change, percentage points"] * 3 + ["change, points"]
    assert [label.get_text() for label in panels[0].get_yticklabels()] == list(ROLES.values())
    found = {(row.round, row.stage, row.who, row.meld, row.what): row for row in study.bidding}
    for number, axes in enumerate(panels):
        turn, meld = str(1 + number // 4), list(MEASURES)[number % 4]
        what, scale = ("mean", 1) if meld == "points" else ("some", 100)
        for stage in ("before", "after"):
            drawn = [x for x, *_ in bars(axes, f"{stage} the exchange")]
            rows = [found[turn, stage, who, meld, what] for who in ROLES]
            assert drawn == pytest.approx([scale * (row.change or 0) for row in rows])
    deals = found["1", "before", "any", "points", "mean"].n
    assert f"trumps fixed in round 1\n({deals:,} deals)" in panels[0].get_ylabel()


def test_exact_numbers_alone() -> None:
    figures = meld_figures(study_exact(RULES))
    assert list(figures) == ["meld_frequency", "meld_points"]
    for figure in figures.values():
        assert "Rules mpourloto. " in caption(figure)
        assert "All numbers are exact." in caption(figure)
        assert all(not axes.containers for axes in figure.axes)
    assert figures["meld_points"].axes[0].get_title(loc="left") == "a hand: mean 8.5655 exactly"


@pytest.mark.parametrize(("deals", "bid"), [(100, "points"), (1, "never")])
def test_few_deals_draw_without_a_warning(deals: int, bid: str, tmp_path: Path) -> None:
    figures = meld_figures(study_deals(RULES, load_policies(bid=bid), 1, 0, deals))
    assert ("meld_bidding" in figures) == (bid != "never")
    for name, figure in figures.items():
        figure.savefig(tmp_path / f"{name}.png")


def test_compared_melds_are_named(study: MeldStudy) -> None:
    rules = load_rules("mpourloto", ["melds.meld_compare=by_category"])
    figure = meld_figures(replace(study, rules=rules))["meld_points"]
    assert "what counts after melds are compared" in caption(figure)


def test_points_that_nobody_may_declare() -> None:
    figure = meld_figures(study_exact(load_rules("mpourloto", ["melds.meld_policy=never"])))["meld_points"]
    assert marks(figure.axes[0], "a hand, exact") == [(0, 1)]
