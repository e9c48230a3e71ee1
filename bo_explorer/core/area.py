# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Where the vehicle may be and which straight legs it may fly.

Free space is the union of the area's polygons, shrunk by its margin, without the union of the
no-fly zones, each grown by theirs. Corners of margins are mitred: never closer than the margin.

Rounding. With ``t = max(1e-10 side, 4 ulp)``, ``ulp`` the spacing of floats at the largest
coordinate, legal means: inside free space widened by ``t``. Zones keep a clearance of at least
``2 t``. Hence a place on the border is legal, and a path found legal lies at most ``t`` (at an
acute corner up to ``10 t``) outside the area and at least ``t`` outside every zone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import shapely
from shapely.geometry.polygon import orient

from .config import AreaConfig, NoFlyConfig
from .errors import GeometryError
from .grid import candidate_grid
from .legs import LegTest
from .plane import GROUND, SearchPlane
from .polygons import checked_polygon, parse_polygon, polygon_from_numbers
from .prepared import PreparedShape
from .types import BoolArray, FloatArray

__all__ = ['SearchArea', 'parse_polygon', 'polygon_from_numbers']

_RELATIVE_TOLERANCE = 1e-10

# Sine of the turn below which three corners count as one line: bends the border by far less than
# the tolerance.
_STRAIGHT = 1e-12

_FAR_M = 1e9

# Places of the border tried for a way in, beside its corners.
_BORDER_STEPS = 800.0


