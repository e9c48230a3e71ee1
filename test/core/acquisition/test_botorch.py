# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The classic acquisitions agree with BoTorch, where it is installed."""

from __future__ import annotations

import warnings

import pytest
import torch

from bo_explorer.core.acquisition import make_acquisition
from bo_explorer.core.types import Posterior

from .beliefs import context

with warnings.catch_warnings():
    # Its dependencies use deprecated parts of Python; none of that is tested here.
    warnings.simplefilter('ignore')
    analytic = pytest.importorskip('botorch.acquisition.analytic')
    import gpytorch
    from botorch.models import SingleTaskGP

# A tensor, since BoTorch rounds a plain number to single precision.
INCUMBENT = torch.tensor(0.4, dtype=torch.float64)
BETA = 2.5


@pytest.fixture(scope='module')
def model():
    generator = torch.Generator().manual_seed(8)
    x = torch.rand(12, 2, generator=generator, dtype=torch.float64)
    y = torch.sin(5.0 * x[:, :1]) + x[:, 1:]
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        built = SingleTaskGP(
            x,
            y,
            torch.full_like(y, 0.01),
            covar_module=gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=2.5)),
            outcome_transform=None,
        )
        built.double().eval()
    return built


@pytest.mark.parametrize(
    ('name', 'options', 'reference'),
    [
        ('ei', {}, lambda m: analytic.ExpectedImprovement(m, INCUMBENT)),
        ('log_ei', {}, lambda m: analytic.LogExpectedImprovement(m, INCUMBENT)),
        ('pi', {}, lambda m: analytic.ProbabilityOfImprovement(m, INCUMBENT)),
        ('ucb', {'beta': BETA}, lambda m: analytic.UpperConfidenceBound(m, beta=BETA)),
    ],
)
def test_the_score_agrees_with_botorch(name, options, reference, model):
    points = torch.rand(64, 1, 2, generator=torch.Generator().manual_seed(9), dtype=torch.float64)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter('ignore')
        expected = reference(model)(points)
        belief = model.posterior(points)
    posterior = Posterior(belief.mean.flatten(), belief.variance.sqrt().flatten())
    scores = make_acquisition(name, options)(posterior, context(0.1, INCUMBENT))
    torch.testing.assert_close(scores, expected, rtol=1e-9, atol=1e-12)
