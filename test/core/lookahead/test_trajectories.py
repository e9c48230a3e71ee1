# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated missions: they stay legal, and a leg is worth what is read on it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.acquisition import make_acquisition
from bo_explorer.core.lookahead.base_samples import base_samples
from bo_explorer.core.lookahead.trajectories import (
    SimulationGrid,
    expected_gain,
    places_passed,
    simulate,
)

from .states import SIDE, STOP, ZONE, lattice, planning_state, scattered_places


@dataclasses.dataclass
class Spy:
    """An acquisition that remembers where the futures stood and what it could choose from."""

    scores: torch.Tensor
    distances: list = dataclasses.field(default_factory=list)

    def __call__(self, posterior, context):
        self.distances.append(context.distance)
        return posterior.mean * 0.0 + self.scores


def simulated(state, moves, policies, *, n_along=0, n_samples=4):
    grid = SimulationGrid.of(state, np.arange(len(state.legal)))
    n = len(policies) * (n_along + 1) + n_along
    return simulate(
        grid,
        torch.as_tensor(moves),
        policies,
        base_samples(n_samples, n, 0),
        first_values=torch.zeros(len(moves), dtype=torch.float64),
        n_along=n_along,
    )


@settings(max_examples=30)
@given(st.floats(20.0, 400.0), st.integers(0, 10**6), st.booleans())
def test_no_simulated_mission_overruns_its_budget(available, seed, with_zone):
    state = planning_state(
        lattice(6), available=available, zones=[ZONE] if with_zone else (), wind=(0.2, -0.3)
    )
    legal = np.flatnonzero(state.legal)
    if not len(legal):
        return
    # A policy that wants the costliest moves meets the limit.
    spy = Spy(torch.from_numpy(np.random.default_rng(seed).normal(size=36)))
    costs = simulated(state, legal, [spy] * 5).cost * SIDE
    cheapest_home = state.home_costs_m[np.isfinite(state.home_costs_m)].min()
    assert float(costs.max()) + cheapest_home <= available
    assert float((costs - torch.from_numpy(state.leg_costs_m[legal] + STOP)).min()) >= -1e-9


def test_a_mission_without_a_legal_move_stops():
    state = planning_state(lattice(6), available=60.0)
    legal = np.flatnonzero(state.legal)
    rewards = simulated(state, legal, [make_acquisition('ei')] * 10)
    needed = state.leg_costs_m[legal] + STOP
    alone = simulated(state, legal, [])
    tight = needed + state.home_costs_m[legal] > 60.0 - STOP
    assert tight.any()
    np.testing.assert_allclose(rewards.cost.numpy()[tight] * SIDE, needed[tight])
    np.testing.assert_allclose(
        rewards.improvement.numpy()[tight], alone.improvement.numpy()[tight], rtol=1e-12
    )


def test_no_place_is_visited_twice():
    state = planning_state(lattice(3), available=1e4)
    rewards = simulated(state, [4], [Spy(torch.zeros(9))] * 8)
    beyond = simulated(state, [4], [Spy(torch.zeros(9))] * 12)
    assert torch.equal(rewards.cost, beyond.cost)


@pytest.mark.parametrize('n_places', [1, 2, 3])
def test_places_passed_are_the_nearest_to_points_that_divide_the_leg(n_places):
    places = scattered_places(60)
    rng = np.random.default_rng(3)
    starts, ends = rng.integers(60, size=(2, 50))
    distances = np.linalg.norm(places[:, np.newaxis] - places, axis=-1)
    passed = places_passed(
        torch.from_numpy(distances[starts]), torch.from_numpy(distances[ends]), n_places
    )
    for part, found in enumerate(passed, start=1):
        t = part / (n_places + 1)
        points = (1.0 - t) * places[starts] + t * places[ends]
        nearest = np.linalg.norm(places - points[:, np.newaxis], axis=-1).argmin(1)
        assert np.array_equal(found.numpy(), nearest)


