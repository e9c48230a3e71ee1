# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of chains of readings and of the paths that fly them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.study.mapping.chain import (
    along,
    excess,
    flown,
    n_readings,
    read_along,
    shortened,
)

START, END = np.array([0.0, 0.0]), np.array([1.0, 1.0])
SEEDS = st.integers(0, 2**32 - 1)


@given(SEEDS, st.integers(8, 60))
@settings(max_examples=30, deadline=None)
def test_any_chain_that_can_reach_its_end_is_pulled_together(seed: int, n: int) -> None:
    points = np.random.default_rng(seed).uniform(size=(n, 2))
    pulled = shortened(points, START, END, 0.2)
    assert excess(pulled, START, END, 0.2) <= 1e-12
    assert ((pulled >= 0.0) & (pulled <= 1.0)).all()


def test_a_chain_without_long_links_stays() -> None:
    points = along(np.stack([START, END]), 9)
    np.testing.assert_allclose(shortened(points, START, END, 0.2), points, atol=1e-12)


@given(SEEDS, st.integers(10, 40))
@settings(max_examples=30, deadline=None)
def test_on_the_path_flown_the_readings_are_the_points(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    points = shortened(rng.uniform(size=(n, 2)) * rng.uniform(0.1, 1.0), START, END, 0.2)
    vertices = flown(points, START, 0.2)
    assert ((vertices >= -1e-12) & (vertices <= 1.0 + 1e-12)).all()
    path = np.concatenate([START[np.newaxis], vertices, END[np.newaxis]])
    np.testing.assert_allclose(read_along(path, 0.2)[:n], points, atol=1e-9)
    length = np.linalg.norm(np.diff(path[:-1], axis=0), axis=1).sum()
    assert length == pytest.approx(0.2 * n, abs=1e-9)


def test_a_reading_on_the_spot_is_a_loop_of_one_step() -> None:
    vertices = flown(np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([0.5, 0.3]), 0.2)
    path = np.concatenate([[[0.5, 0.3]], vertices])
    lengths = np.linalg.norm(np.diff(path, axis=0), axis=1)
    np.testing.assert_allclose(lengths.reshape(-1, 2).sum(axis=1), 0.2, atol=1e-12)


@pytest.mark.parametrize(
    ('length', 'count'), [(10.0, 49), (8.0, 39), (0.2, 0), (0.21, 1), (0.0, 0), (9.99, 49)]
)
def test_the_end_of_a_path_is_not_read(length: float, count: int) -> None:
    assert n_readings(length, 0.2) == count


def test_points_along_a_polyline_divide_it_evenly() -> None:
    corner = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    np.testing.assert_allclose(along(corner, 3), [[0.5, 0.0], [1.0, 0.0], [1.0, 0.5]])
