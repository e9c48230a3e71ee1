# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The mission: commands, inputs that are wrong, and every way it may end."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bo_explorer.core import inbox
from bo_explorer.core.mission import Mission, MissionState
from bo_explorer.core.policy import make_policy
from bo_explorer.core.types import Pose

from .missions import CONFIG, Flown, config

IDLE, WAITING, PLANNING = MissionState.IDLE, MissionState.WAITING, MissionState.PLANNING
MOVING, MEASURING = MissionState.MOVING, MissionState.MEASURING
RETURNING, PAUSED = MissionState.RETURNING, MissionState.PAUSED
HOLD, DONE = MissionState.HOLD, MissionState.DONE


class Raising:
    """A policy that cannot decide."""

    def scores(self, state):
        raise RuntimeError('no idea')

    def price(self, context):
        return None


class Nowhere:
    """A policy with no number for any candidate."""

    def scores(self, state):
        return np.full(len(state.legal), np.nan)

    def price(self, context):
        return None


def at_home(flown):
    home = flown.mission.record().home
    return np.linalg.norm(flown.place - home) <= CONFIG.vehicle.arrival_radius_m


# Commands


def test_a_mission_goes_through_its_states_in_order_and_ends_at_home():
    flown = Flown(config(budget={'total_m': 80.0}))
    assert flown.mission.state is IDLE
    flown.begin().until(DONE)
    assert flown.states[:3] == [IDLE, WAITING, MOVING]
    assert flown.states[-2:] == [RETURNING, DONE]
    assert {MOVING, MEASURING, PLANNING} <= set(flown.states)
    record = flown.mission.record()
    assert record.outcome == 'budget_exhausted'
    assert record.returned_home
    assert at_home(flown)
    assert record.spent_m <= 80.0
    assert record.spent_m == pytest.approx(record.flown_m + record.stops * 1.0, abs=1e-9)


def test_every_command_may_be_given_twice():
    flown = Flown().begin()
    mission = flown.mission
    for command, state in (
        (mission.start, MOVING),
        (mission.pause, PAUSED),
        (mission.resume, PLANNING),
        (mission.return_home, RETURNING),
        (mission.pause, PAUSED),
        (mission.reset, IDLE),
    ):
        assert command(flown.now)[0]
        assert mission.state is state
        assert command(flown.now)[0]
        assert mission.state is state


def test_commands_that_make_no_sense_say_so_and_change_nothing():
    mission = Mission(CONFIG, make_policy('ucb'))
    assert mission.pause(0.0) == (False, 'nothing to pause: idle')
    assert not mission.return_home(0.0)[0]
    assert mission.resume(0.0)[0]
    assert mission.state is IDLE
    assert mission.setpoint() is None
    assert mission.begin(0.0) is None


def test_a_start_before_the_first_pose_waits_for_it():
    flown = Flown()
    flown.mission.start(0.0)
    assert flown.mission.state is WAITING
    assert flown.mission.begin(0.0) is None
    assert flown.mission.record().home is None
    flown.tell()
    assert flown.mission.record().home == [4.0, 4.0]
    assert flown.mission.begin(0.1).run() is None


def test_a_paused_vehicle_stops_on_its_path_and_stays_there():
    flown = Flown().begin()
    path = flown.mission.path()
    flown.mission.pause(flown.now)
    for _ in range(200):
        flown.step()
    assert flown.mission.state is PAUSED
    way = path[1] - path[0]
    gone = flown.place - path[0]
    assert abs(way[0] * gone[1] - way[1] * gone[0]) < 1e-9
    spent = flown.mission.ledger.spent
    for _ in range(200):
        flown.step()
    assert flown.mission.ledger.spent == spent
    flown.mission.resume(flown.now)
    flown.step()
    assert flown.mission.state is MOVING


def test_a_pause_longer_than_anything_costs_no_time():
    """Field case I7."""
    flown = Flown(config(stop={'max_time_s': 60.0})).begin()
    flown.mission.pause(flown.now)
    flown.wait(10_000.0)
    flown.mission.resume(flown.now)
    flown.step()
    assert flown.mission.state is MOVING
    job = None
    while job is None or job.decision is None:
        flown.step()
        job = flown.work(finish=False) if flown.mission.state is PLANNING else job
        if flown.mission.state is RETURNING:
            break
    flown.until(DONE)
    assert flown.mission.record().outcome == 'time_up'
    assert flown.now > 10_050.0


