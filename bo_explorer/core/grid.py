# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The candidate grid: places all over an area where the vehicle might measure."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely

from .errors import GeometryError
from .types import FloatArray

MAX_CANDIDATES = 10_000
"""Most candidates a grid may have."""

DEFAULT_CELLS_PER_SIDE = 50
"""Cells along the side of a square area when no resolution is given: 2500 in all."""

# Nodes looked at for one grid; a finer grid over a long thin area takes too much memory.
_MAX_NODES = 250_000

# Cells of which the narrow places are looked for at once.
_BLOCK_CELLS = 4096.0


def candidate_grid(
    free: shapely.Geometry,
    legal: shapely.Geometry,
    bounds: tuple[float, float, float, float],
    resolution_m: float,
    side_m: float,
) -> FloatArray:
    """
    Place candidates on a square grid that lies symmetric in the bounds.

    A grid that fits reaches the border. Where the area is too narrow for the grid, so that a place
    is further than one spacing, along x or y, from every candidate, each cell there gets a
    candidate of its own. Order: by row from south to north, in a row from west to east.

    :param free: where candidates may lie.
    :param legal: the same, widened by the tolerance of rounding.
    :param bounds: min x, min y, max x, max y of the grid, metres.
    :param resolution_m: spacing, metres; NaN: side / 50, or wider where that gives too many.
    :param side_m: side of the area, metres.
    :return: shape ``(M, 2)``, M from 0 to ``MAX_CANDIDATES``.
    :raises GeometryError: if the resolution is not above 0 or gives too many candidates.
    """
    if shapely.is_empty(free):
        return np.empty((0, 2))
    if math.isnan(resolution_m):
        spacing = side_m / DEFAULT_CELLS_PER_SIDE
        while (candidates := _grid(free, legal, bounds, spacing)) is None:
            spacing *= 1.25
        return candidates
    if not 0.0 < resolution_m < math.inf:
        raise GeometryError(
            f"'area.resolution_m' must be finite and above 0, got {resolution_m!r}."
        )
    fixed = _grid(free, legal, bounds, resolution_m)
    if fixed is None:
        least = _least_resolution(free, legal, bounds, resolution_m)
        raise GeometryError(
            f"'area.resolution_m' must be at least {least:g} for this area, which gives no more "
            f'than {MAX_CANDIDATES} candidates, got {resolution_m!r}.'
        )
    return fixed


def _grid(
    free: shapely.Geometry,
    legal: shapely.Geometry,
    bounds: tuple[float, float, float, float],
    spacing: float,
) -> FloatArray | None:
    """Return the candidates, or ``None`` where they are too many."""
    if shapely.area(free) > 4.0 * MAX_CANDIDATES * spacing**2:
        return None
    low, high = np.array(bounds[:2]), np.array(bounds[2:])
    n_steps = np.floor((high - low) / spacing * (1.0 + 1e-9))
    first = 0.5 * (low + high) - 0.5 * n_steps * spacing
    cells = _cells_over(free, first, spacing)
    if cells is None:
        return None
    nodes = first + cells * spacing
    is_legal = shapely.intersects_xy(legal, nodes[:, 0], nodes[:, 1])
    candidates, cells = nodes[is_legal], cells[is_legal]
    if len(candidates) > MAX_CANDIDATES:
        return None
    extra, extra_cells = _narrow_places(free, cells, first, spacing)
    candidates = np.concatenate([candidates, extra])
    if len(candidates) > MAX_CANDIDATES:
        return None
    cells = np.concatenate([cells, extra_cells])
    ordered: FloatArray = candidates[np.lexsort((cells[:, 0], cells[:, 1]))]
    return ordered


def _cells_over(shape: shapely.Geometry, first: FloatArray, spacing: float) -> FloatArray | None:
    """Return column and row of every cell the bounds of a part reach, ``None`` if too many."""
    ranges = []
    n_cells = 0.0
    for part in shapely.get_parts(shape):
        box = shapely.bounds(part)
        low = np.round((box[:2] - first) / spacing - 1e-6)
        high = np.round((box[2:] - first) / spacing + 1e-6)
        n_cells += float(np.prod(high - low + 1.0))
        ranges.append((low, high))
    if n_cells > _MAX_NODES:
        return None
    parts = [
        np.stack(
            np.meshgrid(
                np.arange(low[0], high[0] + 1.0), np.arange(low[1], high[1] + 1.0)
            ),
            axis=-1,
        ).reshape(-1, 2)
        for low, high in ranges
    ]
    cells: FloatArray = np.unique(np.concatenate([np.empty((0, 2)), *parts]), axis=0)
    return cells


