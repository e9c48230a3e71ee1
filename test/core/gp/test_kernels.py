# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Covariance functions against other implementations and against what defines them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.gaussian_process.kernels import RBF, Matern

from bo_explorer.core.gp.kernels import KERNELS

REFERENCES = {
    'matern32': lambda lengthscales: Matern(lengthscales, nu=1.5),
    'matern52': lambda lengthscales: Matern(lengthscales, nu=2.5),
    'squared_exponential': RBF,
}

every_kernel = pytest.mark.parametrize('name', sorted(KERNELS))


def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


def test_the_registry_holds_what_the_configuration_offers():
    from bo_explorer.core.config import ModelConfig
    from bo_explorer.core.options import walk

    (spec,) = [spec for spec in walk(ModelConfig) if spec.key == 'kernel']
    assert sorted(spec.choices) == sorted(KERNELS)


@every_kernel
@pytest.mark.parametrize('dimension', [1, 2, 3, 5])
def test_kernels_agree_with_scikit_learn(name, dimension):
    rng = np.random.default_rng(dimension)
    x, y = rng.uniform(-50.0, 50.0, (20, dimension)), rng.uniform(-50.0, 50.0, (15, dimension))
    lengthscales = rng.uniform(5.0, 40.0, dimension)
    have = KERNELS[name](tensor(x), tensor(y), tensor(lengthscales)).numpy()
    np.testing.assert_allclose(have, REFERENCES[name](lengthscales)(x, y), rtol=1e-12, atol=1e-14)


@every_kernel
def test_the_variance_is_one_and_covariance_falls_with_distance(name):
    x = tensor([[0.0, 0.0]])
    y = tensor([[0.1 * k, 0.0] for k in range(60)])
    covariance = KERNELS[name](x, y, tensor([2.0, 2.0]))[0]
    assert covariance[0] == 1.0
    assert (covariance.diff() < 0.0).all()
    assert (covariance > 0.0).all()


@every_kernel
def test_near_points_far_from_the_origin_lose_no_digits(name):
    near = KERNELS[name](tensor([[0.0, 0.0]]), tensor([[0.5, 0.25]]), tensor([10.0, 10.0]))
    x, y = tensor([[2.0**22, 0.0]]), tensor([[2.0**22 + 0.5, 0.25]])
    far = KERNELS[name](x, y, tensor([10.0, 10.0]))
    assert float(far) == pytest.approx(float(near), rel=1e-9)


@every_kernel
def test_gradients_agree_with_finite_differences(name):
    rng = np.random.default_rng(0)
    x = tensor(rng.normal(size=(4, 2))).requires_grad_()
    y = tensor(rng.normal(size=(3, 2))).requires_grad_()
    lengthscales = tensor([0.7, 1.9]).requires_grad_()
    assert torch.autograd.gradcheck(KERNELS[name], (x, y, lengthscales))


@every_kernel
def test_the_gradient_at_zero_distance_is_zero(name):
    x = tensor([[1.0, 2.0], [3.0, 4.0]]).requires_grad_()
    lengthscales = tensor([0.7, 1.9]).requires_grad_()
    KERNELS[name](x, x.detach(), lengthscales).diagonal().sum().backward()
    assert (x.grad == 0.0).all()
    assert (lengthscales.grad == 0.0).all()


@every_kernel
def test_leading_axes_are_batches(name):
    rng = np.random.default_rng(1)
    x, y = tensor(rng.normal(size=(3, 4, 2))), tensor(rng.normal(size=(5, 2)))
    lengthscales = tensor([1.0, 2.0])
    batch = KERNELS[name](x, y, lengthscales)
    assert batch.shape == (3, 4, 5)
    for part, one in zip(batch, x):
        torch.testing.assert_close(part, KERNELS[name](one, y, lengthscales))


@every_kernel
def test_no_points_give_an_empty_covariance(name):
    empty = torch.zeros(0, 2, dtype=torch.float64)
    assert KERNELS[name](empty, tensor([[0.0, 0.0]]), tensor([1.0, 1.0])).shape == (0, 1)
    assert KERNELS[name](tensor([[0.0, 0.0]]), empty, tensor([1.0, 1.0])).shape == (1, 0)
