# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Samples become fewer, and what is known of the field is kept where it matters."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.core.merging import merge_rows
from bo_explorer.core.types import Samples

PEAK = np.array([31.0, 57.0])


def rows_of(points, values):
    return np.column_stack([points, values, np.ones(len(points))])


def lattice(spacing, side=64.0):
    x = np.arange(0.5 * spacing, side, spacing)
    return np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)


def bump(points):
    return np.exp(-((points - PEAK) ** 2).sum(axis=1) / 50.0)


def merged_one_by_one(rows, cell_m, most):
    """Return the same rows, found by merging one cell after the other, as a set."""

    def cell_of(row, size):
        return size, int(np.floor(row[0] / size)), int(np.floor(row[1] / size))

    def merge(members):
        weights = np.array([row[3] for row in members])
        means = np.average([row[:3] for row in members], axis=0, weights=weights)
        return (*means, weights.sum())

    by_cell = defaultdict(list)
    for row in rows.tolist():
        by_cell[cell_of(row, cell_m)].append(tuple(row))
    leaves = [merge(members) for members in by_cell.values()]
    most_apart = np.ptp([leaf[2] for leaf in leaves])
    groups = [[leaf] for leaf in leaves]
    while len(groups) > most:
        candidates = []
        for k in range(1, 12):
            size = cell_m * 2.0**k
            inside = defaultdict(list)
            for group in groups:
                inside[cell_of(group[0], size)].append(group)
            for joined in inside.values():
                if len(joined) > 1:
                    values = [leaf[2] for group in joined for leaf in group]
                    loss = size * (np.ptp(values) / most_apart + 0.125)
                    candidates.append((loss, joined))
        _, joined = min(candidates, key=lambda pair: pair[0])
        groups = [group for group in groups if all(group is not other for other in joined)]
        groups.append([leaf for group in joined for leaf in group])
    return sorted(merge(group) for group in groups)


def test_samples_of_one_cell_become_one_however_they_differ():
    rows = rows_of(np.array([[1.0, 1.0], [3.0, 1.0], [1.5, 0.5]]), np.array([0.0, 1.0, 100.0]))
    left = merge_rows(rows, 2.0, 50)
    np.testing.assert_allclose(left, [[3.0, 1.0, 1.0, 1.0], [1.25, 0.75, 50.0, 2.0]])


def test_samples_that_fit_are_left_alone():
    rows = rows_of(lattice(8.0), np.arange(64.0))
    np.testing.assert_array_equal(merge_rows(rows, 8.0, 64), rows)


def test_the_flattest_pair_goes_first():
    rows = rows_of(
        np.array([[1.0, 1.0], [3.0, 1.0], [9.0, 1.0], [11.0, 1.0], [17.0, 1.0], [19.0, 1.0]]),
        np.array([0.0, 9.0, 5.0, 5.5, 2.0, 6.0]),
    )
    left = merge_rows(rows, 2.0, 5)
    np.testing.assert_allclose(left[:, 2], [0.0, 9.0, 5.25, 2.0, 6.0])
    np.testing.assert_allclose(merge_rows(rows, 2.0, 4)[:, 2], [0.0, 9.0, 5.25, 4.0])


def test_flat_ground_is_merged_in_cells_of_one_size():
    points = lattice(2.0)
    left = merge_rows(rows_of(points, np.full(len(points), 3.0)), 2.0, 100)
    assert len(left) == 64
    assert set(left[:, 3]) == {16.0}
    np.testing.assert_allclose(left[:, 2], 3.0)


def test_flat_ground_stays_known_where_it_was_measured():
    """A peak as thin as can be takes no more than its due."""
    points = lattice(2.0)
    values = np.where((points > [60.0, 60.0]).all(axis=1), np.arange(len(points)), 0.0)
    left = merge_rows(rows_of(points, values), 2.0, 100)
    assert len(left) <= 100
    # The widest cell is 8 m, as wide as all would be without the peak.
    assert left[:, 3].max() == 16.0


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(5, 60),
    cell_m=st.sampled_from([0.5, 2.0, 7.0]),
    most=st.integers(4, 30),
    shift=st.sampled_from([0.0, -50.0, 1e4]),
)
def test_it_merges_as_if_one_cell_after_the_other(seed, n, cell_m, most, shift):
    rng = np.random.default_rng(seed)
    rows = rows_of(shift + rng.uniform(0.0, 100.0, (n, 2)), rng.normal(5.0, 2.0, n))
    rows[:, 3] = rng.integers(1, 9, n)
    left = merge_rows(rows, cell_m, most)
    assert len(left) <= most or len(left) == len(rows)
    np.testing.assert_allclose(sorted(map(tuple, left)), merged_one_by_one(rows, cell_m, most))


@pytest.mark.parametrize('noise', [0.0, 0.05])
@pytest.mark.parametrize('most', [60, 150])
def test_a_peak_stays_where_it_is_and_the_map_what_it_was(noise, most):
    points = lattice(2.0)
    values = bump(points) + np.random.default_rng(5).normal(0.0, noise, len(points))
    left = merge_rows(rows_of(points, values), 2.0, most)
    assert len(left) <= most
    model = Hyperparameters('matern52', (8.0, 8.0), 0.3, 0.05, 0.0)
    field = FieldMap(points, model)
    field.update(Samples(left[:, :2], left[:, 2], left[:, 3]))
    mean = 0.3 * field.posterior_at(torch.from_numpy(points)).mean.numpy()
    assert np.hypot(*(points[mean.argmax()] - PEAK)) < 3.0
    assert mean.max() > 0.85
    assert np.sqrt(np.mean((mean - bump(points)) ** 2)) < 0.05


def test_fewer_than_four_are_not_promised():
    with pytest.raises(ValueError, match="'most' must be at least 4, got 3"):
        merge_rows(rows_of(lattice(8.0), np.arange(64.0)), 2.0, 3)


def test_four_cells_that_meet_at_the_origin_stay():
    points = np.array([[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [40.0, 3.0]])
    left = merge_rows(rows_of(points, np.arange(5.0)), 2.0, 4)
    assert left[:, 3].tolist() == [1.0, 1.0, 1.0, 2.0]
