# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the maximum-likelihood fit, against scikit-learn and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from bo_explorer.study.sequential.likelihood import GammaPrior, LikelihoodFit, Loss


def drawn(n: int = 40, noise_std: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    points = rng.random((n, 2))
    values = np.sin(5.0 * points[:, 0]) + 0.2 * points[:, 1]
    return points, 3.0 + 2.0 * values + noise_std * rng.standard_normal(n)


@pytest.mark.parametrize('prior', [None, GammaPrior(3.0, 6.0)])
def test_the_gradient_is_exact(prior: GammaPrior | None) -> None:
    points, values = drawn()
    loss = Loss(points, values, LikelihoodFit(prior))
    theta = np.log([0.4, 0.9, 0.02])
    numeric = approx_fprime(theta, lambda t: loss(t)[0], 1e-7)
    np.testing.assert_allclose(loss(theta)[1], numeric, rtol=1e-4, atol=1e-5)


def test_the_likelihood_is_that_of_scikit_learn() -> None:
    pytest.importorskip('sklearn')
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    points, values = drawn()
    h = LikelihoodFit()(points, values)

    def log_likelihood(theta: np.ndarray) -> float:
        kernel = ConstantKernel() * Matern(np.ones(2), nu=2.5) + WhiteKernel()
        model = GaussianProcessRegressor(kernel, optimizer=None, alpha=0.0)
        return float(model.fit(points, values - h.mean).log_marginal_likelihood(theta))

    best = np.log([h.signal_std**2, *h.lengthscales, h.noise_std**2])
    gradient = approx_fprime(best, log_likelihood, 1e-5)
    inside = np.array(h.lengthscales) < 19.0
    assert np.abs(gradient[[0, 3]]).max() < 0.05
    assert np.abs(gradient[1:3][inside]).max(initial=0.0) < 0.05


def test_the_mean_is_the_most_likely_one() -> None:
    points, values = drawn()
    h = LikelihoodFit()(points, values)
    scaled = (points[:, np.newaxis] - points) / np.array(h.lengthscales)
    s = np.sqrt(5.0) * np.linalg.norm(scaled, axis=2)
    gram = h.signal_std**2 * (1.0 + s + s**2 / 3.0) * np.exp(-s) + h.noise_std**2 * np.eye(40)
    weights = np.linalg.solve(gram, np.ones(40))
    assert h.mean == pytest.approx(weights @ values / weights.sum(), rel=1e-6)


def test_noise_and_relevance_are_found() -> None:
    h = LikelihoodFit()(*drawn(120, noise_std=0.3))
    assert h.noise_std == pytest.approx(0.3, rel=0.25)
    assert h.lengthscales[0] < h.lengthscales[1]


def test_units_of_the_values_do_not_matter() -> None:
    points, values = drawn()
    fit = LikelihoodFit()
    plain, scaled = fit(points, values), fit(points, 1e6 * values + 1e7)
    np.testing.assert_allclose(scaled.lengthscales, plain.lengthscales, rtol=1e-3)
    assert scaled.signal_std == pytest.approx(1e6 * plain.signal_std, rel=1e-3)


def test_a_known_noise_ratio_is_kept() -> None:
    h = LikelihoodFit(noise_ratio=1e-4)(*drawn())
    assert (h.noise_std / h.signal_std) ** 2 == pytest.approx(1e-4)


def test_equal_values_are_no_trouble() -> None:
    h = LikelihoodFit()(np.random.default_rng(0).random((5, 3)), np.full(5, 2.0))
    assert h.mean == pytest.approx(2.0)
    assert h.signal_std > 0.0


def test_a_good_guess_is_not_made_worse() -> None:
    points, values = drawn()
    fit = LikelihoodFit()
    first = fit(points, values)
    again = fit(points, values, first)
    np.testing.assert_allclose(again.lengthscales[0], first.lengthscales[0], rtol=1e-2)
