# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The knowledge gradient against quadrature, refitted maps and BoTorch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.lookahead.knowledge_gradient import KnowledgeGradient, expected_rise
from bo_explorer.core.types import Samples

from .states import STOP, lattice, planning_state


def by_trapezoids(means, slopes):
    z = torch.linspace(-9.0, 9.0, 200_001, dtype=torch.float64)
    best = (means.unsqueeze(-1) + slopes.unsqueeze(-1) * z).amax(-2)
    density = torch.exp(-0.5 * z.square()) / (2.0 * torch.pi) ** 0.5
    return torch.trapezoid((best - means.max()) * density, z)


@settings(max_examples=40)
@given(st.integers(1, 12), st.integers(0, 10**6), st.booleans())
def test_the_expected_rise_is_exact(n, seed, with_ties):
    rng = np.random.default_rng(seed)
    means, slopes = rng.normal(size=n), rng.normal(size=(3, n))
    if with_ties:
        means, slopes = np.round(means, 0), np.round(slopes, 0)
    means, slopes = torch.from_numpy(means), torch.from_numpy(slopes)
    rise = expected_rise(means, slopes)
    expected = torch.stack([by_trapezoids(means, row) for row in slopes])
    torch.testing.assert_close(rise, expected, rtol=1e-6, atol=1e-9)


def test_two_lines_are_the_expected_improvement():
    # max(0, a + b Z): the improvement on 0 of a normal variable.
    means = torch.tensor([0.0, -1.5], dtype=torch.float64)
    slopes = torch.tensor([[0.0, 0.7], [0.0, -0.7]], dtype=torch.float64)
    u = -1.5 / 0.7
    normal = torch.distributions.Normal(0.0, 1.0)
    density = normal.log_prob(torch.tensor(u, dtype=torch.float64)).exp()
    expected = 0.7 * (density + u * normal.cdf(torch.tensor(u, dtype=torch.float64)))
    torch.testing.assert_close(expected_rise(means, slopes), expected.expand(2))


def test_what_changes_every_mean_alike_brings_nothing():
    means = torch.tensor([1.0, 2.0, 2.0], dtype=torch.float64)
    rise = expected_rise(means, torch.full((4, 3), 0.3, dtype=torch.float64))
    assert torch.equal(rise, torch.zeros(4, dtype=torch.float64))


def test_tiny_rises_keep_their_digits():
    means = torch.tensor([0.0, -30.0], dtype=torch.float64)
    rise = expected_rise(means, torch.tensor([[0.0, 1.0]], dtype=torch.float64))
    # h(-30), by the asymptotic series.
    assert float(rise) == pytest.approx(1.6286e-199, rel=1e-3)


def test_scores_equal_readings_taken_by_refitted_maps():
    state = planning_state(lattice(6))
    scores = KnowledgeGradient().scores(state)
    h, held, posterior = state.field_map.hyperparameters, state.field_map.samples, state.posterior
    for index in (0, 14, 22):
        mean, variance = float(posterior.mean[index]), float(posterior.std[index]) ** 2
        rises = []
        for normal in np.linspace(-6.0, 6.0, 241):
            value = mean + (variance + state.field_map.noise_variance) ** 0.5 * normal
            field_map = FieldMap(state.field_map.candidates, h)
            field_map.update(
                Samples(
                    np.concatenate([held.points, field_map.candidates[[index]]]),
                    np.append(held.values, h.mean + h.signal_std * value),
                    np.ones(len(held) + 1),
                )
            )
            rises.append(float(field_map.posterior().mean.max() - posterior.mean.max()))
        grid = np.linspace(-6.0, 6.0, 241)
        density = np.exp(-0.5 * grid**2) / np.sqrt(2.0 * np.pi)
        expected = np.trapezoid(np.array(rises) * density, grid)
        assert scores[index] == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_the_rise_by_cost_is_divided_by_leg_and_stop():
    state = planning_state(lattice(6))
    plain, by_cost = (KnowledgeGradient(per_cost=flag).scores(state) for flag in (False, True))
    legal = state.legal
    cost = (state.leg_costs_m + STOP) / state.side_m
    np.testing.assert_allclose(by_cost[legal], plain[legal] / cost[legal], rtol=1e-12)


def test_a_discrete_knowledge_gradient_of_botorch_agrees():
    botorch = pytest.importorskip('botorch', reason='botorch is not installed')
    from botorch.models import SingleTaskGP
    from gpytorch.kernels import MaternKernel, ScaleKernel
    from gpytorch.means import ZeroMean

    assert botorch is not None
    state = planning_state(lattice(5))
    h, held, fm = state.field_map.hyperparameters, state.field_map.samples, state.field_map
    model = SingleTaskGP(
        torch.tensor(held.points),
        torch.tensor((held.values - h.mean) / h.signal_std).unsqueeze(-1),
        train_Yvar=torch.full((len(held), 1), fm.noise_variance, dtype=torch.float64),
        covar_module=ScaleKernel(MaternKernel(nu=2.5)).double(),
        mean_module=ZeroMean(),
        outcome_transform=None,
    )
    model.covar_module.outputscale = 1.0
    model.covar_module.base_kernel.lengthscale = 25.0
    model.eval()
    points = torch.tensor(fm.candidates)
    with torch.no_grad():
        joint = model.posterior(points)
        mean = joint.mean.squeeze(-1)
        covariance = joint.distribution.covariance_matrix
    slopes = covariance / (covariance.diagonal().unsqueeze(-1) + fm.noise_variance).sqrt()
    z = torch.linspace(-8.0, 8.0, 4001, dtype=torch.float64)
    density = torch.exp(-0.5 * z.square()) / (2.0 * torch.pi) ** 0.5
    best = (mean.unsqueeze(-1) + slopes.unsqueeze(-1) * z).amax(1) - mean.max()
    expected = torch.trapezoid(best * density, z).numpy()
    np.testing.assert_allclose(KnowledgeGradient().scores(state), expected, rtol=1e-4, atol=1e-8)
