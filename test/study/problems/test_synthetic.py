# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the synthetic problems, against BoTorch's test functions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bo_explorer.study.problems.synthetic import (
    SCALED,
    SWITCHING,
    BoxedFunction,
    boxed_problem,
    mean_cost,
)

pytest.importorskip('botorch')

from botorch.test_functions import Ackley, Branin, Hartmann, Levy, Rosenbrock
from botorch.test_functions.synthetic import SyntheticTestFunction


def expect_same(ours: BoxedFunction, theirs: SyntheticTestFunction, scale: float) -> None:
    units = torch.rand(20, theirs.dim, dtype=torch.float64, generator=torch.manual_seed(0))
    low, high = theirs.bounds.double()
    expected = theirs(low + units * (high - low)) / scale
    np.testing.assert_allclose(ours(units.numpy()), expected.numpy(), rtol=1e-6, atol=1e-6)
    assert ours.best == pytest.approx(theirs.optimal_value, abs=1e-5)


@pytest.mark.parametrize(
    ('name', 'theirs'),
    [
        ('ackley_2', Ackley(2, negate=True)),
        ('branin_2', Branin(negate=True)),
        ('hartmann_6', Hartmann(6, negate=True)),
    ],
)
def test_the_first_papers_functions_are_the_library_s(
    name: str, theirs: SyntheticTestFunction
) -> None:
    dimension, ours = SWITCHING[name]
    assert dimension == theirs.dim
    expect_same(ours, theirs, 1.0)


@pytest.mark.parametrize('dimension', [4, 16])
def test_the_second_papers_functions_are_the_library_s(dimension: int) -> None:
    def box(low: float, high: float) -> list[tuple[float, float]]:
        return [(low, high)] * dimension

    expect_same(SCALED['ackley'], Ackley(dimension, negate=True, bounds=box(-1.0, 1.0)), 1.0)
    expect_same(SCALED['levy'], Levy(dimension, negate=True, bounds=box(-10.0, 10.0)), 100.0)
    expect_same(
        SCALED['rosenbrock'], Rosenbrock(dimension, negate=True, bounds=box(-5.0, 10.0)), 1e5
    )


def test_no_point_is_better_than_the_best() -> None:
    rng = np.random.default_rng(1)
    for dimension, function in SWITCHING.values():
        assert function(rng.random((2000, dimension))).max() < function.best


def test_a_problem_gives_value_and_cost_of_one_point() -> None:
    problem = boxed_problem(SCALED['levy'], 4, mean_cost)
    point = np.array([0.55, 0.55, 0.55, 0.55])
    value, cost = problem.evaluate(point)
    assert value == pytest.approx(0.0, abs=1e-12)
    assert cost == pytest.approx(12.0)
    assert problem.best == 0.0
    assert problem.known_cost is mean_cost


def test_the_mean_cost_goes_from_one_to_twenty_one() -> None:
    corners = torch.stack([torch.zeros(8), torch.ones(8)]).double()
    np.testing.assert_allclose(mean_cost(corners), [1.0, 21.0])
