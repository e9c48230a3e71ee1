# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import gamma, kv
from scipy.stats import kstest

from bo_explorer.core.errors import ConfigError
from bo_explorer.sim.fields.base import Bounds, grid_points
from bo_explorer.sim.fields.crack import crack_field
from bo_explorer.sim.fields.gp_draw import draw_on_grid, gp_draw_field, matern52
from bo_explorer.sim.fields.hot_spots import hot_spots_field

PLOT = Bounds(0.0, 0.0, 100.0, 80.0)
WALL = Bounds(0.0, 0.0, 12.0, 6.0)


def test_the_covariance_is_the_matern_one_of_smoothness_five_halves() -> None:
    distance, nu = np.linspace(0.01, 40.0, 50), 2.5
    r = math.sqrt(2.0 * nu) * distance / 7.0
    general = 2.0 ** (1.0 - nu) / gamma(nu) * r**nu * kv(nu, r)
    assert np.allclose(matern52(distance, 7.0), general, atol=1e-12)
    assert matern52(np.zeros(1), 7.0)[0] == 1.0


@pytest.mark.parametrize('lengthscale', [2.0, 6.0])
def test_draws_have_the_covariance_they_should(lengthscale: float) -> None:
    rng = np.random.default_rng(0)
    draws = np.array([draw_on_grid((6, 7), (1.5, 1.0), lengthscale, rng) for _ in range(1000)])
    y, x = np.meshgrid(1.5 * np.arange(6), 1.0 * np.arange(7), indexing='ij')
    places = np.stack([y.ravel(), x.ravel()], axis=1)
    expected = matern52(np.linalg.norm(places[:, None] - places, axis=2), lengthscale)
    flat = draws.reshape(1000, -1)
    # Five standard errors of a covariance of unit Gaussians, at most sqrt(2 / n).
    assert np.abs(flat.T @ flat / 1000 - expected).max() < 5.0 * math.sqrt(2.0 / 1000)
    assert np.abs(flat.mean(axis=0)).max() < 5.0 / math.sqrt(1000)


def test_draws_are_gaussian() -> None:
    rng = np.random.default_rng(1)
    values = [draw_on_grid((2, 2), (1.0, 1.0), 3.0, rng)[0, 0] for _ in range(1000)]
    assert kstest(values, 'norm').pvalue > 1e-3


def test_a_draw_is_as_smooth_between_its_nodes_as_at_them() -> None:
    field = gp_draw_field(PLOT, 20.0, np.random.default_rng(2))
    line = np.stack([np.linspace(10.0, 90.0, 4001), np.full(4001, 33.3)], axis=1)
    curvature = np.diff(field.value(line), 2) / 0.02**2
    # The second derivative has standard deviation 5 / l^2 and no jumps.
    assert np.abs(curvature).max() < 5.0 * 5.0 / 20.0**2
    assert np.abs(np.diff(curvature)).max() < 0.1 * np.abs(curvature).max()


@pytest.mark.parametrize('lengthscale', [0.5, 500.0])
def test_a_lengthscale_off_the_size_of_the_rectangle_is_refused(lengthscale: float) -> None:
    with pytest.raises(ConfigError, match=r'simulator\.field\.lengthscale_m'):
        gp_draw_field(PLOT, lengthscale, np.random.default_rng(0))


@pytest.mark.parametrize('seed', range(4))
def test_hot_spots_keep_their_own_peaks_and_one_is_clearly_the_hottest(seed: int) -> None:
    n_spots = 5
    field = hot_spots_field(PLOT, n_spots, 7.0, np.random.default_rng(seed))
    nodes = 241
    values = field.value(grid_points(PLOT, nodes, nodes)).reshape(nodes, nodes)
    inner = values[1:-1, 1:-1]
    neighbours = [
        values[1 + i : nodes - 1 + i, 1 + j : nodes - 1 + j]
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        if (i, j) != (0, 0)
    ]
    is_peak = np.all([inner > n for n in neighbours], axis=0) & (inner > 0.1)
    peaks = np.sort(inner[is_peak])[::-1]
    assert len(peaks) == n_spots
    assert peaks[0] == pytest.approx(field.maximum.value, abs=2e-3)
    assert peaks[0] - peaks[1] > 0.2


def test_more_hot_spots_than_there_is_room_for_are_refused() -> None:
    with pytest.raises(ConfigError, match=r'simulator\.field\.n_hot_spots'):
        hot_spots_field(PLOT, 50, 10.0, np.random.default_rng(0))
    with pytest.raises(ConfigError, match=r'simulator\.field\.lengthscale_m'):
        hot_spots_field(PLOT, 1, 45.0, np.random.default_rng(0))


@pytest.mark.parametrize('seed', range(4))
def test_a_crack_runs_from_edge_to_edge_and_has_one_worst_place(seed: int) -> None:
    field = crack_field(WALL, 0.3, np.random.default_rng(seed))
    columns = field.value(grid_points(WALL, 61, 301)).reshape(301, 61).max(axis=0)
    assert columns.min() > 0.25
    assert field.maximum.value == pytest.approx(1.0, abs=1e-12)
    far = grid_points(WALL, 121, 61)
    far = far[np.linalg.norm(far - field.maximum.point, axis=1) > 0.6]
    assert field.value(far).max() < 0.999


def test_the_score_of_a_crack_falls_off_as_its_width_says() -> None:
    # Far narrower than the steps of the crack, so that the worst place looks like a straight line.
    width = 0.01
    field = crack_field(WALL, width, np.random.default_rng(3))
    angles = np.linspace(0.0, 2.0 * np.pi, 720)
    ring = field.maximum.point + width * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert field.value(ring).min() == pytest.approx(math.exp(-1.0), abs=0.03)
