# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A fine grid over the search area for drawing, blank outside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.path import Path as Outline
from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator

from ..core.types import BoolArray, FloatArray

_PIXELS = 200


@dataclass(frozen=True)
class Raster:
    """
    Pixels over the bounds of the search area.

    :param x: east of the columns, metres, shape ``(W,)``.
    :param y: north of the rows, metres, shape ``(H,)``.
    :param inside: whether a pixel is in the area, shape ``(H, W)``.
    """

    x: FloatArray
    y: FloatArray
    inside: BoolArray

    @classmethod
    def over(cls, polygons: Sequence[Sequence[Sequence[float]]]) -> Raster:
        """
        Cover some polygons.

        :param polygons: corners of each, ``[x, y]``, metres; at least one.
        :raises ValueError: if there is none.
        """
        if not polygons:
            raise ValueError("'polygons' must hold at least one polygon, got none.")
        outlines = [np.asarray(polygon, dtype=np.float64) for polygon in polygons]
        corners = np.concatenate(outlines)
        low, high = corners.min(axis=0), corners.max(axis=0)
        pixel = float((high - low).max()) / _PIXELS
        x, y = (
            np.linspace(low[i], high[i], max(2, round((high[i] - low[i]) / pixel) + 1))
            for i in range(2)
        )
        pixels = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        # Pixels across the border are kept, since a picture is clipped to the outline itself. The
        # sign of a radius depends on the direction of the outline.
        inside = np.zeros(len(pixels), dtype=bool)
        for outline in outlines:
            path = Outline(np.vstack([outline, outline[:1]]), closed=True)
            inside |= path.contains_points(pixels, radius=1.5 * pixel)
            inside |= path.contains_points(pixels, radius=-1.5 * pixel)
        return cls(x, y, inside.reshape(len(y), len(x)))

    @property
    def shape(self) -> float:
        """Height in parts of the width."""
        return float((self.y[-1] - self.y[0]) / (self.x[-1] - self.x[0]))

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top edge of the picture, metres."""
        half_x = 0.5 * (self.x[1] - self.x[0])
        half_y = 0.5 * (self.y[1] - self.y[0])
        return (
            float(self.x[0] - half_x),
            float(self.x[-1] + half_x),
            float(self.y[0] - half_y),
            float(self.y[-1] + half_y),
        )

    def values(self, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return a function at the pixels, NaN outside the area, shape ``(H, W)``."""
        return self._masked(function(self._pixels()))

    def interpolated(self, points: FloatArray, values: FloatArray) -> FloatArray:
        """
        Interpolate scattered values.

        :param points: shape ``(M, 2)``, metres.
        :param values: shape ``(M,)``.
        :return: linear between the points, the nearest value beyond them, NaN outside the area and
            where there are no points, shape ``(H, W)``.
        """
        if len(points) == 0:
            return np.full(self.inside.shape, np.nan)
        pixels = self._pixels()
        result = NearestNDInterpolator(points, values)(pixels)
        if len(points) > 3 and np.linalg.matrix_rank(points - points.mean(axis=0)) == 2:
            linear = LinearNDInterpolator(points, values)(pixels)
            result = np.where(np.isfinite(linear), linear, result)
        return self._masked(result)

    def _pixels(self) -> FloatArray:
        return np.stack(np.meshgrid(self.x, self.y), axis=-1).reshape(-1, 2)

    def _masked(self, values: FloatArray) -> FloatArray:
        return np.where(self.inside, values.reshape(self.inside.shape), np.nan)
