# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Each stack's adapter against a vehicle that speaks as the stack does."""

from __future__ import annotations

import math
import sys
import types

import numpy as np
import pytest
from numpy.polynomial import Polynomial

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from bo_explorer.core.errors import ConfigError
from bo_explorer.core.types import Waypoint
from bo_explorer.ros.flight_stacks import FLIGHT_STACKS

from . import vehicles

GOAL = Waypoint(3.0, -4.0, 6.0, 2.0)


def mavros(**arguments):
    return lambda node: vehicles.MavrosVehicle(node, **arguments)


ALLOWED = {'may_switch_mode': True, 'may_arm': True}
STACKS = {
    'mavros': (mavros(), {**ALLOWED, 'take_off_m': 2.0}),
    'mavros with ardupilot': (
        mavros(autopilot='ardupilot'),
        {**ALLOWED, 'take_off_m': 2.0, 'mavros__autopilot': 'ardupilot'},
    ),
    'px4': (vehicles.Px4Vehicle, {**ALLOWED, 'take_off_m': 2.0}),
    'ardupilot': (vehicles.ArdupilotVehicle, {**ALLOWED, 'take_off_m': 2.0}),
    'crazyswarm2': (vehicles.CrazyflieVehicle, {'may_arm': True, 'take_off_m': 2.0}),
    'aerostack2': (vehicles.Aerostack2Vehicle, {**ALLOWED, 'take_off_m': 2.0}),
    'nav2': (
        vehicles.Nav2Vehicle,
        {'nav2__pose_type': 'pose_stamped', 'nav2__pose_topic': 'robot_pose'},
    ),
}


def start(stage, name, **changes):
    vehicle, options = STACKS[name]
    return stage.start(name.split()[0], vehicle, **{**options, **changes})


def is_at(vehicle, waypoint, height=None):
    goal = (waypoint.x, waypoint.y, waypoint.z if height is None else height)
    return math.dist(vehicle.place, goal) < 0.05


def heard_at(stage):
    """Return how far the newest pose is from the vehicle, m."""
    place = stage.poses[-1].pose.position
    return math.dist((place.x, place.y, place.z), stage.vehicle.place)


@pytest.mark.parametrize('name', STACKS)
def test_a_vehicle_takes_off_flies_to_the_waypoint_and_stays_at_the_last(stage, name):
    vehicle = start(stage, name)
    stage.waypoint = GOAL
    height = 0.0 if name == 'nav2' else None
    stage.wait(lambda: is_at(vehicle, GOAL, height), f'{name} at its goal')
    assert stage.phase() == 'ENGAGED'
    assert vehicle.failsafes == 0
    # Straight up first: no metre sideways below nine tenths of the take-off.
    assert all(math.hypot(x, y) < 0.05 for x, y, z in vehicle.track if z < 1.5) or name == 'nav2'
    wanted = {'nav2': [], 'crazyswarm2': ['arm', 'take off']}.get(name, ['mode', 'arm'])
    if name in ('mavros with ardupilot', 'ardupilot', 'aerostack2'):
        wanted = [*wanted, 'take off']
    assert list(dict.fromkeys(vehicle.requests)) == wanted

    # What the explorer hears is the map.
    stage.wait(lambda: stage.batteries and heard_at(stage) < 1e-3, 'pose and battery')
    pose = stage.poses[-1]
    assert pose.header.frame_id == 'map'
    turn = pose.pose.orientation
    assert 2.0 * math.atan2(turn.z, turn.w) == pytest.approx(vehicle.yaw, abs=1e-6)
    share = 0.75 if name == 'crazyswarm2' else 0.8
    assert stage.batteries[-1].percentage == pytest.approx(share, abs=1e-6)

    # A silent explorer leaves the vehicle at its last setpoint.
    stage.waypoint = None
    heard = len(vehicle.heard)
    stage.wait(lambda: stage.adapter._setpoints.is_holding, 'the end of the stream')
    stage.run(0.6)
    assert is_at(vehicle, GOAL, height) and stage.phase() == 'ENGAGED'
    assert vehicle.failsafes == 0
    assert len(vehicle.heard) - heard > 10 or name not in ('mavros', 'px4')


