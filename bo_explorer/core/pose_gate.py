# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which poses say where the vehicle is: neither old ones, nor copies, nor a single wild one."""

from __future__ import annotations

import dataclasses
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
    RESET = 'reset'
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
        self._is_trusting = True

    def distrust(self) -> None:
        """Doubt the next pose like a jump: nobody knows where the vehicle is."""
        self._good, self._is_trusting = None, False
        self._doubted.clear()

    def judge(self, pose: Pose) -> Verdict:
        """
        Tell what a pose is good for.

        :return: GOOD, RESET (of a clock that was set back) and JUMPED say where the vehicle is.
        """
        good = self._good
        if good is None:
            if self._is_trusting:
                return self._accept(pose, Verdict.GOOD)
            return self._doubt(pose) or self._accept(pose, Verdict.GOOD)
        age = good.stamp - pose.stamp
        if age == 0.0 and (pose.x, pose.y, pose.z) == (good.x, good.y, good.z):
            return Verdict.DUPLICATE
        if 0.0 < age <= self._max_age:
            return Verdict.LATE
        if age <= 0.0 and self._is_flown(good, pose):
            return self._accept(pose, Verdict.GOOD)
        if self._doubt(pose):
            return Verdict.DOUBTED
        # How long the vehicle has flown since the last good one, by the clock that counts now.
        flown_s = pose.stamp - self._doubted[0].stamp
        since = dataclasses.replace(good, stamp=self._doubted[0].stamp - flown_s)
        is_near = self._is_flown(since, self._doubted[0])
        return self._accept(pose, Verdict.RESET if is_near else Verdict.JUMPED)

    def _doubt(self, pose: Pose) -> Verdict | None:
        """Return DOUBTED until some poses in a row agree."""
        last = self._doubted[-1] if self._doubted else None
        if last is not None and not (pose.stamp > last.stamp and self._is_flown(last, pose)):
            self._doubted.clear()
        self._doubted.append(pose)
        return Verdict.DOUBTED if len(self._doubted) < CONFIRMATIONS else None

    def _accept(self, pose: Pose, verdict: Verdict) -> Verdict:
        self._good = pose
        self._doubted.clear()
        return verdict

    def _is_flown(self, before: Pose, after: Pose) -> bool:
        step = math.hypot(after.x - before.x, after.y - before.y)
        time = max(after.stamp - before.stamp, 0.0)
        return step <= _PLAUSIBLE * self._speed * time + self._slack
