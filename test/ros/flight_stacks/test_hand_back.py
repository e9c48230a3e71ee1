# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A real mission, the adapter's judgement and a vehicle that a pilot takes and gives back."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from shapely.geometry import LineString, box

from bo_explorer.core.mission_state import MissionState
from bo_explorer.core.plane import SearchPlane
from bo_explorer.core.types import Pose
from bo_explorer.ros.flight_stack import FlightStackNode
from bo_explorer.ros.flight_stacks.config import FlightStackConfig
from bo_explorer.ros.flight_stacks.engagement import Engagement, VehicleStatus
from bo_explorer.ros.flight_stacks.explorer_link import ExplorerLink
from bo_explorer.ros.flight_stacks.setpoints import Setpoints

from ...core.missions import CONFIG, Flown, config

STEP_S = 0.1
OURS, MANUAL = VehicleStatus(True, True, 'OFFBOARD'), VehicleStatus(False, True, 'POSCTL')


class Services:
    """The mission's commands, which answer at once."""

    def __init__(self, flown):
        self.flown = flown
        self.calls = []

    def create_client(self, kind, name):
        command = name.split('/')[-1]

        def call_async(request):
            success, text = getattr(self.flown.mission, command)(self.flown.now)
            self.calls.append((command, success))
            answer = SimpleNamespace(success=success, message=text)
            future = SimpleNamespace(exception=lambda: None, result=lambda: answer)
            return SimpleNamespace(add_done_callback=lambda done: done(future))

        return SimpleNamespace(service_is_ready=lambda: True, call_async=call_async)

    def get_logger(self):
        return SimpleNamespace(info=lambda text: None)


class Duo:
    """
    A mission, and the adapter of a PX4 between it and the vehicle.

    :param settings: of the mission.
    :param start: of the vehicle.
    :param noise_m: of the localisation, standard deviation.
    """

    def __init__(self, settings=CONFIG, *, start=(6.0, 6.0), noise_m=0.0):
        self.flown = Flown(settings, start=start)
        self.mission = self.flown.mission
        self.services = Services(self.flown)
        self.status = MANUAL
        self.sent = None
        vehicle = settings.vehicle
        self._noise_m, self._random = noise_m, np.random.default_rng(0)
        self._speed_mps = vehicle.speed_mps
        self._node = SimpleNamespace(
            _engagement=Engagement(FlightStackConfig(stack='px4')),
            _setpoints=Setpoints(
                1.0, SearchPlane(settings.plane, vehicle.altitude_m), vehicle.deviation_m
            ),
            _explorer=ExplorerLink(self.services, 'bo_explorer'),
            _has_vehicle=False,
        )
        self._stack = SimpleNamespace(
            needs_stream=True, let_go=lambda: None, climbs_by_command=False
        )
        self.flown.tell()

    @property
    def place(self):
        """Where the vehicle is, shape (2,)."""
        return self.flown.place

    def step(self, seconds=STEP_S):
        """Let the adapter fly the vehicle for a while, where it has it."""
        for _ in range(round(seconds / STEP_S)):
            self._tick()
            is_ours = self._node._engagement.is_engaged
            if is_ours and self.sent is not None:
                self._fly_towards((self.sent.x, self.sent.y), self._speed_mps)

    def pilot_flies(self, *places, speed_mps=4.0):
        """Fly by hand from place to place."""
        for place in places:
            while math.dist(self.place, place) > 0.1:
                self._fly_towards(place, speed_mps)
                self._tick()

    def _fly_towards(self, place, speed_mps):
        way = np.array(place) - self.place
        distance = float(np.linalg.norm(way))
        if distance > 0.0:
            self.flown.place = self.place + way * min(speed_mps * STEP_S / distance, 1.0)

    def _tick(self):
        flown, node = self.flown, self._node
        flown.now += STEP_S
        true = flown.place
        flown.place = true + self._random.normal(0.0, self._noise_m, 2)
        pose = Pose(float(flown.place[0]), float(flown.place[1]), 5.0)
        flown.tell()
        flown.place = true
        while flown.work() is not None:
            pass
        waypoint = self.mission.setpoint()
        if waypoint is not None:
            node._setpoints.hear(waypoint, flown.now, pose)
        node._engagement.step(flown.now, self.status, pose)
        self.sent = FlightStackNode._setpoint(node, self._stack, pose, flown.now)
        node._explorer.want(flown.now, is_flying=node._engagement.is_engaged)


PX4_FILE = config(
    area={'polygon': (-40.0, -40.0, 40.0, -40.0, 40.0, 40.0, -40.0, 40.0), 'margin_m': 2.0},
    vehicle={
        'speed_mps': 3.0,
        'acceleration_mps2': 2.0,
        'arrival_radius_m': 0.8,
        'altitude_m': 5.0,
    },
)


