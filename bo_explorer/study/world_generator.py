# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds drawn at random, each from one number: made to be awkward, and small to be quick."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from ..core.area import SearchArea
from ..core.config import ExplorerConfig
from ..core.errors import GeometryError
from ..core.options import from_flat
from ..core.policy import POLICIES, policy_options
from ..core.types import FloatArray
from ..sim.config import SimulatorConfig
from ..sim.fields.analytic import FUNCTIONS

# Settings that make a policy quick, by the last part of the key of its option.
_QUICK: dict[str, Any] = {
    'fantasies': (1.0,),
    'horizon': 1,
    'n_along': 1,
    'n_first': 8,
    'n_inner': 24,
    'n_maxima': 4,
    'n_points': 32,
    'n_raw': 8,
    'n_samples': 4,
    'n_snapped': 2,
    'n_starts': 1,
}

# Candidates along the side of the area.
_GRID = 12

_LONGEST_FLIGHT_S = 60.0

FAULTS = (
    'pose_gap',
    'sensor_gap',
    'wild_pose',
    'clock_jump',
    'kill',
    'add_zone',
    'clear_zones',
    'move_home',
)
"""What may go wrong, or be changed in flight."""

# A vehicle that brakes on a border by itself, since its process was killed, stops about there.
_UNLED_M = 0.01

# High, so that some missions are called home by it.
_BATTERY_LOW = 0.6


@dataclass(frozen=True)
class Command:
    """
    What the operator, the battery or bad luck does in the course of a mission.

    :param time_s: when, seconds.
    :param action: ``pause``, ``resume``, ``return_home`` or ``low_battery``; of the faults
        ``pose_gap``, ``sensor_gap``, ``wild_pose``, ``clock_jump``, ``kill``, ``add_zone``,
        ``clear_zones`` or ``move_home``.
    :param amount: how long or how far, seconds or metres.
    :param place: where, metres.
    """

    time_s: float
    action: str
    amount: float = 0.0
    place: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class World:
    """
    Everything one mission is flown in.

    :param seed: it follows from this number.
    :param explorer: settings of the planner.
    :param simulator: settings of field, vehicle, battery and sensor.
    :param policy: registry name.
    :param policy_options: options of the policy by full key.
    :param step_s: time between two poses, seconds.
    :param commands: in the order of their times.
    :param is_home_legal: whether a mission can begin at all.
    """

    seed: int
    explorer: ExplorerConfig
    simulator: SimulatorConfig
    policy: str
    policy_options: dict[str, Any]
    step_s: float
    commands: tuple[Command, ...]
    is_home_legal: bool

    @property
    def unled_m(self) -> float:
        """How far the vehicle may drift where nobody leads it, metres."""
        return _UNLED_M if any(command.action == 'kill' for command in self.commands) else 0.0

    @property
    def is_changed(self) -> bool:
        """Whether zones or home change in flight, which may bar the way home or open it."""
        changes = {'add_zone', 'clear_zones', 'move_home'}
        return any(command.action in changes for command in self.commands)