def test_time_paused_while_measuring_does_not_shorten_the_measurement():
    flown = Flown(config(vehicle={'dwell_s': 5.0})).begin().until(MEASURING)
    flown.mission.pause(flown.now)
    flown.wait(100.0)
    flown.mission.resume(flown.now)
    flown.step()
    assert flown.mission.state is MEASURING


@pytest.mark.parametrize('moment', [WAITING, MOVING, MEASURING, PAUSED])
def test_a_call_home_brings_the_vehicle_home_from_every_state(moment):
    flown = Flown(config(vehicle={'dwell_s': 1.0}))
    flown.tell()
    flown.mission.start(0.0)
    if moment is PAUSED:
        flown.until(MOVING).mission.pause(flown.now)
    flown.until(moment)
    assert flown.mission.return_home(flown.now, 'enough')[0]
    assert flown.mission.state is RETURNING
    flown.until(DONE)
    assert at_home(flown)
    record = flown.mission.record()
    assert (record.outcome, record.reason) == ('returned', 'enough')


def test_a_pause_on_the_way_home_goes_on_to_home():
    flown = Flown().begin().until(MEASURING)
    flown.mission.return_home(flown.now)
    flown.step()
    flown.mission.pause(flown.now)
    assert flown.mission.state is PAUSED
    assert flown.mission.return_home(flown.now) == (True, 'already returning')
    flown.until(DONE)
    assert at_home(flown)


def test_a_reset_forgets_everything_but_the_place():
    flown = Flown().begin().until(MEASURING)
    flown.mission.pause(flown.now)
    assert flown.mission.reset(flown.now) == (True, 'reset')
    record = flown.mission.record()
    assert (flown.mission.state, record.spent_m, record.waypoints) == (IDLE, 0.0, [])
    assert flown.mission.map() is None
    flown.mission.start(flown.now)
    np.testing.assert_allclose(flown.mission.record().home, flown.place)


@pytest.mark.parametrize('moment', [WAITING, PLANNING, MOVING, MEASURING, RETURNING])
def test_a_vehicle_that_is_led_gets_no_whole_budget_by_a_reset(moment):
    flown = Flown()
    flown.tell()
    flown.mission.start(flown.now)
    if moment not in (WAITING, PLANNING):
        flown.step()
        flown.until(MEASURING)
    if moment is PLANNING:
        flown.work(finish=False)
        flown.mission.pause(flown.now)
        flown.mission.resume(flown.now)
        moment = WAITING
    elif moment is not WAITING:
        if moment is RETURNING:
            flown.mission.return_home(flown.now)
        flown.until(moment)
    spent = flown.mission.ledger.spent
    answer = flown.mission.reset(flown.now)
    assert answer == (False, f'fly home or pause first: {moment.value}')
    assert flown.mission.state is moment
    assert flown.mission.ledger.spent == spent


def test_what_is_streamed_stays_over_a_reset():
    flown = Flown().begin()
    flown.fly(1.0)
    flown.mission.pause(flown.now)
    flown.step(5.0)
    place = flown.mission.setpoint()
    flown.mission.reset(flown.now)
    for _ in range(10):
        flown.step()
        assert flown.mission.setpoint() == place
    assert flown.mission.state is IDLE


@pytest.mark.parametrize('moment', [PAUSED, DONE])
def test_a_vehicle_flown_elsewhere_by_hand_is_not_led_back_across_everything(moment):
    flown = Flown(config(budget={'total_m': 100.0})).begin()
    if moment is PAUSED:
        flown.mission.pause(flown.now)
    flown.until(moment)
    flown.step(5.0)
    for place in ((20.0, 8.0), (30.0, 30.0), (6.0, 30.0)):
        flown.jump(*place)
        assert flown.mission.state is moment
        near = flown.mission.setpoint()
        assert np.hypot(near.x - place[0], near.y - place[1]) <= 3.0
    # By steps of a hand, too.
    for k in range(60):
        flown.now += 0.1
        flown.place = np.array([6.0 + 0.4 * k, 30.0])
        flown.tell()
        near = flown.mission.setpoint()
        # Where it could brake, at the cruise speed.
        assert np.hypot(*(flown.place - [near.x, near.y])) <= 6.25


