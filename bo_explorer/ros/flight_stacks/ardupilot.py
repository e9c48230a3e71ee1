# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
ArduPilot over its own DDS client.

It has no local setpoints: ``cmd_gps_pose`` takes a place on the globe. The place is the vehicle's
own, moved by the way from its local pose to the setpoint, so that it does not matter where the
local frame begins. The heading cannot be commanded. ArduPilot flies to the last target by itself,
hence nothing is streamed.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import BatteryState

from ...core.options import Options, option
from ...core.types import Pose, Waypoint
from .. import qos
from . import frames
from .base import FlightStack
from .engagement import Request, VehicleStatus
from .goals import GoalGate
from .packages import interface

_SAME_TIME_S = 0.1
_REPEAT_S = 2.0
_LIMITS = (90.0, 180.0, 1e5)
# The only frame name that ArduPilot takes in a target.
_TARGET_FRAME = 'map'


@dataclass(frozen=True)
class ArdupilotOptions(Options):
    """Options of ArduPilot over DDS; they stand under ``flight_stack.ardupilot.``."""

    namespace: str = option('ap', 'Namespace of the topics, below that of the node.')
    guided_mode: int = option(
        4, 'Number of the mode GUIDED: 4 for Copter, 15 for Rover and Plane.', low=0, high=255
    )


class Ardupilot(FlightStack):
    """
    Speaks with ArduPilot.

    :param arguments: as for :class:`FlightStack`.
    """

    options_class = ArdupilotOptions
    needs_stream = False
    climbs_by_command = True
    # ArduPilot repeats an unchanged status every ten seconds.
    status_timeout_s = 25.0

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._target_type = interface('ardupilot_msgs/msg/GlobalPosition')
        self._arm_type = interface('ardupilot_msgs/srv/ArmMotors')
        self._mode_type = interface('ardupilot_msgs/srv/ModeSwitch')
        self._take_off_type = interface('ardupilot_msgs/srv/Takeoff')
        status = interface('ardupilot_msgs/msg/Status')
        geographic = interface('geographic_msgs/msg/GeoPoseStamped')
        space = self.options.namespace
        self.pose_topic = f'{space}/pose/filtered'
        self.subscribe(PoseStamped, self.pose_topic, self._take_pose)
        self.subscribe(geographic, f'{space}/geopose/filtered', self._take_place)
        self.subscribe(BatteryState, f'{space}/battery', self.hear_battery_state)
        self.subscribe(status, f'{space}/status', self._take_status, qos.LATCHED)
        self._targets = self.publisher(self._target_type, f'{space}/cmd_gps_pose')
        create = self.node.create_client
        self._arm = create(self._arm_type, f'{space}/arm_motors')
        self._mode = create(self._mode_type, f'{space}/mode_switch')
        self._take_off = create(self._take_off_type, f'{space}/experimental/takeoff')
        self._gate = GoalGate(repeat_s=_REPEAT_S)
        self._poses: deque[Pose] = deque(maxlen=20)
        self._anchor: tuple[Pose, float, float, float] | None = None

    def send(self, setpoint: Waypoint) -> None:
        """Publish the target if it is a new one, and again now and then: a message may be lost."""
        if self._anchor is None:
            self.warn('no pair of local and geographic poses yet: no target can be sent')
            return
        if self._gate.is_new(setpoint, time.monotonic()):
            self._targets.publish(self._target(setpoint, self._anchor))

    def ask(self, request: Request) -> None:
        """Call the service for it."""
        if request is Request.MODE:
            self.call(self._mode, self._mode_type.Request(mode=self.options.guided_mode))
        elif request is Request.ARM:
            self.call(self._arm, self._arm_type.Request(arm=True))
        else:
            height = float(self.config.take_off_m)
            self.call(self._take_off, self._take_off_type.Request(alt=height))

    def let_go(self) -> None:
        """Send the target anew when the vehicle comes back."""
        self._gate.forget()

    def _target(self, setpoint: Waypoint, anchor: tuple[Pose, float, float, float]) -> Any:
        pose, latitude, longitude, altitude = anchor
        target = self._target_type()
        target.header.stamp = self.node.get_clock().now().to_msg()
        target.header.frame_id = _TARGET_FRAME
        target.coordinate_frame = self._target_type.FRAME_GLOBAL_INT
        kind = self._target_type
        target.type_mask = (
            kind.IGNORE_VX
            | kind.IGNORE_VY
            | kind.IGNORE_VZ
            | kind.IGNORE_AFX
            | kind.IGNORE_AFY
            | kind.IGNORE_AFZ
            | kind.IGNORE_YAW
            | kind.IGNORE_YAW_RATE
        )
        east, north = setpoint.x - pose.x, setpoint.y - pose.y
        target.latitude, target.longitude = frames.moved(latitude, longitude, east, north)
        target.altitude = float(altitude + setpoint.z - pose.z)
        return target

    def _take_pose(self, message: PoseStamped) -> None:
        # ArduPilot writes base_link into its poses, which are relative to home, east, north, up.
        pose = self.hear_pose_stamped(message)
        if pose is not None:
            self._poses.append(pose)

    def _take_place(self, message: Any) -> None:
        place = message.pose.position
        values = (place.latitude, place.longitude, place.altitude)
        is_sane = all(abs(value) <= most for value, most in zip(values, _LIMITS, strict=True))
        if not (self._poses and is_sane):
            return
        stamp = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec
        pose = min(self._poses, key=lambda known: abs(known.stamp - stamp))
        if abs(pose.stamp - stamp) <= _SAME_TIME_S:
            self._anchor = (pose, *values)

    def _take_status(self, message: Any) -> None:
        is_ours = message.mode == self.options.guided_mode
        mode = f'mode {message.mode}'
        self.listener.status(VehicleStatus(is_ours, message.armed, mode, message.flying))
