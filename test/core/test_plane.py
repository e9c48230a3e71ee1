# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A plane anywhere in space: there and back, facing it, within the limits of height."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from bo_explorer.core.area import SearchArea
from bo_explorer.core.config import AreaConfig, ExplorerConfig, NoFlyConfig, VehicleConfig
from bo_explorer.core.errors import ConfigError
from bo_explorer.core.options import from_flat
from bo_explorer.core.plane import GROUND, PlaneConfig, SearchPlane
from bo_explorer.core.types import Pose, Waypoint

coordinates = st.floats(-1e3, 1e3)
walls = st.builds(
    PlaneConfig,
    origin_x=coordinates,
    origin_y=coordinates,
    origin_z=coordinates,
    yaw_deg=st.floats(-360.0, 360.0),
    tilt_deg=st.floats(1.0, 180.0),
    stand_off_m=st.floats(0.1, 50.0),
)
places = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=8).map(np.array)


def wall(**options):
    return SearchPlane(PlaneConfig(**{'tilt_deg': 90.0, 'stand_off_m': 2.0, **options}), 10.0)


@given(walls, places, st.floats(-50.0, 50.0))
def test_a_place_lifted_into_the_map_comes_back(config, points, distance):
    plane = SearchPlane(config, 10.0)
    back = plane.project(plane.lift(points, distance))
    np.testing.assert_allclose(back[:, :2], points, atol=1e-9)
    np.testing.assert_allclose(back[:, 2], distance, atol=1e-9)


@given(walls, places)
def test_distances_on_the_plane_are_distances_in_space(config, points):
    plane = SearchPlane(config, 10.0)
    lifted = plane.lift(points, config.stand_off_m)
    flat = np.linalg.norm(points[1:] - points[:-1], axis=1)
    np.testing.assert_allclose(np.linalg.norm(lifted[1:] - lifted[:-1], axis=1), flat, atol=1e-9)


@given(walls)
def test_the_axes_and_the_view_are_right_handed(config):
    plane = SearchPlane(config, 10.0)
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(plane.axes) == pytest.approx(1.0)
    np.testing.assert_allclose(np.cross(plane.axes[0], plane.axes[1]), plane.axes[2], atol=1e-12)
    forward, left, up = Rotation.from_quat(plane.facing).as_matrix().T
    np.testing.assert_allclose(np.cross(forward, left), up, atol=1e-12)
    np.testing.assert_allclose(
        Rotation.from_quat(plane.orientation).as_matrix(), plane.axes.T, atol=1e-12
    )


@given(walls, places)
def test_a_waypoint_looks_straight_at_its_place_on_the_wall_from_the_stand_off(config, points):
    plane = SearchPlane(config, 10.0)
    for x, y in points:
        waypoint = plane.waypoint(Waypoint(x, y, 77.0))
        eye = np.array([waypoint.x, waypoint.y, waypoint.z])
        forward = Rotation.from_quat(waypoint.orientation).apply([1.0, 0.0, 0.0])
        seen = eye + config.stand_off_m * forward
        np.testing.assert_allclose(seen, plane.lift(np.array([[x, y]]))[0], atol=1e-9)


@given(walls)
def test_the_heading_is_the_yaw_of_the_view(config):
    plane = SearchPlane(config, 10.0)
    forward = Rotation.from_quat(plane.facing).apply([1.0, 0.0, 0.0])
    if np.hypot(*forward[:2]) > 1e-6:
        ahead = math.cos(plane.heading) * forward[0] + math.sin(plane.heading) * forward[1]
        assert ahead == pytest.approx(np.hypot(*forward[:2]))


def test_a_wall_with_yaw_0_is_looked_at_from_the_south_with_x_east_and_y_up():
    plane = wall(origin_x=100.0, origin_y=50.0, origin_z=3.0)
    waypoint = plane.waypoint(Waypoint(4.0, 5.0))
    assert (waypoint.x, waypoint.y, waypoint.z) == (104.0, 48.0, 8.0)
    assert waypoint.yaw == pytest.approx(math.pi / 2)
    half = math.sqrt(0.5)
    np.testing.assert_allclose(waypoint.orientation, (0.0, 0.0, half, half), atol=1e-15)


def test_the_ground_of_the_map_changes_nothing_not_even_the_last_bit():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(50, 2)) * 1e7
    np.testing.assert_array_equal(GROUND.lift(points, 12.5)[:, :2], points)
    pose = Pose(0.1, 0.2, 0.3, 0.4, 5.0)
    assert GROUND.pose(pose) is pose
    plane = ExplorerConfig(vehicle=VehicleConfig(altitude_m=12.5)).search_plane()
    waypoint = Waypoint(0.1, 0.2, 12.5, 0.7)
    assert plane.waypoint(waypoint) == waypoint
    assert plane.facing is None and plane.orientation == (0.0, 0.0, 0.0, 1.0)
    assert plane.is_near(-1e4)
    polygons = [points[:5]]
    assert plane.cut(polygons)[0] is polygons[0]