def test_what_happens_after_the_end_belongs_to_no_mission():
    flown = Flown(config(budget={'total_m': 100.0}, stop={'max_time_s': 200.0})).begin()
    flown.until(DONE)
    spent, flown_m = flown.mission.ledger.spent, flown.mission.record().flown_m
    ended = flown.now
    for k in range(200):
        flown.now += 0.1
        flown.place = np.array([4.0 + 0.15 * k, 4.0])
        flown.tell()
    flown.wait(300.0)
    across = 2.0 * CONFIG.vehicle.arrival_radius_m
    assert flown.mission.ledger.spent <= spent + across
    assert flown.mission.record().flown_m <= flown_m + across
    assert flown.mission.ledger.overrun == 0.0
    flown.jump(4.0, 4.0)
    assert flown.mission.swap_battery(flown.now)[0]
    assert flown.mission.resume(flown.now)[0]
    flown.step()
    assert flown.mission.memory.elapsed_s <= ended + 1.0
    flown.until(DONE)
    assert flown.mission.record().outcome != 'time_up' or flown.mission.memory.elapsed_s > 199.0


# Ends: each is at home (field case G1)


@pytest.mark.parametrize(
    'settings, outcome',
    [
        (config(), 'budget_exhausted'),
        (config(budget={'total_m': 2e3}, area={'resolution_m': 9.0}), 'no_legal_candidate'),
        (config(stop={'max_time_s': 12.0}), 'time_up'),
        (config(stop={'found_threshold': -4.0, 'found_sigmas': 0.0}), 'found'),
        (
            config(
                stop={'converged': True, 'price': 1e3, 'converged_min_samples': 1},
                policy={'name': 'pbgi'},
            ),
            'converged',
        ),
    ],
)
def test_every_end_of_the_search_is_at_home(settings, outcome):
    """Field case G1."""
    flown = Flown(settings).begin().until(DONE, HOLD, seconds=5000.0)
    assert flown.mission.record().outcome == outcome
    assert flown.mission.state is DONE
    assert at_home(flown)


@pytest.mark.parametrize('policy, outcome', [(Raising(), 'failed'),
                                             (Nowhere(), 'no_legal_candidate')])
def test_a_policy_that_cannot_decide_brings_the_vehicle_home(policy, outcome):
    flown = Flown().begin().until(MEASURING)
    flown.mission.reconfigure(CONFIG, policy)
    flown.until(DONE)
    assert flown.mission.record().outcome == outcome
    assert at_home(flown)


def test_a_budget_that_allows_no_flight_ends_where_it_began():
    flown = Flown(config(budget={'total_m': 1.0})).begin().until(DONE)
    assert flown.mission.record().spent_m == 0.0
    assert flown.place.tolist() == [4.0, 4.0]


@pytest.mark.parametrize('start', [(-3.0, 4.0), (20.0, 20.0)])
def test_an_illegal_home_holds_the_vehicle_on_the_ground(start):
    zone = '15,15; 25,15; 25,25; 15,25'
    flown = Flown(config(no_fly={'polygons': (zone,)}), start=start)
    flown.tell()
    flown.mission.start(0.0)
    assert flown.mission.state is HOLD
    assert 'outside the search area or in a no-fly zone' in flown.mission.reason
    for _ in range(20):
        flown.step()
    assert flown.place.tolist() == list(start)


def test_zones_over_the_whole_area_hold_the_vehicle():
    flown = Flown(config(no_fly={'polygons': ('-1,-1; 41,-1; 41,41; -1,41',)}))
    flown.tell()
    flown.mission.start(0.0)
    assert flown.mission.state is HOLD
    assert 'cover the whole search area' in flown.mission.reason


def test_a_home_beyond_the_budget_holds_the_vehicle():
    home = {'mode': 'fixed', 'x': 36.0, 'y': 36.0}
    flown = Flown(config(home=home, budget={'total_m': 40.0}))
    flown.tell()
    flown.mission.start(0.0)
    assert flown.mission.state is HOLD
    assert 'the way home costs 45.3 m' in flown.mission.reason


