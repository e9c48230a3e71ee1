# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Between the explorer and what flies the vehicle.

The node hears the waypoints, and gives the explorer pose and battery. Which stack it speaks with
is the parameter ``flight_stack.stack``; :mod:`bo_explorer.ros.flight_stacks` has one module for
each. It never arms and never switches the mode unless a parameter allows it, and never takes the
vehicle back from a pilot.
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseStamped
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from sensor_msgs.msg import BatteryState
from std_srvs.srv import Trigger

from ..core.options import from_flat, walk
from ..core.plane import SearchPlane
from ..core.types import Pose, Waypoint
from . import conversions, qos
from .flight_stacks import FLIGHT_STACKS
from .flight_stacks.base import FlightStack, StackListener
from .flight_stacks.config import PREFIX, FlightStackConfig, SharedConfig
from .flight_stacks.engagement import Engagement, Phase, VehicleStatus
from .flight_stacks.explorer_link import ExplorerLink
from .flight_stacks.setpoints import Setpoints, without_heading
from .parameters import ParameterStore
from .spin import run

_DIAGNOSTICS_PERIOD_S = 1.0
_SILENCE_S = 5.0
# No vehicle is further from its map's origin; single precision is a decimetre there.
_FARTHEST_M = 1e6
_OTHER_HANDS = (Phase.READY, Phase.ASKING, Phase.GROUNDED, Phase.RELEASED)


