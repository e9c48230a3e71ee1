# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
Functions drawn from a Matern 5/2 process over the unit cube, in any dimension.

A draw is a sum of cosines with random frequencies [Rahimi and Recht 2007, *Random features for
large-scale kernel machines*]. The spectral density of the kernel is that of Student's t with 5
degrees of freedom: a frequency is a normal vector over :math:`\ell \sqrt{\chi^2_5 / 5}`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from ...core.ascent import Precision
from ...core.optimise import maximise
from ...core.types import FloatArray
from .base import Evaluation, KnownCost, Problem, unit_cost

N_FEATURES = 1024
_DEGREES = 5
_PRECISION = Precision(value=1e-10, gradient=1e-6, max_iterations=200)
_N_RAW, _N_STARTS = 4096, 32


@dataclass(frozen=True)
class RandomFunction:
    """
    ``sqrt(2 / m) sum_i w_i cos(omega_i . x + b_i)``: approximately a process of unit variance.

    :param frequencies: ``omega``, shape ``(m, D)``.
    :param phases: ``b``, shape ``(m,)``.
    :param weights: ``w``, shape ``(m,)``.
    """

    frequencies: torch.Tensor
    phases: torch.Tensor
    weights: torch.Tensor

    @classmethod
    def draw(
        cls,
        lengthscales: FloatArray,
        generator: np.random.Generator,
        n_features: int = N_FEATURES,
    ) -> RandomFunction:
        """
        Draw a function.

        :param lengthscales: of the kernel, shape ``(D,)``.
        :param generator: decides all random numbers.
        :param n_features: cosines, ``m``.
        """
        normal = generator.standard_normal((n_features, len(lengthscales)))
        widths = np.sqrt(generator.chisquare(_DEGREES, n_features) / _DEGREES)
        return cls(
            torch.from_numpy(normal / widths[:, np.newaxis] / lengthscales),
            torch.from_numpy(generator.uniform(0.0, 2.0 * math.pi, n_features)),
            torch.from_numpy(generator.standard_normal(n_features)),
        )

    def __call__(self, points: torch.Tensor) -> torch.Tensor:
        """
        Return the values; differentiable.

        :param points: shape ``(M, D)``.
        :return: shape ``(M,)``.
        """
        waves = torch.cos(points @ self.frequencies.T + self.phases)
        values: torch.Tensor = waves @ self.weights * math.sqrt(2.0 / len(self.weights))
        return values


def drawn_problem(
    dimension: int, lengthscale: float, seed: int, cost: KnownCost = unit_cost
) -> Problem:
    """
    Return the problem of maximising a draw; its best value is the best of many ascents.

    :param dimension: axes of the cube.
    :param lengthscale: of the kernel, sides.
    :param seed: of the draw.
    :param cost: of evaluating it.
    """
    generator = np.random.default_rng([seed, 21])
    function = RandomFunction.draw(np.full(dimension, lengthscale), generator)
    _, best = maximise(
        function,
        np.zeros(dimension),
        np.ones(dimension),
        n_raw=_N_RAW,
        n_starts=_N_STARTS,
        generator=generator,
        precision=_PRECISION,
    )

    def evaluate(point: FloatArray) -> Evaluation:
        x = torch.from_numpy(np.array(point))
        return Evaluation(float(function(x.unsqueeze(0))[0]), float(cost(x)))

    return Problem(dimension, evaluate, best, cost)
