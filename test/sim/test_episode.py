# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Whole missions in the pretend world: the same twice, and without dithering."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from bo_explorer.core.config import ExplorerConfig
from bo_explorer.core.options import from_flat
from bo_explorer.core.policy import make_policy
from bo_explorer.sim.config import SimulatorConfig
from bo_explorer.sim.episode import run_episode
from bo_explorer.sim.fields import make_field

EXPLORER = {
    'area.polygon': (0.0, 0.0, 60.0, 0.0, 60.0, 60.0, 0.0, 60.0),
    'area.resolution_m': 4.0,
    'no_fly.polygons': ('25,20; 35,20; 35,60; 25,60',),
    'budget.total_m': 250.0,
    'policy.name': 'dist_ucb',
}
SIMULATOR = {
    'seed': 3,
    'field.width_m': 60.0,
    'field.height_m': 60.0,
    'vehicle.start_x': 5.0,
    'vehicle.start_y': 5.0,
    'sensor.noise_std': 0.05,
    'sensor.dropout': 0.1,
}


class TwoPeaks:
    """Two equal summits on either side of the way up from the start."""

    def value(self, points):
        left, right = (((points - c) ** 2).sum(axis=1) for c in ((12.0, 45.0), (48.0, 45.0)))
        return np.exp(-left / 200.0) + np.exp(-right / 200.0)


def fly(explorer=EXPLORER, simulator=SIMULATOR, field=None, progress=None, **changes):
    config = from_flat(ExplorerConfig, {**explorer, **changes})
    world = from_flat(SimulatorConfig, simulator)
    field = field or make_field(world.field, np.random.default_rng(world.seed))
    policy = make_policy(config.policy.name)
    return run_episode(config, policy, field, world, step_s=0.2, progress=progress)


def without_wall_time(result):
    return dataclasses.replace(result.record, decision_ms=[]).to_dict()


def test_the_same_seed_gives_the_same_mission_bit_by_bit():
    first, second = fly(), fly()
    assert without_wall_time(first) == without_wall_time(second)
    assert first.cost_m == second.cost_m
    np.testing.assert_array_equal(first.map.mean, second.map.mean)


def test_what_is_booked_is_what_was_flown():
    result = fly(**{'policy.replan_period_s': 0.0})
    record = result.record
    assert record.state == 'done'
    assert record.stops > 3
    assert result.cost_m == pytest.approx(result.audit.flown_m)
    assert record.flown_m == pytest.approx(result.audit.flown_m, rel=0.02)
    assert record.spent_m <= record.budget_m
    assert result.audit.zone_crossings == result.audit.outside == 0
    assert np.linalg.norm(result.position - record.home) < 0.1


def test_a_silent_sensor_keeps_the_vehicle_at_home_and_the_episode_ends():
    result = fly(simulator={**SIMULATOR, 'sensor.dropout': 1.0}, **{'budget.total_m': 20.0})
    assert result.is_timed_out
    assert result.record.state == 'waiting'
    assert result.audit.flown_m == 0.0


def test_replanning_between_equal_peaks_does_not_dither():
    """Field case F1: replanned every second, the vehicle turns round at most once a leg."""
    targets: list[list[tuple[float, float]]] = []
    track: list[tuple[int, np.ndarray]] = []

    def watch(mission, now):
        stops, target, path = mission.record().stops, mission.target, mission.path()
        if mission.state.value != 'moving':
            return
        targets.extend([] for _ in range(stops + 1 - len(targets)))
        if not targets[stops] or targets[stops][-1] != tuple(target):
            targets[stops].append(tuple(target))
        track.append((stops, path[0]))

    result = fly(
        field=TwoPeaks(),
        progress=watch,
        simulator={**SIMULATOR, 'vehicle.start_x': 30.0, 'vehicle.start_y': 8.0},
        **{'no_fly.polygons': (), 'policy.replan_period_s': 1.0, 'policy.name': 'ucb'},
    )
    assert result.record.state == 'done'
    assert any(len(leg) > 1 for leg in targets)
    for leg in range(result.record.stops):
        places = np.array([place for stops, place in track if stops == leg])
        steps = np.diff(places, axis=0)
        steps = steps[np.linalg.norm(steps, axis=1) > 0.1]
        reversals = ((steps[1:] * steps[:-1]).sum(axis=1) < 0.0).sum()
        assert reversals <= 1
