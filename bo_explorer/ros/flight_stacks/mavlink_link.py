# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A MAVLink connection to one autopilot, seen from a companion computer. Imports no ROS.

Times are passed in, and nothing blocks: :meth:`MavlinkLink.receive` takes what has come, the rest
sends. Positions are MAVLink's own: north, east, down.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import Any

from ...core.errors import ConfigError
from .packages import load
from .tcp_port import TcpPort

_HEARTBEAT_PERIOD_S = 1.0
_ASK_PERIOD_S = 5.0
_ONBOARD_COMPUTER = 191
_POSITION_HZ = 20.0
_BATTERY_HZ = 1.0
_GUIDED_COPTER, _GUIDED_ROVER_PLANE = 4, 15
_PX4_MAIN_OFFBOARD = 6
_MOST_AT_ONCE = 500
_LANDED_STATE_HZ = 2.0


class MavlinkLink:
    """
    Finds the autopilot, keeps the link alive and names its modes.

    :param url: of pymavlink, e.g. udpin:0.0.0.0:14540, tcp:127.0.0.1:5760 or /dev/ttyACM0.
    :param baud: of a serial line.
    :param source_system: number this computer goes by; that of the vehicle it sits on.
    :param target_system: the vehicle to fly; 0: the first that is heard.
    :raises ConfigError: if pymavlink, or pyserial for a serial line, is not installed.
    :raises OSError: if the connection cannot be opened.
    """

    def __init__(self, url: str, baud: int, source_system: int, target_system: int) -> None:
        # pymavlink decides on the version of the protocol when it is first imported.
        os.environ.setdefault('MAVLINK20', '1')
        mavutil = load('pymavlink.mavutil')
        try:
            self._connection: Any = mavutil.mavlink_connection(
                url,
                baud=baud,
                source_system=source_system,
                source_component=_ONBOARD_COMPUTER,
                dialect='ardupilotmega',
                # Over TCP pymavlink would sleep while the vehicle is away.
                autoreconnect=not url.startswith('tcp:'),
            )
        except ModuleNotFoundError as error:
            raise ConfigError(
                'flight_stack.mavlink.url',
                f'{url!r} is taken for a serial line, which needs the package {error.name}. To '
                'install it: pip install pyserial.',
            ) from error
        if isinstance(self._connection, mavutil.mavtcp):
            self._connection.port = TcpPort(self._connection.port)
        self._names: Any = mavutil.mavlink
        self._wanted_system = target_system
        self._heartbeat_due = self._ask_due = -math.inf
        self._type = self._autopilot = 0
        self.system = 0
        """System number of the vehicle, 0 until it was heard."""
        self.component = 0
        """Component number of its autopilot."""

    @property
    def is_px4(self) -> bool:
        """Whether the autopilot is PX4."""
        return bool(self._autopilot == self._names.MAV_AUTOPILOT_PX4)

    @property
    def is_ardupilot(self) -> bool:
        """Whether the autopilot is ArduPilot."""
        return bool(self._autopilot == self._names.MAV_AUTOPILOT_ARDUPILOTMEGA)

    def receive(self) -> Iterator[Any]:
        """Yield the vehicle's messages that have come since the last call, in order."""
        for _ in range(_MOST_AT_ONCE):
            message = self._connection.recv_match(blocking=False)
            if message is None:
                return
            if message.get_type() == 'HEARTBEAT':
                self._meet(message)
            source = (message.get_srcSystem(), message.get_srcComponent())
            if self.system and source == (self.system, self.component):
                yield message

    def keep_alive(self, now: float) -> None:
        """Send this computer's heartbeat and ask for the telemetry, each when it is due."""
        if not self.system:
            return
        names, send = self._names, self._connection.mav
        if now >= self._heartbeat_due:
            self._heartbeat_due = now + _HEARTBEAT_PERIOD_S
            send.heartbeat_send(
                names.MAV_TYPE_ONBOARD_CONTROLLER,
                names.MAV_AUTOPILOT_INVALID,
                0,
                0,
                names.MAV_STATE_ACTIVE,
            )
        if now >= self._ask_due:
            self._ask_due = now + _ASK_PERIOD_S
            for message, rate in (
                (names.MAVLINK_MSG_ID_LOCAL_POSITION_NED, _POSITION_HZ),
                (names.MAVLINK_MSG_ID_ATTITUDE, _POSITION_HZ),
                (names.MAVLINK_MSG_ID_BATTERY_STATUS, _BATTERY_HZ),
                (names.MAVLINK_MSG_ID_EXTENDED_SYS_STATE, _LANDED_STATE_HZ),
            ):
                self.command(names.MAV_CMD_SET_MESSAGE_INTERVAL, message, 1e6 / rate)

    def send_position(
        self, place: tuple[float, float, float], yaw: float | None, boot_ms: int
    ) -> None:
        """
        Send a position target.

        :param place: north, east, down, metres.
        :param yaw: radians, clockwise from north, or ``None`` to leave it to the vehicle.
        :param boot_ms: time since this computer began, milliseconds.
        """
        names = self._names
        ignored = (
            names.POSITION_TARGET_TYPEMASK_VX_IGNORE
            | names.POSITION_TARGET_TYPEMASK_VY_IGNORE
            | names.POSITION_TARGET_TYPEMASK_VZ_IGNORE
            | names.POSITION_TARGET_TYPEMASK_AX_IGNORE
            | names.POSITION_TARGET_TYPEMASK_AY_IGNORE
            | names.POSITION_TARGET_TYPEMASK_AZ_IGNORE
            | names.POSITION_TARGET_TYPEMASK_YAW_RATE_IGNORE
        )
        if yaw is None:
            ignored |= names.POSITION_TARGET_TYPEMASK_YAW_IGNORE
        self._connection.mav.set_position_target_local_ned_send(
            boot_ms % 2**32,
            self.system,
            self.component,
            names.MAV_FRAME_LOCAL_NED,
            ignored,
            *place,
            *(0.0,) * 6,
            0.0 if yaw is None else yaw,
            0.0,
        )

    def ask_for_mode(self) -> None:
        """Ask for the mode that follows position targets."""
        custom = float(self._names.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED)
        number = _PX4_MAIN_OFFBOARD if self.is_px4 else self._guided
        self.command(self._names.MAV_CMD_DO_SET_MODE, custom, number)

    def ask_to_arm(self) -> None:
        """Ask the vehicle to arm, with all its checks."""
        self.command(self._names.MAV_CMD_COMPONENT_ARM_DISARM, 1.0)

    def ask_to_take_off(self, height_m: float) -> None:
        """Ask ArduPilot to take off to this height above home, metres."""
        self.command(self._names.MAV_CMD_NAV_TAKEOFF, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, height_m)

    def command(self, command: int, *parameters: float) -> None:
        """Send a command with up to seven parameters; the others are 0."""
        seven = [*map(float, parameters), *(0.0,) * (7 - len(parameters))]
        self._connection.mav.command_long_send(self.system, self.component, command, 0, *seven)

    def is_in_mode(self, heartbeat: Any) -> bool:
        """Return whether the vehicle follows position targets."""
        if not heartbeat.base_mode & self._names.MAV_MODE_FLAG_CUSTOM_MODE_ENABLED:
            return False
        if self.is_px4:
            return bool(heartbeat.custom_mode >> 16 & 0xFF == _PX4_MAIN_OFFBOARD)
        return bool(self.is_ardupilot and heartbeat.custom_mode == self._guided)

    def is_armed(self, heartbeat: Any) -> bool:
        """Return whether the motors may turn."""
        return bool(heartbeat.base_mode & self._names.MAV_MODE_FLAG_SAFETY_ARMED)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @property
    def drives(self) -> bool:
        """Whether the vehicle never leaves the ground, or the water."""
        names = self._names
        return self._type in (names.MAV_TYPE_GROUND_ROVER, names.MAV_TYPE_SURFACE_BOAT)

    @property
    def _guided(self) -> int:
        is_copter = not self.drives and self._type != self._names.MAV_TYPE_FIXED_WING
        return _GUIDED_COPTER if is_copter else _GUIDED_ROVER_PLANE

    def _meet(self, heartbeat: Any) -> None:
        names = self._names
        if heartbeat.autopilot == names.MAV_AUTOPILOT_INVALID or self.system:
            return
        if heartbeat.type == names.MAV_TYPE_GCS:
            return
        if self._wanted_system in (0, heartbeat.get_srcSystem()):
            self.system = heartbeat.get_srcSystem()
            self.component = heartbeat.get_srcComponent()
            self._type, self._autopilot = heartbeat.type, heartbeat.autopilot


def is_flying(landed_state: int) -> bool | None:
    """
    Return whether a vehicle is off the ground, ``None`` for unknown.

    :param landed_state: MAV_LANDED_STATE: 1 on the ground; 2 in the air, 3 taking off, 4 landing.
    """
    return {1: False, 2: True, 3: True, 4: True}.get(landed_state)
