# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Area, zones and home change under a vehicle in every state."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from bo_explorer.core.area import SearchArea
from bo_explorer.core.errors import BoExplorerError
from bo_explorer.core.mission import MissionState

from .missions import CONFIG, Flown, config

IDLE, WAITING, PLANNING = MissionState.IDLE, MissionState.WAITING, MissionState.PLANNING
MOVING, MEASURING = MissionState.MOVING, MissionState.MEASURING
RETURNING, PAUSED = MissionState.RETURNING, MissionState.PAUSED
HOLD, DONE = MissionState.HOLD, MissionState.DONE


def box(x0, y0, x1, y1):
    return f'{x0},{y0}; {x1},{y0}; {x1},{y1}; {x0},{y1}'


def zones(*texts, **groups):
    return config(no_fly={'polygons': texts, 'margin_m': 0.5}, **groups)


def change(flown, settings):
    """Change the settings as the node does: at once, and again when no job runs."""
    return flown.mission.reconfigure(settings, flown.mission._policy)


def at(flown, place):
    return np.linalg.norm(flown.place - place) <= CONFIG.vehicle.arrival_radius_m


def test_a_target_that_is_forbidden_now_is_dropped_at_once_even_while_a_job_runs():
    """Field case D6."""
    flown = Flown(zones()).begin()
    target = np.array(flown.mission.target)
    flown.now += 1.1
    flown.tell()
    job = flown.mission.begin(flown.now)
    assert job is not None
    x, y = target
    settings = zones(box(x - 3, y - 3, x + 3, y + 3))
    assert not change(flown, settings)
    assert flown.mission.state is PLANNING
    assert np.linalg.norm(flown.mission.target - target) > 3.0
    job.run()
    flown.mission.finish(job, 0.0)
    assert change(flown, settings)
    flown.until(DONE)
    assert at(flown, (4.0, 4.0))
    area = SearchArea.from_config(settings.area, settings.no_fly)
    assert not any(area.crosses_zone(np.array(leg)) for leg in zip(
        flown.mission.record().track, flown.mission.record().track[1:]
    ))


def test_a_decision_made_for_the_old_zones_is_not_flown():
    flown = Flown(zones()).begin().until(MEASURING)
    while True:
        flown.fly()
        job = flown.mission.begin(flown.now)
        if job is not None:
            job.run()
            if job.decision is not None:
                break
            flown.mission.finish(job, 0.0)
    x, y = job.decision.target
    assert not change(flown, zones(box(x - 3, y - 3, x + 3, y + 3)))
    flown.mission.finish(job, 0.0)
    assert flown.mission.state is PLANNING


@pytest.mark.parametrize('state', [MOVING, MEASURING, PAUSED, RETURNING])
def test_a_vehicle_inside_a_zone_leaves_it_by_the_shortest_way(state):
    """Field case E14, in flight."""
    flown = Flown(zones(vehicle={'dwell_s': 5.0})).begin()
    flown.fly(4.0)
    if state is MEASURING:
        flown.until(MEASURING)
    elif state is PAUSED:
        flown.mission.pause(flown.now)
        flown.wait(10.0)
    elif state is RETURNING:
        flown.mission.return_home(flown.now)
        flown.step()
    assert flown.mission.state is state
    x, y = flown.place
    settings = zones(box(x - 1.0, y - 3.0, x + 3.0, y + 3.0))
    before = flown.place
    assert change(flown, settings)
    area = flown.mission.explorer.area
    assert not area.contains(flown.place[np.newaxis])[0]
    flown.step(0.0)
    way_out = area.nearest_legal(before) - before
    for _ in range(20):
        flown.step()
        if area.contains(flown.place[np.newaxis])[0]:
            break
    gone = flown.place - before
    assert area.contains(flown.place[np.newaxis])[0]
    assert gone @ way_out / np.linalg.norm(way_out) >= np.linalg.norm(way_out) - 1e-6
    if state is PAUSED:
        flown.wait(30.0)
        assert flown.mission.state is PAUSED
        assert area.contains(flown.place[np.newaxis])[0]
        flown.mission.resume(flown.now)
    flown.until(DONE)
    assert at(flown, flown.mission.record().home)


def test_a_path_that_stays_legal_is_flown_on():
    flown = Flown(zones()).begin()
    path = flown.mission.path()
    assert change(flown, zones(box(0, 36, 4, 40)))
    np.testing.assert_array_equal(flown.mission.path(), path)
    assert flown.mission.state is MOVING


