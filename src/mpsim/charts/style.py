"""What all figures share: colours, a title, and a caption that says what was measured."""

from __future__ import annotations

from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#555555"
"""Of the Okabe-Ito palette, told apart by the colour-blind too; whatever differs in colour differs in shape as well."""
DPI = 160


def plain(axes: Axes, *sides: str) -> None:
    """Axes without the lines on these sides."""
    for side in sides:
        axes.spines[side].set_visible(False)


def titled(figure: Figure, title: str) -> None:
    """A title at the left."""
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold")


def captioned(figure: Figure, text: str) -> None:
    """The figure laid out with a caption below it."""
    caption = fill(text, 150)
    figure.text(0.01, 0.012, caption, fontsize=8.5, color=GREY, va="bottom")
    figure.tight_layout(rect=(0, (0.2 + 0.15 * caption.count("\n")) / figure.get_figheight(), 1, 1))
