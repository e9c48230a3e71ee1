# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Time that only runs forward, made of a clock that may be set."""

from __future__ import annotations


class MissionClock:
    """
    Counts what a clock counts, its jumps left out.

    A clock is set by time synchronisation, or starts again with a simulator. What waits for a
    moment must neither wait for ever nor end at once because of that.

    :param jump_s: a step forward greater than this is a jump, seconds; every step back is one.
    """

    def __init__(self, jump_s: float) -> None:
        self._jump_s = jump_s
        self._clock: float | None = None
        self._time = 0.0

    @property
    def time(self) -> float:
        """The time last told, seconds."""
        return self._time

    @property
    def reading(self) -> float:
        """What the clock last said, its jumps counted, seconds."""
        return self._time if self._clock is None else self._clock

    def advance(self, clock: float) -> tuple[float, float]:
        """
        Take over what the clock says.

        :param clock: seconds; what is not finite does not count.
        :return: the time, seconds, and how far the clock has jumped, seconds; 0 where it has not.
        """
        last, step = self._clock, 0.0
        if not -1e300 < clock < 1e300:
            return self._time, 0.0
        self._clock = clock
        if last is None:
            self._time = clock
        else:
            step = clock - last
            if 0.0 <= step <= self._jump_s:
                self._time += step
                step = 0.0
        return self._time, step
