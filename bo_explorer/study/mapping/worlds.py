# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The worlds of the benchmark: eight to twelve bumps in the unit square, highest cell 1."""

from __future__ import annotations

import numpy as np

from ...core.types import FloatArray

GRID_SIDE = 30
"""Cells along one side of the grid the benchmark judges by; they include the border."""

STEP = 0.2
"""Path length between readings, sides."""

START = np.array([0.0, 0.0])
END = np.array([1.0, 1.0])


def grid(side: int = GRID_SIDE) -> FloatArray:
    """
    Return the places of the benchmark's grid.

    :param side: cells along one side.
    :return: shape ``(side^2, 2)``.
    """
    lines = np.linspace(0.0, 1.0, side)
    x, y = np.meshgrid(lines, lines, indexing='ij')
    return np.stack([x.ravel(), y.ravel()], axis=1)


class MixtureWorld:
    """
    A sum of Gaussian bumps, divided by its greatest value on the grid.

    The numbers are drawn as the benchmark's own code draws them, from NumPy's legacy generator:
    number 1 to 30 are the thirty worlds its published results were measured in.

    :param number: which world, at least 1.
    """

    def __init__(self, number: int) -> None:
        legacy = np.random.RandomState(1 + 100 * number)
        n = legacy.randint(8, 13)
        centres, squares = [], []
        for _ in range(n):
            centres.append(legacy.rand(2))
            squares.append(legacy.uniform(0.00005, 0.0002, 2))
        self._centres = np.array(centres)
        # The benchmark divides squared distances by these roots: they act as variances.
        self._variances = np.sqrt(np.array(squares))
        self._highest = 1.0
        self._highest = float(self(grid()).max())

    def __call__(self, points: FloatArray) -> FloatArray:
        """
        Return the field.

        :param points: shape ``(M, 2)``.
        :return: shape ``(M,)``.
        """
        squares = (points[:, np.newaxis] - self._centres) ** 2 / self._variances  # (M, B, 2)
        heights = 1.0 / (2.0 * np.pi * self._variances.prod(axis=1))
        values: FloatArray = np.exp(-0.5 * squares.sum(axis=2)) @ heights / self._highest
        return values
