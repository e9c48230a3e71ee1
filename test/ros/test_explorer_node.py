# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The explorer node in one process, its transitions triggered by hand."""

from __future__ import annotations

import json
import time

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseStamped
from rclpy.executors import SingleThreadedExecutor
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.node import Node
from rclpy.parameter import Parameter
from std_msgs.msg import Float64, String
from std_srvs.srv import Trigger

from bo_explorer.ros import qos
from bo_explorer.ros.explorer_node import ExplorerNode

SUCCESS, FAILURE = TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE
GOOD = {
    'area.polygon': [0, 0, 40, 0, 40, 40, 0, 40],
    'area.resolution_m': 4,
    'budget.total_m': 160,
    'policy.name': 'ucb',
    'model.fit': False,
    'vehicle.dwell_s': 0.0,
}
ZONE = '30,30; 34,30; 34,34; 30,34'


@pytest.fixture
def make(context):
    nodes = []

    def build(parameters=GOOD, **arguments):
        node = ExplorerNode(
            context=context,
            parameter_overrides=[Parameter(k, value=v) for k, v in parameters.items()],
            **arguments,
        )
        nodes.append(node)
        return node

    yield build
    for node in nodes:
        node.close()
        node.destroy_node()


class Bench:
    """An executor with the node under test and a peer that speaks and listens."""

    def __init__(self, context, node):
        self.node = node
        self.peer = Node('peer', context=context)
        self.executor = SingleThreadedExecutor(context=context)
        self.executor.add_node(node)
        self.executor.add_node(self.peer)
        self.poses = self.peer.create_publisher(PoseStamped, 'pose', qos.SENSOR_OUTPUT)
        self.readings = self.peer.create_publisher(Float64, 'reading', qos.SENSOR_OUTPUT)
        self.records, self.waypoints = [], []
        self.peer.create_subscription(
            String, 'record', lambda m: self.records.append(json.loads(m.data)), qos.LATCHED
        )
        self.diagnostics = []
        self.peer.create_subscription(
            DiagnosticArray, 'diagnostics', self.diagnostics.append, qos.EVENTS
        )
        self.peer.create_subscription(PoseStamped, 'waypoint', self.waypoints.append, qos.STREAM)

    def hover(self):
        message = PoseStamped()
        message.pose.position.x = message.pose.position.y = 20.0
        self.poses.publish(message)
        self.readings.publish(Float64(data=1.0))

    def wait(self, condition, meanwhile=lambda: None):
        end = time.monotonic() + 30.0
        while not condition():
            assert time.monotonic() < end, 'waited in vain'
            meanwhile()
            self.executor.spin_once(timeout_sec=0.02)

    def call(self, name):
        client = self.peer.create_client(Trigger, f'bo_explorer/{name}')
        self.wait(client.service_is_ready)
        future = client.call_async(Trigger.Request())
        self.wait(future.done)
        self.peer.destroy_client(client)
        return future.result()

    def close(self):
        self.executor.remove_node(self.node)
        self.executor.remove_node(self.peer)
        self.peer.destroy_node()
        self.executor.shutdown()


@pytest.fixture
def bench(context, make):
    bench = Bench(context, make())
    yield bench
    bench.close()


def endpoints(node):
    """Count what the node has in the graph and in its executor."""
    return (
        len(list(node.publishers)),
        len(list(node.subscriptions)),
        len(list(node.services)),
        len(list(node.timers)),
    )


@pytest.mark.parametrize('missing', ['area.polygon', 'budget.total_m'])
def test_without_area_or_budget_the_node_stays_unconfigured_and_lives(make, missing):
    node = make({k: v for k, v in GOOD.items() if k != missing})
    empty = endpoints(node)
    assert node.trigger_configure() == FAILURE
    assert endpoints(node) == empty
    value = GOOD[missing]
    assert node.set_parameters([Parameter(missing, value=value)])[0].successful
    assert node.trigger_configure() == SUCCESS


@pytest.mark.parametrize(
    ('key', 'value'),
    [
        ('area.polygon', [0, 0, 10, 0]),
        ('area.polygon', [0, 0, 10, 10, 10, 0, 0, 10]),
        ('budget.reserve_m', 200.0),
        ('policy.name', 'no_such_policy'),
        ('sensor.type', 'no_such_msgs/msg/Thing'),
        ('sensor.field', 'no_such_field'),
        ('pose.topic', 'not a topic'),
        ('budget.totl_m', 3.0),
    ],
)
def test_what_cannot_work_fails_at_configure_and_leaves_nothing_behind(make, key, value):
    node = make({**GOOD, key: value})
    before = endpoints(node)
    assert node.trigger_configure() == FAILURE
    assert endpoints(node) == before