def test_a_start_inside_a_zone_leaves_by_the_shortest_way():
    """Field case E14."""
    zone = '10,10; 20,10; 20,20; 10,20'
    home = {'mode': 'fixed', 'x': 4.0, 'y': 4.0}
    flown = Flown(
        config(home=home, no_fly={'polygons': (zone,), 'margin_m': 0.0}), start=(10.5, 15.0)
    ).begin()
    assert flown.mission.state is WAITING
    np.testing.assert_allclose(flown.mission.path()[1], [10.0, 15.0], atol=1e-6)
    flown.until(MOVING)
    assert flown.place[0] <= 10.0
    flown.until(DONE)
    np.testing.assert_allclose(flown.place, [4.0, 4.0], atol=1.0)


# Battery


@pytest.mark.parametrize('fraction', [None, math.nan, -0.01, 0.21, 1.0, 73.0])
def test_an_unknown_battery_is_not_an_empty_one(fraction):
    """Field cases G5, G6 and G7."""
    flown = Flown().begin()
    flown.mission.update_battery(fraction, flown.now)
    assert flown.mission.state is MOVING


@pytest.mark.parametrize('fraction', [0.2, 0.0])
def test_a_low_battery_calls_home_for_good(fraction):
    """Field case G2: the way home is latched."""
    flown = Flown().begin().until(MEASURING)
    mission = flown.mission
    mission.update_battery(fraction, flown.now)
    assert mission.state is RETURNING
    mission.update_battery(0.9, flown.now)
    mission.resume(flown.now)
    mission.start(flown.now)
    assert mission.state is RETURNING
    flown.until(DONE)
    assert at_home(flown)
    assert 'the battery is low' in mission.record().reason


def test_a_low_battery_ends_a_pause():
    flown = Flown().begin()
    flown.mission.pause(flown.now)
    flown.mission.update_battery(0.1, flown.now)
    flown.until(DONE)
    assert at_home(flown)


def test_a_pause_of_the_way_home_outlasts_a_low_battery():
    """Its messages come every second; whoever pauses now has a reason to."""
    flown = Flown().begin().until(MEASURING)
    mission = flown.mission
    mission.update_battery(0.15, flown.now)
    assert mission.state is RETURNING
    assert mission.pause(flown.now)[0]
    for _ in range(5):
        flown.wait(1.0)
        mission.update_battery(0.15, flown.now)
        assert mission.state is PAUSED
    mission.resume(flown.now)
    assert mission.state is RETURNING
    flown.until(DONE)
    assert at_home(flown)


def test_every_battery_calls_home_once():
    flown = Flown().begin().until(MEASURING)
    mission = flown.mission
    mission.update_battery(0.1, flown.now)
    flown.until(DONE)
    assert mission.swap_battery(flown.now)[0]
    assert mission.resume(flown.now)[0]
    flown.until(MOVING)
    mission.update_battery(0.1, flown.now)
    assert mission.state is RETURNING


# Poses and readings


def test_a_pose_that_jumps_is_not_charged_and_makes_a_new_plan():
    flown = Flown().begin()
    spent = flown.mission.ledger.spent
    flown.jump(36.0, 36.0)
    assert flown.mission.state is PLANNING
    assert 'jumped' in flown.mission.reason
    assert flown.mission.ledger.spent == spent
    flown.step()
    assert flown.mission.state is MOVING
    flown.until(DONE)
    assert at_home(flown)


def test_a_vehicle_blown_off_its_path_gets_a_new_one():
    flown = Flown().begin()
    for _ in range(60):
        flown.now += 0.1
        flown.place = flown.place + 0.25 * np.array([-1.0, 1.0]) * (flown.place[1] < 30.0)
        flown.place = np.clip(flown.place, 0.0, 40.0)
        flown.tell()
    assert flown.mission.state is PLANNING
    assert 'left its path' in flown.mission.reason
    flown.until(DONE)
    assert at_home(flown)


def test_readings_without_a_place_are_counted_and_not_used():
    flown = Flown().begin()
    for stamp in (-50.0, math.nan, 1e9):
        flown.mission.add_reading(5.0, stamp)
    flown.step()
    flown.until(MEASURING)
    record = flown.mission.record()
    assert record.rejections['no_pose'] == 3
    assert all(value <= 0.0 for _, _, value, _ in record.samples)


