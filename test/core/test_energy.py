# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What battery and clock pay for, report by report."""

from __future__ import annotations

import dataclasses
import json
import logging
import math

import numpy as np
import pytest

from bo_explorer.core.budget import BudgetLedger
from bo_explorer.core.config import BudgetConfig, EnergyConfig, ExplorerConfig
from bo_explorer.core.energy import EnergyAccount
from bo_explorer.core.errors import ConfigError, MemoryFileError
from bo_explorer.core.job import Task
from bo_explorer.core.mission import Mission
from bo_explorer.core.mission_state import MissionState
from bo_explorer.core.options import from_flat
from bo_explorer.core.policy import make_policy

from .missions import CONFIG, Flown

HOME = np.zeros(2)
AREA = {'area.polygon': [0, 0, 50, 0, 50, 50, 0, 50]}


def settings(budget=None, **energy):
    return dataclasses.replace(
        CONFIG,
        budget=BudgetConfig(**(budget or {'total_m': 1000.0})),
        energy=EnergyConfig(**energy),
    )


class Flight:
    """A vehicle that flies up and down at 5 m/s and draws what it is told."""

    def __init__(self, config, *, per_m=1e-3, charge=1.0):
        self.account = EnergyAccount(config)
        self.account.start(0.0)
        self.now = self.cost = 0.0
        self.charge, self._per_m = charge, per_m
        self.place = np.zeros(2)

    def fly(self, seconds, *, report=True):
        for _ in range(seconds):
            self.now += 1.0
            self.cost += 5.0
            self.charge -= 5.0 * self._per_m
            self.place = np.array([abs((self.cost + 100.0) % 200.0 - 100.0), 0.0])
            self.account.update_flight(self.cost, self.place, self.now)
            if report:
                self.account.update_battery(max(self.charge, 0.0), self.now)
        return self

    @property
    def reach(self):
        return self.account.reach_m(self.place, HOME)


def test_a_budget_in_metres_alone_asks_neither_battery_nor_clock():
    flight = Flight(settings()).fly(50)
    assert not flight.account.is_limiting and flight.reach == math.inf
    assert flight.account.summary() == {}


def test_the_reach_falls_with_the_charge_and_grows_with_what_is_known():
    flight = Flight(settings(learn=True))
    flight.account.update_battery(1.0, 0.0)
    at_first = flight.reach
    flight.fly(40)
    assert at_first < 500.0
    assert 550.0 < flight.reach < 800.0


def test_a_reach_that_was_learned_follows_the_true_consumption():
    for factor in (0.7, 1.0, 2.0):
        flight = Flight(settings(learn=True, wind_std_mps=0.0), per_m=factor * 1e-3).fly(60)
        true = flight.charge / (factor * 1e-3)
        assert 0.6 * true < flight.reach < true
        learned = flight.account.summary()
        assert learned['battery_per_metre'] == pytest.approx(factor, rel=0.15)


def test_one_wrong_report_counts_for_nothing():
    flight = Flight(settings(learn=True)).fly(30)
    before = flight.reach
    flight.now += 1.0
    flight.account.update_battery(0.02, flight.now)
    flight.fly(1)
    assert flight.reach == pytest.approx(before, rel=0.1)


def test_a_jump_of_the_localisation_was_not_flown():
    flight = Flight(settings(learn=True)).fly(30)
    before = flight.reach
    flight.place = flight.place + 5000.0
    flight.now += 1.0
    flight.account.update_flight(flight.cost, flight.place, flight.now)
    home = flight.place - flight.account._draws[2:]
    assert flight.account.reach_m(flight.place, home) == pytest.approx(before, rel=0.1)


def test_a_battery_that_falls_silent_goes_on_by_distance_with_one_warning(caplog):
    flight = Flight(settings(learn=True)).fly(30)
    before = flight.reach
    with caplog.at_level(logging.WARNING):
        flight.fly(30, report=False)
        for unknown in (None, math.nan, -1.0, 7.0):
            flight.account.update_battery(unknown, flight.now)
    assert [r.getMessage() for r in caplog.records] == [
        'the battery is unknown: the budget is counted by distance'
    ]
    assert flight.reach < before - 140.0


def test_a_percentage_counts_from_the_charge_at_the_start():
    given = {'total_percent': 30.0}
    flight = Flight(settings(given, range_m=1000.0), charge=0.8)
    flight.account.update_battery(0.8, 0.0)
    assert 200.0 < flight.reach < 300.0
    nearly_empty = Flight(settings(given, range_m=1000.0), charge=0.1)
    nearly_empty.account.update_battery(0.1, 0.0)
    assert nearly_empty.reach < 100.0


def test_time_runs_also_while_the_vehicle_waits():
    flight = Flight(settings({'total_s': 100.0}))
    flight.fly(1)
    before = flight.reach
    for second in range(30):
        flight.account.update_flight(flight.cost, flight.place, 2.0 + second)
    # Thirty seconds at cruise are 150 m, at the pace that is sure a quarter less.
    assert 100.0 < before - flight.reach < 150.0
    flight.account.update_flight(flight.cost, flight.place, 200.0)
    assert flight.reach == 0.0


