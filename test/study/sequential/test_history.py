# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of what is kept of evaluations, and of the candidates beside them."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.study.problems.base import Evaluation, Problem
from bo_explorer.study.sequential.candidates import candidate_points
from bo_explorer.study.sequential.history import History

SLOPE = Problem(2, lambda point: Evaluation(float(point.sum()), 3.0), best=2.0)


def test_values_are_kept_beside_their_noisy_readings() -> None:
    history = History(SLOPE, 0.5, np.random.default_rng(0))
    for point in np.random.default_rng(1).random((400, 2)):
        history.evaluate(point)
    noise = np.array(history.readings) - history.values
    assert noise.std() == pytest.approx(0.5, rel=0.1)
    np.testing.assert_allclose(history.values, history.points.sum(axis=1))
    assert history.costs == [3.0] * 400


def test_the_belief_follows_the_readings() -> None:
    history = History(SLOPE, 0.0, np.random.default_rng(0))
    for point in np.random.default_rng(1).random((30, 2)):
        history.evaluate(point)
    places = np.array([[0.5, 0.5], [0.25, 0.75]])
    belief = history.belief(Hyperparameters('matern52', (1.0, 1.0), 1.0, 1e-3, 1.0), places)
    np.testing.assert_allclose(belief.posterior().mean, [0.0, 0.0], atol=1e-2)


@pytest.mark.parametrize('dimension', [1, 6, 25])
def test_candidates_lie_in_the_cube_and_begin_with_the_centres(dimension: int) -> None:
    rng = np.random.default_rng(2)
    centres = rng.random((3, dimension))
    points = candidate_points(100, centres, np.full(dimension, 0.3), rng)
    assert points.shape == (103, dimension)
    assert ((points >= 0.0) & (points <= 1.0)).all()
    np.testing.assert_array_equal(points[:3], centres)


def test_half_of_the_candidates_differ_from_a_centre() -> None:
    rng = np.random.default_rng(3)
    centres = np.full((1, 8), 0.5)
    near = candidate_points(200, centres, np.full(8, 0.3), rng)[101:]
    assert (np.abs(near - 0.5).max(axis=1) > 0.0).all()
    assert (np.abs(near - 0.5) == 0.0).any()