@pytest.mark.parametrize('name', [name for name in STACKS if name != 'nav2'])
def test_without_permission_nothing_is_asked_for(stage, name):
    vehicle = start(stage, name, may_switch_mode=False, may_arm=False)
    stage.waypoint = GOAL
    stage.wait(lambda: stage.poses, 'a pose')
    stage.run(0.6)
    assert vehicle.requests == [] and vehicle.place == (0.0, 0.0, 0.0)
    assert stage.phase() == 'READY'


@pytest.mark.parametrize('name', ['mavros', 'px4', 'ardupilot', 'aerostack2'])
def test_a_pilot_who_takes_over_is_left_alone_and_may_give_back(stage, name):
    vehicle = start(stage, name)
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    vehicle.pilot_takes_over()
    stage.wait_for_phase('RELEASED')
    vehicle.requests.clear()
    vehicle.place = (9.0, 8.0, 6.0)
    stage.run(0.8)
    assert vehicle.requests == [] and not vehicle.is_following
    assert vehicle.place == (9.0, 8.0, 6.0)
    vehicle.pilot_gives_back()
    stage.wait_for_phase('ENGAGED')
    stage.run(0.4)
    # Nobody has checked the way from here to the goal.
    assert math.dist(vehicle.place, (9.0, 8.0, 6.0)) < 0.05
    stage.waypoint = Waypoint(2.0, 1.0, 6.0, 2.0)
    stage.wait(lambda: is_at(vehicle, stage.waypoint), 'a waypoint given here')
    assert vehicle.requests == []


@pytest.mark.parametrize('name', ['mavros', 'px4'])
def test_before_the_mode_the_vehicle_is_told_to_stay_where_it_is(stage, name):
    vehicle = start(stage, name, may_switch_mode=False)
    vehicle.place = (5.0, 6.0, 7.0)
    stage.waypoint = GOAL
    stage.wait(lambda: len(vehicle.heard) > 20, 'setpoints')
    assert math.dist(vehicle.target, vehicle.place) < 1e-5


@pytest.mark.parametrize('name', ['mavros', 'aerostack2'])
def test_what_cannot_be_a_waypoint_is_dropped(stage, name):
    vehicle = start(stage, name)
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    for waypoint, frame in (
        (Waypoint(math.nan, 0.0, 5.0), 'map'),
        (Waypoint(0.0, math.inf, 5.0), 'map'),
        (Waypoint(1e300, 0.0, 5.0), 'map'),
        (Waypoint(0.0, 0.0, 5.0), 'odom'),
    ):
        stage.waypoint, stage.frame = waypoint, frame
        stage.run(0.25)
    assert is_at(vehicle, GOAL) and stage.adapter._n_dropped > 5
    assert all(math.isfinite(value) for value in vehicle.target)


@pytest.mark.parametrize('name', STACKS)
@pytest.mark.parametrize('value', [1e300, math.inf, math.nan])
def test_an_absurd_pose_is_survived_and_no_pose(stage, name, value):
    vehicle = start(stage, name)
    vehicle.place = (0.0, value, 0.0)
    if name == 'px4':
        vehicle.place = (0.0, min(value, 3e38), 0.0)
    vehicle.charge = vehicle.voltage = math.nan
    stage.waypoint = GOAL
    stage.run(0.3)
    assert not stage.poses and stage.phase() in ('LOST', 'ABSENT')
    vehicle.place = (0.0, 0.0, 0.0)
    stage.wait(lambda: stage.poses, 'a pose')


