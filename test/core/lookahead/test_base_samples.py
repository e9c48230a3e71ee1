# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Quasi-random standard normal numbers."""

from __future__ import annotations

import pytest
import torch

from bo_explorer.core.lookahead.base_samples import base_samples, middle


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others():
    assert torch.equal(base_samples(32, 5, 3), base_samples(32, 5, 3))
    assert not torch.equal(base_samples(32, 5, 3), base_samples(32, 5, 4))


@pytest.mark.parametrize('n', [1, 2, 3, 32, 100])
def test_numbers_are_finite_float64(n):
    samples = base_samples(n, 35, 0)
    assert samples.shape == (n, 35)
    assert samples.dtype == torch.float64
    assert torch.isfinite(samples).all()


def test_moments_are_those_of_a_standard_normal_variable():
    samples = base_samples(1024, 8, 0)
    torch.testing.assert_close(samples.mean(0), torch.zeros(8).double(), rtol=0.0, atol=0.01)
    torch.testing.assert_close(samples.var(0), torch.ones(8).double(), rtol=0.03, atol=0.0)
    covariance = (samples.T @ samples / 1024).fill_diagonal_(0.0)
    assert float(covariance.abs().max()) < 0.05


def test_they_integrate_better_than_random_numbers():
    # E exp(z_1 / 2 + z_2 / 2) = exp(1/4).
    sobol = [
        float((base_samples(32, 2, seed).sum(1) / 2).exp().mean()) - 1.2840254166877414
        for seed in range(50)
    ]
    spread = float(torch.tensor(sobol).square().mean().sqrt())
    # The variance of the integrand is exp(1) - exp(1/2).
    assert spread < 0.6 * (1.0695 / 32) ** 0.5


def test_no_dimension_is_no_number():
    assert base_samples(8, 0, 0).shape == (8, 0)


def test_the_middle_is_what_is_expected():
    assert torch.equal(middle(3), torch.zeros(1, 3).double())