class FlightStackNode(Node):  # type: ignore[misc]
    """
    Flies the vehicle by the explorer's waypoints while it is allowed to.

    :param arguments: keyword arguments of :class:`rclpy.node.Node`.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__('flight_stack', **arguments)
        self._stack: FlightStack | None = None
        self._store = ParameterStore(
            self,
            [
                *walk(SharedConfig),
                *walk(FlightStackConfig, PREFIX),
                *(
                    spec
                    for name, stack in FLIGHT_STACKS.items()
                    for spec in walk(stack.options_class, f'{PREFIX}{name}.')
                ),
            ],
            is_foreign=lambda key: not key.startswith(PREFIX),
            is_locked=lambda: self._stack is not None,
        )

    def bring_up(self) -> None:
        """
        Meet the stack and begin to stream.

        :raises ConfigError: if a parameter is bad or the stack's messages are not installed.
        """
        values = self._store.values()

        def read(cls: Any, prefix: str = '') -> Any:
            keys = [spec.key for spec in walk(cls, prefix)]
            return from_flat(cls, {key: values[key] for key in keys}, prefix)

        shared = self._shared = read(SharedConfig)
        config = self._config = read(FlightStackConfig, PREFIX)
        self._engagement = Engagement(config)
        self._setpoints = Setpoints(
            config.waypoint_timeout_s,
            SearchPlane(shared.plane, shared.vehicle.altitude_m),
            shared.vehicle.deviation_m,
        )
        self._explorer = ExplorerLink(self, config.explorer)
        self._pose: Pose | None = None
        self._status: VehicleStatus | None = None
        self._battery: float | None = None
        self._pose_at = self._status_at = -math.inf
        self._began_at = time.monotonic()
        self._has_vehicle = False
        self._announced: tuple[Phase, str] | None = None
        self._n_dropped = 0
        self._poses = self.create_publisher(
            PoseStamped, self._shared.pose.topic, qos.SENSOR_OUTPUT
        )
        self._batteries = None
        if self._shared.battery.topic:
            self._batteries = self.create_publisher(
                BatteryState, self._shared.battery.topic, qos.SENSOR_OUTPUT
            )
        self._diagnostics = self.create_publisher(DiagnosticArray, qos.DIAGNOSTICS, qos.EVENTS)
        cls = FLIGHT_STACKS[config.stack]
        self._stack = cls(
            self,
            config,
            read(cls.options_class, f'{PREFIX}{config.stack}.'),
            self._shared.frame_id,
            StackListener(self._take_pose, self._take_battery, self._take_status),
        )
        self._engagement.has_pilot = cls.has_pilot
        self.create_subscription(PoseStamped, qos.WAYPOINT, self._take_waypoint, qos.INPUT)
        self.create_service(Trigger, '~/engage', self._engage)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(1.0 / config.stream_hz, self._tick, clock=steady)
        self.create_timer(_DIAGNOSTICS_PERIOD_S, self._diagnose, clock=steady)
        allowed = [
            text
            for text, is_allowed in (
                ('switch the mode', config.may_switch_mode),
                ('arm', config.may_arm),
            )
            if is_allowed
        ]
        self.get_logger().info(
            f'speaking with {config.stack}; allowed to {" and to ".join(allowed) or "fly only"}'
        )

    def close(self) -> bool:
        """Release what the stack has opened."""
        if self._stack is not None:
            self._stack.close()
        return True

    # Inputs

    def _take_pose(self, pose: Pose) -> None:
        if not _is_sane(pose.x, pose.y, pose.z):
            self._n_dropped += 1
            return
        self._pose, self._pose_at = pose, time.monotonic()
        place = Waypoint(pose.x, pose.y, pose.z, pose.yaw)
        self._poses.publish(conversions.to_pose_stamped(place, pose.stamp, self._shared.frame_id))

    def _take_battery(self, fraction: float | None) -> None:
        self._battery = fraction
        if self._batteries is None:
            return
        known = math.nan if fraction is None else fraction / self._shared.battery.scale
        message = BatteryState(percentage=float(known), present=True)
        message.header = conversions.header(
            1e-9 * self.get_clock().now().nanoseconds, self._shared.frame_id
        )
        for field in ('voltage', 'temperature', 'current', 'charge', 'capacity'):
            setattr(message, field, math.nan)
        self._batteries.publish(message)

    def _take_status(self, status: VehicleStatus) -> None:
        self._status, self._status_at = status, time.monotonic()

    def _take_waypoint(self, message: PoseStamped) -> None:
        frame, place = message.header.frame_id, message.pose.position
        is_ours = frame in ('', self._shared.frame_id)
        if not (is_ours and _is_sane(place.x, place.y, place.z)):
            self._n_dropped += 1
            assert self._stack is not None
            self._stack.warn(
                f"a waypoint is dropped: it must be finite and in '{self._shared.frame_id}', got "
                f"({place.x}, {place.y}, {place.z}) in '{frame}'"
            )
            return
        yaw = conversions.yaw_of(message.pose.orientation)
        now = time.monotonic()
        self._setpoints.hear(Waypoint(place.x, place.y, place.z, yaw), now, self._place(now))

    def _engage(self, request: Any, response: Any) -> Any:
        """Let the operator allow anew what a pilot's or a vehicle's refusal has ended."""
        assert self._stack is not None
        self._engagement.reset()
        self._stack.reset()
        response.success = True
        response.message = 'what the parameters allow is asked for anew'
        return response

    # Output

    def _tick(self) -> None:
        stack, engagement, now = self._stack, self._engagement, time.monotonic()
        assert stack is not None
        is_heard = now - self._status_at <= stack.status_timeout_s
        pose = self._place(now)
        engagement.climbs_by_command = stack.climbs_by_command
        request = engagement.step(now, self._status if is_heard else None, pose)
        setpoint = self._setpoint(stack, pose, now)
        if setpoint is not None:
            is_free = self._config.yaw == 'free'
            stack.send(without_heading(setpoint) if is_free else setpoint)
        if request is not None:
            self.get_logger().info(f'asking the vehicle: {request.value}')
            stack.ask(request)
        if engagement.phase not in (Phase.ABSENT, Phase.LOST):
            self._explorer.want(now, is_flying=engagement.is_engaged)
        self._announce()

    def _place(self, now: float) -> Pose | None:
        """Return the newest pose, ``None`` where it is old or none has come."""
        return self._pose if now - self._pose_at <= self._config.pose_timeout_s else None

    def _setpoint(self, stack: FlightStack, pose: Pose | None, now: float) -> Waypoint | None:
        """Return what to send now, ``None`` for nothing."""
        phase, top = self._engagement.phase, self._engagement.top
        if pose is None or phase in (Phase.ABSENT, Phase.LOST):
            return self._setpoints.follow(now, pose) if self._has_vehicle else None
        if phase in _OTHER_HANDS:
            if self._has_vehicle:
                self._has_vehicle = False
                stack.let_go()
            hover = self._setpoints.hold(pose)
            return hover if stack.needs_stream else None
        if phase is Phase.CLIMBING and top is not None:
            self._has_vehicle = False
            climb = self._setpoints.hold(top)
            return climb if self._engagement.is_led_up else None
        if not self._has_vehicle:
            self._has_vehicle = True
            self._setpoints.begin(pose)
        return self._setpoints.follow(now, pose)

    def _announce(self) -> None:
        news = (self._engagement.phase, self._engagement.refusal)
        if news != self._announced:
            self._announced = news
            self.get_logger().info(self._summary())

    def _summary(self) -> str:
        phase, refusal = self._engagement.phase, self._engagement.refusal
        is_over = phase in _OTHER_HANDS and refusal
        return f'{phase.value} ({refusal}; ~/engage asks anew)' if is_over else phase.value

    def _diagnose(self) -> None:
        stack, now = self._stack, time.monotonic()
        assert stack is not None
        is_silent = now - max(self._pose_at, self._began_at) > _SILENCE_S
        if is_silent:
            stack.warn(self._silence(stack))
        is_starved = self._engagement.is_engaged and self._setpoints.is_holding
        text = self._summary() + ('; holding: no new waypoint' if is_starved else '')
        mode = self._status.mode if self._status is not None else 'unknown'
        values = {
            'stack': self._config.stack,
            'phase': self._engagement.phase.name.lower(),
            'mode': mode,
            'armed': self._status is not None and self._status.is_armed,
            'battery': 'unknown' if self._battery is None else self._battery,
            'pose_age_s': now - self._pose_at,
            'waypoint_age_s': self._setpoints.age_s(now),
            'messages_dropped': self._n_dropped,
            'mission_paused': self._explorer.has_paused,
        }
        level = DiagnosticStatus.WARN if is_silent or is_starved else DiagnosticStatus.OK
        message = DiagnosticArray()
        message.header = conversions.header(1e-9 * self.get_clock().now().nanoseconds, '')
        name = f'{self.get_fully_qualified_name()}: {self._config.stack}'
        message.status = [conversions.to_status(level, name, text, values)]
        self._diagnostics.publish(message)

    def _silence(self, stack: FlightStack) -> str:
        """Return what to say where no pose comes, with the topics it may be on instead."""
        wanted = stack.pose_topic.rsplit('/', 1)[-1]
        similar = [
            name
            for name, _ in self.get_topic_names_and_types()
            if wanted
            and name.rsplit('/', 1)[-1].startswith(wanted)
            and self.count_publishers(name)
        ]
        hint = f'; published are: {", ".join(similar)}' if similar else ''
        return f"no pose on '{stack.pose_topic}' for {_SILENCE_S:.0f} s{hint}"


def _is_sane(*coordinates: float) -> bool:
    return all(abs(value) <= _FARTHEST_M for value in coordinates)


def main(args: list[str] | None = None) -> int:
    """Run the node until it is told to end."""
    return run(FlightStackNode, args)


if __name__ == '__main__':
    sys.exit(main())
