# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the empirical problems: pest control, robot pushing, lunar lander."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bo_explorer.study.problems.lunar_lander import DIMENSION, action, landing_problem
from bo_explorer.study.problems.pest_control import (
    choices_at,
    loss,
    pest_problem,
    price,
    price_cost,
)
from bo_explorer.study.problems.robot_pushing import (
    TARGETS,
    controls_at,
    push,
    pushing_problem,
)


def test_each_fifth_of_an_axis_is_one_choice() -> None:
    units = np.array([0.0, 0.19, 0.2, 0.5, 0.79, 0.8, 1.0])
    np.testing.assert_array_equal(choices_at(units), [0, 0, 1, 2, 3, 4, 4])


def test_the_price_has_the_discount_of_its_share() -> None:
    choices = np.array([1.0] * 10 + [3.0] * 5 + [0.0] * 10)
    expected = 10 * 1.0 * (1.0 - 0.2 * 10 / 25) + 5 * 0.7 * (1.0 - 0.3 * 5 / 25)
    assert price(choices) == pytest.approx(expected)
    assert price(np.zeros(25)) == 0.0
    assert price(np.full(25, 4.0)) == pytest.approx(12.5)


def test_without_any_pesticide_the_pest_grows_by_its_own_rate() -> None:
    pest = np.random.RandomState(1).beta(1.0, 30.0, size=100)
    spread = np.random.RandomState(1).beta(1.0, 17.0 / 3.0, size=100)
    above = sum(float(np.mean(1.0 - (1.0 - pest) * (1.0 - spread) ** k > 0.1)) for k in range(25))
    assert loss(np.zeros(25)) == pytest.approx(above)


def test_one_pesticide_at_the_first_stage_costs_and_helps() -> None:
    once = np.zeros(25)
    once[0] = 1.0
    assert loss(once) - price(once) < loss(np.zeros(25))


def test_the_price_is_the_known_cost_and_never_nothing() -> None:
    problem = pest_problem(is_cost_aware=True)
    point = np.full(25, 0.5)
    assert problem.evaluate(point).cost == pytest.approx(price(np.full(25, 2.0)))
    costs = price_cost(torch.tensor(np.stack([np.zeros(25), point])).reshape(2, 1, 25))
    assert costs.shape == (2, 1)
    assert 0.0 < float(costs[0]) < 0.01
    assert pest_problem(is_cost_aware=False).evaluate(point).cost == 1.0


def test_the_cube_of_the_push_is_the_published_box() -> None:
    np.testing.assert_allclose(
        controls_at(np.zeros(14)), [-5, -5, 0, 0, 1, 0, -5, -5, 0, 0, 1, 0, 0, 0]
    )
    turn = 2.0 * np.pi
    np.testing.assert_allclose(
        controls_at(np.ones(14)), [5, 5, 5, 5, 30, turn, 5, 5, 5, 5, 30, turn, turn, turn]
    )


def test_hands_that_pass_by_leave_the_things_where_they_are() -> None:
    pytest.importorskip('Box2D')
    controls = np.array([4.5, 4.5, 0, 0, 1, 0, 4.5, -4.5, 0, 0, 1, 0, 0, 0], dtype=float)
    things, hands = push(controls)
    np.testing.assert_allclose(things, [[0.0, 2.0], [0.0, -2.0]], atol=1e-6)
    np.testing.assert_allclose(hands, [[4.5, 4.5], [4.5, -4.5]], atol=0.05)


def test_a_hand_behind_a_thing_pushes_it_on() -> None:
    pytest.importorskip('Box2D')
    controls = np.array([0, 0.2, 0, 5, 10, 0, 4.5, -4.5, 0, 0, 1, 0, 0, 0], dtype=float)
    things, hands = push(controls)
    assert things[0, 1] > 3.0
    assert hands[0, 1] > 1.5
    assert things[1] == pytest.approx([0.0, -2.0], abs=1e-6)


def test_a_push_is_judged_by_both_targets_and_costs_the_way_of_the_hands() -> None:
    pytest.importorskip('Box2D')
    unit = np.random.default_rng(0).random(14)
    things, hands = push(controls_at(unit))
    value, cost = pushing_problem(is_cost_aware=True).evaluate(unit)
    assert value == pytest.approx(-sum(np.linalg.norm(things - TARGETS, axis=1)))
    starts = controls_at(unit)[[0, 1, 6, 7]].reshape(2, 2)
    assert cost == pytest.approx(0.1 + sum(np.linalg.norm(hands - starts, axis=1)))


def test_the_controller_is_the_published_one() -> None:
    weights = np.array([0.5, 1.0, 0.4, 0.55, 0.5, 1.0, 0.5, 0.5, 0.0, 0.5, 0.05, 0.05])
    falling = np.array([0.0, 1.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0])
    leaning = np.array([0.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0])
    assert action(falling, weights) == 2
    assert action(leaning, weights) == 3
    assert action(-leaning * np.array([1, -1, 1, 1, 1, 1, 1, 1]), weights) == 1
    landed = np.array([0.3, 0.0, 0.0, 0.0, 0.5, 0.0, 1.0, 1.0])
    assert action(landed, weights) == 0


def test_the_published_weights_land_and_random_ones_crash() -> None:
    pytest.importorskip('Box2D')
    pytest.importorskip('pygame')
    pytest.importorskip('gymnasium')
    problem = landing_problem(is_cost_aware=True, terrains=3)
    good = np.array([0.5, 1.0, 0.4, 0.55, 0.5, 1.0, 0.5, 0.5, 0.0, 0.5, 0.05, 0.05])
    value, cost = problem.evaluate(good)
    assert value > 200.0
    assert cost > 5.0
    assert problem.evaluate(np.zeros(DIMENSION)).value < 0.0
    assert problem.known_cost is None
