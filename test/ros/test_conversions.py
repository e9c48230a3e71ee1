# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Messages to value objects and back."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import PoseStamped, Quaternion
from hypothesis import given, settings
from hypothesis import strategies as st
from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message, serialize_message
from scipy.spatial.transform import Rotation
from sensor_msgs.msg import BatteryState, PointCloud2

from bo_explorer.core.plane import GROUND, PlaneConfig, SearchPlane
from bo_explorer.core.record import MissionRecord
from bo_explorer.core.types import Estimate, Pose, Waypoint
from bo_explorer.ros import conversions, markers

any_float = st.floats(allow_nan=True, allow_infinity=True)


def pose_message(x=1.0, y=2.0, z=3.0, q=(0.0, 0.0, 0.0, 1.0)):
    message = PoseStamped()
    message.pose.position.x, message.pose.position.y, message.pose.position.z = x, y, z
    message.pose.orientation = Quaternion(x=q[0], y=q[1], z=q[2], w=q[3])
    return message


def test_a_pose_keeps_its_place_and_yaw():
    half = math.pi / 8
    message = pose_message(q=(0.0, 0.0, math.sin(half), math.cos(half)))
    message.header.stamp = Time(sec=7, nanosec=500_000_000)
    pose = conversions.to_pose(message, 100.0)
    assert (pose.x, pose.y, pose.z, pose.stamp) == (1.0, 2.0, 3.0, 7.5)
    assert pose.yaw == pytest.approx(math.pi / 4)


def test_an_odometry_is_read_like_a_pose():
    message = Odometry()
    message.pose.pose = pose_message(4.0, 5.0, 6.0).pose
    pose = conversions.to_pose(message, 9.0)
    assert (pose.x, pose.y, pose.z, pose.yaw, pose.stamp) == (4.0, 5.0, 6.0, 0.0, 9.0)


def test_an_unset_quaternion_leaves_the_yaw_unknown_and_the_position_good():
    """Field case A2."""
    pose = conversions.to_pose(pose_message(q=(0.0, 0.0, 0.0, 0.0)), 1.0)
    assert pose.yaw is None
    assert (pose.x, pose.y) == (1.0, 2.0)


def test_a_quaternion_typed_by_hand_is_renormalised():
    """Field case A3."""
    pose = conversions.to_pose(pose_message(q=(0.0, 0.0, 0.383, 0.924)), 1.0)
    assert pose.yaw == pytest.approx(2.0 * math.atan2(0.383, 0.924))


@pytest.mark.parametrize('axis', ['x', 'y', 'z'])
@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf])
def test_a_pose_that_is_not_finite_gives_the_reason(axis, bad):
    reason = conversions.to_pose(pose_message(**{axis: bad}), 1.0)
    assert isinstance(reason, str) and f'position.{axis}' in reason


@settings(derandomize=True, max_examples=200, deadline=None)
@given(any_float, any_float, any_float, st.tuples(any_float, any_float, any_float, any_float))
def test_every_pose_message_is_a_finite_pose_or_a_reason(x, y, z, q):
    result = conversions.to_pose(pose_message(x, y, z, q), 1.0)
    assert isinstance(result, (Pose, str))


def test_a_stamp_of_zero_means_the_time_of_receipt():
    assert conversions.seconds(Time(), 42.5) == 42.5
    assert conversions.seconds(Time(sec=1), 42.5) == 1.0


@settings(derandomize=True, deadline=None)
@given(st.floats(min_value=0.0, max_value=2e9))
def test_a_time_comes_back_from_a_message_to_a_microsecond(stamp):
    message = conversions.to_time(stamp)
    assert 0 <= message.nanosec < 1_000_000_000
    assert message.sec + 1e-9 * message.nanosec == pytest.approx(stamp, abs=1e-6)


