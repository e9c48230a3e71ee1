# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
MAVROS: PX4 in OFFBOARD and ArduPilot in GUIDED.

MAVROS turns frames itself: poses and setpoints are east, north, up in ``map``. Its setpoint topic
always commands the heading.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import BatteryState

from ...core.options import Options, option
from ...core.types import Waypoint
from .. import conversions
from .base import FlightStack
from .engagement import Request, VehicleStatus
from .mavlink_link import is_flying
from .packages import interface


@dataclass(frozen=True)
class MavrosOptions(Options):
    """Options of MAVROS; they stand under ``flight_stack.mavros.``."""

    namespace: str = option('mavros', 'Namespace of the MAVROS node.')
    autopilot: str = option(
        'px4',
        'What flies behind MAVROS; it decides on the mode, OFFBOARD or GUIDED.',
        choices=('px4', 'ardupilot'),
    )
    frame_id: str = option('map', 'What MAVROS calls its local frame.')


class Mavros(FlightStack):
    """
    Speaks with MAVROS.

    :param arguments: as for :class:`FlightStack`.
    """

    options_class = MavrosOptions

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        state = interface('mavros_msgs/msg/State')
        extended = interface('mavros_msgs/msg/ExtendedState')
        self._set_mode_type = interface('mavros_msgs/srv/SetMode')
        self._arm_type = interface('mavros_msgs/srv/CommandBool')
        self._take_off_type = interface('mavros_msgs/srv/CommandTOL')
        space = self.options.namespace
        self._is_ardupilot = self.options.autopilot == 'ardupilot'
        self.mode = 'GUIDED' if self._is_ardupilot else 'OFFBOARD'
        self.climbs_by_command = self._is_ardupilot
        self.pose_topic = f'{space}/local_position/pose'
        self.subscribe(PoseStamped, self.pose_topic, self._take_pose)
        self.subscribe(BatteryState, f'{space}/battery', self.hear_battery_state)
        self.subscribe(state, f'{space}/state', self._take_state)
        self.subscribe(extended, f'{space}/extended_state', self._take_extended_state)
        self._setpoints = self.publisher(PoseStamped, f'{space}/setpoint_position/local')
        create = self.node.create_client
        self._set_mode = create(self._set_mode_type, f'{space}/set_mode')
        self._arm = create(self._arm_type, f'{space}/cmd/arming')
        self._take_off = create(self._take_off_type, f'{space}/cmd/takeoff')
        self._yaw: float | None = None
        self._is_flying: bool | None = None

    def send(self, setpoint: Waypoint) -> None:
        """Publish the setpoint; a free heading stays what it was."""
        if setpoint.yaw is None:
            setpoint = dataclasses.replace(setpoint, yaw=self._yaw)
        self._yaw = setpoint.yaw
        self._setpoints.publish(
            conversions.to_pose_stamped(setpoint, self.now(), self.options.frame_id)
        )

    def ask(self, request: Request) -> None:
        """Call the service for it."""
        if request is Request.MODE:
            self.call(self._set_mode, self._set_mode_type.Request(custom_mode=self.mode))
        elif request is Request.ARM:
            self.call(self._arm, self._arm_type.Request(value=True))
        else:
            self.call(
                self._take_off,
                # ArduPilot climbs where it is and takes no heading.
                self._take_off_type.Request(altitude=float(self.config.take_off_m)),
            )

    def _take_pose(self, message: PoseStamped) -> None:
        pose = self.hear_pose_stamped(message, (self.options.frame_id,))
        if pose is not None and self._yaw is None:
            self._yaw = pose.yaw

    def _take_state(self, message: Any) -> None:
        if message.connected:
            is_ours = message.mode == self.mode
            self.listener.status(
                VehicleStatus(is_ours, message.armed, message.mode, self._is_flying)
            )

    def _take_extended_state(self, message: Any) -> None:
        self._is_flying = is_flying(message.landed_state)
