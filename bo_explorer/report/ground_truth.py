# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What is known of the true field, where it is known: in simulation and in studies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core.types import FloatArray


@dataclass(frozen=True)
class GroundTruth:
    """
    The true field over the places the vehicle may be.

    :param value: the field, from points of shape ``(M, 2)`` to values of shape ``(M,)``.
    :param summit: where it is greatest, ``(x, y)``, metres.
    :param maximum: its value there, sensor unit.
    :param minimum: its least value, sensor unit.
    """

    value: Callable[[FloatArray], FloatArray]
    summit: tuple[float, float]
    maximum: float
    minimum: float

    @classmethod
    def over(
        cls, value: Callable[[FloatArray], FloatArray], points: FloatArray
    ) -> GroundTruth:
        """
        Take extremes over some places: with places the vehicle may reach, regret can become zero.

        :param value: the field.
        :param points: the places, shape ``(M, 2)``, metres.
        :return: the truth over them.
        """
        values = value(points)
        top = int(np.argmax(values))
        return cls(
            value=value,
            summit=(float(points[top, 0]), float(points[top, 1])),
            maximum=float(values[top]),
            minimum=float(values.min()),
        )

    def regret(self, points: FloatArray) -> FloatArray:
        """
        Return how far the field at some places is below its maximum, sensor unit, never negative.

        :param points: shape ``(M, 2)``, metres.
        :return: shape ``(M,)``.
        """
        return np.maximum(self.maximum - self.value(points), 0.0)

    @property
    def range(self) -> float:
        """Difference between maximum and minimum, sensor unit."""
        return self.maximum - self.minimum
