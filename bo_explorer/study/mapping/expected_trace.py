# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
What the trace over the area of interest will be after readings not yet taken.

The variance :math:`v'` a place will have does not depend on what is read. Its mean will be
:math:`m' \sim N(m, \kappa^2 (v - v'))`, and the place will still be of interest where
:math:`m' + \sqrt{v'} \ge t`, so what is left of it is on average

:math:`v' \Phi((m + \sqrt{v'} - t) / (\kappa \sqrt{v - v'}))`.

:math:`\kappa^2` is the signal variance the readings speak for: the benchmark's model takes it
to be 1, which its fields are far below. The sum is exact, and so is its gradient.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import ndtr

from ...core.types import FloatArray
from .belief import THRESHOLD, Belief, kernel_parts

# Readings that nearly coincide must not make a path impossible while it moves.
_JITTER = 1e-4

_LEAST_VARIANCE = 1e-10

# Places so sure to be without interest are left out.
_LEAST_PROBABILITY = 0.01


class ExpectedTrace:
    """
    The expected trace as a function of future readings.

    :param readings: taken so far, shape ``(N, 2)``.
    :param belief: after them, at ``places``.
    :param places: where variance counts, shape ``(M, 2)``.
    :param signal_variance: ``kappa^2``, above 0.
    :param area_as_now: whether the area of interest is taken to stay as it is instead.
    """

    def __init__(
        self,
        readings: FloatArray,
        belief: Belief,
        places: FloatArray,
        signal_variance: float,
        *,
        area_as_now: bool = False,
    ) -> None:
        self._readings = readings
        self._signal_variance = signal_variance
        self._area_as_now = area_as_now
        if area_as_now:
            kept = belief.interest
        else:
            # Half of the standard deviation may be left at a place that was passed near by.
            margin = belief.mean + 0.5 * np.sqrt(belief.variance) - THRESHOLD
            spread = np.sqrt(np.maximum(signal_variance * belief.variance, _LEAST_VARIANCE))
            kept = ndtr(margin / spread) > _LEAST_PROBABILITY
        self._places = places[kept]
        self._mean = belief.mean[kept]
        self._variance = belief.variance[kept]

    def __call__(self, points: FloatArray) -> tuple[float, FloatArray]:
        """
        Return the expected trace and its gradient.

        :param points: future readings, shape ``(n, 2)``.
        :return: the trace, and its gradient, shape ``(n, 2)``.
        """
        n_old = len(self._readings)
        everything = np.concatenate([self._readings, points])
        gram, gram_slope = kernel_parts(everything, everything)
        gram[np.diag_indices_from(gram)] += _JITTER
        cross, cross_slope = kernel_parts(everything, self._places)
        weights = cho_solve(cho_factor(gram, lower=True), cross)  # (N + n, M)
        left = np.maximum(
            1.0 - np.einsum('nm,nm->m', cross, weights), _LEAST_VARIANCE
        )
        trace, slope = self._remaining(left)
        # d left_m = -2 w_m . d k_m + w_m^T dK w_m, with k_m the cross covariances.
        pulled = weights[n_old:] * slope
        towards = pulled * cross_slope[n_old:]
        gradient = -2.0 * (towards.sum(axis=1)[:, np.newaxis] * points - towards @ self._places)
        mutual = (pulled @ weights.T) * gram_slope[n_old:]
        gradient += 2.0 * (mutual.sum(axis=1)[:, np.newaxis] * points - mutual @ everything)
        return trace, gradient

    def _remaining(self, left: FloatArray) -> tuple[float, FloatArray]:
        """Return the trace for variances to come, shape ``(M,)``, and its derivative by each."""
        if self._area_as_now:
            return float(left.sum()), np.ones_like(left)
        k2 = self._signal_variance
        gain = k2 * np.maximum(self._variance - left, 1e-9)
        std, spread = np.sqrt(left), np.sqrt(gain)
        margin = self._mean + std - THRESHOLD
        u = margin / spread
        probability = ndtr(u)
        density = np.exp(-0.5 * u * u) / np.sqrt(2.0 * np.pi)
        du = 0.5 / (std * spread) + 0.5 * k2 * margin / (spread * gain)
        return float(left @ probability), probability + left * density * du
