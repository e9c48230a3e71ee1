# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Which setpoint the vehicle gets. Imports no ROS and reads no clock.

Every setpoint is a waypoint of the explorer, whose way was checked, or a place the vehicle was at.
A failure anywhere repeats the last one: the vehicle holds, it is never led straight across.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import shapely

from ...core.plane import SearchPlane
from ...core.types import Pose, Waypoint


class Setpoints:
    """
    Chooses between the waypoints and holding.

    A waypoint is the end of a leg that begins where the vehicle was when the waypoint was first
    heard: that leg was checked. While others have the vehicle they may take it elsewhere, from
    where nobody has checked the way. So :meth:`begin` holds it until it is on the leg of the
    waypoint, by the measure by which the mission tells that it has left its path.

    :param timeout_s: without a waypoint for this long the last setpoint is held, seconds.
    :param plane: that is searched; on it the mission sees where the vehicle is.
    :param deviation_m: a vehicle further than this from a leg is not on it, metres on the plane.
    """

    def __init__(self, timeout_s: float, plane: SearchPlane, deviation_m: float) -> None:
        self._timeout_s = timeout_s
        self._plane = plane
        self._deviation_m = deviation_m
        self._waypoint: Waypoint | None = None
        self._given_at: Pose | None = None
        self._heard_at = -math.inf
        self._held: Waypoint | None = None
        self._is_begun = False
        self.is_holding = True
        """Whether the last setpoint was held for want of a waypoint."""

    def hear(self, waypoint: Waypoint, now: float, pose: Pose | None) -> None:
        """
        Take a waypoint.

        :param waypoint: finite, in the map.
        :param now: seconds of a clock that never goes back.
        :param pose: of the vehicle, ``None`` where it is not known.
        """
        if waypoint != self._waypoint or self._given_at is None:
            self._waypoint, self._given_at = waypoint, pose
        self._heard_at = now

    def age_s(self, now: float) -> float:
        """Return the time since the last waypoint, seconds; infinite before the first."""
        return now - self._heard_at

    def hold(self, pose: Pose) -> Waypoint:
        """Return a place as setpoint, and hold it from now on: the vehicle's own, or above it."""
        self._held = Waypoint(pose.x, pose.y, pose.z, pose.yaw)
        self.is_holding = True
        return self._held

    def begin(self, pose: Pose) -> None:
        """
        Hold here until the vehicle is on the leg of the waypoint: it comes from other hands.

        :param pose: of the vehicle.
        """
        self.hold(pose)
        self._is_begun = False

    def follow(self, now: float, pose: Pose | None) -> Waypoint | None:
        """
        Return the setpoint of a vehicle that flies by waypoints.

        :param now: seconds.
        :param pose: of the vehicle, ``None`` where it is not known.
        :return: the newest waypoint, or what was held before, ``None`` where nothing ever was.
        """
        waypoint, self.is_holding = self._waypoint, True
        if waypoint is None or not self.age_s(now) <= self._timeout_s:
            return self._held
        if not self._is_begun:
            self._is_begun = pose is not None and self._is_on_leg(waypoint, pose)
        if self._is_begun:
            self._held, self.is_holding = waypoint, False
        return self._held

    def _is_on_leg(self, end: Waypoint, pose: Pose) -> bool:
        start = end if self._given_at is None else self._given_at
        places = np.array([(place.x, place.y, place.z) for place in (start, end, pose)])
        leg = self._plane.project(places)[:, :2]
        distance = shapely.LineString(leg[:2]).distance(shapely.Point(leg[2]))
        return bool(distance <= self._deviation_m)


def without_heading(setpoint: Waypoint) -> Waypoint:
    """Return a setpoint that leaves the heading to the vehicle."""
    return dataclasses.replace(setpoint, yaw=None)
