# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The last map of a mission, and where it was wrong, as far as that is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.types import FloatArray, frozen_array


def _no_values() -> FloatArray:
    return np.empty(0)


@dataclass(frozen=True)
class Belief:
    """
    Values at the places of a map.

    :param points: shape ``(M, 2)``, metres; ``M`` is 0 before the first sample.
    :param mean: posterior mean, sensor unit, shape ``(M,)``.
    :param std: latent posterior standard deviation, sensor unit, shape ``(M,)``.
    :param truth: the true field, sensor unit, shape ``(M,)``, or ``None`` where it is unknown.
    :raises ValueError: if shapes differ or a value is not finite.
    """

    points: FloatArray = field(default_factory=lambda: np.empty((0, 2)))
    mean: FloatArray = field(default_factory=_no_values)
    std: FloatArray = field(default_factory=_no_values)
    truth: FloatArray | None = None

    def __post_init__(self) -> None:
        n = len(self.points)
        points = np.reshape(np.asarray(self.points, dtype=np.float64), (n, -1 if n else 2))
        object.__setattr__(self, 'points', frozen_array(points, name='points', shape=(n, 2)))
        for name in ('mean', 'std', 'truth'):
            values = getattr(self, name)
            if values is not None:
                object.__setattr__(self, name, frozen_array(values, name=name, shape=(n,)))

    def __len__(self) -> int:
        return len(self.points)

    @property
    def spacing_m(self) -> float:
        """Distance between neighbours, metres; 0 for fewer than two places."""
        gaps = [
            np.diff(np.unique(np.round(self.points[:, axis], 6))) for axis in (0, 1)
        ]
        return max((float(np.median(gap)) for gap in gaps if len(gap)), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists."""
        return {
            'points': self.points.tolist(),
            'mean': self.mean.tolist(),
            'std': self.std.tolist(),
            'truth': None if self.truth is None else self.truth.tolist(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Belief:
        """
        Rebuild what :meth:`to_dict` made.

        :raises ValueError: if shapes differ or a value is not finite.
        :raises KeyError: if a part is missing.
        """
        return cls(values['points'], values['mean'], values['std'], values.get('truth'))
