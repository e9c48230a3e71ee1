# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Where a policy that must list its choices looks in a cube of any dimension."""

from __future__ import annotations

import numpy as np

from ...core.optimise import sobol_points
from ...core.types import FloatArray


def candidate_points(
    n: int,
    centres: FloatArray,
    lengthscales: FloatArray,
    generator: np.random.Generator,
) -> FloatArray:
    """
    Return points of the unit cube: half of them Sobol, half round some centres at all scales.

    A step away from a centre changes a random part of the coordinates, at least one: in many
    dimensions a step along all of them leaves every basin.

    :param n: how many.
    :param centres: promising places, shape ``(C, D)``, C at least 1; they come first.
    :param lengthscales: of the model, sides, shape ``(D,)``.
    :param generator: decides all random numbers.
    :return: shape ``(n + C, D)``, inside the cube.
    """
    dimension = centres.shape[1]
    n_round = n // 2
    spread = sobol_points(n - n_round, dimension, generator).numpy()
    around = centres[np.arange(n_round) % len(centres)]
    steps = generator.standard_normal((n_round, dimension))
    scales = 10.0 ** generator.uniform(-2.5, -0.3, (n_round, 1))
    moves = generator.random((n_round, dimension)) < generator.random((n_round, 1))
    moves[np.arange(n_round), generator.integers(dimension, size=n_round)] = True
    near = around + moves * scales * np.minimum(lengthscales, 1.0) * steps
    points: FloatArray = np.clip(np.concatenate([centres, spread, near]), 0.0, 1.0)
    return points
