# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
Beliefs along imagined futures: exact conditioning on readings that have not been taken.

The present belief is the only one that is factorised. With :math:`w(x) = L^{-1} k(X, x)` its
covariance is :math:`c(x, x') = k(x, x') - w(x)^T w(x')`. A future adds a row to the factor for
each imagined reading ``j`` (the bordered Cholesky factor):

- :math:`b_j(x) = (c(x_j, x) - \sum_{l<j} b_l(x_j) b_l(x)) / s_j`
- :math:`s_j^2 = c(x_j, x_j) - \sum_{l<j} b_l(x_j)^2 + \sigma_n^2`

A reading drawn from the belief itself, :math:`y_j = m_j(x_j) + s_j z_j`, has the residual
:math:`(y_j - m_j(x_j)) / s_j = z_j`, so the belief after it is simply

:math:`m(x) = m_0(x) + \sum_j z_j b_j(x)`, :math:`v(x) = c(x, x) - \sum_j b_j(x)^2`.

All of it is differentiable in the points of the future, for any number of axes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from ..errors import ModelError
from ..gp.field_map import JITTERS, MIN_NOISE_VARIANCE
from ..gp.hyperparameters import Hyperparameters
from ..gp.kernels import KERNELS
from ..types import Posterior, Samples


class PresentBelief:
    """
    The exact posterior, standardised, in the form futures branch from.

    :param samples: what has been measured, at least one sample, shape ``(N, D)``.
    :param hyperparameters: the model, of the same dimension.
    :raises ValueError: if there is no sample or the dimensions differ.
    :raises ModelError: if the covariance of the samples has no Cholesky factor.
    """

    def __init__(self, samples: Samples, hyperparameters: Hyperparameters) -> None:
        h = hyperparameters
        if not len(samples):
            raise ValueError("'samples' must hold at least one sample, got none.")
        if samples.points.shape[1] != h.dimension:
            raise ValueError(
                f"'samples' must have {h.dimension} axes, got {samples.points.shape[1]}."
            )
        self.samples = samples
        self.hyperparameters = h
        self.noise_variance = max((h.noise_std / h.signal_std) ** 2, MIN_NOISE_VARIANCE)
        self._kernel = KERNELS[h.kernel]
        self._lengthscales = torch.tensor(h.lengthscales, dtype=torch.float64)
        self._points = torch.from_numpy(samples.points.copy())
        variance = (h.noise_std / h.signal_std) ** 2 / samples.counts
        self._noise = torch.from_numpy(np.maximum(variance, MIN_NOISE_VARIANCE))
        values = torch.from_numpy((samples.values - h.mean) / h.signal_std)
        prior = self.prior(self._points, self._points)
        factor = _factor(prior + torch.diag(self._noise))
        # The explicit inverse of the factor turns every later solve, and its derivative, into one
        # matrix product over all futures.
        self._whitener = torch.linalg.solve_triangular(
            factor, torch.eye(len(samples), dtype=torch.float64), upper=False
        )
        self._residuals = self._whitener @ values
        self.sample_means = values - self._noise * (self._residuals @ self._whitener)

    def prior(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """Return the prior covariance of ``(..., M, D)`` with ``(..., N, D)``: ``(..., M, N)``."""
        return self._kernel(x, y, self._lengthscales)

    def whiten(self, points: torch.Tensor) -> torch.Tensor:
        """Return ``w``, shape ``(..., N)``, at points ``(..., D)``."""
        flat = points.reshape(-1, points.shape[-1])
        whitened = self.prior(flat, self._points) @ self._whitener.T
        shaped: torch.Tensor = whitened.reshape(*points.shape[:-1], -1)
        return shaped

    def mean(self, whitened: torch.Tensor) -> torch.Tensor:
        """Return the posterior mean, shape ``(...)``, where ``w`` is ``(..., N)``."""
        mean: torch.Tensor = whitened @ self._residuals
        return mean

    def covariance_with_samples(self, whitened: torch.Tensor) -> torch.Tensor:
        """Return the posterior covariance ``(..., N)`` with the field at the samples."""
        # K(X, x) - K(X, X) (K + N)^-1 K(X, x) = N (K + N)^-1 K(X, x), without cancellation.
        covariance: torch.Tensor = (whitened @ self._whitener) * self._noise
        return covariance


@dataclass(frozen=True)
class View:
    """
    What futures believe about some points; made by :meth:`Futures.view`.

    :param points: shape ``(B, M, D)``, or ``(1, M, D)`` where all futures look at the same points.
    :param whitened: ``w``, shape ``(B, M, N)`` or ``(1, M, N)``.
    :param rows: ``b_j`` for each imagined reading, each ``(B, M)``.
    :param posterior: standardised, shape ``(B, M)``.
    :param variance: squared latent standard deviation, shape ``(B, M)``.
    """

    points: torch.Tensor
    whitened: torch.Tensor
    rows: tuple[torch.Tensor, ...]
    posterior: Posterior
    variance: torch.Tensor


@dataclass(frozen=True)
class Imagined:
    """
    One imagined reading of every future.

    :param point: shape ``(B, D)``.
    :param whitened: ``w`` there, shape ``(B, N)``.
    :param rows: ``b_l`` of the readings before it, there, each ``(B,)``.
    :param scale: ``s``, shape ``(B,)``.
    :param draw: ``z``, shape ``(B,)``.
    """

    point: torch.Tensor
    whitened: torch.Tensor
    rows: tuple[torch.Tensor, ...]
    scale: torch.Tensor
    draw: torch.Tensor


class Futures:
    """
    A batch of ``B`` beliefs, each after its own imagined readings; all have equally many.

    :param present: where they branch from.
    :param n: how many, ``B``.
    """

    def __init__(self, present: PresentBelief, n: int) -> None:
        self.present = present
        self._readings: tuple[Imagined, ...] = ()
        self._means = present.sample_means.expand(n, -1)
        self._sample_rows: tuple[torch.Tensor, ...] = ()

    @property
    def incumbent(self) -> torch.Tensor:
        """Best posterior mean over the places measured and imagined, shape ``(B,)``."""
        best: torch.Tensor = self._means.amax(dim=-1)
        return best

    def view(self, points: torch.Tensor) -> View:
        """
        Return what every future believes about its points.

        :param points: shape ``(B, M, D)``, or ``(1, M, D)`` for the same points everywhere.
        """
        whitened = self.present.whiten(points)
        mean = self.present.mean(whitened)
        variance = 1.0 - whitened.square().sum(-1)
        rows: list[torch.Tensor] = []
        for reading in self._readings:
            row = self.present.prior(reading.point.unsqueeze(1), points).squeeze(1)
            row = row - (whitened @ reading.whitened.unsqueeze(-1)).squeeze(-1)
            for there, here in zip(reading.rows, rows):
                row = row - there.unsqueeze(-1) * here
            row = row / reading.scale.unsqueeze(-1)
            mean = mean + reading.draw.unsqueeze(-1) * row
            variance = variance - row.square()
            rows.append(row)
        n = len(self._means)
        mean, variance = mean.expand(n, -1), variance.expand(n, -1)
        # The square root has no slope at 0; points that are known exactly have none either.
        known = variance <= 0.0
        std = torch.where(known, 0.0, torch.where(known, 1.0, variance).sqrt())
        return View(points, whitened, tuple(rows), Posterior(mean, std), variance)

    def after(self, view: View, draws: torch.Tensor) -> Futures:
        """
        Return the futures after one reading each, every one split into ``F``.

        Those of one parent stand together, in the order of the draws.

        :param view: of one point a future, shape ``(B, 1, D)``.
        :param draws: standard normal residuals of the readings, shape ``(F,)``.
        :return: ``B F`` futures.
        """
        parents, n_draws = len(self._means), len(draws)
        variance = view.variance[:, 0].clamp_min(0.0)
        scale = (variance + self.present.noise_variance).sqrt()
        whitened, here = view.whitened[:, 0], [row[:, 0] for row in view.rows]
        # The new row at every place measured: the samples, the readings before, this reading.
        row = self.present.covariance_with_samples(whitened)
        if self._readings:
            before = torch.stack([reading.point for reading in self._readings], dim=1)
            others = torch.stack([reading.whitened for reading in self._readings], dim=1)
            cross = self.present.prior(view.points, before).squeeze(1)
            cross = cross - (others @ whitened.unsqueeze(-1)).squeeze(-1)
            row = torch.cat([row, cross], dim=-1)
        for j, (there, at_places) in enumerate(zip(here, self._sample_rows)):
            # Row j ends at reading j itself; at the later readings it is their own ``rows[j]``.
            later = [reading.rows[j].unsqueeze(-1) for reading in self._readings[j + 1 :]]
            row = row - there.unsqueeze(-1) * torch.cat([at_places, *later], dim=-1)
        row = torch.cat([row, variance.unsqueeze(-1)], dim=-1) / scale.unsqueeze(-1)
        means = torch.cat([self._means, view.posterior.mean], dim=-1)

        def split(tensor: torch.Tensor) -> torch.Tensor:
            return tensor.repeat_interleave(n_draws, dim=0)

        draw = draws.repeat(parents)
        futures = Futures(self.present, 0)
        futures._means = split(means) + draw.unsqueeze(-1) * split(row)
        futures._sample_rows = (*(split(rows) for rows in self._sample_rows), split(row))
        futures._readings = (
            *(
                Imagined(
                    split(reading.point),
                    split(reading.whitened),
                    tuple(split(value) for value in reading.rows),
                    split(reading.scale),
                    split(reading.draw),
                )
                for reading in self._readings
            ),
            Imagined(
                split(view.points[:, 0]),
                split(whitened),
                tuple(split(value) for value in here),
                split(scale),
                draw,
            ),
        )
        return futures


def _factor(matrix: torch.Tensor) -> torch.Tensor:
    """Return the lower Cholesky factor, with the least jitter that gives one."""
    identity = torch.eye(len(matrix), dtype=matrix.dtype)
    for jitter in JITTERS:
        factor: torch.Tensor
        factor, info = torch.linalg.cholesky_ex(matrix + jitter * identity)
        if int(info) == 0 and bool(torch.isfinite(factor).all()):
            return factor
    raise ModelError(
        f'the covariance of {len(matrix)} samples has no Cholesky factor, even with '
        f'{JITTERS[-1]:g} added to its diagonal.'
    )
