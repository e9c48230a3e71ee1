# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The newest of everything the explorer said, as the page wants it: three parts of JSON.

``record`` is what happened, ``map`` what is believed, ``live`` what changes all the time. Places
are metres on the searched plane. Messages are decoded when somebody looks, not when they come.
"""

from __future__ import annotations

import base64
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from rclpy.serialization import deserialize_message

from ..core.plane import SearchPlane
from ..core.types import FloatArray, Pose
from ..ros import conversions, qos
from ..ros.mission_listener import cloud_fields
from .graph import BATTERY, POSE, Inputs, Topic

PARTS = ('record', 'map', 'live')

_MAX_TRACK = 2_000
_MAX_SAMPLES = 2_000
_MAX_EVENTS = 40
_MAX_CELLS = 250_000
_MAX_POSE_AGE_S = 5.0
_BUDGET = ('budget_committed_m', 'budget_remaining_m', 'budget_reserve_m', 'budget_total_m')
_FROM_EXPLORER = frozenset({qos.RECORD, qos.DIAGNOSTICS, qos.WAYPOINT, qos.MAP, qos.PATH})


class Picture:
    """
    Kept by the node's thread, looked at by the server's.

    :param inputs: tells the explorer's inputs as they are known now.
    :param clock: seconds that never jump.
    """

    def __init__(
        self, inputs: Callable[[], Inputs], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._inputs = inputs
        self._clock = clock
        # One assignment a message, so that no lock is needed: number, time of receipt, message.
        self._newest: dict[str, tuple[int, float, Topic, bytes]] = {}
        self._decoded: dict[str, tuple[int, Any]] = {}
        self._texts: dict[str, tuple[Any, str]] = {}
        self._heard_at: float | None = None

    def take(self, topic: Topic, data: bytes) -> None:
        """Keep a message in place of the one before."""
        number, now = self._newest.get(topic.key, (0,))[0] + 1, self._clock()
        self._newest[topic.key] = number, now, topic, data
        if topic.key in _FROM_EXPLORER:
            self._heard_at = now

    def version(self, part: str) -> Any:
        """Return what is equal as long as a part has not changed."""
        if part == 'live':
            return None
        kept = self._newest.get(qos.RECORD if part == 'record' else qos.MAP)
        return None if kept is None else (kept[0], self._inputs().answer)

    def text(self, part: str) -> str:
        """
        Return a part as JSON, ``null`` where nothing is known of it.

        :param part: one of :data:`PARTS`.
        """
        if part == 'live':
            return conversions.to_json(self._live())
        version = self.version(part)
        if version is None:
            return 'null'
        known = self._texts.get(part)
        if known is None or known[0] != version:
            values = self._record() if part == 'record' else self._map()
            self._texts[part] = known = version, conversions.to_json(values)
        return known[1]

    def _message(self, key: str) -> Any:
        """Return the newest message of a topic, or ``None``."""
        kept = self._newest.get(key)
        if kept is None:
            return None
        number, _, topic, data = kept
        known = self._decoded.get(key)
        if known is None or known[0] != number:
            known = number, deserialize_message(data, topic.message_type)
            self._decoded[key] = known
        return known[1]

    def _age_s(self, key: str) -> float:
        kept = self._newest.get(key)
        return math.inf if kept is None else self._clock() - kept[1]

    def _record(self) -> dict[str, Any]:
        record = json.loads(self._message(qos.RECORD).data)
        decisions = record.pop('decision_ms')
        samples = _thinned(record['samples'], _MAX_SAMPLES)
        for key in ('best_history', 'decided_at', 'battery'):
            del record[key]
        return {
            **record,
            'track': _thinned(record['track'], _MAX_TRACK),
            'samples': [sample[:3] for sample in samples],
            'n_samples': len(record['samples']),
            'n_decisions': len(decisions),
            'decision_ms': decisions[-1] if decisions else None,
            'events': record['events'][-_MAX_EVENTS:],
        }

    def _map(self) -> dict[str, Any]:
        fields = cloud_fields(self._message(qos.MAP))
        points = np.column_stack([fields[axis] for axis in 'xyz'])
        places = self._inputs().plane.project(points)[:, :2]
        return raster(places, {'mean': fields['mean'], 'std': fields['std']})

    def _live(self) -> dict[str, Any]:
        inputs = self._inputs()
        heard = self._heard_at
        status = _statuses(self._message(qos.DIAGNOSTICS))
        return {
            'silent_s': None if heard is None else round(self._clock() - heard, 1),
            'pose': self._pose(inputs.plane),
            'waypoint': self._waypoint(inputs.plane),
            'path': self._path(inputs.plane),
            'battery': self._battery(inputs.battery_scale),
            **status,
        }

    def _pose(self, plane: SearchPlane) -> dict[str, Any] | None:
        message = self._message(POSE)
        age_s = self._age_s(POSE)
        if message is None:
            return None
        pose = conversions.to_pose(message, 0.0)
        if not isinstance(pose, Pose):
            return None
        on_plane = plane.pose(pose)
        return {
            'x': on_plane.x,
            'y': on_plane.y,
            'yaw': on_plane.yaw if plane.is_ground else None,
            'is_old': age_s > _MAX_POSE_AGE_S,
        }

    def _waypoint(self, plane: SearchPlane) -> list[float] | None:
        message = self._message(qos.WAYPOINT)
        if message is None or self._age_s(qos.WAYPOINT) > _MAX_POSE_AGE_S:
            return None
        return _places([message.pose.position], plane)[0]

    def _path(self, plane: SearchPlane) -> list[list[float]]:
        message = self._message(qos.PATH)
        if message is None or not message.poses:
            return []
        return _places([each.pose.position for each in message.poses], plane)

    def _battery(self, scale: float) -> float | None:
        message = self._message(BATTERY)
        if message is None or self._age_s(BATTERY) > 2.0 * _MAX_POSE_AGE_S:
            return None
        fraction = conversions.to_fraction(message, scale)
        return fraction if isinstance(fraction, float) else None


def raster(places: FloatArray, layers: Mapping[str, FloatArray]) -> dict[str, Any]:
    """
    Return values on a lattice as images, row by row from the south, NaN where there is none.

    :param places: centres of cells, shape ``(M, 2)``, metres.
    :param layers: values by name, each of shape ``(M,)``.
    :return: centre of the first cell, spacing, width, height; and for each layer its least and
        greatest value and float32 numbers, little-endian, in base64.
    """
    spacing = _spacing(places)
    if spacing is None:
        return {'width': 0, 'height': 0, 'layers': {}}
    low = places.min(axis=0)
    columns, rows = np.rint((places - low) / spacing).astype(np.int64).T
    width, height = int(columns.max()) + 1, int(rows.max()) + 1
    if width * height > _MAX_CELLS:
        return {'width': 0, 'height': 0, 'layers': {}}
    images: dict[str, Any] = {}
    for name, values in layers.items():
        cells = np.full((height, width), np.nan, dtype='<f4')
        cells[rows, columns] = values
        finite = values[np.isfinite(values)]
        images[name] = {
            'low': float(finite.min()) if len(finite) else None,
            'high': float(finite.max()) if len(finite) else None,
            'cells': base64.b64encode(cells.tobytes()).decode('ascii'),
        }
    return {
        'x': float(low[0]),
        'y': float(low[1]),
        'spacing': spacing,
        'width': width,
        'height': height,
        'layers': images,
    }


def _spacing(places: FloatArray) -> float | None:
    """Return the distance between neighbours of a lattice, ``None`` where there are none."""
    if len(places) < 2:
        return None
    # Places come as float32: what is closer than its rounding is one place.
    noise = 16.0 * float(np.finfo(np.float32).eps) * max(float(np.abs(places).max()), 1.0)
    steps = [np.diff(np.unique(axis)) for axis in places.T]
    wide = [step[step > noise] for step in steps]
    found = [float(step.min()) for step in wide if len(step)]
    return min(found) if found else None


def _statuses(message: Any) -> dict[str, Any]:
    """Return the parts of the budget, and a line for everything that is not well."""
    if message is None:
        return {'budget': None, 'warnings': []}
    values = {item.key: item.value for status in message.status for item in status.values}
    budget = {key.removeprefix('budget_'): _number(values.get(key)) for key in _BUDGET}
    warnings = [
        f'{status.name.rpartition(": ")[2]}: {status.message}'
        for status in message.status
        if status.level != b'\x00'
    ]
    return {'budget': budget, 'warnings': warnings}


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _places(points: Sequence[Any], plane: SearchPlane) -> list[list[float]]:
    rows = np.array([[point.x, point.y, point.z] for point in points])
    places: list[list[float]] = np.round(plane.project(rows)[:, :2], 3).tolist()
    return places


def _thinned(rows: list[Any], most: int) -> list[Any]:
    """Return rows evenly left out of too many, the last kept."""
    if len(rows) <= most:
        return rows
    step = math.ceil(len(rows) / most)
    return rows[: -1 : step] + rows[-1:]