def test_case_c2_px4_gets_nan_for_all_it_shall_not_control(stage):
    vehicle = start(stage, 'px4')
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    setpoint = vehicle.heard[-1]
    assert list(setpoint.position) == [-4.0, 3.0, -6.0]
    assert setpoint.yaw == pytest.approx(0.5 * math.pi - 2.0, abs=1e-6)
    for field in ('velocity', 'acceleration', 'jerk'):
        assert all(math.isnan(value) for value in getattr(setpoint, field))
    assert math.isnan(setpoint.yawspeed)
    sign = vehicle.signs_of_life[-1]
    others = ('velocity', 'acceleration', 'attitude', 'body_rate', 'thrust_and_torque')
    assert sign.position and not any(getattr(sign, field) for field in others)
    assert sign.timestamp == setpoint.timestamp > 0


def test_a_free_heading_is_not_controlled(stage):
    vehicle = start(stage, 'px4', yaw='free')
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    assert math.isnan(vehicle.heard[-1].yaw)


def test_mavros_keeps_the_heading_it_has_where_it_is_free(stage):
    vehicle = start(stage, 'mavros', yaw='free')
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    turn = vehicle.heard[-1].pose.orientation
    assert 2.0 * math.atan2(turn.z, turn.w) == pytest.approx(vehicle.yaw, abs=1e-9)


def test_case_a12_an_invalid_position_of_px4_is_no_pose(stage):
    vehicle = start(stage, 'px4')
    vehicle.is_valid = False
    stage.run(0.8)
    assert not stage.poses and stage.phase() in ('ABSENT', 'LOST')
    assert vehicle.requests == [] and vehicle.heard == []
    vehicle.is_valid = True
    stage.wait(lambda: stage.poses, 'a pose')


def test_case_b7_topics_carry_a_version_or_not(stage):
    vehicle = stage.start(
        'px4',
        lambda node: vehicles.Px4Vehicle(node, suffixes=False),
        px4__versioned_topics=False,
    )
    stage.wait(lambda: stage.poses and stage.batteries, 'pose and battery')
    assert vehicle.node.count_subscribers('fmu/out/vehicle_status') == 1


def test_case_b7_the_topics_it_may_be_instead_are_named(stage):
    stage.start('px4', lambda node: vehicles.Px4Vehicle(node, suffixes=False))
    stage.run(0.5)
    text = stage.adapter._silence(stage.adapter._stack)
    assert 'fmu/out/vehicle_local_position_v1' in text


def charges_heard(stage):
    """Return every state of charge that is heard once all batteries have spoken."""
    stage.wait(lambda: len(stage.batteries) > 9, 'batteries')
    stage.batteries.clear()
    stage.wait(lambda: len(stage.batteries) > 9, 'batteries')
    return {round(message.percentage, 6) for message in stage.batteries}


@pytest.mark.parametrize('name', ['mavros', 'px4', 'ardupilot'])
def test_case_g9_two_batteries_give_the_emptier_and_do_not_flap(stage, name):
    vehicle = start(stage, name)
    vehicle.charge, vehicle.further_charges = 0.9, {1: 0.2, 3: -1.0}
    if name == 'px4':
        vehicle.further_charges[2], vehicle.gone = 0.0, {2}
    assert charges_heard(stage) == {0.2}


@pytest.mark.parametrize(
    ('name', 'battery'), [('mavros', 'id0'), ('px4', '0'), ('ardupilot', '0')]
)
def test_case_g9_one_battery_of_several_may_be_watched(stage, name, battery):
    vehicle = start(stage, name, battery_id=battery)
    vehicle.charge, vehicle.further_charges = 0.9, {1: 0.2}
    assert charges_heard(stage) == {0.9}


def test_case_g6_an_unknown_battery_is_not_an_empty_one(stage):
    vehicle = start(stage, 'mavros')
    vehicle.charge = -0.01
    stage.wait(lambda: stage.batteries, 'a battery')
    assert math.isnan(stage.batteries[-1].percentage)


@pytest.mark.parametrize(('unit', 'value'), [('radians', 2.0), ('degrees', math.degrees(2.0))])
def test_case_c8_go_to_gets_its_yaw_in_the_unit_that_is_set(stage, unit, value):
    vehicle = start(stage, 'crazyswarm2', crazyswarm2__yaw_unit=unit)
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    assert vehicle.heard[-1].yaw == pytest.approx(value, rel=1e-6)
    assert not vehicle.heard[-1].relative
    assert len(vehicle.heard) == 1