class SearchArea:
    """
    Legal places, legal legs and the candidates.

    :param polygons: where the vehicle may be: the union of these; each shape ``(V, 2)``, metres.
    :param zones: where it must not be, each shape ``(V, 2)``, metres.
    :param margin_m: distance kept from the border of the area, metres.
    :param zone_margin_m: distance kept from every zone, metres.
    :raises GeometryError: if a polygon cannot be used or the margin leaves no area.
    """

    def __init__(
        self,
        polygons: Sequence[Any],
        zones: Sequence[Any] = (),
        *,
        margin_m: float = 0.0,
        zone_margin_m: float = 0.0,
    ) -> None:
        if not len(polygons):
            raise GeometryError(
                "'area.polygon' must be at least three corners x0, y0, x1, y1, ..., got none; "
                'without an area there is nothing to search.'
            )
        for name, margin in (('area.margin_m', margin_m), ('no_fly.margin_m', zone_margin_m)):
            if not 0.0 <= margin < np.inf:
                raise GeometryError(f"'{name}' must be finite and at least 0, got {margin!r}.")
        self.polygons = [
            checked_polygon(corners, _name('area.polygon', index, len(polygons)))
            for index, corners in enumerate(polygons)
        ]
        self.zones = [
            checked_polygon(corners, f'no_fly.polygons[{index}]')
            for index, corners in enumerate(zones)
        ]
        with _refusing():
            self._work_out(margin_m, zone_margin_m)

    def _work_out(self, margin_m: float, zone_margin_m: float) -> None:
        """Make everything of polygons and zones that is good by itself."""
        corners = np.concatenate(self.polygons)
        low, high = corners.min(axis=0), corners.max(axis=0)
        self.bounds = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        # Map coordinates may be millions of metres; near 0 rounding errors stay small.
        self._origin: FloatArray = 0.5 * (low + high)

        border = self._union(self.polygons)
        self.side = float(np.sqrt(shapely.area(border)))
        ulp = float(np.spacing(np.abs(corners).max()))
        self.tolerance_m = max(_RELATIVE_TOLERANCE * self.side, 4.0 * ulp)
        shrunk = _grown(border, -margin_m)
        if shapely.is_empty(shrunk):
            widest = shapely.length(shapely.maximum_inscribed_circle(border, 1e-3 * self.side))
            raise GeometryError(
                f"'area.margin_m' must be below {widest:.3g}, half the width of the area, "
                f'got {margin_m!r}.'
            )
        zones = self._union(self.zones)
        # Everything that may not be flown over, as far as it can be the nearest: distances to it
        # are clearances.
        around = shapely.box(*shapely.bounds(border)).buffer(self.side)
        outside = shapely.difference(around, border)
        self._blocked_side = PreparedShape(shapely.union(outside, zones))
        blocked = _grown(zones, max(zone_margin_m, 2.0 * self.tolerance_m))
        free = self._without_slivers(shapely.difference(shrunk, blocked))
        self._zones, self._free = PreparedShape(zones), PreparedShape(free)
        self._legal = PreparedShape(_grown(free, self.tolerance_m))
        self._grid_bounds = shrunk.bounds
        self._legs = LegTest(self._legal, self.tolerance_m / 8.0)
        self.turning_points = self._reflex_corners()
        """Corners of free space a shortest path may turn at, shape ``(K, 2)``, metres."""
        self.is_empty = bool(shapely.is_empty(free))
        """Whether no place is legal."""
        self.is_convex = shapely.get_num_geometries(free) == 1 and not len(
            self.turning_points
        )
        """Whether every leg between legal places is legal."""

    @classmethod
    def from_config(
        cls, area: AreaConfig, no_fly: NoFlyConfig, plane: SearchPlane = GROUND
    ) -> SearchArea:
        """
        Build the area a configuration describes.

        :param plane: its limits of height cut the area.
        :raises GeometryError: if a polygon cannot be used or the margin leaves no area.
        :raises ConfigError: if the limits of height leave no area.
        """
        with _refusing():
            polygons = plane.cut([polygon_from_numbers(area.polygon, 'area.polygon')])
        return cls(
            polygons,
            [
                parse_polygon(text, f'no_fly.polygons[{index}]')
                for index, text in enumerate(no_fly.polygons)
            ],
            margin_m=area.margin_m,
            zone_margin_m=no_fly.margin_m,
        )

    def contains(self, points: FloatArray) -> BoolArray:
        """
        Tell which places are legal, the border included.

        :param points: shape ``(M, 2)``, metres.
        :return: shape ``(M,)``; not finite is not legal.
        """
        local = np.asarray(points, dtype=np.float64) - self._origin
        is_finite = np.isfinite(local).all(axis=1)
        inside: BoolArray = np.zeros(len(local), dtype=np.bool_)
        x, y = local[is_finite].T
        inside[is_finite] = self._legal.ask(shapely.intersects_xy, x, y)
        return inside

    def legs_legal(self, starts: FloatArray, ends: FloatArray) -> BoolArray:
        """
        Tell which straight legs are legal.

        Every leg this accepts passes :meth:`path_legal`.

        :param starts: shape ``(2,)`` for all legs or ``(M, 2)``, metres.
        :param ends: shape ``(2,)`` for all legs or ``(M, 2)``, metres.
        :return: shape ``(M,)``; a leg with an end that is not finite is not legal.
        """
        starts = np.atleast_2d(np.asarray(starts, dtype=np.float64))
        ends = np.atleast_2d(np.asarray(ends, dtype=np.float64))
        if len(ends) == 1 and len(starts) != 1:
            starts, ends = ends, starts
        if len(starts) not in (1, len(ends)):
            raise ValueError(f"'ends' must match {len(starts)} starts, got {len(ends)}.")
        is_legal: BoolArray = np.broadcast_to(self.contains(starts), (len(ends),)).copy()
        if self.is_convex:
            return is_legal & self.contains(ends)
        is_legal &= np.isfinite(ends).all(axis=1)
        rows = np.flatnonzero(is_legal)
        some_starts = starts if len(starts) == 1 else starts[rows]
        if len(rows):
            # A leg from inside that touches no edge of the border ends inside.
            is_legal[rows] = self._legs.clear(
                some_starts - self._origin, ends[rows] - self._origin
            )
        return is_legal

    def path_legal(self, path: FloatArray) -> bool:
        """
        Tell, independently of :meth:`legs_legal`, whether a path may be flown.

        :param path: vertices, shape ``(Q, 2)``, metres; one vertex is a place.
        :return: whether it keeps inside the area and off every zone, margins included.
        """
        path = np.asarray(path, dtype=np.float64)
        if not len(path) or not np.isfinite(path).all():
            return False
        line = self._line(path)
        return bool(self._legal.ask(shapely.covers, line)) and not self._enters_zone(line)

    def crosses_zone(self, path: FloatArray) -> bool:
        """
        Tell whether a flown path has been inside a zone.

        :param path: vertices, shape ``(Q, 2)``, metres, finite.
        :return: whether it meets the interior of a zone as given, margin left out.
        :raises GeometryError: if a vertex is not finite.
        """
        path = np.asarray(path, dtype=np.float64)
        if not np.isfinite(path).all():
            raise GeometryError(f"'path' must be finite, got {path.tolist()!r}.")
        return len(path) > 0 and bool(self._enters_zone(self._line(path)))

    def nearest_legal(self, point: FloatArray) -> FloatArray:
        """
        Return the legal place nearest to a place: the shortest way out of a zone or back inside.

        :param point: shape ``(2,)``, metres.
        :return: shape ``(2,)``, metres; the point itself where it is legal.
        :raises GeometryError: if the point is not finite or there is no legal place at all.
        """
        point = np.array(point, dtype=np.float64)
        if not np.isfinite(point).all():
            raise GeometryError(f"'point' must be finite, got {point.tolist()!r}.")
        if self.contains(point[np.newaxis])[0]:
            return point
        if self.is_empty:
            raise GeometryError(
                'there is no legal place: the no-fly zones and their margins cover the area.'
            )
        way = self._free.ask(shapely.shortest_line, shapely.Point(self._offset(point)))
        nearest: FloatArray = shapely.get_coordinates(way)[0] + self._origin
        return nearest

    def way_in(self, start: FloatArray) -> FloatArray | None:
        """
        Return the nearest legal place that a straight leg reaches without coming into a zone.

        A vehicle inside a zone leaves it by the leg and comes into none again.

        :param start: shape ``(2,)``, metres.
        :return: shape ``(2,)``, metres; the start itself where it is legal, ``None`` where
            there is no such place or the start is not finite.
        """
        start = np.asarray(start, dtype=np.float64)
        if not np.isfinite(start).all() or self.is_empty:
            return None
        nearest = self.nearest_legal(start)
        offset = self._offset(start)
        if self._keep_out(offset, (nearest - self._origin)[np.newaxis])[0]:
            return nearest
        # Any place of the border will do where a zone lies before the nearest.
        border = self._free.ask(shapely.boundary)
        places = shapely.get_coordinates(
            shapely.segmentize(border, shapely.length(border) / _BORDER_STEPS)
        )
        order = np.argsort(np.linalg.norm(places - offset, axis=1), kind='stable')
        good = np.flatnonzero(self._keep_out(offset, places[order]))
        if not len(good):
            return None
        found: FloatArray = places[order[good[0]]] + self._origin
        return found

    def clearance_m(self, point: FloatArray) -> float:
        """
        Return the distance to the nearest border of the area or of a zone, margins left out.

        :param point: shape ``(2,)``, metres.
        :return: metres; 0 outside the area, in a zone and for a point that is not finite.
        """
        return self.leg_clearance_m(point, point)

    def leg_clearance_m(self, start: FloatArray, end: FloatArray) -> float:
        """
        Return the distance of a straight leg to the nearest border, margins left out.

        :param start: shape ``(2,)``, metres.
        :param end: shape ``(2,)``, metres.
        :return: metres; 0 where a part is outside the area or in a zone or an end is not finite.
        """
        leg = np.stack([start, end]).astype(np.float64)
        if not np.isfinite(leg).all():
            return 0.0
        return float(self._blocked_side.ask(shapely.distance, self._line(leg)))

    def candidates(self, resolution_m: float = float('nan')) -> FloatArray:
        """
        Return a grid of legal places; see :func:`bo_explorer.core.grid.candidate_grid`.

        :param resolution_m: spacing, metres; NaN: about 2500 cells over the area.
        :return: shape ``(M, 2)``, metres, row by row; M is 0 where zones cover the whole area.
        :raises GeometryError: if the resolution is not above 0 or gives too many candidates.
        """
        free, bounds = self._free.shape, self._grid_bounds
        with _refusing():
            grid: FloatArray = self._legal.ask(
                lambda legal: candidate_grid(free, legal, bounds, resolution_m, self.side)
            )
        return grid + self._origin

    def _union(self, polygons: Sequence[FloatArray]) -> shapely.Geometry:
        return shapely.union_all([shapely.Polygon(corners - self._origin) for corners in polygons])

    def _line(self, path: FloatArray) -> shapely.Geometry:
        """Return a path in local coordinates: a line, or a point where it does not move."""
        local = path - self._origin
        if (local == local[0]).all():
            return shapely.Point(local[0])
        return shapely.LineString(local)

    def _enters_zone(self, lines: Any) -> BoolArray:
        """Tell of one local line or of many whether it meets the interior of a zone."""
        enters: BoolArray = np.asarray(self._zones.ask(shapely.intersects, lines))
        if enters.any():
            enters = enters & ~np.asarray(self._zones.ask(shapely.touches, lines))
        return enters

    def _offset(self, point: FloatArray) -> FloatArray:
        """Return local coordinates of a place; one that is far off comes nearer."""
        offset = point - self._origin
        # From so far away every place of the area lies in the same direction; squares overflow.
        near: FloatArray = offset * min(1.0, _FAR_M / max(float(np.abs(offset).max()), 1.0))
        return near

    def _keep_out(self, start: FloatArray, ends: FloatArray) -> BoolArray:
        """Tell which local legs to legal places enter no zone but the one they start in."""
        lines = shapely.linestrings(np.stack([np.broadcast_to(start, ends.shape), ends], axis=1))
        keep_out: BoolArray
        if self._zones.ask(shapely.contains_xy, *start):
            left = self._zones.ask(lambda zones: shapely.difference(lines, zones))
            keep_out = shapely.get_num_geometries(left) == 1
        else:
            keep_out = ~self._enters_zone(lines)
        return keep_out

    def _without_slivers(self, shape: shapely.Geometry) -> shapely.Geometry:
        """Drop the parts that are thinner than rounding can tell."""
        parts = shapely.get_parts(shape)
        is_real = shapely.area(parts) > self.tolerance_m * shapely.length(parts)
        return shapely.MultiPolygon(list(parts[is_real]))

    def _reflex_corners(self) -> FloatArray:
        """Return the corners where free space turns by more than 180 degrees."""
        corners = [np.empty((0, 2))]
        for part in shapely.get_parts(self._free.shape):
            part = orient(part)
            for ring in (part.exterior, *part.interiors):
                here = shapely.get_coordinates(ring)[:-1]
                before, after = here - np.roll(here, 1, axis=0), np.roll(here, -1, axis=0) - here
                turns = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
                lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
                corners.append(here[turns < -_STRAIGHT * lengths])
        return np.unique(np.concatenate(corners), axis=0) + self._origin


@contextmanager
def _refusing() -> Iterator[None]:
    """Refuse shapes that are good by themselves and too much for GEOS together."""
    try:
        yield
    except shapely.GEOSException as error:
        raise GeometryError(
            "'area.polygon' and 'no_fly.polygons' must be shapes that can be cut from each other, "
            f'got: {error}. Move a corner or change a margin a little.'
        ) from error


def _name(key: str, index: int, count: int) -> str:
    return key if count == 1 else f'{key}[{index}]'


def _grown(shape: shapely.Geometry, distance: float) -> shapely.Geometry:
    """Grow, or shrink, a shape; at sharp corners by more rather than less."""
    return shape if distance == 0.0 else shapely.buffer(shape, distance, join_style='mitre')
