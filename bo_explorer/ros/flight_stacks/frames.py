# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Between the map and the frames of autopilots. Imports no ROS.

The map is x east, y north, z up, yaw counter-clockwise from east (REP 103). Autopilots use x
north, y east, z down, yaw clockwise from north. Both changes are their own inverse.
"""

from __future__ import annotations

import math

# Metres of a degree of latitude, by the rule that ArduPilot itself flies with: 1e-7 degrees are
# 0.011131884502145034 m. Another ellipsoid would put targets a little off the vehicle's own.
_METRES_PER_DEGREE = 0.011131884502145034e7
_LEAST_COSINE = 0.01


def swap_axes(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return east, north, up as north, east, down, or the other way round; metres."""
    return y, x, -z


def swap_yaw(yaw: float) -> float:
    """
    Return a heading of one frame in the other.

    :param yaw: radians, counter-clockwise from east or clockwise from north.
    :return: radians within (-pi, pi].
    """
    return wrap(0.5 * math.pi - yaw)


def wrap(angle: float) -> float:
    """Return an angle, radians, within (-pi, pi]."""
    wrapped = math.remainder(angle, 2.0 * math.pi)
    return math.pi if wrapped == -math.pi else wrapped


def yaw_of(w: float, x: float, y: float, z: float) -> float:
    """Return the yaw of a unit quaternion in its own frame, radians."""
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def moved(latitude: float, longitude: float, east_m: float, north_m: float) -> tuple[float, float]:
    """
    Return the place that lies some metres away, on ArduPilot's own flat earth.

    :param latitude: degrees.
    :param longitude: degrees.
    :param east_m: metres.
    :param north_m: metres.
    :return: latitude and longitude, degrees.
    """
    to_latitude = latitude + north_m / _METRES_PER_DEGREE
    shrink = max(math.cos(math.radians(0.5 * (latitude + to_latitude))), _LEAST_COSINE)
    to_longitude = longitude + east_m / (_METRES_PER_DEGREE * shrink)
    return to_latitude, math.degrees(wrap(math.radians(to_longitude)))
