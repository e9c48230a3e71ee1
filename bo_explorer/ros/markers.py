# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What the mission looks like in RViz or Foxglove: a fixed set of markers, all finite.

Points are places on the searched plane; the pose of every marker is the pose of that plane.

Namespaces: ``area``, ``zones``, ``home``, ``samples``, ``target``, ``best``, ``track``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from ..core.plane import GROUND, SearchPlane
from ..core.record import MissionRecord
from ..core.types import FloatArray
from .conversions import header, plane_quaternion, to_point

_WHITE = (1.0, 1.0, 1.0)
_RED = (0.9, 0.1, 0.1)
_BLUE = (0.2, 0.4, 1.0)
_GREEN = (0.1, 0.8, 0.2)
_YELLOW = (1.0, 0.8, 0.0)
_GREY = (0.6, 0.6, 0.6)


def clear_all(stamp: float, frame_id: str) -> MarkerArray:
    """Return the message that removes every marker of this topic."""
    return MarkerArray(markers=[Marker(header=header(stamp, frame_id), action=Marker.DELETEALL)])


def mission_markers(
    record: MissionRecord,
    target: FloatArray | None,
    *,
    size_m: float,
    stamp: float,
    frame_id: str,
    plane: SearchPlane = GROUND,
) -> MarkerArray:
    """
    Return the markers of a mission.

    :param record: where things are.
    :param target: place being flown to, shape ``(2,)``, metres, or ``None``.
    :param size_m: size of a point, metres.
    :param stamp: seconds.
    :param frame_id: the map frame.
    :param plane: the one that is searched.
    """
    size = size_m if np.isfinite(size_m) and size_m > 0.0 else 1.0
    draw = _Pen(stamp, frame_id, size, plane)
    home = [] if record.home is None else [record.home]
    aim = [] if target is None else [target.tolist()]
    best = [] if record.best is None else [[record.best.x, record.best.y]]
    markers = [
        *(draw.ring('area', i, ring, _WHITE) for i, ring in enumerate(record.area)),
        *(draw.ring('zones', i, ring, _RED) for i, ring in enumerate(record.zones)),
        draw.dots('home', home, 1.5, _BLUE),
        draw.samples(record.samples),
        draw.dots('target', aim, 1.5, _GREEN),
        draw.dots('best', best, 1.5, _YELLOW),
        draw.line('track', 0, record.track, _GREY),
    ]
    return MarkerArray(markers=[marker for marker in markers if marker is not None])


class _Pen:
    def __init__(self, stamp: float, frame_id: str, size: float, plane: SearchPlane) -> None:
        self._header = header(stamp, frame_id)
        self._size = size
        self._origin = to_point(*plane.origin)
        self._orientation = plane_quaternion(plane)

    def ring(
        self,
        namespace: str,
        index: int,
        ring: Sequence[Sequence[float]],
        colour: tuple[float, ...],
    ) -> Marker | None:
        return self.line(namespace, index, [*ring, *ring[:1]], colour)

    def line(
        self,
        namespace: str,
        index: int,
        line: Sequence[Sequence[float]],
        colour: tuple[float, ...],
    ) -> Marker | None:
        points = _points(line)
        # A line strip of fewer than two points is an error to RViz.
        if len(points) < 2:
            return None
        marker = self._marker(namespace, index, Marker.LINE_STRIP, colour)
        marker.scale.x = 0.2 * self._size
        marker.points = points
        return marker

    def dots(
        self,
        namespace: str,
        places: Sequence[Sequence[float]],
        factor: float,
        colour: tuple[float, ...],
    ) -> Marker:
        marker = self._marker(namespace, 0, Marker.SPHERE_LIST, colour)
        marker.scale.x = marker.scale.y = marker.scale.z = factor * self._size
        marker.points = _points(places)
        if not marker.points:
            marker.action = Marker.DELETE
        return marker

    def samples(self, samples: Sequence[Sequence[float]]) -> Marker:
        """Return the samples from blue (the least value) to red (the greatest)."""
        finite = [s for s in samples if np.isfinite(s[:3]).all()]
        marker = self.dots('samples', finite, 1.0, _GREY)
        if finite:
            values = np.array([s[2] for s in finite])
            span = float(np.ptp(values))
            shares = (values - values.min()) / span if span > 0.0 else np.full(len(values), 0.5)
            marker.colors = [_colour((float(s), 0.2, 1.0 - float(s))) for s in shares]
        return marker

    def _marker(self, namespace: str, index: int, kind: int, colour: tuple[float, ...]) -> Marker:
        marker = Marker(header=self._header, ns=namespace, id=index, type=kind, action=Marker.ADD)
        marker.pose.position, marker.pose.orientation = self._origin, self._orientation
        marker.color = _colour(colour)
        return marker


def _colour(rgb: tuple[float, ...]) -> ColorRGBA:
    return ColorRGBA(r=float(rgb[0]), g=float(rgb[1]), b=float(rgb[2]), a=1.0)


def _points(places: Sequence[Sequence[float]]) -> list[Point]:
    return [to_point(p[0], p[1], 0.0) for p in places if np.isfinite(p[:2]).all()]
