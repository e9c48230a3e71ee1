# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Every topic name and QoS profile in one place.

All names are relative, so a namespace moves the whole node; ``/clock`` is absolute by convention.
The names of the inputs are parameters (``pose.topic``, ``sensor.topic``, ``battery.topic``).
"""

from __future__ import annotations

from collections.abc import Callable

from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSProfile,
    ReliabilityPolicy,
    qos_policy_name_from_kind,
)

WAYPOINT = 'waypoint'
PATH = 'path'
MAP = 'map'
MEAN_GRID = 'mean_grid'
STD_GRID = 'std_grid'
MARKERS = 'markers'
BEST_ESTIMATE = 'best_estimate'
DIAGNOSTICS = 'diagnostics'
RECORD = 'record'
GROUND_TRUTH = 'ground_truth'
GROUND_TRUTH_GRID = 'ground_truth_grid'
SET_AREA = 'set_area'
ADD_ZONE = 'add_zone'
SET_HOME = 'set_home'
CLOCK = '/clock'

MAX_ZONES = 200
"""Zones that are taken from messages."""


def _profile(
    depth: int, reliability: ReliabilityPolicy, durability: DurabilityPolicy
) -> QoSProfile:
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=reliability,
        durability=durability,
    )


INPUT = _profile(20, ReliabilityPolicy.BEST_EFFORT, DurabilityPolicy.VOLATILE)
"""Pose, readings, battery: a best-effort subscriber hears every kind of publisher."""

SENSOR_OUTPUT = _profile(20, ReliabilityPolicy.BEST_EFFORT, DurabilityPolicy.VOLATILE)
"""What the simulator publishes, as flight stacks do."""

STREAM = _profile(1, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
"""The waypoint: only the newest counts, and a late joiner hears the next one at once."""

WAYPOINT_INPUT = _profile(1, ReliabilityPolicy.BEST_EFFORT, DurabilityPolicy.VOLATILE)
"""The waypoint as the simulator hears it, as flight stacks do."""

LATCHED = _profile(1, ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL)
"""Map, grids, path, markers, record: a late joiner gets the last one."""

ZONES = _profile(MAX_ZONES, ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL)
"""Zones to add: each counts, so none may push out another that was not taken yet."""

NEW_ZONES = _profile(MAX_ZONES, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
"""Zones of a publisher that keeps none."""

EVENTS = _profile(10, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
"""Diagnostics."""

CLOCK_OUTPUT = _profile(1, ReliabilityPolicy.BEST_EFFORT, DurabilityPolicy.VOLATILE)
"""Simulated time, as rclpy subscribes to it."""


def subscription_events(topic: str, error: Callable[[str], object]) -> SubscriptionEventCallbacks:
    """
    Return callbacks that report a publisher with incompatible QoS once per policy.

    :param topic: name for the text.
    :param error: takes the text.
    """
    return SubscriptionEventCallbacks(incompatible_qos=_reporter(topic, 'publisher', error))


def publisher_events(topic: str, error: Callable[[str], object]) -> PublisherEventCallbacks:
    """
    Return callbacks that report a subscriber with incompatible QoS once per policy.

    :param topic: name for the text.
    :param error: takes the text.
    """
    return PublisherEventCallbacks(incompatible_qos=_reporter(topic, 'subscriber', error))


def _reporter(topic: str, other: str, error: Callable[[str], object]) -> Callable[..., None]:
    reported: set[int] = set()

    def report(event: object) -> None:
        kind = int(event.last_policy_kind)  # type: ignore[attr-defined]
        if kind not in reported:
            reported.add(kind)
            policy = qos_policy_name_from_kind(kind)
            error(
                f"topic '{topic}': a {other} has an incompatible QoS policy, {policy}: "
                'no message passes between it and this node.'
            )

    return report
