# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Follows a mission from outside, through topics only."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import rclpy
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import PointCloud2, PointField
from std_msgs.msg import String

from ..core.plane import GROUND, SearchPlane
from ..core.record import MissionRecord
from ..core.types import FloatArray, Pose
from . import conversions, qos
from .config import PoseInputConfig
from .context import open_context


class MissionListener:
    """
    A node in a context of its own that keeps the newest record and map and hands on every pose.

    :param pose_input: topic and type of the pose.
    :param on_pose: takes every finite pose, in order.
    :param domain_id: ROS domain the mission flies in.
    :param plane: the one that is searched; poses, waypoint and map are told as places on it.
    """

    def __init__(
        self,
        pose_input: PoseInputConfig,
        on_pose: Callable[[Pose], object],
        domain_id: int,
        plane: SearchPlane = GROUND,
    ) -> None:
        self._plane = plane
        self.record: MissionRecord | None = None
        self.waypoint: Pose | None = None
        self._map: PointCloud2 | None = None
        self._on_pose = on_pose
        # Without handlers of its own rclpy leaves Ctrl-C to Python, which raises it here.
        self._context = open_context(domain_id)
        self._node = rclpy.create_node('mission_listener', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        pose_type = Odometry if pose_input.type == 'odometry' else PoseStamped
        for message_type, topic, callback, profile in (
            (String, qos.RECORD, self._take_record, qos.LATCHED),
            (PointCloud2, qos.MAP, self._take_map, qos.LATCHED),
            (PoseStamped, qos.WAYPOINT, self._take_waypoint, qos.STREAM),
            (pose_type, pose_input.topic, self._take_pose, qos.INPUT),
        ):
            self._node.create_subscription(message_type, topic, callback, profile)

    def listen(self, timeout_s: float) -> None:
        """Handle one message, or none within the timeout, seconds."""
        self._executor.spin_once(timeout_sec=timeout_s)

    def close(self) -> None:
        """Leave the graph."""
        self._executor.shutdown(timeout_sec=0.0)
        self._node.destroy_node()
        rclpy.try_shutdown(context=self._context)

    def map(self) -> dict[str, FloatArray]:
        """
        Return the newest map by field: x, y, z, mean, std, each of shape ``(M,)``.

        z is the distance from the plane. Before the first map every array is empty.
        """
        if self._map is None:
            return {name: np.empty(0) for name in ('x', 'y', 'z', 'mean', 'std')}
        fields = cloud_fields(self._map)
        places = self._plane.project(np.column_stack([fields[axis] for axis in 'xyz']))
        return {**fields, **dict(zip('xyz', places.T))}

    def _take_record(self, message: String) -> None:
        self.record = MissionRecord.from_dict(_with_nan(json.loads(message.data)))

    def _take_map(self, message: PointCloud2) -> None:
        self._map = message

    def _take_waypoint(self, message: PoseStamped) -> None:
        pose = conversions.to_pose(message, 0.0)
        if isinstance(pose, Pose):
            self.waypoint = self._plane.pose(pose)

    def _take_pose(self, message: Any) -> None:
        pose = conversions.to_pose(message, 0.0)
        if isinstance(pose, Pose):
            self._on_pose(self._plane.pose(pose))


def cloud_fields(cloud: PointCloud2) -> dict[str, FloatArray]:
    """
    Return the float32 fields of a cloud by name, each of shape ``(M,)``.

    :param cloud: little-endian, of one row.
    :raises ValueError: if a field is not float32.
    """
    for field in cloud.fields:
        if field.datatype != PointField.FLOAT32:
            raise ValueError(f"field '{field.name}' must be float32, got {field.datatype!r}.")
    layout = np.dtype(
        {
            'names': [field.name for field in cloud.fields],
            'formats': ['<f4'] * len(cloud.fields),
            'offsets': [field.offset for field in cloud.fields],
            'itemsize': cloud.point_step,
        }
    )
    rows = np.frombuffer(bytes(cloud.data), dtype=layout, count=cloud.width * cloud.height)
    return {field.name: rows[field.name].astype(np.float64) for field in cloud.fields}


def _with_nan(values: dict[str, Any]) -> dict[str, Any]:
    """Turn the null that stands for a number that is not finite in the estimate back into NaN."""
    best = values.get('best')
    if isinstance(best, dict):
        values['best'] = {k: math.nan if v is None else v for k, v in best.items()}
    return values
