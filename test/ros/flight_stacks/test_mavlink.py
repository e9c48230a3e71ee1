# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The MAVLink bridge against a vehicle of the tests and against MAVSDK, over loopback."""

from __future__ import annotations

import contextlib
import json
import math
import socket
import threading
import time
import types

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')
pytest.importorskip('pymavlink', reason='pymavlink is not installed')

from bo_explorer.core.errors import ConfigError
from bo_explorer.core.types import Waypoint
from bo_explorer.ros.flight_stacks.mavlink_link import MavlinkLink

from .mavlink_vehicle import MavlinkVehicle

GOAL = Waypoint(3.0, -4.0, 6.0, 2.0)
ALLOWED = {'may_switch_mode': True, 'may_arm': True, 'take_off_m': 2.0}


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


@pytest.fixture
def flown(stage):
    """Return a function that starts a vehicle and the bridge that flies it."""
    started = []

    def start(autopilot='px4', further_urls=(), **options):
        port = free_port()
        urls = [f'udpout:127.0.0.1:{port}', *further_urls]
        vehicle = stage.start(
            'mavlink',
            lambda node: MavlinkVehicle(node, urls, autopilot),
            mavlink__url=f'udpin:127.0.0.1:{port}',
            **{**ALLOWED, **options},
        )
        started.append(vehicle)
        return vehicle

    yield start
    for vehicle in started:
        vehicle.close()


def is_at(vehicle, waypoint):
    return math.dist(vehicle.place, (waypoint.x, waypoint.y, waypoint.z)) < 0.05


@pytest.mark.parametrize('autopilot', ['px4', 'ardupilot'])
def test_a_vehicle_takes_off_and_flies_to_the_waypoint(stage, flown, autopilot):
    vehicle = flown(autopilot)
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    assert vehicle.failsafes == 0
    assert all(math.hypot(x, y) < 0.05 for x, y, z in vehicle.track if z < 1.5)
    wanted = ['mode', 'arm'] if autopilot == 'px4' else ['mode', 'arm', 'take off']
    assert list(dict.fromkeys(vehicle.requests)) == wanted
    target = vehicle.heard[-1]
    assert (target.x, target.y, target.z) == (-4.0, 3.0, -6.0)
    assert target.yaw == pytest.approx(0.5 * math.pi - 2.0, abs=1e-6)
    assert target.type_mask == 0b1001_1111_1000
    assert vehicle.intervals[32] == vehicle.intervals[30] == 50_000.0
    assert {beat.get_srcComponent() for beat in vehicle.heartbeats} == {191}

    def is_heard():
        place = stage.poses[-1].pose.position
        return math.dist((place.x, place.y, place.z), vehicle.place) < 1e-5

    stage.wait(lambda: stage.batteries and is_heard(), 'pose and battery')
    pose = stage.poses[-1].pose
    turn = 2.0 * math.atan2(pose.orientation.z, pose.orientation.w)
    assert turn == pytest.approx(vehicle.yaw, abs=1e-6)
    assert stage.batteries[-1].percentage == pytest.approx(0.8)


def test_without_permission_nothing_is_asked_for(stage, flown):
    vehicle = flown(may_switch_mode=False, may_arm=False, take_off_m=math.nan)
    stage.waypoint = GOAL
    stage.wait(lambda: len(vehicle.heard) > 20, 'setpoints')
    assert vehicle.requests == [] and stage.phase() == 'READY'
    assert math.dist(vehicle.target, vehicle.place) < 1e-5


def test_a_pilot_who_takes_over_is_left_alone(stage, flown):
    vehicle = flown(yaw='free')
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    assert vehicle.heard[-1].type_mask == 0b1101_1111_1000
    vehicle.pilot_takes_over()
    vehicle.requests.clear()
    stage.wait_for_phase('RELEASED')
    stage.run(0.6)
    assert vehicle.requests == [] and not vehicle.is_following
    vehicle.pilot_gives_back()
    stage.wait_for_phase('ENGAGED')


