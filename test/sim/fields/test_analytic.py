# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pytest

from bo_explorer.sim.fields.analytic import (
    FUNCTIONS,
    HARTMANN6_OPTIMUM,
    ackley,
    analytic_field,
    branin,
    hartmann6,
    hartmann_slice,
    levy,
    rosenbrock,
)
from bo_explorer.sim.fields.base import Bounds

# Least values in the literature (Surjanovic and Bingham), negated.
KNOWN_BEST = {
    'ackley': 0.0,
    'branin': -0.397887,
    'hartmann': 3.32237,
    'levy': 0.0,
    'rosenbrock': 0.0,
}


@pytest.mark.parametrize('name', FUNCTIONS)
def test_the_best_value_is_the_published_one(name: str) -> None:
    field = analytic_field(FUNCTIONS[name], Bounds(-3.0, 5.0, 40.0, 31.0))
    assert field.maximum.value == pytest.approx(KNOWN_BEST[name], abs=1e-5)


def test_branin_is_equally_good_at_its_three_published_places() -> None:
    places = np.array([[-math.pi, 12.275], [math.pi, 2.275], [9.42478, 2.475]])
    assert np.allclose(branin(places), -0.397887, atol=1e-6)


def test_hartmann_is_at_its_published_best_and_its_gradient_vanishes_there() -> None:
    assert hartmann6(HARTMANN6_OPTIMUM[np.newaxis])[0] == pytest.approx(3.32237, abs=1e-5)
    step = 1e-4 * np.eye(6)
    gradient = hartmann6(HARTMANN6_OPTIMUM + step) - hartmann6(HARTMANN6_OPTIMUM - step)
    assert np.abs(gradient / 2e-4).max() < 1e-3


def test_the_slice_is_the_whole_function_with_four_coordinates_held() -> None:
    points = np.random.default_rng(0).uniform(size=(20, 2))
    whole = np.hstack([points, np.tile(HARTMANN6_OPTIMUM[2:], (20, 1))])
    assert np.array_equal(hartmann_slice(points), hartmann6(whole))


def test_formulas_agree_with_plain_loops_over_the_coordinates() -> None:
    for x in np.random.default_rng(1).uniform(-4.0, 4.0, (30, 3)):
        mean_square = sum(v**2 for v in x) / 3.0
        mean_cosine = sum(math.cos(2.0 * math.pi * v) for v in x) / 3.0
        expected = -(
            -20.0 * math.exp(-0.2 * math.sqrt(mean_square)) - math.exp(mean_cosine) + 20.0 + math.e
        )
        assert ackley(x[np.newaxis])[0] == pytest.approx(expected)
        valley = sum(100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (x[i] - 1.0) ** 2 for i in range(2))
        assert rosenbrock(x[np.newaxis])[0] == pytest.approx(-valley)
        w = [1.0 + (v - 1.0) / 4.0 for v in x]
        waves = math.sin(math.pi * w[0]) ** 2
        waves += sum(
            (v - 1.0) ** 2 * (1.0 + 10.0 * math.sin(math.pi * v + 1.0) ** 2) for v in w[:2]
        )
        waves += (w[2] - 1.0) ** 2 * (1.0 + math.sin(2.0 * math.pi * w[2]) ** 2)
        assert levy(x[np.newaxis])[0] == pytest.approx(-waves)


def test_the_corners_of_the_rectangle_are_those_of_the_domain() -> None:
    function = FUNCTIONS['branin']
    field = analytic_field(function, Bounds(100.0, 200.0, 130.0, 260.0))
    corners = np.array([[100.0, 200.0], [130.0, 260.0], [115.0, 230.0]])
    domain = np.array([[-5.0, 0.0], [10.0, 15.0], [2.5, 7.5]])
    assert np.allclose(field.value(corners), branin(domain))
