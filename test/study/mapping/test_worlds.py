# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the benchmark's worlds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from bo_explorer.study.mapping.worlds import MixtureWorld, grid


def drawn_as_the_benchmark_does(number: int) -> list[tuple[np.ndarray, np.ndarray]]:
    np.random.seed(1 + 100 * number)
    bumps = []
    for _ in range(np.random.randint(8, 12 + 1)):
        centre = np.random.rand(2)
        bumps.append((centre, np.sqrt(np.random.uniform(0.00005, 0.0002, 2))))
    return bumps


@pytest.mark.parametrize('number', [1, 2, 30])
def test_a_world_is_the_normalised_mixture_of_the_benchmark(number: int) -> None:
    places = np.random.default_rng(0).uniform(size=(50, 2))
    densities = [
        (lambda x, c=centre, v=variances: multivariate_normal(c, np.diag(v)).pdf(x))
        for centre, variances in drawn_as_the_benchmark_does(number)
    ]
    # The benchmark takes its standard deviations' product where a density has that of variances,
    # which is a common factor only where all bumps are alike: weights differ from densities.
    weights = [
        np.sqrt(variances.prod()) / variances.prod()
        for _, variances in drawn_as_the_benchmark_does(number)
    ]
    total = sum(w * f(places) for w, f in zip(weights, densities))
    highest = sum(w * f(grid()) for w, f in zip(weights, densities)).max()
    np.testing.assert_allclose(MixtureWorld(number)(places), total / highest, rtol=1e-12)


def test_the_highest_cell_is_one() -> None:
    assert MixtureWorld(7)(grid()).max() == pytest.approx(1.0, abs=1e-15)


def test_the_grid_includes_the_border() -> None:
    places = grid(3)
    np.testing.assert_array_equal(
        places[:4], [[0.0, 0.0], [0.0, 0.5], [0.0, 1.0], [0.5, 0.0]]
    )
    assert len(grid()) == 900