def draw_world(seed: int, policy: str | None = None, *, with_faults: bool = False) -> World:
    """
    Draw a world.

    :param seed: at least 0.
    :param policy: registry name; ``None``: the policies take turns with the seed.
    :param with_faults: add what may go wrong to the same world.
    """
    rng = np.random.default_rng(seed)
    policy = sorted(POLICIES)[seed % len(POLICIES)] if policy is None else policy
    shape = _draw_geometry(rng)
    area = SearchArea(
        [shape['polygon']],
        shape['zones'],
        margin_m=shape['margin_m'],
        zone_margin_m=shape['zone_margin_m'],
    )
    arrival_m = float(rng.uniform(0.2, 2.0))
    is_home_legal = bool(rng.random() > 0.04)
    home = _draw_home(rng, area, arrival_m, is_home_legal)
    if home is None:
        is_home_legal, home = True, _draw_legal(rng, area)
    speed = math.exp(rng.uniform(math.log(2.0), math.log(12.0)))
    side = area.side
    total = min(side * math.exp(rng.uniform(math.log(0.03), math.log(12.0))),
                _LONGEST_FLIGHT_S * speed)
    wind = speed * rng.uniform(0.1, 0.8) if rng.random() < 1.0 / 3.0 else 0.0
    towards = rng.uniform(0.0, 2.0 * math.pi)
    explorer: dict[str, Any] = {
        'seed': seed,
        'area.polygon': tuple(shape['polygon'].ravel().tolist()),
        'area.margin_m': shape['margin_m'],
        'area.resolution_m': side / _GRID,
        'no_fly.polygons': tuple(_text(zone) for zone in shape['zones']),
        'no_fly.margin_m': shape['zone_margin_m'],
        'budget.total_m': total,
        'budget.reserve_m': total * float(rng.choice([0.0, rng.uniform(0.0, 0.2)])),
        'budget.battery_low': _BATTERY_LOW,
        'budget.stop_cost_m': math.exp(rng.uniform(math.log(0.3), math.log(5.0))),
        'vehicle.speed_mps': speed,
        'vehicle.acceleration_mps2': math.exp(rng.uniform(math.log(0.7), math.log(12.0))),
        'vehicle.arrival_radius_m': arrival_m,
        'vehicle.dwell_s': float(rng.choice([0.0, rng.uniform(0.0, 1.0)])),
        'vehicle.wind_east_mps': wind * math.cos(towards),
        'vehicle.wind_north_mps': wind * math.sin(towards),
        'model.fit': bool(rng.random() < 0.1),
        'policy.name': policy,
        'policy.replan_period_s': float(rng.choice([0.0, rng.uniform(0.5, 3.0)])),
    }
    quick = _quick_options(policy)
    if f'policy.{policy}.fantasies' in quick:
        # Half a second a decision at its quickest: few of them.
        explorer['budget.stop_cost_m'] = max(explorer['budget.stop_cost_m'], 0.15 * total)
    if rng.random() < 0.2:
        explorer['policy.min_separation_m'] = 0.0
    if rng.random() < 0.2:
        explorer['home.mode'] = 'fixed'
        explorer['home.x'], explorer['home.y'] = (float(v) for v in home)
    if rng.random() < 0.1:
        explorer['stop.max_time_s'] = float(rng.uniform(5.0, 60.0))
    explorer['stop.converged'] = bool(rng.random() < 0.1)
    if with_faults:
        # Soon enough for small worlds.
        explorer['watchdog.sensor_s'], explorer['watchdog.sensor_return_s'] = 3.0, 15.0
    config = from_flat(ExplorerConfig, explorer)
    return World(
        seed=seed,
        explorer=config,
        simulator=_draw_simulator(rng, seed, config, home, area),
        policy=policy,
        policy_options=quick,
        step_s=float(rng.uniform(0.2, 0.5)),
        commands=_in_order(
            *_draw_commands(rng), *(_draw_faults(seed, area, total / speed) if with_faults else ())
        ),
        is_home_legal=is_home_legal,
    )


def _quick_options(policy: str) -> dict[str, Any]:
    """Return the options that make a policy quick, as far as it has such."""
    quick: dict[str, Any] = {}
    for spec in policy_options():
        name = spec.key.removeprefix(f'policy.{policy}.')
        if name in _QUICK:
            quick[spec.key] = spec.validated(_QUICK[name])
    return quick


