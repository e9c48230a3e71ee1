# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The value objects every other module speaks in.

Units are SI (metres, seconds, radians). Frames follow REP 103 and REP 105: positions are in one
right-handed map frame, x east, y north, z up; yaw is counter-clockwise from x. Costs are in
*metres-equivalent*: metres of calm flight that use the same battery. Arrays are float64.

Shape letters: ``N`` samples, ``M`` query points or candidates, ``D`` dimensions, ``Q`` path
vertices, ``S`` fantasies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    # Nodes that only pass waypoints on start without torch.
    import torch

FloatArray = NDArray[np.float64]
"""A float64 array; the docstring of each use states its shape."""

BoolArray = NDArray[np.bool_]
"""A boolean array; the docstring of each use states its shape."""


def frozen_array(values: Any, *, name: str, shape: tuple[int | None, ...]) -> FloatArray:
    """
    Copy ``values`` into a read-only, finite float64 array of the given shape.

    :param values: anything numpy can convert.
    :param name: name used in error messages.
    :param shape: required shape; ``None`` leaves an axis free.
    :return: the read-only copy.
    :raises ValueError: if the shape differs or a value is not finite.
    """
    array = np.array(values, dtype=np.float64)
    fits = array.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, array.shape)
    )
    if not fits:
        wanted = '(' + ', '.join('any' if n is None else str(n) for n in shape) + ')'
        raise ValueError(f"'{name}' must have shape {wanted}, got {array.shape}.")
    if not np.isfinite(array).all():
        raise ValueError(f"'{name}' must be finite, got {array[~np.isfinite(array)][0]!r}.")
    array.setflags(write=False)
    return array


@dataclass(frozen=True)
class Pose:
    """
    Where the vehicle is.

    :param x: east, metres.
    :param y: north, metres.
    :param z: up, metres.
    :param yaw: heading, radians, or ``None`` where it is unknown.
    :param stamp: time of validity, seconds.
    :raises ValueError: if a coordinate or the stamp is not finite.
    """

    x: float
    y: float
    z: float = 0.0
    yaw: float | None = None
    stamp: float = 0.0

    def __post_init__(self) -> None:
        for name in ('x', 'y', 'z', 'stamp'):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(f"'{name}' must be finite, got {getattr(self, name)!r}.")
        if self.yaw is not None and not math.isfinite(self.yaw):
            raise ValueError(f"'yaw' must be finite or None, got {self.yaw!r}.")

    @property
    def position(self) -> FloatArray:
        """Horizontal position, shape ``(2,)``."""
        return np.array([self.x, self.y], dtype=np.float64)


@dataclass(frozen=True)
class Reading:
    """
    What the sensor said, good or bad: ingest decides.

    :param value: the scalar, in the sensor's unit; may be NaN or infinite.
    :param x: east of the sensor when it read, metres.
    :param y: north of the sensor when it read, metres.
    :param stamp: time of the reading, seconds.
    """

    value: float
    x: float
    y: float
    stamp: float


@dataclass(frozen=True)
class Samples:
    """
    The accepted data the map is conditioned on, in order of acceptance.

    :param points: shape ``(N, D)``, metres.
    :param values: shape ``(N,)``, sensor unit, each the mean of ``counts`` readings.
    :param counts: shape ``(N,)``, readings behind each value; its noise variance is the sensor's
        divided by the count.
    """

    points: FloatArray
    values: FloatArray
    counts: FloatArray

    def __post_init__(self) -> None:
        points = np.asarray(self.points)
        n = points.shape[0] if points.ndim == 2 else -1
        object.__setattr__(
            self, 'points', frozen_array(self.points, name='points', shape=(None, None))
        )
        object.__setattr__(self, 'values', frozen_array(self.values, name='values', shape=(n,)))
        object.__setattr__(self, 'counts', frozen_array(self.counts, name='counts', shape=(n,)))
        if (self.counts <= 0.0).any():
            raise ValueError(f"'counts' must be above 0, got {self.counts.min()!r}.")

    def __len__(self) -> int:
        return int(self.values.shape[0])


@dataclass(frozen=True)
class Posterior:
    """
    Marginal belief about the field at some points, in the planner's standardised units.

    :param mean: shape ``(..., M)``.
    :param std: latent standard deviation (no sensor noise), shape ``(..., M)``, never negative.
    """

    mean: torch.Tensor
    std: torch.Tensor


@dataclass(frozen=True)
class Estimate:
    """
    The best place found so far: the highest posterior mean over the sampled places.

    :param x: east, metres.
    :param y: north, metres.
    :param mean: posterior mean there, sensor unit.
    :param std: latent posterior standard deviation there, sensor unit.
    """

    x: float
    y: float
    mean: float
    std: float


@dataclass(frozen=True)
class Waypoint:
    """
    A place to fly to.

    :param x: east, metres.
    :param y: north, metres.
    :param z: up, metres.
    :param yaw: heading, radians, or ``None`` to leave it to the vehicle.
    :param orientation: whole orientation as quaternion x, y, z, w where the yaw does not say it
        all, or ``None``.
    """

    x: float
    y: float
    z: float = 0.0
    yaw: float | None = None
    orientation: tuple[float, float, float, float] | None = None


class Outcome(Enum):
    """How one call of ``Explorer.ask`` ended."""

    WAYPOINT = 'waypoint'
    BUDGET_EXHAUSTED = 'budget_exhausted'
    NO_LEGAL_CANDIDATE = 'no_legal_candidate'
    CONVERGED = 'converged'
    FOUND = 'found'
    TIME_UP = 'time_up'
    NOT_ENOUGH_DATA = 'not_enough_data'


@dataclass(frozen=True)
class Decision:
    """
    The answer of ``Explorer.ask``.

    :param outcome: what kind of answer this is.
    :param reason: one sentence for the operator.
    :param target: the chosen place, shape ``(2,)``, or ``None`` unless the outcome is WAYPOINT.
    :param path: vertices to fly, first the place the path starts, last the target, shape
        ``(Q, 2)``; ``None`` unless the outcome is WAYPOINT.
    :param cost_m: metres-equivalent of the path and the stop at its end.
    :param home_cost_m: metres-equivalent of the way home from the target.
    :param score: acquisition value of the target.
    :param counts: candidates left after each filter, for diagnostics.
    """

    outcome: Outcome
    reason: str
    target: FloatArray | None = None
    path: FloatArray | None = None
    cost_m: float = 0.0
    home_cost_m: float = 0.0
    score: float = math.nan
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class MapSnapshot:
    """
    The belief about the field at the candidates.

    :param points: shape ``(M, 2)``, metres.
    :param mean: posterior mean, sensor unit, shape ``(M,)``.
    :param std: latent posterior standard deviation, sensor unit, shape ``(M,)``.
    :param spacing_m: distance between neighbouring candidates, metres.
    """

    points: FloatArray
    mean: FloatArray
    std: FloatArray
    spacing_m: float