@pytest.mark.parametrize(('battery', 'charge'), [('', 0.2), ('0', 0.9)])
def test_case_g9_several_batteries_do_not_flap(stage, flown, battery, charge):
    vehicle = flown(battery_id=battery)
    vehicle.charge, vehicle.further_charges = 0.9, {1: 0.2}
    stage.wait(lambda: len(stage.batteries) > 4, 'batteries')
    stage.batteries.clear()
    stage.wait(lambda: len(stage.batteries) > 4, 'batteries')
    assert {round(message.percentage, 6) for message in stage.batteries} == {charge}


def test_a_vehicle_that_falls_silent_is_absent_and_may_come_back(stage, flown):
    vehicle = flown()
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    vehicle.speak_period_s = math.inf
    stage.wait_for_phase('LOST', 'ABSENT')
    vehicle.speak_period_s = 0.05
    stage.wait_for_phase('ENGAGED')


def test_noise_on_the_line_and_other_systems_are_ignored(stage, flown):
    vehicle = flown()
    stage.waypoint = GOAL
    stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
    link = vehicle.links[0]
    link.mav.srcSystem = 77
    for _ in range(20):
        link.write(b'\xfd\xff\x00noise' * 9)
        link.mav.local_position_ned_send(0, 500.0, 500.0, -9.0, 0.0, 0.0, 0.0)
        link.mav.heartbeat_send(2, 12, 0, 0, 0)
    link.mav.srcSystem = 1
    stage.poses.clear()
    stage.run(0.5)
    assert all(abs(message.pose.position.x) < 10.0 for message in stage.poses)
    assert stage.phase() == 'ENGAGED'


# pymavlink leaves the socket that it could not bind to the garbage collector.
@pytest.mark.filterwarnings('ignore::pytest.PytestUnraisableExceptionWarning')
@pytest.mark.parametrize('url', ['udpin:256.1.2.3:14540', '/dev/no_such_line', 'tcp:127.0.0.1:9'])
def test_a_connection_that_cannot_be_opened_is_named(stage, url):
    with pytest.raises(ConfigError, match="'flight_stack.mavlink.url' must be a connection"):
        stage.start('mavlink', lambda node: MavlinkVehicle(node, []), mavlink__url=url)


@pytest.fixture
def impatient(monkeypatch):
    """Let pymavlink fail where it would sleep."""
    from pymavlink import mavutil

    def sleep(seconds):
        pytest.fail(f'pymavlink sleeps for {seconds} s')

    monkeypatch.setattr(mavutil, 'time', types.SimpleNamespace(time=time.time, sleep=sleep))
    return mavutil.mavlink


def test_over_tcp_a_vehicle_that_goes_away_blocks_nothing_and_may_come_back(impatient):
    def beat(connection):
        said = impatient.MAVLink(connection.makefile('wb', 0), srcSystem=1, srcComponent=1)
        said.heartbeat_send(2, 3, 1, 4, 3)
        said.file.close()

    def accept_and_beat():
        with server.accept()[0] as connection:
            beat(connection)

    def wait_for_a_beat():
        end = time.monotonic() + 20.0
        while True:
            try:
                if any(message.get_type() == 'HEARTBEAT' for message in link.receive()):
                    return
            except OSError:
                lost.append(True)
            assert time.monotonic() < end, 'waited in vain for a heartbeat'
            time.sleep(0.01)

    lost = []
    server = socket.create_server(('127.0.0.1', 0))
    address = server.getsockname()
    link = MavlinkLink(f'tcp:127.0.0.1:{address[1]}', 57600, 1, 0)
    try:
        connection, _ = server.accept()
        beat(connection)
        wait_for_a_beat()
        assert not lost
        connection.close()
        server.close()
        for k in range(200):
            with contextlib.suppress(OSError):
                list(link.receive())
            link.keep_alive(100.0 * k)
            link.send_position((0.0, 0.0, -5.0), None, 1)
        with socket.create_server(address) as server:
            server.settimeout(20.0)
            waiter = threading.Thread(target=accept_and_beat)
            waiter.start()
            wait_for_a_beat()
            waiter.join()
        assert lost and link.system == 1
    finally:
        link.close()


