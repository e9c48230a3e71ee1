# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Mission time: what counts and what does not."""

from __future__ import annotations

import math


class Stopwatch:
    """Counts the time since a start, pauses left out; the time of day is always an argument."""

    def __init__(self) -> None:
        self._started_at = math.nan
        self._paused_at = math.nan
        self._paused_s = 0.0

    def start(self, now: float) -> None:
        """Count from here, seconds."""
        self._started_at, self._paused_at, self._paused_s = now, math.nan, 0.0

    def pause(self, now: float) -> None:
        """Count no further, seconds; a pause that is paused goes on."""
        if math.isnan(self._paused_at):
            self._paused_at = now

    def resume(self, now: float) -> float:
        """
        Count on.

        :param now: seconds.
        :return: how long the pause was, seconds; 0 where the clock was set back.
        """
        pause = max(now - self._paused_at, 0.0) if math.isfinite(self._paused_at) else 0.0
        self._paused_s += pause
        self._paused_at = math.nan
        return pause

    def elapsed(self, now: float) -> float:
        """Return the time counted so far, seconds; 0 before the start."""
        if math.isnan(self._started_at):
            return 0.0
        until = now if math.isnan(self._paused_at) else self._paused_at
        return max(until - self._started_at - self._paused_s, 0.0)
