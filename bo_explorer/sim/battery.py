# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The pretend battery."""

from __future__ import annotations

import math

from .config import BatteryConfig


class Battery:
    """
    A charge that flying and hovering draw on.

    :param capacity_m: metres of flight a full battery lasts, or NaN: it never runs down.
    :param hover_m_per_s: metres of flight that one second of hovering costs.
    :raises ValueError: if a number is out of range.
    """

    def __init__(self, capacity_m: float = math.nan, *, hover_m_per_s: float = 0.0) -> None:
        if not (math.isnan(capacity_m) or 0.0 < capacity_m < math.inf):
            raise ValueError(f"'capacity_m' must be above 0 or NaN, got {capacity_m!r}.")
        if not 0.0 <= hover_m_per_s < math.inf:
            raise ValueError(f"'hover_m_per_s' must be at least 0, got {hover_m_per_s!r}.")
        self._capacity_m = capacity_m
        self._hover_m_per_s = hover_m_per_s
        self._drained_m = 0.0

    @classmethod
    def from_config(cls, config: BatteryConfig) -> Battery:
        """Make the battery the options ask for, full."""
        return cls(config.capacity_m, hover_m_per_s=config.hover_m_per_s)

    @property
    def drained_m(self) -> float:
        """What was drawn so far, metres of flight; goes on past the capacity."""
        return self._drained_m

    @property
    def fraction(self) -> float:
        """Charge left, 1 (full) to 0 (empty)."""
        if math.isnan(self._capacity_m):
            return 1.0
        return max(0.0, 1.0 - self._drained_m / self._capacity_m)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return self.fraction == 0.0

    def drain(self, *, flown_m: float = 0.0, hover_s: float = 0.0) -> float:
        """
        Draw on the charge.

        :param flown_m: distance flown since the last call, metres.
        :param hover_s: time spent hovering since the last call, seconds.
        :return: charge left, 1 to 0.
        :raises ValueError: if either is negative or not finite.
        """
        for name, amount in (('flown_m', flown_m), ('hover_s', hover_s)):
            if not 0.0 <= amount < math.inf:
                raise ValueError(f"'{name}' must be finite and at least 0, got {amount!r}.")
        self._drained_m += flown_m + hover_s * self._hover_m_per_s
        return self.fraction
