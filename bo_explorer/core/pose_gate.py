# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which poses say where the vehicle is: neither old ones, nor copies, nor a single wild one."""

from __future__ import annotations

import math
from enum import Enum

from .types import Pose

CONFIRMATIONS = 3
"""Poses in a row that must agree about a jump before it is believed."""

# How much faster than at cruise speed the vehicle may seem to fly.
_PLAUSIBLE = 3.0


class Verdict(Enum):
    """What a pose is good for."""

    GOOD = 'good'
    JUMPED = 'jumped'
    LATE = 'late'
    DUPLICATE = 'duplicate'
    DOUBTED = 'doubted'


class PoseGate:
    """
    Judges each pose by the last one that was good.

    A pose the vehicle cannot have flown to, or one from long before, is doubted until some in a
    row agree: then the localisation has jumped or its clock was set back. Two localisations that
    contradict each other on one topic never agree, and the first one counts.

    :param speed_mps: cruise speed.
    :param slack_m: distance a pose may be off however little time has passed, metres.
    :param max_age_s: a pose older than the last good one by no more than this comes late; one that
        is older still speaks for another clock, seconds.
    """

    def __init__(self, speed_mps: float, slack_m: float, max_age_s: float) -> None:
        self._speed = speed_mps
        self._slack = slack_m
        self._max_age = max_age_s
        self._good: Pose | None = None
        self._doubted: list[Pose] = []

    def judge(self, pose: Pose) -> Verdict:
        """Tell what a pose is good for; GOOD and JUMPED say where the vehicle is."""
        good = self._good
        if good is None:
            return self._accept(pose, Verdict.GOOD)
        age = good.stamp - pose.stamp
        if age == 0.0 and (pose.x, pose.y, pose.z) == (good.x, good.y, good.z):
            return Verdict.DUPLICATE
        if 0.0 < age <= self._max_age:
            return Verdict.LATE
        if age <= 0.0 and self._is_flown(good, pose):
            return self._accept(pose, Verdict.GOOD)
        last = self._doubted[-1] if self._doubted else None
        if last is not None and not (pose.stamp > last.stamp and self._is_flown(last, pose)):
            self._doubted.clear()
        self._doubted.append(pose)
        if len(self._doubted) < CONFIRMATIONS:
            return Verdict.DOUBTED
        return self._accept(pose, Verdict.JUMPED)

    def _accept(self, pose: Pose, verdict: Verdict) -> Verdict:
        self._good = pose
        self._doubted.clear()
        return verdict

    def _is_flown(self, before: Pose, after: Pose) -> bool:
        step = math.hypot(after.x - before.x, after.y - before.y)
        time = max(after.stamp - before.stamp, 0.0)
        return step <= _PLAUSIBLE * self._speed * time + self._slack
