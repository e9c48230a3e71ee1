# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The pretend battery."""

from __future__ import annotations

import math

import numpy as np

from ..core.types import FloatArray
from .config import BatteryConfig


class Battery:
    """
    A charge that flying and hovering draw on; its rates need not be those the planner was told.

    In a wind ``w`` a vehicle of airspeed ``v`` that crabs along ``u`` covers the ground at
    ``w.u + sqrt(v^2 - |w - (w.u) u|^2)``, and a metre draws as many metres of calm flight as ``v``
    is times that. The battery alone feels this wind.

    :param capacity_m: metres of calm flight a full battery lasts, or NaN: it never runs down.
    :param hover_m_per_s: metres of calm flight that one second of hovering costs.
    :param wind_mps: towards east and north; slower than the airspeed.
    :param speed_mps: airspeed, above 0; matters in wind alone.
    :param start_fraction: charge at the start, 0 to 1.
    :param gauge_step: the reported charge is rounded down to multiples of this; 0: exact.
    :raises ValueError: if a number is out of range.
    """

    def __init__(
        self,
        capacity_m: float = math.nan,
        *,
        hover_m_per_s: float = 0.0,
        wind_mps: tuple[float, float] = (0.0, 0.0),
        speed_mps: float = 1.0,
        start_fraction: float = 1.0,
        gauge_step: float = 0.0,
    ) -> None:
        if not (math.isnan(capacity_m) or 0.0 < capacity_m < math.inf):
            raise ValueError(f"'capacity_m' must be above 0 or NaN, got {capacity_m!r}.")
        if not 0.0 <= hover_m_per_s < math.inf:
            raise ValueError(f"'hover_m_per_s' must be at least 0, got {hover_m_per_s!r}.")
        if not math.hypot(*wind_mps) < speed_mps:
            raise ValueError(f"'wind_mps' must be below {speed_mps!r}, got {wind_mps!r}.")
        if not 0.0 <= start_fraction <= 1.0:
            raise ValueError(f"'start_fraction' must be 0 to 1, got {start_fraction!r}.")
        if not 0.0 <= gauge_step < 1.0:
            raise ValueError(f"'gauge_step' must be 0 to below 1, got {gauge_step!r}.")
        self._capacity_m = capacity_m
        self._hover_m_per_s = hover_m_per_s
        self._wind = np.array(wind_mps, dtype=np.float64) / speed_mps
        self._start = start_fraction
        self._gauge_step = gauge_step
        self._drained_m = 0.0

    @classmethod
    def from_config(cls, config: BatteryConfig, speed_mps: float = math.inf) -> Battery:
        """
        Make the battery the options ask for.

        :param speed_mps: airspeed of the vehicle.
        :raises ValueError: if the wind is not slower.
        """
        return cls(
            config.capacity_m,
            hover_m_per_s=config.hover_m_per_s,
            wind_mps=(config.wind_east_mps, config.wind_north_mps),
            speed_mps=speed_mps,
            start_fraction=config.start_fraction,
            gauge_step=config.gauge_step,
        )

    @property
    def drained_m(self) -> float:
        """What was drawn so far, metres of calm flight; goes on past the capacity."""
        return self._drained_m

    @property
    def fraction(self) -> float:
        """Charge left, 1 (full) to 0 (empty)."""
        if math.isnan(self._capacity_m):
            return self._start
        return max(0.0, self._start - self._drained_m / self._capacity_m)

    @property
    def reported(self) -> float:
        """Charge left as the gauge shows it."""
        if self._gauge_step == 0.0:
            return self.fraction
        # A charge that is a multiple must not be shown as the one below.
        return math.floor(self.fraction / self._gauge_step + 1e-9) * self._gauge_step

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        return self.fraction == 0.0

    def fly(self, step: FloatArray, hover_s: float) -> float:
        """
        Draw on the charge for a short stretch: flown if it leads anywhere, else hovered.

        :param step: displacement, shape ``(2,)``, metres.
        :param hover_s: how long it took, seconds.
        :return: charge left, 1 to 0.
        """
        distance = float(np.hypot(*step))
        if distance == 0.0:
            return self.drain(hover_s=hover_s)
        along = float(self._wind @ step) / distance
        across = float(self._wind @ self._wind) - along**2
        return self.drain(flown_m=distance / (along + math.sqrt(1.0 - across)))

    def drain(self, *, flown_m: float = 0.0, hover_s: float = 0.0) -> float:
        """
        Draw on the charge.

        :param flown_m: metres of calm flight since the last call.
        :param hover_s: time spent hovering since the last call, seconds.
        :return: charge left, 1 to 0.
        :raises ValueError: if either is negative or not finite.
        """
        for name, amount in (('flown_m', flown_m), ('hover_s', hover_s)):
            if not 0.0 <= amount < math.inf:
                raise ValueError(f"'{name}' must be finite and at least 0, got {amount!r}.")
        self._drained_m += flown_m + hover_s * self._hover_m_per_s
        return self.fraction
