# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Budgeted multi-step expected improvement against a search over every plan."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from bo_explorer.core.acquisition import make_acquisition
from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.lookahead.budgeted_multi_step_ei import DEPTH, BudgetedMultiStepEi
from bo_explorer.core.types import Samples

from .reference import rollout_values
from .states import SIDE, STOP, lattice, planning_state, scattered_places

POSITION, HOME = np.array([20.0, 30.0]), np.array([5.0, 5.0])


def expected_improvement(mean, std, best):
    u = (mean - best) / std
    return std * (norm.pdf(u) + u * norm.cdf(u))


def plan_value(state, plan, cap, available):
    """Return the summed improvement of a plan as far as it is paid for."""
    field_map, best = state.field_map, float(state.context.incumbent)
    places, here, spent, total = field_map.candidates, POSITION, 0.0, 0.0
    for index in plan:
        spent += math.dist(here, places[index]) + STOP
        if spent > cap + 1e-6 or spent + math.dist(places[index], HOME) > available:
            return total
        here, posterior = places[index], field_map.posterior()
        mean, std = float(posterior.mean[index]), float(posterior.std[index])
        total += expected_improvement(mean, std, best)
        best = max(best, mean)
        h, s = field_map.hyperparameters, field_map.samples
        field_map = FieldMap(places, h)
        field_map.update(
            Samples(
                np.concatenate([s.points, places[[index]]]),
                np.append(s.values, h.mean + h.signal_std * mean),
                np.ones(len(s) + 1),
            )
        )
    return total


@pytest.mark.parametrize('available', [160.0, 190.0, 300.0])
def test_with_every_branch_the_best_plan_is_found(available):
    n = 6
    state = planning_state(
        scattered_places(n, seed=4), available=available, position=POSITION, home=HOME
    )
    scores = BudgetedMultiStepEi(n_branches=n).scores(state)
    by_cost = make_acquisition('ei_per_cost')
    ranks = by_cost(state.posterior, state.context).numpy()
    greedy = int(np.argmax(np.where(state.legal, ranks, -np.inf)))
    _, _, (cap,) = rollout_values(
        state,
        [greedy],
        [by_cost] * DEPTH,
        np.zeros((1, DEPTH + 1)),
        position=POSITION,
        home=HOME,
        n_along=0,
    )
    values = {}
    for plan in itertools.permutations(range(n), DEPTH + 1):
        value = plan_value(state, plan, cap * SIDE, available)
        values[plan[0]] = max(values.get(plan[0], 0.0), value)
    finite = np.flatnonzero(np.isfinite(scores))
    assert greedy in finite
    np.testing.assert_allclose(scores[finite], [values[k] for k in finite], rtol=1e-8)
    assert all(values[k] == 0.0 for k in range(n) if k not in finite)


def test_fewer_branches_find_plans_that_are_no_better_and_nearly_as_good():
    state = planning_state(lattice(10))
    few = BudgetedMultiStepEi(n_branches=4).scores(state)
    many = BudgetedMultiStepEi(n_branches=16).scores(state)
    finite = np.isfinite(many)
    assert np.array_equal(finite, np.isfinite(few))
    assert (few[finite] <= many[finite] + 1e-12).all()
    assert few[np.argmax(many)] > 0.9 * many.max()


def test_a_plan_never_costs_more_than_is_left():
    state = planning_state(lattice(8), available=70.0)
    scores = BudgetedMultiStepEi().scores(state)
    assert np.isfinite(scores).any()
    assert not np.isfinite(scores[~state.legal]).any()
