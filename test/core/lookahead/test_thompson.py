# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Thompson samples have the moments of the posterior."""

from __future__ import annotations

import numpy as np

from bo_explorer.core.lookahead.thompson import ThompsonSampling

from .states import lattice, planning_state


def test_samples_have_mean_and_covariance_of_the_posterior():
    state = planning_state(lattice(4), available=1e4)
    policy = ThompsonSampling(n_points=16)
    draws = np.array([policy.scores(state) for _ in range(4000)])
    covariance = state.field_map.covariance(np.arange(16)).numpy()
    np.testing.assert_allclose(draws.mean(0), state.posterior.mean, atol=0.06)
    np.testing.assert_allclose(np.cov(draws.T), covariance, atol=0.08)


def test_the_decision_depends_on_the_generator_alone():
    first, second, other = (planning_state(lattice(8), seed=seed) for seed in (1, 1, 2))
    policy = ThompsonSampling()
    assert np.array_equal(policy.scores(first), policy.scores(second))
    assert not np.array_equal(policy.scores(first), policy.scores(other))


def test_each_decision_draws_another_field():
    state = planning_state(lattice(8))
    policy = ThompsonSampling()
    assert not np.array_equal(policy.scores(state), policy.scores(state))


def test_places_that_may_hold_the_peak_are_sampled_on_a_large_grid():
    state = planning_state(lattice(12), available=1e4)
    scores = ThompsonSampling(n_points=50).scores(state)
    sampled = np.isfinite(scores)
    assert sampled.sum() == 50
    bound = (state.posterior.mean + 3.0 * state.posterior.std).numpy()
    assert bound[sampled].min() >= bound[~sampled].max() - 0.01
