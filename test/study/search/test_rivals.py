# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Rivals get their due: patterns as dense as the budget pays, tours that are short."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from bo_explorer.core.area import SearchArea
from bo_explorer.core.errors import ConfigError
from bo_explorer.core.policy import POLICIES
from bo_explorer.study.search.entries import RIVALS, check_label, make_entry
from bo_explorer.study.search.searcher import Searcher
from bo_explorer.study.search.study import SEARCH
from bo_explorer.study.search.suite import suite_world
from bo_explorer.study.search.tours import SnakeTour, tour

L_SHAPE = np.array([(0.0, 0.0), (1.2, 0.0), (1.2, 0.6), (0.6, 0.6), (0.6, 1.2), (0.0, 1.2)])
ZONE = np.array([(0.2, 0.2), (0.4, 0.2), (0.4, 0.4), (0.2, 0.4)])


def odd_world(seed: int, budget: float = 3.0):
    """Return a world that is neither convex nor free of zones."""
    area = SearchArea([L_SHAPE], [ZONE])
    candidates = area.candidates(0.06)
    return dataclasses.replace(
        suite_world('gp_0.2', seed), area=area, candidates=candidates, home=candidates[-1],
        budget_m=budget,
    )  # fmt: skip


def state_of(world, label: str = 'log_ei'):
    """Return the first state a policy decides on."""
    states = []

    class Watch:
        def scores(self, state):
            states.append(state)
            return np.full(len(state.legal), -np.inf)

        def price(self, context):
            return None

    Searcher(world, 0, comes_home=True).run(Watch())
    return states[0]


@pytest.mark.parametrize('label', RIVALS)
@pytest.mark.parametrize('make_world', [lambda: suite_world('gp_0.2', 2), lambda: odd_world(2)])
def test_every_rival_keeps_the_budget_and_comes_home(label, make_world):
    world = make_world()
    entry = make_entry(label, replan_sides=0.1)
    trace = Searcher(world, 2, comes_home=True).run(entry.policy, entry.replan_sides)
    assert trace.spent_m <= world.budget_m + 1e-9
    assert trace.is_home
    assert trace.crossings == 0
    assert len(trace.decision_s) > 5


@pytest.mark.parametrize('label', ['lawn_mower', 'spiral'])
def test_a_pattern_is_denser_where_the_budget_is_larger(label):
    lengths = []
    for budget in (3.0, 6.0, 12.0):
        world = dataclasses.replace(suite_world('branin', 0), budget_m=budget)
        entry = make_entry(label, replan_sides=0.0)
        trace = Searcher(world, 0, comes_home=True).run(entry.policy)
        lengths.append(len(trace.decision_s))
        assert trace.spent_m > 0.6 * budget
    assert lengths == sorted(set(lengths))


def test_a_lawn_mower_leaves_no_wide_gap():
    world = dataclasses.replace(suite_world('branin', 0), budget_m=12.0)
    entry = make_entry('lawn_mower', replan_sides=0.0)
    searcher = Searcher(world, 0, comes_home=True)
    trace = searcher.run(entry.policy)
    # Belief is firm everywhere: no place is far from a reading.
    assert trace.std.max() < 0.5


def test_what_the_budget_does_not_pay_of_a_pattern_is_left_out():
    world = odd_world(1, budget=0.8)
    entry = make_entry('lawn_mower', replan_sides=0.0)
    trace = Searcher(world, 1, comes_home=True).run(entry.policy)
    assert 0.0 < trace.spent_m <= 0.8 + 1e-9
    assert trace.is_home


@pytest.mark.parametrize('seed', range(4))
def test_a_tour_is_about_as_short_as_the_best(seed):
    state = state_of(odd_world(0))
    rng = np.random.default_rng(seed)
    places = [int(k) for k in rng.choice(np.flatnonzero(state.legal), 6, replace=False)]

    def length(way):
        between = state.routes.costs_between(way, way)
        legs = sum(between[k, k + 1] for k in range(len(way) - 1))
        return state.leg_costs_m[way[0]] + legs + state.home_costs_m[way[-1]]

    found = tour(places, state)
    assert sorted(found) == sorted(places)
    best = min(length(list(way)) for way in itertools.permutations(places))
    assert length(found) <= 1.1 * best


def test_a_tour_through_one_place_or_none_is_itself():
    state = state_of(suite_world('gp_0.2', 0))
    assert tour([], state) == []
    assert tour([7], state) == [7]


def test_snake_flies_to_places_it_does_not_know():
    state = state_of(suite_world('gp_0.2', 0))
    place = state.field_map.candidates[SnakeTour().target(state)]
    assert np.linalg.norm(state.field_map.samples.points - place, axis=1).min() >= 0.05


def test_random_targets_are_kept_until_they_are_reached():
    state = state_of(suite_world('gp_0.2', 0))
    policy = make_entry('random', replan_sides=0.1).policy
    first = int(np.argmax(policy.scores(state)))
    assert int(np.argmax(policy.scores(state))) == first
    reached = state.legal.copy()
    reached[first] = False
    assert int(np.argmax(policy.scores(dataclasses.replace(state, legal=reached)))) != first


def test_a_label_says_how_often_the_target_is_reconsidered():
    assert make_entry('ei', replan_sides=0.1).replan_sides == 0.1
    assert make_entry('ei,replan=0', replan_sides=0.1).replan_sides == np.inf
    assert make_entry('ei,replan=0.3', replan_sides=0.0).replan_sides == 0.3
    assert make_entry('pbgi,price=0.03', replan_sides=0.1).policy.acquisition.price == 0.03


@pytest.mark.parametrize(
    'label, message',
    [
        ('nobody', "'policies' must be of lawn_mower"),
        ('ei,replan', 'options as key=value'),
        ('ei,replan=-1', "'replan' must be at least 0"),
        ('snake,length=3', "'policies' must give snake options of n_samples"),
        ('snake,n_samples=0', "'n_samples' must be a number from 1 up"),
        ('lawn_mower,stops_are_free=1', 'options of none'),
        ('pbgi,price=-1', 'price'),
    ],
)
def test_a_label_that_names_nothing_is_refused(label, message):
    with pytest.raises(ConfigError, match=message):
        check_label(label)


def test_the_study_has_every_policy_and_every_rival():
    names = {
        policy.split(',')[0] for block in SEARCH.full.blocks for policy in block.policies
    }
    assert names == {*POLICIES, *RIVALS}
    for block in (*SEARCH.full.blocks, *SEARCH.quick.blocks):
        for policy in block.policies:
            check_label(policy)
