# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The node itself: its parameters, its diagnostics, its manners with the mission."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip('rclpy', reason='ROS 2 is not installed')

from diagnostic_msgs.msg import DiagnosticArray
from std_srvs.srv import Trigger

from bo_explorer.core.errors import ConfigError
from bo_explorer.core.types import Waypoint
from bo_explorer.ros import qos

from . import vehicles

ROOT = Path(__file__).parents[3]
GOAL = Waypoint(3.0, -4.0, 6.0)
ALLOWED = {'may_switch_mode': True, 'may_arm': True}


class Mission:
    """The commands of an explorer, as the mission answers them."""

    def __init__(self, node):
        self.calls = []
        self.is_paused = False
        for name in ('pause', 'resume'):
            node.create_service(Trigger, f'bo_explorer/{name}', self._answer(name))

    def _answer(self, name):
        def answer(request, response):
            self.calls.append(name)
            response.success = True
            already = name == 'pause' and self.is_paused
            response.message = 'already paused' if already else f'{name}d'
            self.is_paused = name == 'pause'
            return response

        return answer


def test_a_node_without_a_stack_says_which_there_are(stage):
    with pytest.raises(ConfigError, match="'flight_stack.stack' must be one of mavros, px4"):
        stage.start('', vehicles.MavrosVehicle)


def test_a_slip_in_a_parameter_is_named(stage):
    with pytest.raises(ConfigError, match="Did you mean 'flight_stack.may_arm'"):
        stage.start('mavros', vehicles.MavrosVehicle, may_amr=True)


def test_the_node_starts_without_the_planner_and_without_torch():
    program = (
        'import sys, bo_explorer.ros.flight_stack\n'
        "unwanted = ('torch', 'gpytorch', 'pymavlink', 'bo_explorer.core.mission')\n"
        'print([name for name in unwanted if name in sys.modules])'
    )
    done = subprocess.run(
        [sys.executable, '-c', program],
        env={**os.environ, 'PYTHONPATH': str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == '[]'


def test_the_mission_stands_while_others_fly_and_goes_on_when_they_give_back(stage):
    mission = Mission(stage.world)
    vehicle = stage.start('mavros', vehicles.MavrosVehicle, explorer='bo_explorer')
    stage.waypoint = GOAL
    stage.wait(lambda: mission.calls, 'the pause')
    vehicle.is_armed = True
    vehicle.place = (0.0, 0.0, 6.0)
    stage.run(0.2)
    vehicle.pilot_gives_back()
    stage.wait(lambda: 'resume' in mission.calls, 'the resumption')
    stage.wait(lambda: vehicle.place == pytest.approx((3.0, -4.0, 6.0)), 'the waypoint')
    assert mission.calls.count('resume') == 1


def test_a_vehicle_given_back_elsewhere_waits_for_a_waypoint_given_there(stage):
    vehicle = stage.start('mavros', vehicles.MavrosVehicle)
    stage.waypoint = GOAL
    vehicle.is_armed = True
    stage.run(0.3)
    vehicle.place = (40.0, 0.0, 6.0)
    stage.run(0.2)
    vehicle.pilot_gives_back()
    stage.wait_for_phase('ENGAGED')
    stage.run(0.5)
    # The way from here to the old waypoint was never checked.
    assert vehicle.place == pytest.approx((40.0, 0.0, 6.0))
    stage.waypoint = Waypoint(1.0, 1.0, 6.0)
    stage.wait(lambda: vehicle.place == pytest.approx((1.0, 1.0, 6.0)), 'the new waypoint')


def test_a_mission_that_the_operator_has_paused_stays_paused(stage):
    mission = Mission(stage.world)
    mission.is_paused = True
    vehicle = stage.start('mavros', vehicles.MavrosVehicle, explorer='bo_explorer')
    stage.waypoint = GOAL
    stage.wait(lambda: mission.calls, 'the pause')
    vehicle.is_armed, vehicle.place = True, (0.0, 0.0, 6.0)
    stage.run(0.2)
    vehicle.pilot_gives_back()
    stage.wait_for_phase('ENGAGED')
    stage.run(1.5)
    assert 'resume' not in mission.calls


def test_the_diagnostics_tell_who_flies(stage):
    heard = []
    stage.world.create_subscription(DiagnosticArray, 'diagnostics', heard.append, qos.EVENTS)
    vehicle = stage.start('mavros', vehicles.MavrosVehicle, **ALLOWED, take_off_m=2.0)
    stage.waypoint = GOAL

    def newest():
        return heard[-1].status[0] if heard else None

    stage.wait(lambda: heard and newest().message == 'flying by waypoints', 'the flight')
    values = {item.key: item.value for item in newest().values}
    assert values['stack'] == 'mavros' and values['mode'] == 'OFFBOARD'
    assert values['armed'] == 'True' and newest().level == b'\x00'
    stage.waypoint = None
    stage.wait(lambda: 'holding: no new waypoint' in newest().message, 'the warning')
    assert newest().level == b'\x01'
    vehicle.pilot_takes_over()
    stage.wait(lambda: 'taken over by the pilot' in newest().message, 'the takeover')
    assert 'POSCTL' in newest().message and '~/engage' in newest().message


def test_a_vehicle_that_refuses_is_not_pressed(stage):
    vehicle = stage.start('mavros', vehicles.MavrosVehicle, **ALLOWED, give_up_s=1.0)
    vehicle.may_arm = False
    stage.wait(lambda: stage.adapter._engagement.refusal, 'the end of asking')
    asked = len(vehicle.requests)
    stage.run(2.5)
    assert len(vehicle.requests) == asked
