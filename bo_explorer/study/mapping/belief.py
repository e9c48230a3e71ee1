# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The fixed Gaussian process of the benchmark, and what it judges by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from ...core.types import BoolArray, FloatArray

LENGTHSCALE = 0.45
"""Of the Matern 3/2 kernel of unit variance, sides."""

THRESHOLD = 0.4
"""A place is of interest while mean plus one standard deviation reaches this."""

_NOISE_VARIANCE = 1e-10
_RATE = np.sqrt(3.0) / LENGTHSCALE


class Belief(NamedTuple):
    """
    What is believed after some readings.

    :param mean: shape ``(M,)``.
    :param variance: shape ``(M,)``.
    :param signal_variance: most likely squared scale of the values; NaN without a reading.
    """

    mean: FloatArray
    variance: FloatArray
    signal_variance: float

    @property
    def interest(self) -> BoolArray:
        """Whether each place is of interest, shape ``(M,)``."""
        inside: BoolArray = self.mean + np.sqrt(self.variance) >= THRESHOLD
        return inside

    @property
    def trace(self) -> float:
        """Sum of the variances over the places of interest."""
        return float(self.variance[self.interest].sum())


def kernel_parts(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Return the covariance of every pair, and the factor of its gradient.

    ``k = (1 + s) e^-s`` with ``s = sqrt(3) |a - b| / l``; its gradient in ``a`` is the second
    result times ``a - b``: ``-3 / l^2 e^-s``.

    :param a: shape ``(M, 2)``.
    :param b: shape ``(N, 2)``.
    :return: each of shape ``(M, N)``.
    """
    across, along = (a[:, np.newaxis, axis] - b[:, axis] for axis in (0, 1))
    scaled = _RATE * np.sqrt(across * across + along * along)
    decay = np.exp(-scaled)
    return (1.0 + scaled) * decay, -(_RATE**2) * decay


def believe(readings: FloatArray, values: FloatArray, places: FloatArray) -> Belief:
    """
    Return the posterior at some places.

    :param readings: where the field was read, shape ``(N, 2)``.
    :param values: what was read, shape ``(N,)``.
    :param places: shape ``(M, 2)``.
    """
    if not len(readings):
        return Belief(np.zeros(len(places)), np.ones(len(places)), np.nan)
    gram = kernel_parts(readings, readings)[0] + _NOISE_VARIANCE * np.eye(len(readings))
    factor = cho_factor(gram, lower=True)
    cross = kernel_parts(readings, places)[0]
    weights = cho_solve(factor, values)
    whitened = solve_triangular(factor[0], cross, lower=True)
    variance = np.maximum(1.0 - np.einsum('nm,nm->m', whitened, whitened), 0.0)
    return Belief(cross.T @ weights, variance, float(values @ weights) / len(values))