@pytest.mark.parametrize('late_s', [10.0, 30.0])
def test_a_first_pose_that_comes_late_costs_its_time_and_no_more(late_s):
    """An autostart waits for the localisation: that time was flown by nobody."""
    flown = Flown(settings({'total_s': 100.0}))
    flown.mission.start(flown.now)
    while flown.now < late_s:
        flown.now += 0.5
        flown.mission.begin(flown.now)
    flown.until(MissionState.DONE)
    assert 80.0 < flown.now <= 100.0


@pytest.mark.parametrize('hover_s', [0, 40])
def test_a_charge_that_falls_before_the_first_place_teaches_nothing(hover_s):
    flight = Flight(settings(learn=True, wind_std_mps=0.0))
    for _ in range(hover_s):
        flight.now += 1.0
        flight.charge -= 0.01
        flight.account.update_battery(flight.charge, flight.now)
    flight.fly(40)
    assert flight.account.summary()['battery_per_metre'] == pytest.approx(1.0, rel=0.1)
    assert 0.7 * flight.charge < flight.reach / 1000.0 < flight.charge


def test_a_gauge_that_was_silent_before_the_first_place_teaches_nothing_by_its_next_report():
    flight = Flight(settings(learn=True, wind_std_mps=0.0))
    flight.account.update_battery(1.0, flight.now)
    flight.now, flight.charge = 30.0, 0.7
    flight.account.update_flight(flight.cost, flight.place, flight.now)
    assert flight.reach < 1000.0, 'what is known still counts'
    flight.fly(40)
    assert flight.account.summary()['battery_per_metre'] == pytest.approx(1.0, rel=0.1)
    assert 0.7 * flight.charge < flight.reach / 1000.0 < flight.charge


def test_another_battery_is_full_again_and_known_as_well_as_the_first():
    flight = Flight(settings(learn=True), per_m=2e-3).fly(60)
    flight.account.swap_battery(flight.now)
    assert flight.reach == math.inf, 'unknown until it is told'
    flight.charge = 1.0
    flight.fly(1)
    assert 350.0 < flight.reach < 500.0


@pytest.mark.parametrize(
    ('given', 'total'),
    [
        ({'budget.total_s': 60}, 300.0),
        ({'budget.total_percent': 50, 'energy.range_m': 800}, 400.0),
        ({'budget.total_wh': 20, 'energy.capacity_wh': 100, 'energy.range_m': 800}, 160.0),
        ({'budget.total_s': 60, 'budget.total_m': 250}, 250.0),
        ({'budget.total_percent': 50, 'energy.range_m': 800, 'budget.total_s': 10}, 50.0),
    ],
)
def test_any_unit_opens_the_ledger_and_the_tightest_limit_holds(given, total):
    """Field case G4."""
    config = from_flat(ExplorerConfig, {**AREA, **given, 'vehicle.speed_mps': 5})
    ledger = BudgetLedger.from_config(config)
    assert (ledger.total, ledger.reserve) == pytest.approx((total, 0.05 * total))


@pytest.mark.parametrize(
    ('given', 'key'),
    [
        ({}, 'budget.total_m'),
        ({'budget.total_percent': 50}, 'energy.range_m'),
        ({'budget.total_wh': 20, 'energy.range_m': 800}, 'energy.capacity_wh'),
        ({'budget.total_s': 60, 'energy.learn': True}, 'energy.range_m'),
        ({'budget.total_m': 60, 'energy.may_grow': True}, 'energy.may_grow'),
        ({'budget.total_s': 10, 'budget.reserve_m': 50}, 'budget.reserve_m'),
        ({'budget.total_percent': 101, 'energy.range_m': 800}, 'budget.total_percent'),
    ],
)
def test_a_budget_that_cannot_be_counted_is_refused_by_name(given, key):
    with pytest.raises(ConfigError, match=f"'{key}'"):
        from_flat(ExplorerConfig, {**AREA, **given})


def test_a_paused_vehicle_goes_home_while_the_charge_still_pays_for_it():
    flown = Flown(settings({'total_m': 300.0, 'battery_low': 0.0}, learn=True)).begin()
    mission = flown.mission
    mission.update_battery(1.0, flown.now)
    while np.hypot(*(flown.place - [4.0, 4.0])) < 20.0:
        flown.step()
    mission.pause(flown.now)
    charge = 1.0
    while mission.state is MissionState.PAUSED:
        charge -= 0.01
        flown.step(1.0)
        mission.update_battery(charge, flown.now)
        assert charge > 0.2, 'it hovers until nothing is left'
    assert mission.state is MissionState.RETURNING
    assert 'way home' in mission.reason
    flown.until(MissionState.DONE)


