# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What has been evaluated so far, and the belief learned from it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.gp.field_map import FieldMap
from ...core.gp.hyperparameters import Hyperparameters
from ...core.types import FloatArray, Samples
from ..problems.base import Problem

Learn = Callable[[FloatArray, FloatArray, Hyperparameters | None], Hyperparameters]
"""Maps points, values and the last hyperparameters to new ones."""


class History:
    """
    Evaluations of one problem, in order.

    :param problem: what is evaluated.
    :param noise_std: of the readings about the values.
    :param generator: of the noise.
    """

    def __init__(
        self, problem: Problem, noise_std: float, generator: np.random.Generator
    ) -> None:
        self.problem = problem
        self._noise_std, self._generator = noise_std, generator
        self._points: list[FloatArray] = []
        self.values: list[float] = []
        self.readings: list[float] = []
        self.costs: list[float] = []

    def evaluate(self, point: FloatArray) -> None:
        """Evaluate a point of the unit cube, shape ``(D,)``."""
        value, cost = self.problem.evaluate(point)
        self._points.append(point)
        self.values.append(value)
        self.readings.append(value + self._noise_std * float(self._generator.standard_normal()))
        self.costs.append(cost)

    @property
    def points(self) -> FloatArray:
        """All points, shape ``(N, D)``."""
        return np.array(self._points).reshape(-1, self.problem.dimension)

    @property
    def samples(self) -> Samples:
        """All readings."""
        return Samples(self.points, np.array(self.readings), np.ones(len(self.readings)))

    def belief(self, hyperparameters: Hyperparameters, candidates: FloatArray) -> FieldMap:
        """
        Return the posterior.

        :param hyperparameters: of the model.
        :param candidates: where it is kept, shape ``(M, D)``.
        """
        field_map = FieldMap(candidates, hyperparameters)
        field_map.update(self.samples)
        return field_map
