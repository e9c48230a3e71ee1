# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Nav2: goals of ``navigate_to_pose``.

Nav2 plans its own way to a goal, on its own map: zones and area must be known to it as well.
Somebody who cancels the goal or sends one of his own has the vehicle until ``~/engage`` is called.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from action_msgs.msg import GoalStatus
from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.time import Time
from sensor_msgs.msg import BatteryState

from ...core.errors import ConfigError
from ...core.options import Options, option
from ...core.types import Waypoint
from .. import conversions
from .actions import ActionGoals
from .base import FlightStack
from .engagement import Request, VehicleStatus
from .packages import interface, load

_POSE_PERIOD_S = 0.05
_STATUS_PERIOD_S = 0.5


@dataclass(frozen=True)
class Nav2Options(Options):
    """Options of Nav2; they stand under ``flight_stack.nav2.``."""

    action: str = option('navigate_to_pose', 'Name of the action.')
    behavior_tree: str = option(
        '', 'Behaviour tree that Nav2 is to use; an empty string: its default.'
    )
    pose_type: str = option(
        'tf',
        'Where the pose comes from: the transform from the map frame to base_frame, or a topic.',
        choices=('tf', 'pose_stamped', 'pose_with_covariance_stamped', 'odometry'),
    )
    pose_topic: str = option('amcl_pose', 'Topic of the pose, unless it comes from tf.')
    base_frame: str = option('base_link', 'Frame of the vehicle, for tf.')
    battery_topic: str = option('battery_state', 'Topic of the sensor_msgs/BatteryState.')


class Nav2(FlightStack):
    """
    Speaks with Nav2.

    :param arguments: as for :class:`FlightStack`.
    """

    options_class = Nav2Options
    needs_stream = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.refuse_take_off()
        action = interface('nav2_msgs/action/NavigateToPose')
        self._goal_type = action.Goal
        self._is_taken = False
        self._hear_pose()
        self.subscribe(BatteryState, self.options.battery_topic, self.hear_battery_state)
        self._goals = ActionGoals(self.node, action, self.options.action, self._ended)
        self.node.create_timer(_STATUS_PERIOD_S, self._report)

    def send(self, setpoint: Waypoint) -> None:
        """Send the setpoint as goal if it is a new one."""
        self._goals.send(setpoint, self._goal)

    def ask(self, request: Request) -> None:
        """Do nothing: Nav2 has neither modes nor arming."""

    def let_go(self) -> None:
        """Forget the goal; it is not cancelled, since by now it may be somebody else's."""
        self._goals.gate.forget()

    def reset(self) -> None:
        """Send goals again."""
        self._is_taken = False

    def close(self) -> None:
        """Remove the action client."""
        self._goals.destroy()

    def _goal(self, setpoint: Waypoint) -> Any:
        pose = conversions.to_pose_stamped(setpoint, self.now(), self.frame_id)
        return self._goal_type(pose=pose, behavior_tree=self.options.behavior_tree)

    def _ended(self, goal: Waypoint, status: int, result: Any) -> None:
        if status == GoalStatus.STATUS_SUCCEEDED:
            return
        # A goal that was replaced by another client's is aborted, as one that cannot be reached
        # is; only the latter carries an error, and only since Jazzy.
        error = getattr(result, 'error_code', 0)
        if status == GoalStatus.STATUS_ABORTED and error:
            text = getattr(result, 'error_msg', '')
            self.warn(f'Nav2 cannot reach the goal: error {error} {text}')
            return
        self._is_taken = True
        self._report()

    def _report(self) -> None:
        if self._goals.client.server_is_ready():
            mode = 'goals of others' if self._is_taken else 'goals'
            is_ours = not self._is_taken
            # A robot of Nav2 drives: it is where its goals are.
            self.listener.status(VehicleStatus(is_ours, is_ours, mode, is_flying=True))

    def _hear_pose(self) -> None:
        kind = self.options.pose_type
        if kind == 'tf':
            self.pose_topic = 'tf'
            tf2_ros = load('tf2_ros')
            self._buffer = tf2_ros.Buffer()
            self._transforms = tf2_ros.TransformListener(self._buffer, self.node)
            self._missing: tuple[type[Exception], ...] = (tf2_ros.TransformException,)
            self.node.create_timer(_POSE_PERIOD_S, self._look_up)
            self._looked_up_stamp: tuple[int, int] | None = None
            return
        self.pose_topic = self.options.pose_topic
        if not self.pose_topic:
            raise ConfigError(
                'flight_stack.nav2.pose_topic',
                "'flight_stack.nav2.pose_topic' must be a name unless pose_type is tf, got ''.",
            )
        types = {
            'pose_stamped': PoseStamped,
            'pose_with_covariance_stamped': PoseWithCovarianceStamped,
            'odometry': Odometry,
        }
        self.subscribe(types[kind], self.pose_topic, self._take_pose)

    def _take_pose(self, message: Any) -> None:
        if isinstance(message, PoseWithCovarianceStamped):
            message = PoseStamped(header=message.header, pose=message.pose.pose)
        self.hear_pose_stamped(message, (self.frame_id,))

    def _look_up(self) -> None:
        try:
            found = self._buffer.lookup_transform(self.frame_id, self.options.base_frame, Time())
        except self._missing as error:
            self.warn(f'no transform from {self.frame_id} to {self.options.base_frame}: {error}')
            return
        # The buffer gives the newest it has, however old: only a newer one is a pose.
        stamp = (found.header.stamp.sec, found.header.stamp.nanosec)
        if stamp == self._looked_up_stamp:
            return
        self._looked_up_stamp = stamp
        place, turn = found.transform.translation, found.transform.rotation
        message = PoseStamped(header=found.header)
        message.pose.position.x = place.x
        message.pose.position.y = place.y
        message.pose.position.z = place.z
        message.pose.orientation = turn
        self.hear_pose_stamped(message, (self.frame_id,))
