# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Area, zones and home change under a flying mission, by topic and by parameter."""

from __future__ import annotations

import math
import threading

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from geometry_msgs.msg import Point32, PolygonStamped, PoseStamped
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile

from bo_explorer.core.job import Job
from bo_explorer.ros import qos
from bo_explorer.ros.settings import Settings

from .test_explorer_node import GOOD, Bench, bench, make  # noqa: F401  fixtures

TRANSIENT_LOCAL, VOLATILE = DurabilityPolicy.TRANSIENT_LOCAL, DurabilityPolicy.VOLATILE
# An empty list says nothing of its type.
PARAMETER_TYPES = {'no_fly.polygons': Parameter.Type.STRING_ARRAY}
SQUARE = ((5.0, 5.0), (10.0, 5.0), (10.0, 10.0), (5.0, 10.0))


def polygon(corners, frame='map'):
    message = PolygonStamped()
    message.header.frame_id = frame
    message.polygon.points = [Point32(x=x, y=y) for x, y in corners]
    return message


def flying(bench):  # noqa: F811
    bench.node.bring_up()
    bench.wait(lambda: bench.records and bench.records[-1]['waypoints'], bench.hover)
    return bench.node._runner.mission


def parameter(bench, key):  # noqa: F811
    return bench.node.get_parameter(key).value


def publisher(bench, kind, topic, profile=qos.LATCHED):  # noqa: F811
    made = bench.peer.create_publisher(kind, topic, profile)
    bench.wait(made.get_subscription_count)
    return made


def test_a_zone_by_topic_is_a_parameter_and_is_flown_round(bench):  # noqa: F811
    """Field case D6: a keep-out that comes in flight."""
    mission = flying(bench)
    zones = publisher(bench, PolygonStamped, qos.ADD_ZONE)
    for _ in range(2):
        zones.publish(polygon(SQUARE))
    bench.wait(lambda: bench.records[-1]['zones'], bench.hover)
    assert parameter(bench, 'no_fly.polygons') == ['5.0,5.0; 10.0,5.0; 10.0,10.0; 5.0,10.0']
    x, y = mission.target
    zones.publish(polygon([(x - 3, y - 3), (x + 3, y - 3), (x + 3, y + 3), (x - 3, y + 3)]))
    bench.wait(lambda: len(bench.records[-1]['zones']) == 2, bench.hover)
    bench.wait(lambda: mission.target is not None, bench.hover)
    bench.wait(lambda: abs(mission.target[0] - x) > 3 or abs(mission.target[1] - y) > 3,
               bench.hover)
    assert mission.explorer.area.path_legal(mission.path())


def test_a_zone_published_before_the_node_starts_counts(bench):  # noqa: F811
    """Field case B3: a message kept for late joiners."""
    early = bench.peer.create_publisher(PolygonStamped, qos.ADD_ZONE, qos.LATCHED)
    early.publish(polygon(SQUARE))
    flying(bench)
    bench.wait(lambda: bench.records[-1]['zones'], bench.hover)


def test_a_publisher_that_keeps_no_message_is_heard_too(bench):  # noqa: F811
    """Field case B9: a subscription that asks for kept messages never hears this one."""
    flying(bench)
    volatile = bench.peer.create_publisher(PolygonStamped, qos.ADD_ZONE, qos.EVENTS)

    def speak():
        bench.hover()
        volatile.publish(polygon(SQUARE))

    bench.wait(lambda: bench.records[-1]['zones'], speak)


def five_zones():
    """Return messages for five zones, and the parameter they become."""
    corners = [[(4.0 * i, 0.0), (4.0 * i + 2.0, 0.0), (4.0 * i, 2.0)] for i in range(5)]
    texts = ['; '.join(f'{x!r},{y!r}' for x, y in zone) for zone in corners]
    return [polygon(zone) for zone in corners], texts


def spoken(bench, profile):  # noqa: F811
    """Publish five zones in one go; the publisher is returned, since it keeps them."""
    made = bench.peer.create_publisher(PolygonStamped, qos.ADD_ZONE, profile)
    for message in five_zones()[0]:
        made.publish(message)
    return made


def zones_in_force(bench):  # noqa: F811
    return sorted(parameter(bench, 'no_fly.polygons') or [])


@pytest.mark.parametrize('durability', [TRANSIENT_LOCAL, VOLATILE])
def test_zones_that_come_together_all_count(bench, durability):  # noqa: F811
    """Each is one more, none a newer state: what is overwritten unread would be flown into."""
    bench.node.bring_up()
    profile = QoSProfile(depth=10, durability=durability)
    zones = bench.peer.create_publisher(PolygonStamped, qos.ADD_ZONE, profile)
    messages, texts = five_zones()
    # Heard once, the subscription fits the publisher.
    bench.wait(lambda: zones_in_force(bench), lambda: zones.publish(messages[0]))
    for message in messages:
        zones.publish(message)
    bench.wait(lambda: zones_in_force(bench) == sorted(texts))


def test_zones_kept_for_late_joiners_all_count(bench):  # noqa: F811
    kept = spoken(bench, QoSProfile(depth=10, durability=TRANSIENT_LOCAL))
    bench.node.bring_up()
    bench.wait(lambda: zones_in_force(bench) == sorted(five_zones()[1]))
    assert kept.get_subscription_count()


