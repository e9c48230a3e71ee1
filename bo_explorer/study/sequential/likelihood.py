# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
Maximum-likelihood hyperparameters of a Matern 5/2 process, fast enough for every evaluation.

With the correlation matrix :math:`A = R(\ell) + \nu I` the most likely mean and signal variance
are :math:`m = 1^T A^{-1} y / 1^T A^{-1} 1` and :math:`s^2 = (y - m)^T A^{-1} (y - m) / n`
[Rasmussen and Williams 2006, section 2.7; Santner et al. 2003, section 3.3.2], so only the
lengthscales and the noise-to-signal ratio :math:`\nu` are searched, in logarithms:

- loss :math:`L = \frac{n}{2} \log s^2 + \frac12 \log |A|`
- with :math:`\alpha = A^{-1} (y - m)`:
  :math:`dL = \frac12 \mathrm{tr}((A^{-1} - \alpha \alpha^T / s^2) dA)`

The planner's own fit has priors made for flights over a plane and takes ten times as long.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpotrf, dpotri
from scipy.optimize import minimize

from ...core.gp.hyperparameters import Hyperparameters
from ...core.types import FloatArray

_LENGTHSCALES = (0.005, 20.0)
_NOISE_RATIOS = (1e-6, 10.0)
_START_NOISE = 1e-2
_MAX_ITERATIONS = 60

# Whatever the factorisation cannot digest is infinitely unlikely.
_IMPOSSIBLE = 1e25


@dataclass(frozen=True)
class GammaPrior:
    """
    Prior of each lengthscale, in sides: density proportional to ``l^(shape - 1) e^(-rate l)``.

    :param shape: above 0.
    :param rate: above 0, per side.
    """

    shape: float
    rate: float


@dataclass(frozen=True)
class LikelihoodFit:
    """
    How hyperparameters are learned.

    :param prior: of the lengthscales; ``None`` for plain maximum likelihood.
    :param noise_ratio: noise variance over signal variance where it is known; ``None``: learned.
    """

    prior: GammaPrior | None = None
    noise_ratio: float | None = None

    def __call__(
        self, points: FloatArray, values: FloatArray, start: Hyperparameters | None = None
    ) -> Hyperparameters:
        """
        Return the most likely hyperparameters.

        :param points: of the unit cube, shape ``(N, D)``, N at least 1.
        :param values: shape ``(N,)``.
        :param start: a guess tried beside the standard one.
        """
        centre, scale = float(values.mean()), float(values.std())
        if not scale > 1e-10 * max(abs(centre), 1e-290):
            scale = 1.0
        loss = Loss(points, (values - centre) / scale, self)
        dimension = points.shape[1]
        default = np.append(
            np.full(dimension, math.log(0.25 * math.sqrt(dimension))), math.log(_START_NOISE)
        )
        starts = [default]
        if start is not None:
            ratio = (start.noise_std / start.signal_std) ** 2
            starts.append(np.log(np.append(np.array(start.lengthscales), ratio)))
        fixed = self.noise_ratio
        ratios = _NOISE_RATIOS if fixed is None else (fixed, fixed)
        bounds = [*[tuple(np.log(_LENGTHSCALES))] * dimension, tuple(np.log(ratios))]
        low, high = np.array(bounds).T
        ends = [
            minimize(
                loss,
                np.clip(theta, low, high),
                jac=True,
                method='L-BFGS-B',
                bounds=bounds,
                options={'maxiter': _MAX_ITERATIONS, 'ftol': 1e-7, 'gtol': 1e-4},
            )
            for theta in starts
        ]
        best = min(ends, key=lambda end: float(end.fun)).x
        mean, variance = loss.mean_and_variance(best)
        signal = scale * math.sqrt(max(variance, 1e-20))
        return Hyperparameters(
            'matern52',
            tuple(np.exp(best[:-1]).tolist()),
            signal,
            signal * math.exp(0.5 * float(best[-1])),
            centre + scale * mean,
        )


