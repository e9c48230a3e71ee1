# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Whether the clock of the node stands still while time goes on."""

from __future__ import annotations


class ClockWatch:
    """
    Compares a clock that may stop with one that does not.

    :param timeout_s: how long the clock may show the same time, seconds of the other one.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._last: tuple[float, float] | None = None

    def frozen_s(self, clock: float, steady: float) -> float:
        """
        Return for how long the clock has stood still.

        :param clock: what it shows, seconds.
        :param steady: what the other one shows, seconds.
        :return: seconds; 0 where it is no longer than the timeout.
        """
        if self._last is None or self._last[0] != clock:
            self._last = (clock, steady)
        still = steady - self._last[1]
        return still if still > self._timeout_s else 0.0
