# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Imagined futures against a map that is conditioned on the same readings."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.core.lookahead.gp_tree import Futures, PresentBelief
from bo_explorer.core.types import Samples

from ..gp.drawn_field import drawn
from .beliefs import after_reading, belief_of, field_map

DRAWS = [torch.tensor([-0.7, 1.1]).double(), torch.tensor([0.4, -1.3, 2.0]).double()]


def tolerance(noise):
    """Contradicting near readings without noise cost half of the digits."""
    return 1e-9 if noise >= 0.1 else 1e-5


@pytest.mark.parametrize('dimension', [1, 2, 6])
@pytest.mark.parametrize('kernel', ['matern32', 'matern52', 'squared_exponential'])
def test_the_present_belief_is_that_of_the_map(dimension, kernel):
    model = field_map(15, dimension, kernel=kernel)
    points = torch.rand(4, 3, dimension, dtype=torch.float64) * 100.0
    view = Futures(belief_of(model), 4).view(points)
    expected = model.posterior_at(points)
    torch.testing.assert_close(view.posterior.mean, expected.mean, rtol=1e-9, atol=1e-9)
    torch.testing.assert_close(view.posterior.std, expected.std, rtol=1e-9, atol=1e-9)
    incumbent = Futures(belief_of(model), 4).incumbent
    assert incumbent.numpy() == pytest.approx(float(model.sample_posterior().mean.max()))


@pytest.mark.parametrize('noise', [1e-4, 0.4, 3.0])
@pytest.mark.parametrize('dimension', [1, 2, 6])
def test_imagined_readings_move_the_belief_as_real_ones_do(dimension, noise):
    model = field_map(10, dimension, noise=noise)
    rng = np.random.default_rng(5)
    queries = rng.uniform(0.0, 100.0, (5, dimension))
    futures, refits = Futures(belief_of(model), 2), [model, model]
    for draws in DRAWS:
        points = rng.uniform(0.0, 100.0, (len(refits), dimension))
        futures = futures.after(futures.view(torch.from_numpy(points)[:, None]), draws)
        refits = [
            after_reading(before, point, imagined(before, point, float(z)))
            for before, point in zip(refits, points)
            for z in draws
        ]
    view = futures.view(torch.from_numpy(queries)[None])
    assert view.posterior.mean.shape == (12, 5)
    near = {'rel': tolerance(noise), 'abs': tolerance(noise)}
    for i, refit in enumerate(refits):
        expected = refit.posterior_at(torch.from_numpy(queries))
        assert view.posterior.mean[i].numpy() == pytest.approx(expected.mean.numpy(), **near)
        assert view.posterior.std[i].numpy() == pytest.approx(expected.std.numpy(), **near)
        best = float(refit.sample_posterior().mean.max())
        assert float(futures.incumbent[i]) == pytest.approx(best, **near)


def imagined(model, point, z):
    """Return the reading ``z`` of its own standard deviations above the mean, sensor unit."""
    posterior = model.posterior_at(torch.from_numpy(point)[None])
    scale = np.sqrt(float(posterior.std) ** 2 + model.noise_variance)
    h = model.hyperparameters
    return h.mean + h.signal_std * (float(posterior.mean) + scale * z)


def test_a_reading_where_one_was_taken_without_noise_changes_nothing():
    model = field_map(8, noise=1e-9)
    place = torch.from_numpy(model.samples.points[:1].copy())[:, None]
    before = Futures(belief_of(model), 1)
    after = before.after(before.view(place), torch.tensor([2.0]).double())
    queries = torch.rand(1, 6, 2, dtype=torch.float64) * 100.0
    torch.testing.assert_close(
        after.view(queries).posterior.mean, before.view(queries).posterior.mean, atol=1e-3, rtol=0
    )


def test_the_belief_after_a_reading_is_differentiable_in_its_place():
    belief = belief_of(field_map(6))
    queries = torch.tensor([[[20.0, 30.0], [70.0, 60.0]]], dtype=torch.float64)

    def mean_and_std(point):
        futures = Futures(belief, 1)
        futures = futures.after(futures.view(point.reshape(1, 1, 2)), DRAWS[0])
        posterior = futures.view(queries).posterior
        return posterior.mean, posterior.std, futures.incumbent

    point = torch.tensor([33.0, 41.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(mean_and_std, point, eps=1e-4, atol=1e-7)


def test_a_belief_without_samples_or_of_another_dimension_is_refused():
    model = Hyperparameters('matern52', (20.0, 20.0), 1.0, 0.1, 0.0)
    nothing = Samples(np.empty((0, 2)), np.empty(0), np.empty(0))
    with pytest.raises(ValueError, match='at least one sample'):
        PresentBelief(nothing, model)
    with pytest.raises(ValueError, match="'samples' must have 2 axes, got 1"):
        PresentBelief(drawn(5, lengthscales=(20.0,)), model)
