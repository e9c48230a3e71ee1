# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The view among nodes, beside a stand-in for the explorer."""

from __future__ import annotations

import math
import time

import pytest

rclpy = pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from nav_msgs.msg import Odometry
from rclpy.executors import SingleThreadedExecutor
from rclpy.serialization import deserialize_message
from std_msgs.msg import String
from std_srvs.srv import Trigger

from bo_explorer.core.options import walk
from bo_explorer.core.plane import PlaneConfig
from bo_explorer.ros import qos
from bo_explorer.view.graph import ExplorerGraph

TIMEOUT_S = 60.0


class StandIn:
    """Answers as an explorer that hears odometry and searches a wall."""

    def __init__(self, domain_id):
        self._context = rclpy.Context()
        rclpy.init(args=[], context=self._context, domain_id=domain_id)
        self.node = rclpy.create_node('bo_explorer', context=self._context, namespace='/uav')
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        values = {f'plane.{spec.key}': spec.default for spec in walk(PlaneConfig)}
        values.update({'plane.tilt_deg': 90.0, 'vehicle.altitude_m': 3.0, 'battery.scale': 1.0})
        values.update({'pose.topic': 'odom', 'pose.type': 'odometry', 'battery.topic': ''})
        for key, value in values.items():
            self.node.declare_parameter(key, value)
        self.node.create_service(Trigger, '~/pause', self._pause)

    def _pause(self, request, response):
        response.success, response.message = False, 'nothing to pause: idle'
        return response

    def wait(self, condition, what, meanwhile=lambda: None):
        end = time.monotonic() + TIMEOUT_S
        while not condition():
            assert time.monotonic() < end, f'waited in vain for {what}'
            meanwhile()
            self._executor.spin_once(timeout_sec=0.05)

    def close(self):
        self._executor.shutdown()
        self.node.destroy_node()
        self._context.try_shutdown()


@pytest.fixture
def stand_in(domain_id):
    stand_in = StandIn(domain_id)
    yield stand_in
    stand_in.close()


@pytest.fixture
def heard():
    return {}


@pytest.fixture
def graph(domain_id, heard):
    graph = ExplorerGraph(
        lambda topic, data: heard.update({topic.key: (topic, data)}),
        namespace='uav',
        domain_id=domain_id,
    )
    yield graph
    graph.close()


def test_the_view_asks_the_explorer_where_its_pose_comes_from(stand_in, graph, heard):
    publisher = stand_in.node.create_publisher(Odometry, 'odom', qos.SENSOR_OUTPUT)
    message = Odometry()
    message.pose.pose.position.x = 4.0

    def publish():
        publisher.publish(message)

    stand_in.wait(lambda: 'pose' in heard, 'a pose', publish)
    topic, data = heard['pose']
    assert topic.name == '/uav/odom'
    assert deserialize_message(data, Odometry).pose.pose.position.x == 4.0
    assert not graph.inputs.plane.is_ground and graph.inputs.plane.stand_off_m == 3.0
    assert math.isnan(PlaneConfig().stand_off_m)
    assert [topic.key for topic in graph.inputs.topics()] == ['pose']


def test_a_late_view_gets_what_was_latched(stand_in, graph, heard):
    publisher = stand_in.node.create_publisher(String, 'record', qos.LATCHED)
    publisher.publish(String(data='{}'))
    stand_in.wait(lambda: qos.RECORD in heard, 'the record')


def test_a_command_brings_back_the_sentence_of_the_explorer(stand_in, graph):
    stand_in.wait(lambda: graph._clients['pause'].service_is_ready(), 'the service')
    answer = graph.call('pause')
    stand_in.wait(answer.done, 'the answer')
    assert (answer.result().success, answer.result().message) == (False, 'nothing to pause: idle')


def test_without_an_explorer_a_command_fails_at_once(graph):
    answer = graph.call('start').result(timeout=5.0)
    assert not answer.success and 'no explorer' in answer.message


def test_the_view_slows_no_publisher_of_waypoints(stand_in, graph):
    from geometry_msgs.msg import PoseStamped

    publisher = stand_in.node.create_publisher(PoseStamped, 'waypoint', qos.STREAM)
    stand_in.wait(publisher.get_subscription_count, 'the view')
    (listener,) = stand_in.node.get_subscriptions_info_by_topic('/uav/waypoint')
    # A best-effort reader is never waited for.
    assert listener.qos_profile.reliability is qos.WAYPOINT_INPUT.reliability