def test_bad_values_are_counted_and_never_become_a_belief():
    flown = Flown().begin()
    for value in (math.nan, math.inf, -math.inf, 1e30):
        flown.mission.add_reading(value, flown.now)
    flown.until(MEASURING)
    record = flown.mission.record()
    assert record.rejections['not_finite'] == 3
    assert record.rejections['above_max'] == 1
    assert math.isfinite(record.best.mean)
    assert np.isfinite(flown.mission.map().mean).all()


def test_a_full_queue_drops_the_oldest_and_counts_them(monkeypatch):
    monkeypatch.setattr(inbox, 'MAX_WAITING', 10)
    flown = Flown()
    flown.tell()
    flown.mission.start(0.0)
    for k in range(25):
        flown.mission.add_reading(float(k), 0.001 * k)
    assert flown.mission.record().n_readings == 25
    assert flown.mission.record().rejections == {'queue_full': 15}


def test_readings_before_the_start_and_after_the_end_do_not_count():
    flown = Flown(config(budget={'total_m': 1.0}))
    flown.tell()
    assert flown.mission.record().n_readings == 0
    flown.begin().until(DONE)
    before = flown.mission.record().n_readings
    flown.step()
    assert flown.mission.record().n_readings == before


def test_no_reading_no_flight():
    flown = Flown(field=lambda x, y: math.nan)
    flown.tell()
    flown.mission.start(0.0)
    for _ in range(50):
        flown.step()
    assert flown.mission.state is WAITING
    assert flown.place.tolist() == [4.0, 4.0]


# Jobs


def test_only_one_job_at_a_time():
    flown = Flown()
    flown.tell()
    flown.mission.start(0.0)
    flown.tell()
    job = flown.mission.begin(0.0)
    assert job is not None
    assert flown.mission.begin(0.0) is None


def test_what_a_job_found_before_a_reset_is_dropped():
    flown = Flown().begin().until(PLANNING, MEASURING)
    flown.now += 1.0
    job = flown.work(finish=False)
    flown.mission.pause(flown.now)
    flown.mission.reset(flown.now)
    flown.mission.finish(job, 0.0)
    assert flown.mission.state is IDLE
    assert flown.mission.record().waypoints == []
    assert flown.mission.map() is None


def replanning():
    """Return a flying mission with a decision under way."""
    flown = Flown(config(policy={'replan_period_s': 1.0, 'hysteresis': 0.0})).begin()
    flown.now += 1.0
    flown.tell()
    job = flown.work(finish=False)
    assert job.decision is not None
    return flown, job


@pytest.mark.parametrize('command', ['pause', 'return_home'])
def test_a_decision_overtaken_by_a_command_is_dropped(command):
    flown, job = replanning()
    n_targets = len(flown.mission.record().waypoints)
    getattr(flown.mission, command)(flown.now)
    state = flown.mission.state
    flown.mission.finish(job, 0.0)
    assert flown.mission.state is state
    flown.mission.resume(flown.now)
    assert len(flown.mission.record().waypoints) == n_targets
    flown.until(DONE)
    assert at_home(flown)


def test_a_slow_decision_never_finds_the_vehicle_beyond_the_start_of_its_path():
    flown, job = replanning()
    for _ in range(100):
        flown.fly()
    np.testing.assert_allclose(flown.place, job.lead_in[-1], atol=1e-9)
    assert flown.mission.state is MOVING
    flown.mission.finish(job, 10.0)
    flown.until(DONE)
    assert at_home(flown)
    assert flown.mission.ledger.overrun == 0.0


def test_an_arrival_while_a_decision_is_made_is_measured():
    """Field case F7: the stop is charged and made once."""
    flown = Flown(config(policy={'replan_period_s': 0.5}, vehicle={'dwell_s': 2.0})).begin()
    target = flown.mission.target
    flown.place = target - np.array([0.0, 2.0])
    flown.now += 10.0
    flown.tell()
    job = flown.work(finish=False)
    assert job.decision is not None
    flown.place = np.array(target)
    flown.now += 0.5
    flown.tell()
    assert flown.mission.state is MEASURING
    flown.mission.finish(job, 0.5)
    assert flown.mission.state is MEASURING


