# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Places left out cannot win, and few are left."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.acquisition import ACQUISITIONS, make_acquisition
from bo_explorer.core.acquisition.base import AcquisitionContext
from bo_explorer.core.acquisition.log_expected_improvement import log_expected_improvement
from bo_explorer.core.acquisition.normal import STD_FLOOR
from bo_explorer.core.acquisition.screening import (
    ROUGH_ERROR,
    UNDERFLOW,
    Screening,
    rough_improvement,
    rough_inverse,
)
from bo_explorer.core.optimise import TIE_TOLERANCE
from bo_explorer.core.types import Posterior

SCREENING = [name for name in ACQUISITIONS if isinstance(make_acquisition(name), Screening)]


def futures(rng, mean_scale=1.0, std_low=1e-3, n=(5, 7, 40)):
    posterior = Posterior(
        torch.from_numpy(rng.normal(0.0, mean_scale, n)),
        torch.from_numpy(np.exp(rng.uniform(np.log(std_low), 0.0, n))),
    )
    distance = torch.from_numpy(rng.uniform(0.0, 2.0, n))
    context = AcquisitionContext(
        incumbent=torch.from_numpy(rng.normal(1.0, mean_scale, n[:-1])),
        distance=distance,
        cost=distance + 0.02,
        remaining=2.0,
        total=5.0,
        n_samples=30,
        n_decays=2,
    )
    return posterior, context, torch.from_numpy(rng.random(n) < 0.7)


def assert_nothing_lost(name, posterior, context, legal):
    acquisition = make_acquisition(name)
    scores = acquisition(posterior, context)
    scores = torch.where(legal, scores, -torch.inf)
    best = scores.amax(-1, keepdim=True)
    needed = legal & (scores >= best - TIE_TOLERANCE * best.abs())
    kept = acquisition.may_be_best(posterior, context, legal)
    assert kept.shape == legal.shape
    assert not (needed & ~kept).any()
    assert not (kept & ~legal).any()
    return kept


def test_those_that_cost_most_screen():
    assert set(SCREENING) == {'ei', 'ei_per_cost', 'log_ei', 'pbgi', 'pbgi_d'}


@pytest.mark.parametrize('name', SCREENING)
@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    mean_scale=st.sampled_from([1e-3, 1.0, 10.0, 1e3]),
    std_low=st.sampled_from([1e-14, 1e-6, 1e-2, 0.5]),
)
def test_the_best_and_its_ties_are_never_left_out(name, seed, mean_scale, std_low):
    rng = np.random.default_rng(seed)
    posterior, context, legal = futures(rng, mean_scale, std_low)
    twin = rng.permutation(40)
    both = Posterior(
        torch.cat([posterior.mean, posterior.mean[..., twin]], -1),
        torch.cat([posterior.std, posterior.std[..., twin]], -1),
    )
    context = dataclasses.replace(
        context,
        distance=torch.cat([context.distance, context.distance[..., twin]], -1),
        cost=torch.cat([context.cost, context.cost[..., twin]], -1),
    )
    assert_nothing_lost(name, both, context, torch.cat([legal, legal[..., twin]], -1))


@pytest.mark.parametrize('name', SCREENING)
def test_few_are_left_where_scores_differ(name):
    posterior, context, legal = futures(np.random.default_rng(1), n=(20, 32, 200))
    kept = assert_nothing_lost(name, posterior, context, legal)
    assert kept.any(-1).all()
    assert kept.double().mean() < 0.02


@pytest.mark.parametrize('name', SCREENING)
def test_improvements_that_underflow_are_told_apart(name):
    posterior, context, legal = futures(np.random.default_rng(2))
    hopeless = dataclasses.replace(context, incumbent=context.incumbent + 1e4)
    assert_nothing_lost(name, posterior, hopeless, legal)


@pytest.mark.parametrize('name', SCREENING)
def test_where_nothing_is_legal_nothing_is_left(name):
    posterior, context, legal = futures(np.random.default_rng(3))
    legal[1:3] = False
    kept = assert_nothing_lost(name, posterior, context, legal)
    assert not kept[1:3].any()


@pytest.mark.parametrize('name', SCREENING)
def test_shared_axes_are_broadcast(name):
    posterior, context, legal = futures(np.random.default_rng(4))
    shared = Posterior(posterior.mean, posterior.std[:, :1])
    context = dataclasses.replace(
        context, distance=context.distance[:, :1], cost=context.cost[:, :1]
    )
    kept = assert_nothing_lost(name, shared, context, legal[:, :1].expand_as(legal))
    short = make_acquisition(name).may_be_best(shared, context, legal[:, :1])
    assert torch.equal(short, kept)


def test_the_rough_improvement_keeps_its_bound():
    u = torch.cat([torch.linspace(-30.0, 30.0, 60001, dtype=torch.float64)])
    for std in (STD_FLOOR, 1e-3, 1.0):
        posterior = Posterior(std * u, torch.full_like(u, std))
        zero = torch.zeros((), dtype=torch.float64)
        exact = log_expected_improvement(posterior, zero)
        error = (rough_improvement(posterior, zero).log() - exact).exp() - 1.0
        assert error.abs().max() < ROUGH_ERROR


def test_what_is_rougher_than_the_bound_is_below_the_least_that_counts():
    u = -torch.logspace(np.log10(30.0), 140, 500, dtype=torch.float64)
    posterior = Posterior(u, torch.ones_like(u))
    rough = rough_improvement(posterior, torch.zeros((), dtype=torch.float64))
    assert (rough < UNDERFLOW).all()
    assert (rough >= 0.0).all()


def test_the_rough_inverse_finds_a_good_place_to_begin():
    u = torch.linspace(-5.5, 4.0, 200, dtype=torch.float64)
    posterior = Posterior(u, torch.ones_like(u))
    value = log_expected_improvement(posterior, torch.zeros((), dtype=torch.float64))
    assert (rough_inverse(value.clone()) - u).abs().max() < 0.07
