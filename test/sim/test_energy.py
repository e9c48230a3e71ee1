# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Whole missions on batteries that are not what the planner was told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from bo_explorer.core.config import (
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
from bo_explorer.core.mission import Mission
from bo_explorer.core.policy import make_policy
from bo_explorer.sim.config import (
    BatteryConfig,
    FieldConfig,
    SensorConfig,
    SimulatorConfig,
)
from bo_explorer.sim.config import VehicleConfig as SimulatedVehicle
from bo_explorer.sim.episode import EpisodeResult, run_episode
from bo_explorer.sim.fields import make_field

RANGE_M = 500.0
SPEED_MPS = 5.0


@dataclass
class Story:
    """What a mission came to, and what its ledger said on the way."""

    result: EpisodeResult
    totals: list[float]
    is_balanced: bool
    home: tuple[float, float]

    @property
    def is_home(self) -> bool:
        away = math.dist(self.result.position, self.home)
        return self.result.record.state == 'done' and away <= 1.5


def fly(
    battery: dict[str, Any],
    *,
    budget: dict[str, Any] | None = None,
    energy: dict[str, Any] | None = None,
    start: tuple[float, float] = (5.0, 5.0),
    home: tuple[float, float] | None = None,
    dwell_s: float = 0.5,
    seed: int = 0,
    zones: tuple[str, ...] = (),
) -> Story:
    """Fly a mission; the planner is told of a battery of 500 m that it learns the truth about."""
    fixed = HomeConfig() if home is None else HomeConfig(mode='fixed', x=home[0], y=home[1])
    config = ExplorerConfig(
        seed=seed,
        area=AreaConfig(polygon=(0.0, 0.0, 80.0, 0.0, 80.0, 80.0, 0.0, 80.0), resolution_m=10.0),
        no_fly=NoFlyConfig(polygons=zones),
        home=fixed,
        budget=BudgetConfig(battery_low=0.0, **(budget or {'total_m': RANGE_M})),
        energy=EnergyConfig(**{'learn': True, 'range_m': RANGE_M, **(energy or {})}),
        vehicle=VehicleConfig(speed_mps=SPEED_MPS, dwell_s=dwell_s),
        model=ModelConfig(fit=False, lengthscale_m=20.0, noise_std=0.1),
        policy=PolicyConfig(name='ucb', replan_period_s=3.0),
    )
    simulator = SimulatorConfig(
        seed=seed,
        field=FieldConfig(kind='hot_spots', width_m=80.0, height_m=80.0),
        vehicle=SimulatedVehicle(start_x=start[0], start_y=start[1], speed_mps=SPEED_MPS),
        battery=BatteryConfig(**battery),
        sensor=SensorConfig(rate_hz=2.0, noise_std=0.05),
    )
    totals: list[float] = []
    sums: list[float] = []

    def look(mission: Mission, now: float) -> None:
        ledger = mission.ledger
        totals.append(ledger.total)
        sums.append(ledger.spent + ledger.committed + ledger.remaining - ledger.total)

    field = make_field(simulator.field, np.random.default_rng(seed))
    result = run_episode(
        config, make_policy('ucb'), field, simulator, step_s=0.2, progress=look
    )
    is_balanced = bool(np.abs(sums).max() < 1e-6)
    return Story(result, totals, is_balanced, home or start)


def random_battery(rng: np.random.Generator) -> dict[str, Any]:
    """Return a battery that draws half to twice of what was configured, in each of its rates."""
    factor = rng.uniform(0.5, 2.0)
    wind = rng.uniform(0.0, 1.5) * np.exp(1j * rng.uniform(0.0, 2.0 * math.pi))
    # In wind against and before it, a metre draws at most 1 / (1 - w^2) of a calm one on average.
    strength = 1.0 - (abs(wind) / SPEED_MPS) ** 2
    return {
        'capacity_m': RANGE_M / (factor * strength) if factor < 1.8 else RANGE_M / factor,
        'hover_m_per_s': SPEED_MPS * float(rng.uniform(0.3, 1.0)),
        'wind_east_mps': float(wind.real),
        'wind_north_mps': float(wind.imag),
        'gauge_step': float(rng.choice([0.0, 0.01, 0.02])),
        'start_fraction': float(rng.choice([1.0, rng.uniform(0.5, 1.0)])),
    }


