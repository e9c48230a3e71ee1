# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Which candidates a lookahead looks at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bo_explorer.core.lookahead.spread import first_moves, inner_grid, spread_order

from .states import SIDE, lattice, scattered_places


def covering_radius(places, chosen):
    return np.linalg.norm(places[:, np.newaxis] - places[chosen], axis=-1).min(1).max()


@pytest.mark.parametrize('n', [1, 5, 16, 33])
def test_the_order_holds_every_candidate_once(n):
    assert np.array_equal(np.sort(spread_order(lattice(n))), np.arange(n * n))


@pytest.mark.parametrize('k', [4, 16, 50, 100, 300])
def test_every_prefix_covers_the_area(k):
    places = lattice(32)
    # A square lattice of k places has the covering radius 0.71 side / sqrt(k).
    assert covering_radius(places, spread_order(places)[:k]) < 1.8 * SIDE / np.sqrt(k)


def test_coarse_grids_come_first():
    places = lattice(32)
    coarse = spread_order(places)[:16]
    assert set(coarse % 32) == {0, 8, 16, 24}
    assert set(coarse // 32) == {0, 8, 16, 24}


def test_places_without_a_lattice_one_axis_or_three_work_too():
    rng = np.random.default_rng(0)
    for dimension in (1, 2, 3):
        points = rng.uniform(size=(50, dimension))
        assert np.array_equal(np.sort(spread_order(points)), np.arange(50))
    assert len(spread_order(np.empty((0, 2)))) == 0


def test_rounding_of_coordinates_does_not_change_the_order():
    places = lattice(16)
    noise = np.random.default_rng(0).uniform(-1e-11, 1e-11, places.shape)
    assert np.array_equal(spread_order(places), spread_order(places + noise * (places > 10.0)))


@given(st.integers(1, 40), st.integers(0, 1000), st.floats(0.0, 1.0))
def test_first_moves_are_legal_distinct_and_hold_the_best(n, seed, share):
    rng = np.random.default_rng(seed)
    places = scattered_places(30)
    scores, legal = rng.normal(size=30), rng.uniform(size=30) < share
    moves = first_moves(scores, legal, spread_order(places), n)
    assert legal[moves].all()
    assert len(moves) == min(n, legal.sum())
    assert (np.diff(moves) > 0).all()
    if len(moves):
        assert np.argmax(np.where(legal, scores, -np.inf)) in moves


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 1000))
def test_the_inner_grid_is_legal_and_holds_the_first_moves(n_first, n_inner, seed):
    rng = np.random.default_rng(seed)
    order = spread_order(scattered_places(30))
    legal = rng.uniform(size=30) < 0.7
    moves = first_moves(rng.normal(size=30), legal, order, n_first)
    grid = inner_grid(moves, legal, order, n_inner)
    assert set(moves) <= set(grid)
    assert legal[grid].all()
    assert (np.diff(grid) > 0).all()
    assert len(grid) == min(max(n_inner, len(moves)), legal.sum())


def test_successive_inner_grids_are_nearly_the_same():
    order, rng = spread_order(lattice(50)), np.random.default_rng(0)
    legal = np.ones(2500, dtype=bool)
    grids = []
    for _ in range(2):
        moves = first_moves(rng.normal(size=2500), legal, order, 64)
        grids.append(set(inner_grid(moves, legal, order, 256)))
        legal = legal & (lattice(50)[:, 0] < 97.0)
    assert len(grids[0] & grids[1]) > 150