def test_every_round_of_transitions_leaves_the_same_endpoints(make):
    """Field case I6."""
    node = make()
    empty = endpoints(node)
    assert node.trigger_configure() == SUCCESS
    configured = endpoints(node)
    assert node.trigger_activate() == SUCCESS
    active = endpoints(node)
    assert active[3] == configured[3] + 5
    for _ in range(2):
        assert node.trigger_deactivate() == SUCCESS
        assert endpoints(node) == configured
        assert node.trigger_cleanup() == SUCCESS
        assert endpoints(node) == empty
        assert node.trigger_configure() == SUCCESS
        assert node.trigger_activate() == SUCCESS
        assert endpoints(node) == active
    assert node.trigger_shutdown() == SUCCESS
    assert endpoints(node) == empty


def test_a_structural_parameter_changes_between_flights_only(make):
    node = make()
    node.trigger_configure()
    node.trigger_activate()
    change = Parameter('budget.total_m', value=300.0)
    result = node.set_parameters([change])[0]
    assert not result.successful and 'active' in result.reason
    node.trigger_deactivate()
    assert node.set_parameters([change])[0].successful
    assert node.trigger_activate() == SUCCESS
    assert node._runner.mission.ledger.total == 300.0


def test_a_bad_change_while_inactive_stops_the_activation_and_can_be_mended(make):
    node = make()
    node.trigger_configure()
    assert node.set_parameters([Parameter('budget.reserve_m', value=500.0)])[0].successful
    assert node.trigger_activate() == FAILURE
    assert node.set_parameters([Parameter('budget.reserve_m', value=5.0)])[0].successful
    assert node.trigger_activate() == SUCCESS


def test_parameters_changed_between_flights_lose_neither_samples_nor_what_is_spent(bench):
    node = bench.node
    node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['waypoints'], bench.hover)
    bench.wait(lambda: bench.records[-1]['samples'], bench.hover)
    before = bench.records[-1]
    node.trigger_deactivate()
    changes = {'budget.total_m': 300.0, 'policy.name': 'ucb', 'no_fly.polygons': [ZONE]}
    parameters = [Parameter(key, value=value) for key, value in changes.items()]
    assert node.set_parameters_atomically(parameters).successful
    other = Parameter('sensor.topic', value='/another')
    assert node.set_parameters([other])[0].successful
    runner = node._runner
    assert node.trigger_activate() == FAILURE
    assert node._runner is runner
    topic = Parameter('sensor.topic', value=runner.settings.node.sensor.topic)
    assert node.set_parameters([topic])[0].successful
    bench.records.clear()
    assert node.trigger_activate() == SUCCESS
    bench.wait(lambda: bench.records and bench.records[-1]['state'] == 'moving', bench.hover)
    after = bench.records[-1]
    assert after['home'] == before['home']
    assert len(after['samples']) >= len(before['samples'])
    assert after['spent_m'] >= before['spent_m']
    assert node._runner.mission.ledger.total == 300.0
    # A zone that is taken back does not come back by itself.
    node.trigger_deactivate()
    node.set_parameters([Parameter('no_fly.polygons', Parameter.Type.STRING_ARRAY, [])])
    assert node.trigger_activate() == SUCCESS
    bench.wait(lambda: not bench.records[-1]['zones'], bench.hover)
    node.trigger_deactivate()
    node.trigger_cleanup()
    node.trigger_configure()
    assert node._runner.mission.memory is None


def test_the_node_brings_itself_up_unless_told_not_to(make):
    node = make()
    node.bring_up()
    assert node._state_machine.current_state[1] == 'active'
    waiting = make({**GOOD, 'autostart': False})
    waiting.bring_up()
    assert waiting._state_machine.current_state[1] == 'unconfigured'