@pytest.mark.parametrize('unknown', [math.nan, -0.01, -1.0])
def test_an_unknown_battery_is_unknown_and_not_empty(unknown):
    """Field case G6."""
    assert conversions.to_fraction(BatteryState(percentage=unknown), 1.0) is None


def test_where_the_percentage_is_unknown_charge_and_capacity_say_it():
    message = BatteryState(percentage=math.nan, charge=2.5, capacity=5.0)
    assert conversions.to_fraction(message, 1.0) == pytest.approx(0.5)
    message.charge = 6.0
    assert conversions.to_fraction(message, 0.01) == 1.0
    for charge, capacity in ((2.5, 0.0), (2.5, math.nan), (math.nan, 5.0), (-1.0, 5.0)):
        message.charge, message.capacity = charge, capacity
        assert conversions.to_fraction(message, 1.0) is None


def test_a_battery_share_is_taken_as_it_is():
    assert conversions.to_fraction(BatteryState(percentage=0.73), 1.0) == pytest.approx(0.73)


def test_a_battery_in_percent_is_refused_until_the_scale_says_so():
    """Field case G6."""
    message = BatteryState(percentage=73.0)
    assert 'battery.scale' in conversions.to_fraction(message, 1.0)
    assert conversions.to_fraction(message, 0.01) == pytest.approx(0.73)


@pytest.mark.parametrize('number', [5, np.float32(5), np.int64(5), np.float64(5)])
def test_a_waypoint_of_any_number_type_becomes_a_message(number):
    """Field case A8."""
    message = conversions.to_pose_stamped(Waypoint(number, number, number), 1.0, 'map')
    assert (message.pose.position.x, message.pose.orientation.w) == (5.0, 1.0)
    assert message.header.frame_id == 'map'
    serialize_message(message)


def test_a_waypoint_yaw_survives_the_round_trip():
    message = conversions.to_pose_stamped(Waypoint(0.0, 0.0, 0.0, -2.5), 1.0, 'map')
    assert conversions.to_pose(message, 1.0).yaw == pytest.approx(-2.5)


def test_a_path_is_finite_and_points_along_its_legs():
    """Field case A6."""
    vertices = np.array([[0.0, 0.0], [0.0, 10.0], [math.nan, 1.0], [-10.0, 10.0]])
    path = conversions.to_path(vertices, SearchPlane(PlaneConfig(), 5.0), 1.0, 'map')
    assert [(p.pose.position.x, p.pose.position.y) for p in path.poses] == [
        (0.0, 0.0),
        (0.0, 10.0),
        (-10.0, 10.0),
    ]
    yaws = [conversions.yaw_of(p.pose.orientation) for p in path.poses]
    assert yaws == pytest.approx([math.pi / 2, math.pi, math.pi])
    assert {p.pose.position.z for p in path.poses} == {5.0}


@pytest.mark.parametrize('n', [0, 1])
def test_a_path_without_legs_is_still_a_message(n):
    path = conversions.to_path(np.zeros((n, 2)), GROUND, 1.0, 'map')
    assert len(path.poses) == n


def test_a_cloud_holds_its_fields_exactly():
    """Field case I12."""
    points = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    fields = {'mean': np.array([0.5, 1.5, 2.5]), 'std': np.array([0.1, 0.2, 0.3])}
    cloud = conversions.to_point_cloud(points, fields, 1.0, 'map')
    cloud = deserialize_message(serialize_message(cloud), PointCloud2)
    assert [f.name for f in cloud.fields] == ['x', 'y', 'z', 'mean', 'std']
    assert (cloud.width, cloud.height, cloud.point_step, cloud.is_dense) == (3, 1, 20, True)
    rows = np.frombuffer(cloud.data, dtype='<f4').reshape(3, 5)
    np.testing.assert_allclose(rows[:, :2], points)
    np.testing.assert_allclose(rows[:, 3], fields['mean'])
    np.testing.assert_allclose(rows[:, 4], fields['std'], rtol=1e-6)


