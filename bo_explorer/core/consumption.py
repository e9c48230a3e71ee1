# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What flying draws from a store (a battery, a time limit), learned as it is drawn.

The charge falls by ``a m + b s + c . d``: ``m`` metres-equivalent flown at ``a`` a metre, ``s``
seconds hovered at ``b`` a second, ``d`` the net displacement and ``c`` the wind that nobody
configured. To first order in the wind ``w`` over the airspeed a leg ``l`` costs ``|l| - w . l``
(:mod:`.travel`), so ``c = -a w``; and since displacements add up, what is left to fly enters by
where it ends and not by its turns.

This is Bayesian linear regression on a charge that is itself uncertain, hence a Kalman filter with
the state (charge, a, b, c_x, c_y). Rates are kept in units of those given, charges as shares of a
full store.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import ndtri

from .types import FloatArray, frozen_array

# The draw of a stretch scatters by a tenth where the stretch takes a twentieth of the store.
_SCATTER = 0.1**2 * 0.05

# Standard deviation by which rates may wander while a whole store is drawn, relative.
_WANDER = 0.2

# No vehicle flies on less than this part of what was given.
_LEAST_RATE = 0.05

# A rise of the charge by this many standard deviations is another battery.
_RISE_SIGMAS = 5.0

# Readings that the misfit is averaged over; before there are any it counts as 1.
_MISFIT_MEMORY = 20.0


