# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Ground truth about a flight: what the vehicle did, whatever the planner believes."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely

from ..core.area import SearchArea
from ..core.types import FloatArray

# Legal paths run along borders, where rounding puts them on either side.
_TOLERANCE_M = 1e-6


class FlightAudit:
    """
    Judges successive places of the vehicle by the polygons themselves, without margins.

    :param area: the true area and zones.
    """

    def __init__(self, area: SearchArea) -> None:
        self._position: FloatArray | None = None
        self._is_inside_zone = False
        self.change(area)
        self._zone_crossings = 0
        self._outside = 0
        self._outside_m = 0.0
        self._flown_m = 0.0

    def change(self, area: SearchArea) -> None:
        """
        Judge by another area from now on; a vehicle inside a new zone has not come into it.

        :param area: the true area and zones.
        """
        self._area = shapely.union_all([shapely.Polygon(p) for p in area.polygons]).buffer(
            _TOLERANCE_M, join_style='mitre'
        )
        zones = [shapely.Polygon(zone) for zone in area.zones]
        self._zones = shapely.union_all(zones).buffer(-_TOLERANCE_M, join_style='mitre')
        shapely.prepare(self._area)
        shapely.prepare(self._zones)
        if self._position is not None:
            self._is_inside_zone = bool(self._zones.contains(shapely.Point(self._position)))

    @property
    def zone_crossings(self) -> int:
        """Times the vehicle came into a no-fly zone; however long it stayed, each counts once."""
        return self._zone_crossings

    @property
    def outside(self) -> int:
        """Steps that did not lie wholly inside the area."""
        return self._outside

    @property
    def outside_m(self) -> float:
        """How far outside the area the vehicle has been at most, metres."""
        return self._outside_m

    @property
    def flown_m(self) -> float:
        """Distance between successive places, summed, metres."""
        return self._flown_m

    def add(self, position: FloatArray) -> None:
        """
        Take the next place, reached in a straight line from the one before.

        :param position: shape ``(2,)``, metres.
        :raises ValueError: if it is not finite.
        """
        position = np.array(position, dtype=np.float64)
        if position.shape != (2,) or not np.isfinite(position).all():
            raise ValueError(f"'position' must be two finite numbers, got {position!r}.")
        is_first = self._position is None
        before = position if self._position is None else self._position
        self._position = position
        distance = float(np.hypot(*(position - before)))
        if distance == 0.0 and not is_first:
            return
        self._flown_m += distance
        step: Any = shapely.LineString([before, position]) if distance else shapely.Point(position)
        if not self._area.covers(step):
            self._outside += 1
            away = float(self._area.distance(shapely.Point(position)))
            if away == 0.0:
                # It has cut a corner: as much as lay outside.
                away = float(shapely.length(shapely.difference(step, self._area)))
            self._outside_m = max(self._outside_m, away)
        self._count_crossings(step, shapely.Point(position))

    def _count_crossings(self, step: Any, end: Any) -> None:
        was_inside = self._is_inside_zone
        self._is_inside_zone = False
        if not self._zones.intersects(step):
            return
        # What the step shares with a border alone is no part of the interior.
        pieces = shapely.get_parts(self._zones.intersection(step))
        entered = sum(bool(self._zones.relate_pattern(p, 'T********')) for p in pieces)
        self._zone_crossings += max(0, entered - was_inside)
        self._is_inside_zone = bool(self._zones.contains(end))