@pytest.mark.parametrize('seed', range(8))
def test_whatever_the_battery_really_draws_the_vehicle_is_home_before_it_is_empty(
    seed: int,
) -> None:
    rng = np.random.default_rng([7, seed])
    zones = ('30,20; 50,20; 50,60; 30,60',) if seed % 3 == 0 else ()
    story = fly(
        random_battery(rng), dwell_s=float(rng.uniform(0.0, 3.0)), seed=seed, zones=zones
    )
    assert story.is_home and story.result.charge > 0.0
    assert story.is_balanced
    assert max(story.totals) <= RANGE_M
    assert story.result.audit.zone_crossings == 0


def test_a_battery_that_draws_twice_as_much_halves_the_mission_and_no_more_than_that() -> None:
    as_told = fly({'capacity_m': RANGE_M, 'gauge_step': 0.01})
    double = fly({'capacity_m': 0.5 * RANGE_M, 'gauge_step': 0.01})
    assert as_told.is_home and double.is_home
    assert double.result.record.flown_m > 0.25 * RANGE_M
    assert as_told.result.record.flown_m > 0.6 * RANGE_M
    assert as_told.result.charge > 0.0 and double.result.charge > 0.0


def test_a_better_battery_lengthens_the_mission_where_the_user_allows_it_only() -> None:
    better = {'capacity_m': 1.4 * RANGE_M}
    kept = fly(better)
    assert max(kept.totals) <= RANGE_M and kept.result.record.spent_m <= RANGE_M
    grown = fly(better, budget={'total_percent': 100.0}, energy={'may_grow': True})
    assert grown.result.record.flown_m > RANGE_M
    assert grown.is_home and grown.result.charge > 0.0
    limited = fly(
        better, budget={'total_percent': 100.0, 'total_m': 400.0}, energy={'may_grow': True}
    )
    assert max(limited.totals) <= 400.0


@pytest.mark.parametrize(
    'budget',
    [{'total_percent': 60.0}, {'total_wh': 60.0}],
    ids=['percent', 'wh'],
)
@pytest.mark.parametrize('learn', [True, False])
def test_a_budget_in_percent_or_wh_leaves_the_rest_of_the_battery(
    budget: dict[str, float], learn: bool
) -> None:
    story = fly(
        {'capacity_m': 0.8 * RANGE_M},
        budget=budget,
        energy={'learn': learn, 'capacity_wh': 100.0},
    )
    assert story.is_home and 0.4 <= story.result.charge < 0.65


def test_a_budget_in_seconds_ends_in_time_and_uses_it() -> None:
    story = fly({}, budget={'total_s': 90.0}, energy={'learn': False})
    assert story.is_home
    assert 55.0 < story.result.simulated_s <= 90.0
    assert max(story.totals) <= 90.0 * SPEED_MPS


def test_waiting_long_at_targets_is_paid_for() -> None:
    """The stop cost says a metre; the battery says 20 seconds of hovering."""
    story = fly({'capacity_m': RANGE_M, 'hover_m_per_s': SPEED_MPS}, dwell_s=20.0)
    assert story.is_home and story.result.charge > 0.0
    assert story.result.record.stops >= 1


def test_far_from_home_a_weak_battery_leads_straight_home() -> None:
    story = fly(
        {'capacity_m': RANGE_M / 2.0, 'start_fraction': 0.4},
        start=(75.0, 75.0),
        home=(5.0, 40.0),
    )
    if story.result.record.state == 'hold':
        assert story.result.record.flown_m < 1.0
    else:
        assert story.is_home and story.result.charge > 0.0


def test_without_a_battery_report_the_distance_counts_and_one_warning_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    story = fly({'capacity_m': 2.0 * RANGE_M, 'report': False})
    warnings = [r.getMessage() for r in caplog.records if 'battery' in r.getMessage()]
    assert warnings == ['the battery is unknown: the budget is counted by distance']
    assert story.is_home and set(story.totals) == {RANGE_M}
    assert story.result.record.spent_m > 0.8 * RANGE_M
