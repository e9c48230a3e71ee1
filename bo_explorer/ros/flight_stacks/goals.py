# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
When a stack that flies to goals gets a new one. Imports no ROS and reads no clock.

Setpoints come at a rate; an action or a service is called once for each goal, again when it
failed, and never more often than the stack can take.
"""

from __future__ import annotations

import math

from ...core.types import Waypoint


class GoalGate:
    """
    Lets setpoints through that are new goals.

    :param tolerance_m: a setpoint this close to the goal is the same goal, metres.
    :param turn_rad: a heading this close to the goal's is the same, radians.
    :param period_s: least time between two goals, seconds.
    :param retry_s: a goal that failed is sent again after this time, seconds.
    :param repeat_s: a goal is sent again after this time in any case, seconds.
    """

    def __init__(
        self,
        *,
        tolerance_m: float = 0.02,
        turn_rad: float = 0.05,
        period_s: float = 0.2,
        retry_s: float = 3.0,
        repeat_s: float = math.inf,
    ) -> None:
        self._tolerance_m = tolerance_m
        self._turn_rad = turn_rad
        self._period_s = period_s
        self._retry_s = retry_s
        self._repeat_s = repeat_s
        self.failures = 0
        """How many goals have failed."""
        self.forget()

    def forget(self) -> None:
        """Send the next setpoint whatever it is."""
        self.goal: Waypoint | None = None
        self._sent_at = -math.inf
        self._retry_at = math.inf

    def is_new(self, setpoint: Waypoint, now: float) -> bool:
        """
        Return whether to send this setpoint now; it is then the goal.

        :param setpoint: where to fly.
        :param now: seconds of a clock that never goes back.
        """
        is_due = self.goal is None or self._differs(setpoint, self.goal) or now >= self._retry_at
        if not is_due or now - self._sent_at < self._period_s:
            return False
        self.goal, self._sent_at, self._retry_at = setpoint, now, now + self._repeat_s
        return True

    def fail(self, goal: Waypoint, now: float) -> None:
        """Note that a goal was refused or not reached; one that is not the present is ignored."""
        if goal is self.goal:
            self.failures += 1
            self._retry_at = now + self._retry_s

    def _differs(self, a: Waypoint, b: Waypoint) -> bool:
        if not math.dist((a.x, a.y, a.z), (b.x, b.y, b.z)) <= self._tolerance_m:
            return True
        if a.yaw is None or b.yaw is None:
            return a.yaw is not b.yaw
        return not abs(math.remainder(a.yaw - b.yaw, 2.0 * math.pi)) <= self._turn_rad
