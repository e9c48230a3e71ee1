# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What every registered acquisition owes its callers.

A new entry of the registry is tested here without a change: with its defaults, and with every
choice and switch among its options.
"""

from __future__ import annotations

import dataclasses

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.acquisition import ACQUISITIONS, make_acquisition
from bo_explorer.core.options import walk
from bo_explorer.core.types import Posterior

from .beliefs import STOP, belief, context, random_belief, random_distance, tensor


def variants():
    for name, cls in ACQUISITIONS.items():
        yield pytest.param(name, {}, id=name)
        for spec in walk(cls):
            values = spec.choices or ((True, False) if spec.kind == 'bool' else ())
            for value in values:
                if value != spec.default:
                    yield pytest.param(name, {spec.key: value}, id=f'{name}-{spec.key}={value}')


every_acquisition = pytest.mark.parametrize(('name', 'options'), list(variants()))


@every_acquisition
@pytest.mark.parametrize('shape', [(1,), (7,), (3, 7), (2, 3, 7)])
def test_scores_have_the_shape_of_the_mean_and_are_float64(name, options, shape):
    state = context(random_distance(*shape), torch.zeros(shape[:-1]))
    scores = make_acquisition(name, options)(random_belief(*shape), state)
    assert scores.shape == shape
    assert scores.dtype == torch.float64


@every_acquisition
def test_a_batch_scores_each_belief_as_if_it_were_alone(name, options):
    acquisition = make_acquisition(name, options)
    posterior, distance = random_belief(3, 6), random_distance(3, 6)
    incumbent = tensor(-0.5, 0.0, 1.0)
    batch = acquisition(posterior, context(distance, incumbent))
    for i in range(3):
        alone = acquisition(
            belief(posterior.mean[i], posterior.std[i]), context(distance[i], incumbent[i])
        )
        torch.testing.assert_close(batch[i], alone, rtol=1e-14, atol=0.0)


@every_acquisition
def test_fantasies_may_share_their_standard_deviation_and_their_distances(name, options):
    acquisition = make_acquisition(name, options)
    mean, std, distance = random_belief(4, 6).mean, random_belief(6).std, random_distance(6)
    incumbent = mean.max(dim=-1).values
    shared = acquisition(Posterior(mean, std), context(distance, incumbent))
    full = acquisition(
        Posterior(mean, std.expand(4, 6)), context(distance.expand(4, 6), incumbent)
    )
    assert torch.equal(shared, full)


@every_acquisition
def test_scores_and_gradients_are_finite_over_the_whole_range_of_inputs(name, options):
    means = tensor(-1e6, -1e3, -1.0, -1e-9, 0.0, 1e-9, 1.0, 1e3, 1e6)
    stds = tensor(0.0, 1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e12)
    distances = tensor(0.0, 1e-12, 1e-6, 0.05, 1.0, 1e3, 1e6)
    grid = torch.cartesian_prod(means, stds, distances)
    mean, std, distance = (column.clone().requires_grad_() for column in grid.T)
    for incumbent in (-1e6, 0.0, 1e6):
        for stop in (0.0, STOP):
            state = dataclasses.replace(context(distance, incumbent), cost=distance + stop)
            scores = make_acquisition(name, options)(Posterior(mean, std), state)
            assert torch.isfinite(scores).all()
            if scores.requires_grad:
                gradients = torch.autograd.grad(
                    scores.sum(), (mean, std, distance), allow_unused=True
                )
                for gradient in gradients:
                    assert gradient is None or torch.isfinite(gradient).all()


@every_acquisition
def test_gradients_equal_finite_differences(name, options):
    acquisition = make_acquisition(name, options)

    def score(mean, std, distance, incumbent):
        state = dataclasses.replace(
            context(distance), incumbent=incumbent, distance=distance, cost=distance + STOP
        )
        return acquisition(Posterior(mean, std), state)

    posterior = random_belief(12)
    # Kinks of the floor lie at 0.05; the distances here keep off it on both sides.
    inputs = (
        posterior.mean.requires_grad_(),
        posterior.std.requires_grad_(),
        torch.cat([tensor(0.01, 0.03), 0.1 + random_distance(10)]).requires_grad_(),
        torch.tensor(0.3, dtype=torch.float64, requires_grad=True),
    )
    assert torch.autograd.gradcheck(score, inputs, eps=1e-6, atol=1e-6, rtol=1e-6)


@every_acquisition
def test_the_order_of_the_candidates_does_not_matter(name, options):
    acquisition = make_acquisition(name, options)
    posterior, distance = random_belief(50), random_distance(50)
    order = torch.randperm(50, generator=torch.Generator().manual_seed(3))
    scores = acquisition(posterior, context(distance))
    shuffled = acquisition(
        Posterior(posterior.mean[order], posterior.std[order]), context(distance[order])
    )
    # Vector units may round a number differently in another place of the array.
    torch.testing.assert_close(shuffled, scores[order], rtol=1e-14, atol=1e-15)


@every_acquisition
def test_the_same_question_has_the_same_answer_and_changes_nothing(name, options):
    acquisition = make_acquisition(name, options)
    posterior, state = random_belief(20), context(random_distance(20), 0.4)
    tensors = (posterior.mean, posterior.std, state.incumbent, state.distance, state.cost)
    before = [t.clone() for t in tensors]
    first = acquisition(posterior, state)
    kept = first.clone()
    first.add_(1.0)
    assert torch.equal(acquisition(posterior, state), kept)
    assert all(torch.equal(now, then) for now, then in zip(tensors, before))


@every_acquisition
@settings(max_examples=25, derandomize=True, deadline=None)
@given(
    mean=st.floats(-5.0, 5.0),
    gain=st.floats(1e-3, 5.0),
    std=st.floats(0.01, 3.0),
    distance=st.floats(0.0, 3.0),
)
def test_a_higher_mean_is_never_worse(name, options, mean, gain, std, distance):
    scores = make_acquisition(name, options)(
        belief([mean, mean + gain], [std, std]), context([distance, distance])
    )
    assert scores[1] >= scores[0]


@every_acquisition
@settings(max_examples=25, derandomize=True, deadline=None)
@given(
    mean=st.floats(-5.0, 5.0),
    std=st.floats(0.01, 3.0),
    near=st.floats(0.0, 3.0),
    further=st.floats(0.0, 3.0),
)
def test_the_nearer_of_two_equal_places_is_never_worse(
    name, options, mean, std, near, further
):
    scores = make_acquisition(name, options)(
        belief([mean, mean], [std, std]), context([near, near + further])
    )
    assert scores[0] >= scores[1]
