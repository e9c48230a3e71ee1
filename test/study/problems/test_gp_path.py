# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of functions drawn from a process."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bo_explorer.core.gp.kernels import matern52
from bo_explorer.study.problems.gp_path import RandomFunction, drawn_problem
from bo_explorer.study.problems.synthetic import mean_cost


def test_draws_have_the_covariance_of_the_kernel() -> None:
    rng = np.random.default_rng(0)
    scales = np.array([0.3, 0.6, 1.0])
    points = torch.from_numpy(rng.random((6, 3)))
    draws = torch.stack(
        [RandomFunction.draw(scales, rng, n_features=64)(points) for _ in range(6000)]
    )
    expected = matern52(points, points, torch.from_numpy(scales))
    np.testing.assert_allclose(draws.T @ draws / len(draws), expected, atol=0.07)
    np.testing.assert_allclose(draws.mean(0), 0.0, atol=0.07)


def test_a_seed_makes_one_function_whose_best_value_nobody_beats() -> None:
    problem, again = (drawn_problem(4, 0.5, 3, mean_cost) for _ in range(2))
    assert problem.best == again.best
    points = np.random.default_rng(1).random((300, 4))
    values = np.array([problem.evaluate(point).value for point in points])
    assert values.max() <= problem.best
    assert values.std() > 0.3
    assert problem.evaluate(points[0]).cost == pytest.approx(20.0 * (0.05 + points[0].mean()))
