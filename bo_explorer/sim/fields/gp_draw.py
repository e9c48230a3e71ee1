# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A draw from a Gaussian process with the Matern 5/2 covariance and unit variance.

The draw is exact on a fine grid, by circulant embedding [DN], and cubic splines fill the cells.

[DN] Dietrich, Newsam: Fast and exact simulation of stationary Gaussian processes through
circulant embedding of the covariance matrix, SIAM J. Sci. Comput. 18 (1997).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import RectBivariateSpline

from ...core.types import FloatArray
from .base import Bounds, KnownField, field_error, searched_field

if TYPE_CHECKING:
    from ..config import FieldConfig

_NODES_PER_LENGTHSCALE = 8
_LEAST_NODES = 33
_MOST_SCALES, _LEAST_SCALES = 64.0, 0.5

# Half period of the embedding in lengthscales: the covariance there is below 1e-6.
_REACH = 8.0


def matern52(distance: FloatArray, lengthscale: float) -> FloatArray:
    """
    Return the Matern 5/2 covariance of unit variance, Rasmussen and Williams 2006, eq. 4.17.

    ``(1 + r + r^2 / 3) exp(-r)`` with ``r = sqrt(5) distance / lengthscale``

    :param distance: metres, any shape.
    :param lengthscale: metres.
    """
    r = np.sqrt(5.0) * distance / lengthscale
    covariance: FloatArray = (1.0 + r + r**2 / 3.0) * np.exp(-r)
    return covariance


def draw_on_grid(
    shape: tuple[int, int],
    spacing: tuple[float, float],
    lengthscale: float,
    rng: np.random.Generator,
) -> FloatArray:
    """
    Draw the process at the nodes of a regular grid, by [DN].

    :param shape: nodes along y and x.
    :param spacing: metres between nodes along y and x.
    :param lengthscale: metres.
    :param rng: source of the draw.
    :return: values of the given shape.
    """
    period = [
        2 * max(nodes, int(np.ceil(_REACH * lengthscale / step)))
        for nodes, step in zip(shape, spacing, strict=True)
    ]
    lags = [
        step * np.minimum(np.arange(n), n - np.arange(n))
        for n, step in zip(period, spacing, strict=True)
    ]
    covariance = matern52(np.hypot(lags[0][:, np.newaxis], lags[1]), lengthscale)
    # Eigenvalues below 0 are left-overs of the tail cut off at half a period, of order 1e-6.
    eigenvalues = np.maximum(np.fft.fft2(covariance).real, 0.0)
    white = rng.standard_normal(period) + 1j * rng.standard_normal(period)
    torus = np.fft.fft2(np.sqrt(eigenvalues / eigenvalues.size) * white).real
    return np.ascontiguousarray(torus[: shape[0], : shape[1]], dtype=np.float64)


def gp_draw_field(bounds: Bounds, lengthscale_m: float, rng: np.random.Generator) -> KnownField:
    """
    Draw a field of zero mean and unit variance; outside the bounds the nearest edge goes on.

    :param bounds: rectangle of the field, metres.
    :param lengthscale_m: metres.
    :param rng: source of the draw.
    :raises ConfigError: if the lengthscale is far off the size of the rectangle.
    """
    sides = (bounds.max_y - bounds.min_y, bounds.max_x - bounds.min_x)
    if not max(sides) / _MOST_SCALES <= lengthscale_m <= max(sides) / _LEAST_SCALES:
        raise field_error(
            'lengthscale_m',
            f'must be from {max(sides) / _MOST_SCALES:g} to {max(sides) / _LEAST_SCALES:g} on a '
            f'rectangle of this size, got {lengthscale_m!r}.',
        )
    n_y, n_x = (
        max(_LEAST_NODES, 1 + int(np.ceil(_NODES_PER_LENGTHSCALE * side / lengthscale_m)))
        for side in sides
    )
    values = draw_on_grid(
        (n_y, n_x), (sides[0] / (n_y - 1), sides[1] / (n_x - 1)), lengthscale_m, rng
    )
    spline = RectBivariateSpline(
        np.linspace(bounds.min_y, bounds.max_y, n_y),
        np.linspace(bounds.min_x, bounds.max_x, n_x),
        values,
    )

    def value(points: FloatArray) -> FloatArray:
        inside = np.clip(points, bounds[:2], bounds[2:])
        return np.asarray(spline.ev(inside[:, 1], inside[:, 0]), dtype=np.float64)

    return searched_field(value, bounds)


def make(config: FieldConfig, rng: np.random.Generator, base: Path | None) -> KnownField:
    """Build the field the options ask for."""
    return gp_draw_field(config.rectangle, config.lengthscale(0.2), rng)
