# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a pretend field is, and the search for its true best and worst place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from scipy import ndimage, optimize

from ...core.errors import ConfigError
from ...core.types import FloatArray

Function = Callable[[FloatArray], FloatArray]
"""Values at points: ``(M, 2)`` metres to ``(M,)``."""

_SEARCH_NODES = 161
_POLISHED_PEAKS = 8


class Bounds(NamedTuple):
    """The rectangle a field is known over, metres in the map frame."""

    min_x: float
    min_y: float
    max_x: float
    max_y: float


class Extreme(NamedTuple):
    """A best or worst place, shape ``(2,)`` in metres, and the value there."""

    point: FloatArray
    value: float


@runtime_checkable
class Field(Protocol):
    """
    The ground truth: a scalar over the plane.

    Values are finite everywhere; outside :attr:`bounds` they go on in whatever way suits the kind.
    """

    @property
    def bounds(self) -> Bounds:
        """Rectangle the field is known over, metres."""
        ...

    @property
    def maximum(self) -> Extreme:
        """The true best place inside the bounds; one of them where several are equal."""
        ...

    @property
    def minimum(self) -> Extreme:
        """The true worst place inside the bounds; one of them where several are equal."""
        ...

    @property
    def range(self) -> float:
        """Highest minus lowest value inside the bounds, at least 0."""
        ...

    def value(self, points: FloatArray) -> FloatArray:
        """
        Return the value at each point.

        :param points: shape ``(M, 2)``, metres.
        :return: shape ``(M,)``; NaN where a coordinate is not finite.
        """
        ...


@dataclass(frozen=True)
class KnownField:
    """
    A field given by its function and its extremes.

    :param function: values at finite points, ``(M, 2)`` to ``(M,)``.
    :param bounds: rectangle the field is known over, metres.
    :param maximum: the true best place.
    :param minimum: the true worst place.
    """

    function: Function
    bounds: Bounds
    maximum: Extreme
    minimum: Extreme

    @property
    def range(self) -> float:
        """Highest minus lowest value inside the bounds."""
        return self.maximum.value - self.minimum.value

    def value(self, points: FloatArray) -> FloatArray:
        """
        Return the value at each point.

        :param points: shape ``(M, 2)``, metres.
        :return: shape ``(M,)``; NaN where a coordinate is not finite.
        :raises ValueError: if the shape is not ``(M, 2)``.
        """
        points = np.asarray(points, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 2:
            raise ValueError(f"'points' must have shape (any, 2), got {points.shape}.")
        values = np.full(points.shape[0], np.nan)
        known = np.isfinite(points).all(axis=1)
        if known.any():
            values[known] = self.function(points[known])
        return values

    def scaled(self, scale: float, offset: float) -> KnownField:
        """
        Return the field ``offset + scale * value``.

        :param scale: not 0; a negative one turns the worst place into the best.
        :param offset: in the unit of the result.
        """
        if scale == 1.0 and offset == 0.0:
            return self

        def move(extreme: Extreme) -> Extreme:
            return Extreme(extreme.point, offset + scale * extreme.value)

        best, worst = (self.maximum, self.minimum) if scale > 0.0 else (self.minimum, self.maximum)
        return KnownField(
            lambda points: offset + scale * self.function(points),
            self.bounds,
            move(best),
            move(worst),
        )


def searched_field(
    function: Function, bounds: Bounds, *, best: FloatArray | None = None
) -> KnownField:
    """
    Make a field of a smooth function by searching its extremes.

    :param function: values at finite points, ``(M, 2)`` to ``(M,)``.
    :param bounds: rectangle to search, metres.
    :param best: a place known to be the best or near it, shape ``(2,)``, metres.
    """
    return KnownField(
        function,
        bounds,
        find_maximum(function, bounds, best),
        _negated(find_maximum(lambda points: -function(points), bounds)),
    )


def find_maximum(function: Function, bounds: Bounds, start: FloatArray | None = None) -> Extreme:
    """
    Find the highest value over a rectangle: a dense grid, then gradients from its best peaks.

    :param function: values at finite points, ``(M, 2)`` to ``(M,)``.
    :param bounds: rectangle to search, metres; the border belongs to it.
    :param start: one more place to start from, shape ``(2,)``, metres.
    :return: the best place met, never worse than any grid node or ``start``.
    """
    low = np.array(bounds[:2])
    size = np.array(bounds[2:]) - low
    nodes = grid_points(bounds, _SEARCH_NODES, _SEARCH_NODES)
    values = function(nodes).reshape(_SEARCH_NODES, _SEARCH_NODES)
    is_peak = values == ndimage.maximum_filter(values, size=3, mode='nearest')
    peaks = np.flatnonzero(is_peak)
    peaks = peaks[np.argsort(-values.ravel()[peaks], kind='stable')][:_POLISHED_PEAKS]
    places = nodes[peaks]
    if start is not None:
        places = np.vstack([places, start])
    spread = float(np.ptp(values)) or 1.0

    def loss(unit: FloatArray) -> float:
        return -float(function((low + unit * size)[np.newaxis])[0]) / spread

    best = Extreme(places[0], -np.inf)
    for place in places:
        result = optimize.minimize(
            loss,
            (place - low) / size,
            method='L-BFGS-B',
            bounds=[(0.0, 1.0)] * 2,
            options={'ftol': 1e-15, 'gtol': 1e-9},
        )
        for point in (place, low + np.clip(result.x, 0.0, 1.0) * size):
            value = float(function(point[np.newaxis])[0])
            if value > best.value:
                best = Extreme(np.array(point), value)
    return best


def grid_points(bounds: Bounds, n_x: int, n_y: int) -> FloatArray:
    """Return the nodes of a regular grid over a rectangle, x fastest, shape ``(n_y * n_x, 2)``."""
    x = np.linspace(bounds.min_x, bounds.max_x, n_x)
    y = np.linspace(bounds.min_y, bounds.max_y, n_y)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def field_error(name: str, message: str) -> ConfigError:
    """
    Return the error for one option of the field.

    :param name: option of the field group, e.g. ``file``.
    :param message: the sentence after the key, e.g. ``must be ...``.
    """
    key = f'simulator.field.{name}'
    return ConfigError(key, f"'{key}' {message}")


def _negated(extreme: Extreme) -> Extreme:
    return Extreme(extreme.point, -extreme.value)
