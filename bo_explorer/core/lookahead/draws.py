# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which readings are imagined at a place: a few residuals that stand for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from ..optimise import sobol_points

DRAWS = ('gauss_hermite', 'sobol')
"""Ways to choose the readings."""


@dataclass(frozen=True)
class Draws:
    """
    The readings imagined at one stage, in their own standard deviations from the mean.

    :param z: standard normal residuals, shape ``(F,)``.
    :param weight: their probabilities, shape ``(F,)``.
    """

    z: torch.Tensor
    weight: torch.Tensor


def make_draws(count: int, kind: str, generator: np.random.Generator) -> Draws:
    """
    Choose the readings of one stage.

    One reading is the mean. More are either the nodes of Gauss-Hermite quadrature, which
    integrates polynomials up to degree ``2 count - 1`` exactly, or scrambled Sobol points of equal
    weight.

    :param count: at least 1.
    :param kind: one of :data:`DRAWS`.
    :param generator: decides the scrambling.
    """
    if count == 1:
        z, weight = np.zeros(1), np.ones(1)
    elif kind == 'gauss_hermite':
        z, weight = np.polynomial.hermite_e.hermegauss(count)
        weight = weight / weight.sum()
    else:
        uniform = sobol_points(count, 1, generator).flatten()
        # A scrambled point may be 0, where the normal quantile is infinite.
        z = torch.special.ndtri(uniform.clamp(1e-9, 1.0 - 1e-9)).numpy()
        weight = np.full(count, 1.0 / count)
    return Draws(torch.from_numpy(z), torch.from_numpy(weight))
