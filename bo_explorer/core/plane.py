# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The plane that is searched, anywhere in space: the ground, or a wall the vehicle looks at.

The planner thinks in two dimensions, x and y on the plane. Where it meets the world, places are
lifted to three: ``origin + x e_x + y e_y + d n``, with ``d`` the distance from the plane and
``n = e_x x e_y`` its normal, which points at the vehicle. The axes are of unit length and at right
angles, so distances on the plane are distances in space, and what is legal there is legal here.

Seen from the vehicle, x runs to the right and y up. ``yaw`` turns e_x counter-clockwise from east,
``tilt`` raises e_y from the horizontal: 0 is the ground, 90 a wall. A wall with yaw 0 is looked at
from the south.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from scipy.spatial.transform import Rotation
from scipy.special import cosdg, sindg

from .errors import ConfigError
from .options import Options, option
from .types import FloatArray, Pose, Waypoint

_UNSET = math.nan

# Part of a polygon below which a piece of it is rounding.
_SLIVER = 1e-9

Quaternion = tuple[float, float, float, float]
"""Orientation as x, y, z, w."""


@dataclass(frozen=True)
class PlaneConfig(Options):
    """Where the searched plane lies in the map; not set: it is the ground of the map."""

    origin_x: float = option(
        0.0, 'East of the place where x and y are 0.', unit='m', low=-1e8, high=1e8
    )
    origin_y: float = option(
        0.0, 'North of the place where x and y are 0.', unit='m', low=-1e8, high=1e8
    )
    origin_z: float = option(
        0.0, 'Height of the place where x and y are 0.', unit='m', low=-1e4, high=1e5
    )
    yaw_deg: float = option(
        0.0,
        'Direction of the x axis of the plane, counter-clockwise from east.',
        unit='deg',
        low=-360.0,
        high=360.0,
    )
    tilt_deg: float = option(
        0.0,
        'Angle of the y axis of the plane over the horizontal: 0 the ground, 90 a wall.',
        unit='deg',
        low=0.0,
        high=180.0,
    )
    stand_off_m: float = option(
        _UNSET,
        'Distance the vehicle keeps from the plane; not set: vehicle.altitude_m.',
        unit='m',
        low=-1e4,
        high=1e5,
        optional=True,
    )
    tolerance_m: float = option(
        _UNSET,
        'A pose further than this from that distance is dropped; not set: no limit over the '
        'ground, half the distance in front of anything else.',
        unit='m',
        low=0.0,
        open_low=True,
        high=1e5,
        optional=True,
    )
    height_min_m: float = option(
        _UNSET,
        'Least height of the vehicle in the map, which cuts the area; not set: no limit.',
        unit='m',
        low=-1e4,
        high=1e5,
        optional=True,
    )
    height_max_m: float = option(
        _UNSET,
        'Greatest height of the vehicle in the map, which cuts the area; not set: no limit.',
        unit='m',
        low=-1e4,
        high=1e5,
        optional=True,
    )

    def check(self) -> None:
        if self.height_min_m >= self.height_max_m:
            raise ConfigError(
                'height_max_m',
                f"'height_max_m' must be above height_min_m = {self.height_min_m!r}, "
                f'got {self.height_max_m!r}.',
            )


