# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The explorer's process under bad input, wrong calls and signals."""

from __future__ import annotations

import math

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseStamped
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState, GetState
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from bo_explorer.ros import qos

from .scenarios import small_mission

pytestmark = pytest.mark.system


class Vehicle:
    """A vehicle that stands still, played by the test."""

    def __init__(self, observer):
        self._node = observer.node
        self._poses = self._node.create_publisher(PoseStamped, 'pose', qos.SENSOR_OUTPUT)
        self._readings = self._node.create_publisher(Float64, 'reading', qos.SENSOR_OUTPUT)

    def is_heard(self):
        return self._poses.get_subscription_count() and self._readings.get_subscription_count()

    def pose(self, x=20.0, y=20.0, frame='map'):
        message = PoseStamped()
        message.header.frame_id = frame
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.pose.position.x, message.pose.position.y = x, y
        self._poses.publish(message)

    def reading(self, value):
        self._readings.publish(Float64(data=value))

    def hover(self):
        self.pose()
        self.reading(1.0)


def diagnostics(observer):
    """Return every key and value of the newest diagnostics."""
    heard = observer.heard['diagnostics']
    if not heard:
        return {}
    return {item.key: item.value for status in heard[-1].status for item in status.values}


def test_bad_messages_are_counted_and_good_ones_still_count(stage):
    """Field cases A1, A5 and A7: NaN, a foreign frame, and NaN in a Float64, then good ones."""
    observer = stage.observer()
    observer.listen_to_record()
    observer.listen(DiagnosticArray, 'diagnostics', qos.EVENTS)
    waypoints = observer.listen(PoseStamped, 'waypoint', qos.STREAM)
    vehicle = Vehicle(observer)
    explorer = stage.start('explorer_node', small_mission())
    observer.wait(vehicle.is_heard, 'the subscriptions')

    def misbehave():
        vehicle.pose(x=math.nan)
        vehicle.pose(frame='base_link')
        vehicle.reading(math.nan)

    def is_counted():
        found = diagnostics(observer)
        return 'rejected_pose_not_finite' in found and 'rejected_pose_frame' in found

    observer.wait(is_counted, 'the counts', meanwhile=misbehave)
    assert observer.record()['state'] == 'waiting' and not waypoints
    vehicle.pose()
    observer.wait(lambda: observer.record()['home'], 'home', meanwhile=vehicle.pose)
    observer.wait(
        lambda: sum(observer.record()['rejections'].values()) > 0,
        'a refused reading',
        meanwhile=misbehave,
    )
    observer.wait(lambda: observer.record()['waypoints'], 'a target', meanwhile=vehicle.hover)
    assert all(math.isfinite(w.pose.position.x) for w in waypoints)
    for text in ('position.x is nan', "'base_link'"):
        assert text in explorer.log
    assert explorer.popen.poll() is None


def test_a_wrong_transition_does_not_end_the_node(stage):
    observer = stage.observer()
    explorer = stage.start('explorer_node', small_mission())
    wrong = ChangeState.Request(transition=Transition(id=Transition.TRANSITION_CONFIGURE))
    client = observer.node.create_client(ChangeState, 'bo_explorer/change_state')
    observer.wait(client.service_is_ready, 'the service')
    client.call_async(wrong)
    observer.wait(lambda: 'refused by the middleware' in explorer.log, 'the refusal')
    state = observer.call(GetState, 'bo_explorer/get_state')
    assert state.current_state.label == 'active'
    right = ChangeState.Request(transition=Transition(id=Transition.TRANSITION_DEACTIVATE))
    assert observer.call(ChangeState, 'bo_explorer/change_state', right).success
    assert not observer.call(Trigger, 'bo_explorer/start').success


def test_a_failed_configuration_can_be_mended_and_tried_again(stage):
    """Field case I6: also after requests that make no sense."""
    observer = stage.observer()
    explorer = stage.start('explorer_node', small_mission(budget={'reserve_m': 500.0}))
    observer.wait(lambda: 'cannot configure' in explorer.log, 'the failure')

    def change(number):
        request = ChangeState.Request(transition=Transition(id=number))
        return observer.call(ChangeState, 'bo_explorer/change_state', request).success

    def set_to(name, value):
        kind = ParameterType.PARAMETER_DOUBLE
        parameter = Parameter(name=name, value=ParameterValue(type=kind, double_value=value))
        request = SetParameters.Request(parameters=[parameter])
        return observer.call(SetParameters, 'bo_explorer/set_parameters', request).results[0]

    assert not change(Transition.TRANSITION_CONFIGURE)
    assert not set_to('no_such_parameter', 1.0).successful
    assert not set_to('budget.reserve_m', -1.0).successful
    assert set_to('budget.reserve_m', 5.0).successful
    assert change(Transition.TRANSITION_CONFIGURE)
    assert change(Transition.TRANSITION_ACTIVATE)
    assert not set_to('budget.total_m', 500.0).successful
    assert change(Transition.TRANSITION_DEACTIVATE)
    assert change(Transition.TRANSITION_CLEANUP)
    assert change(Transition.TRANSITION_CONFIGURE)
    state = observer.call(GetState, 'bo_explorer/get_state')
    assert state.current_state.label == 'inactive'


def test_a_node_with_a_misspelt_key_lives_and_names_the_right_one(stage):
    """Field case D2."""
    observer = stage.observer()
    explorer = stage.start('explorer_node', small_mission(budget={'totl_m': 5.0}))
    observer.wait(lambda: "'budget.total_m'" in explorer.log, 'the hint')
    state = observer.call(GetState, 'bo_explorer/get_state')
    assert state.current_state.label == 'unconfigured'
    assert explorer.popen.poll() is None
