# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A pretend vehicle in a pretend field, seen through topics only.

It publishes with best effort, as flight stacks do, and follows the ``waypoint`` topic. It is no
autopilot: it flies straight at the waypoint, and stops when none has come for a while. It moves in
a plane parallel to the searched one, at its own distance from it.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import OccupancyGrid, Odometry
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rosgraph_msgs.msg import Clock as ClockMessage  # type: ignore[import-untyped]
from sensor_msgs.msg import BatteryState, PointCloud2

from ..core.options import from_flat, walk
from ..core.plane import SearchPlane
from ..core.types import FloatArray, Waypoint
from ..sim.battery import Battery
from ..sim.config import SimulatorConfig
from ..sim.fields import Field, make_field
from ..sim.sensor import Sensor
from ..sim.streams import random_streams
from ..sim.vehicle import PointVehicle
from . import conversions, qos
from .config import SimulatorNodeConfig, SimulatorTopicsConfig
from .parameters import ParameterStore
from .readings import ReadingSource
from .spin import run

_NODE_PREFIX = 'simulator.node.'
_PREFIX = 'simulator.'
_MAX_STEPS_AT_ONCE = 10
_TRUTH_CELLS = 100
_BATTERY_PERIOD_S = 1.0


class SimulatorNode(Node):  # type: ignore[misc]
    """
    Steps the pretend world on the steady clock.

    :param arguments: keyword arguments of :class:`rclpy.node.Node`.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__('simulator', **arguments)
        self._is_built = False
        self._store = ParameterStore(
            self,
            [
                *walk(SimulatorTopicsConfig),
                *walk(SimulatorConfig, _PREFIX),
                *walk(SimulatorNodeConfig, _NODE_PREFIX),
            ],
            is_foreign=lambda key: not key.startswith(_PREFIX),
            is_locked=lambda: self._is_built,
        )

    def bring_up(self) -> None:
        """
        Build the world and let its time run.

        :raises ConfigError: if a parameter is bad.
        """
        values = self._store.values()
        self._topics = from_flat(
            SimulatorTopicsConfig, {s.key: values[s.key] for s in walk(SimulatorTopicsConfig)}
        )
        self._config = from_flat(
            SimulatorNodeConfig,
            {s.key: values[s.key] for s in walk(SimulatorNodeConfig, _NODE_PREFIX)},
            _NODE_PREFIX,
        )
        world = from_flat(
            SimulatorConfig,
            {s.key: values[s.key] for s in walk(SimulatorConfig, _PREFIX)},
            _PREFIX,
        )
        self._build_world(world)
        self._create_publishers()
        self.create_subscription(
            PoseStamped, qos.WAYPOINT, self._take_waypoint, qos.WAYPOINT_INPUT
        )
        self._publish_ground_truth()
        self._is_built = True
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._stepped_at = time.monotonic()
        self.create_timer(
            self._config.step_s / self._config.speed_factor, self._tick, clock=steady
        )
        best = self._field.maximum
        self.get_logger().info(
            f'the true maximum is {best.value:.4g} at ({best.point[0]:.1f}, {best.point[1]:.1f})'
        )

    def close(self) -> bool:
        """Do nothing: the node runs nothing of its own."""
        return True

    def _build_world(self, world: SimulatorConfig) -> None:
        streams = random_streams(world.seed)
        self._world = world
        distance_m = world.vehicle.altitude_m
        self._plane = SearchPlane(replace(self._topics.plane, stand_off_m=distance_m), distance_m)
        self._field: Field = make_field(world.field, streams.field)
        self._sensor = Sensor(world.sensor, streams.sensor)
        self._vehicle = PointVehicle.from_config(world.vehicle)
        self._battery = Battery.from_config(world.battery, world.vehicle.speed_mps)
        self._source = ReadingSource.from_config(self._topics.sensor)
        self._source.filled(0.0)
        self._now = 1e-9 * self.get_clock().now().nanoseconds
        self._pose_due = self._battery_due = -math.inf
        self._waypoint: FloatArray | None = None
        self._waypoint_at = -math.inf

    def _create_publishers(self) -> None:
        topics = self._topics
        pose_type = Odometry if topics.pose.type == 'odometry' else PoseStamped
        self._poses = self.create_publisher(pose_type, topics.pose.topic, qos.SENSOR_OUTPUT)
        self._readings = self.create_publisher(
            self._source.message_type, topics.sensor.topic, qos.SENSOR_OUTPUT
        )
        self._batteries = None
        if topics.battery.topic and self._world.battery.report:
            self._batteries = self.create_publisher(
                BatteryState, topics.battery.topic, qos.SENSOR_OUTPUT
            )
        self._clock_publisher = None
        if self._config.publish_clock:
            self._clock_publisher = self.create_publisher(
                ClockMessage, qos.CLOCK, qos.CLOCK_OUTPUT
            )

    def _take_waypoint(self, message: PoseStamped) -> None:
        pose = conversions.to_pose(message, self._now)
        if isinstance(pose, str):
            self.get_logger().warning(f'a waypoint is dropped: {pose}', throttle_duration_sec=5.0)
            return
        self._waypoint, self._waypoint_at = self._plane.pose(pose).position, time.monotonic()

    def _tick(self) -> None:
        """Catch up with the clock; after a long gap the rest of it never happened."""
        now = time.monotonic()
        step = self._config.step_s
        due = (now - self._stepped_at) * self._config.speed_factor
        steps = min(int(due / step), _MAX_STEPS_AT_ONCE)
        self._stepped_at = (
            now
            if due / step > _MAX_STEPS_AT_ONCE
            else (self._stepped_at + steps * step / self._config.speed_factor)
        )
        for _ in range(steps):
            self._step(step)

    def _step(self, step: float) -> None:
        age = time.monotonic() - self._waypoint_at
        waypoint = self._waypoint if age <= self._config.waypoint_timeout_s else None
        before = self._vehicle.position
        self._vehicle.step(waypoint, step)
        position = self._vehicle.position
        self._battery.fly(position - before, step)
        self._now += step
        if self._clock_publisher is not None:
            self._clock_publisher.publish(ClockMessage(clock=conversions.to_time(self._now)))
        if self._now >= self._pose_due:
            self._pose_due = self._now + 1.0 / self._config.pose_hz - 0.5 * step
            self._publish_pose(position)
        for value, stamp in self._sensor.read(self._field, position, self._now):
            message = self._source.filled(value)
            if hasattr(message, 'header'):
                message.header = conversions.header(stamp, self._topics.frame_id)
            self._readings.publish(message)
        if self._batteries is not None and self._now >= self._battery_due:
            self._battery_due = self._now + _BATTERY_PERIOD_S
            share = self._battery.reported / self._topics.battery.scale
            self._batteries.publish(BatteryState(percentage=float(share), present=True))

    def _publish_pose(self, position: FloatArray) -> None:
        velocity = self._vehicle.velocity @ self._plane.axes[:2]
        yaw = None if self._vehicle.is_at_rest else math.atan2(velocity[1], velocity[0])
        place = self._plane.waypoint(Waypoint(float(position[0]), float(position[1]), yaw=yaw))
        message = conversions.to_pose_stamped(place, self._now, self._topics.frame_id)
        if self._topics.pose.type == 'odometry':
            odometry = Odometry(header=message.header, child_frame_id='base_link')
            odometry.pose.pose = message.pose
            self._poses.publish(odometry)
        else:
            self._poses.publish(message)

    def _publish_ground_truth(self) -> None:
        bounds = self._field.bounds
        width, height = bounds.max_x - bounds.min_x, bounds.max_y - bounds.min_y
        spacing = max(width, height) / _TRUTH_CELLS
        xs, ys = np.meshgrid(
            bounds.min_x + spacing * (0.5 + np.arange(max(round(width / spacing), 1))),
            bounds.min_y + spacing * (0.5 + np.arange(max(round(height / spacing), 1))),
        )
        points = np.column_stack([xs.ravel(), ys.ravel()])
        values = self._field.value(points)
        cloud = conversions.to_point_cloud(
            points, {'value': values}, self._now, self._topics.frame_id, self._plane
        )
        # Kept: a publisher that is collected takes its latched message along.
        self._truth = self.create_publisher(PointCloud2, qos.GROUND_TRUTH, qos.LATCHED)
        self._truth.publish(cloud)
        self._truth_grid = self.create_publisher(OccupancyGrid, qos.GROUND_TRUTH_GRID, qos.LATCHED)
        grid = conversions.to_grid(
            points, values, spacing, self._now, self._topics.frame_id, self._plane
        )
        if grid is not None:
            self._truth_grid.publish(grid)


def main(args: list[str] | None = None) -> int:
    """Run the simulator node until it is told to end."""
    return run(SimulatorNode, args)


if __name__ == '__main__':
    sys.exit(main())
