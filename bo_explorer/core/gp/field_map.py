# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
r"""
The belief about the field at the candidates, kept up to date row by row.

Values are standardised by the model, ``(f - mean) / signal_std``, so the prior is N(0, 1). With
the noise matrix ``N`` (variance of one reading divided by the count, on the diagonal):

====================================  =======================================================
Rasmussen and Williams 2006, alg. 2.1  here
====================================  =======================================================
:math:`L L^T = K(X, X) + N`            ``_factor``, shape ``(N, N)``
:math:`L^{-1} K(X, X_*)`               ``_whitened``, shape ``(N, M)``, ``X_*`` the candidates
:math:`L^{-1} K(X, X)`                 ``_whitened_samples``, shape ``(N, N)``
:math:`L^{-1} y`                       ``_residuals``, shape ``(N,)``
====================================  =======================================================

Rows of all four belong to samples and depend only on the rows above, so samples that stay keep
their rows, and ``m`` new ones cost O(n m (M + n)) instead of O(n^2 (M + n)).
"""

from __future__ import annotations

import numpy as np
import torch

from ..errors import ModelError
from ..types import FloatArray, Posterior, Samples
from .hyperparameters import Hyperparameters
from .kernels import KERNELS

# Least noise variance of a sample, standardised. It bounds the condition number where a noise-free
# sensor, or thousands of readings behind one sample, would make two near samples contradict.
MIN_NOISE_VARIANCE = 1e-8

# Added to the diagonal of a block whose Cholesky factor does not exist, one after the other.
JITTERS = (0.0, 1e-7, 1e-6, 1e-5, 1e-4)

# Rows whose part of mean and variance at the candidates is kept as one sum. Samples that change
# are the latest ones, so an update adds up fewer rows than this, however many there are.
_BLOCK = 64

# Points predicted at once; bounds the memory of large grids.
_CHUNK = 4096


