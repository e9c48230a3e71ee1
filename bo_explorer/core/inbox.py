# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Readings that wait for their place: they come with a time, poses come beside them."""

from __future__ import annotations

import math
from collections import Counter, deque

from .pose_history import PoseHistory
from .types import Pose, Reading

MAX_WAITING = 20_000
"""Readings that may wait; of more, the oldest are refused."""


class Inbox:
    """
    Queues readings and matches them with poses when they are taken.

    Reasons of refusal: ``queue_full``, and ``no_pose`` where none is near enough in time.

    :param max_age_s: how far in time a pose may be from a reading, seconds.
    """

    def __init__(self, max_age_s: float) -> None:
        self._poses = PoseHistory(max_age_s)
        self._waiting: deque[tuple[float, float]] = deque()
        self._placed: list[Reading] = []
        self.n_readings = 0
        """Readings that have come so far."""
        self.n_finite = 0
        """Readings among them with a finite value."""
        self.refused: Counter[str] = Counter()
        """Readings refused so far, by reason."""

    def __len__(self) -> int:
        return len(self._placed) + len(self._waiting)

    def add_pose(self, pose: Pose) -> None:
        """Remember where the vehicle is."""
        self._poses.add(pose)

    def forget_poses(self) -> None:
        """Match no reading with a pose from before: the localisation has jumped."""
        self._poses.clear()

    def add_reading(self, value: float, stamp: float) -> None:
        """
        Queue a reading.

        :param value: the scalar, sensor unit; may be bad.
        :param stamp: when it was taken, seconds.
        """
        self.n_readings += 1
        self.n_finite += math.isfinite(value)
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.popleft()
            self.refused['queue_full'] += 1
        self._waiting.append((value, stamp))

    def put_back(self, readings: list[Reading]) -> None:
        """Take back readings that were taken and not used."""
        self._placed = [*readings, *self._placed]

    def take(self) -> list[Reading]:
        """Return the readings that have a place, oldest first, and forget all that waited."""
        readings, self._placed = self._placed, []
        while self._waiting:
            value, stamp = self._waiting.popleft()
            pose = self._poses.at(stamp)
            if pose is None:
                self.refused['no_pose'] += 1
            else:
                readings.append(Reading(value, pose.x, pose.y, stamp))
        return readings
