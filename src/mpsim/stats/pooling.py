"""Partial pooling: what classes with few visits borrow from those like them.

The difference of a class is modelled as the effect of its cell (trumps held, rank turned) plus an effect of each side
holding, which may depend on how many trumps are held, plus a deviation of its own; the visits of a class scatter around
that.  Effects have normal priors around 0 with stated widths, and the width of the deviations is estimated by moments.
So a class with many visits keeps its own mean, and one without any has what its holdings say (an empirical Bayes
estimate: Efron and Morris, JASA 70, 1975; the model is a mixed one: Robinson, Statistical Science 6, 1991).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

CELL_WIDTH, SIDE_WIDTH = 60.0, 20.0
"""Prior standard deviations of the effects of a cell and of a side holding, in points."""
START_WIDTH, LEAST_WIDTH = 8.0, 0.5
"""Of the deviations of classes, in points: where the estimate begins, and its least value."""
COMMON_WIDTH = 1000.0
"""Prior standard deviation of what is common to all classes."""
ROUNDS, MOST_STEPS, PRECISION = 3, 200, 1e-4
"""Estimates of the width of the deviations; steps of a fit at the most, and the residual that ends it."""
BORROWED = 30
"""Visits that the variance of a class borrows from its cell's."""


class Design(NamedTuple):
    """Which effects a class has: numbers from 0, arrays [class] and [effect, class]; and how many there are."""

    cell: Array
    cells: int
    sides: Array
    effects: int


class Observed(NamedTuple):
    """Of each class: visits, mean difference (0 without visits), the variance of one visit's difference."""

    n: Array
    mean: Array
    variance: Array


class Pooled(NamedTuple):
    """Of each class: the estimate, and its standard error."""

    mean: Array
    se: Array


def observed(sums: Array, design: Design) -> Observed:
    """From int64 sums [class, 6] of visits: number, gains of taking and passing, their squares, their product.

    The variance is the class's own, with `BORROWED` visits of the variance in its cell.
    """
    n, total = sums[:, 0], sums[:, 1] - sums[:, 2]
    squares = sums[:, 3] - 2 * sums[:, 5] + sums[:, 4]
    cell_n = np.bincount(design.cell, n, design.cells)
    cell_mean = np.bincount(design.cell, total, design.cells) / np.maximum(cell_n, 1)
    everywhere = squares.sum() / max(n.sum(), 1)
    cell_variance = np.where(cell_n > 0, np.bincount(design.cell, squares, design.cells), 0.0)
    cell_variance = (cell_variance - cell_n * cell_mean**2 + BORROWED * everywhere) / (cell_n + BORROWED)
    mean = total / np.maximum(n, 1)
    variance = (squares - n * mean**2 + BORROWED * cell_variance[design.cell]) / (n + BORROWED)
    return Observed(n, mean, variance)


def pool(seen: Observed, design: Design) -> Pooled:
    """Partially pooled differences of all classes."""
    some = np.flatnonzero(seen.n > 0)
    mean, noise = seen.mean[some], seen.variance[some] / seen.n[some]
    visited = design._replace(cell=design.cell[some], sides=design.sides[:, some])
    width, effects = START_WIDTH**2, np.zeros(design.cells + design.effects + 1)
    for _ in range(ROUNDS):
        model = _Model(visited, 1 / (noise + width))
        effects = model.solved(mean, effects)
        width = _width(mean - of_classes(visited, effects), noise, width)
    fit, doubt = of_classes(design, effects), of_classes(design, model.variances())
    own, alone = np.zeros(len(fit)), np.full(len(fit), width)
    own[some] = width / (width + noise)
    alone[some] = own[some] * noise
    return Pooled(fit + own * (seen.mean - fit), np.sqrt(alone + (1 - own) ** 2 * doubt))


def of_classes(design: Design, effects: Array) -> Array:
    """What the effects say of each class: of its cell, its side holdings, and what is common to all."""
    sides = effects[design.cells : -1]
    said: Array = effects[design.cell] + effects[-1]
    for side in design.sides:
        said = said + sides[side]
    return said


class _Model:
    """Effects of cells, then of side holdings, then what is common to all, as one vector."""

    def __init__(self, design: Design, weight: Array) -> None:
        self._design, self._weight = design, weight
        self._prior = np.concatenate([
            np.full(design.cells, CELL_WIDTH**-2), np.full(design.effects, SIDE_WIDTH**-2), [COMMON_WIDTH**-2],
        ])  # fmt: skip
        self._diagonal = self._to_effects(weight) + self._prior

    def _to_effects(self, values: Array) -> Array:
        """The sum over the classes that have each effect."""
        design = self._design
        sides = sum(np.bincount(side, values, design.effects) for side in design.sides)
        found: Array = np.concatenate([np.bincount(design.cell, values, design.cells), sides, [values.sum()]])
        return found

    def solved(self, means: Array, start: Array) -> Array:
        """The effects that fit the means best, priors included, by conjugate gradients (Hestenes and Stiefel, 1952)."""
        effects: Array = start
        goal = self._to_effects(self._weight * means)
        left = goal - self._normal(effects)
        ready = left / self._diagonal
        along, size, enough = ready, left @ ready, PRECISION**2 * (goal @ (goal / self._diagonal))
        for _ in range(MOST_STEPS):
            if size <= enough:
                break
            image = self._normal(along)
            step = size / (along @ image)
            effects, left = effects + step * along, left - step * image
            ready = left / self._diagonal
            size, before = left @ ready, size
            along = ready + size / before * along
        return effects

    def _normal(self, effects: Array) -> Array:
        image: Array = self._to_effects(self._weight * of_classes(self._design, effects)) + self._prior * effects
        return image

    def variances(self) -> Array:
        """Of the effects, taken as independent."""
        found: Array = 1 / self._diagonal
        return found


def _width(left: Array, noise: Array, width: float) -> float:
    """The variance of the deviations by moments of what the effects leave, each class weighing as much as it tells."""
    if not len(left):
        return width
    weight = (noise + width) ** -2.0
    return max(float((weight * (left**2 - noise)).sum() / weight.sum()), LEAST_WIDTH**2)
