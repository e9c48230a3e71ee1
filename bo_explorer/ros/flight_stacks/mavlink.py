# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
MAVLink without a bridge: PX4 in OFFBOARD and ArduPilot in GUIDED, over UDP, TCP or a serial line.

For vehicles without MAVROS and without uXRCE-DDS. The link stands in :mod:`.mavlink_link`; here it
meets the node, and frames are turned.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.clock import Clock, ClockType

from ...core.errors import ConfigError
from ...core.options import Options, option
from ...core.types import Pose, Waypoint
from . import frames
from .base import FlightStack
from .engagement import Request, VehicleStatus
from .mavlink_link import MavlinkLink, is_flying

_POLL_S = 0.01


@dataclass(frozen=True)
class MavlinkOptions(Options):
    """Options of the MAVLink bridge; they stand under ``flight_stack.mavlink.``."""

    url: str = option(
        'udpin:127.0.0.1:14540',
        'Connection: udpin:address:port, udpout:address:port, tcp:address:port or a serial '
        'device. Whoever reaches an open port can speak as the vehicle.',
    )
    baud: int = option(921600, 'Speed of a serial line.', unit='baud', low=1200, high=12_500_000)
    source_system: int = option(
        1, 'System number this computer goes by: that of the vehicle.', low=1, high=255
    )
    target_system: int = option(
        0, 'System number of the vehicle; 0: the first that is heard.', low=0, high=255
    )


class Mavlink(FlightStack):
    """
    Speaks MAVLink with one vehicle.

    :param arguments: as for :class:`FlightStack`.
    :raises ConfigError: if the connection cannot be opened.
    """

    options_class = MavlinkOptions
    status_timeout_s = 3.0

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        options = self.options
        self.pose_topic = options.url
        try:
            self._link = MavlinkLink(
                options.url, options.baud, options.source_system, options.target_system
            )
        except OSError as error:
            raise ConfigError(
                'flight_stack.mavlink.url',
                "'flight_stack.mavlink.url' must be a connection that can be opened, "
                f'got {options.url!r}: {error}.',
            ) from error
        self._began_at = time.monotonic()
        self._yaw: float | None = None
        self._has_battery_status = False
        self._is_flying: bool | None = None
        self._takers: dict[str, Callable[[Any], object]] = {
            'HEARTBEAT': self._take_heartbeat,
            'LOCAL_POSITION_NED': self._take_position,
            'ATTITUDE': self._take_attitude,
            'EXTENDED_SYS_STATE': self._take_extended_state,
            'BATTERY_STATUS': self._take_battery,
            'SYS_STATUS': self._take_system_status,
            'COMMAND_ACK': self._take_answer,
            'STATUSTEXT': self._take_text,
        }
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.node.create_timer(_POLL_S, self._poll, clock=steady)

    def send(self, setpoint: Waypoint) -> None:
        """Send a position target."""
        if not self._link.system:
            return
        place = frames.swap_axes(setpoint.x, setpoint.y, setpoint.z)
        yaw = None if setpoint.yaw is None else frames.swap_yaw(setpoint.yaw)
        boot_ms = int(1e3 * (time.monotonic() - self._began_at))
        self._attempt(lambda: self._link.send_position(place, yaw, boot_ms))

    def ask(self, request: Request) -> None:
        """Send the command for it."""
        if request is Request.MODE:
            self._attempt(self._link.ask_for_mode)
        elif request is Request.ARM:
            self._attempt(self._link.ask_to_arm)
        else:
            height = float(self.config.take_off_m)
            self._attempt(lambda: self._link.ask_to_take_off(height))

    def close(self) -> None:
        """Close the connection."""
        self._link.close()

    def _poll(self) -> None:
        self._attempt(self._take_all)
        self._attempt(lambda: self._link.keep_alive(time.monotonic()))

    def _attempt(self, action: Callable[[], object]) -> None:
        """Outlive a link that is down for a while."""
        try:
            action()
        except OSError as error:
            self.warn(f'MAVLink over {self.options.url}: {error}')

    def _take_all(self) -> None:
        for message in self._link.receive():
            taker = self._takers.get(message.get_type())
            if taker is not None:
                taker(message)

    def _take_heartbeat(self, message: Any) -> None:
        link = self._link
        if not (link.is_px4 or link.is_ardupilot):
            self.warn(
                f'autopilot number {message.autopilot} is neither PX4 nor ArduPilot: it is '
                'listened to, but its modes are not known and it cannot be flown'
            )
        self.climbs_by_command = link.is_ardupilot
        self.listener.status(
            VehicleStatus(
                link.is_in_mode(message),
                link.is_armed(message),
                f'custom_mode {message.custom_mode:#x}',
                link.drives or self._is_flying,
            )
        )

    def _take_extended_state(self, message: Any) -> None:
        self._is_flying = is_flying(message.landed_state)

    def _take_position(self, message: Any) -> None:
        x, y, z = frames.swap_axes(message.x, message.y, message.z)
        if not all(map(math.isfinite, (x, y, z))):
            self.warn('MAVLink: a position is not finite and dropped')
            return
        self.listener.pose(Pose(x, y, z, self._yaw, self.now()))

    def _take_attitude(self, message: Any) -> None:
        self._yaw = frames.swap_yaw(message.yaw) if math.isfinite(message.yaw) else None

    def _take_battery(self, message: Any) -> None:
        self._has_battery_status = True
        self.hear_battery(str(message.id), _fraction(message.battery_remaining))

    def _take_system_status(self, message: Any) -> None:
        if not self._has_battery_status:
            self.listener.battery(_fraction(message.battery_remaining))

    def _take_answer(self, message: Any) -> None:
        if message.result not in (0, 5):  # MAV_RESULT_ACCEPTED, MAV_RESULT_IN_PROGRESS
            self.warn(f'the vehicle answered command {message.command} with {message.result}')

    def _take_text(self, message: Any) -> None:
        self.node.get_logger().info(f'vehicle: {message.text}')


def _fraction(percentage: int) -> float | None:
    return 0.01 * percentage if 0 <= percentage <= 100 else None
