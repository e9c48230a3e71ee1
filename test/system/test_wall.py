# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Explorer and simulator search a wall: everything they say lies in front of it or on it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import OccupancyGrid
from scipy.spatial.transform import Rotation
from sensor_msgs.msg import PointCloud2
from visualization_msgs.msg import MarkerArray

from bo_explorer.core.plane import PlaneConfig, SearchPlane
from bo_explorer.ros import qos
from bo_explorer.ros.mission_listener import cloud_fields

from .scenarios import small_mission

pytestmark = pytest.mark.system

STAND_OFF_M = 3.0
PLANE = {
    'origin_x': 100.0,
    'origin_y': -30.0,
    'origin_z': 2.0,
    'yaw_deg': 40.0,
    'tilt_deg': 75.0,
    'height_min_m': 5.0,
    'height_max_m': 38.0,
}


def places(messages):
    return np.array([[m.position.x, m.position.y, m.position.z] for m in messages])


def test_a_wall_is_searched_from_its_stand_off_and_within_the_limits_of_height(stage):
    parameters = small_mission(vehicle={'altitude_m': STAND_OFF_M}, plane=PLANE)
    parameters['simulator']['vehicle'].update(altitude_m=STAND_OFF_M, start_x=4.0, start_y=8.0)
    plane = SearchPlane(PlaneConfig(**PLANE), STAND_OFF_M)
    observer = stage.observer()
    observer.listen_to_record()
    waypoints = observer.listen(PoseStamped, 'waypoint', qos.STREAM)
    poses = observer.listen(PoseStamped, 'pose', qos.INPUT)
    clouds = observer.listen(PointCloud2, 'map', qos.LATCHED)
    truths = observer.listen(PointCloud2, 'ground_truth', qos.LATCHED)
    grids = observer.listen(OccupancyGrid, 'mean_grid', qos.LATCHED)
    drawings = observer.listen(MarkerArray, 'markers', qos.LATCHED)
    stage.start('simulator_node', parameters)
    stage.start('explorer_node', parameters)
    record = observer.wait_for_state('done', 'hold')
    observer.wait(lambda: clouds and truths and grids and drawings, 'every latched topic')
    assert record['returned_home'] is True and record['spent_m'] <= record['budget_m']

    for messages in (waypoints, poses):
        seen = places([m.pose for m in messages])
        local = plane.project(seen)
        np.testing.assert_allclose(local[:, 2], STAND_OFF_M, atol=1e-6)
        assert (seen[:, 2] >= 5.0 - 1e-3).all() and (seen[:, 2] <= 38.0 + 1e-3).all()
        # The camera looks along x of the body: at the place on the wall it is in front of.
        last = messages[-1].pose.orientation
        forward = Rotation.from_quat([last.x, last.y, last.z, last.w]).apply([1.0, 0.0, 0.0])
        target = plane.project((seen[-1] + STAND_OFF_M * forward)[np.newaxis])[0]
        np.testing.assert_allclose(target, [*local[-1, :2], 0.0], atol=1e-6)
    for cloud in (clouds[-1], truths[-1]):
        fields = cloud_fields(cloud)
        on_wall = plane.project(np.column_stack([fields[axis] for axis in 'xyz']))
        np.testing.assert_allclose(on_wall[:, 2], 0.0, atol=1e-4)
    grid = grids[-1].info.origin
    origin = plane.project(places([grid]))[0]
    assert abs(origin[2]) < 1e-9
    for marker in drawings[-1].markers:
        np.testing.assert_allclose(places([marker.pose])[0], plane.origin)
    for reading in record['samples']:
        assert -1e-6 <= reading[0] <= 40.0
