# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Random hot spots on a cold ground, one clearly the hottest: people, leaks, beacons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.types import FloatArray
from .base import Bounds, KnownField, field_error, searched_field

if TYPE_CHECKING:
    from ..config import FieldConfig

_SEPARATION = 4.0
_LEAST_HEIGHT, _GREATEST_HEIGHT = 0.4, 0.75
_TRIES = 4_000


def hot_spots_field(
    bounds: Bounds, n_spots: int, lengthscale_m: float, rng: np.random.Generator
) -> KnownField:
    """
    Draw Gaussian bumps ``sum_i h_i exp(-|p - c_i|^2 / (2 l^2))`` with separate peaks.

    The hottest has height 1, the others 0.4 to 0.75. Centres lie at least four lengthscales
    apart and one from the border, so every bump keeps a peak of its own.

    :param bounds: rectangle of the field, metres.
    :param n_spots: bumps.
    :param lengthscale_m: standard deviation ``l`` of each bump, metres.
    :param rng: source of the places and heights.
    :raises ConfigError: if the bumps find no room.
    """
    low = np.array(bounds[:2]) + lengthscale_m
    high = np.array(bounds[2:]) - lengthscale_m
    if not (low < high).all():
        raise field_error(
            'lengthscale_m',
            f'must be below half the smaller side of the rectangle, got {lengthscale_m!r}.',
        )
    centres: list[FloatArray] = []
    for _ in range(_TRIES):
        if len(centres) == n_spots:
            break
        place = rng.uniform(low, high)
        if all(np.linalg.norm(place - c) >= _SEPARATION * lengthscale_m for c in centres):
            centres.append(place)
    if len(centres) < n_spots:
        raise field_error(
            'n_hot_spots',
            f'must be few enough to lie {_SEPARATION:g} lengthscales of {lengthscale_m:g} m '
            f'apart, got {n_spots!r}; take fewer spots or a smaller lengthscale_m.',
        )
    spots = np.array(centres)  # (K, 2)
    heights = np.append(1.0, rng.uniform(_LEAST_HEIGHT, _GREATEST_HEIGHT, n_spots - 1))

    def value(points: FloatArray) -> FloatArray:
        squares = ((points[:, np.newaxis, :] - spots) ** 2).sum(axis=2)  # (M, K)
        values: FloatArray = np.exp(-0.5 * squares / lengthscale_m**2) @ heights
        return values

    return searched_field(value, bounds, best=spots[0])


def make(config: FieldConfig, rng: np.random.Generator, base: Path | None) -> KnownField:
    """Build the field the options ask for."""
    return hot_spots_field(config.rectangle, config.n_hot_spots, config.lengthscale(0.1), rng)