def test_kept_zones_count_beside_a_publisher_that_keeps_none(bench):  # noqa: F811
    volatile = bench.peer.create_publisher(PolygonStamped, qos.ADD_ZONE, qos.EVENTS)
    kept = spoken(bench, QoSProfile(depth=10, durability=TRANSIENT_LOCAL))
    bench.node.bring_up()
    bench.wait(
        lambda: len(zones_in_force(bench)) == 6, lambda: volatile.publish(polygon(SQUARE))
    )
    assert kept.get_subscription_count()


def test_what_cannot_be_used_is_refused_and_changes_nothing(bench):  # noqa: F811
    mission = flying(bench)
    zones = publisher(bench, PolygonStamped, qos.ADD_ZONE)
    area = publisher(bench, PolygonStamped, qos.SET_AREA)
    home = publisher(bench, PoseStamped, qos.SET_HOME)
    before = mission.config
    zones.publish(polygon(SQUARE[:2]))
    zones.publish(polygon([(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)]))
    zones.publish(polygon([(math.nan, 0.0), (10.0, 10.0), (10.0, 0.0)]))
    zones.publish(polygon(SQUARE, frame='odom'))
    area.publish(polygon([(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)]))
    far = PoseStamped()
    far.pose.position.x = 500.0
    home.publish(far)
    for _ in range(30):
        bench.hover()
        bench.executor.spin_once(timeout_sec=0.02)
    assert mission.config is before
    assert parameter(bench, 'no_fly.polygons') == []
    bow_tie = Parameter('area.polygon', value=[0, 0, 1, 1, 1, 0, 0, 1])
    refused = bench.node.set_parameters([bow_tie])
    assert not refused[0].successful and 'area.polygon' in refused[0].reason


def test_area_and_home_change_in_flight(bench):  # noqa: F811
    mission = flying(bench)
    publisher(bench, PolygonStamped, qos.SET_AREA).publish(
        polygon([(0.0, 0.0), (30.0, 0.0), (30.0, 30.0), (0.0, 30.0)])
    )
    bench.wait(lambda: bench.records[-1]['area'][0][1] == [30.0, 0.0], bench.hover)
    place = PoseStamped()
    place.pose.position.x = place.pose.position.y = 25.0
    publisher(bench, PoseStamped, qos.SET_HOME).publish(place)
    bench.wait(lambda: bench.records[-1]['home'] == [25.0, 25.0], bench.hover)
    assert (parameter(bench, 'home.mode'), parameter(bench, 'home.x')) == ('fixed', 25.0)
    assert all(0.0 <= value <= 30.0 for value in mission.target)


def test_a_home_that_is_cut_off_is_a_named_hold_and_heals(bench):  # noqa: F811
    mission = flying(bench)
    home = Parameter('home.x', value=2.0), Parameter('home.y', value=2.0)
    assert bench.node.set_parameters_atomically(
        [Parameter('home.mode', value='fixed'), *home]
    ).successful
    bench.wait(lambda: bench.records[-1]['home'] == [2.0, 2.0], bench.hover)
    wall = ['-1,8; 41,8; 41,10; -1,10']
    assert bench.node.set_parameters([Parameter('no_fly.polygons', value=wall)])[0].successful
    bench.wait(lambda: bench.records[-1]['state'] == 'hold', bench.hover)
    assert 'home cannot be reached' in bench.records[-1]['reason']
    assert bench.node.set_parameters([Parameter('no_fly.polygons', value=[])])[0].successful
    bench.wait(lambda: bench.records[-1]['state'] == 'moving', bench.hover)
    assert mission.record().outcome == 'running'


@pytest.fixture
def hold(monkeypatch):
    """Return a function that lets plans end only after what it returns has been called."""
    let_go = threading.Event()
    let_go.set()
    run = Job.run

    def held(job):
        assert let_go.wait(30.0)
        run(job)

    monkeypatch.setattr(Job, 'run', held)

    def begin():
        let_go.clear()
        return let_go.set

    yield begin
    let_go.set()


@pytest.mark.parametrize(
    'change',
    [
        {'no_fly.polygons': []},
        {'area.polygon': [0.0, 0.0, 30.0, 0.0, 30.0, 30.0, 0.0, 30.0]},
        {'home.mode': 'fixed', 'home.x': 2.0, 'home.y': 2.0},
        {'policy.name': 'max_std'},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_change_taken_back_while_a_plan_is_made_is_not_flown(
    context, make, hold, change  # noqa: F811
):
    """A zone deleted by mistake and put back at once is flown round all the time."""
    held = Bench(context, make({**GOOD, 'no_fly.polygons': ['5,5; 10,5; 10,10; 5,10']}))
    flying(held)
    node, runner = held.node, held.node._runner
    let_go = hold()
    held.wait(lambda: runner._worker.is_busy, held.hover)
    before = {key: parameter(held, key) for key in change}
    for values in (change, before):
        changes = [
            Parameter(key, PARAMETER_TYPES.get(key), value) for key, value in values.items()
        ]
        assert node.set_parameters_atomically(changes).successful
        held.wait(lambda: not node._store.has_changed, held.hover)
    let_go()
    n_decisions = len(runner.mission.record().decision_ms)
    held.wait(lambda: len(runner.mission.record().decision_ms) > n_decisions + 1, held.hover)
    told = Settings.from_values(node._store.values())
    # As texts: what is not set is NaN.
    assert repr(runner.mission.config) == repr(told.explorer)
    assert repr(runner.settings) == repr(told)
    assert runner._wanted is None
    held.close()
