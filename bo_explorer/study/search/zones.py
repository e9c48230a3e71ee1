# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Whole missions round no-fly zones: the closed loop as it flies, with momentum, wind and learning.

Areas, zones, margins, homes and winds are those of the random worlds; vehicle, sensor and budget
are the same for all, in sides of the area, so that policies can be compared.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ...core.area import SearchArea
from ...core.config import ExplorerConfig
from ...core.mission import Mission
from ...core.options import from_flat, to_flat
from ...core.policy import Policy
from ...sim.config import SimulatorConfig
from ...sim.episode import EpisodeResult, run_episode
from ...sim.fields import make_field
from ..world_generator import World, draw_world
from .searcher import SearchTrace
from .suite import BUDGET_SIDES, NOISE_STD, READING_STEP_SIDES, STOP_COST_SIDES
from .world import Truth

ZONES = {'zones_gp': 'gp_draw', 'zones_hot_spots': 'hot_spots'}
"""Names of the problems, and the kind of field in each."""

_GRID = 30
_DENSE = 90
_SPEED_SIDES = 0.1
_ACCELERATION_SPEEDS = 1.0
_ARRIVAL_SIDES = 0.01

# Part of the airspeed, where a random world has wind at all.
_WIND = 0.3
_STEP_S = 0.2

# Worlds of one seed that are tried until one has a home to fly from.
_TRIES = 100


def fly_zones(
    kind: str, seed: int, policy: Policy, replan_sides: float
) -> tuple[SearchTrace, Truth, float, float]:
    """
    Fly one mission.

    :param kind: a key of :data:`ZONES`.
    :param seed: the same number makes the same world.
    :param policy: chooses the targets.
    :param replan_sides: distance flown before the target is chosen anew; infinite: on arrival.
    :return: what it did, the truth, the whole budget in metres-equivalent and the side in metres.
    """
    world = _usable_world(seed)
    explorer = _explorer_config(world, seed, replan_sides)
    area = Mission(explorer, policy).explorer.area
    simulator = _simulator_config(world, kind, explorer, area.side)
    field = make_field(simulator.field, np.random.default_rng([seed, 0]))
    places = area.candidates(area.side / _DENSE)
    noise = NOISE_STD * float(field.value(places).std())
    sensor = dataclasses.replace(simulator.sensor, noise_std=noise)
    simulator = dataclasses.replace(simulator, sensor=sensor)
    result = run_episode(explorer, policy, field, simulator, step_s=_STEP_S)
    truth = Truth.over(field, area, places)
    return _trace(result, explorer), truth, explorer.budget.total_m, area.side


def _usable_world(seed: int) -> World:
    """Return a random world that has a home and a zone."""
    for k in range(_TRIES):
        # The policy only decides what is made quick, and nothing is here.
        world = draw_world(_TRIES * seed + k, 'ei')
        if world.is_home_legal and world.explorer.no_fly.polygons:
            return world
    raise RuntimeError(f'none of {_TRIES} worlds of seed {seed} has a home and a zone.')


def _explorer_config(world: World, seed: int, replan_sides: float) -> ExplorerConfig:
    flat = to_flat(world.explorer)
    side = SearchArea.from_config(world.explorer.area, world.explorer.no_fly).side
    speed = _SPEED_SIDES * side
    given = np.array([world.explorer.vehicle.wind_east_mps, world.explorer.vehicle.wind_north_mps])
    wind = _WIND * speed * given / (float(np.linalg.norm(given)) or 1.0)
    is_in_flight = math.isfinite(replan_sides)
    flat.update({
        'seed': seed,
        'area.resolution_m': side / _GRID,
        'home.mode': 'first_pose',
        'budget.total_m': BUDGET_SIDES * side,
        'budget.reserve_m': math.nan,
        'budget.stop_cost_m': STOP_COST_SIDES * side,
        'vehicle.speed_mps': speed,
        'vehicle.acceleration_mps2': _ACCELERATION_SPEEDS * speed,
        'vehicle.arrival_radius_m': _ARRIVAL_SIDES * side,
        'vehicle.dwell_s': 0.0,
        'vehicle.wind_east_mps': float(wind[0]),
        'vehicle.wind_north_mps': float(wind[1]),
        'model.fit': True,
        'policy.min_separation_m': math.nan,
        'policy.replan_period_s': replan_sides * side / speed if is_in_flight else 0.0,
        'stop.max_time_s': math.nan,
        'stop.converged': False,
    })  # fmt: skip
    return from_flat(ExplorerConfig, flat)


def _simulator_config(
    world: World, kind: str, explorer: ExplorerConfig, side: float
) -> SimulatorConfig:
    flat = to_flat(world.simulator)
    flat.update({
        'field.kind': ZONES[kind],
        'field.scale': 1.0,
        'vehicle.speed_mps': explorer.vehicle.speed_mps,
        'vehicle.acceleration_mps2': explorer.vehicle.acceleration_mps2,
        'battery.capacity_m': math.nan,
        'sensor.rate_hz': explorer.vehicle.speed_mps / (READING_STEP_SIDES * side),
        'sensor.dropout': 0.0,
        'sensor.delay_s': 0.0,
    })  # fmt: skip
    return from_flat(SimulatorConfig, flat)


def _trace(result: EpisodeResult, explorer: ExplorerConfig) -> SearchTrace:
    record, belief = result.record, result.map
    if belief is None or record.home is None:
        raise RuntimeError(f'the mission accepted no reading: {record.reason}')
    history = np.array([(0.0, *record.home), *(entry[:3] for entry in record.best_history)])
    away = float(np.linalg.norm(result.position - np.array(record.home)))
    return SearchTrace(
        distances=history[:, 0],
        places=history[:, 1:],
        points=belief.points,
        mean=belief.mean,
        std=np.hypot(belief.std, record.hyperparameters['noise_std']),
        decision_s=1e-3 * np.array(record.decision_ms),
        spent_m=max(result.cost_m + record.stops * explorer.budget.stop_cost_m, record.spent_m),
        crossings=result.audit.zone_crossings + result.audit.outside,
        is_home=record.returned_home and away <= explorer.vehicle.arrival_radius_m,
    )
