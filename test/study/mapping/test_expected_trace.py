# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the expected trace: its value against simulated readings, its gradient."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from bo_explorer.study.mapping.belief import THRESHOLD, believe, kernel_parts
from bo_explorer.study.mapping.expected_trace import ExpectedTrace
from bo_explorer.study.mapping.worlds import MixtureWorld, grid

PLACES = grid(9)


def after_some_readings(n: int) -> tuple[np.ndarray, np.ndarray]:
    readings = np.random.default_rng(3).uniform(size=(n, 2))
    return readings, MixtureWorld(3)(readings)


@pytest.mark.parametrize('as_now', [False, True])
@pytest.mark.parametrize('n', [0, 10])
def test_the_gradient_is_exact(n: int, as_now: bool) -> None:
    readings, values = after_some_readings(n)
    expected = ExpectedTrace(
        readings, believe(readings, values, PLACES), PLACES, 0.3, area_as_now=as_now
    )
    points = np.random.default_rng(4).uniform(size=(5, 2))
    _, gradient = expected(points)
    numeric = approx_fprime(
        points.ravel(), lambda flat: expected(flat.reshape(-1, 2))[0], 1e-7
    )
    np.testing.assert_allclose(gradient.ravel(), numeric, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize('signal_variance', [0.2, 1.0])
def test_the_value_is_the_mean_over_simulated_readings(signal_variance: float) -> None:
    rng = np.random.default_rng(5)
    points = rng.uniform(size=(6, 2))
    nothing = np.empty((0, 2))
    expected = ExpectedTrace(
        nothing, believe(nothing, np.empty(0), PLACES), PLACES, signal_variance
    )
    gram = kernel_parts(points, points)[0] + 1e-4 * np.eye(len(points))
    cross = kernel_parts(points, PLACES)[0]
    weights = np.linalg.solve(gram, cross)
    variance = 1.0 - (cross * weights).sum(axis=0)
    factor = np.linalg.cholesky(signal_variance * gram)
    means = (rng.standard_normal((20000, len(points))) @ factor.T) @ weights
    is_inside = means + np.sqrt(variance) >= THRESHOLD
    traces = (is_inside * variance).sum(axis=1)
    error = traces.std() / np.sqrt(len(traces))
    assert expected(points)[0] == pytest.approx(traces.mean(), abs=5.0 * error)


def test_with_the_area_as_it_is_the_trace_is_the_variance_left_in_it() -> None:
    readings, values = after_some_readings(10)
    belief = believe(readings, values, PLACES)
    expected = ExpectedTrace(readings, belief, PLACES, 1.0, area_as_now=True)
    points = np.array([[0.5, 0.5], [0.2, 0.8]])
    everything = np.concatenate([readings, points])
    left = believe(everything, np.zeros(len(everything)), PLACES[belief.interest])
    assert expected(points)[0] == pytest.approx(left.variance.sum(), rel=1e-2)


def test_readings_on_one_place_are_no_trouble() -> None:
    nothing = np.empty((0, 2))
    expected = ExpectedTrace(nothing, believe(nothing, np.empty(0), PLACES), PLACES, 1.0)
    trace, gradient = expected(np.full((4, 2), 0.5))
    assert np.isfinite(trace) and np.isfinite(gradient).all()
