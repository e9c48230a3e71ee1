# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Aerostack2: the behaviours GoToBehavior and TakeoffBehavior, and the platform's services.

Poses and goals are in the frame ``earth``, which is the map here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import Point, PointStamped, PoseStamped
from sensor_msgs.msg import BatteryState
from std_srvs.srv import SetBool

from ...core.options import Options, option
from ...core.types import Waypoint
from .. import conversions
from .actions import ActionGoals
from .base import FlightStack
from .engagement import Request, VehicleStatus
from .packages import interface


@dataclass(frozen=True)
class Aerostack2Options(Options):
    """Options of Aerostack2; they stand under ``flight_stack.aerostack2.``."""

    earth_frame: str = option(
        'earth', 'What Aerostack2 calls the world; the names of its drones may be part of it.'
    )
    speed_mps: float = option(
        1.0, 'Greatest speed of a GoTo and of the take-off.', unit='m/s', low=0.05, high=20.0
    )


class Aerostack2(FlightStack):
    """
    Speaks with the Aerostack2 drone in whose namespace the node is.

    :param arguments: as for :class:`FlightStack`.
    """

    options_class = Aerostack2Options
    needs_stream = False
    climbs_by_command = True

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        go_to = interface('as2_msgs/action/GoToWaypoint')
        take_off = interface('as2_msgs/action/Takeoff')
        self._yaw_mode = interface('as2_msgs/msg/YawMode')
        info = interface('as2_msgs/msg/PlatformInfo')
        self._go_to_goal, self._take_off_goal = go_to.Goal, take_off.Goal
        self.pose_topic = 'self_localization/pose'
        self.subscribe(PoseStamped, self.pose_topic, self._take_pose)
        battery = 'sensor_measurements/battery'
        self.subscribe(BatteryState, battery, self.hear_battery_state)
        platform = 'platform/info'
        self.subscribe(info, platform, self._take_info)
        node = self.node
        self._goals = ActionGoals(node, go_to, 'GoToBehavior', self._ended)
        self._take_off = ActionGoals(node, take_off, 'TakeoffBehavior', self._ended)
        names = {Request.MODE: 'set_offboard_mode', Request.ARM: 'set_arming_state'}
        self._services = {
            request: node.create_client(SetBool, name) for request, name in names.items()
        }

    def send(self, setpoint: Waypoint) -> None:
        """Send the setpoint as goal if it is a new one."""
        self._goals.send(setpoint, self._goal)

    def ask(self, request: Request) -> None:
        """Call the service or the behaviour for it."""
        if request in self._services:
            self.call(self._services[request], SetBool.Request(data=True))
        else:
            height = float(self.config.take_off_m)
            self._take_off.send(Waypoint(0.0, 0.0, height), self._climb)

    def let_go(self) -> None:
        """Send the goals anew when the vehicle comes back."""
        self._goals.cancel()
        self._take_off.gate.forget()

    def close(self) -> None:
        """Remove the action clients."""
        self._goals.destroy()
        self._take_off.destroy()

    def _goal(self, setpoint: Waypoint) -> Any:
        goal = self._go_to_goal(max_speed=self.options.speed_mps)
        goal.target_pose = PointStamped(
            header=conversions.header(self.now(), self.options.earth_frame),
            point=Point(x=float(setpoint.x), y=float(setpoint.y), z=float(setpoint.z)),
        )
        goal.yaw.mode = self._yaw_mode.KEEP_YAW
        if setpoint.yaw is not None:
            goal.yaw.mode, goal.yaw.angle = self._yaw_mode.FIXED_YAW, float(setpoint.yaw)
        return goal

    def _climb(self, top: Waypoint) -> Any:
        return self._take_off_goal(takeoff_height=top.z, takeoff_speed=self.options.speed_mps)

    def _ended(self, goal: Waypoint, status: int, result: Any) -> None:
        """Do nothing: a goal that failed is sent again, and the platform says who flies."""

    def _take_pose(self, message: PoseStamped) -> None:
        self.hear_pose_stamped(message, (self.options.earth_frame,))

    def _take_info(self, message: Any) -> None:
        if message.connected:
            mode = 'offboard' if message.offboard else 'manual'
            self.listener.status(VehicleStatus(message.offboard, message.armed, mode))