@pytest.mark.parametrize('started_s', [2.0, 2.2, 2.5, 2.9])
def test_a_vehicle_given_at_rest_moves_though_the_plan_was_made_before_the_pause(started_s):
    duo = Duo(PX4_FILE, noise_m=0.05)
    duo.step(started_s)
    duo.mission.start(duo.flown.now)
    duo.step(12.0)
    assert duo.mission.state is MissionState.PAUSED
    duo.status = OURS
    duo.step(5.0)
    assert math.dist(duo.place, (6.0, 6.0)) > 5.0
    assert duo.mission.state is MissionState.MOVING


@pytest.mark.parametrize('taken_s', [3.0, 5.0, 9.0])
def test_a_short_takeover_in_flight_does_not_end_the_flight(taken_s):
    duo = Duo(PX4_FILE, noise_m=0.05)
    duo.mission.start(duo.flown.now)
    duo.status = OURS
    duo.step(taken_s)
    duo.status = MANUAL
    duo.step(3.0)
    taken_at = duo.place.copy()
    duo.status = OURS
    duo.step(5.0)
    assert math.dist(duo.place, taken_at) > 5.0


ZONE = '16,0; 24,0; 24,34; 16,34'


def pause(duo):
    assert duo.mission.pause(duo.flown.now) == (True, 'paused')


def end(duo):
    duo.mission.return_home(duo.flown.now)
    duo.flown.until(MissionState.DONE)


def hold(duo):
    duo.mission._hold('no way home')


@pytest.mark.parametrize(
    ('what', 'state'),
    [
        (lambda duo: None, MissionState.PAUSED),
        (pause, MissionState.PAUSED),
        (hold, MissionState.HOLD),
        (end, MissionState.DONE),
    ],
    ids=['moving', 'paused by the operator', 'hold', 'done'],
)
def test_a_vehicle_given_back_behind_a_zone_is_not_led_through_it(what, state):
    duo = Duo(config(no_fly={'polygons': (ZONE,), 'margin_m': 0.5}))
    duo.flown.begin()
    duo.status = OURS
    duo.step(1.0)
    what(duo)
    duo.step(6.0)
    duo.status = MANUAL
    duo.step(2.0)
    assert duo.mission.state is state
    duo.pilot_flies((6.0, 38.0), (34.0, 38.0), (34.0, 6.0))
    duo.status = OURS
    for _ in range(100):
        before = duo.place.copy()
        duo.step()
        leg = LineString([before, (duo.sent.x, duo.sent.y)])
        assert not leg.intersects(box(16.0, 0.0, 24.0, 34.0))
    is_resumed = ('resume', True) in duo.services.calls
    assert is_resumed == (what.__name__ == '<lambda>')


def start_anew(duo):
    duo.mission.reset(duo.flown.now)
    duo.mission.start(duo.flown.now)


def resume(duo):
    duo.mission.resume(duo.flown.now)


def taken_over(settings=CONFIG):
    """Return a mission that the adapter has paused in flight, for a pilot."""
    duo = Duo(settings)
    duo.flown.begin()
    duo.status = OURS
    duo.step(2.0)
    duo.status = MANUAL
    duo.step(2.0)
    assert duo.mission.state is MissionState.PAUSED
    return duo


@pytest.mark.parametrize('command', [start_anew, resume])
def test_a_mission_that_runs_again_in_other_hands_is_paused_again(command):
    duo = taken_over()
    command(duo)
    duo.step(2.0)
    assert duo.mission.state is MissionState.PAUSED
    duo.status = OURS
    duo.step(5.0)
    assert duo.mission.state is MissionState.MOVING


def test_what_the_operator_has_paused_in_other_hands_is_not_resumed():
    duo = taken_over()
    duo.mission.reset(duo.flown.now)
    duo.step(2.0)
    duo.mission.start(duo.flown.now)
    assert duo.mission.pause(duo.flown.now) == (True, 'paused')
    duo.step(5.0)
    duo.status = OURS
    duo.step(5.0)
    assert duo.mission.state is MissionState.PAUSED
    assert ('resume', True) not in duo.services.calls


def test_a_swapped_battery_waits_for_the_operator():
    duo = taken_over()
    resume(duo)
    duo.mission.return_home(duo.flown.now)
    duo.flown.until(MissionState.DONE)
    duo.step(2.0)
    assert duo.mission.swap_battery(duo.flown.now)[0]
    duo.step(5.0)
    duo.status = OURS
    duo.step(5.0)
    assert duo.mission.state is MissionState.PAUSED
