# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Missions on batteries that are not what the planner was told, judged by what was left of them.

A battery draws half to twice of what was configured, hovers cheaply or dearly, feels a wind nobody
knows of, may be half empty and is read through a coarse gauge. Learned in flight, the vehicle must
be home before it is empty::

    python -m bo_explorer.study.random_batteries --missions 100
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.config import (
    AreaConfig,
    BudgetConfig,
    EnergyConfig,
    ExplorerConfig,
    HomeConfig,
    ModelConfig,
    NoFlyConfig,
    PolicyConfig,
    VehicleConfig,
)
from ..core.mission import Mission
from ..core.policy import make_policy
from ..sim.config import BatteryConfig, FieldConfig, SensorConfig, SimulatorConfig
from ..sim.config import VehicleConfig as SimulatedVehicle
from ..sim.episode import EpisodeResult, run_episode
from ..sim.fields import make_field

RANGE_M = 500.0
"""What the planner is told a full battery lasts, metres."""

SPEED_MPS = 5.0

_SIDE_M = 80.0
_STRONGEST_WIND_MPS = 1.5
_STEP_S = 0.2

CONFIG = ExplorerConfig(
    area=AreaConfig(
        polygon=(0.0, 0.0, _SIDE_M, 0.0, _SIDE_M, _SIDE_M, 0.0, _SIDE_M), resolution_m=10.0
    ),
    budget=BudgetConfig(total_m=RANGE_M, battery_low=0.0),
    energy=EnergyConfig(learn=True, range_m=RANGE_M),
    vehicle=VehicleConfig(speed_mps=SPEED_MPS, dwell_s=0.5),
    model=ModelConfig(fit=False, lengthscale_m=20.0, noise_std=0.1),
    policy=PolicyConfig(name='ucb', replan_period_s=3.0),
)
"""A mission over 80 x 80 m that trusts nothing but what it learns of its battery."""


@dataclass(frozen=True)
class Flight:
    """
    One mission and what its ledger said on the way.

    :param result: of the episode.
    :param home: where it had to end, metres.
    :param totals: total of the ledger after each step, metres-equivalent.
    :param imbalance_m: greatest difference between the total and the sum of its parts.
    """

    result: EpisodeResult
    home: tuple[float, float]
    totals: list[float] = field(repr=False)
    imbalance_m: float

    @property
    def is_home(self) -> bool:
        """Whether the vehicle stands at home after its mission, with charge left."""
        away = math.dist(self.result.position, self.home)
        is_done = self.result.record.state == 'done' and away <= 1.5
        return is_done and self.result.charge > 0.0


def fly(
    battery: Mapping[str, Any],
    config: ExplorerConfig = CONFIG,
    *,
    start: tuple[float, float] = (5.0, 5.0),
    seed: int = 0,
) -> Flight:
    """
    Fly one mission.

    :param battery: options of the pretend battery.
    :param config: settings of the planner; area and speed as in :data:`CONFIG`.
    :param start: of the vehicle, metres.
    :param seed: of planner, field and sensor.
    """
    config = replace(config, seed=seed)
    simulator = SimulatorConfig(
        seed=seed,
        field=FieldConfig(kind='hot_spots', width_m=_SIDE_M, height_m=_SIDE_M),
        vehicle=SimulatedVehicle(start_x=start[0], start_y=start[1], speed_mps=SPEED_MPS),
        battery=BatteryConfig(**battery),
        sensor=SensorConfig(rate_hz=2.0, noise_std=0.05),
    )
    totals: list[float] = []
    imbalances: list[float] = []

    def look(mission: Mission, now: float) -> None:
        ledger = mission.ledger
        totals.append(ledger.total)
        parts = ledger.spent + ledger.committed + ledger.remaining
        imbalances.append(abs(parts - ledger.total))

    truth = make_field(simulator.field, np.random.default_rng(seed))
    result = run_episode(
        config,
        make_policy(config.policy.name),
        truth,
        simulator,
        step_s=_STEP_S,
        progress=look,
    )
    is_fixed = config.home.mode == 'fixed'
    home = (config.home.x, config.home.y) if is_fixed else start
    return Flight(result, home, totals, max(imbalances))


def draw_battery(rng: np.random.Generator) -> dict[str, float]:
    """Return the options of a battery that draws half to twice of what was configured."""
    factor, angle = rng.uniform(0.5, 2.0), rng.uniform(0.0, 2.0 * math.pi)
    wind = rng.uniform(0.0, _STRONGEST_WIND_MPS)
    return {
        'capacity_m': RANGE_M / factor,
        'hover_m_per_s': SPEED_MPS * rng.uniform(0.3, 1.0),
        'wind_east_mps': wind * math.cos(angle),
        'wind_north_mps': wind * math.sin(angle),
        'gauge_step': float(rng.choice([0.0, 0.01, 0.02])),
        'start_fraction': float(rng.choice([1.0, rng.uniform(0.5, 1.0)])),
    }


def fly_random(seed: int) -> Flight:
    """Fly on a random battery, every third time round a zone; the seed says it all."""
    rng = np.random.default_rng([7, seed])
    battery, dwell_s = draw_battery(rng), float(rng.uniform(0.0, 3.0))
    zones = ('30,20; 50,20; 50,60; 30,60',) if seed % 3 == 0 else ()
    config = replace(
        CONFIG,
        no_fly=NoFlyConfig(polygons=zones),
        home=HomeConfig(),
        vehicle=replace(CONFIG.vehicle, dwell_s=dwell_s),
    )
    return fly(battery, config, seed=seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the study from the command line.

    :return: 0 where every vehicle came home with charge left, 1 elsewhere.
    """
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0] if __doc__ else None)
    parser.add_argument('--missions', type=int, default=100, help='how many')
    parser.add_argument('--seed', type=int, default=0, help='of the first')
    given = parser.parse_args(arguments)
    charges, n_lost = [], 0
    for seed in range(given.seed, given.seed + given.missions):
        flight = fly_random(seed)
        charges.append(flight.result.charge)
        if not flight.is_home:
            n_lost += 1
            record = flight.result.record
            print(f'seed {seed}: {record.state}: {record.reason}; charge {charges[-1]:.3f}')
    print(
        f'{n_lost} of {given.missions} not home; charge left: least {min(charges):.3f}, '
        f'median {np.median(charges):.3f}'
    )
    return int(n_lost > 0)


if __name__ == '__main__':
    sys.exit(main())
