# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Settings that are allowed and still look like a mistake."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import shapely

from ..core.explorer import Explorer
from ..report.reach import Reach
from .scenario import Scenario

_FEW = 0.5
_MANY_CANDIDATES = 5000


def suspicions(scenario: Scenario, explorer: Explorer, reach: Reach | None) -> list[str]:
    """
    Return what looks like a mistake, a sentence each.

    :param scenario: valid settings.
    :param explorer: made from them.
    :param reach: round trips from home, or ``None`` where there is no home.
    """
    found = [text for rule in _RULES for text in rule(scenario, explorer)]
    return found if reach is None else [*_of_reach(reach), *found]


def _of_reach(reach: Reach) -> Iterator[str]:
    n = len(reach.points)
    if reach.cut_off:
        yield (
            f'no legal way leads to {reach.cut_off} of {n} candidates: zones and margins cut '
            'parts of the area off'
        )
    if 0.0 < reach.share < _FEW:
        yield (
            f'only {100.0 * reach.share:.0f} % of the candidates are within reach: raise the '
            'budget, move home nearer to the middle or make the area smaller'
        )


def _of_area(scenario: Scenario, explorer: Explorer) -> Iterator[str]:
    area, config = explorer.area, scenario.explorer
    corners = np.concatenate(area.polygons)
    if np.ptp(corners, axis=0).max() < 2.0 and np.abs(corners).max() > 5.0:
        yield (
            'area.polygon looks like degrees: it must be metres in the map frame; '
            'bo_explorer import converts plans and GeoJSON'
        )
    border = shapely.union_all([shapely.Polygon(polygon) for polygon in area.polygons])
    for index, zone in enumerate(area.zones):
        if not shapely.intersects(shapely.Polygon(zone), border):
            yield f'no_fly.polygons[{index}] lies outside the area and changes nothing'
    if area.zones and config.no_fly.margin_m < config.vehicle.arrival_radius_m:
        yield (
            f'no_fly.margin_m = {config.no_fly.margin_m:g} is below vehicle.arrival_radius_m = '
            f'{config.vehicle.arrival_radius_m:g}: position errors take the vehicle into a zone'
        )


def _of_grid(scenario: Scenario, explorer: Explorer) -> Iterator[str]:
    config, spacing = scenario.explorer, explorer.spacing_m
    if config.vehicle.arrival_radius_m > spacing:
        yield (
            f'vehicle.arrival_radius_m = {config.vehicle.arrival_radius_m:g} is above the spacing '
            f'of the candidates, {spacing:.3g} m: the vehicle does not reach the place it chose'
        )
    if len(explorer.candidates) > _MANY_CANDIDATES:
        yield (
            f'{len(explorer.candidates)} candidates make decisions slow: a larger '
            'area.resolution_m gives fewer'
        )
    lengthscale = config.model.lengthscale_m
    if lengthscale < 2.0 * spacing:
        yield (
            f'model.lengthscale_m = {lengthscale:g} is below two spacings of the candidates, '
            f'{2.0 * spacing:.3g} m: a peak fits between them; set a smaller area.resolution_m'
        )
    if lengthscale > explorer.area.side:
        yield (
            f'model.lengthscale_m = {lengthscale:g} is above the side of the area, '
            f'{explorer.area.side:.3g} m: the model expects a field without structure'
        )


def _of_flight(scenario: Scenario, explorer: Explorer) -> Iterator[str]:
    config, vehicle = scenario.explorer, scenario.explorer.vehicle
    braking = vehicle.speed_mps**2 / (2.0 * vehicle.acceleration_mps2)
    if braking > 0.25 * explorer.area.side:
        yield (
            f'the vehicle needs {braking:.0f} m to brake from vehicle.speed_mps, a quarter of the '
            f'side of the area is {0.25 * explorer.area.side:.0f} m: fly slower'
        )
    if config.reserve_m == 0.0:
        yield 'budget.reserve_m = 0 leaves nothing for gusts and detours'
    if config.reserve_m > 0.5 * config.total_m:
        yield (
            f'the reserve, {config.reserve_m:g} m, is more than half of the budget, '
            f'{config.total_m:g} m'
        )
    if config.budget.battery_low == 0.0:
        yield 'budget.battery_low = 0 means that a low battery never calls the vehicle home'


def _of_policy(scenario: Scenario, explorer: Explorer) -> Iterator[str]:
    name = scenario.explorer.policy.name
    others = sorted(
        {
            key.split('.')[1]
            for key in scenario.policy_options
            if not key.startswith(f'policy.{name}.')
        }
    )
    if others:
        yield f'options of {", ".join(others)} are set and policy.name is {name}'


def _of_simulator(scenario: Scenario, explorer: Explorer) -> Iterator[str]:
    if not has_simulator(scenario):
        return
    world, vehicle = scenario.world, scenario.explorer.vehicle
    if vehicle.acceleration_mps2 > world.vehicle.acceleration_mps2:
        yield (
            f'vehicle.acceleration_mps2 = {vehicle.acceleration_mps2:g} is above what the '
            f'simulated vehicle can, {world.vehicle.acceleration_mps2:g}: it will overshoot'
        )
    capacity = world.battery.capacity_m * world.battery.start_fraction
    if not math.isnan(capacity) and capacity < scenario.explorer.total_m:
        yield (
            f'the simulated battery lasts {capacity:g} m, less than the budget of '
            f'{scenario.explorer.total_m:g} m'
        )
    hover = world.battery.hover_m_per_s * vehicle.dwell_s
    if hover > scenario.explorer.budget.stop_cost_m:
        yield (
            f'a stop of {vehicle.dwell_s:g} s costs the simulated battery {hover:.3g} m, more '
            f'than budget.stop_cost_m = {scenario.explorer.budget.stop_cost_m:g}'
        )


def has_simulator(scenario: Scenario) -> bool:
    """Whether the file says anything about the pretend world."""
    return any(key.startswith('simulator.') for key in scenario.given)


_RULES: tuple[Callable[[Scenario, Explorer], Iterator[str]], ...] = (
    _of_area, _of_grid, _of_flight, _of_policy, _of_simulator,
)  # fmt: skip
