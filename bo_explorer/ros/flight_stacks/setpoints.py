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

from ...core.types import Pose, Waypoint


class Setpoints:
    """
    Chooses between the waypoints and holding.

    :param timeout_s: without a waypoint for this long the last setpoint is held, seconds.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._waypoint: Waypoint | None = None
        self._heard_at = -math.inf
        self._held: Waypoint | None = None
        self._waits_for_other_than: Waypoint | None = None
        self.is_holding = True
        """Whether the last setpoint was held for want of a waypoint."""

    def hear(self, waypoint: Waypoint, now: float) -> None:
        """
        Take a waypoint.

        :param waypoint: finite, in the map.
        :param now: seconds of a clock that never goes back.
        """
        self._waypoint, self._heard_at = waypoint, now
        if self._waits_for_other_than is not None and waypoint != self._waits_for_other_than:
            self._waits_for_other_than = None

    def age_s(self, now: float) -> float:
        """Return the time since the last waypoint, seconds; infinite before the first."""
        return now - self._heard_at

    def hold(self, pose: Pose) -> Waypoint:
        """Return a place as setpoint, and hold it from now on: the vehicle's own, or above it."""
        self._held = Waypoint(pose.x, pose.y, pose.z, pose.yaw)
        self.is_holding = True
        return self._held

    def wait_for_new(self) -> None:
        """
        Take the present waypoint for out of date: hold until another one is heard.

        While others had the vehicle it was moved, and the way from here to the old waypoint was
        never checked.
        """
        self._waits_for_other_than = self._waypoint

    def follow(self, now: float) -> Waypoint | None:
        """
        Return the setpoint of a vehicle that flies by waypoints.

        :param now: seconds.
        :return: the newest waypoint, or what was held before, ``None`` where nothing ever was.
        """
        is_fresh = self._waypoint is not None and self.age_s(now) <= self._timeout_s
        self.is_holding = not is_fresh or self._waits_for_other_than is not None
        if not self.is_holding:
            self._held = self._waypoint
        return self._held


def without_heading(setpoint: Waypoint) -> Waypoint:
    """Return a setpoint that leaves the heading to the vehicle."""
    return dataclasses.replace(setpoint, yaw=None)