def test_readings_and_a_pose_lead_to_a_waypoint(bench):
    """Field case A5: an empty frame is taken for the configured one."""
    bench.node.bring_up()
    bench.wait(lambda: bench.records)
    bench.wait(lambda: bench.records[-1]['waypoints'], bench.hover)
    bench.wait(lambda: bench.waypoints, bench.hover)
    bench.wait(lambda: bench.diagnostics, bench.hover)
    mission, inputs, watchdogs = bench.diagnostics[-1].status[:3]
    assert mission.level == inputs.level == watchdogs.level == DiagnosticStatus.OK
    assert {v.value for v in watchdogs.values if 'rejected' not in v.key} == {'ok'}
    assert 'budget_remaining_m' in {v.key for v in mission.values}
    assert bench.records[-1]['home'] == [20.0, 20.0]
    assert bench.waypoints[-1].pose.position.z == 10.0


def test_the_services_answer_alike_when_called_twice(bench):
    bench.node.set_parameters([Parameter('autostart_mission', value=False)])
    bench.node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['state'] == 'idle')
    for name in ('start', 'pause', 'resume', 'return_home', 'pause', 'reset'):
        if name == 'pause':
            bench.wait(lambda: bench.records[-1]['waypoints'], bench.hover)
        for _ in range(2):
            answer = bench.call(name)
            assert answer.success and answer.message, name
    bench.wait(lambda: bench.records[-1]['state'] == 'idle')


def test_an_inactive_node_refuses_commands_and_sends_no_waypoint(bench):
    bench.node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['waypoints'], bench.hover)
    bench.wait(lambda: bench.waypoints, bench.hover)
    bench.node.trigger_deactivate()
    answer = bench.call('start')
    assert not answer.success and 'not active' in answer.message
    bench.waypoints.clear()
    for _ in range(10):
        bench.hover()
        bench.executor.spin_once(timeout_sec=0.02)
    assert not bench.waypoints
    bench.node.trigger_activate()
    bench.wait(lambda: bench.waypoints, bench.hover)


def test_poses_are_taken_while_a_plan_is_being_made(bench):
    """Field case I1."""
    bench.node.bring_up()
    bench.wait(lambda: bench.records)
    bench.wait(lambda: bench.node._runner._worker.is_busy, bench.hover)
    heard = []
    bench.node._runner._inputs._on_pose = heard.append
    bench.wait(lambda: heard, bench.hover)


def test_a_publisher_that_cannot_match_is_named_once(context, make):
    """Field case B2."""
    reported = []
    node = Node('listener', context=context)
    events = qos.publisher_events('waypoint', reported.append)
    node.create_publisher(PoseStamped, 'waypoint', qos.STREAM, event_callbacks=events)
    node.create_subscription(PoseStamped, 'waypoint', lambda m: None, qos.LATCHED)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    end = time.monotonic() + 20.0
    while not reported and time.monotonic() < end:
        executor.spin_once(timeout_sec=0.05)
    executor.remove_node(node)
    node.destroy_node()
    assert len(reported) == 1
    assert "'waypoint'" in reported[0] and 'DURABILITY' in reported[0]


def test_a_live_parameter_changes_the_flight_at_the_next_plan(bench):
    """Field case D5."""
    bench.node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['waypoints'], bench.hover)
    assert bench.node.set_parameters([Parameter('policy.name', value='max_std')])[0].successful
    refused = bench.node.set_parameters([Parameter('policy.name', value='none_such')])[0]
    assert not refused.successful and 'none_such' in refused.reason
    bench.wait(lambda: bench.records[-1]['policy'] == 'max_std', bench.hover)
    zone = Parameter('no_fly.polygons', value=['0,0; 5,0; 5,5; 0,5'])
    assert bench.node.set_parameters([zone])[0].successful
    bench.wait(lambda: bench.records[-1]['zones'], bench.hover)


def test_a_destroyed_node_leaves_the_graph_though_something_still_holds_it(context):
    """Whoever asks the graph for a node of its name would take the dead one for a living one."""
    values = [Parameter(key, value=value) for key, value in GOOD.items()]
    node = ExplorerNode(context=context, parameter_overrides=values)
    node.bring_up()
    peer = Node('peer', context=context)

    def seen_within_20_s(wanted):
        end = time.monotonic() + 20.0
        while ('bo_explorer' in peer.get_node_names()) != wanted and time.monotonic() < end:
            time.sleep(0.02)
        return 'bo_explorer' in peer.get_node_names()

    assert seen_within_20_s(True)
    node.close()
    node.destroy_node()
    assert not seen_within_20_s(False)
    peer.destroy_node()