def test_over_turned_ground_the_yaw_counts_from_the_x_axis():
    plane = SearchPlane(PlaneConfig(origin_z=100.0, yaw_deg=90.0), 10.0)
    pose = plane.pose(Pose(0.0, 5.0, 112.0, yaw=-math.pi, stamp=3.0))
    assert (pose.x, pose.y, pose.z, pose.stamp) == (5.0, 0.0, 12.0, 3.0)
    assert pose.yaw == pytest.approx(math.pi / 2)


def test_a_pose_counts_only_near_its_distance_from_the_wall():
    plane = wall(stand_off_m=2.0)
    assert plane.is_near(plane.pose(Pose(1.0, -2.9, 1.0)).z)
    assert not plane.is_near(plane.pose(Pose(1.0, -3.1, 1.0)).z)
    assert not plane.is_near(plane.pose(Pose(1.0, 2.0, 1.0)).z), 'behind the wall'
    narrow = wall(stand_off_m=2.0, tolerance_m=0.1)
    assert not narrow.is_near(2.2) and narrow.is_near(1.95)


@settings(max_examples=60)
@given(
    yaw=st.floats(-180.0, 180.0),
    tilt=st.floats(5.0, 175.0),
    base=st.floats(-20.0, 20.0),
    low=st.floats(0.0, 1.0),
    high=st.floats(0.0, 1.0),
)
def test_no_candidate_and_no_corner_breaks_the_limits_of_height(yaw, tilt, base, low, high):
    l_shape = (0.0, 0.0, 30.0, 0.0, 30.0, 8.0, 12.0, 8.0, 12.0, 20.0, 0.0, 20.0)
    corners = np.reshape(l_shape, (-1, 2))
    free = SearchPlane(
        PlaneConfig(origin_z=base, yaw_deg=yaw, tilt_deg=tilt, stand_off_m=1.5), 0.0
    )
    heights = np.sort(free.lift(corners, 1.5)[:, 2])
    limits = np.sort(heights[0] + np.array([low, high]) * (heights[-1] - heights[0]))
    if limits[1] - limits[0] < 0.5:
        limits[1] = limits[0] + 0.5
    config = PlaneConfig(
        origin_z=base,
        yaw_deg=yaw,
        tilt_deg=tilt,
        stand_off_m=1.5,
        height_min_m=float(limits[0]),
        height_max_m=float(limits[1]),
    )
    plane = SearchPlane(config, 0.0)
    try:
        area = SearchArea.from_config(AreaConfig(polygon=l_shape), NoFlyConfig(), plane)
    except ConfigError:
        assert heights[-1] - limits[0] < 1e-6
        return
    for points in [*area.polygons, area.candidates()]:
        lifted = plane.lift(points, plane.stand_off_m)[:, 2]
        assert (lifted >= limits[0] - 1e-6).all() and (lifted <= limits[1] + 1e-6).all()
    # Nothing is lost that keeps the limits.
    xs, ys = np.meshgrid(np.linspace(0.1, 29.9, 15), np.linspace(0.1, 19.9, 15))
    probes = np.column_stack([xs.ravel(), ys.ravel()])
    height = plane.lift(probes, 1.5)[:, 2]
    inside = shapely.contains_xy(shapely.Polygon(corners), probes)
    keeps = (height > limits[0] + 1e-6) & (height < limits[1] - 1e-6)
    np.testing.assert_array_equal(area.contains(probes)[inside & keeps], True)
    breaks = (height < limits[0] - 1e-6) | (height > limits[1] + 1e-6)
    assert not area.contains(probes)[breaks].any()


def test_a_height_that_cannot_be_kept_is_refused_by_name():
    level = SearchPlane(PlaneConfig(height_max_m=8.0), 10.0)
    with pytest.raises(ConfigError, match="'plane.height_min_m' and plane.height_max_m must"):
        level.cut([np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])])
    assert level.cut([]) == []
    flat = {'area.polygon': [0, 0, 9, 0, 9, 9, 0, 9], 'budget.total_m': 50}
    with pytest.raises(ConfigError, match="'height_max_m' must be above|'plane.height_max_m'"):
        from_flat(ExplorerConfig, {**flat, 'plane.height_min_m': 5, 'plane.height_max_m': 5})


@pytest.mark.parametrize('distance', [0.0, -1.0])
def test_a_vehicle_behind_or_in_a_wall_is_refused(distance):
    flat = {'area.polygon': [0, 0, 9, 0, 9, 9, 0, 9], 'budget.total_m': 50, 'plane.tilt_deg': 90}
    with pytest.raises(ConfigError, match="'plane.stand_off_m' must be above 0"):
        from_flat(ExplorerConfig, {**flat, 'plane.stand_off_m': distance})
