# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Where the vehicle was when a reading was taken."""

from __future__ import annotations

import math
from bisect import bisect_left

from .types import Pose


class PoseHistory:
    """
    The latest poses in the order of their stamps, whatever the order they come in.

    :param max_age_s: how far in time a pose may be from a stamp it is used for, seconds.
    :param capacity: most poses kept; the oldest go first.
    :raises ValueError: if a number is not above 0.
    """

    def __init__(self, max_age_s: float, capacity: int = 4096) -> None:
        if not max_age_s > 0.0:
            raise ValueError(f"'max_age_s' must be above 0, got {max_age_s!r}.")
        if capacity < 1:
            raise ValueError(f"'capacity' must be above 0, got {capacity!r}.")
        self._max_age_s = max_age_s
        self._capacity = capacity
        self._stamps: list[float] = []
        self._poses: list[Pose] = []

    def __len__(self) -> int:
        return len(self._stamps)

    def add(self, pose: Pose) -> None:
        """
        Take over a pose; one with the same stamp is replaced.

        A pose older than the latest by more than the greatest age means that the clock was set
        back or the simulator restarted: the poses of the other time are forgotten.
        """
        if self._stamps and pose.stamp < self._stamps[-1] - self._max_age_s:
            self.clear()
        index = bisect_left(self._stamps, pose.stamp)
        if index < len(self._stamps) and self._stamps[index] == pose.stamp:
            self._poses[index] = pose
            return
        self._stamps.insert(index, pose.stamp)
        self._poses.insert(index, pose)
        if len(self._stamps) > self._capacity:
            del self._stamps[0], self._poses[0]

    def clear(self) -> None:
        """Forget every pose."""
        self._stamps.clear()
        self._poses.clear()

    def at(self, stamp: float) -> Pose | None:
        """
        Return where the vehicle was.

        :param stamp: seconds.
        :return: the pose between the two neighbours in time, the near one where the other is too
            far away or missing, or ``None`` where no pose is near enough.
        """
        if not math.isfinite(stamp):
            return None
        index = bisect_left(self._stamps, stamp)
        before = self._near(index - 1, stamp)
        after = self._near(index, stamp)
        if before is None or after is None:
            return before or after
        return _between(before, after, stamp)

    def _near(self, index: int, stamp: float) -> Pose | None:
        if not 0 <= index < len(self._stamps):
            return None
        return self._poses[index] if abs(self._stamps[index] - stamp) <= self._max_age_s else None


def _between(before: Pose, after: Pose, stamp: float) -> Pose:
    """Return the pose on the straight line between two poses; yaw turns the short way."""
    share = (stamp - before.stamp) / (after.stamp - before.stamp)
    yaw = None
    if before.yaw is not None and after.yaw is not None:
        turn = math.remainder(after.yaw - before.yaw, 2.0 * math.pi)
        yaw = math.remainder(before.yaw + share * turn, 2.0 * math.pi)
    return Pose(
        x=(1.0 - share) * before.x + share * after.x,
        y=(1.0 - share) * before.y + share * after.y,
        z=(1.0 - share) * before.z + share * after.z,
        yaw=yaw,
        stamp=stamp,
    )
