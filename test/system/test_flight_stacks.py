# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Explorer and flight_stack as processes fly vehicles that speak as the stacks do."""

from __future__ import annotations

import math
import os
import signal
import socket

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from std_msgs.msg import Float64

from bo_explorer.ros import qos

from ..ros.flight_stacks import interfaces, vehicles
from .scenarios import small_mission

pytestmark = pytest.mark.system

ALLOWED = {'may_switch_mode': True, 'may_arm': True, 'take_off_m': 10.0}
START = (20.0, 6.0, 0.0)


def mavlink(node, urls):
    pytest.importorskip('pymavlink', reason='pymavlink is not installed')
    from ..ros.flight_stacks.mavlink_vehicle import MavlinkVehicle

    return MavlinkVehicle(node, urls)


STACKS = {
    'mavros': (vehicles.MavrosVehicle, ALLOWED),
    'px4': (vehicles.Px4Vehicle, ALLOWED),
    'ardupilot': (vehicles.ArdupilotVehicle, ALLOWED),
    'aerostack2': (vehicles.Aerostack2Vehicle, {**ALLOWED, 'aerostack2': {'speed_mps': 20.0}}),
    'crazyswarm2': (
        vehicles.CrazyflieVehicle,
        {'may_arm': True, 'take_off_m': 10.0, 'crazyswarm2': {'speed_mps': 5.0}},
    ),
    'nav2': (
        vehicles.Nav2Vehicle,
        {'nav2': {'pose_type': 'pose_stamped', 'pose_topic': 'robot_pose'}},
    ),
    'mavlink': (mavlink, ALLOWED),
}


class Field:
    """A sensor on the vehicle: readings of a peak at (30, 30), m."""

    def __init__(self, node, vehicle):
        self._vehicle = vehicle
        self._readings = node.create_publisher(Float64, 'reading', qos.SENSOR_OUTPUT)
        node.create_timer(0.05, self._sense)

    def _sense(self):
        x, y, _ = self._vehicle.place
        distance = math.hypot(x - 30.0, y - 30.0)
        self._readings.publish(Float64(data=math.exp(-0.005 * distance**2)))


@pytest.fixture
def flight(stage, monkeypatch):
    """Return a function that starts a vehicle and the nodes that fly it."""
    home = interfaces.import_path()
    paths = [str(home), os.environ.get('PYTHONPATH', '')]
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(path for path in paths if path))
    observer = stage.observer()
    observer.listen_to_record()
    links = []

    def start(name, **changes):
        make, options = STACKS[name]
        own = {}
        if name == 'mavlink':
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.bind(('127.0.0.1', 0))
                port = probe.getsockname()[1]
            vehicle = make(observer.node, [f'udpout:127.0.0.1:{port}'])
            links.append(vehicle)
            own = {'mavlink': {'url': f'udpin:127.0.0.1:{port}'}}
        else:
            vehicle = make(observer.node)
        vehicle.place, vehicle.speed_mps, vehicle.proof_s = START, 40.0, 0.5
        Field(observer.node, vehicle)
        parameters = small_mission(
            flight_stack={'stack': name, 'warm_up_s': 0.7, **options, **own, **changes},
            vehicle={'altitude_m': 0.0 if name == 'nav2' else 10.0},
            budget={'total_m': 110},
        )
        del parameters['simulator']
        adapter = stage.start('flight_stack', parameters)
        explorer = stage.start('explorer_node', parameters)
        return observer, vehicle, adapter, explorer

    yield start
    for link in links:
        link.close()


@pytest.mark.parametrize('name', STACKS)
def test_a_mission_takes_off_searches_and_ends_at_home(flight, name):
    observer, vehicle, adapter, explorer = flight(name)
    record = observer.wait_for_state('done', 'hold')
    assert record['state'] == 'done' and record['returned_home'] is True
    assert record['spent_m'] <= record['budget_m'] and len(record['waypoints']) >= 2
    observer.wait(lambda: math.dist(vehicle.place[:2], START[:2]) < 2.0, 'the vehicle at home')
    assert vehicle.failsafes == 0
    assert all(-1.0 <= x <= 41.0 and -1.0 <= y <= 41.0 for x, y, _ in vehicle.track)
    high = [(x, y) for x, y, z in vehicle.track if z > 9.0 or name == 'nav2']
    assert max(math.dist(place, START[:2]) for place in high) > 10.0
    for process in (adapter, explorer):
        assert process.end(signal.SIGINT) == 0
        assert 'Traceback' not in process.log


def test_a_pilot_takes_the_vehicle_out_of_a_mission_and_gives_it_back_elsewhere(flight):
    observer, vehicle, adapter, _ = flight('px4')
    observer.wait(lambda: len(observer.record().get('waypoints', [])) >= 2, 'two targets')
    vehicle.pilot_takes_over()
    vehicle.requests.clear()
    observer.wait_for_state('paused', 'done', 'returning')
    vehicle.place = (5.0, 35.0, 12.0)
    taken = len(vehicle.track)
    observer.wait(lambda: vehicle.target == pytest.approx(vehicle.place, abs=1e-3), 'a hover')
    assert vehicle.requests == [] and len(vehicle.track) == taken
    vehicle.pilot_gives_back()
    record = observer.wait_for_state('done', 'hold')
    assert record['state'] == 'done' and record['returned_home'] is True
    assert 'taken over by the pilot' in adapter.log


def test_a_vehicle_holds_when_the_explorer_dies(flight):
    observer, vehicle, adapter, explorer = flight('mavros')
    observer.wait(lambda: len(observer.record().get('waypoints', [])) >= 2, 'two targets')
    explorer.end(signal.SIGKILL)
    heard = len(vehicle.heard)
    observer.wait(lambda: len(vehicle.heard) > heard + 50, 'setpoints without an explorer')
    last = vehicle.heard[-1].pose.position
    assert {(m.pose.position.x, m.pose.position.y) for m in vehicle.heard[-20:]} == {
        (last.x, last.y)
    }
    assert vehicle.failsafes == 0 and vehicle.is_following
    assert adapter.popen.poll() is None


def test_a_missing_message_package_ends_the_node_with_its_name(stage):
    if interfaces.is_installed('px4_msgs'):
        pytest.skip('px4_msgs is installed')
    process = stage.start('flight_stack', {'flight_stack': {'stack': 'px4'}})
    assert process.popen.wait(60.0) == 1
    assert 'needs the package px4_msgs' in process.log and 'To install it' in process.log
    assert 'Traceback' not in process.log
