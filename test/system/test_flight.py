# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Explorer and simulator fly missions together."""

from __future__ import annotations

import math
import signal

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import OccupancyGrid, Path
from sensor_msgs.msg import PointCloud2
from std_srvs.srv import Trigger
from visualization_msgs.msg import MarkerArray

from bo_explorer.ros import qos

from .scenarios import small_mission

pytestmark = pytest.mark.system


def test_a_mission_flies_home_within_its_budget_and_a_late_joiner_gets_the_map(stage):
    """Field case B4."""
    observer = stage.observer()
    observer.listen_to_record()
    waypoints = observer.listen(PoseStamped, 'waypoint', qos.STREAM)
    poses = observer.listen(PoseStamped, 'pose', qos.INPUT)
    simulator = stage.start('simulator_node', small_mission())
    explorer = stage.start('explorer_node', small_mission())
    record = observer.wait_for_state('done', 'hold')
    assert record['state'] == 'done' and record['returned_home'] is True
    assert record['spent_m'] <= record['budget_m'] == 160.0
    assert record['best'] is not None and len(record['waypoints']) >= 2
    assert poses and all(-1.0 <= p.pose.position.x <= 41.0 for p in poses)
    assert all(w.header.frame_id == 'map' and w.pose.orientation.w == 1.0 for w in waypoints)

    late = stage.observer()
    latched = {
        topic: late.listen(kind, topic, qos.LATCHED)
        for topic, kind in (
            ('map', PointCloud2),
            ('mean_grid', OccupancyGrid),
            ('std_grid', OccupancyGrid),
            ('markers', MarkerArray),
            ('path', Path),
            ('ground_truth', PointCloud2),
        )
    }
    late.wait(lambda: all(latched.values()), 'every latched topic')
    assert latched['map'][0].width == 36
    assert latched['mean_grid'][0].info.width == latched['mean_grid'][0].info.height == 6
    for process in (explorer, simulator):
        assert process.end(signal.SIGINT) == 0
        assert 'Traceback' not in process.log


def test_a_mission_follows_simulated_time(stage):
    """Field case I3."""
    observer = stage.observer()
    observer.listen_to_record()
    vehicle = {'speed_mps': 5, 'acceleration_mps2': 5, 'dwell_s': 1.0}
    parameters = small_mission(vehicle=vehicle)
    parameters['simulator']['vehicle'] = {'speed_mps': 5, 'acceleration_mps2': 5}
    parameters['simulator']['node'] = {'publish_clock': True, 'speed_factor': 8.0}
    explorer = stage.start('explorer_node', parameters, '-p', 'use_sim_time:=true')
    observer.wait(lambda: 'waiting for /clock' in explorer.log, 'the warning about /clock')
    stage.start('simulator_node', parameters)
    assert observer.wait_for_state('done', 'hold')['returned_home'] is True


def test_a_simulator_that_dies_and_comes_back_does_not_end_the_mission(stage):
    observer = stage.observer()
    observer.listen_to_record()
    parameters = small_mission(budget={'total_m': 400})
    explorer = stage.start('explorer_node', parameters)
    simulator = stage.start('simulator_node', parameters)
    observer.wait(lambda: len(observer.record().get('waypoints', [])) >= 3, 'three targets')
    simulator.end(signal.SIGKILL)
    before = observer.record()
    assert before['state'] not in ('done', 'hold')
    stage.start('simulator_node', parameters)
    observer.wait(
        lambda: len(observer.record()['waypoints']) > len(before['waypoints']) + 1,
        'further targets',
    )
    answer = observer.call(Trigger, '/bo_explorer/return_home')
    assert answer.success
    assert observer.wait_for_state('done', 'hold')['returned_home'] is True
    assert explorer.popen.poll() is None


def test_two_vehicles_share_a_domain_in_namespaces(stage):
    """Field case J1."""
    observer = stage.observer()
    fleet = ('uav1', 'uav2')
    for number, name in enumerate(fleet):
        observer.listen_to_record(f'/{name}/record')
        observer.listen(PoseStamped, f'/{name}/waypoint', qos.STREAM)
        parameters = small_mission(vehicle={'altitude_m': 10 + number})
        arguments = ('-r', f'__ns:=/{name}')
        stage.start('explorer_node', parameters, *arguments)
        stage.start('simulator_node', parameters, *arguments)
    for name in fleet:
        observer.wait(
            lambda name=name: observer.record(f'/{name}/record').get('waypoints'),
            f'a target of {name}',
        )
        observer.wait(
            lambda name=name: observer.heard[f'/{name}/waypoint'], f'a waypoint of {name}'
        )
    absolute = {'/parameter_events', '/rosout'}
    topics = {topic for topic, _ in observer.node.get_topic_names_and_types()} - absolute
    assert topics and all(topic.startswith(('/uav1/', '/uav2/')) for topic in topics)
    for number, name in enumerate(fleet):
        heights = {w.pose.position.z for w in observer.heard[f'/{name}/waypoint']}
        assert heights == {10.0 + number}
    assert not math.isnan(observer.record('/uav1/record')['spent_m'])