def _draw_simulator(
    rng: np.random.Generator,
    seed: int,
    config: ExplorerConfig,
    start: FloatArray,
    area: SearchArea,
) -> SimulatorConfig:
    west, south, east, north = area.bounds
    flat: dict[str, Any] = {
        'seed': seed,
        'field.kind': str(rng.choice(['hot_spots', 'analytic', 'gp_draw'])),
        'field.function': str(rng.choice(sorted(FUNCTIONS))),
        'field.origin_x': west,
        'field.origin_y': south,
        'field.width_m': east - west,
        'field.height_m': north - south,
        'field.scale': math.exp(rng.uniform(-7.0, 7.0)),
        'vehicle.start_x': float(start[0]),
        'vehicle.start_y': float(start[1]),
        'vehicle.speed_mps': config.vehicle.speed_mps,
        'vehicle.acceleration_mps2': config.vehicle.acceleration_mps2,
        'sensor.rate_hz': float(rng.uniform(2.0, 10.0)),
        'sensor.noise_std': float(rng.choice([0.0, math.exp(rng.uniform(-5.0, 1.0))])),
        'sensor.dropout': float(rng.choice([0.0, rng.uniform(0.0, 0.5)])),
        'sensor.delay_s': float(rng.choice([0.0, rng.uniform(0.0, 1.5)])),
    }
    if rng.random() < 0.2:
        # Enough for the whole budget, and when it is low still for what is left of the budget.
        # With a tail wind more metres are flown than paid for; the battery counts metres.
        wind = math.hypot(config.vehicle.wind_east_mps, config.vehicle.wind_north_mps)
        enough = config.total_m * (1.0 + wind / config.vehicle.speed_mps)
        flat['battery.capacity_m'] = enough * float(rng.uniform(1.0, 1.6))
    return from_flat(SimulatorConfig, flat)


def _draw_commands(rng: np.random.Generator) -> tuple[Command, ...]:
    if rng.random() > 0.4:
        return ()
    commands = []
    for _ in range(int(rng.integers(1, 4))):
        at, action = float(rng.uniform(0.0, 40.0)), str(
            rng.choice(['pause', 'pause', 'return_home', 'low_battery'])
        )
        commands.append(Command(at, action))
        if action == 'pause':
            commands.append(Command(at + float(rng.uniform(0.0, 10.0)), 'resume'))
    # Whatever else happens, nobody stays paused.
    commands.append(Command(60.0, 'resume'))
    return _in_order(*commands)


def _draw_faults(seed: int, area: SearchArea, flight_s: float) -> tuple[Command, ...]:
    # Numbers of their own: the world is the same without them.
    rng = np.random.default_rng([seed, 1])
    west, south, east, north = area.bounds
    faults = []
    for _ in range(int(rng.integers(1, 7))):
        action = str(rng.choice(FAULTS))
        amount = {
            'pose_gap': rng.uniform(0.3, 8.0),
            'sensor_gap': rng.uniform(1.0, 40.0),
            'wild_pose': rng.uniform(100.0, 1e4),
            'clock_jump': rng.choice([-1.0, 1.0]) * math.exp(rng.uniform(1.0, 8.0)),
            'kill': rng.uniform(0.0, 6.0),
            'add_zone': area.side * rng.uniform(0.05, 0.25),
        }.get(action, 0.0)
        place = float(rng.uniform(west, east)), float(rng.uniform(south, north))
        at = float(rng.uniform(0.0, 1.5 * flight_s))
        faults.append(Command(at, action, float(amount), place))
    return tuple(faults)


def _in_order(*commands: Command) -> tuple[Command, ...]:
    return tuple(sorted(commands, key=lambda command: command.time_s))


def _draw_home(
    rng: np.random.Generator, area: SearchArea, arrival_m: float, is_legal: bool
) -> FloatArray | None:
    """Return a place to start from; ``None`` where none was found that is illegal enough."""
    if is_legal:
        place = _draw_legal(rng, area)
        if rng.random() < 0.1:
            # Straight at the border: as near as a legal place can be.
            away = place + 1e3 * np.array([math.cos(place[0]), math.sin(place[0])])
            place = area.nearest_legal(away)
        return place
    west, south, east, north = area.bounds
    for _ in range(50):
        place = rng.uniform((west - 5.0, south - 5.0), (east + 5.0, north + 5.0))
        if np.linalg.norm(area.nearest_legal(place) - place) > arrival_m:
            return place
    return None


def _draw_legal(rng: np.random.Generator, area: SearchArea) -> FloatArray:
    west, south, east, north = area.bounds
    while True:
        places = rng.uniform((west, south), (east, north), size=(200, 2))
        legal = places[area.contains(places)]
        if len(legal):
            return np.array(legal[0], dtype=np.float64)


