# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What every flight stack is to the node.

A stack says where the vehicle is and who has it, and does what it is told: it decides nothing. One
module each, one line in the registry.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from rclpy.node import Node
from rclpy.qos import QoSProfile

from ...core.errors import ConfigError
from ...core.options import Options
from ...core.types import Pose, Waypoint
from .. import conversions, qos
from .config import FlightStackConfig
from .engagement import Request, VehicleStatus

_WARN_PERIOD_S = 5.0
_SAME_CLOCK_S = 1.0


@dataclass(frozen=True)
class StackListener:
    """
    Who hears what the stack says.

    :param pose: takes the pose in the map.
    :param battery: takes the state of charge from 0 to 1, ``None`` for unknown.
    :param status: takes the status of the vehicle.
    """

    pose: Callable[[Pose], object]
    battery: Callable[[float | None], object]
    status: Callable[[VehicleStatus], object]


class FlightStack(ABC):
    """
    Base of every flight stack.

    :param node: owns topics, services and actions.
    :param config: what all stacks share.
    :param options: of this stack.
    :param frame_id: the map frame.
    :param listener: hears poses, battery and status.
    :raises ConfigError: if a package is missing or an option does not fit the stack.
    """

    options_class: ClassVar[type[Options]]
    needs_stream: bool = True
    """Whether setpoints count as a sign of life and are sent before the mode is asked for."""
    climbs_by_command: bool = False
    """Whether the stack takes off by a command; else the setpoints lift the vehicle."""
    has_pilot: bool = True
    """Whether somebody can take the vehicle, and give it back, by its mode."""
    status_timeout_s: float = 5.0
    """A status older than this says nothing any more."""

    def __init__(
        self,
        node: Node,
        config: FlightStackConfig,
        options: Any,
        frame_id: str,
        listener: StackListener,
    ) -> None:
        self.node = node
        self.config = config
        self.options = options
        self.frame_id = frame_id
        self.listener = listener
        self.pose_topic = ''
        """Where the poses come from, for texts."""
        self._warned_at: dict[str, float] = {}
        self._batteries: dict[str, float | None] = {}

    @abstractmethod
    def send(self, setpoint: Waypoint) -> None:
        """
        Send a setpoint; called at the stream's rate.

        :param setpoint: finite, in the map; a heading of ``None`` is left to the vehicle.
        """

    @abstractmethod
    def ask(self, request: Request) -> None:
        """Ask the vehicle for something the operator allows; the answer shows in the status."""

    def let_go(self) -> None:  # noqa: B027
        """Do what it takes not to disturb others who have the vehicle now."""

    def reset(self) -> None:  # noqa: B027
        """Forget that others took the vehicle: the operator has allowed everything anew."""

    def close(self) -> None:  # noqa: B027
        """Release what the node does not own."""

    # What stacks are made of

    def subscribe(
        self,
        message_type: Any,
        topic: str,
        callback: Callable[[Any], object],
        profile: QoSProfile = qos.INPUT,
    ) -> None:
        """Hear a topic; by default every kind of publisher is heard."""
        events = qos.subscription_events(topic, self.node.get_logger().error)
        self.node.create_subscription(
            message_type, topic, callback, profile, event_callbacks=events
        )

    def publisher(self, message_type: Any, topic: str) -> Any:
        """Return a publisher that every kind of subscriber hears."""
        events = qos.publisher_events(topic, self.node.get_logger().error)
        return self.node.create_publisher(message_type, topic, qos.STREAM, event_callbacks=events)

    def call(
        self, client: Any, request: Any, done: Callable[[Any], object] = lambda answer: None
    ) -> bool:
        """
        Call a service without waiting for it.

        :param client: of the service.
        :param request: of the service.
        :param done: takes the answer; not called where there is none.
        :return: whether the service is there.
        """
        if not client.service_is_ready():
            self.warn(f"the service '{client.srv_name}' is not there")
            return False

        def finish(future: Any) -> None:
            if future.exception() is None and future.result() is not None:
                done(future.result())

        client.call_async(request).add_done_callback(finish)
        return True

    def warn(self, text: str) -> None:
        """Log a warning, at most every five seconds for each text."""
        now = time.monotonic()
        if now - self._warned_at.get(text, -math.inf) >= _WARN_PERIOD_S:
            self._warned_at[text] = now
            self.node.get_logger().warning(text)

    def now(self) -> float:
        """Return the node's time, seconds."""
        return 1e-9 * self.node.get_clock().now().nanoseconds

    def stamp(self, claimed: float) -> float:
        """
        Return the time of a message, seconds.

        Autopilots may count from their start: a stamp that is not of the node's clock gives way
        to the time of receipt.
        """
        now = self.now()
        return claimed if abs(now - claimed) <= _SAME_CLOCK_S else now

    def hear_pose_stamped(self, message: Any, frames: tuple[str, ...] = ()) -> Pose | None:
        """
        Take a pose that is in the stack's world frame, and call that the map.

        :param message: geometry_msgs/PoseStamped or nav_msgs/Odometry.
        :param frames: what its frame may be called; none: anything.
        :return: the pose, or ``None`` where it was dropped.
        """
        frame = message.header.frame_id
        if frames and frame not in frames:
            self.warn(
                f"topic '{self.pose_topic}': a pose in the frame '{frame}' is dropped, it must be "
                f'in {" or ".join(repr(name) for name in frames)}'
            )
            return None
        pose = conversions.to_pose(message, self.now())
        if isinstance(pose, str):
            self.warn(f"topic '{self.pose_topic}': a pose is dropped: {pose}")
            return None
        self.listener.pose(pose)
        return pose

    def hear_battery(self, name: str, fraction: float | None) -> None:
        """
        Take the state of charge of one battery; what counts is the emptiest that is known.

        :param name: tells it from other batteries of the vehicle.
        :param fraction: from 0 to 1, ``None`` for unknown.
        """
        if self.config.battery_id in ('', name):
            self._batteries[name] = fraction
            self._tell_battery()

    def forget_battery(self, name: str) -> None:
        """Take a battery for gone."""
        self._batteries.pop(name, None)
        self._tell_battery()

    def _tell_battery(self) -> None:
        known = [fraction for fraction in self._batteries.values() if fraction is not None]
        self.listener.battery(min(known) if known else None)

    def hear_battery_state(self, message: Any) -> None:
        """
        Take a sensor_msgs/BatteryState with a percentage from 0 to 1.

        Several batteries may share the topic: their location or their frame tells them apart.
        """
        fraction = conversions.to_fraction(message, 1.0)
        if isinstance(fraction, str):
            self.warn(f'battery: {fraction}; taken for unknown')
            fraction = None
        self.hear_battery(message.location or message.header.frame_id, fraction)

    def refuse_take_off(self) -> None:
        """
        Refuse a take-off that this stack cannot make.

        :raises ConfigError: if one is set.
        """
        if not math.isnan(self.config.take_off_m):
            raise ConfigError(
                'flight_stack.take_off_m',
                "'flight_stack.take_off_m' must not be set for this stack, "
                f'got {self.config.take_off_m!r}.',
            )
