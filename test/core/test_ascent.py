# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Ascents that share their evaluations."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch

from bo_explorer.core.ascent import Box, Precision, ascend

BOX = Box(torch.tensor([-2.0, 0.0]).double(), torch.tensor([3.0, 4.0]).double())


def waves(x):
    return torch.sin(3.0 * x).sum(-1) - 0.1 * x.square().sum(-1)


def starts(n):
    return np.random.default_rng(1).uniform(size=(n, 2))


def test_each_start_climbs_as_if_it_were_alone():
    together = ascend(waves, BOX, starts(7))
    for i, start in enumerate(starts(7)):
        point, value = ascend(waves, BOX, start[None])
        assert together[0][i] == pytest.approx(point[0], abs=1e-7)
        assert together[1][i] == pytest.approx(value[0], abs=1e-12)


def test_no_start_ends_lower_than_it_began():
    before = waves(BOX.point(torch.from_numpy(starts(9)))).numpy()
    _, values = ascend(waves, BOX, starts(9), Precision(max_iterations=2))
    assert (values >= before).all()


def test_a_round_is_one_batch_and_starts_leave_it_when_they_end():
    batches = []

    def counted(x):
        batches.append(len(x))
        return waves(x)

    ascend(counted, BOX, starts(6))
    assert batches[0] == 6
    assert batches == sorted(batches, reverse=True)


def test_an_error_of_the_function_reaches_the_caller_and_leaves_no_thread():
    before = threading.active_count()
    calls = []

    def failing(x):
        calls.append(len(x))
        if len(calls) == 3:
            raise RuntimeError('no value')
        return waves(x)

    with pytest.raises(RuntimeError, match='no value'):
        ascend(failing, BOX, starts(5))
    assert threading.active_count() == before


def test_a_start_without_a_value_stays_and_does_not_disturb_the_others():
    def half(x):
        return torch.where(x[:, 0] < 0.0, torch.nan, waves(x))

    units = np.array([[0.1, 0.5], [0.9, 0.5]])
    points, values = ascend(half, BOX, units)
    assert values[0] == -np.inf
    assert points[0].tolist() == units[0].tolist()
    assert values[1] >= float(waves(BOX.point(torch.from_numpy(units[1:])))[0])


def test_box_coordinates_hit_both_edges_and_come_back():
    units = torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.25, 0.5]], dtype=torch.float64)
    points = BOX.point(units)
    assert points[:2].tolist() == [[-2.0, 4.0], [3.0, 0.0]]
    assert BOX.unit(points).tolist() == units.tolist()
    flat = Box(torch.tensor([1.0]).double(), torch.tensor([1.0]).double())
    assert flat.unit(torch.tensor([[1.0]]).double()).tolist() == [[0.0]]
