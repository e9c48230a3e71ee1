# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What every registered policy owes the planner.

A new entry of the registry is tested here without a change.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.core.lookahead import LOOKAHEAD
from bo_explorer.core.options import Options, walk
from bo_explorer.core.policy import POLICIES, Policy, make_policy
from bo_explorer.core.types import Posterior, Samples

from .states import ZONE, lattice, planning_state


def variants():
    for name, cls in POLICIES.items():
        yield pytest.param(name, {}, id=name)
        for spec in walk(cls) if name in LOOKAHEAD else ():
            values = spec.choices or ((True, False) if spec.kind == 'bool' else ())
            if '.' in spec.key or (spec.key == 'base' and name != 'rollout'):
                continue
            for value in values:
                if value != spec.default:
                    key = f'policy.{name}.{spec.key}'
                    yield pytest.param(name, {key: value}, id=f'{name}-{spec.key}={value}')


every_variant = pytest.mark.parametrize(('name', 'options'), list(variants()))
every_policy = pytest.mark.parametrize('name', sorted(POLICIES))


def checked_scores(name, options, state):
    scores = make_policy(name, options).scores(state)
    assert scores.shape == state.legal.shape
    assert scores.dtype == np.float64
    assert not np.isnan(scores[state.legal]).any()
    assert not (scores[state.legal] == np.inf).any()
    if state.legal.any():
        assert np.isfinite(scores[state.legal]).any()
    if name in LOOKAHEAD:
        assert np.all(scores[~state.legal] == -np.inf)
    return scores


def copies(state):
    """Return a copy of every number a policy could have changed."""
    arrays = [
        state.posterior.mean,
        state.posterior.std,
        state.context.distance,
        state.context.cost,
        state.legal,
        state.leg_costs_m,
        state.home_costs_m,
        state.field_map.covariance(np.arange(len(state.legal))),
        state.field_map.posterior().mean,
    ]
    return [np.asarray(array).copy() for array in arrays]


@every_variant
def test_scores_are_float64_and_never_nan_or_plus_infinity(name, options):
    checked_scores(name, options, planning_state(lattice(9), available=150.0))


@every_policy
def test_zones_and_wind_are_no_obstacle(name):
    checked_scores(name, {}, planning_state(lattice(6), zones=[ZONE], wind=(0.4, 0.0)))


@every_policy
def test_one_legal_candidate_is_scored(name):
    only = np.arange(25) == 13
    state = planning_state(lattice(5), legal=only)
    scores = checked_scores(name, {}, state)
    assert np.isfinite(scores[13])


@every_policy
def test_no_legal_candidate_is_no_error(name):
    checked_scores(name, {}, planning_state(lattice(4), legal=np.zeros(16, dtype=bool)))


@every_policy
def test_a_field_that_is_known_everywhere_can_be_scored(name):
    places = lattice(4)
    values = np.sin(places[:, 0] / 20.0)
    model = Hyperparameters('squared_exponential', (25.0, 25.0), 1.0, 1e-9, 0.0)
    exact = planning_state(
        places, samples=Samples(places, values, np.ones(16)), hyperparameters=model
    )
    known = dataclasses.replace(
        exact, posterior=Posterior(exact.posterior.mean, torch.zeros_like(exact.posterior.std))
    )
    for state in (exact, known):
        checked_scores(name, {}, state)


@every_policy
def test_equal_generators_give_equal_scores(name):
    first, second = (planning_state(lattice(6), seed=3) for _ in range(2))
    # Each with a policy of its own: one may start from its last decision.
    scores = [make_policy(name).scores(state) for state in (first, second)]
    assert np.array_equal(*scores)


@every_policy
def test_the_state_is_not_changed(name):
    state = planning_state(lattice(6))
    before = copies(state)
    make_policy(name).scores(state)
    assert all(np.array_equal(one, other) for one, other in zip(before, copies(state)))


@every_policy
def test_a_policy_has_scores_and_a_price(name):
    policy = make_policy(name)
    assert isinstance(policy, Policy)
    price = policy.price(planning_state(lattice(3)).context)
    assert price is None or price > 0.0
    assert (price is not None) == name.startswith('pbgi')


@pytest.mark.parametrize('name', sorted(LOOKAHEAD))
def test_a_lookahead_declares_its_options(name):
    cls = LOOKAHEAD[name]
    assert issubclass(cls, Options)
    assert dataclasses.fields(cls)
    assert all(spec.description.endswith('.') for spec in walk(cls))


def test_both_registries_are_sorted_and_share_no_name():
    assert list(LOOKAHEAD) == sorted(LOOKAHEAD)
    assert len(POLICIES) == len(set(POLICIES))
    assert set(LOOKAHEAD) < set(POLICIES)
