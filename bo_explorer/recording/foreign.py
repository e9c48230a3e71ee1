# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Poses and readings out of recordings that this package has not made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.errors import RecordingError
from ..core.types import FloatArray, Pose
from .bag_reader import RecordedMessage, Recording

Project = Callable[[FloatArray, FloatArray], FloatArray]
"""From latitudes and longitudes, degrees, shape ``(M,)`` each, to the map, shape ``(M, 2)``."""

_FIX = 'sensor_msgs/msg/NavSatFix'
_POSITIONS = {
    'geometry_msgs/msg/PoseStamped': 'pose.position',
    'geometry_msgs/msg/PoseWithCovarianceStamped': 'pose.pose.position',
    'nav_msgs/msg/Odometry': 'pose.pose.position',
    'geometry_msgs/msg/PointStamped': 'point',
    'geometry_msgs/msg/TransformStamped': 'transform.translation',
    'geometry_msgs/msg/Pose': 'position',
    'geometry_msgs/msg/Point': '',
}


def is_geographic(recording: Recording, topic: str) -> bool:
    """Tell whether a topic gives latitudes and longitudes."""
    return recording.topics[topic] == _FIX


def read_fixes(recording: Recording, topic: str) -> FloatArray:
    """
    Return the places a receiver found: latitude and longitude in degrees, stamp in seconds.

    :param topic: of ``sensor_msgs/msg/NavSatFix``; messages without a fix are left out, as are
        those at 0, 0, which is what receivers say before they have one.
    :return: shape ``(M, 3)``.
    :raises RecordingError: if there is none.
    """
    rows = [
        (message.content.latitude, message.content.longitude, _stamp(message))
        for message in recording.messages(topic)
        if message.content.status.status >= 0
        and (message.content.latitude, message.content.longitude) != (0.0, 0.0)
    ]
    fixes = np.array([row for row in rows if all(map(math.isfinite, row))]).reshape(-1, 3)
    if not len(fixes):
        raise RecordingError(f"'{recording.path}': no message on '{topic}' has a fix.")
    return fixes


def read_poses(recording: Recording, topic: str, project: Project | None = None) -> list[Pose]:
    """
    Return where the vehicle was, in the order of the stamps; what is not finite is left out.

    :param topic: its full name.
    :param project: turns a satellite fix into a place on the map.
    :raises RecordingError: if the topic holds no places.
    """
    kind = recording.topics[topic]
    if kind == _FIX and project is not None:
        fixes = read_fixes(recording, topic)
        places = project(fixes[:, 0], fixes[:, 1])
        poses = [Pose(x, y, stamp=stamp) for (x, y), stamp in zip(places.tolist(), fixes[:, 2])]
    elif kind in _POSITIONS:
        poses = [
            Pose(place.x, place.y, place.z, stamp=_stamp(message))
            for message in recording.messages(topic)
            for place in [_inner(message.content, _POSITIONS[kind])]
            if math.isfinite(place.x) and math.isfinite(place.y) and math.isfinite(place.z)
        ]
    else:
        known = ', '.join(sorted([*_POSITIONS, _FIX]))
        raise RecordingError(
            f"the pose topic '{topic}' must have one of the types {known}, got {kind}."
        )
    if not poses:
        raise RecordingError(f"'{recording.path}': no pose on '{topic}' is finite.")
    return sorted(poses, key=lambda pose: pose.stamp)


def read_values(recording: Recording, topic: str, field: str) -> list[tuple[float, float]]:
    """
    Return what a sensor said: value and stamp in seconds, in the order of the stamps.

    :param topic: its full name.
    :param field: leads to the number; dots lead into messages, a number picks an element.
    :raises RecordingError: if the messages have no such number.
    """
    try:
        values = [
            (float(_inner(message.content, field)), _stamp(message))
            for message in recording.messages(topic)
        ]
    except (AttributeError, IndexError, TypeError, ValueError):
        raise RecordingError(
            f"the reading field must lead to a number in {recording.topics[topic]} on '{topic}', "
            f'got {field!r}.'
        ) from None
    return sorted(values, key=lambda value: value[1])


def _inner(content: Any, field: str) -> Any:
    for step in filter(None, field.split('.')):
        is_index = step.lstrip('-').isdigit()
        content = content[int(step)] if is_index else getattr(content, step)
    return content


def _stamp(message: RecordedMessage) -> float:
    """Return the stamp of a message, or when it was recorded where it has none."""
    header = getattr(message.content, 'header', None)
    if header is None or (header.stamp.sec == 0 and header.stamp.nanosec == 0):
        return message.stamp_s
    return float(header.stamp.sec) + 1e-9 * float(header.stamp.nanosec)
