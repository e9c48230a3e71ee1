# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies for areas, zones and places, degenerate ones on purpose included."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from hypothesis import strategies as st

from bo_explorer.core.area import SearchArea
from bo_explorer.core.types import FloatArray


@dataclass(frozen=True)
class World:
    """
    A search area as a user would describe it.

    :param polygons: inclusion polygons, each ``(V, 2)``, metres.
    :param zones: no-fly polygons, each ``(V, 2)``, metres.
    :param margin_m: distance kept from the border.
    :param zone_margin_m: distance kept from zones.
    """

    polygons: list[FloatArray]
    zones: list[FloatArray]
    margin_m: float = 0.0
    zone_margin_m: float = 0.0

    def area(self) -> SearchArea:
        return SearchArea(
            self.polygons, self.zones, margin_m=self.margin_m, zone_margin_m=self.zone_margin_m
        )

    def true_area(self) -> shapely.Geometry:
        return shapely.union_all([shapely.Polygon(p) for p in self.polygons])

    def true_zones(self) -> shapely.Geometry:
        return shapely.union_all([shapely.Polygon(z) for z in self.zones])

    def free(self) -> shapely.Geometry:
        """Free space by the definition, in map coordinates."""
        area, zones = self.true_area(), self.true_zones()
        if self.margin_m:
            area = area.buffer(-self.margin_m, join_style='mitre')
        if self.zone_margin_m:
            zones = zones.buffer(self.zone_margin_m, join_style='mitre')
        return area.difference(zones)


def coordinates(low: float, high: float) -> st.SearchStrategy[float]:
    """Draw numbers of a range: any, and often round ones, which make geometry degenerate."""
    steps = int(round(high - low))
    whole = st.integers(0, steps).map(lambda k: low + k)
    return st.one_of(whole, st.floats(low, high))


@st.composite
def star_polygons(draw, *, centre=(50.0, 50.0), radius=50.0, least=0.25, max_corners=10):
    """Draw a simple polygon, mostly concave: corners at rising angles round a centre."""
    n_corners = draw(st.integers(3, max_corners))
    turn = draw(st.floats(0.0, 1.0))
    radii = draw(st.lists(st.floats(least, 1.0), min_size=n_corners, max_size=n_corners))
    angles = 2.0 * math.pi * (np.arange(n_corners) + turn) / n_corners
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.asarray(centre) + radius * np.array(radii)[:, np.newaxis] * corners


@st.composite
def rectangles(draw, *, extent=100.0):
    """Draw a rectangle with corners at multiples of a tenth of the extent: much is in line."""
    x, y = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    unit = 0.1 * extent
    return unit * np.array(
        [(x, y), (x + width, y), (x + width, y + height), (x, y + height)], dtype=np.float64
    )


@st.composite
def zones(draw, *, extent=100.0):
    """Draw a no-fly polygon somewhere in ``[0, extent]^2``: a concave star or a rectangle."""
    if draw(st.booleans()):
        return draw(rectangles(extent=extent))
    centre = (draw(coordinates(0.0, extent)), draw(coordinates(0.0, extent)))
    radius = draw(st.floats(0.05 * extent, 0.25 * extent))
    return draw(star_polygons(centre=centre, radius=radius, least=0.3, max_corners=6))


@st.composite
def areas(draw, *, extent=100.0):
    """Draw the inclusion polygons: a square, an L, a star, or two squares that may touch."""
    square = extent * np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    bent = extent * np.array([(0, 0), (1, 0), (1, 0.4), (0.4, 0.4), (0.4, 1), (0, 1)])
    kind = draw(st.sampled_from(('square', 'bent', 'star', 'two')))
    if kind == 'square':
        return [square]
    if kind == 'bent':
        return [bent]
    if kind == 'star':
        return [draw(star_polygons(centre=(extent / 2, extent / 2), radius=extent / 2))]
    shift = 0.1 * extent * draw(st.integers(0, 6))
    return [0.5 * square, 0.5 * square + shift]


@st.composite
def worlds(draw, *, extent=100.0, max_zones=4):
    """Draw a whole world; margins are small against the area, often 0."""
    polygons = draw(areas(extent=extent))
    margins = st.one_of(st.just(0.0), st.floats(1e-3 * extent, 0.03 * extent))
    return World(
        polygons,
        draw(st.lists(zones(extent=extent), max_size=max_zones)),
        margin_m=draw(margins),
        zone_margin_m=draw(margins),
    )


def points(extent: float = 100.0, beyond: float = 0.0) -> st.SearchStrategy[FloatArray]:
    """Draw a place in ``[-beyond, extent + beyond]^2``, shape ``(2,)``."""
    numbers = coordinates(-beyond, extent + beyond)
    return st.tuples(numbers, numbers).map(lambda p: np.array(p, dtype=np.float64))


def point_sets(n: int, extent: float = 100.0) -> st.SearchStrategy[FloatArray]:
    """Draw ``n`` places in ``[0, extent]^2``, shape ``(n, 2)``."""
    return st.lists(points(extent), min_size=n, max_size=n).map(np.array)


def winds(fraction: float = 0.8) -> st.SearchStrategy[tuple[float, float]]:
    """Draw a steady wind below ``fraction`` of an airspeed of 1, calm included."""
    blowing = st.tuples(st.floats(0.0, fraction), st.floats(0.0, 2.0 * math.pi)).map(
        lambda p: (p[0] * math.cos(p[1]), p[0] * math.sin(p[1]))
    )
    return st.one_of(st.just((0.0, 0.0)), blowing)
