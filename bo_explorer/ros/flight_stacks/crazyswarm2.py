# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Crazyswarm2: the high-level commander of a Crazyflie.

``go_to`` is called once for each setpoint and flown aboard, so nothing is streamed. There is no
pilot; a Crazyflie that has tumbled or is locked is nobody's. Most arm themselves, and ``go_to``
lifts one off the ground as a take-off does: being armed allows nothing. The battery is known by
its voltage only.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, PoseStamped

from ...core.errors import ConfigError
from ...core.options import Options, option
from ...core.types import Pose, Waypoint
from .base import FlightStack
from .engagement import Request, VehicleStatus
from .goals import GoalGate
from .packages import interface

_LEAST_S = 0.5
# From rest to rest, d in the time T, the firmware flies d (35 s^4 - 84 s^5 + 70 s^6 - 20 s^7) with
# s = t / T. Its speed, 140 d s^3 (1 - s)^3 / T, is greatest at s = 1/2: 35/16 d / T. Its
# acceleration, 420 d s^2 (1 - s)^2 (1 - 2 s) / T^2, is greatest where (1 - 2 s)^2 = 1/5.
_PEAK_SPEED = 35.0 / 16.0
_PEAK_ACCELERATION = 84.0 / (5.0 * math.sqrt(5.0))


@dataclass(frozen=True)
class Crazyswarm2Options(Options):
    """Options of Crazyswarm2; they stand under ``flight_stack.crazyswarm2.``."""

    name: str = option('cf231', 'Name of the Crazyflie in crazyflies.yaml.')
    speed_mps: float = option(
        0.5, 'Greatest speed of a go_to from rest.', unit='m/s', low=0.05, high=5.0
    )
    acceleration_mps2: float = option(
        0.5, 'Greatest acceleration of a go_to from rest.', unit='m/s^2', low=0.05, high=20.0
    )
    yaw_unit: str = option(
        'radians',
        'Unit of the yaw of go_to. Its definition says degrees, the servers and the firmware take '
        'radians.',
        choices=('radians', 'degrees'),
    )
    full_v: float = option(4.1, 'Voltage of a full battery.', unit='V', low=2.0, high=30.0)
    empty_v: float = option(
        3.3, 'Voltage of an empty battery, under load.', unit='V', low=2.0, high=30.0
    )

    def check(self) -> None:
        if not self.empty_v < self.full_v:
            raise ConfigError(
                'empty_v', f"'empty_v' must be less than full_v, got {self.empty_v!r}."
            )


class Crazyswarm2(FlightStack):
    """
    Speaks with Crazyswarm2 about one Crazyflie.

    :param arguments: as for :class:`FlightStack`.
    """

    options_class = Crazyswarm2Options
    needs_stream = False
    climbs_by_command = True
    has_pilot = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._status_type = interface('crazyflie_interfaces/msg/Status')
        self._go_to_type = interface('crazyflie_interfaces/srv/GoTo')
        self._take_off_type = interface('crazyflie_interfaces/srv/Takeoff')
        self._arm_type = interface('crazyflie_interfaces/srv/Arm')
        name = self.options.name
        self.pose_topic = f'{name}/pose'
        self.subscribe(PoseStamped, self.pose_topic, self._take_pose)
        self.subscribe(self._status_type, f'{name}/status', self._take_status)
        create = self.node.create_client
        self._go_to = create(self._go_to_type, f'{name}/go_to')
        self._take_off = create(self._take_off_type, f'{name}/takeoff')
        self._arm = create(self._arm_type, f'{name}/arm')
        self._gate = GoalGate()
        self._pose: Pose | None = None

    def send(self, setpoint: Waypoint) -> None:
        """Call go_to if the setpoint is a new one."""
        if self._pose is None or not self._gate.is_new(setpoint, time.monotonic()):
            return
        here = (self._pose.x, self._pose.y, self._pose.z)
        distance = math.dist(here, (setpoint.x, setpoint.y, setpoint.z))
        yaw = setpoint.yaw if setpoint.yaw is not None else self._pose.yaw or 0.0
        request = self._go_to_type.Request(
            relative=False,
            goal=Point(x=float(setpoint.x), y=float(setpoint.y), z=float(setpoint.z)),
            yaw=math.degrees(yaw) if self.options.yaw_unit == 'degrees' else yaw,
            duration=_duration(self._shortest_s(distance)),
        )
        if not self.call(self._go_to, request):
            self._gate.fail(setpoint, time.monotonic())

    def ask(self, request: Request) -> None:
        """Call the service for it; a Crazyflie has no modes."""
        if request is Request.ARM:
            self.call(self._arm, self._arm_type.Request(arm=True))
        elif request is Request.TAKE_OFF:
            height = float(self.config.take_off_m)
            duration = _duration(self._shortest_s(height))
            self.call(
                self._take_off, self._take_off_type.Request(height=height, duration=duration)
            )

    def let_go(self) -> None:
        """Send the setpoint anew when the vehicle comes back."""
        self._gate.forget()

    def _shortest_s(self, distance_m: float) -> float:
        """Return the time that a way from rest to rest takes at least, seconds."""
        by_speed = _PEAK_SPEED * distance_m / self.options.speed_mps
        by_acceleration = math.sqrt(
            _PEAK_ACCELERATION * distance_m / self.options.acceleration_mps2
        )
        return max(by_speed, by_acceleration, _LEAST_S)

    def _take_pose(self, message: PoseStamped) -> None:
        # The frame is whatever the motion capture calls the world.
        self._pose = self.hear_pose_stamped(message) or self._pose

    def _take_status(self, message: Any) -> None:
        kind, info = self._status_type, message.supervisor_info
        is_well = not info & (kind.SUPERVISOR_INFO_IS_TUMBLED | kind.SUPERVISOR_INFO_IS_LOCKED)
        is_armed = bool(info & kind.SUPERVISOR_INFO_IS_ARMED)
        is_flying = bool(info & kind.SUPERVISOR_INFO_IS_FLYING)
        mode = 'high level' if is_well else 'tumbled or locked'
        self.listener.status(VehicleStatus(is_well, is_armed, mode, is_flying))
        span = self.options.full_v - self.options.empty_v
        share = (message.battery_voltage - self.options.empty_v) / span
        # No measurement is zero volts.
        is_known = message.battery_voltage > 0.0 and math.isfinite(share)
        self.listener.battery(min(max(share, 0.0), 1.0) if is_known else None)


def _duration(seconds: float) -> Duration:
    whole = math.floor(seconds)
    return Duration(sec=whole, nanosec=int(1e9 * (seconds - whole)))