class Loss:
    """
    Minus the log likelihood, less a constant, of ``[log lengthscales..., log noise ratio]``.

    :param points: shape ``(N, D)``.
    :param values: shape ``(N,)``.
    :param fit: has the prior.
    """

    def __init__(self, points: FloatArray, values: FloatArray, fit: LikelihoodFit) -> None:
        self._points, self._values, self._prior = points, values, fit.prior

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray]:
        """Return the loss and its gradient."""
        lengthscales = np.exp(theta[:-1])
        x, n = self._points / lengthscales, len(self._values)
        correlation, slope = _matern52(x)
        ratio = math.exp(theta[-1])
        correlation[np.diag_indices(n)] += ratio
        factored = _half_inverse(correlation)
        if factored is None:
            return _IMPOSSIBLE, np.zeros_like(theta)
        half, half_log_determinant = factored
        row_sums = half.sum(axis=0) + half.sum(axis=1)
        mean = float(row_sums @ self._values / row_sums.sum())
        residual = self._values - mean
        alpha = half @ residual + residual @ half
        variance = max(float(alpha @ residual) / n, 1e-20)
        loss = 0.5 * n * math.log(variance) + half_log_determinant
        # d correlation_ij / d log l_k = slope_ij (x_ik - x_jk)^2 with scaled coordinates, and
        # with W = (A^-1 - alpha alpha^T / variance) * slope half its sum is
        # (W 1) . x_k^2 - x_k . W x_k; here W meets [x, 1] a half of A^-1 at a time.
        gradient = np.empty_like(theta)
        gradient[-1] = ratio * (float(np.trace(half)) - 0.5 * float(alpha @ alpha) / variance)
        columns = np.append(x, np.ones((n, 1)), axis=1)
        pulled = alpha[:, np.newaxis] * (slope @ (alpha[:, np.newaxis] * columns)) / -variance
        half *= slope
        pulled += half @ columns
        pulled += half.T @ columns
        gradient[:-1] = pulled[:, -1] @ x**2 - (x * pulled[:, :-1]).sum(axis=0)
        if self._prior is not None:
            prior = self._prior
            loss -= float(((prior.shape - 1.0) * theta[:-1] - prior.rate * lengthscales).sum())
            gradient[:-1] -= prior.shape - 1.0 - prior.rate * lengthscales
        return loss, gradient

    def mean_and_variance(self, theta: FloatArray) -> tuple[float, float]:
        """Return the most likely mean and signal variance, given the other parameters."""
        n = len(self._values)
        correlation, _ = _matern52(self._points / np.exp(theta[:-1]))
        factor = cho_factor(correlation + math.exp(theta[-1]) * np.eye(n), lower=True)
        weights = cho_solve(factor, np.ones(n))
        mean = float(weights @ self._values / weights.sum())
        residual = self._values - mean
        return mean, float(residual @ cho_solve(factor, residual)) / n


def _half_inverse(matrix: FloatArray) -> tuple[FloatArray, float] | None:
    """
    Return a triangle that plus its transpose is the inverse, and half the log determinant.

    :param matrix: symmetric, shape ``(N, N)``, destroyed.
    :return: shape ``(N, N)``, and a number; ``None`` where it is not positive definite.
    """
    # The transpose of a symmetric matrix is in the order LAPACK works in, so nothing is copied.
    factor, failure = dpotrf(matrix.T, overwrite_a=True)
    if failure:
        return None
    half_log_determinant = float(np.log(np.diag(factor)).sum())
    half = np.tril(dpotri(factor, overwrite_c=True)[0].T)
    half[np.diag_indices(len(half))] *= 0.5
    return half, half_log_determinant


def _matern52(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """
    Return correlations of scaled points ``(N, D)``, and minus twice their slope by ``r^2``.

    ``k = (1 + s + s^2 / 3) e^-s``, ``s = sqrt(5) r``; the slope is ``5 / 3 (1 + s) e^-s``.
    """
    squares = (x**2).sum(axis=1)
    s = x @ (-10.0 * x.T)
    s += 5.0 * squares[:, np.newaxis]
    s += 5.0 * squares
    np.fill_diagonal(s, 0.0)
    np.sqrt(np.maximum(s, 0.0, out=s), out=s)
    decay = np.exp(-s)
    slope = s + 1.0
    slope *= decay
    s *= s
    s *= decay
    s *= 1.0 / 3.0
    s += slope
    slope *= 5.0 / 3.0
    return s, slope
