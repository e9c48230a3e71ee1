# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Counting what the flown distance costs, and not what jitter adds to it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .types import FloatArray


class Odometer:
    """
    Counts the cost of the distance flown and ignores jitter.

    Distance counts from an anchor that moves on only when the vehicle is further from it than the
    deadband; what lies within the deadband is added while the vehicle is there and forgotten when
    it drifts back, so hovering costs nothing and straight flight is exact.

    :param cost: metres-equivalent of a straight displacement.
    :param deadband_m: jitter that does not count, metres.
    """

    def __init__(
        self, cost: Callable[[FloatArray, FloatArray], float], deadband_m: float
    ) -> None:
        self._cost = cost
        self._deadband = deadband_m
        self._anchor: FloatArray | None = None
        self._position: FloatArray | None = None
        self._counted = 0.0

    @property
    def total(self) -> float:
        """Metres-equivalent flown so far."""
        if self._anchor is None or self._position is None:
            return self._counted
        return self._counted + self._cost(self._anchor, self._position)

    def update(self, position: FloatArray) -> None:
        """Take over the vehicle's place, shape ``(2,)``."""
        self._position = position
        if self._anchor is None:
            self._anchor = position
        elif np.linalg.norm(position - self._anchor) > self._deadband:
            self.anchor()

    def anchor(self) -> None:
        """Count what was flown up to here: to be called where the path may turn."""
        self._counted = self.total
        self._anchor = self._position

    def turn_at(self, vertex: FloatArray) -> None:
        """
        Count the way over a vertex that the vehicle turns off at.

        Momentum carries the vehicle on to the vertex, or as far, when it turns off just before it.

        :param vertex: shape ``(2,)``, metres.
        """
        if self._anchor is not None:
            self._counted += self._cost(self._anchor, vertex)
            self._anchor = vertex

    def jump(self, position: FloatArray) -> None:
        """Go on from another place without counting the way: the localisation jumped."""
        self._counted = self.total
        self._anchor = self._position = position