@pytest.mark.parametrize('may_grow', [False, True])
def test_a_paused_vehicle_that_needs_less_than_given_comes_home_with_charge_left(may_grow):
    """A budget that has grown beyond what was granted still ends at the charge."""
    whole = {'total_percent': 100.0, 'battery_low': 0.0}
    given = settings(whole, range_m=300.0, hover_s=75.0, learn=True, may_grow=may_grow)
    flown = Flown(given).begin()
    mission, charge = flown.mission, [1.0]

    def fly():
        place, before = flown.place, flown.now
        flown.step()
        moved = float(np.linalg.norm(flown.place - place))
        charge[0] -= moved / 600.0 if moved > 0.1 else (flown.now - before) / 75.0
        mission.update_battery(max(charge[0], 0.0), flown.now)
        assert charge[0] > 0.02, f'nothing is left, and it is {mission.state}'

    far_m = 330.0 if may_grow else 150.0
    while mission.ledger.spent < far_m or np.hypot(*(flown.place - 4.0)) < 25.0:
        fly()
    mission.pause(flown.now)
    while mission.state is not MissionState.DONE:
        fly()
    assert 'way home' in mission.reason
    assert np.hypot(*(flown.place - 4.0)) <= given.vehicle.arrival_radius_m
    assert charge[0] < 0.4, 'it waits as long as it can'


@pytest.fixture
def grown():
    """Return a mission on its way to a target that has spent more than was granted."""
    whole = {'total_percent': 100.0, 'battery_low': 0.0}
    flown = Flown(settings(whole, range_m=300.0, learn=True, may_grow=True)).begin()
    mission, charge = flown.mission, 1.0
    while mission.ledger.spent < 310.0 or mission.state is not MissionState.MOVING:
        place = flown.place
        flown.step()
        charge -= float(np.linalg.norm(flown.place - place)) / 600.0
        mission.update_battery(charge, flown.now)
    assert mission.ledger.granted == pytest.approx(300.0)
    return flown


def test_a_grown_budget_that_shrinks_in_flight_asks_for_a_nearer_target(grown):
    mission, travel = grown.mission, grown.mission.explorer.travel
    home = travel.path(mission.target, np.array(mission.record().home))
    mission.ledger.limit(travel.path_cost(mission.path()) + travel.path_cost(home))
    job = mission.begin(grown.now)
    assert job is not None and job.task is Task.DECIDE, mission.reason
    assert job.present_target is None
    assert mission.state is MissionState.MOVING


def test_a_grown_budget_that_no_longer_pays_for_the_way_home_is_no_reason_to_stay(grown):
    grown.mission.return_home(grown.now)
    grown.mission.ledger.limit(1.0)
    grown.work()
    assert grown.mission.state is MissionState.RETURNING, grown.mission.reason
    grown.until(MissionState.DONE)


def test_an_explicitly_unknown_battery_is_warned_of_once_whatever_the_budget(caplog):
    flown = Flown().begin()
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            flown.mission.update_battery(None, flown.now)
            flown.step()
    assert sum('battery is unknown' in r.getMessage() for r in caplog.records) == 1
    assert flown.mission.ledger.total == 300.0


def test_what_was_learned_and_used_outlives_the_process():
    given = settings({'total_percent': 50.0}, range_m=1000.0, learn=True)
    flight = Flight(given, per_m=2e-3).fly(20)
    saved = json.loads(json.dumps(flight.account.to_dict()))
    again = Flight(given, per_m=2e-3, charge=flight.charge)
    again.account.recall(saved)
    again.account.update_battery(flight.charge, 0.0)
    at_once, before = again.account.summary(), flight.account.summary()
    for key in ('battery_per_metre', 'battery_per_metre_std'):
        assert at_once[key] == pytest.approx(before[key])
    # 50 percent count from the full battery of the first process: 30 are left.
    assert again.reach == pytest.approx(flight.reach, rel=0.25)
    assert again.account.reach_m(HOME, HOME) < 0.31 * 500.0


@pytest.mark.parametrize(
    'change',
    [
        {'first_charge': 1.5},
        {'rates': [1.0, math.nan, 0.0, 0.0]},
        {'covariance': [[-1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]},
        {'misfit': 0.0},
    ],
)
def test_a_memory_that_makes_no_sense_is_refused(change):
    account = Flight(settings(learn=True)).fly(20).account
    saved = account.to_dict()
    with pytest.raises(ValueError, match='must'):
        account.recall({'battery': {**saved['battery'], **change}})
    assert account.to_dict() == saved


def test_a_mission_gone_on_with_knows_its_battery():
    given = settings({'total_m': 300.0, 'battery_low': 0.0}, learn=True)
    flown = Flown(given).begin()
    charge = 1.0
    for _ in range(25):
        before = flown.mission.ledger.spent
        flown.step(1.0)
        charge -= 2.0 * (flown.mission.ledger.spent - before) / 300.0
        flown.mission.update_battery(charge, flown.now)
    memory = flown.mission.memory
    assert memory is not None and memory.energy['battery']['rates'][0] > 1.3
    again = Mission(given, make_policy('ucb'))
    again.restore(json.loads(json.dumps(memory.to_dict())), flown.now)
    assert again.energy.to_dict() == flown.mission.energy.to_dict()
    broken = {**memory.to_dict(), 'energy': {'battery': {'first_charge': 2.0}}}
    with pytest.raises(MemoryFileError, match='no memory of a battery'):
        Mission(given, make_policy('ucb')).restore(broken, flown.now)
