# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What the Gaussian process believes about the field before it sees a sample."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..config import ModelConfig
from ..types import FloatArray, Samples
from .kernels import KERNELS

INITIAL_LENGTHSCALE = 0.2
"""Lengthscale before the first fit, in sides of the search area."""

INITIAL_NOISE = 0.1
"""Noise of one reading before the first fit, in standard deviations of the field."""


@dataclass(frozen=True)
class Hyperparameters:
    """
    Parameters of the Gaussian process, in metres and the sensor's unit.

    :param kernel: a name in :data:`~bo_explorer.core.gp.kernels.KERNELS`.
    :param lengthscales: one per axis, metres, above 0.
    :param signal_std: prior standard deviation of the field, sensor unit, above 0.
    :param noise_std: standard deviation of one reading about the field, sensor unit, above 0.
    :param mean: prior mean of the field, sensor unit.
    :raises ValueError: if a value breaks its rule.
    """

    kernel: str
    lengthscales: tuple[float, ...]
    signal_std: float
    noise_std: float
    mean: float

    def __post_init__(self) -> None:
        if self.kernel not in KERNELS:
            known = ', '.join(sorted(KERNELS))
            raise ValueError(f"'kernel' must be one of {known}, got {self.kernel!r}.")
        lengthscales = tuple(float(value) for value in self.lengthscales)
        object.__setattr__(self, 'lengthscales', lengthscales)
        if not lengthscales:
            raise ValueError("'lengthscales' must have one number per axis, got ().")
        positive = [('lengthscales', value) for value in lengthscales]
        positive += [('signal_std', self.signal_std), ('noise_std', self.noise_std)]
        for name, value in positive:
            if not (math.isfinite(value) and value > 0.0):
                raise ValueError(f"'{name}' must be finite and above 0, got {value!r}.")
        if not math.isfinite(self.mean):
            raise ValueError(f"'mean' must be finite, got {self.mean!r}.")

    @property
    def dimension(self) -> int:
        """Number of axes of the field."""
        return len(self.lengthscales)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return {
            'kernel': self.kernel,
            'lengthscales': list(self.lengthscales),
            'signal_std': self.signal_std,
            'noise_std': self.noise_std,
            'mean': self.mean,
        }


def initial_hyperparameters(
    config: ModelConfig, side_m: float, dimension: int, samples: Samples | None
) -> Hyperparameters:
    """
    Guess the hyperparameters while the data are too few to learn them.

    Mean and signal are those of the values; where these do not spread, the signal is 1.

    :param config: kernel, and the lengthscale and noise where the user knows them.
    :param side_m: square root of the search area, metres.
    :param dimension: number of axes.
    :param samples: what is known so far, or ``None``.
    :return: the guess.
    """
    lengthscale = config.lengthscale_m
    if math.isnan(lengthscale):
        lengthscale = INITIAL_LENGTHSCALE * side_m
    empty = np.empty(0)
    mean, signal_std = location_and_scale(empty if samples is None else samples.values)
    noise_std = INITIAL_NOISE * signal_std if math.isnan(config.noise_std) else config.noise_std
    return Hyperparameters(config.kernel, (lengthscale,) * dimension, signal_std, noise_std, mean)


def location_and_scale(values: FloatArray) -> tuple[float, float]:
    """
    Return mean and standard deviation; 0 and 1 where the values do not tell.

    A spread that is only rounding of the values counts as none.

    :param values: shape ``(N,)``, finite.
    :return: the mean and a scale above 0.
    """
    if not len(values):
        return 0.0, 1.0
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return 0.0, 1.0
    # Dividing first keeps the squares of very large and very small values in range.
    relative = values / largest
    mean, scale = largest * float(relative.mean()), largest * float(relative.std())
    if not scale > 1e-10 * largest or scale < 1e-150:
        return mean, 1.0
    return mean, scale
