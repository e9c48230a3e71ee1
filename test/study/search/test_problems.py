# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Measured fields and missions round zones, where a search is hardest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bo_explorer.core.policy import make_policy
from bo_explorer.study.runner.definition import Task
from bo_explorer.study.search.measured import MEASURED, measured_world, missing_measurement
from bo_explorer.study.search.study import SEARCH
from bo_explorer.study.search.zones import ZONES, fly_zones

DATA = Path(__file__).resolve().parents[3].parent / 'shared' / 'data'


def world_or_skip(name: str, seed: int):
    reason = missing_measurement(name, DATA)
    if reason is not None:
        pytest.skip(reason)
    return measured_world(name, seed, DATA)


@pytest.mark.parametrize('name', MEASURED)
def test_a_measured_field_is_a_world(name):
    world = world_or_skip(name, 3)
    again = world_or_skip(name, 3)
    np.testing.assert_array_equal(world.home, again.home)
    values = world.truth.value(world.candidates)
    assert np.isfinite(values).all()
    assert world.truth.bottom <= values.min() < values.max() <= world.truth.top + 1e-9
    assert world.area.contains(world.truth.peak[np.newaxis])[0]
    assert 300 < len(world.candidates) < 2500
    assert 0.0 < world.noise_std < 0.7 * (world.truth.top - world.truth.bottom)
    assert world.model is None


def test_terrain_is_the_right_way_up():
    world = world_or_skip('terrain', 0)
    heights = np.load(DATA / MEASURED['terrain'].file)['z']
    # Row 0 is the north; nodes lie a metre apart.
    row, column = 30, 250
    place = np.array([[float(column), float(len(heights) - 1 - row)]])
    assert world.truth.value(place)[0] == pytest.approx(float(heights[row, column]))
    assert world.truth.top == pytest.approx(float(heights.max()))


def test_gas_is_looked_for_where_the_car_was():
    world = world_or_skip('gas', 0)
    np.testing.assert_array_equal(world.truth.source, np.zeros(2))
    assert np.linalg.norm(world.candidates, axis=1).min() < 0.1 * world.area.side


def test_an_absent_folder_leaves_out_all_but_what_is_shipped(tmp_path):
    absent = {name for name in MEASURED if missing_measurement(name, tmp_path) is not None}
    assert absent == set(MEASURED) - {'volcano'}
    assert '--data' in missing_measurement('soil', tmp_path)


def test_the_model_is_learned_on_a_measured_field(tmp_path):
    settings = {'replan': 0.1, 'home': True, 'data': tmp_path}
    metrics = SEARCH.run(Task('volcano', 'log_ei', 0), settings)
    assert metrics['final'] < 0.3
    assert (metrics['overrun'], metrics['crossings'], metrics['not_home']) == (0, 0, 0)


@pytest.mark.parametrize('kind', ZONES)
def test_a_mission_round_zones_keeps_every_promise(kind):
    trace, truth, budget, side = fly_zones(kind, 2, make_policy('ei_per_cost'), 0.1)
    assert budget == pytest.approx(3.0 * side)
    assert trace.spent_m <= budget
    assert trace.crossings == 0
    assert trace.is_home
    assert trace.distances[0] == 0.0
    assert (np.diff(trace.distances) >= 0.0).all()
    assert truth.regret(trace.places)[-1] <= 1.0


def test_policies_fly_the_same_worlds():
    results = [fly_zones('zones_gp', 1, make_policy(name), np.inf) for name in ('ei', 'ucb')]
    (_, first, *sizes), (_, second, *others) = results
    assert sizes == others
    np.testing.assert_array_equal(first.peak, second.peak)
    assert (first.top, first.bottom) == (second.top, second.bottom)