def test_the_explorer_hears_of_an_arrival_when_the_running_job_is_done():
    """What a job decides must not depend on how fast it runs."""
    flown = Flown(config(policy={'replan_period_s': 0.5}, vehicle={'dwell_s': 2.0})).begin()
    target = flown.mission.target
    flown.place = target - np.array([0.0, 2.0])
    flown.now += 10.0
    flown.tell()
    job = flown.mission.begin(flown.now)
    before = len(flown.mission.explorer.stops)
    flown.place = np.array(target)
    flown.now += 0.5
    flown.tell()
    assert flown.mission.state is MEASURING
    assert len(flown.mission.explorer.stops) == before
    job.run()
    flown.mission.finish(job, 0.5)
    assert len(flown.mission.explorer.stops) == before + 1
    assert (flown.mission.explorer.stops[-1] == target).all()


def test_a_fit_that_crashes_is_not_tried_again_at_once(monkeypatch):
    calls = []

    def crash(samples, *rest, **named):
        calls.append(len(samples))
        raise RuntimeError('singular')

    monkeypatch.setattr('bo_explorer.core.explorer.fit', crash)
    flown = Flown(config(model={'fit': True, 'fit_min_samples': 3})).begin()
    flown.until(DONE)
    assert at_home(flown)
    assert flown.mission.record().outcome == 'budget_exhausted'
    assert len(calls) > 3
    assert all(later >= 1.25 * earlier for earlier, later in zip(calls, calls[1:]))


def test_no_target_is_flown_to_twice():
    """Field case F7: a flat field."""
    kept = {'replan_period_s': 0.0}
    flown = Flown(
        config(budget={'total_m': 600.0}, policy=kept), field=lambda x, y: 7.0
    ).begin()
    flown.until(DONE)
    targets = flown.mission.record().waypoints
    assert len(targets) > 10
    assert len({tuple(target) for target in targets}) == len(targets)


def test_hovering_with_jitter_costs_nothing():
    """Field case G12: 10 cm at 50 Hz for 60 s."""
    flown = Flown(field=lambda x, y: math.nan)
    flown.tell()
    flown.mission.start(0.0)
    jitter = np.random.default_rng(0).uniform(-0.1, 0.1, size=(3000, 2))
    for k, offset in enumerate(jitter):
        x, y = 4.0 + offset[0], 4.0 + offset[1]
        flown.mission.update_pose(Pose(x, y, stamp=0.02 * k), 0.02 * k)
    assert flown.mission.ledger.spent < 0.3


def test_six_thousand_readings_are_taken():
    """Field case H7: 10 Hz for ten minutes."""
    settings = config(ingest={'max_samples': 100, 'cell_m': 1.0})
    explorer_readings = 6000
    flown = Flown(settings)
    flown.tell()
    flown.mission.start(0.0)
    rng = np.random.default_rng(0)
    for k in range(explorer_readings):
        x, y = rng.uniform(0.0, 40.0, size=2)
        flown.mission.update_pose(Pose(x, y, stamp=0.1 * k), 0.1 * k)
        flown.mission.add_reading(float(rng.normal()), 0.1 * k)
    flown.now = 600.0
    flown.work()
    record = flown.mission.record()
    assert record.n_readings == explorer_readings
    assert 0 < len(record.samples) <= 100
    assert sum(count for *_, count in record.samples) == explorer_readings - sum(
        record.rejections.values()
    )


def test_targets_within_the_arrival_radius_are_not_measured_from_one_place():
    """Field case F9: every stop follows a flight."""
    settings = config(
        vehicle={'arrival_radius_m': 3.0, 'dwell_s': 0.0},
        area={'resolution_m': 1.0},
        budget={'total_m': 150.0, 'stop_cost_m': 0.5},
        ingest={'cell_m': 1.0},
        policy={'name': 'dist_ucb'},
    )
    flown = Flown(settings).begin().until(DONE)
    record = flown.mission.record()
    assert record.stops > 5
    targets = np.array([[4.0, 4.0], *record.waypoints])
    assert (np.linalg.norm(np.diff(targets, axis=0), axis=1) > 3.0).all()
    assert record.spent_m == pytest.approx(record.flown_m + 0.5 * record.stops, abs=1e-9)
