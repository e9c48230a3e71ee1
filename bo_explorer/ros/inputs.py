# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What the explorer hears; bad messages are counted, named and dropped."""

from __future__ import annotations

import difflib
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.subscription import Subscription
from sensor_msgs.msg import BatteryState

from ..core.plane import GROUND, SearchPlane
from ..core.types import Pose
from . import conversions, qos
from .config import NodeConfig
from .readings import ReadingSource
from .recorder import MissionRecorder

_WARN_PERIOD_S = 5.0


class MissionInputs:
    """
    Subscribes and hands on what is usable.

    :param node: owns the subscriptions.
    :param config: topics, types and the frame every pose must have.
    :param recorder: records what is heard.
    :param plane: the one that is searched; a pose too far from the stand-off is dropped.
    :param pose_timeout_s: without a pose for this long there is a problem, seconds.
    :param on_pose: takes a finite pose on the plane, z the distance from it.
    :param on_reading: takes a value, good or bad, and its stamp in seconds.
    :param on_battery: takes the state of charge from 0 to 1, or ``None`` for unknown.
    :raises ConfigError: if the sensor's message or field does not exist.
    """

    def __init__(
        self,
        node: Node,
        config: NodeConfig,
        *,
        recorder: MissionRecorder,
        plane: SearchPlane = GROUND,
        pose_timeout_s: float,
        on_pose: Callable[[Pose], object],
        on_reading: Callable[[float, float], object],
        on_battery: Callable[[float | None], object],
    ) -> None:
        self._node = node
        self._config = config
        self._plane = plane
        self._recorder = recorder
        self._source = ReadingSource.from_config(config.sensor)
        self._pose_timeout_s = pose_timeout_s
        self._on_pose = on_pose
        self._on_reading = on_reading
        self._on_battery = on_battery
        self._warned_at: dict[tuple[str, str], float] = {}
        self._last_pose_at: float | None = None
        self._created_at = time.monotonic()
        self.rejections: Counter[str] = Counter()
        self.battery: float | None = None
        pose_type = Odometry if config.pose.type == 'odometry' else PoseStamped
        self._subscriptions: list[Subscription] = [
            self._subscribe(pose_type, config.pose.topic, self._take_pose),
            self._subscribe(self._source.message_type, config.sensor.topic, self._take_reading),
        ]
        if config.battery.topic:
            self._subscriptions.append(
                self._subscribe(BatteryState, config.battery.topic, self._take_battery)
            )

    def destroy(self) -> None:
        """Remove the subscriptions."""
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)
        self._subscriptions.clear()

    @property
    def pose_topic(self) -> str:
        """Name of the pose topic, as configured."""
        return self._config.pose.topic

    @property
    def pose_age_s(self) -> float | None:
        """Wall time since the last usable pose, seconds, or ``None`` before the first."""
        return None if self._last_pose_at is None else time.monotonic() - self._last_pose_at

    def pose_problem(self) -> str:
        """Return what is wrong with the pose, empty where nothing is."""
        age, timeout = self.pose_age_s, self._pose_timeout_s
        waited = time.monotonic() - self._created_at if age is None else age
        if waited <= timeout:
            return ''
        topic = self._config.pose.topic
        publishers = self._node.count_publishers(topic)
        problem = f"no usable pose on '{topic}' for {waited:.0f} s; publishers there: {publishers}"
        others = [] if publishers else self._similar_topics(topic)
        return f'{problem}; is it one of {", ".join(others)}?' if others else problem

    def _similar_topics(self, topic: str) -> list[str]:
        """Return the topics of this moment that may be meant, each with its type."""
        ours = self._node.resolve_topic_name(topic)
        kinds = dict(self._node.get_topic_names_and_types())
        kinds.pop(ours, None)
        # Where the name has changed its ending, or stands in another namespace.
        names = difflib.get_close_matches(ours, kinds, n=3, cutoff=0.7)
        last = ours.rsplit('/', 1)[-1]
        names += [name for name in kinds if name.endswith(f'/{last}') and name not in names]
        return [f"'{name}' ({kinds[name][0]})" for name in names[:3]]

    def warn(self, topic: str, kind: str, text: str) -> None:
        """Log a warning, at most every five seconds for each topic and kind."""
        now, key = time.monotonic(), (topic, kind)
        if now - self._warned_at.get(key, -_WARN_PERIOD_S) >= _WARN_PERIOD_S:
            self._warned_at[key] = now
            self._node.get_logger().warning(f"topic '{topic}': {text}")

    def _subscribe(
        self, message_type: type, topic: str, callback: Callable[[Any], None]
    ) -> Subscription:
        events = qos.subscription_events(topic, self._node.get_logger().error)
        return self._node.create_subscription(
            message_type,
            topic,
            self._recorder.tap_input(topic, message_type, callback),
            qos.INPUT,
            event_callbacks=events,
        )

    def _receipt(self) -> float:
        return 1e-9 * self._node.get_clock().now().nanoseconds

    def _take_pose(self, message: PoseStamped | Odometry) -> None:
        topic, frame = self._config.pose.topic, message.header.frame_id
        # An empty frame is taken for the configured one: several pose sources never fill it in.
        if frame and frame != self._config.frame_id:
            self.rejections['pose_frame'] += 1
            self.warn(
                topic,
                'frame',
                f"a pose in the frame '{frame}' is dropped: it must be in "
                f"'{self._config.frame_id}' (parameter frame_id).",
            )
            return
        pose = conversions.to_pose(message, self._receipt())
        if isinstance(pose, str):
            self.rejections['pose_not_finite'] += 1
            self.warn(topic, 'finite', f'a pose is dropped: {pose}.')
            return
        pose = self._plane.pose(pose)
        if not self._plane.is_near(pose.z):
            self.rejections['pose_off_plane'] += 1
            self.warn(
                topic,
                'plane',
                f'a pose is dropped: the vehicle is {pose.z:.2f} m from the plane and must keep '
                f'{self._plane.stand_off_m:g} m (plane.stand_off_m, plane.tolerance_m).',
            )
            return
        self._last_pose_at = time.monotonic()
        self._on_pose(pose)

    def _take_reading(self, message: Any) -> None:
        receipt = self._receipt()
        stamp = receipt
        if hasattr(message, 'header'):
            stamp = conversions.seconds(message.header.stamp, receipt)
        self._on_reading(self._source.value(message), stamp)

    def _take_battery(self, message: BatteryState) -> None:
        fraction = conversions.to_fraction(message, self._config.battery.scale)
        if isinstance(fraction, str):
            self.rejections['battery_scale'] += 1
            self.warn(self._config.battery.topic, 'scale', f'{fraction}; taken for unknown.')
            fraction = None
        self.battery = fraction
        self._on_battery(fraction)
