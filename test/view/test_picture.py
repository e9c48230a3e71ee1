# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What the page is told."""

from __future__ import annotations

import base64
import json
import math

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import PoseStamped
from rclpy.serialization import serialize_message
from sensor_msgs.msg import BatteryState
from std_msgs.msg import String

from bo_explorer.core.plane import PlaneConfig, SearchPlane
from bo_explorer.core.record import MissionRecord
from bo_explorer.core.types import Estimate, Waypoint
from bo_explorer.ros import conversions, qos
from bo_explorer.view.graph import SHOWN, Inputs, Topic
from bo_explorer.view.picture import Picture, raster

WALL = SearchPlane(
    PlaneConfig(origin_x=3.0, origin_y=-2.0, origin_z=1.0, yaw_deg=30.0, tilt_deg=90.0), 2.0
)
OUTPUTS = {topic.key: topic for topic in SHOWN}


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


class Desk:
    """A picture with a clock, and messages for it."""

    def __init__(self, inputs=None):
        self.clock = Clock()
        self.inputs = inputs or Inputs()
        self.picture = Picture(lambda: self.inputs, self.clock)

    def put(self, key, message):
        topics = {**OUTPUTS, **{topic.key: topic for topic in self.inputs.topics()}}
        self.picture.take(topics[key], serialize_message(message))

    def part(self, name):
        return json.loads(self.picture.text(name))

    def put_record(self, **values):
        record = MissionRecord(**values)
        self.put(qos.RECORD, String(data=conversions.to_json(record.to_dict())))

    def put_map(self, points, plane, **layers):
        self.put(qos.MAP, conversions.to_point_cloud(points, layers, 1.0, 'map', plane))


def cells(part, layer):
    raw = base64.b64decode(part['layers'][layer]['cells'])
    return np.frombuffer(raw, '<f4').reshape(part['height'], part['width'])


def test_before_the_first_message_nothing_is_known():
    desk = Desk()
    assert desk.part('record') is None and desk.part('map') is None
    live = desk.part('live')
    assert live['silent_s'] is None and live['pose'] is None and live['battery'] is None
    assert live['budget'] is None and live['path'] == [] and live['waypoint'] is None


def test_the_silence_of_the_explorer_is_counted_from_its_last_word():
    desk = Desk()
    desk.put('pose', PoseStamped())
    assert desk.part('live')['silent_s'] is None
    desk.put_record()
    desk.clock.now += 7.0
    desk.put('pose', PoseStamped())
    assert desk.part('live')['silent_s'] == 7.0


@pytest.mark.parametrize('plane', [Inputs().plane, WALL], ids=['ground', 'wall'])
def test_a_map_comes_back_on_its_plane_cell_for_cell(plane):
    points = np.array([[10.0, 20.0], [12.5, 20.0], [15.0, 20.0], [10.0, 22.5], [15.0, 25.0]])
    mean, std = np.arange(5.0), np.full(5, 0.5)
    desk = Desk(Inputs(plane))
    desk.put_map(points, plane, mean=mean, std=std)
    part = desk.part('map')
    assert (part['width'], part['height']) == (3, 3)
    assert part['spacing'] == pytest.approx(2.5, abs=1e-5)
    assert (part['x'], part['y']) == pytest.approx((10.0, 20.0), abs=1e-5)
    nan = math.nan
    expected = np.array([[0, 1, 2], [3, nan, nan], [nan, nan, 4]])
    np.testing.assert_array_equal(cells(part, 'mean'), expected)
    assert (part['layers']['mean']['low'], part['layers']['mean']['high']) == (0.0, 4.0)


def test_a_lattice_far_from_the_origin_keeps_its_spacing():
    x, y = np.meshgrid(50_000.0 + 0.5 * np.arange(40), -30_000.0 + 0.5 * np.arange(30))
    places = np.column_stack([x.ravel(), y.ravel()]).astype(np.float32).astype(np.float64)
    part = raster(places, {'mean': np.arange(1200.0)})
    assert (part['width'], part['height']) == (40, 30)
    np.testing.assert_array_equal(cells(part, 'mean').ravel(), np.arange(1200.0))


@pytest.mark.parametrize('n', [0, 1])
def test_a_map_too_small_to_be_drawn_is_an_empty_one(n):
    assert raster(np.zeros((n, 2)), {'mean': np.zeros(n)})['width'] == 0


def test_absurdly_large_maps_are_left_out():
    places = np.array([[0.0, 0.0], [1.0, 0.0], [1e4, 1e4]])
    assert raster(places, {'mean': np.zeros(3)})['width'] == 0


def test_the_record_is_shortened_and_keeps_its_ends():
    desk = Desk()
    track = [[float(i), 0.0] for i in range(9_001)]
    desk.put_record(
        track=track,
        events=[[1.0, float(i), 'moving', f'target {i}'] for i in range(100)],
        decision_ms=[3.0, 4.0],
        best=Estimate(1.0, 2.0, 3.0, math.nan),
        state='moving',
    )
    part = desk.part('record')
    assert len(part['track']) <= 2_001
    assert part['track'][0] == track[0] and part['track'][-1] == track[-1]
    assert len(part['events']) == 40 and part['events'][-1][3] == 'target 99'
    assert part['n_decisions'] == 2 and part['decision_ms'] == 4.0
    assert part['best'] == {'x': 1.0, 'y': 2.0, 'mean': 3.0, 'std': None}


