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

# Time that may have passed untold while the clock jumped, seconds.
_UNTOLD_S = 1.0

# Greatest ages after which the time between two poses proves nothing any more: a clock may have
# jumped, and in its time a vehicle gets anywhere.
_LONG_GAPS = 5.0


class Verdict(Enum):
    """What a pose is good for."""

    GOOD = 'good'
    RESET = 'reset'
    JUMPED = 'jumped'
    LATE = 'late'
    DUPLICATE = 'duplicate'
    DOUBTED = 'doubted'
    UNSURE = 'unsure'

    @property
    def is_place(self) -> bool:
        """Whether the pose says where the vehicle is."""
        return self in (Verdict.GOOD, Verdict.RESET, Verdict.JUMPED)


class PoseGate:
    """
    Judges each pose by the last one that was good.

    A pose the vehicle cannot have flown to, one from long before and one after a long time are
    doubted until some in a row agree: then the localisation has jumped, its clock was set, or it
    was away. So is the very first one. Two localisations that contradict each other on one topic
    never agree, and the first one counts.

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
        self._good_at = math.nan
        self._doubted: list[Pose] = []

    def judge(self, pose: Pose, now: float) -> Verdict:
        """
        Tell what a pose is good for.

        :param pose: in the map.
        :param now: time of the mission, which no clock that is set can change, seconds.
        :return: GOOD, RESET (the vehicle may have flown here, by a clock that was set or after a
            long time) and JUMPED say where the vehicle is; UNSURE comes before the first of them.
        """
        good = self._good
        if good is None:
            is_sure = self._is_confirmed(pose)
            return self._accept(pose, now, Verdict.GOOD) if is_sure else Verdict.UNSURE
        age = good.stamp - pose.stamp
        if age == 0.0 and (pose.x, pose.y, pose.z) == (good.x, good.y, good.z):
            return Verdict.DUPLICATE
        if 0.0 < age <= self._max_age:
            return Verdict.LATE
        is_soon = 0.0 <= -age <= _LONG_GAPS * self._max_age
        if is_soon and self._is_flown(good, pose):
            return self._accept(pose, now, Verdict.GOOD)
        if not self._is_confirmed(pose):
            return Verdict.DOUBTED
        # The stamps may be of two clocks.
        flown_s = now - self._good_at + _UNTOLD_S
        is_near = self._is_flown(good, dataclasses.replace(pose, stamp=good.stamp + flown_s))
        return self._accept(pose, now, Verdict.RESET if is_near else Verdict.JUMPED)

    def _is_confirmed(self, pose: Pose) -> bool:
        """Take over a pose that is doubted; return whether some in a row agree."""
        last = self._doubted[-1] if self._doubted else None
        if last is not None and not (pose.stamp > last.stamp and self._is_flown(last, pose)):
            self._doubted.clear()
        self._doubted.append(pose)
        return len(self._doubted) >= CONFIRMATIONS

    def _accept(self, pose: Pose, now: float, verdict: Verdict) -> Verdict:
        self._good, self._good_at = pose, now
        self._doubted.clear()
        return verdict

    def _is_flown(self, before: Pose, after: Pose) -> bool:
        step = math.hypot(after.x - before.x, after.y - before.y)
        time = max(after.stamp - before.stamp, 0.0)
        return step <= _PLAUSIBLE * self._speed * time + self._slack
