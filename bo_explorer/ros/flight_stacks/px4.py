# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
PX4 over uXRCE-DDS, without MAVROS.

PX4 speaks north, east, down; NaN in a setpoint leaves that quantity to PX4, zero would command it.
``OffboardControlMode`` is the sign of life that keeps OFFBOARD. Versioned topics carry the version
of their message class as a suffix (``vehicle_status_v4``), so the messages must be those of the
firmware, or the translation node must run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...core.options import Options, option
from ...core.types import Pose, Waypoint
from . import frames
from .base import FlightStack
from .engagement import Request, VehicleStatus
from .packages import interface

_NAN3 = [math.nan, math.nan, math.nan]
_DO_SET_MODE = 176
_ARM_DISARM = 400
_CUSTOM_MODE_ENABLED = 1.0
_MAIN_MODE_OFFBOARD = 6.0


@dataclass(frozen=True)
class Px4Options(Options):
    """Options of PX4 over uXRCE-DDS; they stand under ``flight_stack.px4.``."""

    namespace: str = option('fmu', 'Namespace of the topics, below that of the node.')
    versioned_topics: bool = option(
        True,
        'Whether topics carry the version of their message as a suffix, as from PX4 1.16 on.',
    )
    target_system: int = option(1, 'MAVLink system that commands are for.', low=1, high=255)


class Px4(FlightStack):
    """
    Speaks with PX4.

    :param arguments: as for :class:`FlightStack`.
    """

    options_class = Px4Options

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        position = interface('px4_msgs/msg/VehicleLocalPosition')
        self._status_type = interface('px4_msgs/msg/VehicleStatus')
        battery = interface('px4_msgs/msg/BatteryStatus')
        self._mode_type = interface('px4_msgs/msg/OffboardControlMode')
        self._setpoint_type = interface('px4_msgs/msg/TrajectorySetpoint')
        self._command_type = interface('px4_msgs/msg/VehicleCommand')
        self.pose_topic = self._topic('out/vehicle_local_position', position)
        self.subscribe(position, self.pose_topic, self._take_position)
        self.subscribe(
            self._status_type,
            self._topic('out/vehicle_status', self._status_type),
            self._take_status,
        )
        self.subscribe(battery, self._topic('out/battery_status', battery), self._take_battery)
        self._mode = self._output('in/offboard_control_mode', self._mode_type)
        self._setpoints = self._output('in/trajectory_setpoint', self._setpoint_type)
        self._commands = self._output('in/vehicle_command', self._command_type)

    def send(self, setpoint: Waypoint) -> None:
        """Publish the sign of life and the setpoint."""
        microseconds = self._microseconds()
        self._mode.publish(self._mode_type(timestamp=microseconds, position=True))
        message = self._setpoint_type(timestamp=microseconds)
        place = frames.swap_axes(setpoint.x, setpoint.y, setpoint.z)
        message.position = [float(value) for value in place]
        message.velocity = message.acceleration = message.jerk = _NAN3
        message.yaw = math.nan if setpoint.yaw is None else frames.swap_yaw(setpoint.yaw)
        message.yawspeed = math.nan
        self._setpoints.publish(message)

    def ask(self, request: Request) -> None:
        """Send the command for it; PX4 climbs by its setpoints."""
        if request is Request.MODE:
            self._command(_DO_SET_MODE, _CUSTOM_MODE_ENABLED, _MAIN_MODE_OFFBOARD)
        elif request is Request.ARM:
            self._command(_ARM_DISARM, 1.0)

    def _command(self, command: int, param1: float, param2: float = 0.0) -> None:
        self._commands.publish(
            self._command_type(
                timestamp=self._microseconds(),
                command=command,
                param1=param1,
                param2=param2,
                target_system=self.options.target_system,
                target_component=1,
                source_system=self.options.target_system,
                source_component=191,  # MAV_COMP_ID_ONBOARD_COMPUTER
                from_external=True,
            )
        )

    def _take_position(self, message: Any) -> None:
        if not (message.xy_valid and message.z_valid):
            self.warn(f"topic '{self.pose_topic}': PX4 has no valid position")
            return
        x, y, z = frames.swap_axes(message.x, message.y, message.z)
        if not all(map(math.isfinite, (x, y, z))):
            self.warn(f"topic '{self.pose_topic}': a position is not finite and dropped")
            return
        yaw = frames.swap_yaw(message.heading) if math.isfinite(message.heading) else None
        self.listener.pose(Pose(x, y, z, yaw, self.stamp(1e-6 * message.timestamp_sample)))

    def _take_status(self, message: Any) -> None:
        mode = message.nav_state
        self.listener.status(
            VehicleStatus(
                mode == self._status_type.NAVIGATION_STATE_OFFBOARD,
                message.arming_state == self._status_type.ARMING_STATE_ARMED,
                f'nav_state {mode}',
                # Zero on the ground: set when PX4 notices the take-off, taken back as it lands.
                message.takeoff_time > 0,
            )
        )

    def _take_battery(self, message: Any) -> None:
        name = str(message.id)
        if not message.connected:
            self.forget_battery(name)
            return
        is_known = 0.0 <= message.remaining <= 1.0
        self.hear_battery(name, message.remaining if is_known else None)

    def _topic(self, name: str, message_type: Any) -> str:
        version = getattr(message_type, 'MESSAGE_VERSION', 0)
        suffix = f'_v{version}' if version and self.options.versioned_topics else ''
        return f'{self.options.namespace}/{name}{suffix}'

    def _output(self, name: str, message_type: Any) -> Any:
        return self.publisher(message_type, self._topic(name, message_type))

    def _microseconds(self) -> int:
        return int(self.node.get_clock().now().nanoseconds // 1000)
