# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Samples of fields whose hyperparameters are known."""

from __future__ import annotations

import numpy as np
import torch

from bo_explorer.core.gp.kernels import KERNELS
from bo_explorer.core.gp.log_posterior import ExactModel, LogPosterior
from bo_explorer.core.types import Samples

SIDE_M = 100.0


def covariance(name, points, lengthscales):
    x = torch.tensor(points)
    return KERNELS[name](x, x, torch.tensor(lengthscales, dtype=torch.float64)).numpy()


def drawn(n, seed=0, name='matern52', lengthscales=(20.0, 20.0), signal=4.0, noise=0.4, mean=30.0):
    """Return samples of a field drawn from the model itself, with different counts."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(0.0, SIDE_M, (n, len(lengthscales)))
    counts = rng.integers(1, 5, n)
    matrix = signal**2 * covariance(name, points, lengthscales) + np.diag(noise**2 / counts)
    values = mean + np.linalg.cholesky(matrix) @ rng.normal(size=n)
    return Samples(points, values, counts)


def log_posterior(samples, name, ard):
    model = ExactModel(
        torch.tensor(samples.points / SIDE_M),
        torch.tensor(samples.values),
        torch.tensor(samples.counts),
        name,
        ard,
    )
    return LogPosterior(model)