def test_a_part_changes_its_version_with_its_message_only():
    desk = Desk()
    assert desk.picture.version('record') is None
    desk.put_record()
    before = desk.picture.version('record')
    desk.put('pose', PoseStamped())
    assert desk.picture.version('record') == before
    desk.put_record()
    assert desk.picture.version('record') != before


def test_a_map_is_told_again_when_the_plane_becomes_known():
    desk = Desk()
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    desk.put_map(points, WALL, mean=np.zeros(3), std=np.zeros(3))
    before = desk.picture.version('map')
    desk.inputs = Inputs(WALL, answer='a wall')
    assert desk.picture.version('map') != before
    assert desk.part('map')['width'] == 2


def test_vehicle_path_and_waypoint_are_told_as_places_on_the_wall():
    desk = Desk(Inputs(WALL))
    vertices = np.array([[1.0, 2.0], [5.0, 6.0]])
    desk.put(qos.PATH, conversions.to_path(vertices, WALL, 1.0, 'map'))
    stamped = conversions.to_pose_stamped(WALL.waypoint(Waypoint(5.0, 6.0)), 1.0, 'map')
    desk.put(qos.WAYPOINT, stamped)
    desk.put('pose', stamped)
    live = desk.part('live')
    np.testing.assert_allclose(live['path'], vertices, atol=1e-3)
    assert live['waypoint'] == pytest.approx([5.0, 6.0], abs=1e-3)
    assert (live['pose']['x'], live['pose']['y']) == pytest.approx((5.0, 6.0))
    assert live['pose']['yaw'] is None


def test_what_is_old_is_said_to_be_old():
    desk = Desk()
    desk.put('pose', PoseStamped())
    desk.put(qos.WAYPOINT, PoseStamped())
    desk.put('battery', BatteryState(percentage=0.5))
    assert desk.part('live')['battery'] == 0.5
    assert not desk.part('live')['pose']['is_old']
    desk.clock.now += 60.0
    live = desk.part('live')
    assert live['pose']['is_old'] and live['waypoint'] is None and live['battery'] is None


@pytest.mark.parametrize('percentage', [math.nan, -0.01, 50.0])
def test_an_unknown_charge_is_never_a_number(percentage):
    desk = Desk()
    desk.put('battery', BatteryState(percentage=percentage))
    assert desk.part('live')['battery'] is None


def test_a_pose_that_is_not_finite_is_not_shown():
    desk = Desk()
    message = PoseStamped()
    message.pose.position.x = math.nan
    desk.put('pose', message)
    assert desk.part('live')['pose'] is None


def test_budget_and_warnings_come_from_the_diagnostics():
    desk = Desk()
    well = DiagnosticStatus(
        level=DiagnosticStatus.OK,
        name='/bo_explorer: mission',
        message='moving: on the way',
        values=[
            KeyValue(key='budget_committed_m', value='12.5'),
            KeyValue(key='budget_total_m', value='unknown'),
        ],
    )
    ill = DiagnosticStatus(
        level=DiagnosticStatus.WARN, name='/bo_explorer: inputs', message='no usable pose'
    )
    desk.put(qos.DIAGNOSTICS, DiagnosticArray(status=[well, ill]))
    live = desk.part('live')
    assert live['budget'] == {
        'committed_m': 12.5, 'total_m': None, 'remaining_m': None, 'reserve_m': None
    }  # fmt: skip
    assert live['warnings'] == ['inputs: no usable pose']


def test_a_message_nobody_looks_at_is_not_decoded():
    desk = Desk()
    desk.picture.take(OUTPUTS[qos.MAP], b'not a message')
    assert desk.picture.version('map') is not None


def test_the_inputs_are_what_the_explorer_says():
    values = {
        **{f'plane.{key}': math.nan for key in ('stand_off_m', 'tolerance_m')},
        **{f'plane.{key}': math.nan for key in ('height_min_m', 'height_max_m')},
        'plane.origin_x': 0.0, 'plane.origin_y': 0, 'plane.origin_z': 5.0,
        'plane.yaw_deg': 0.0, 'plane.tilt_deg': 90.0,
        'pose.topic': 'odom', 'pose.type': 'odometry', 'battery.topic': '',
        'battery.scale': 0.01, 'vehicle.altitude_m': 2,
    }  # fmt: skip
    inputs = Inputs.from_values(values)
    assert [topic.name for topic in inputs.topics()] == ['odom']
    assert inputs.topics()[0].message_type.__name__ == 'Odometry'
    assert not inputs.plane.is_ground and inputs.plane.stand_off_m == 2.0
    assert isinstance(inputs.topics()[0], Topic)
