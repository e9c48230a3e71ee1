# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A stage with the node, a vehicle and somebody who sends waypoints, in one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from bo_explorer.core.types import Waypoint

from . import interfaces

TIMEOUT_S = 30.0
STREAM_S = 0.05


class Stage:
    """
    Runs everything in one executor.

    :param context: of the nodes.
    """

    def __init__(self, context: Any) -> None:
        import rclpy
        from geometry_msgs.msg import PoseStamped
        from rclpy.executors import SingleThreadedExecutor
        from sensor_msgs.msg import BatteryState

        from bo_explorer.ros import qos

        self._context = context
        self._executor = SingleThreadedExecutor(context=context)
        self._nodes: list[Any] = []
        self.world = self._add(rclpy.create_node('world', context=context))
        self.adapter: Any = None
        self.vehicle: Any = None
        self.waypoint: Waypoint | None = None
        """Streamed as the explorer does, ``None`` for silence."""
        self.frame = 'map'
        self.poses: list[Any] = []
        self.batteries: list[Any] = []
        self._waypoints = self.world.create_publisher(PoseStamped, qos.WAYPOINT, qos.STREAM)
        self.world.create_subscription(PoseStamped, 'pose', self.poses.append, qos.INPUT)
        self.world.create_subscription(BatteryState, 'battery', self.batteries.append, qos.INPUT)
        self.world.create_timer(STREAM_S, self._stream)

    def start(self, stack: str, vehicle: Any, **options: Any) -> Any:
        """
        Start a vehicle and the node that flies it; options of the stack hold its name and a dot.

        :param stack: name of the stack.
        :param vehicle: class of the vehicle, or a function that makes it of a node.
        :param options: below ``flight_stack.``; two underscores stand for a dot.
        """
        from rclpy.parameter import Parameter

        from bo_explorer.ros.flight_stack import FlightStackNode

        self.vehicle = vehicle(self.world)
        # A second of proof in a third of the time.
        self.vehicle.proof_s, self.vehicle.speed_mps = 0.3, 40.0
        quick = {'warm_up_s': 0.4, 'waypoint_timeout_s': 0.4, 'stream_hz': 40.0}
        values = {'stack': stack, 'explorer': '', **quick, **options}
        overrides = [
            Parameter(f'flight_stack.{key.replace("__", ".")}', value=value)
            for key, value in values.items()
        ]
        self.adapter = FlightStackNode(context=self._context, parameter_overrides=overrides)
        self._add(self.adapter)
        self.adapter.bring_up()
        return self.vehicle

    def wait(self, condition: Callable[[], Any], what: str, timeout_s: float = TIMEOUT_S) -> Any:
        """Let everything run until the condition holds and return what it gave."""
        end = time.monotonic() + timeout_s
        while not (result := condition()):
            assert time.monotonic() < end, f'waited in vain for {what}'
            self._executor.spin_once(timeout_sec=0.02)
        return result

    def run(self, seconds: float) -> None:
        """Let everything run for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._executor.spin_once(timeout_sec=0.02)

    def phase(self) -> str:
        """Return the name of the node's phase."""
        return self.adapter._engagement.phase.name

    def wait_for_phase(self, *names: str) -> None:
        """Let everything run until the node is in one of the phases."""
        self.wait(lambda: self.phase() in names, f'phase {names}, it is {self.phase()}')

    def close(self) -> None:
        """Take everything down."""
        if self.adapter is not None:
            self.adapter.close()
        for node in self._nodes:
            self._executor.remove_node(node)
        self._executor.shutdown()
        for node in self._nodes:
            node.destroy_node()

    def _add(self, node: Any) -> Any:
        self._nodes.append(node)
        self._executor.add_node(node)
        return node

    def _stream(self) -> None:
        from bo_explorer.ros import conversions

        if self.waypoint is not None:
            stamp = 1e-9 * self.world.get_clock().now().nanoseconds
            self._waypoints.publish(conversions.to_pose_stamped(self.waypoint, stamp, self.frame))


@pytest.fixture
def stage(context):
    """Return an empty stage in a domain of its own, with the stacks' messages at hand."""
    interfaces.import_path()
    stage = Stage(context)
    yield stage
    stage.close()
