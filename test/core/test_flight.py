# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The flown side: what is booked, where new paths start, how long a lead-in is."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.core.area import SearchArea
from bo_explorer.core.budget import BudgetLedger
from bo_explorer.core.flight import Event, Flight
from bo_explorer.core.inbox import Inbox
from bo_explorer.core.stopwatch import Stopwatch
from bo_explorer.core.travel import TravelCost
from bo_explorer.core.types import Pose

from .missions import CONFIG, config


def flight(settings=CONFIG, wind=(0.0, 0.0)):
    area = SearchArea.from_config(settings.area, settings.no_fly)
    travel = TravelCost(area, stop_cost_m=1.0, speed_mps=5.0, wind_mps=wind)
    ledger = BudgetLedger(settings.total_m, settings.reserve_m)
    return Flight(settings, area, travel, ledger), ledger


def pose(x, y, stamp=0.0):
    return Pose(x, y, stamp=stamp)


def test_a_straight_flight_is_booked_exactly():
    flying, ledger = flight()
    flying.place(pose(4.0, 4.0))
    flying.fly(np.array([[4.0, 4.0], [34.0, 4.0]]), 0.0)
    for k in range(1, 60):
        flying.update(pose(4.0 + 0.5 * k, 4.0, 0.1 * k), 0.1 * k)
    assert ledger.spent == pytest.approx(29.5)
    assert flying.flown_m == pytest.approx(29.5)


def test_metres_flown_and_metres_paid_differ_in_wind():
    flying, ledger = flight(wind=(-4.0, 0.0))
    flying.place(pose(4.0, 4.0))
    flying.fly(np.array([[4.0, 4.0], [34.0, 4.0]]), 0.0)
    for k in range(1, 21):
        flying.update(pose(4.0 + 0.5 * k, 4.0, 0.5 * k), 0.5 * k)
    assert flying.flown_m == pytest.approx(10.0)
    assert ledger.spent == pytest.approx(50.0)


def test_a_turn_is_booked_over_its_vertex():
    """Momentum carries the vehicle there, though it turns off before."""
    flying, ledger = flight()
    flying.place(pose(4.0, 4.0))
    flying.fly(np.array([[4.0, 4.0], [14.0, 4.0], [4.0, 4.5]]), 0.0)
    flying.update(pose(9.0, 4.0, 1.0), 1.0)
    flying.update(pose(13.8, 4.0, 2.0), 2.0)
    assert flying.setpoint.tolist() == [4.0, 4.5]
    flying.update(pose(9.0, 4.25, 3.0), 3.0)
    assert ledger.spent == pytest.approx(15.0, abs=0.01)


def test_the_allowance_grows_with_the_wind():
    calm, windy = flight(CONFIG)[0], flight(config(vehicle={'wind_east_mps': 4.0}))[0]
    assert calm.allowance_m == pytest.approx(1.0)
    assert windy.allowance_m == pytest.approx(5.0)


def test_a_new_path_starts_beyond_the_braking_distance_and_the_vehicle_waits_there():
    """Speed 5 m/s and braking 2 m/s^2: 6.25 m, and half a second of flight."""
    flying, _ = flight()
    flying.place(pose(4.0, 4.0))
    flying.fly(np.array([[4.0, 4.0], [34.0, 4.0]]), 0.0)
    lead_in = flying.lead_in()
    np.testing.assert_allclose(lead_in, [[4.0, 4.0], [12.75, 4.0]])
    assert flying.setpoint.tolist() == [12.75, 4.0]
    assert flying.target.tolist() == [34.0, 4.0]
    for k in range(100):
        flying.update(pose(12.75, 4.0, 2.0 + 0.1 * k), 2.0 + 0.1 * k)
    assert flying.setpoint.tolist() == [12.75, 4.0]
    flying.go_on()
    assert flying.setpoint.tolist() == [34.0, 4.0]


def test_a_new_path_follows_from_where_the_vehicle_has_got_to():
    flying, _ = flight()
    flying.place(pose(4.0, 4.0))
    flying.fly(np.array([[4.0, 4.0], [34.0, 4.0]]), 0.0)
    start = flying.lead_in()[-1]
    flying.update(pose(9.0, 4.0, 1.0), 1.0)
    flying.fly(np.array([start, [12.75, 30.0]]), 1.0)
    np.testing.assert_allclose(flying.path(), [[9.0, 4.0], [12.75, 4.0], [12.75, 30.0]])


def test_a_jump_is_not_booked():
    flying, ledger = flight()
    flying.place(pose(4.0, 4.0))
    assert flying.update(pose(30.0, 4.0, 0.1), 0.1, has_jumped=True) is Event.JUMPED
    assert ledger.spent == 0.0


def test_arrival_is_told_once():
    flying, _ = flight()
    flying.place(pose(4.0, 4.0))
    flying.fly(np.array([[4.0, 4.0], [8.0, 4.0]]), 0.0)
    assert flying.update(pose(6.5, 4.0, 0.5), 0.5) is Event.NOTHING
    assert flying.update(pose(7.5, 4.0, 0.7), 0.7) is Event.ARRIVED
    assert flying.update(pose(8.0, 4.0, 0.9), 0.9) is Event.NOTHING


def test_the_stopwatch_leaves_pauses_out():
    watch = Stopwatch()
    assert watch.elapsed(5.0) == 0.0
    watch.start(10.0)
    watch.pause(20.0)
    assert watch.elapsed(500.0) == 10.0
    assert watch.resume(1000.0) == 980.0
    assert watch.elapsed(1003.0) == 13.0
    assert watch.resume(2000.0) == 0.0


def test_the_inbox_matches_a_reading_with_the_place_between_two_poses():
    inbox = Inbox(2.0)
    inbox.add_pose(pose(0.0, 0.0, 10.0))
    inbox.add_pose(pose(4.0, 8.0, 11.0))
    inbox.add_reading(7.0, 10.25)
    inbox.add_reading(8.0, 99.0)
    (reading,) = inbox.take()
    assert (reading.value, reading.x, reading.y) == (7.0, 1.0, 2.0)
    assert inbox.refused == {'no_pose': 1}
    assert len(inbox) == 0
