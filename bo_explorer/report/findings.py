# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The places worth a visit that came of a mission."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from ..core.record import MissionRecord
from ..core.types import FloatArray
from .belief import Belief

# A peak of the map is taken for one where most of the prior doubt is gone.
_KNOWN = 0.5
_SIGMAS = 2.0


@dataclass(frozen=True)
class Finding:
    """
    One place.

    :param rank: 1 is the best.
    :param x: east, metres.
    :param y: north, metres.
    :param value: posterior mean, sensor unit.
    :param std: latent posterior standard deviation, sensor unit.
    """

    rank: int
    x: float
    y: float
    value: float
    std: float


def find_places(record: MissionRecord, belief: Belief, most: int = 5) -> list[Finding]:
    """
    Return the best estimate and after it the other peaks of the map, the highest first.

    A peak is a place of the map above all its neighbours and, by two standard deviations, above
    the mean of the field, where the standard deviation is at most half of what it was before any
    sample, and further than a lengthscale from every better one.

    :param record: the mission.
    :param belief: its last map.
    :param most: most places, above 0.
    :return: none before the first sample.
    """
    best = record.best
    if best is None:
        return []
    found = [Finding(1, best.x, best.y, best.mean, best.std)]
    if len(belief) < 2:
        return found
    apart_m = _separation_m(record, belief)
    for index in _peaks(record, belief):
        if len(found) == most:
            break
        x, y = (float(v) for v in belief.points[index])
        if all(np.hypot(x - other.x, y - other.y) >= apart_m for other in found):
            found.append(
                Finding(len(found) + 1, x, y, float(belief.mean[index]), float(belief.std[index]))
            )
    return found


def _peaks(record: MissionRecord, belief: Belief) -> list[int]:
    """Return the places of the map that are peaks, the highest first."""
    spacing = belief.spacing_m
    neighbours = cKDTree(belief.points).query_ball_point(belief.points, 1.5 * spacing)
    prior = float(record.hyperparameters.get('signal_std') or belief.std.max())
    mean: FloatArray = belief.mean
    usual = record.hyperparameters.get('mean')
    is_known = belief.std <= _KNOWN * prior
    is_high = mean - _SIGMAS * belief.std > (float(mean.mean()) if usual is None else float(usual))
    peaks = [
        index
        for index in np.flatnonzero(is_known & is_high)
        if all(mean[index] > mean[other] for other in neighbours[index] if other != index)
    ]
    return sorted((int(index) for index in peaks), key=lambda index: -mean[index])


def _separation_m(record: MissionRecord, belief: Belief) -> float:
    scales = record.hyperparameters.get('lengthscales') or [0.0]
    return max(float(min(scales)), 2.0 * belief.spacing_m)
