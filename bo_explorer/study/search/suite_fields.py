# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The fields of the search suite: standardised, on the cells of the unit square, seeded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from ...core.types import FloatArray


@dataclass(frozen=True)
class SuiteField:
    """
    A field over square cells.

    :param points: centres of the cells, row by row, shape ``(M, 2)``, in the unit square.
    :param values: mean 0 and standard deviation 1, shape ``(M,)``.
    :param lengthscale: of the Matern 5/2 kernel that describes it, in sides.
    """

    points: FloatArray
    values: FloatArray
    lengthscale: float

    def values_at(self, places: FloatArray) -> FloatArray:
        """Return the values of the cells that places of the unit square lie in, shape ``(M,)``."""
        n = round(len(self.values) ** 0.5)
        cells = np.clip((np.asarray(places) * n).astype(int), 0, n - 1)
        values: FloatArray = self.values[cells[:, 1] * n + cells[:, 0]]
        return values


def make_suite_field(kind: str, cells: int, rng: np.random.Generator) -> SuiteField:
    """
    Draw a field.

    :param kind: a key of :data:`FIELD_KINDS`.
    :param cells: cells along one side.
    :param rng: source of everything random about it.
    """
    make, lengthscale = FIELD_KINDS[kind]
    points = _cells(cells)
    values = make(points, rng)
    return SuiteField(points, (values - values.mean()) / values.std(), lengthscale)


def _cells(n: int) -> FloatArray:
    centres = (np.arange(n) + 0.5) / n
    x, y = np.meshgrid(centres, centres)
    return np.stack([x.ravel(), y.ravel()], axis=1)


@lru_cache(maxsize=4)
def _factor(n: int, lengthscale: float) -> FloatArray:
    points = _cells(n)
    scaled = np.linalg.norm(points[:, np.newaxis] - points, axis=-1) * 5.0**0.5 / lengthscale
    gram = (1.0 + scaled + scaled**2 / 3.0) * np.exp(-scaled)
    return np.linalg.cholesky(gram + 1e-8 * np.eye(len(points)))


def _gp(lengthscale: float) -> Callable[[FloatArray, np.random.Generator], FloatArray]:
    def draw(points: FloatArray, rng: np.random.Generator) -> FloatArray:
        n = round(len(points) ** 0.5)
        values: FloatArray = _factor(n, lengthscale) @ rng.standard_normal(len(points))
        return values

    return draw


def _hot_spots(points: FloatArray, rng: np.random.Generator) -> FloatArray:
    centres = rng.uniform(0.1, 0.9, size=(3, 2))
    heights = np.array([1.0, 0.7, 0.5])
    squared = ((points[np.newaxis] - centres[:, np.newaxis]) ** 2).sum(axis=-1)
    bumps = heights[:, np.newaxis] * np.exp(-squared / (2.0 * 0.08**2))
    total: FloatArray = bumps.sum(axis=0)
    return total


def _branin(points: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Negated Branin, turned by a random number of quarters."""
    x, y = _turned(points, int(rng.integers(4))).T
    x, y = 15.0 * x - 5.0, 15.0 * y
    valley = y - 5.1 / (4.0 * np.pi**2) * x**2 + 5.0 / np.pi * x - 6.0
    values: FloatArray = -(valley**2 + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(x) + 10.0)
    return values


def _ackley(points: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Negated Ackley on four units, its peak anywhere in the inner quarter of the square."""
    steps = 4.0 * (points - rng.uniform(0.25, 0.75, size=2))
    values: FloatArray = 20.0 * np.exp(-0.2 * np.sqrt((steps**2).mean(axis=1))) + np.exp(
        np.cos(2.0 * np.pi * steps).mean(axis=1)
    )
    return values


def _turned(points: FloatArray, quarters: int) -> FloatArray:
    for _ in range(quarters):
        points = np.stack([1.0 - points[:, 1], points[:, 0]], axis=1)
    return points


FieldMaker = Callable[[FloatArray, np.random.Generator], FloatArray]

FIELD_KINDS: Mapping[str, tuple[FieldMaker, float]] = MappingProxyType(
    {
        'gp_0.1': (_gp(0.1), 0.1),
        'gp_0.2': (_gp(0.2), 0.2),
        'hot_spots': (_hot_spots, 0.12),
        'branin': (_branin, 0.3),
        'ackley': (_ackley, 0.15),
    }
)
"""Kinds of fields: how they are drawn, and the lengthscale that describes them."""