class FieldMap:
    """
    Posterior of the field, exact, at a fixed set of candidates and anywhere else.

    :param candidates: shape ``(M, D)``, metres.
    :param hyperparameters: the model, with one lengthscale per axis of the candidates.
    :raises ValueError: if the shapes do not agree or a candidate is not finite.
    """

    def __init__(self, candidates: FloatArray, hyperparameters: Hyperparameters) -> None:
        points = np.array(candidates, dtype=np.float64)
        if points.ndim != 2 or not np.isfinite(points).all():
            raise ValueError(
                f"'candidates' must be finite with shape (M, D), got shape {points.shape}."
            )
        self._candidates = torch.from_numpy(points)
        self._factor = torch.zeros(0, 0, dtype=torch.float64)
        self._whitened = torch.zeros(0, len(points), dtype=torch.float64)
        self._whitened_samples = torch.zeros(0, 0, dtype=torch.float64)
        self._residuals = torch.zeros(0, dtype=torch.float64)
        # Mean and explained variance at the candidates by the first 0, 64, 128, ... rows.
        self._sums = [torch.zeros(2, len(points), dtype=torch.float64)]
        self._samples = _no_samples(points.shape[1])
        self._at_samples: Posterior | None = None
        self._use(hyperparameters)
        self._forget_rows(0)

    @property
    def candidates(self) -> FloatArray:
        """Where the map is known, metres, read-only, shape ``(M, D)``."""
        points: FloatArray = self._candidates.numpy().view()
        points.setflags(write=False)
        return points

    @property
    def hyperparameters(self) -> Hyperparameters:
        """The model in force."""
        return self._hyperparameters

    @property
    def samples(self) -> Samples:
        """What the map rests on."""
        return self._samples

    @property
    def noise_variance(self) -> float:
        """Variance of one reading about the field, standardised."""
        h = self._hyperparameters
        return max((h.noise_std / h.signal_std) ** 2, MIN_NOISE_VARIANCE)

    def set_hyperparameters(self, hyperparameters: Hyperparameters) -> None:
        """
        Rebuild the whole map with another model.

        :param hyperparameters: the model, of the same dimension.
        :raises ValueError: if the dimension differs.
        :raises ModelError: if the samples cannot be factorised; the map is then empty.
        """
        samples = self._samples
        self._use(hyperparameters)
        self._forget_rows(0)
        self.update(samples)

    def update(self, samples: Samples) -> None:
        """
        Condition the map on ``samples`` and nothing else.

        The rows of the longest common prefix with the samples held are kept.

        :param samples: shape ``(N, D)``.
        :raises ValueError: if the dimension differs.
        :raises ModelError: if the new samples cannot be factorised; the common prefix stays.
        """
        if samples.points.shape[1] != self._candidates.shape[1]:
            raise ValueError(
                f"'samples' must have {self._candidates.shape[1]} axes, "
                f'got {samples.points.shape[1]}.'
            )
        kept = _common_prefix(self._samples, samples)
        if kept < len(self._samples):
            self._forget_rows(kept)
        if kept < len(samples):
            self._append(samples, kept)
        self._samples = samples

    def posterior(self) -> Posterior:
        """Return the belief at the candidates, standardised, shape ``(M,)``."""
        return Posterior(self._mean.clone(), (1.0 - self._explained).clamp(min=0.0).sqrt())

    def sample_posterior(self) -> Posterior:
        """Return the belief at the samples, standardised, shape ``(N,)``."""
        if self._at_samples is None:
            n = len(self._samples)
            whitened = self._whitened_samples[:n, :n]
            mean, explained = _explained(self._residuals[:n], whitened)
            self._at_samples = Posterior(mean, (1.0 - explained).clamp(min=0.0).sqrt())
        return self._at_samples

    def posterior_at(self, points: torch.Tensor) -> Posterior:
        """
        Return the belief anywhere; differentiable in the points.

        :param points: shape ``(..., M, D)``, metres, float64.
        :return: standardised, shape ``(..., M)``.
        """
        n = len(self._samples)
        cross = self._covariance(points, self._points())  # (..., M, N)
        whitened = torch.linalg.solve_triangular(
            self._factor[:n, :n], cross.transpose(-1, -2), upper=False
        )  # (..., N, M)
        mean = self._residuals[:n] @ whitened
        variance = 1.0 - whitened.square().sum(-2)
        # The square root has no slope at 0; points that are known exactly have none either.
        known = variance <= 0.0
        std = torch.where(known, 0.0, torch.where(known, 1.0, variance).sqrt())
        return Posterior(mean, std)

    def predict(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """
        Return the belief anywhere in the sensor's unit.

        :param points: shape ``(M, D)``, metres.
        :return: mean and latent standard deviation, each shape ``(M,)``.
        """
        h = self._hyperparameters
        queries = torch.from_numpy(np.array(points, dtype=np.float64))
        mean, std = np.empty(len(queries)), np.empty(len(queries))
        for begin in range(0, len(queries), _CHUNK):
            rows = slice(begin, begin + _CHUNK)
            posterior = self.posterior_at(queries[rows])
            mean[rows] = h.mean + h.signal_std * posterior.mean.numpy()
            std[rows] = h.signal_std * posterior.std.numpy()
        return mean, std

    def covariance(
        self,
        indices: torch.Tensor | FloatArray | list[int],
        others: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """
        Return the posterior covariance of some candidates with all of them, or with some others.

        With it and :attr:`noise_variance` an imagined reading ``y`` at candidate ``i`` moves the
        mean by ``c (y - mean_i) / (c_i + noise)``, and the variance by ``-c^2 / (c_i + noise)``,
        ``c`` being its row.

        :param indices: candidates, shape ``(K,)``.
        :param others: candidates, shape ``(J,)``; all of them if left out.
        :return: standardised, shape ``(K, M)`` or ``(K, J)``.
        """
        rows = torch.as_tensor(indices, dtype=torch.long)
        whitened, candidates = self._whitened[: len(self._samples)], self._candidates
        left, here = whitened[:, rows], candidates[rows]
        if others is not None:
            whitened, candidates = whitened[:, others], candidates[others]
        return self._covariance(here, candidates) - left.T @ whitened

    def _use(self, hyperparameters: Hyperparameters) -> None:
        if hyperparameters.dimension != self._candidates.shape[1]:
            raise ValueError(
                f"'hyperparameters' must have {self._candidates.shape[1]} lengthscales, "
                f'got {hyperparameters.dimension}.'
            )
        self._hyperparameters = hyperparameters
        self._kernel = KERNELS[hyperparameters.kernel]
        self._lengthscales = torch.tensor(hyperparameters.lengthscales, dtype=torch.float64)

    def _covariance(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return self._kernel(x, y, self._lengthscales)

    def _points(self) -> torch.Tensor:
        return torch.from_numpy(self._samples.points.copy())

    def _forget_rows(self, kept: int) -> None:
        """Keep the first ``kept`` samples."""
        s = self._samples
        self._samples = Samples(s.points[:kept], s.values[:kept], s.counts[:kept])
        self._add_up(kept)

    def _add_up(self, n: int) -> None:
        """
        Take mean and variance from the first ``n`` rows.

        Always in the same order, whatever the history of the rows, so the same samples give the
        same map to the last bit as long as their rows do.
        """
        del self._sums[n // _BLOCK + 1 :]
        while len(self._sums) <= n // _BLOCK:
            begin = (len(self._sums) - 1) * _BLOCK
            self._sums.append(self._sums[-1] + self._part(begin, begin + _BLOCK))
        self._mean, self._explained = self._sums[-1] + self._part(n - n % _BLOCK, n)
        self._at_samples = None

    def _part(self, begin: int, end: int) -> torch.Tensor:
        """Return the part of some rows in mean and explained variance, shape ``(2, M)``."""
        return torch.stack(_explained(self._residuals[begin:end], self._whitened[begin:end]))

    def _append(self, samples: Samples, kept: int) -> None:
        """Add the rows of ``samples[kept:]`` as one block."""
        n = len(samples)
        self._reserve(n)
        old = torch.from_numpy(samples.points[:kept].copy())
        new = torch.from_numpy(samples.points[kept:].copy())
        h = self._hyperparameters
        values = torch.from_numpy((samples.values[kept:] - h.mean) / h.signal_std)
        variance = (h.noise_std / h.signal_std) ** 2 / samples.counts[kept:]
        noise = torch.from_numpy(np.maximum(variance, MIN_NOISE_VARIANCE))
        factor = self._factor[:kept, :kept]
        # [[L, 0], [B, S]] is the factor of the whole: B = (L^-1 K_on)^T, S S^T = K_nn + N - B B^T.
        below = torch.linalg.solve_triangular(factor, self._covariance(old, new), upper=False).T
        schur = self._covariance(new, new) + torch.diag(noise) - below @ below.T
        corner = _cholesky(schur)
        prior = self._covariance(new, self._candidates)
        whitened = torch.linalg.solve_triangular(
            corner, prior.addmm_(below, self._whitened[:kept], alpha=-1.0), upper=False
        )
        residuals = torch.linalg.solve_triangular(
            corner, (values - below @ self._residuals[:kept]).unsqueeze(-1), upper=False
        ).squeeze(-1)
        among = self._covariance(new, torch.cat([old, new]))
        self._whitened_samples[:kept, kept:n] = below.T
        self._whitened_samples[kept:n, :n] = torch.linalg.solve_triangular(
            corner, among - below @ self._whitened_samples[:kept, :n], upper=False
        )
        self._factor[kept:n, :kept] = below
        self._factor[kept:n, kept:n] = corner
        self._whitened[kept:n] = whitened
        self._residuals[kept:n] = residuals
        self._add_up(n)

    def _reserve(self, n: int) -> None:
        """Make room for ``n`` rows, at least doubling what there is."""
        have = len(self._residuals)
        if n <= have:
            return
        size = max(n, 2 * have, 32)
        factor = torch.zeros(size, size, dtype=torch.float64)
        factor[:have, :have] = self._factor
        whitened = torch.zeros(size, len(self._candidates), dtype=torch.float64)
        whitened[:have] = self._whitened
        whitened_samples = torch.zeros(size, size, dtype=torch.float64)
        whitened_samples[:have, :have] = self._whitened_samples
        residuals = torch.zeros(size, dtype=torch.float64)
        residuals[:have] = self._residuals
        self._factor, self._whitened, self._residuals = factor, whitened, residuals
        self._whitened_samples = whitened_samples


def _explained(
    residuals: torch.Tensor, whitened: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """
    Return what rows tell about some places: mean and share of the prior variance.

    :param residuals: shape ``(n,)``.
    :param whitened: shape ``(n, M)``.
    """
    return residuals @ whitened, whitened.square().sum(0)


def _no_samples(dimension: int) -> Samples:
    return Samples(np.empty((0, dimension)), np.empty(0), np.empty(0))


def _common_prefix(held: Samples, samples: Samples) -> int:
    """Return how many leading samples are the same in both."""
    n = min(len(held), len(samples))
    same = (
        (held.points[:n] == samples.points[:n]).all(axis=1)
        & (held.values[:n] == samples.values[:n])
        & (held.counts[:n] == samples.counts[:n])
    )
    return n if same.all() else int(np.argmin(same))


def _cholesky(matrix: torch.Tensor) -> torch.Tensor:
    """
    Return the lower Cholesky factor, with the least jitter of the ladder that gives one.

    :param matrix: symmetric, shape ``(n, n)``.
    :raises ModelError: if no jitter is enough.
    """
    identity = torch.eye(len(matrix), dtype=matrix.dtype)
    for jitter in JITTERS:
        factor: torch.Tensor
        factor, info = torch.linalg.cholesky_ex(matrix + jitter * identity)
        if int(info) == 0 and bool(torch.isfinite(factor).all()):
            return factor
    raise ModelError(
        f'the covariance of {len(matrix)} new samples has no Cholesky factor, even with '
        f'{JITTERS[-1]:g} added to its diagonal; restart the map from its samples.'
    )
