# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Random and mutated messages, calls and parameters leave the node alive and its words finite."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

import rclpy
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry, Path
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message, serialize_message
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState, PointCloud2
from std_msgs.msg import String

from bo_explorer.campaign.fuzz import OutputFault, check_output, fuzz
from bo_explorer.campaign.random_messages import MessageMaker, numbers_in
from bo_explorer.ros import qos, spin

ACTIONS = 4000


def test_the_node_lives_through_thousands_of_messages_calls_and_parameters():
    counts = fuzz(ACTIONS, seed=0)
    topics = {'pose', 'reading', 'battery', 'clock', 'set_area', 'add_zone', 'set_home'}
    assert all(counts[topic] > 50 for topic in topics)
    assert counts['parameters refused'] > 100 and counts['parameters taken'] > 10


@pytest.mark.parametrize('kind', [PoseStamped, Odometry, BatteryState, Clock, PointCloud2])
def test_random_messages_are_messages(kind):
    maker = MessageMaker(np.random.default_rng(0))
    for _ in range(20):
        message = maker.mutated(maker.random(kind))
        assert isinstance(deserialize_message(serialize_message(message), kind), kind)


def test_numbers_are_found_wherever_they_are():
    path = Path(poses=[PoseStamped(), PoseStamped()])
    path.poses[1].pose.orientation.w = math.nan
    assert sum(math.isnan(number) for number in numbers_in(path)) == 1
    with pytest.raises(OutputFault):
        check_output(path)
    with pytest.raises(OutputFault):
        check_output(String(data='{"spent_m": NaN}'))


def test_a_callback_that_fails_does_not_end_the_node(context):
    """Found by fuzzing: rclpy raises where ``/clock`` tells a time before 1970."""
    node = rclpy.create_node(
        'listener', context=context, parameter_overrides=[Parameter('use_sim_time', value=True)]
    )
    peer = rclpy.create_node('peer', context=context)
    clock = peer.create_publisher(Clock, qos.CLOCK, qos.CLOCK_OUTPUT)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)

    def tell(seconds, until):
        for _ in range(200):
            clock.publish(Clock(clock=Time(sec=seconds)))
            spin._spin_once(executor, node)
            if until():
                return True
        return False

    tell(-5, lambda: clock.get_subscription_count() > 0)
    tell(-5, lambda: False)
    assert tell(7, lambda: node.get_clock().now().nanoseconds == 7_000_000_000)
    executor.shutdown()
    node.destroy_node()
    peer.destroy_node()
