# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""From what a user writes to polygons that can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

from .errors import GeometryError
from .types import FloatArray

MAX_COORDINATE_M = 1e8
"""Coordinates beyond this mean nothing on this planet, and their squares overflow."""

# Below this share of the squared extent the hull of a polygon is a line.
_LEAST_RELATIVE_AREA = 1e-12


def parse_polygon(text: str, name: str = 'polygon') -> FloatArray:
    """
    Read the corners of a polygon.

    :param text: ``'x0,y0; x1,y1; x2,y2; ...'``, metres.
    :param name: name used in error messages.
    :return: corners, shape ``(V, 2)``.
    :raises GeometryError: if a corner is not two numbers or the polygon cannot be used.
    """
    corners = []
    for part in text.split(';'):
        if not part.strip():
            continue
        try:
            x, y = (float(number) for number in part.split(','))
        except ValueError:
            raise GeometryError(
                f"'{name}' must be corners 'x0,y0; x1,y1; x2,y2; ...', got {part.strip()!r} "
                f'in {text!r}.'
            ) from None
        corners.append((x, y))
    return checked_polygon(corners, name)


def polygon_from_numbers(numbers: Sequence[float], name: str = 'polygon') -> FloatArray:
    """
    Read the corners of a polygon.

    :param numbers: ``x0, y0, x1, y1, ...``, metres.
    :param name: name used in error messages.
    :return: corners, shape ``(V, 2)``.
    :raises GeometryError: if the numbers are odd in number or the polygon cannot be used.
    """
    if len(numbers) % 2:
        raise GeometryError(
            f"'{name}' must be x0, y0, x1, y1, ..., an even number of numbers, "
            f'got {len(numbers)}.'
        )
    return checked_polygon(np.reshape(np.asarray(numbers, dtype=np.float64), (-1, 2)), name)


def checked_polygon(corners: Any, name: str = 'polygon') -> FloatArray:
    """
    Copy the corners of a simple polygon.

    The last corner may repeat the first; either sense of rotation will do.

    :param corners: shape ``(V, 2)``, metres.
    :param name: name used in error messages.
    :return: read-only copy, shape ``(V, 2)``, as given.
    :raises GeometryError: if there are fewer than three corners, one is not finite or further than
        1e8 m from the origin, the border crosses or touches itself, or the polygon has no area.
    """
    polygon = np.array(corners, dtype=np.float64)
    if polygon.size == 0:
        polygon = polygon.reshape(0, 2)
    if polygon.ndim != 2 or polygon.shape[1] != 2:
        raise GeometryError(f"'{name}' must have shape (V, 2), got {polygon.shape}.")
    if not np.isfinite(polygon).all():
        raise GeometryError(f"'{name}' must be finite, got {polygon.tolist()!r}.")
    if (np.abs(polygon) > MAX_COORDINATE_M).any():
        raise GeometryError(
            f"'{name}' must lie within {MAX_COORDINATE_M:.0e} m of the origin of the map, "
            f'got {polygon.tolist()!r}.'
        )
    n_corners = len(np.unique(polygon, axis=0))
    if n_corners < 3:
        raise GeometryError(
            f"'{name}' must be at least three different corners, got {n_corners}."
        )
    shape = shapely.Polygon(polygon - polygon[0])
    extent = float(np.ptp(polygon, axis=0).max())
    if not shapely.area(shapely.convex_hull(shape)) > _LEAST_RELATIVE_AREA * extent**2:
        raise GeometryError(
            f"'{name}' must enclose an area, got {polygon.tolist()!r}; "
            'its corners lie on one line.'
        )
    if not shapely.is_valid(shape):
        raise GeometryError(
            f"'{name}' must be a border that neither crosses nor touches itself, "
            f'got {polygon.tolist()!r}; give the corners in order round the border, or split it '
            'into several polygons.'
        )
    polygon.setflags(write=False)
    return polygon
