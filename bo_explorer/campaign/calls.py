# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What operators and other nodes ask of the explorer, in the worst of moods."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from geometry_msgs.msg import Point32, PolygonStamped, PoseStamped
from lifecycle_msgs.msg import Transition  # type: ignore[import-untyped]
from lifecycle_msgs.srv import (  # type: ignore[import-untyped]
    ChangeState,
    GetState,
)
from rcl_interfaces.srv import GetParameters, SetParameters
from rclpy.node import Node
from rclpy.parameter import Parameter
from std_srvs.srv import Trigger

from ..core.types import FloatArray
from ..ros import qos
from .plan import POLICIES, SIDE_M, box

_EXPLORER = 'bo_explorer'
_COMMANDS = ('start', 'pause', 'resume')
_CALLS_PER_S = 40.0

# Share of the calls of a storm after which the mission goes home.
_CALLED_HOME = 0.002

# Least distance of a new zone from the vehicle and from home, metres.
_CLEAR_M = 12.0
_ZONE_M = 3.0

_BAD_VALUES: tuple[tuple[str, Any], ...] = (
    ('policy.name', 'no_such_policy'),
    ('policy.hysteresis', math.nan),
    ('vehicle.speed_mps', 'fast'),
    ('area.polygon', [0.0, 0.0, 1.0]),
    ('no_fly.polygons', ['0,0; nan,1; 2,2']),
    ('home.mode', 'nowhere'),
    ('seed', 0.5),
)


class ExplorerCalls:
    """
    Calls the explorer's services without waiting for what they answer.

    :param node: owns the clients.
    """

    def __init__(self, node: Node) -> None:
        self._commands = {
            name: node.create_client(Trigger, f'{_EXPLORER}/{name}')
            for name in (*_COMMANDS, 'return_home')
        }
        self._get_state = node.create_client(GetState, f'{_EXPLORER}/get_state')
        self._change_state = node.create_client(ChangeState, f'{_EXPLORER}/change_state')
        self._get = node.create_client(GetParameters, f'{_EXPLORER}/get_parameters')
        self._set = node.create_client(SetParameters, f'{_EXPLORER}/set_parameters')
        self._areas = node.create_publisher(PolygonStamped, qos.SET_AREA, qos.EVENTS)
        self._homes = node.create_publisher(PoseStamped, qos.SET_HOME, qos.EVENTS)

    def command(self, name: str) -> Any:
        """Give a command of the mission; return the future answer."""
        return self._commands[name].call_async(Trigger.Request())

    def ask_state(self) -> Any:
        """Ask for the state of the lifecycle; return the future answer."""
        return self._get_state.call_async(GetState.Request())

    def activate(self) -> None:
        """Ask the node to be active again; an active one refuses."""
        self._transit(Transition.TRANSITION_ACTIVATE)

    def set(self, values: dict[str, Any]) -> Any:
        """Change parameters; return the future answer."""
        parameters = [Parameter(k, value=v).to_parameter_msg() for k, v in values.items()]
        return self._set.call_async(SetParameters.Request(parameters=parameters))

    def anything(self, rng: np.random.Generator) -> None:
        """Make one call out of all that may be asked, allowed or not."""
        actions: tuple[Callable[[], object], ...] = (
            lambda: self.command(str(rng.choice(_COMMANDS))),
            self.ask_state,
            lambda: self._get.call_async(GetParameters.Request(names=['policy.name', 'nothing'])),
            lambda: self.set(dict([_BAD_VALUES[int(rng.integers(len(_BAD_VALUES)))]])),
            lambda: self.set({'policy.hysteresis': float(rng.uniform(0.0, 0.2))}),
            lambda: self._transit(int(rng.choice([0, 1, 3, 99, 200]))),
            lambda: self._transit(Transition.TRANSITION_DEACTIVATE),
            self.activate,
            lambda: self._areas.publish(_bad_area(rng)),
            lambda: self._homes.publish(_bad_home()),
        )
        actions[int(rng.integers(len(actions)))]()
        if rng.random() < _CALLED_HOME:
            self.command('return_home')

    def _transit(self, number: int) -> None:
        transition = Transition(id=number)
        self._change_state.call_async(ChangeState.Request(transition=transition))


class Storm:
    """
    Many calls for a while; afterwards the node is told to go on.

    :param calls: to the explorer.
    :param rng: decides what is asked.
    :param lasts_s: wall time, seconds.
    """

    def __init__(self, calls: ExplorerCalls, rng: np.random.Generator, lasts_s: float) -> None:
        self._calls = calls
        self._rng = rng
        self._due = time.monotonic()
        self._end = self._due + lasts_s

    def go_on(self) -> bool:
        """Make the calls that are due; return whether more will come."""
        now = time.monotonic()
        while self._due <= min(now, self._end):
            self._due += 1.0 / _CALLS_PER_S
            self._calls.anything(self._rng)
        return now < self._end


def mended(values: dict[str, Any], zones: tuple[str, ...]) -> dict[str, Any]:
    """
    Return the parameters that put right what an inactive node has let itself be told.

    :param values: of the mission, by key.
    :param zones: that are in force.
    """
    return {
        'policy.name': values['policy.name'],
        'area.polygon': list(values['area.polygon']),
        'no_fly.polygons': list(zones),
    }


def draw_change(
    rng: np.random.Generator, position: FloatArray, home: FloatArray, zones: tuple[str, ...]
) -> dict[str, Any]:
    """
    Draw a change of parameters that is good or must be refused.

    :param rng: decides.
    :param position: of the vehicle, metres.
    :param home: metres.
    :param zones: that are there already.
    :return: values by key.
    """
    kind = rng.integers(4)
    if kind == 0:
        return {'policy.name': str(rng.choice(POLICIES))}
    if kind == 1:
        return dict([_BAD_VALUES[int(rng.integers(len(_BAD_VALUES)))]])
    for _ in range(100):
        corner = rng.uniform(2.0, SIDE_M - 2.0 - _ZONE_M, 2)
        middle = corner + 0.5 * _ZONE_M
        if min(np.linalg.norm(middle - position), np.linalg.norm(middle - home)) > _CLEAR_M:
            zone = box(float(corner[0]), float(corner[1]), _ZONE_M, _ZONE_M)
            return {'no_fly.polygons': [*zones, zone]}
    return {'policy.hysteresis': 0.1}


def _bad_area(rng: np.random.Generator) -> PolygonStamped:
    message = PolygonStamped()
    for _ in range(int(rng.integers(0, 6))):
        x, y = rng.choice([0.0, math.nan, math.inf, 1e30], 2)
        message.polygon.points.append(Point32(x=float(x), y=float(y)))
    message.header.frame_id = 'no_frame'
    return message


def _bad_home() -> PoseStamped:
    message = PoseStamped()
    message.pose.position.x = math.nan
    return message