def _draw_geometry(rng: np.random.Generator) -> dict[str, Any]:
    """Draw area, zones and margins until enough free space is left."""
    while True:
        extent = float(rng.uniform(20.0, 80.0))
        centre = rng.uniform(-100.0, 100.0, size=2)
        polygon = _star(rng, centre, 0.5 * extent) if rng.random() < 0.5 else None
        polygon = _rectilinear(rng, centre, extent) if polygon is None else polygon
        zones = [
            zone
            for zone in (_draw_zone(rng, polygon, extent) for _ in range(rng.integers(0, 5)))
            if shapely.Polygon(zone).is_valid
        ]
        margin = float(rng.choice([0.0, rng.uniform(0.0, 2.0)]))
        zone_margin = float(rng.choice([0.0, rng.uniform(0.0, 2.0)]))
        try:
            area = SearchArea([polygon], zones, margin_m=margin, zone_margin_m=zone_margin)
        except GeometryError:
            continue
        if len(area.candidates(area.side / _GRID)) >= 5:
            return {
                'polygon': polygon,
                'zones': zones,
                'margin_m': margin,
                'zone_margin_m': zone_margin,
            }


def _star(rng: np.random.Generator, centre: FloatArray, radius: float) -> FloatArray:
    """Return a simple polygon, mostly concave: corners at rising angles round a centre."""
    n_corners = int(rng.integers(3, 11))
    angles = 2.0 * math.pi * (np.arange(n_corners) + rng.uniform()) / n_corners
    radii = radius * rng.uniform(0.25, 1.0, size=(n_corners, 1))
    return np.asarray(centre + radii * np.stack([np.cos(angles), np.sin(angles)], axis=1))


def _rectilinear(rng: np.random.Generator, centre: FloatArray, extent: float) -> FloatArray:
    """Return the outline of the greatest piece of a board with random fields taken out."""
    n = int(rng.integers(1, 5))
    unit = extent / n
    while True:
        taken = rng.random((n, n)) < 0.7
        cells = [shapely.box(i, j, i + 1, j + 1) for i, j in np.argwhere(taken)]
        if not cells:
            continue
        piece = max(shapely.get_parts(shapely.union_all(cells)), key=shapely.area)
        outline = shapely.Polygon(piece.exterior).simplify(0.0)
        if outline.is_valid:
            corners = shapely.get_coordinates(outline)[:-1]
            return np.asarray(centre + unit * (corners - 0.5 * n))


def _draw_zone(rng: np.random.Generator, polygon: FloatArray, extent: float) -> FloatArray:
    """Draw a box, a star or a U, somewhere over the area or on its border."""
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    centre = rng.uniform(low, high)
    if rng.random() < 0.3:
        # On the border, a corner of the area included.
        k, share = int(rng.integers(len(polygon))), float(rng.choice([0.0, rng.uniform()]))
        centre = (1.0 - share) * polygon[k] + share * polygon[(k + 1) % len(polygon)]
    size = extent * float(rng.uniform(0.03, 0.2))
    kind = rng.choice(['box', 'star', 'u'])
    if kind == 'star':
        return _star(rng, centre, size)
    corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    if kind == 'u':
        wall, deep = float(rng.uniform(0.1, 0.8)), float(rng.uniform(0.1, 0.8))
        inner = [(1.0 - wall, 1.0), (1.0 - wall, -deep), (wall - 1.0, -deep), (wall - 1.0, 1.0)]
        corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), *inner, (-1.0, 1.0)])
    turn = float(rng.choice([0.0, 0.5 * math.pi, rng.uniform(0.0, 2.0 * math.pi)]))
    rotation = np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))])
    stretch = rng.uniform(0.3, 1.5, size=2)
    return np.asarray(centre + size * (stretch * corners) @ rotation)


def _text(zone: FloatArray) -> str:
    return '; '.join(f'{float(x)!r},{float(y)!r}' for x, y in zone)
