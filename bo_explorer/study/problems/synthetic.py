# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The usual test functions, their boxes stretched over the unit cube."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import torch

from ...core.types import FloatArray
from ...sim.fields.analytic import ackley, branin, hartmann6, levy, rosenbrock
from .base import Evaluation, KnownCost, Problem, unit_cost

Values = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class BoxedFunction:
    """
    A function and the box it is searched in.

    :param function: maps ``(M, D)`` to ``(M,)``, larger is better.
    :param low: least coordinate of every axis, or of each.
    :param high: greatest coordinate of every axis, or of each.
    :param best: greatest value in the box.
    :param scale: what values are divided by.
    """

    function: Values
    low: float | tuple[float, ...]
    high: float | tuple[float, ...]
    best: float
    scale: float = 1.0

    def __call__(self, units: FloatArray) -> FloatArray:
        """
        Return the values at points of the unit cube.

        :param units: shape ``(M, D)``.
        :return: shape ``(M,)``.
        """
        low, high = np.asarray(self.low), np.asarray(self.high)
        values: FloatArray = self.function(low + units * (high - low)) / self.scale
        return values


_BRANIN_BEST = -0.39788735772973816
_HARTMANN6_BEST = 3.322368011415515

SWITCHING: Mapping[str, tuple[int, BoxedFunction]] = MappingProxyType(
    {
        'ackley_2': (2, BoxedFunction(ackley, -32.768, 32.768, 0.0)),
        'branin_2': (2, BoxedFunction(branin, (-5.0, 0.0), (10.0, 15.0), _BRANIN_BEST)),
        'hartmann_6': (6, BoxedFunction(hartmann6, 0.0, 1.0, _HARTMANN6_BEST)),
    }
)
"""Dimension and function of the first paper's synthetic problems, in their usual boxes."""

SCALED: Mapping[str, BoxedFunction] = MappingProxyType(
    {
        'ackley': BoxedFunction(ackley, -1.0, 1.0, 0.0),
        'levy': BoxedFunction(levy, -10.0, 10.0, 0.0, scale=100.0),
        'rosenbrock': BoxedFunction(rosenbrock, -5.0, 10.0, 0.0, scale=1e5),
    }
)
"""Functions of any dimension, boxed and scaled as the second paper does."""


def mean_cost(points: torch.Tensor) -> torch.Tensor:
    """
    Return the second paper's cost ``20 (0.05 + mean x)``, 1 to 21.

    :param points: of the unit cube, shape ``(..., D)``.
    """
    return 20.0 * (0.05 + points.mean(dim=-1))


def boxed_problem(
    function: BoxedFunction, dimension: int, cost: KnownCost = unit_cost
) -> Problem:
    """
    Return the problem of maximising a function.

    :param function: what to maximise.
    :param dimension: axes of the cube.
    :param cost: of evaluating it.
    """

    def evaluate(point: FloatArray) -> Evaluation:
        return Evaluation(
            float(function(point[np.newaxis])[0]), float(cost(torch.from_numpy(point)))
        )

    return Problem(dimension, evaluate, function.best / function.scale, cost)