class ConsumptionFilter:
    """
    Belief about the charge of one store and the rates it is drawn at.

    :param per_m: given share drawn by a metre-equivalent, above 0.
    :param per_s: given share drawn by a second of hovering, above 0.
    :param rate_std: standard deviation of both, relative; 0: they are known.
    :param wind_std: standard deviation of each component of the wind, as part of the airspeed.
    :param gauge_std: standard deviation of a reported charge, above 0.
    :param is_hover_known: whether the second rate is exact whatever ``rate_std`` says.
    """

    def __init__(
        self,
        *,
        per_m: float,
        per_s: float,
        rate_std: float,
        wind_std: float,
        gauge_std: float,
        is_hover_known: bool = False,
    ) -> None:
        self._scale = np.array([per_m, per_s, per_m, per_m])
        self._gauge_var = gauge_std**2
        hover_std = 0.0 if is_hover_known else rate_std
        stds = np.array([0.0, rate_std, hover_std, wind_std, wind_std])
        self._mean: FloatArray = np.array([math.nan, 1.0, 1.0, 0.0, 0.0])
        self._covariance: FloatArray = np.diag(stds**2)
        self._wander: FloatArray = np.where(stds > 0.0, _WANDER, 0.0) ** 2
        self._misfit = 1.0
        self._first = math.nan
        self._drawn_for: FloatArray = np.zeros(4)

    @property
    def is_started(self) -> bool:
        """Whether a charge has ever been reported."""
        return not math.isnan(self._first)

    @property
    def charge(self) -> float:
        """Expected charge at the last report, share of a full store; NaN before the first."""
        return float(self._mean[0])

    @property
    def rates(self) -> FloatArray:
        """Expected rates over the given ones: per metre, per second, wind; shape ``(4,)``."""
        return np.array(self._mean[1:])

    @property
    def rate_stds(self) -> FloatArray:
        """Standard deviations of :attr:`rates`, shape ``(4,)``."""
        stds: FloatArray = np.sqrt(self._misfit * np.diag(self._covariance)[1:])
        return stds

    def to_dict(self) -> dict[str, Any]:
        """Return what was learned of the rates as plain values; charges are measured anew."""
        return {
            'rates': self._mean[1:].tolist(),
            'covariance': self._covariance[1:, 1:].tolist(),
            'misfit': self._misfit,
        }

    def recall(self, values: Mapping[str, Any]) -> None:
        """
        Take over what :meth:`to_dict` gave.

        :raises ValueError: if it is nothing that can have been learned; nothing has changed then.
        """
        rates = frozen_array(values['rates'], name='rates', shape=(4,))
        covariance = frozen_array(values['covariance'], name='covariance', shape=(4, 4))
        misfit = float(values['misfit'])
        if not 1.0 <= misfit < math.inf:
            raise ValueError(f"'misfit' must be at least 1, got {misfit!r}.")
        least = float(np.linalg.eigvalsh(covariance).min())
        if not np.allclose(covariance, covariance.T) or least < -1e-9:
            raise ValueError("'covariance' must be symmetric and not negative.")
        self._mean[1:], self._covariance[1:, 1:] = rates, covariance
        self._misfit = misfit

    def share(self, draws: FloatArray) -> float:
        """
        Return what is expected to be drawn.

        :param draws: metres-equivalent, seconds, displacement in x and y; shape ``(4,)``.
        :return: share of a full store, at least 0.
        """
        return max(float(self._features(draws) @ self._rates()), 0.0)

    def start(self, charge: float) -> None:
        """
        Take over a charge and nothing about what led to it: a first one, or another battery.

        :param charge: share of a full store.
        """
        self._mean[0] = self._first = charge
        self._covariance[0, :] = self._covariance[:, 0] = 0.0
        self._covariance[0, 0] = self._gauge_var
        self._drawn_for[:] = 0.0

    def update(self, charge: float, draws: FloatArray) -> None:
        """
        Learn from a reported charge.

        :param charge: share of a full store.
        :param draws: what was flown and hovered since the last call, shape ``(4,)`` as in
            :meth:`share`.
        """
        features, share = self._features(draws), self.share(draws)
        transition = np.eye(5)
        transition[0, 1:] = -features
        mean = transition @ self._mean
        covariance = transition @ self._covariance @ transition.T
        covariance[0, 0] += _SCATTER * share
        covariance[np.diag_indices(5)] += self._wander * share
        innovation = charge - float(mean[0])
        variance = float(covariance[0, 0]) + self._gauge_var
        if innovation > _RISE_SIGMAS * math.sqrt(self._misfit * variance):
            self._mean, self._covariance = mean, covariance
            self.start(charge)
            return
        gain = covariance[:, 0] / variance
        self._mean = mean + gain * innovation
        keep = np.eye(5)
        keep[:, 0] -= gain
        # Joseph's form stays symmetric and positive whatever the rounding.
        self._covariance = keep @ covariance @ keep.T + self._gauge_var * np.outer(gain, gain)
        weight = 1.0 / _MISFIT_MEMORY
        self._misfit = max(
            (1.0 - weight) * self._misfit + weight * innovation**2 / variance, 1.0
        )
        self._drawn_for += np.asarray(draws)

    def reach_m(
        self,
        *,
        measured: float,
        since: FloatArray,
        ahead: FloatArray,
        floor: float,
        confidence: float,
    ) -> float:
        """
        Return the metres-equivalent that the charge pays for with a given probability.

        It is the greatest ``r`` with ``charge - draw(r) - floor >= z std``, where the standard
        deviation covers the charge, the rates and the scatter of the draw itself. It is never
        more than rates allow that explain all that was drawn so far, even if they were given as
        known.

        :param measured: present charge by the last report: no more than it is counted on.
        :param since: flown and hovered since the last call of :meth:`update`, shape ``(4,)``.
        :param ahead: to be paid for beside the metres: no metres, seconds of hovering, and the
            displacement from here to the end; shape ``(4,)``.
        :param floor: charge that must be left.
        :param confidence: probability that the charge suffices, 0.5 to below 1.
        :return: metres-equivalent, at least 0.
        """
        rates, z = self._rates(), float(ndtri(confidence))
        gone, extra = self._features(since), self._features(ahead)
        left = min(self.charge - max(float(gone @ rates), 0.0), measured) - floor
        in_hindsight = rates * self._pessimism(measured, since)
        of_charge = float(self._covariance[0, 0])

        def spare(draw: float) -> float:
            coming = extra + np.array([draw, 0.0, 0.0, 0.0])
            row = np.concatenate([[1.0], -(gone + coming)])
            scatter = _SCATTER * (draw + float(extra[1]) + float(gone[:2].sum()))
            of_all = max(float(row @ self._covariance @ row), 0.0)
            return left - max(
                float(coming @ rates) + z * math.sqrt(self._misfit * (of_all + scatter)),
                float(coming @ in_hindsight) + z * math.sqrt(of_charge + scatter),
            )

        low, high = 0.0, max(left, 0.0) / _LEAST_RATE
        if spare(low) <= 0.0:
            return 0.0
        if spare(high) >= 0.0:
            return high / float(self._scale[0])
        # The lower of two concave functions that start above 0 has one root.
        for _ in range(50):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if spare(middle) >= 0.0 else (low, middle)
        return low / float(self._scale[0])

    def _features(self, draws: FloatArray) -> FloatArray:
        features: FloatArray = np.asarray(draws, dtype=np.float64) * self._scale
        return features

    def _rates(self) -> FloatArray:
        rates: FloatArray = np.array(self._mean[1:])
        rates[:2] = np.maximum(rates[:2], _LEAST_RATE)
        return rates

    def _pessimism(self, measured: float, since: FloatArray) -> float:
        """Return the factor by which the rates must grow to explain all that was drawn so far."""
        explained = float(self._features(self._drawn_for + since) @ self._rates())
        drawn = self._first - measured - 2.0 * math.sqrt(self._gauge_var)
        if not explained > 2.0 * math.sqrt(self._gauge_var):
            return 1.0
        return max(drawn / explained, 1.0)