class SearchPlane:
    """
    A plane with axes, and the vehicle at its distance from it.

    :param config: where the plane lies.
    :param stand_off_m: distance kept where the configuration names none, metres; along the
        normal.
    :raises ConfigError: if the vehicle would fly behind or in a wall.
    """

    def __init__(self, config: PlaneConfig, stand_off_m: float) -> None:
        given = config.stand_off_m
        self.stand_off_m = stand_off_m if math.isnan(given) else given
        self.is_ground = config.tilt_deg == 0.0
        """Whether the plane is level and looked at from above."""
        if not self.is_ground and not self.stand_off_m > 0.0:
            raise ConfigError(
                'plane.stand_off_m',
                "'plane.stand_off_m' must be above 0 in front of a wall, "
                f'got {self.stand_off_m!r}.',
            )
        self._heights = (config.height_min_m, config.height_max_m)
        self._tolerance_m = config.tolerance_m
        if math.isnan(config.tolerance_m):
            self._tolerance_m = math.inf if self.is_ground else 0.5 * self.stand_off_m
        self.origin: FloatArray = np.array([config.origin_x, config.origin_y, config.origin_z])
        """Place where x and y are 0, shape ``(3,)``, metres in the map."""
        cos_yaw, sin_yaw = cosdg(config.yaw_deg), sindg(config.yaw_deg)
        cos_tilt, sin_tilt = cosdg(config.tilt_deg), sindg(config.tilt_deg)
        self.axes: FloatArray = np.array(
            [
                [cos_yaw, sin_yaw, 0.0],
                [-sin_yaw * cos_tilt, cos_yaw * cos_tilt, sin_tilt],
                [sin_yaw * sin_tilt, -cos_yaw * sin_tilt, cos_tilt],
            ]
        )
        """Rows e_x, e_y and the normal, shape ``(3, 3)``."""
        self.is_map = bool((self.axes == np.eye(3)).all() and not self.origin.any())
        """Whether x, y and the distance are east, north and up."""

    def lift(self, points: FloatArray, distance_m: float | FloatArray = 0.0) -> FloatArray:
        """
        Return where places on the plane are in the map.

        :param points: shape ``(M, 2)``, metres.
        :param distance_m: from the plane, metres; a number or shape ``(M,)``.
        :return: shape ``(M, 3)``, metres.
        """
        points = np.asarray(points, dtype=np.float64)
        local = np.column_stack([points, np.broadcast_to(distance_m, len(points))])
        return local if self.is_map else self.origin + local @ self.axes

    def project(self, points: FloatArray) -> FloatArray:
        """
        Return places of the map as x and y on the plane and distance from it.

        :param points: shape ``(M, 3)``, metres.
        :return: shape ``(M, 3)``, metres.
        """
        points = np.asarray(points, dtype=np.float64)
        projected: FloatArray = points if self.is_map else (points - self.origin) @ self.axes.T
        return projected

    @cached_property
    def orientation(self) -> Quaternion:
        """Orientation of the axes in the map."""
        return _quaternion(self.axes.T)

    @cached_property
    def facing(self) -> Quaternion | None:
        """
        Orientation of a vehicle that looks straight at the plane, ``None`` over the ground.

        Its axis forward is ``-n``, left ``-e_x``, up ``e_y``, which is right-handed.
        """
        if self.is_ground:
            return None
        e_x, e_y, normal = self.axes
        return _quaternion(np.column_stack([-normal, -e_x, e_y]))

    @property
    def heading(self) -> float | None:
        """Yaw of a vehicle that looks at the plane, radians; ``None`` over the ground."""
        ahead = -self.axes[2]
        if not ahead[:2].any():
            return None
        return math.atan2(ahead[1], ahead[0])

    def waypoint(self, place: Waypoint) -> Waypoint:
        """
        Return a place on the plane as a waypoint in the map, at the stand-off and facing it.

        :param place: x and y on the plane; the rest of it is not read.
        """
        x, y, z = self.lift(np.array([[place.x, place.y]]), self.stand_off_m)[0]
        if self.is_ground:
            return Waypoint(float(x), float(y), float(z), place.yaw)
        return Waypoint(float(x), float(y), float(z), self.heading, self.facing)

    def pose(self, pose: Pose) -> Pose:
        """
        Return a pose of the map on the plane: z is the distance from it.

        :param pose: in the map; its yaw is kept on the ground alone, counted from e_x.
        """
        if self.is_map:
            return pose
        x, y, distance = self.project(np.array([[pose.x, pose.y, pose.z]]))[0]
        yaw = None
        if self.is_ground and pose.yaw is not None:
            turned = pose.yaw - math.atan2(self.axes[0, 1], self.axes[0, 0])
            yaw = math.remainder(turned, 2.0 * math.pi)
        return replace(pose, x=float(x), y=float(y), z=float(distance), yaw=yaw)

    def is_near(self, distance_m: float) -> bool:
        """
        Tell whether a vehicle at this distance from the plane is where it should be.

        :param distance_m: from the plane, metres.
        """
        return abs(distance_m - self.stand_off_m) <= self._tolerance_m

    def cut(self, polygons: Sequence[FloatArray]) -> list[FloatArray]:
        """
        Return what the limits of height leave of some polygons.

        :param polygons: valid, corners on the plane, each of shape ``(K, 2)``, metres.
        :return: polygons; those that keep the limits as they came.
        :raises ConfigError: if the vehicle would be too low or too high everywhere.
        """
        low, high = self._limits_of_y()
        kept: list[FloatArray] = []
        for corners in polygons:
            if (corners[:, 1] >= low).all() and (corners[:, 1] <= high).all():
                kept.append(corners)
                continue
            shape = shapely.Polygon(corners)
            left, right = corners[:, 0].min(), corners[:, 0].max()
            bottom, top = max(low, corners[:, 1].min()), min(high, corners[:, 1].max())
            if not bottom < top:
                continue
            pieces = shapely.get_parts(shape.intersection(shapely.box(left, bottom, right, top)))
            kept.extend(
                shapely.get_coordinates(piece)[:-1]
                for piece in pieces
                if shapely.area(piece) > _SLIVER * shapely.area(shape)
            )
        if polygons and not kept:
            raise ConfigError(
                'plane.height_min_m',
                "'plane.height_min_m' and plane.height_max_m must leave a part of the search area "
                f'to a vehicle {self.stand_off_m:g} m from the plane, got {self._heights!r}.',
            )
        return kept

    def _limits_of_y(self) -> tuple[float, float]:
        """Return the least and greatest y on the plane that keep the limits of height."""
        low, high = self._heights
        low = -math.inf if math.isnan(low) else low
        high = math.inf if math.isnan(high) else high
        base = float(self.origin[2] + self.stand_off_m * self.axes[2, 2])
        slope = float(self.axes[1, 2])
        if slope == 0.0:
            return (-math.inf, math.inf) if low <= base <= high else (math.inf, -math.inf)
        return (low - base) / slope, (high - base) / slope


def _quaternion(matrix: FloatArray) -> Quaternion:
    """Return a rotation as x, y, z, w with w at least 0."""
    x, y, z, w = Rotation.from_matrix(matrix).as_quat(canonical=True)
    return float(x), float(y), float(z), float(w)


GROUND = SearchPlane(PlaneConfig(), 0.0)
"""The ground of the map."""
