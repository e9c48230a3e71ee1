# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Whole missions on batteries that are not what the planner was told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bo_explorer.core.config import BudgetConfig, HomeConfig
from bo_explorer.study.random_batteries import (
    CONFIG,
    RANGE_M,
    SPEED_MPS,
    Flight,
    fly,
    fly_random,
    main,
)


def told(budget: dict[str, float] | None = None, **energy: Any) -> Any:
    """Return the settings with another budget and other options of the energy."""
    limits = {'total_m': RANGE_M} if budget is None else budget
    return replace(
        CONFIG,
        budget=BudgetConfig(battery_low=0.0, **limits),
        energy=replace(CONFIG.energy, **energy),
    )


def spent(flight: Flight) -> float:
    return flight.result.record.spent_m


@pytest.mark.parametrize('seed', range(5))
def test_whatever_the_battery_really_draws_the_vehicle_is_home_before_it_is_empty(
    seed: int,
) -> None:
    flight = fly_random(seed)
    assert flight.is_home
    assert flight.imbalance_m < 1e-6
    assert max(flight.totals) <= RANGE_M
    assert flight.result.audit.zone_crossings == 0


def test_a_battery_that_draws_twice_as_much_halves_the_mission_and_no_more_than_that() -> None:
    as_told = fly({'capacity_m': RANGE_M, 'gauge_step': 0.01})
    double = fly({'capacity_m': 0.5 * RANGE_M, 'gauge_step': 0.01})
    assert as_told.is_home and double.is_home
    assert double.result.record.flown_m > 0.25 * RANGE_M
    assert as_told.result.record.flown_m > 0.6 * RANGE_M


def test_a_better_battery_lengthens_the_mission_where_the_user_allows_it_only() -> None:
    better = {'capacity_m': 1.4 * RANGE_M}
    kept = fly(better)
    assert max(kept.totals) <= RANGE_M and spent(kept) <= RANGE_M
    grown = fly(better, told({'total_percent': 100.0}, may_grow=True))
    assert grown.is_home and grown.result.record.flown_m > RANGE_M
    limited = fly(better, told({'total_percent': 100.0, 'total_m': 400.0}, may_grow=True))
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
    flight = fly(
        {'capacity_m': 0.8 * RANGE_M}, told(budget, learn=learn, capacity_wh=100.0)
    )
    assert flight.is_home and 0.4 <= flight.result.charge < 0.65


def test_a_budget_in_seconds_ends_in_time_and_uses_it() -> None:
    flight = fly({}, told({'total_s': 90.0}, learn=False))
    assert flight.is_home
    assert 55.0 < flight.result.simulated_s <= 90.0
    assert max(flight.totals) <= 90.0 * SPEED_MPS


def test_waiting_long_at_targets_is_paid_for() -> None:
    """The stop cost says a metre; the battery says 20 seconds of hovering."""
    patient = replace(CONFIG, vehicle=replace(CONFIG.vehicle, dwell_s=20.0))
    flight = fly({'capacity_m': RANGE_M, 'hover_m_per_s': SPEED_MPS}, patient)
    assert flight.is_home and flight.result.record.stops >= 1


def test_far_from_home_a_weak_battery_leads_straight_home() -> None:
    far = replace(CONFIG, home=HomeConfig(mode='fixed', x=5.0, y=40.0))
    flight = fly({'capacity_m': RANGE_M / 2.0, 'start_fraction': 0.6}, far, start=(75.0, 75.0))
    assert flight.is_home
    assert flight.result.record.flown_m < 100.0


def test_without_a_battery_report_the_distance_counts_and_one_warning_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    flight = fly({'capacity_m': 2.0 * RANGE_M, 'report': False})
    warnings = [r.getMessage() for r in caplog.records if 'battery' in r.getMessage()]
    assert warnings == ['the battery is unknown: the budget is counted by distance']
    assert flight.is_home and set(flight.totals) == {RANGE_M}
    assert spent(flight) > 0.8 * RANGE_M


def test_the_study_tells_who_came_home(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['--missions', '1', '--seed', '3']) == 0
    assert capsys.readouterr().out.startswith('0 of 1 not home; charge left: least 0.')
