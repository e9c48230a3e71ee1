# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Every acquisition over a continuous box, in several dimensions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bo_explorer.core.acquisition import ACQUISITIONS, make_acquisition
from bo_explorer.core.continuous import distance_context, maximise_acquisition
from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.gp.hyperparameters import Hyperparameters

from .gp.drawn_field import SIDE_M, drawn


def belief(dimension, n=20):
    lengthscales = (10.0 * (dimension + 2.0),) * dimension
    found = FieldMap(
        np.zeros((1, dimension)), Hyperparameters('matern52', lengthscales, 4.0, 0.4, 30.0)
    )
    found.update(drawn(n, 1, lengthscales=lengthscales))
    return found


def context_of(model, dimension):
    return distance_context(
        model,
        np.full(dimension, 20.0),
        side=SIDE_M,
        stop_cost=2.0,
        remaining=150.0,
        total=300.0,
    )


def best(model, name, dimension, seed=0, **changes):
    return maximise_acquisition(
        model,
        make_acquisition(name),
        context_of(model, dimension),
        np.zeros(dimension),
        np.full(dimension, SIDE_M),
        generator=np.random.default_rng(seed),
        **{'n_raw': 128, 'n_starts': 4, **changes},
    )


@pytest.mark.parametrize('dimension', [1, 2, 4, 6])
@pytest.mark.parametrize('name', sorted(ACQUISITIONS))
def test_no_other_place_of_the_box_scores_higher(name, dimension):
    model = belief(dimension)
    point, value = best(model, name, dimension)
    acquisition, context = make_acquisition(name), context_of(model, dimension)

    def score(points):
        points = torch.as_tensor(points, dtype=torch.float64)
        return acquisition(model.posterior_at(points), context(points)).numpy()

    assert (point >= 0.0).all() and (point <= SIDE_M).all()
    assert value == pytest.approx(score(point[None])[0], rel=1e-12)
    rng = np.random.default_rng(9)
    # The discount of distUCB has an edge at its floor, a ridge gradients cannot follow to its end.
    tolerance = (2e-3 if name == 'dist_ucb' else 1e-6) * max(1.0, abs(value))
    assert score(rng.uniform(0.0, SIDE_M, (2000, dimension))).max() <= value + tolerance
    # Nor can it be improved on nearby: the ascent has ended at the top or on an edge.
    nearby = np.clip(point + 0.1 * rng.standard_normal((200, dimension)), 0.0, SIDE_M)
    assert score(nearby).max() <= value + tolerance


def test_distances_are_those_from_the_present_place_in_sides():
    model = belief(2)
    context = context_of(model, 2)(torch.tensor([[20.0, 80.0], [20.0, 20.0]]).double())
    assert context.distance.numpy() == pytest.approx([0.6, 0.0], abs=2e-6)
    assert context.cost.numpy() == pytest.approx([0.62, 0.02], abs=2e-6)
    assert (context.remaining, context.total) == (1.5, 3.0)
    assert (context.n_samples, context.dimension) == (20, 2)


def test_the_score_has_a_gradient_at_the_present_place():
    model = belief(2)
    point = torch.full((1, 2), 20.0, dtype=torch.float64, requires_grad=True)
    score = make_acquisition('ei_per_cost')(
        model.posterior_at(point), context_of(model, 2)(point)
    )
    (gradient,) = torch.autograd.grad(score.sum(), point)
    assert torch.isfinite(gradient).all()


def test_the_same_generator_gives_the_same_place():
    first, again = (best(belief(4), 'pbgi', 4, seed=3) for _ in range(2))
    assert first[0].tolist() == again[0].tolist()


def test_a_basin_round_the_best_sample_is_found_in_six_dimensions():
    """Raw points alone are too few to come near a peak this narrow."""
    model = FieldMap(
        np.zeros((1, 6)), Hyperparameters('matern52', (12.0,) * 6, 4.0, 0.1, 30.0)
    )
    samples = drawn(30, 1, lengthscales=(12.0,) * 6)
    model.update(samples)
    point, _ = best(model, 'ucb', 6)
    top = samples.points[int(np.argmax(model.sample_posterior().mean.numpy()))]
    assert np.linalg.norm(point - top) < 20.0
