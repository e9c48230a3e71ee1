# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Area, zones and home as a file gives them, on the earth, and as the planner takes them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import shapely

from ..core.errors import ConfigError
from ..core.polygons import checked_polygon
from ..core.types import FloatArray
from .local_frame import LocalFrame

_CIRCLE_CORNERS = 32


@dataclass(frozen=True)
class Ring:
    """
    A closed line on the earth.

    :param name: for people.
    :param latitudes: degrees, shape ``(V,)``.
    :param longitudes: degrees, shape ``(V,)``.
    """

    name: str
    latitudes: FloatArray
    longitudes: FloatArray


@dataclass(frozen=True)
class Circle:
    """
    A circle on the earth.

    :param name: for people.
    :param latitude: of its centre, degrees.
    :param longitude: of its centre, degrees.
    :param radius_m: metres, above 0.
    """

    name: str
    latitude: float
    longitude: float
    radius_m: float


@dataclass(frozen=True)
class LocalPlan:
    """
    What was read, in the map frame.

    :param frame: where the map frame is on the earth.
    :param area: corners of the search area, metres, shape ``(V, 2)``.
    :param zones: corners of each no-fly zone, metres.
    :param home: ``(x, y)``, metres, or ``None``.
    :param notes: what the user should know, one sentence each.
    """

    frame: LocalFrame
    area: FloatArray
    zones: list[FloatArray]
    home: tuple[float, float] | None
    notes: list[str]


@dataclass
class Fence:
    """
    What a file says.

    :param inclusions: the vehicle may be inside any of these.
    :param exclusions: it must be inside none of these.
    :param home: latitude and longitude, degrees, and altitude, metres; or ``None``.
    :param notes: what the user should know, one sentence each.
    """

    inclusions: list[Ring | Circle] = field(default_factory=list)
    exclusions: list[Ring | Circle] = field(default_factory=list)
    home: tuple[float, float, float] | None = None
    notes: list[str] = field(default_factory=list)

    def to_local(self, frame: LocalFrame | None = None) -> LocalPlan:
        """
        Convert to the map frame.

        Overlapping inclusions become one area, and a hole in it a zone. A circle becomes a polygon
        of 32 corners: an area never larger than its circle, a zone never smaller.

        :param frame: where the map frame is; ``None``: its origin is home.
        :raises ConfigError: if there is no area, the areas are apart, or there is no origin.
        :raises GeometryError: if a polygon cannot be used.
        """
        if not self.inclusions:
            raise ConfigError('file', 'the file holds no area to search: draw an inclusion.')
        if frame is None:
            if self.home is None:
                raise ConfigError(
                    'origin',
                    "'origin' must be given where the file names no home: --origin LAT,LON[,ALT], "
                    'the place your vehicle counts its local position from.',
                )
            frame = LocalFrame(*self.home)
        notes = list(self.notes)
        border = shapely.union_all(
            [shapely.Polygon(_corners(shape, frame, grow=False)) for shape in self.inclusions]
        )
        if not isinstance(border, shapely.Polygon):
            raise ConfigError(
                'file',
                'the areas to search must be one connected area, got '
                f'{shapely.get_num_geometries(border)} apart; keep one of them in the file.',
            )
        if len(self.inclusions) > 1:
            notes.append(f'{len(self.inclusions)} inclusions were joined into one area')
        if border.interiors:
            notes.append(f'{len(border.interiors)} hole(s) in the area became no-fly zones')
        holes = [_open(ring.coords) for ring in border.interiors]
        zones = [_corners(shape, frame, grow=True) for shape in self.exclusions]
        for shape, zone in zip(self.exclusions, zones):
            if not shapely.intersects(shapely.Polygon(zone), border):
                notes.append(f'{shape.name} lies outside the area and changes nothing')
        home = None
        if self.home is not None:
            place = frame.to_local(np.array([self.home[0]]), np.array([self.home[1]]))[0]
            home = (float(place[0]), float(place[1]))
            if not shapely.intersects_xy(border, *home):
                notes.append('home lies outside the area: the mission would not start there')
        return LocalPlan(frame, _open(border.exterior.coords), holes + zones, home, notes)


def _corners(shape: Ring | Circle, frame: LocalFrame, *, grow: bool) -> FloatArray:
    if isinstance(shape, Ring):
        local = frame.to_local(shape.latitudes, shape.longitudes)
        return _open(checked_polygon(local, shape.name))
    if not 0.0 < shape.radius_m < math.inf:
        raise ConfigError(
            'file', f"'{shape.name}' must have a radius above 0 m, got {shape.radius_m!r}."
        )
    centre = frame.to_local(np.array([shape.latitude]), np.array([shape.longitude]))[0]
    radius = shape.radius_m / (math.cos(math.pi / _CIRCLE_CORNERS) if grow else 1.0)
    angles = 2.0 * math.pi * np.arange(_CIRCLE_CORNERS) / _CIRCLE_CORNERS
    corners: FloatArray = centre + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    return corners


def _open(corners: Iterable[Iterable[float]] | FloatArray) -> FloatArray:
    """Leave out a last corner that repeats the first."""
    polygon = np.array([tuple(corner)[:2] for corner in corners], dtype=np.float64)
    return polygon[:-1] if (polygon[0] == polygon[-1]).all() else polygon