def _narrow_places(
    free: shapely.Geometry, taken: FloatArray, first: FloatArray, spacing: float
) -> tuple[FloatArray, FloatArray]:
    """
    Find the parts of the area that no candidate covers.

    :param taken: column and row of the cells that have a candidate, sorted, shape ``(M, 2)``.
    :return: a place in each cell with such a part, and those cells, both shape ``(E, 2)``.
    """
    places, cells = [np.empty((0, 2))], [np.empty((0, 2))]
    for part, low, high in _blocks(free, first, spacing):
        is_near = ((taken >= low - 1.0) & (taken <= high + 1.0)).all(axis=1)
        found, where = _narrow_places_of(part, taken[is_near], first, spacing)
        places.append(found)
        cells.append(where)
    return np.concatenate(places), np.concatenate(cells)


def _blocks(
    shape: shapely.Geometry, first: FloatArray, spacing: float
) -> Iterator[tuple[shapely.Geometry, FloatArray, FloatArray]]:
    """
    Yield a shape in blocks of a few cells each, with the lowest and the highest cell of each.

    What many cells cut from a shape of many corners takes as long as both multiplied.
    """
    bounds = np.array(shapely.bounds(shape)).reshape(2, 2)
    low, high = np.round((bounds - first) / spacing + [[-1e-6], [1e-6]])
    n_cells = high - low + 1.0
    if float(np.prod(n_cells)) <= _BLOCK_CELLS:
        yield shape, low, high
        return
    axis = int(np.argmax(n_cells))
    middle = low[axis] + n_cells[axis] // 2.0 - 0.5
    for side in (0, 1):
        # A cell wider than the shape: nothing at its border is lost.
        half = np.stack([low - 1.0, high + 1.0])
        half[1 - side, axis] = middle
        corners = first + half * spacing
        part = shapely.intersection(shape, shapely.box(*corners.ravel()))
        if shapely.area(part) > 0.0:
            yield from _blocks(part, first, spacing)


def _narrow_places_of(
    free: shapely.Geometry, taken: FloatArray, first: FloatArray, spacing: float
) -> tuple[FloatArray, FloatArray]:
    # Neighbours in a column make one strip: few shapes are joined much faster than many.
    is_start = np.ones(len(taken), dtype=np.bool_)
    is_start[1:] = (np.diff(taken, axis=0) != [0.0, 1.0]).any(axis=1)
    is_end = np.append(is_start[1:], True)[: len(taken)]
    low = first + (taken[is_start] - 1.0 - 1e-6) * spacing
    high = first + (taken[is_end] + 1.0 + 1e-6) * spacing
    strips = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    bare = shapely.difference(free, shapely.union_all(strips))
    cells = None if shapely.is_empty(bare) else _cells_over(bare, first, spacing)
    if cells is None:
        return np.empty((0, 2)), np.empty((0, 2))
    low, high = (first + (cells + shift) * spacing for shift in (-0.5, 0.5))
    pieces = shapely.intersection(bare, shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1]))
    is_real = shapely.area(pieces) > 1e-9 * spacing**2
    places: FloatArray = shapely.get_coordinates(shapely.point_on_surface(pieces[is_real]))
    return places, cells[is_real]


def _least_resolution(
    free: shapely.Geometry,
    legal: shapely.Geometry,
    bounds: tuple[float, float, float, float],
    resolution_m: float,
) -> float:
    """Return a spacing of three digits, near the least, that does not give too many."""
    # A grid takes a second where the area is long and thin, so only a few are tried.
    along = max(bounds[2] - bounds[0], bounds[3] - bounds[1]) / MAX_CANDIDATES
    spacing = max(resolution_m, along, math.sqrt(shapely.area(free) / MAX_CANDIDATES))
    while _grid(free, legal, bounds, spacing := _rounded_up(spacing)) is None:
        spacing *= 1.03
    return spacing


def _rounded_up(value: float) -> float:
    digit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return float(f'{math.ceil(value / digit) * digit:.3g}')


def spacing_of(candidates: FloatArray, side_m: float) -> float:
    """
    Return the distance between neighbouring candidates of a grid.

    :param candidates: shape ``(M, 2)``, metres.
    :param side_m: side of the search area, metres.
    :return: metres; a fiftieth of the side for fewer than two candidates.
    """
    if len(candidates) < 2:
        return side_m / 50.0
    steps = [np.diff(np.unique(np.round(candidates[:, axis], 9))) for axis in (0, 1)]
    positive = [float(np.median(step)) for step in steps if len(step)]
    return max(positive) if positive else side_m / 50.0