def test_a_smaller_area_is_not_left_any_more():
    flown = Flown(zones()).begin().until(MEASURING)
    small = zones(area={'polygon': (0.0, 0.0, 24.0, 0.0, 24.0, 24.0, 0.0, 24.0)})
    n_targets = len(flown.mission.record().waypoints)
    assert change(flown, small)
    assert len(flown.mission.record().area[0]) == 4
    flown.until(DONE)
    later = np.array(flown.mission.record().waypoints[n_targets:])
    assert len(later) and (later <= 24.0).all()
    assert flown.mission.record().samples


def test_home_moves_and_the_vehicle_lands_there():
    flown = Flown(zones()).begin().until(MEASURING)
    moved = zones(home={'mode': 'fixed', 'x': 36.0, 'y': 36.0})
    assert change(flown, moved)
    assert flown.mission.record().home == [36.0, 36.0]
    flown.until(DONE)
    assert at(flown, (36.0, 36.0))


def test_home_moves_on_the_way_home():
    flown = Flown(zones()).begin().until(MEASURING)
    flown.mission.return_home(flown.now)
    flown.step()
    assert change(flown, zones(home={'mode': 'fixed', 'x': 36.0, 'y': 36.0}))
    flown.until(DONE)
    assert at(flown, (36.0, 36.0))


@pytest.mark.parametrize(
    'home', [{'x': 500.0, 'y': 4.0}, {'x': 20.0, 'y': 20.0}], ids=['outside', 'in a zone']
)
def test_a_home_that_cannot_be_used_is_refused(home):
    """Field case E11: a place given by the operator is refused, never moved."""
    zone = box(18, 18, 22, 22)
    flown = Flown(zones(zone)).begin()
    with pytest.raises(BoExplorerError, match='home'):
        change(flown, zones(zone, home={'mode': 'fixed', **home}))
    assert flown.mission.record().home == [4.0, 4.0]


def test_a_home_beyond_the_budget_is_refused():
    flown = Flown(zones(budget={'total_m': 50.0})).begin()
    far = {'mode': 'fixed', 'x': 40.0, 'y': 40.0}
    with pytest.raises(BoExplorerError, match='the way home costs'):
        change(flown, zones(budget={'total_m': 50.0}, home=far))


@pytest.mark.parametrize('state', [MOVING, MEASURING, RETURNING])
def test_a_home_cut_off_is_a_named_hold_that_ends_with_the_wall(state):
    flown = Flown(zones()).begin()
    flown.fly(4.0)
    flown.until(MEASURING if state is RETURNING else state)
    if state is RETURNING:
        flown.mission.return_home(flown.now)
        flown.step()
    ring = (box(0, 8, 12, 9), box(8, 0, 9, 12))
    assert change(flown, zones(*ring))
    assert flown.mission.state is HOLD
    assert 'home cannot be reached' in flown.mission.reason
    assert flown.mission.record().outcome == 'held'
    for _ in range(3):
        flown.wait(10.0)
    place = flown.place
    flown.wait(10.0)
    np.testing.assert_array_equal(flown.place, place)
    assert change(flown, zones())
    assert flown.mission.state in (PLANNING, RETURNING, MEASURING)
    flown.until(DONE)
    assert at(flown, (4.0, 4.0))


def test_a_home_that_became_too_far_is_a_named_hold():
    """A wall with a gap at its far end: the way home is longer than the battery lasts."""
    flown = Flown(zones(budget={'total_m': 90.0, 'reserve_m': 0.0})).begin()
    flown.until(RETURNING)
    flown.step()
    wall = box(-1, 6, 38, 7)
    assert change(flown, zones(wall, budget={'total_m': 90.0, 'reserve_m': 0.0}))
    flown.until(HOLD, DONE)
    if flown.mission.state is HOLD:
        assert 'the way home costs' in flown.mission.reason
    assert flown.mission.ledger.overrun == 0.0


def test_zones_over_everything_hold_the_vehicle_where_it_is():
    flown = Flown(zones()).begin()
    assert change(flown, zones(box(-1, -1, 41, 41)))
    assert flown.mission.state is HOLD
    assert change(flown, zones())
    flown.until(DONE)


