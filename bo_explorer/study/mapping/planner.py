# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A planner of whole paths: the chain of readings that leaves the least expected trace.

All readings of the rest of the path move at once along the exact gradient, links that are too long
are pulled together, and what has just been read changes the plan every few readings. A
plan is replaced only by one that can be flown, so the path always reaches its end in time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from ...core.types import FloatArray
from .belief import believe
from .chain import along, excess, n_readings, shortened
from .expected_trace import ExpectedTrace
from .sweeps import sweeps

# Squared signal of a field of which nothing is known but that it lies between 0 and 1.
_FIRST_SIGNAL_VARIANCE = 0.1
_LEAST_SIGNAL_VARIANCE = 0.01

# Of the squared relative excess of each link, in units of the trace.
_STIFFNESS = 1000.0

_CELLS_JUDGED = 900
_TOLERANCE = 1e-12


@dataclass(frozen=True)
class PlannerOptions:
    """
    How thoroughly paths are planned.

    :param cells: along one side of the grid variance is counted on.
    :param every: readings between plans; 0: the first plan is kept.
    :param iterations: gradient steps of each plan.
    :param first_iterations: gradient steps of the first.
    :param starts: sweeps of the square the first plan begins with.
    :param area_as_now: whether the area of interest is taken to stay as it is.
    """

    cells: int = 15
    every: int = 3
    iterations: int = 20
    first_iterations: int = 60
    starts: int = 2
    area_as_now: bool = False


class PathPlanner:
    """
    Plans one path.

    :param start: where it begins.
    :param end: where it ends.
    :param budget: its length.
    :param step: between readings.
    :param options: how thoroughly.
    :raises ValueError: if the budget does not reach the end.
    """

    def __init__(
        self,
        start: FloatArray,
        end: FloatArray,
        budget: float,
        step: float,
        options: PlannerOptions | None = None,
    ) -> None:
        direct = float(np.linalg.norm(end - start))
        if not budget >= direct:
            raise ValueError(f"'budget' must be at least {direct:g}, got {budget!r}.")
        self._end, self._step = end, step
        self._options = options or PlannerOptions()
        centres = (np.arange(self._options.cells) + 0.5) / self._options.cells
        x, y = np.meshgrid(centres, centres, indexing='ij')
        self._places = np.stack([x.ravel(), y.ravel()], axis=1)
        self._n = n_readings(budget, step)
        self._position = start
        self._plan = shortened(along(np.stack([start, end]), self._n), start, end, step)

    @property
    def is_done(self) -> bool:
        """Whether no reading is left."""
        return self._n == 0

    def next_readings(self, readings: FloatArray, values: FloatArray) -> FloatArray:
        """
        Plan, and return the readings up to the next plan.

        :param readings: taken so far, shape ``(N, 2)``.
        :param values: what was read, shape ``(N,)``.
        :return: shape ``(n, 2)``.
        """
        options = self._options
        is_first = not len(readings)
        belief = believe(readings, values, self._places)
        expected = ExpectedTrace(
            readings,
            belief,
            self._places,
            _FIRST_SIGNAL_VARIANCE
            if is_first
            else max(belief.signal_variance, _LEAST_SIGNAL_VARIANCE),
            area_as_now=options.area_as_now,
        )
        if is_first:
            self._improve(expected, self._sweeps(expected), options.first_iterations)
        else:
            self._improve(expected, [self._plan], options.iterations)
        taken = min(options.every or self._n, self._n)
        chosen, self._plan = self._plan[:taken], self._plan[taken:]
        self._position = chosen[-1]
        self._n -= taken
        return chosen

    def _improve(
        self, expected: ExpectedTrace, starts: list[FloatArray], iterations: int
    ) -> None:
        """Replace the plan by a better one, if one is found that can be flown."""
        candidates = [(expected(self._plan)[0], self._plan)]
        for start in starts:
            found = minimize(
                self._objective,
                start.ravel(),
                args=(expected,),
                jac=True,
                method='L-BFGS-B',
                bounds=[(0.0, 1.0)] * start.size,
                options={'maxiter': iterations},
            )
            points = shortened(
                found.x.reshape(-1, 2), self._position, self._end, self._step
            )
            if excess(points, self._position, self._end, self._step) <= _TOLERANCE:
                candidates.append((expected(points)[0], points))
        self._plan = min(candidates, key=lambda candidate: candidate[0])[1]

    def _objective(self, flat: FloatArray, expected: ExpectedTrace) -> tuple[float, FloatArray]:
        """Return the trace plus the penalty of long links, and the gradient."""
        points = flat.reshape(-1, 2)
        trace, gradient = expected(points)
        chain = np.concatenate([self._position[np.newaxis], points, self._end[np.newaxis]])
        links = np.diff(chain, axis=0)
        lengths = np.linalg.norm(links, axis=1)
        over = np.maximum(lengths / self._step - 1.0, 0.0)
        stiffness = _STIFFNESS * len(self._places) / _CELLS_JUDGED
        pull = 2.0 * stiffness * over / (self._step * np.maximum(lengths, 1e-300))
        forces = pull[:, np.newaxis] * links
        value = trace + stiffness * float(over @ over)
        return value, (gradient + forces[:-1] - forces[1:]).ravel()

    def _sweeps(self, expected: ExpectedTrace) -> list[FloatArray]:
        """Return the most promising ways to sweep the square, each shape ``(n, 2)``."""
        found = [along(path, self._n) for path in sweeps(self._position, self._end)]
        found.sort(key=lambda points: self._objective(points.ravel(), expected)[0])
        return found[: self._options.starts]