def lattice(columns, rows, spacing, corner):
    xs, ys = np.meshgrid(np.arange(columns), np.arange(rows))
    return np.column_stack([xs.ravel(), ys.ravel()]) * spacing + np.asarray(corner)


def cell_of(grid, x, y):
    """Index a grid by place, from the definition of its origin."""
    column = math.floor((x - grid.info.origin.position.x) / grid.info.resolution)
    row = math.floor((y - grid.info.origin.position.y) / grid.info.resolution)
    return grid.data[row * grid.info.width + column]


def test_a_hot_cell_lies_at_its_place_in_the_world():
    """Field case C6."""
    points = lattice(7, 4, 0.5, (-20.0, -10.0))
    values = np.zeros(len(points))
    hot = 2 * 7 + 5
    values[hot] = 3.0
    grid = conversions.to_grid(points, values, 0.5, 1.0, 'map')
    assert (grid.info.width, grid.info.height) == (7, 4)
    assert (grid.info.origin.position.x, grid.info.origin.position.y) == (-20.25, -10.25)
    assert cell_of(grid, *points[hot]) == 100
    assert sum(grid.data) == 100


def test_cells_without_a_value_are_unknown():
    """Field case J9."""
    points = lattice(3, 3, 1.0, (0.0, 0.0))
    keep = np.ones(9, dtype=bool)
    keep[4] = False
    values = np.arange(8.0)
    values[0] = math.nan
    grid = conversions.to_grid(points[keep], values, 1.0, 1.0, 'map')
    assert grid.data[4] == -1 and grid.data[0] == -1
    assert grid.data[1] == 0 and grid.data[8] == 100


def test_a_flat_field_gives_a_grid_of_zeros():
    points = lattice(2, 2, 1.0, (0.0, 0.0))
    grid = conversions.to_grid(points, np.full(4, 7.0), 1.0, 1.0, 'map')
    assert list(grid.data) == [0, 0, 0, 0]


def test_no_points_and_absurd_sizes_give_no_grid():
    assert conversions.to_grid(np.empty((0, 2)), np.empty(0), 1.0, 1.0, 'map') is None
    far = np.array([[0.0, 0.0], [1e6, 1e6]])
    assert conversions.to_grid(far, np.zeros(2), 1e-3, 1.0, 'map') is None


def test_a_diagnostic_turns_every_value_into_text():
    status = conversions.to_status(
        DiagnosticStatus.WARN, 'node: part', 'why', {'a': 1.23456789, 'b': None, 'c': 7}
    )
    assert status.level == DiagnosticStatus.WARN
    assert {v.key: v.value for v in status.values} == {'a': '1.23457', 'b': 'None', 'c': '7'}
    serialize_message(status)


def test_json_never_holds_nan():
    text = conversions.to_json({'a': math.nan, 'b': [1.0, math.inf, {'c': -math.inf}], 'd': 'x'})
    assert json.loads(text, parse_constant=pytest.fail) == {
        'a': None,
        'b': [1.0, None, {'c': None}],
        'd': 'x',
    }


def test_markers_are_finite_and_serialisable():
    """Field case A6."""
    record = MissionRecord(
        home=[1.0, 2.0],
        area=[[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]],
        zones=[[[2.0, 2.0], [3.0, 2.0], [3.0, 3.0]]],
        samples=[[1.0, 1.0, 5.0, 1.0], [2.0, 2.0, 5.0, 1.0], [3.0, math.nan, 9.0, 1.0]],
        track=[[0.0, 0.0], [1.0, 1.0]],
        best=Estimate(1.0, 1.0, 5.0, 0.1),
    )
    array = markers.mission_markers(
        record, np.array([4.0, 4.0]), size_m=math.nan, stamp=1.0, frame_id='map'
    )
    by_name = {m.ns: m for m in array.markers}
    assert set(by_name) == {'area', 'zones', 'home', 'samples', 'target', 'best', 'track'}
    assert len(by_name['samples'].points) == len(by_name['samples'].colors) == 2
    assert len(by_name['area'].points) == 4
    for marker in array.markers:
        numbers = [marker.scale.x, *(c for p in marker.points for c in (p.x, p.y, p.z))]
        assert np.isfinite(numbers).all() and marker.scale.x > 0.0
    serialize_message(array)


