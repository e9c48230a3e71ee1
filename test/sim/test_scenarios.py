# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.core.area import SearchArea
from bo_explorer.core.config import ExplorerConfig
from bo_explorer.core.options import from_flat, walk
from bo_explorer.sim.config import SimulatorConfig
from bo_explorer.sim.fields import KnownField, make_field
from test.sim.scenarios import CONFIG, parameters

SCENARIOS = ('terrain_summit', 'crack_wall', 'survivor_hotspots')
PREFIX = 'simulator.'


def load(name: str) -> tuple[ExplorerConfig, SimulatorConfig]:
    values = parameters(name)
    ours = {key: value for key, value in values.items() if key.startswith(PREFIX)}
    theirs = {key: value for key, value in values.items() if not key.startswith(PREFIX)}
    return from_flat(ExplorerConfig, theirs), from_flat(SimulatorConfig, ours, PREFIX)


def field_of(config: SimulatorConfig) -> KnownField:
    # As the simulator node splits its seed.
    stream = np.random.SeedSequence(config.seed).spawn(2)[0]
    return make_field(config.field, np.random.default_rng(stream), CONFIG)


@pytest.mark.parametrize('name', SCENARIOS)
def test_a_scenario_gives_every_number_in_the_type_of_its_option(name: str) -> None:
    specs = {s.key: s for s in [*walk(ExplorerConfig), *walk(SimulatorConfig, PREFIX)]}
    for key, value in parameters(name).items():
        if specs[key].kind == 'float':
            assert isinstance(value, float), key
        if specs[key].kind == 'floats':
            assert all(isinstance(v, float) for v in value), key


@pytest.mark.parametrize('name', SCENARIOS)
def test_the_true_maximum_of_a_scenario_can_be_reached_and_flown_home_from(name: str) -> None:
    explorer, simulator = load(name)
    area = SearchArea.from_config(explorer.area, explorer.no_fly, explorer.search_plane())
    best = field_of(simulator).maximum.point
    start = np.array([simulator.vehicle.start_x, simulator.vehicle.start_y])
    assert area.contains(np.stack([best, start])).all()
    detours = 3.0 if area.zones else 2.0
    assert detours * np.linalg.norm(best - start) < explorer.budget.total_m


@pytest.mark.parametrize('name', SCENARIOS)
def test_the_field_of_a_scenario_covers_its_area(name: str) -> None:
    explorer, simulator = load(name)
    bounds = field_of(simulator).bounds
    corners = np.reshape(explorer.area.polygon, (-1, 2))
    assert (corners >= bounds[:2]).all() and (corners <= bounds[2:]).all()


@pytest.mark.parametrize('name', SCENARIOS)
def test_the_simulated_vehicle_can_do_what_the_planner_counts_on(name: str) -> None:
    explorer, simulator = load(name)
    assert simulator.vehicle.acceleration_mps2 >= explorer.vehicle.acceleration_mps2
    assert simulator.vehicle.speed_mps == explorer.vehicle.speed_mps
    assert simulator.vehicle.altitude_m == explorer.vehicle.altitude_m
    unused = 1.0 - explorer.budget.total_m / simulator.battery.capacity_m
    assert unused > explorer.budget.battery_low


def test_the_crack_is_searched_in_front_of_an_upright_wall() -> None:
    explorer, _ = load('crack_wall')
    plane = explorer.search_plane()
    assert plane.axes[1].tolist() == [0.0, 0.0, 1.0] and plane.stand_off_m == 1.5
    area = SearchArea.from_config(explorer.area, explorer.no_fly, plane)
    heights = plane.lift(area.candidates(), plane.stand_off_m)[:, 2]
    limits = explorer.plane.height_min_m, explorer.plane.height_max_m
    assert limits[0] <= heights.min() and heights.max() <= limits[1]


def test_the_warmest_survivor_lies_behind_a_zone() -> None:
    explorer, simulator = load('survivor_hotspots')
    area = SearchArea.from_config(explorer.area, explorer.no_fly)
    start = np.array([simulator.vehicle.start_x, simulator.vehicle.start_y])
    best = field_of(simulator).maximum.point
    assert area.crosses_zone(np.stack([start, best]))
    assert not area.crosses_zone(np.stack([best, best + [0.0, 25.0]]))