def test_mavsdk_as_ground_station_sees_the_vehicle_the_bridge_flies(stage, flown):
    mavsdk = pytest.importorskip('mavsdk', reason='mavsdk is not installed')
    from mavsdk.plugins.telemetry import FlightMode, Telemetry

    port = free_port()
    component = mavsdk.ComponentType.GROUND_STATION
    station = mavsdk.Mavsdk(mavsdk.Configuration.create_with_component_type(component))
    try:
        station.add_any_connection(f'udpin://127.0.0.1:{port}')
        vehicle = flown(further_urls=[f'udpout:127.0.0.1:{port}'])
        stage.waypoint = GOAL
        stage.wait(lambda: is_at(vehicle, GOAL), 'the goal')
        system = stage.wait(station.get_systems, 'the vehicle at the ground station')[0]
        telemetry = Telemetry(system)
        try:

            def is_seen():
                seen = telemetry.position_velocity_ned().position
                return math.dist((seen.north_m, seen.east_m, seen.down_m), (-4, 3, -6)) < 0.1

            stage.wait(is_seen, 'the goal at the ground station')
            stage.wait(telemetry.armed, 'the arming at the ground station')
            assert telemetry.flight_mode() == FlightMode.OFFBOARD
        finally:
            telemetry.destroy()
    finally:
        station.destroy()


def test_mavsdk_as_vehicle_understands_the_bridge():
    mavsdk = pytest.importorskip('mavsdk', reason='mavsdk is not installed')
    from mavsdk.plugins import action_server, mavlink_direct, telemetry_server

    port = free_port()
    link = MavlinkLink(f'udpin:127.0.0.1:{port}', 57600, 1, 0)
    kind = mavsdk.ComponentType.AUTOPILOT
    vehicle = mavsdk.Mavsdk(mavsdk.Configuration.create_with_component_type(kind))
    plugins = []
    heard, found = [], {}

    def exchange():
        telemetry.publish_position_velocity_ned(
            telemetry_server.PositionVelocityNed(
                telemetry_server.PositionNed(1.0, 2.0, -3.0),
                telemetry_server.VelocityNed(0.0, 0.0, 0.0),
            )
        )
        telemetry.publish_attitude(
            telemetry_server.EulerAngle(0.0, 0.0, 90.0, 0),
            telemetry_server.AngularVelocityBody(0.0, 0.0, 0.0),
        )
        for message in link.receive():
            found[message.get_type()] = message
        link.keep_alive(time.monotonic())

    def wait(condition, what):
        end = time.monotonic() + 20.0
        while not condition():
            assert time.monotonic() < end, f'waited in vain for {what}'
            exchange()
            time.sleep(0.02)

    try:
        vehicle.add_any_connection(f'udpout://127.0.0.1:{port}')
        component = vehicle.server_component_by_type(kind)
        telemetry = telemetry_server.TelemetryServer(component)
        actions = action_server.ActionServer(component)
        plugins += [telemetry, actions]
        actions.set_armable(True, True)
        wait(lambda: {'HEARTBEAT', 'LOCAL_POSITION_NED', 'ATTITUDE'} <= set(found), 'telemetry')
        assert not (link.is_px4 or link.is_ardupilot)
        assert not link.is_in_mode(found['HEARTBEAT'])
        assert not link.is_armed(found['HEARTBEAT'])
        place = found['LOCAL_POSITION_NED']
        assert (place.x, place.y, place.z) == (1.0, 2.0, -3.0)
        assert found['ATTITUDE'].yaw == pytest.approx(0.5 * math.pi)
        wait(vehicle.get_systems, 'the bridge at the vehicle')
        direct = mavlink_direct.MavlinkDirect(vehicle.get_systems()[0])
        plugins.append(direct)
        direct.subscribe_message(
            'SET_POSITION_TARGET_LOCAL_NED',
            lambda message, _: heard.append(json.loads(message.fields_json)),
        )
        link.ask_to_arm()
        wait(lambda: link.is_armed(found['HEARTBEAT']), 'the arming')
        link.send_position((7.0, -8.0, -9.0), 0.5, 1234)
        wait(lambda: heard, 'the setpoint')
        target = heard[-1]
        assert (target['x'], target['y'], target['z'], target['yaw']) == (7.0, -8.0, -9.0, 0.5)
        assert target['coordinate_frame'] == 1 and target['type_mask'] == 0b1001_1111_1000
        assert (target['target_system'], target['target_component']) == (1, 1)
    finally:
        for plugin in plugins:
            plugin.destroy()
        vehicle.destroy()
        link.close()