def test_a_mission_that_could_not_begin_begins_when_its_home_is_legal():
    flown = Flown(zones(box(2, 2, 8, 8)))
    flown.tell()
    flown.mission.start(0.0)
    assert flown.mission.state is HOLD
    assert change(flown, zones())
    assert flown.mission.state is WAITING
    flown.until(DONE)
    assert at(flown, (4.0, 4.0))


def test_changes_before_the_start_and_after_the_end_are_taken_over():
    flown = Flown(zones())
    assert change(flown, zones(box(20, 20, 30, 30)))
    assert flown.mission.state is IDLE
    flown.begin().until(DONE)
    assert change(flown, zones())
    assert flown.mission.state is DONE


def test_settings_of_other_kinds_do_not_touch_the_flight():
    flown = Flown(zones()).begin()
    path = flown.mission.path()
    warmer = dataclasses.replace(CONFIG.policy, hysteresis=1.0)
    assert change(flown, dataclasses.replace(zones(), policy=warmer))
    np.testing.assert_array_equal(flown.mission.path(), path)


# The battery


def test_a_swapped_battery_gives_a_fresh_budget_and_keeps_the_map():
    """Field case I10."""
    flown = Flown(config(budget={'total_m': 100.0})).begin().until(DONE)
    spent = flown.mission.ledger.spent
    n_samples = len(flown.mission.record().samples)
    answer = flown.mission.swap_battery(flown.now)
    assert answer == (True, 'the budget is fresh; call resume to go on')
    assert flown.mission.state is PAUSED
    record = flown.mission.record()
    assert (record.spent_m, record.spent_before_m, record.swaps) == (0.0, spent, 1)
    assert len(record.samples) == n_samples
    flown.wait(5.0)
    assert at(flown, (4.0, 4.0))
    flown.mission.resume(flown.now)
    flown.until(DONE)
    assert at(flown, (4.0, 4.0))
    record = flown.mission.record()
    assert 0.0 < record.spent_m <= 100.0
    assert len(record.samples) > n_samples
    assert len({tuple(target) for target in record.waypoints}) == len(record.waypoints)


@pytest.mark.parametrize('state', [IDLE, MOVING, MEASURING, PAUSED, RETURNING])
def test_a_battery_is_not_swapped_in_flight(state):
    flown = Flown()
    if state is not IDLE:
        flown.begin()
        flown.fly(3.0)
        if state is PAUSED:
            flown.mission.pause(flown.now)
        elif state is RETURNING:
            flown.mission.return_home(flown.now)
        flown.until(state)
    spent = flown.mission.ledger.spent
    assert not flown.mission.swap_battery(flown.now)[0]
    assert flown.mission.state is state
    assert flown.mission.ledger.spent == spent


def test_a_home_set_after_the_end_is_the_home_of_the_next_flight():
    fixed = {'mode': 'fixed', 'x': 4.0, 'y': 4.0}
    flown = Flown(config(home=fixed)).begin().until(MEASURING)
    flown.mission.return_home(flown.now)
    flown.until(DONE)
    assert change(flown, config(home={**fixed, 'x': 30.0, 'y': 30.0}))
    assert flown.mission.state is DONE
    assert flown.mission.record().home == [30.0, 30.0]
    assert flown.mission.swap_battery(flown.now)[0] is True
    flown.mission.resume(flown.now)
    flown.until(DONE)
    assert at(flown, (30.0, 30.0))


def test_a_place_of_home_that_does_not_count_is_told(caplog):
    flown = Flown().begin()
    home = flown.mission.record().home
    assert change(flown, config(home={'x': 30.0, 'y': 30.0}))
    assert flown.mission.record().home == home
    assert 'count once home.mode is fixed' in caplog.text
    assert change(flown, config(home={'x': 30.0, 'y': 30.0, 'mode': 'fixed'}))
    assert flown.mission.record().home == [30.0, 30.0]


def test_an_area_too_long_for_its_resolution_is_refused_before_it_stands_in_the_parameters():
    flown = Flown().begin()
    long = config(area={'polygon': (0.0, 0.0, 1e6, 0.0, 1e6, 40.0, 0.0, 40.0)})
    for _ in range(2):
        with pytest.raises(BoExplorerError, match='must be at least'):
            flown.mission.check_change(long)
    assert flown.mission.config == CONFIG
    flown.mission.check_change(config(area={'polygon': (0.0, 0.0, 30.0, 0.0, 30.0, 40.0)}))
    flown.until(DONE)
