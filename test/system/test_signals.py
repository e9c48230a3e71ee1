# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Signals end both nodes at once and cleanly; planning never interrupts the waypoints."""

from __future__ import annotations

import signal
import time

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from geometry_msgs.msg import PoseStamped

from bo_explorer.ros import qos

from .scenarios import small_mission
from .test_robustness import Vehicle

pytestmark = pytest.mark.system

MAX_END_S = 2.0
MAX_GAP_S = 0.3


def slow_planning(**changes):
    """Return a mission whose decisions take seconds."""
    return small_mission(
        area={'polygon': [0, 0, 40, 0, 40, 40, 0, 40], 'resolution_m': 1.0},
        policy={'name': 'rollout', 'replan_period_s': 0.5},
        **changes,
    )


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM], ids=['SIGINT', 'SIGTERM'])
def test_a_signal_ends_both_nodes_at_once_while_a_plan_is_being_made(stage, number):
    """Field case I8."""
    observer = stage.observer()
    observer.listen_to_record()
    waypoints = observer.listen(PoseStamped, 'waypoint', qos.STREAM)
    simulator = stage.start('simulator_node', slow_planning())
    explorer = stage.start('explorer_node', slow_planning())
    observer.wait(lambda: waypoints, 'a waypoint')
    observer.wait(lambda: len(observer.record().get('decision_ms', [])) >= 1, 'a decision')
    for process in (explorer, simulator):
        started = time.monotonic()
        assert process.end(number) == 0
        assert time.monotonic() - started < MAX_END_S
        assert 'Traceback' not in process.log


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM], ids=['SIGINT', 'SIGTERM'])
def test_a_signal_ends_nodes_that_hear_nothing(stage, number):
    processes = [
        stage.start('explorer_node', small_mission()),
        stage.start('simulator_node', small_mission()),
    ]
    observer = stage.observer()
    observer.wait(lambda: 'configured' in processes[0].log, 'the explorer')
    observer.wait(
        lambda: observer.node.count_publishers('pose') > 0, 'the simulator'
    )
    for process in processes:
        started = time.monotonic()
        assert process.end(number) == 0
        assert time.monotonic() - started < MAX_END_S
        assert 'Traceback' not in process.log


def test_the_stream_of_waypoints_is_unbroken_while_plans_are_made(stage):
    """Field case I2: more than 10 Hz, and no gap above 0.3 s, as another process hears it."""
    observer = stage.observer()
    observer.listen_to_record()
    heard = []
    observer.node.create_subscription(
        PoseStamped, 'waypoint', lambda m: heard.append(time.monotonic()), qos.STREAM
    )
    vehicle = Vehicle(observer)
    stage.start('explorer_node', slow_planning())
    observer.wait(vehicle.is_heard, 'the subscriptions')
    observer.wait(lambda: heard, 'a waypoint', meanwhile=vehicle.hover)
    heard.clear()
    before = len(observer.record()['decision_ms'])
    observer.wait(
        lambda: len(observer.record()['decision_ms']) >= before + 4,
        'four decisions',
        meanwhile=vehicle.hover,
    )
    planned_s = sum(observer.record()['decision_ms'][before:]) / 1e3
    gaps = [later - earlier for earlier, later in zip(heard, heard[1:])]
    assert planned_s > 0.5
    assert len(heard) / (heard[-1] - heard[0]) > 10.0
    assert max(gaps) <= MAX_GAP_S
