# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Area, zones and home by topic.

A message becomes a change of parameters, so both ways pass the same checks, and
``ros2 param get`` always tells what is in force. A polygon has float32 corners by definition:
centimetres where coordinates stay below some 100 km, so a map frame should begin nearby.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from geometry_msgs.msg import PolygonStamped, PoseStamped
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription

from ..core.plane import SearchPlane
from ..core.types import Pose
from . import qos

MAX_CORNERS = 1000
"""Corners of a polygon that are taken from a message."""


class LiveChanges:
    """
    Hears ``set_area``, ``add_zone`` and ``set_home``; what cannot be used is refused with a line.

    :param node: owns the subscriptions and the parameters.
    :param frame_id: frame every message must have; an empty one is taken for it.
    :param plane: the one that is searched.
    """

    def __init__(self, node: Node, frame_id: str, plane: SearchPlane) -> None:
        self._node = node
        self._frame = frame_id
        self._plane = plane
        self._subscriptions: dict[str, list[Subscription]] = {}
        for topic, kind, take, kept, fresh in (
            (qos.SET_AREA, PolygonStamped, self._take_area, qos.LATCHED, qos.EVENTS),
            (qos.ADD_ZONE, PolygonStamped, self._take_zone, qos.ZONES, qos.NEW_ZONES),
            (qos.SET_HOME, PoseStamped, self._take_home, qos.LATCHED, qos.EVENTS),
        ):
            self._subscribe(topic, kind, take, kept, fresh)

    def destroy(self) -> None:
        """Remove the subscriptions."""
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                self._node.destroy_subscription(subscription)
        self._subscriptions.clear()

    def _subscribe(
        self,
        topic: str,
        kind: type,
        take: Callable[[Any], None],
        kept: QoSProfile,
        fresh: QoSProfile,
    ) -> None:
        logger = self._node.get_logger()

        def on_incompatible(event: Any) -> None:
            heard = self._subscriptions.get(topic, [])
            if len(heard) != 1:
                return
            # A subscription that asks for kept messages never hears a publisher that keeps none;
            # without it, nobody hears what others have kept.
            logger.warning(f"topic '{topic}': a publisher keeps no messages; new ones are heard")
            events = qos.subscription_events(topic, logger.error)
            heard.append(
                self._node.create_subscription(kind, topic, take, fresh, event_callbacks=events)
            )

        first = SubscriptionEventCallbacks(incompatible_qos=on_incompatible)
        self._subscriptions[topic] = [
            self._node.create_subscription(kind, topic, take, kept, event_callbacks=first)
        ]

    def _take_area(self, message: PolygonStamped) -> None:
        corners = self._corners(qos.SET_AREA, message)
        if corners is not None:
            numbers = [value for corner in corners for value in corner]
            self._set(qos.SET_AREA, [Parameter('area.polygon', value=numbers)])

    def _take_zone(self, message: PolygonStamped) -> None:
        corners = self._corners(qos.ADD_ZONE, message)
        if corners is None:
            return
        text = '; '.join(f'{x!r},{y!r}' for x, y in corners)
        zones = list(self._node.get_parameter('no_fly.polygons').value or [])
        if text in zones:
            return
        if len(zones) >= qos.MAX_ZONES:
            self._refuse(qos.ADD_ZONE, f'there are {qos.MAX_ZONES} zones already')
            return
        self._set(qos.ADD_ZONE, [Parameter('no_fly.polygons', value=[*zones, text])])

    def _take_home(self, message: PoseStamped) -> None:
        place = message.pose.position
        home = self._place(qos.SET_HOME, message.header.frame_id, (place.x, place.y, place.z))
        if home is not None:
            parameters = [
                Parameter('home.mode', value='fixed'),
                Parameter('home.x', value=home[0]),
                Parameter('home.y', value=home[1]),
            ]
            self._set(qos.SET_HOME, parameters)

    def _corners(
        self, topic: str, message: PolygonStamped
    ) -> list[tuple[float, float]] | None:
        points = message.polygon.points
        if not 3 <= len(points) <= MAX_CORNERS:
            self._refuse(topic, f'a polygon has 3 to {MAX_CORNERS} corners, got {len(points)}')
            return None
        corners = []
        for point in points:
            place = (float(point.x), float(point.y), float(point.z))
            corner = self._place(topic, message.header.frame_id, place)
            if corner is None:
                return None
            corners.append(corner)
        return corners

    def _place(
        self, topic: str, frame: str, place: tuple[float, float, float]
    ) -> tuple[float, float] | None:
        if frame and frame != self._frame:
            self._refuse(topic, f"the frame must be '{self._frame}', got '{frame}'")
            return None
        if not all(map(math.isfinite, place)):
            self._refuse(topic, f'a place must be finite, got {place}')
            return None
        pose = self._plane.pose(Pose(*place))
        return pose.x, pose.y

    def _set(self, topic: str, parameters: Sequence[Parameter]) -> None:
        result = self._node.set_parameters_atomically(list(parameters))
        if not result.successful:
            self._refuse(topic, result.reason)
        else:
            self._node.get_logger().info(f"topic '{topic}': taken over")

    def _refuse(self, topic: str, reason: str) -> None:
        self._node.get_logger().error(f"topic '{topic}': refused: {reason}")
