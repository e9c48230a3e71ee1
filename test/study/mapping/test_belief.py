# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the benchmark's model, against the library the benchmark uses."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bo_explorer.core.gp.kernels import matern32
from bo_explorer.study.mapping.belief import (
    LENGTHSCALE,
    THRESHOLD,
    Belief,
    believe,
    kernel_parts,
)
from bo_explorer.study.mapping.worlds import MixtureWorld

pytest.importorskip('sklearn')

from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern


def test_the_belief_is_that_of_scikit_learn_as_the_benchmark_sets_it() -> None:
    rng = np.random.default_rng(0)
    readings, places = rng.uniform(size=(30, 2)), rng.uniform(size=(80, 2))
    values = MixtureWorld(1)(readings)
    model = GaussianProcessRegressor(Matern(length_scale=0.45), optimizer=None)
    mean, std = model.fit(readings, values).predict(places, return_std=True)
    belief = believe(readings, values, places)
    np.testing.assert_allclose(belief.mean, mean, atol=1e-9)
    np.testing.assert_allclose(belief.variance, std**2, atol=1e-9)
    assert belief.trace == pytest.approx((std**2)[mean + std >= THRESHOLD].sum(), abs=1e-8)


def test_without_a_reading_everything_is_of_interest() -> None:
    belief = believe(np.empty((0, 2)), np.empty(0), np.zeros((5, 2)))
    assert belief.trace == 5.0
    assert np.isnan(belief.signal_variance)


def test_places_known_to_be_low_are_of_no_interest() -> None:
    belief = Belief(np.array([0.2, 0.2, 0.5]), np.array([0.01, 0.09, 0.01]), 1.0)
    np.testing.assert_array_equal(belief.interest, [False, True, True])
    assert belief.trace == pytest.approx(0.1)


def test_the_signal_variance_maximises_the_likelihood() -> None:
    rng = np.random.default_rng(1)
    readings = rng.uniform(size=(12, 2))
    values = MixtureWorld(2)(readings)
    gram = Matern(length_scale=0.45)(readings) + 1e-10 * np.eye(12)

    def log_likelihood(scale: float) -> float:
        _, log_det = np.linalg.slogdet(scale * gram)
        return float(-0.5 * (values @ np.linalg.solve(scale * gram, values) + log_det))

    best = believe(readings, values, readings).signal_variance
    assert log_likelihood(best) > max(log_likelihood(0.99 * best), log_likelihood(1.01 * best))


def test_kernel_and_gradient_are_those_of_the_product() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.uniform(size=(4, 2)), rng.uniform(size=(5, 2))
    points = torch.tensor(a, requires_grad=True)
    scales = torch.full((2,), LENGTHSCALE, dtype=torch.float64)
    covariance = matern32(points, torch.tensor(b), scales)
    (slope,) = torch.autograd.grad(covariance.sum(), points)
    value, factor = kernel_parts(a, b)
    np.testing.assert_allclose(value, covariance.detach().numpy(), rtol=1e-12)
    steps = a[:, np.newaxis] - b
    np.testing.assert_allclose((factor[..., np.newaxis] * steps).sum(axis=1), slope, rtol=1e-10)