def peaks(distance_m, seconds):
    """Return greatest speed and acceleration of the firmware's way from rest to rest."""
    rest = [[0.0, 0.0, 0.0], [distance_m, 0.0, 0.0]]
    conditions = [(0.0, k, rest[0][k] if k < 3 else 0.0) for k in range(4)]
    conditions += [(1.0, k, rest[1][k] if k < 3 else 0.0) for k in range(4)]
    basis = [Polynomial.basis(n) for n in range(8)]
    rows = [[b.deriv(k)(at) if k else b(at) for b in basis] for at, k, _ in conditions]
    way = Polynomial(np.linalg.solve(rows, [value for *_, value in conditions]))
    times = np.linspace(0.0, 1.0, 2001)
    speed, acceleration = way.deriv(1)(times) / seconds, way.deriv(2)(times) / seconds**2
    return np.abs(speed).max(), np.abs(acceleration).max()


@pytest.mark.parametrize(('x', 'speed', 'acceleration'), [(9.0, 0.5, None), (3.4, None, 0.25)])
def test_a_go_to_keeps_speed_and_acceleration(stage, x, speed, acceleration):
    vehicle = start(
        stage,
        'crazyswarm2',
        crazyswarm2__speed_mps=0.5,
        crazyswarm2__acceleration_mps2=0.25,
    )
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    stage.wait(lambda: heard_at(stage) < 1e-3, 'the pose')
    stage.waypoint = Waypoint(x, GOAL.y, GOAL.z, GOAL.yaw)
    stage.wait(lambda: is_at(vehicle, stage.waypoint), 'the next goal')
    duration = vehicle.heard[-1].duration
    found = peaks(x - GOAL.x, duration.sec + 1e-9 * duration.nanosec)
    assert found[0] <= 0.5 + 1e-6 and found[1] <= 0.25 + 1e-6
    if speed is not None:
        assert found[0] == pytest.approx(speed, rel=1e-4)
    if acceleration is not None:
        assert found[1] == pytest.approx(acceleration, rel=1e-4)


def self_arming(node):
    vehicle = vehicles.CrazyflieVehicle(node)
    vehicle.is_armed = True
    return vehicle


def test_a_crazyflie_that_arms_itself_stays_on_the_ground_unless_a_take_off_is_allowed(stage):
    vehicle = stage.start('crazyswarm2', self_arming)
    stage.waypoint = GOAL
    stage.wait_for_phase('GROUNDED')
    stage.run(0.6)
    assert vehicle.heard == [] and vehicle.requests == []
    assert vehicle.place == (0.0, 0.0, 0.0)


def test_a_crazyflie_that_arms_itself_takes_off_and_is_not_lifted_again_once_it_was_landed(stage):
    vehicle = stage.start('crazyswarm2', self_arming, take_off_m=2.0)
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    assert vehicle.requests == ['take off'] and len(vehicle.heard) == 1
    vehicle.operator_lands()
    stage.wait_for_phase('RELEASED')
    stage.waypoint = Waypoint(0.0, 0.0, 2.0)
    stage.run(0.6)
    assert len(vehicle.heard) == 1 and vehicle.place[2] == 0.0
    assert vehicle.requests == ['take off']


@pytest.mark.parametrize('name', ['mavros', 'px4', 'ardupilot', 'aerostack2'])
def test_a_vehicle_armed_in_its_mode_stays_on_the_ground_without_a_take_off(stage, name):
    vehicle = start(stage, name, take_off_m=math.nan)
    stage.waypoint = GOAL
    stage.wait_for_phase('GROUNDED')
    stage.run(0.6)
    assert vehicle.is_armed and vehicle.is_following
    assert vehicle.place == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_a_tumbled_crazyflie_is_not_flown(stage):
    vehicle = start(stage, 'crazyswarm2')
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    vehicle.pilot_takes_over()
    stage.wait_for_phase('RELEASED')
    stage.waypoint = Waypoint(0.0, 0.0, 2.0)
    stage.run(0.5)
    assert len(vehicle.heard) == 1


