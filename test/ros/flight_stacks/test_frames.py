# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""East, north, up against north, east, down."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bo_explorer.ros.flight_stacks import frames

COORDINATES = st.floats(-1e5, 1e5)
ANGLES = st.floats(-20.0, 20.0)
# The map's axes in those of an autopilot, as a rotation by half a turn about x + y.
ROTATION = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])


def test_case_c1_ned_1_2_minus3_heading_north_is_enu_2_1_3_yaw_90_degrees():
    assert frames.swap_axes(1.0, 2.0, -3.0) == (2.0, 1.0, 3.0)
    assert frames.swap_yaw(0.0) == pytest.approx(0.5 * math.pi)


@pytest.mark.parametrize(
    ('enu', 'ned'),
    [(0.0, 90.0), (90.0, 0.0), (180.0, -90.0), (-90.0, 180.0), (135.0, -45.0), (-170.0, -100.0)],
)
def test_headings_are_those_of_a_compass(enu, ned):
    assert math.degrees(frames.swap_yaw(math.radians(enu))) == pytest.approx(ned)
    assert math.degrees(frames.swap_yaw(math.radians(ned))) == pytest.approx(enu)


@given(COORDINATES, COORDINATES, COORDINATES)
def test_a_place_comes_back_exactly(x, y, z):
    assert frames.swap_axes(*frames.swap_axes(x, y, z)) == (x, y, z)
    np.testing.assert_array_equal(ROTATION @ (x, y, z), frames.swap_axes(x, y, z))
    assert np.linalg.det(ROTATION) == pytest.approx(1.0)


@given(ANGLES)
def test_a_heading_points_the_same_way_in_both_frames(yaw):
    nose = (math.cos(yaw), math.sin(yaw), 0.0)
    other = frames.swap_yaw(yaw)
    assert -math.pi < other <= math.pi
    there = (math.cos(other), math.sin(other), 0.0)
    np.testing.assert_allclose(frames.swap_axes(*nose), there, atol=1e-12)
    assert math.remainder(frames.swap_yaw(other) - yaw, 2.0 * math.pi) == pytest.approx(0.0)


@pytest.mark.parametrize(('angle', 'wrapped'), [(-math.pi, math.pi), (3.0 * math.pi, math.pi)])
def test_half_a_turn_has_one_name(angle, wrapped):
    assert frames.wrap(angle) == pytest.approx(wrapped)


def test_a_hundred_metres_are_a_hundred_metres_on_the_globe_of_ardupilot():
    # ArduPilot's earth is a sphere of 6378100 m.
    length = math.radians(1.0) * 6378100.0
    latitude, longitude = frames.moved(-35.363262, 149.165237, 100.0, -50.0)
    assert (latitude + 35.363262) * length == pytest.approx(-50.0, abs=1e-4)
    shrink = math.cos(math.radians(0.5 * (latitude - 35.363262)))
    assert (longitude - 149.165237) * length * shrink == pytest.approx(100.0, abs=1e-4)


def test_metres_on_the_globe_agree_with_geodesy_to_the_flattening():
    geodesy = pytest.importorskip('pymap3d')
    latitude, longitude = frames.moved(47.4, 8.55, 300.0, 400.0)
    east, north, _ = geodesy.geodetic2enu(latitude, longitude, 0.0, 47.4, 8.55, 0.0)
    # The sphere and the ellipsoid differ by up to the flattening, 1 in 298.
    assert east == pytest.approx(300.0, rel=0.0045) and north == pytest.approx(400.0, rel=0.0045)


def test_the_date_line_and_the_pole_break_nothing():
    _, longitude = frames.moved(10.0, 179.9999, 100.0, 0.0)
    assert -180.0 < longitude < -179.9
    assert all(map(math.isfinite, frames.moved(90.0, 0.0, 100.0, 100.0)))
