# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Following a legal polyline vertex by vertex."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .types import FloatArray

# A vehicle at rest on a vertex is there, whatever the last digit says.
_ROUNDING_M = 1e-9


class PathFollower:
    """
    Leads the vehicle along a polyline.

    The next vertex is the setpoint. A vertex on the way counts as reached close by, or within the
    arrival radius once the vehicle has had time to come to rest there, and only if the straight
    leg from the vehicle to the following vertex is legal. The last vertex counts as reached within
    the arrival radius.

    Close by means that momentum does not matter, and that all turns of a path together cost less
    than one arrival radius. A vehicle that could stop on the vertex passes the distance ``r`` from
    it at ``v = sqrt(2 a r)``; turning off to full speed ``V`` as hard as it can, it drifts on by
    at most ``v V / a``. That stays within the clearance ``c`` of the leg that follows when
    ``r <= c^2 / (4 s)``, ``s = V^2 / (2 a)`` being the stopping distance.

    While a new path is planned, the vehicle may be led no further than the place where that path
    will start: :meth:`hold_within` closes a gate there.

    :param path: vertices, first the start, shape ``(Q, 2)``, metres.
    :param arrival_radius_m: distance at which the end counts as reached.
    :param clearance_m: tells how far a straight leg is from everything forbidden, metres.
    :param stopping_distance_m: distance the vehicle needs to brake from full speed.
    :param settle_s: time the vehicle needs to come to rest from the arrival radius, seconds.
    :param leg_legal: tells whether a straight leg between two places is legal.
    """

    def __init__(
        self,
        path: FloatArray,
        *,
        arrival_radius_m: float,
        clearance_m: Callable[[FloatArray, FloatArray], float],
        stopping_distance_m: float,
        settle_s: float,
        leg_legal: Callable[[FloatArray, FloatArray], bool],
    ) -> None:
        self._path = np.array(path, dtype=np.float64)
        self._arrival_radius = arrival_radius_m
        self._clearance = clearance_m
        self._stopping_distance = stopping_distance_m
        self._settle_s = settle_s
        self._leg_legal = leg_legal
        self._most_radius = 0.5 * arrival_radius_m / max(len(self._path) - 2, 1)
        self._next = min(1, len(self._path) - 1)
        self._gate: int | None = None
        self._position: FloatArray = self._path[0]
        self._near_since = math.inf
        self.has_arrived = False
        self.turns: list[FloatArray] = []
        """Vertices on the way that the last update has passed, each shape ``(2,)``."""

    @property
    def setpoint(self) -> FloatArray:
        """Vertex to fly to now, shape ``(2,)``."""
        vertex: FloatArray = self._path[self._next]
        return vertex

    @property
    def target(self) -> FloatArray:
        """End of the path, shape ``(2,)``."""
        end: FloatArray = self._path[-1]
        return end

    def update(self, position: FloatArray, now: float) -> bool:
        """
        Take over the vehicle's place.

        :param position: shape ``(2,)``, metres.
        :param now: seconds.
        :return: whether a vertex, the last included, was passed.
        """
        self._position = position
        had_arrived = self.has_arrived
        self.turns = []
        while self._next < len(self._path) - 1 and self._is_passed(position, now):
            self.turns.append(self._path[self._next])
            self._next += 1
            self._near_since = math.inf
        if np.linalg.norm(position - self._path[-1]) <= self._arrival_radius:
            self.has_arrived = self.has_arrived or self._next == len(self._path) - 1
        return bool(self.turns) or self.has_arrived != had_arrived

    def is_stuck(self, now: float) -> bool:
        """Whether the vehicle hovers at a vertex it cannot leave on a legal leg."""
        return now - self._near_since > 2.0 * self._settle_s

    def stop_within(self, distance_m: float) -> None:
        """
        End the path where the vehicle can stop.

        :param distance_m: braking distance, metres.
        """
        self._path = self.remaining_within(distance_m)
        self._next = min(1, len(self._path) - 1)
        self._gate = None
        self._near_since = math.inf

    def hold_within(self, distance_m: float) -> FloatArray:
        """
        Lead the vehicle no further for now.

        :param distance_m: how far ahead, at least the braking distance, metres.
        :return: :meth:`remaining_within` that distance; its end is where the vehicle waits.
        """
        self.go_on()
        part, rest = self.remaining_within(distance_m), self.remaining()
        if len(part) < len(rest) or (part[-1] != rest[-1]).any():
            self._path = np.vstack([part, rest[len(part) - 1 :]])
            self._next, self._gate = 1, len(part) - 1
        return part

    def go_on(self) -> None:
        """Open the gate, and pass it like any other place of the path."""
        if self._gate is not None:
            self._path = np.delete(self._path, self._gate, axis=0)
            self._gate = None
            self._near_since = math.inf

    def remaining_to_gate(self) -> FloatArray:
        """Return the polyline up to the gate, or to the end without one, shape ``(Q, 2)``."""
        end = None if self._gate is None else self._gate + 1
        return np.vstack([self._position, self._path[self._next : end]])

    def deviation_m(self) -> float:
        """Distance of the vehicle from the leg it should be on, metres."""
        start, end = self._path[max(self._next - 1, 0)], self._path[self._next]
        leg = end - start
        length_squared = float(leg @ leg)
        along = 0.0
        if length_squared > 0.0:
            along = float(np.clip((self._position - start) @ leg / length_squared, 0.0, 1.0))
        return float(np.linalg.norm(self._position - (start + along * leg)))

    def remaining(self) -> FloatArray:
        """Return the polyline still to fly, first the vehicle's place, shape ``(Q, 2)``."""
        return np.vstack([self._position, self._path[self._next :]])

    def remaining_within(self, distance_m: float) -> FloatArray:
        """
        Part of the remaining polyline up to a distance ahead of the vehicle.

        :param distance_m: braking distance, metres.
        :return: polyline from the vehicle to the stopping point, shape ``(Q, 2)``.
        """
        path = self.remaining()
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
        ends = np.cumsum(steps)
        if distance_m >= ends[-1]:
            return path
        last = int(np.searchsorted(ends, distance_m, side='right'))
        share = (distance_m - (ends[last] - steps[last])) / steps[last]
        stop = path[last] + share * (path[last + 1] - path[last])
        return np.vstack([path[: last + 1], stop])

    def _is_passed(self, position: FloatArray, now: float) -> bool:
        if self._next == self._gate:
            return False
        distance = float(np.linalg.norm(position - self._path[self._next]))
        if not distance <= self._arrival_radius:
            self._near_since = math.inf
            return False
        self._near_since = min(self._near_since, now)
        if not (distance <= self._vertex_radius() or now - self._near_since >= self._settle_s):
            return False
        return self._leg_legal(position, self._path[self._next + 1])

    def _vertex_radius(self) -> float:
        clearance = self._clearance(self._path[self._next], self._path[self._next + 1])
        turning = clearance**2 / (4.0 * self._stopping_distance)
        return min(self._most_radius, 0.5 * clearance, turning) + _ROUNDING_M