def test_an_empty_mission_removes_what_it_does_not_have():
    array = markers.mission_markers(MissionRecord(), None, size_m=1.0, stamp=1.0, frame_id='map')
    assert {m.ns for m in array.markers if m.action == m.DELETE} == {
        'home',
        'samples',
        'target',
        'best',
    }


WALL = SearchPlane(
    PlaneConfig(
        origin_x=10.0, origin_y=20.0, origin_z=1.0, yaw_deg=30.0, tilt_deg=90.0, stand_off_m=2.0
    ),
    0.0,
)


def along(orientation, vector):
    """Turn a vector by a message's quaternion."""
    q = (orientation.x, orientation.y, orientation.z, orientation.w)
    return Rotation.from_quat(q).apply(vector)


def test_a_path_on_a_wall_keeps_its_distance_and_looks_at_the_wall():
    vertices = np.array([[0.0, 0.0], [3.0, 4.0]])
    path = conversions.to_path(vertices, WALL, 1.0, 'map')
    for pose, place in zip((p.pose for p in path.poses), WALL.lift(vertices)):
        eye = np.array([pose.position.x, pose.position.y, pose.position.z])
        np.testing.assert_allclose(eye + 2.0 * along(pose.orientation, [1, 0, 0]), place)
    assert conversions.yaw_of(path.poses[0].pose.orientation) == pytest.approx(WALL.heading)
    assert WALL.heading == pytest.approx(math.radians(120.0))


def test_cloud_best_estimate_grid_and_markers_lie_on_the_wall():
    points = lattice(3, 2, 0.5, (1.0, 2.0))
    values = np.arange(6.0)
    cloud = conversions.to_point_cloud(points, {'mean': values}, 1.0, 'map', WALL)
    rows = np.frombuffer(cloud.data, dtype='<f4').reshape(6, 4)
    np.testing.assert_allclose(rows[:, :3], WALL.lift(points), rtol=1e-6)
    best = conversions.to_point_stamped(1.0, 2.0, 1.0, 'map', WALL).point
    np.testing.assert_allclose((best.x, best.y, best.z), WALL.lift(points[:1])[0])

    grid = conversions.to_grid(points, values, 0.5, 1.0, 'map', WALL)
    origin = grid.info.origin
    corner = np.array([origin.position.x, origin.position.y, origin.position.z])
    centre = corner + along(origin.orientation, [0.25 + 2 * 0.5, 0.25 + 1 * 0.5, 0.0])
    np.testing.assert_allclose(centre, WALL.lift(points[5:])[0])
    assert grid.data[5] == 100

    record = MissionRecord(home=[1.0, 2.0])
    array = markers.mission_markers(
        record, None, size_m=1.0, stamp=1.0, frame_id='map', plane=WALL
    )
    home = next(m for m in array.markers if m.ns == 'home')
    pose, point = home.pose, home.points[0]
    drawn = along(pose.orientation, [point.x, point.y, point.z])
    drawn += (pose.position.x, pose.position.y, pose.position.z)
    np.testing.assert_allclose(drawn, WALL.lift(points[:1])[0])


def test_a_pose_of_the_map_is_told_on_the_wall():
    x, y, z = WALL.lift(np.array([[3.0, 4.0]]), 1.5)[0]
    pose = WALL.pose(conversions.to_pose(pose_message(x, y, z), 7.0))
    assert (pose.x, pose.y, pose.z) == pytest.approx((3.0, 4.0, 1.5))
    assert (pose.yaw, pose.stamp) == (None, 7.0)