def test_places_passed_follow_the_path_round_a_zone():
    places = lattice(20)
    state = planning_state(places, zones=[ZONE])
    start = int(np.argmin(np.linalg.norm(places - (22.5, 47.5), axis=1)))
    end = int(np.argmin(np.linalg.norm(places - (67.5, 47.5), axis=1)))
    between = torch.from_numpy(state.routes.costs_between(np.arange(400)))
    (middle,) = places_passed(between[start], between[:, end], 1)
    x, y = places[int(middle)]
    assert 30.0 < x < 60.0
    assert y < 20.0 or y > 80.0


@pytest.mark.parametrize('n_along', [1, 2])
def test_the_value_of_a_leg_is_the_expected_rise_of_the_best_mean_over_it(n_along):
    # Brute force: draw the readings on the leg from the joint belief, and condition on the first
    # of them, the first two and so on by solving for their weights.
    places = lattice(8)
    state = planning_state(places, position=(8.0, 70.0))
    target = 61
    grid = SimulationGrid.of(state, np.arange(64))
    passed = places_passed(grid.legs, grid.between.T[target], n_along)
    leg = [int(place) for place in passed] + [target]
    assert len(set(leg)) == n_along + 1
    value = float(simulated(state, [target], [], n_along=n_along, n_samples=2048).improvement)

    covariance = state.field_map.covariance(leg)[:, leg].numpy()
    noisy = covariance + state.field_map.noise_variance * np.eye(len(leg))
    normals = np.random.default_rng(0).normal(size=(400_000, len(leg)))
    above = normals @ np.linalg.cholesky(noisy).T
    start = float(state.context.incumbent)
    best = np.full(len(above), start)
    for n in range(1, len(leg) + 1):
        weights = np.linalg.solve(noisy[:n, :n], covariance[:n, n - 1])
        best = np.maximum(best, float(state.posterior.mean[leg[n - 1]]) + above[:, :n] @ weights)
    error = np.std(best) / np.sqrt(len(best))
    assert abs(value - np.mean(best - start)) < 4.0 * error + 1e-4


def test_readings_on_the_way_add_to_the_value_of_a_leg():
    state = planning_state(lattice(8))
    moves = np.flatnonzero(state.legal)
    without = simulated(state, moves, []).improvement
    along = simulated(state, moves, [], n_along=2, n_samples=256).improvement
    assert float((along - without).min()) > -0.01
    assert float((along - without).max()) > 0.01


def test_the_expected_gain_is_that_of_the_posterior_mean_after_a_noisy_reading():
    state = planning_state(lattice(5))
    grid = SimulationGrid.of(state, np.arange(25))
    fantasies = grid.fantasies()
    place = torch.arange(25)
    reading = fantasies.look(place)
    gain = expected_gain(reading, state.context.incumbent)
    z = base_samples(8192, 1, 0)
    after = reading.mean + reading.step_std * z
    drawn = (after - state.context.incumbent).clamp(min=0.0).mean(0)
    torch.testing.assert_close(gain, drawn, rtol=0.0, atol=1e-3)


def test_costs_between_some_candidates_are_a_part_of_all():
    travel_state = planning_state(lattice(6), zones=[ZONE])
    rows, columns = np.array([1, 7, 30]), np.array([0, 3, 35])
    whole = travel_state.routes.costs_between(rows)
    part = travel_state.routes.costs_between(rows, columns)
    assert np.array_equal(part, whole[:, columns])
    square = planning_state(lattice(6)).routes
    whole = square.costs_between(rows)
    assert np.array_equal(square.costs_between(rows, columns), whole[:, columns])


def test_the_blocks_missions_are_simulated_in_do_not_touch_their_values(monkeypatch):
    state = planning_state(lattice(6))
    moves = np.flatnonzero(state.legal)
    policies = [make_acquisition('ei_per_cost', {'cooled': True})] * 2
    whole = simulated(state, moves, policies, n_along=1)
    monkeypatch.setattr('bo_explorer.core.lookahead.trajectories._BLOCK', 5 * 4 * 36)
    parts = simulated(state, moves, policies, n_along=1)
    assert len(moves) > 5
    torch.testing.assert_close(parts.improvement, whole.improvement, rtol=1e-12, atol=0.0)
    assert torch.equal(parts.cost, whole.cost)
