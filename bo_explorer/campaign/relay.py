# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Stands between simulator and explorer, hands every message on and spoils some of them."""

from __future__ import annotations

import copy
import heapq
import itertools
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock  # type: ignore[import-untyped]
from std_msgs.msg import Float64

from ..ros import qos
from ..ros.conversions import seconds, to_time
from .plan import PlannedFault

TRUE_POSE = 'true_pose'
TRUE_READING = 'true_reading'
TRUE_CLOCK = '/true_clock'

_MOST_LATE_S = 0.3
_JUMP_EVERY_S = 0.4
# As many wild poses in a row; three that agree are the localisation's last word.
_JUMPED_POSES = 2


def remappings() -> list[str]:
    """Return the arguments by which the simulator speaks to the relay alone."""
    pairs = {'pose': TRUE_POSE, 'reading': TRUE_READING, '/clock': TRUE_CLOCK}
    return [part for old, new in pairs.items() for part in ('-r', f'{old}:={new}')]


class FaultRelay:
    """
    Relays pose, reading and clock.

    :param node: owns the topics.
    :param rng: decides which messages are spoilt.
    :param on_true_pose: takes every pose before it is spoilt.
    """

    def __init__(
        self,
        node: Node,
        rng: np.random.Generator,
        on_true_pose: Callable[[PoseStamped], object],
    ) -> None:
        self._rng = rng
        self._on_true_pose = on_true_pose
        self._faults: list[tuple[PlannedFault, float]] = []
        self._offset_s = 0.0
        self._jumped = 0
        self._jumped_at = -math.inf
        self._jump = (0.0, 0.0)
        self._order = itertools.count()
        self._late: list[tuple[float, int, Any, Any]] = []
        self._poses = node.create_publisher(PoseStamped, 'pose', qos.SENSOR_OUTPUT)
        self._readings = node.create_publisher(Float64, 'reading', qos.SENSOR_OUTPUT)
        self._clock = node.create_publisher(Clock, qos.CLOCK, qos.CLOCK_OUTPUT)
        # The witness must miss nothing, however late this process gets its turn.
        deep = QoSProfile(
            history=HistoryPolicy.KEEP_LAST,
            depth=2000,
            reliability=ReliabilityPolicy.BEST_EFFORT,
            durability=DurabilityPolicy.VOLATILE,
        )
        node.create_subscription(PoseStamped, TRUE_POSE, self._take_pose, deep)
        node.create_subscription(Float64, TRUE_READING, self._take_reading, deep)
        node.create_subscription(Clock, TRUE_CLOCK, self._take_clock, qos.CLOCK_OUTPUT)

    def begin(self, fault: PlannedFault) -> None:
        """Let a fault go on from now."""
        if fault.kind == 'clock_jump':
            self._offset_s += fault.amount
        else:
            self._faults.append((fault, time.monotonic() + fault.lasts_s))

    @property
    def is_well(self) -> bool:
        """Whether no fault goes on."""
        self._forget_ended()
        return not self._faults and not self._late

    def deliver(self) -> None:
        """Send what was held back until now; to be called often."""
        now = time.monotonic()
        while self._late and self._late[0][0] <= now:
            _, _, publisher, message = heapq.heappop(self._late)
            publisher.publish(message)

    def _forget_ended(self) -> None:
        now = time.monotonic()
        self._faults = [(fault, end) for fault, end in self._faults if end > now]

    def _active(self, kind: str) -> PlannedFault | None:
        return next((fault for fault, _ in self._faults if fault.kind == kind), None)

    def _hits(self, kind: str) -> bool:
        fault = self._active(kind)
        return fault is not None and self._rng.random() < fault.amount

    def _take_clock(self, message: Clock) -> None:
        now = seconds(message.clock, 0.0) + self._offset_s
        self._clock.publish(Clock(clock=to_time(now)))

    def _take_pose(self, message: PoseStamped) -> None:
        self._on_true_pose(message)
        self._forget_ended()
        if self._active('pose_gap') is not None:
            return
        told = copy.deepcopy(message)
        told.header.stamp = to_time(seconds(message.header.stamp, 0.0) + self._offset_s)
        jump = self._active('pose_jump')
        if jump is not None:
            self._displace(told, jump.amount)
        self._send(self._poses, told)

    def _displace(self, pose: PoseStamped, distance_m: float) -> None:
        now = time.monotonic()
        if now - self._jumped_at > _JUMP_EVERY_S:
            self._jumped, self._jumped_at = _JUMPED_POSES, now
            angle = self._rng.uniform(0.0, 2.0 * math.pi)
            self._jump = (distance_m * math.cos(angle), distance_m * math.sin(angle))
        if self._jumped > 0:
            self._jumped -= 1
            pose.pose.position.x += self._jump[0]
            pose.pose.position.y += self._jump[1]

    def _take_reading(self, message: Float64) -> None:
        self._forget_ended()
        if self._hits('reading_dropout'):
            return
        value = message.data
        if self._hits('reading_nan'):
            value = float(self._rng.choice([math.nan, math.inf, -math.inf]))
        outlier = self._active('reading_outlier')
        if outlier is not None and self._rng.random() < 0.3:
            value = float(self._rng.choice([-1.0, 1.0])) * 10.0**outlier.amount
        self._send(self._readings, Float64(data=value))

    def _send(self, publisher: Any, message: Any) -> None:
        copies = 2 if self._hits('duplicate') else 1
        for _ in range(copies):
            if self._hits('late'):
                due = time.monotonic() + self._rng.uniform(0.0, _MOST_LATE_S)
                heapq.heappush(self._late, (due, next(self._order), publisher, message))
            else:
                publisher.publish(message)
