# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The pretend sensor: reads on its own schedule, noisily, and tells late."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from ..core.types import FloatArray
from .config import SensorConfig
from .fields import Field

# Steps and periods are binary fractions that do not add up: readings a nanosecond off are due.
_TOLERANCE_S = 1e-9

_MOST_CATCH_UP = 1000


class Sensor:
    """
    A scalar sensor under the vehicle.

    Reading ``k`` is taken at ``t0 + k / rate``, with ``t0`` the time of the first call, at the
    place the vehicle then was on the straight line between two calls. So neither the step of the
    caller nor one option shifts what the others do.

    :param config: rate, noise, dropout, delay.
    :param rng: source of noise and dropouts.
    """

    def __init__(self, config: SensorConfig, rng: np.random.Generator) -> None:
        self._config = config
        # Streams of their own, so that a run does not depend on how its time is cut into steps.
        self._noise_rng = np.random.default_rng(rng.integers(2**63))
        self._dropout_rng = np.random.default_rng(rng.integers(2**63))
        self._first = math.nan
        self._taken = 0
        self._last_time = math.nan
        self._last_position = np.zeros(2)
        self._under_way: deque[tuple[float, float, float]] = deque()

    def read(self, field: Field, position: FloatArray, now: float) -> list[tuple[float, float]]:
        """
        Take the readings due since the last call and hand over those that have arrived.

        After a gap of more than a thousand periods only the newest thousand are taken. When time
        runs backwards the schedule starts anew and what was under way is lost.

        :param field: the ground truth.
        :param position: where the vehicle is, shape ``(2,)``, metres.
        :param now: seconds.
        :return: ``(value, stamp)`` of each reading that has arrived, oldest first, stamped with
            the time it was taken.
        :raises ValueError: if the place or the time is not finite.
        """
        position = np.array(position, dtype=np.float64)
        if position.shape != (2,) or not np.isfinite(position).all():
            raise ValueError(f"'position' must be two finite numbers, got {position!r}.")
        if not math.isfinite(now):
            raise ValueError(f"'now' must be finite, got {now!r}.")
        if not now >= self._last_time:
            self._first, self._taken = now, 0
            self._last_time, self._last_position = now, position
            self._under_way.clear()
        self._take_due(field, position, now)
        self._last_time, self._last_position = now, position
        arrived = []
        while self._under_way and self._under_way[0][0] <= now + _TOLERANCE_S:
            _, value, stamp = self._under_way.popleft()
            arrived.append((value, stamp))
        return arrived

    def _take_due(self, field: Field, position: FloatArray, now: float) -> None:
        elapsed = now - self._first + _TOLERANCE_S
        due = math.floor(elapsed * self._config.rate_hz) + 1
        if due <= self._taken:
            return
        ticks = np.arange(max(self._taken, due - _MOST_CATCH_UP), due)
        self._taken = due
        stamps = np.minimum(self._first + ticks / self._config.rate_hz, now)
        step = now - self._last_time
        # The very first call has no step: its one reading is taken on the spot.
        share = np.clip((stamps - self._last_time) / (step or 1.0), 0.0, 1.0)
        places = self._last_position + share[:, np.newaxis] * (position - self._last_position)
        noise = self._noise_rng.standard_normal(len(ticks))
        values = field.value(places) + self._config.noise_std * noise
        chances = self._dropout_rng.random(len(ticks))
        for value, stamp, chance in zip(values, stamps, chances, strict=True):
            if chance >= self._config.dropout:
                self._under_way.append(
                    (float(stamp) + self._config.delay_s, float(value), float(stamp))
                )
