# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What is read on a leg counts, round zones and in wind, and only where it is asked for."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from bo_explorer.core.acquisition import ACQUISITIONS
from bo_explorer.core.area import SearchArea
from bo_explorer.core.lookahead.on_the_way import GATHERED, gathered, path_tree
from bo_explorer.core.policy import make_policy
from bo_explorer.core.travel import CandidateRoutes, TravelCost

from .states import SIDE, SQUARE, ZONE, lattice, planning_state

POSITION = np.array([22.0, 31.0])


def routes_over(candidates, zones=(), wind=(0.0, 0.0)):
    travel = TravelCost(SearchArea([SQUARE], zones), stop_cost_m=1.0, wind_mps=wind)
    return travel, CandidateRoutes(travel, candidates)


def branch(parents, index):
    """Return the candidates on the way to one, the last first."""
    found = [index]
    while parents[found[-1]] != found[-1]:
        found.append(int(parents[found[-1]]))
    return found


@pytest.mark.parametrize('zones', [(), (ZONE,)])
@pytest.mark.parametrize('wind', [(0.0, 0.0), (0.3, -0.2)])
def test_the_candidates_of_a_branch_lie_on_the_shortest_path(zones, wind):
    candidates = lattice(25)
    travel, routes = routes_over(candidates, zones, wind)
    costs = routes.costs_from(POSITION)
    parents = path_tree(costs, *routes.neighbours)
    spacing = SIDE / 25
    for index in np.flatnonzero(np.isfinite(costs))[::7]:
        path = travel.path(POSITION, candidates[index])
        places = candidates[branch(parents, int(index))]
        line = shapely.LineString(path) if len(path) > 1 else shapely.Point(path[0])
        assert shapely.distance(line, shapely.points(places)).max() < 2.0 * spacing
        assert np.linalg.norm(places[-1] - POSITION) < 2.0 * spacing
        gaps = np.linalg.norm(np.diff(places, axis=0), axis=1)
        assert gaps.max(initial=0.0) < 4.5 * spacing


def test_candidates_no_path_leads_to_stand_alone():
    candidates = lattice(10)
    _, routes = routes_over(candidates, [ZONE])
    costs = routes.costs_from(POSITION)
    parents = path_tree(costs, *routes.neighbours)
    lost = np.flatnonzero(~np.isfinite(costs))
    assert len(lost)
    assert np.array_equal(parents[lost], lost)
    scores = np.arange(100.0)
    for how in GATHERED:
        worth = gathered(scores, costs, parents, how)
        assert np.array_equal(worth[lost], scores[lost])


@pytest.mark.parametrize('n', [1, 2, 30])
def test_a_few_candidates_are_enough(n):
    now = planning_state(lattice(6)[:n])
    for gather in GATHERED:
        scores = make_policy('on_the_way', {'policy.on_the_way.gather': gather}).scores(now)
        assert np.isfinite(scores[now.legal]).all()


def test_a_leg_is_worth_the_best_or_the_mean_of_its_branch():
    candidates = lattice(20)
    _, routes = routes_over(candidates)
    costs = routes.costs_from(POSITION)
    parents = path_tree(costs, *routes.neighbours)
    scores = np.random.default_rng(0).normal(size=len(candidates))
    best, mean = (gathered(scores, costs, parents, how) for how in ('best', 'mean'))
    for index in range(0, len(candidates), 11):
        way = branch(parents, index)
        pieces = costs[way] - np.append(costs[way[1:]], 0.0)
        assert best[index] == scores[way].max()
        assert mean[index] == pytest.approx(np.average(scores[way], weights=pieces))


def test_the_mean_of_equal_scores_is_that_score():
    candidates = lattice(12)
    _, routes = routes_over(candidates, [ZONE])
    costs = routes.costs_from(POSITION)
    parents = path_tree(costs, *routes.neighbours)
    worth = gathered(np.full(144, 0.7), costs, parents, 'mean')
    np.testing.assert_allclose(worth, 0.7, rtol=1e-12)


@pytest.mark.parametrize('base', sorted(ACQUISITIONS))
def test_without_weight_the_way_does_not_count(base):
    now = planning_state(lattice(12))
    options = {'policy.on_the_way.base': base, 'policy.on_the_way.weight': 0.0}
    scores = make_policy('on_the_way', options).scores(now)
    assert np.array_equal(scores[now.legal], make_policy(base).scores(now)[now.legal])
    assert (scores[~now.legal] == -np.inf).all()


def test_the_mean_of_logarithms_is_that_of_the_numbers_behind():
    now = planning_state(lattice(12))
    common = {'policy.on_the_way.weight': 1.0}
    logarithm, number = (
        make_policy('on_the_way', {**common, 'policy.on_the_way.base': base}).scores(now)
        for base in ('log_ei', 'ei')
    )
    legal = now.legal
    np.testing.assert_allclose(np.exp(logarithm[legal]), number[legal], rtol=1e-9)


@pytest.mark.parametrize('gather', GATHERED)
def test_of_two_equal_targets_the_one_with_more_on_its_way_is_better(gather):
    candidates = lattice(20)
    now = planning_state(candidates, position=(50.0, 50.0))
    own = make_policy('ucb').scores(now)
    options = {'policy.on_the_way.base': 'ucb', 'policy.on_the_way.gather': gather}
    scores = make_policy('on_the_way', options).scores(now)
    parents = path_tree(now.leg_costs_m, *now.routes.neighbours)
    leg = gathered(own, now.leg_costs_m, parents, gather)
    legal = now.legal
    np.testing.assert_allclose(scores[legal], (0.5 * own + 0.5 * leg)[legal])
    assert not np.array_equal(np.argsort(scores[legal]), np.argsort(own[legal]))


def test_the_base_keeps_its_options_and_its_price():
    now = planning_state(lattice(10))
    options = {
        'policy.on_the_way.base': 'pbgi',
        'policy.on_the_way.weight': 0.0,
        'policy.pbgi.price': 0.7,
    }
    policy = make_policy('on_the_way', options)
    expected = make_policy('pbgi', {'policy.pbgi.price': 0.7}).scores(now)
    assert policy.price(now.context) == 0.7
    assert np.array_equal(policy.scores(now)[now.legal], expected[now.legal])