def test_ardupilot_gets_places_on_the_globe_above_sea(stage):
    vehicle = start(stage, 'ardupilot')
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    target = vehicle.heard[-1]
    assert target.altitude == pytest.approx(584.0 + 6.0, abs=1e-3)
    assert target.latitude == pytest.approx(-35.363262 - 4.0 / 111319.49, abs=1e-9)
    assert target.type_mask & 7 == 0 and target.type_mask & 2048


def test_nav2_errors_are_tried_again_and_foreign_goals_are_not_fought(stage):
    vehicle = start(stage, 'nav2')
    vehicle.fails_with = 9003
    stage.waypoint = GOAL
    stage.wait(lambda: len(vehicle.heard) >= 2, 'a second attempt')
    vehicle.fails_with = None
    stage.wait(lambda: is_at(vehicle, GOAL, 0.0), 'the goal')
    vehicle.speed_mps = 0.5
    stage.waypoint = Waypoint(0.0, 0.0, 6.0)
    heard = len(vehicle.heard)
    stage.wait(lambda: len(vehicle.heard) > heard, 'the next goal')
    vehicle.operator_cancels()
    stage.wait_for_phase('RELEASED')
    heard = len(vehicle.heard)
    stage.waypoint = Waypoint(1.0, 0.0, 6.0)
    stage.run(0.6)
    assert len(vehicle.heard) == heard
    stage.adapter._engage(None, type('Response', (), {})())
    stage.wait(lambda: len(vehicle.heard) > heard, 'a goal after ~/engage')


def test_nav2_gives_the_pose_that_tf_knows_and_only_while_it_is_new(stage, monkeypatch):
    from geometry_msgs.msg import TransformStamped

    known = TransformStamped()
    known.header.frame_id = 'map'

    class Buffer:
        def lookup_transform(self, target, source, time):
            assert (target, source, time.nanoseconds) == ('map', 'base_link', 0)
            if not known.header.stamp.sec:
                raise tf2.TransformException('not yet')
            return known

    tf2 = types.ModuleType('tf2_ros')
    tf2.TransformException = type('TransformException', (Exception,), {})
    tf2.Buffer, tf2.TransformListener = Buffer, lambda buffer, node: None
    monkeypatch.setitem(sys.modules, 'tf2_ros', tf2)
    stage.start('nav2', vehicles.Nav2Vehicle)
    stage.run(0.3)
    assert not stage.poses
    known.header.stamp.sec = 5
    known.transform.translation.x, known.transform.rotation.z = 3.0, 1.0
    known.transform.rotation.w = 0.0
    stage.wait(lambda: stage.poses, 'a pose')
    stage.run(0.3)
    assert len(stage.poses) == 1
    pose = stage.poses[0].pose
    assert pose.position.x == 3.0 and abs(pose.orientation.z) == pytest.approx(1.0)
    known.header.stamp.sec = 6
    stage.wait(lambda: len(stage.poses) == 2, 'a newer pose')


def test_aerostack2_gets_its_goals_in_earth_with_a_fixed_heading(stage):
    vehicle = start(stage, 'aerostack2', aerostack2__speed_mps=1.5)
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    goal = vehicle.heard[-1]
    assert goal.yaw.mode == 2 and goal.yaw.angle == pytest.approx(2.0)
    assert goal.max_speed == 1.5 and len(vehicle.heard) == 1


def test_a_stack_that_cannot_take_off_says_so(stage):
    with pytest.raises(ConfigError, match="'flight_stack.take_off_m' must not be set"):
        start(stage, 'nav2', take_off_m=2.0)


def test_every_stack_is_tried_here_or_in_the_tests_of_mavlink():
    assert {name.split()[0] for name in STACKS} | {'mavlink'} == set(FLIGHT_STACKS)
