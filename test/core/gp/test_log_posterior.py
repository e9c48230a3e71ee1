# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The density the fit maximises, against SciPy's densities and finite differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal, norm

from bo_explorer.core.gp.kernels import KERNELS

from .drawn_field import SIDE_M, covariance, drawn, log_posterior

every_kernel = pytest.mark.parametrize('name', sorted(KERNELS))


def textbook(theta, samples, name, ard):
    """Return the log likelihood and the log prior by SciPy's densities."""
    axes = samples.points.shape[1] if ard else 1
    lengthscales = np.broadcast_to(np.exp(theta[:axes]), samples.points.shape[1])
    signal, noise, mean = np.exp(theta[axes]), np.exp(theta[axes + 1]), theta[-1]
    matrix = signal**2 * covariance(name, samples.points / SIDE_M, lengthscales.tolist())
    matrix += np.diag(noise**2 / samples.counts)
    likelihood = multivariate_normal(np.full(len(samples), mean), matrix).logpdf(samples.values)
    prior = norm(math.log(0.2), 0.5).logpdf(theta[:axes]).sum()
    prior += norm(0.0, 0.8).logpdf(theta[axes])
    prior += norm(math.log(0.1), 1.5).logpdf(theta[axes + 1])
    prior += norm(0.0, 1.0).logpdf(mean)
    return likelihood, prior


@every_kernel
@pytest.mark.parametrize('ard', [False, True])
def test_the_density_is_that_of_the_textbook(name, ard):
    samples = drawn(25, signal=1.0, noise=0.1, mean=0.3)
    theta = np.array([-1.4, -1.1, 0.2, -1.8, 0.4] if ard else [-1.4, 0.2, -1.8, 0.4])
    have = log_posterior(samples, name, ard)
    likelihood, prior = textbook(theta, samples, name, ard)
    assert have.log_likelihood(theta) == pytest.approx(likelihood, abs=1e-8)
    assert have(theta)[0] == pytest.approx(-likelihood - prior, abs=1e-8)


@every_kernel
@pytest.mark.parametrize('ard', [False, True])
def test_the_gradient_agrees_with_finite_differences(name, ard):
    samples = drawn(20, signal=1.0, noise=0.1, mean=0.3)
    theta = np.array([-1.4, -1.1, 0.2, -1.8, 0.4] if ard else [-1.4, 0.2, -1.8, 0.4])
    density = log_posterior(samples, name, ard)
    expected = approx_fprime(theta, lambda t: density(t)[0], 1e-6)
    np.testing.assert_allclose(density(theta)[1], expected, rtol=1e-4, atol=1e-3)
