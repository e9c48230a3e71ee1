# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The one-shot tree as a policy of the vehicle."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from bo_explorer.core.acquisition.base import AcquisitionContext
from bo_explorer.core.area import SearchArea
from bo_explorer.core.errors import ConfigError
from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.lookahead.base import PlanningState
from bo_explorer.core.lookahead.one_shot_policy import OneShot
from bo_explorer.core.travel import CandidateRoutes, TravelCost

from .beliefs import field_map

HOME = np.array([5.0, 5.0])
SQUARE = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]])
WALL = np.array([[40.0, -10.0], [50.0, -10.0], [50.0, 80.0], [40.0, 80.0]])


def planning_state(*, available_m=150.0, zones=(), position=HOME, stop_m=2.0, seed=0):
    area = SearchArea([SQUARE], zones)
    travel = TravelCost(area, stop_cost_m=stop_m)
    candidates = area.candidates(5.0)
    known = field_map(12, seed=2)
    belief = FieldMap(candidates, known.hyperparameters)
    belief.update(known.samples)
    routes = CandidateRoutes(travel, candidates)
    legs, homes = routes.costs_from(position), routes.costs_to(HOME)
    distance = torch.from_numpy(legs / area.side)
    return PlanningState(
        field_map=belief,
        posterior=belief.posterior(),
        context=AcquisitionContext(
            belief.sample_posterior().mean.max(),
            distance,
            distance + stop_m / area.side,
            available_m / area.side,
            3.0,
            12,
        ),
        legal=legs + stop_m + homes <= available_m,
        routes=routes,
        leg_costs_m=legs,
        home_costs_m=homes,
        available_m=available_m,
        stop_cost_m=stop_m,
        side_m=area.side,
        generator=np.random.default_rng(seed),
    )


def test_only_legal_candidates_have_a_score():
    state = planning_state(available_m=90.0)
    scores = OneShot(fantasies=(2.0,)).scores(state)
    assert scores.shape == state.legal.shape
    assert not state.legal.all()
    finite = np.isfinite(scores)
    assert 1 <= finite.sum() <= 16
    assert state.legal[finite].all()
    assert (scores[~finite] == -np.inf).all()


def test_a_myopic_tree_chooses_what_expected_improvement_per_cost_does():
    state = planning_state(available_m=1e4)
    scores = OneShot(fantasies=()).scores(state)
    belief, context = state.posterior, state.context
    normal = torch.distributions.Normal(0.0, 1.0)
    u = (belief.mean - context.incumbent) / belief.std
    gain = belief.std * (normal.log_prob(u).exp() + u * normal.cdf(u))
    expected = (gain / context.cost).log().numpy()
    assert int(np.argmax(scores)) == int(np.argmax(expected))
    finite = np.isfinite(scores)
    assert scores[finite] == pytest.approx(expected[finite], abs=1e-6)


def test_a_wall_is_paid_for_by_the_way_round_it():
    """Behind the wall the same gain costs more, and what the detour leaves out of reach is not."""
    open_state, walled = planning_state(), planning_state(zones=[WALL])
    policy = OneShot(fantasies=(1.0,))
    for state in (open_state, walled):
        index = int(np.argmax(policy.scores(state)))
        needed = state.leg_costs_m[index] + state.stop_cost_m + state.home_costs_m[index]
        assert needed <= state.available_m
    assert walled.legal.sum() < open_state.legal.sum()


def test_the_same_state_gives_the_same_scores():
    policies = OneShot(fantasies=(2.0,)), OneShot(fantasies=(2.0,))
    first, again = (policy.scores(planning_state(seed=4)) for policy in policies)
    assert first.tolist() == again.tolist()


def test_the_next_plan_starts_from_the_last_and_equality_ignores_that():
    policy = OneShot(fantasies=(2.0,))
    before = policy.scores(planning_state())
    again = policy.scores(planning_state())
    assert again.max() >= before.max() - 0.02
    assert policy == OneShot(fantasies=(2.0,))


def test_another_mission_starts_without_the_tree_of_the_last():
    policy = OneShot(fantasies=(2.0,))
    policy.scores(planning_state(available_m=140.0))
    fresh = OneShot(fantasies=(2.0,)).scores(planning_state(available_m=150.0))
    assert policy.scores(planning_state(available_m=150.0)).tolist() == fresh.tolist()


def test_without_a_legal_candidate_no_score_is_finite():
    state = planning_state()
    nothing = dataclasses.replace(state, legal=np.zeros_like(state.legal), available_m=0.0)
    assert not np.isfinite(OneShot().scores(nothing)).any()


def test_it_bets_with_a_price_only_where_the_reward_has_one():
    context = planning_state().context
    assert OneShot().price(context) is None
    assert OneShot(reward='priced', price_per_side=0.3).price(context) == 0.3


@pytest.mark.parametrize('fantasies', [(2.5,), (0.0,), (64.0, 64.0)])
def test_fantasies_that_make_no_tree_are_refused(fantasies):
    with pytest.raises(ConfigError, match="'fantasies' must"):
        OneShot(fantasies=fantasies)
