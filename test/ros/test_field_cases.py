# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Public failures of this field's software that concern the node, each by the id of its case."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from geometry_msgs.msg import PoseStamped
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import Float64

from bo_explorer.ros import publishers, qos
from bo_explorer.ros.explorer_node import ExplorerNode

from .test_explorer_node import GOOD, bench, make  # noqa: F401  fixtures

ROS = Path(__file__).parents[2] / 'bo_explorer' / 'ros'


def test_case_a10_a_hundred_thousand_messages_of_any_value_are_survived(bench):  # noqa: F811
    bench.node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['waypoints'], bench.hover)
    inputs = bench.node._runner._inputs
    rng = np.random.default_rng(0)
    special = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e308, 5e-324, 1e12]
    message, pose = Float64(), PoseStamped()
    for k in range(100_000):
        message.data = float(rng.choice(special)) if k % 3 == 0 else float(rng.normal())
        inputs._take_reading(message)
        if k % 10 == 0:
            pose.pose.position.x = float(rng.choice(special)) if k % 7 == 0 else 20.0
            pose.pose.position.y = 20.0
            pose.pose.orientation.w = float(rng.choice(special))
            inputs._take_pose(pose)
    for _ in range(20):
        bench.hover()
        bench.executor.spin_once(timeout_sec=0.02)
    mission = bench.node._runner.mission
    assert mission.record().n_readings >= 100_000
    assert np.isfinite(mission.map().mean).all()
    assert mission.setpoint() is not None


@pytest.mark.parametrize('reliability', list(ReliabilityPolicy)[1:3])
def test_case_b1_publishers_of_every_reliability_are_heard(bench, reliability):  # noqa: F811
    profile = QoSProfile(depth=10, reliability=reliability)
    poses = bench.peer.create_publisher(PoseStamped, 'pose', profile)
    heard = []
    bench.node.bring_up()
    bench.node._runner._inputs._on_pose = heard.append
    bench.wait(lambda: heard, lambda: poses.publish(PoseStamped()))


@pytest.mark.parametrize('durability', list(DurabilityPolicy)[1:3])
def test_case_b4_whoever_joins_late_gets_the_map(bench, monkeypatch, durability):  # noqa: F811
    monkeypatch.setattr(publishers, '_REPEAT_S', 0.2)
    bench.node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['waypoints'], bench.hover)
    maps = []
    profile = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=durability)
    bench.peer.create_subscription(PointCloud2, qos.MAP, maps.append, profile)
    bench.wait(lambda: len(maps) > 1)


def test_case_b7_a_pose_that_nobody_publishes_names_what_may_be_meant(bench):  # noqa: F811
    others = [
        bench.peer.create_publisher(PoseStamped, name, qos.SENSOR_OUTPUT)
        for name in ('/pose_v1', '/uav1/local/pose', '/unrelated_things')
    ]
    bench.peer.destroy_publisher(bench.poses)
    bench.node.bring_up()
    inputs = bench.node._runner._inputs
    inputs._pose_timeout_s = 0.0
    bench.wait(lambda: 'is it one of' in inputs.pose_problem())
    bench.wait(lambda: '/pose_v1' in inputs.pose_problem())
    problem = inputs.pose_problem()
    assert "'/uav1/local/pose' (geometry_msgs/msg/PoseStamped)" in problem
    assert 'unrelated' not in problem
    for other in others:
        bench.peer.destroy_publisher(other)


@pytest.mark.parametrize('in_file', ['100', '100.0'])
@pytest.mark.parametrize('given', ['50.0', '50'])
def test_case_d8_a_parameter_on_the_command_line_stands_above_the_file(
    context, tmp_path, in_file, given
):
    """Also a fraction above a whole number, of which rclpy by itself takes the whole number."""
    file = tmp_path / 'parameters.yaml'
    file.write_text(
        f'/**:\n  ros__parameters:\n    budget: {{total_m: {in_file}}}\n'
        '    area: {polygon: [0, 0, 40, 0, 40, 40]}\n'
    )
    arguments = ['--ros-args', '--params-file', str(file), '-p', f'budget.total_m:={given}']
    node = ExplorerNode(context=context, cli_args=arguments)
    assert node.get_parameter('budget.total_m').value == 50
    assert list(node.get_parameter('area.polygon').value) == [0, 0, 40, 0, 40, 40]
    node.close()
    node.destroy_node()


def test_case_i13_nothing_in_a_callback_sleeps_or_spins():
    forbidden = {'sleep', 'spin_until_future_complete', 'create_rate', 'spin'}
    found = [
        f'{path.name}:{call.lineno}: {call.func.attr}'
        for path in ROS.rglob('*.py')
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in forbidden
    ]
    assert not found


def test_case_j1_no_name_is_absolute_but_the_clock():
    names = {value for key, value in vars(qos).items() if key.isupper() and isinstance(value, str)}
    assert {name for name in names if name.startswith('/')} == {qos.CLOCK}
    assert not any(GOOD[key] for key in GOOD if key.endswith('.topic'))


def test_case_j3_nothing_of_tf_is_heard_or_said(make):  # noqa: F811
    node = make()
    node.bring_up()
    topics = {end.topic_name for end in (*node.subscriptions, *node.publishers)}
    assert '/pose' in topics
    assert not {'/tf', '/tf_static'} & topics
