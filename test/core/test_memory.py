# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A mission killed at any moment and gone on with: nothing accepted is lost, or spent twice."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bo_explorer.core.errors import MemoryFileError
from bo_explorer.core.memory import MissionMemory, change, changed, resumed
from bo_explorer.core.mission import Mission, MissionState
from bo_explorer.core.policy import make_policy
from bo_explorer.core.types import Pose

from .missions import CONFIG, Flown, config

IDLE, WAITING, MOVING, MEASURING = (
    MissionState.IDLE,
    MissionState.WAITING,
    MissionState.MOVING,
    MissionState.MEASURING,
)
RETURNING, PAUSED = MissionState.RETURNING, MissionState.PAUSED
SUSPENDED, DONE = MissionState.SUSPENDED, MissionState.DONE

BOOT_S = 5000.0
"""Between two processes."""


def remembered(flown):
    """Return the memory as it comes back from a file."""
    return json.loads(json.dumps(flown.mission.memory.to_dict(), allow_nan=False))


def killed(flown, memory=None, *, config_now=None):
    """Let another process go on from a memory; the vehicle stays where it is."""
    memory = remembered(flown) if memory is None else memory
    settings_now = resumed(config_now or flown.mission.config, MissionMemory.from_dict(memory))
    flown.mission = Mission(settings_now, make_policy(settings_now.policy.name))
    # The clock of another boot.
    flown.now += BOOT_S
    assert flown.mission.restore(memory, flown.now)[0]
    return flown


def at_home(flown):
    home = flown.mission.record().home
    return np.linalg.norm(flown.place - home) <= CONFIG.vehicle.arrival_radius_m


def test_a_mission_without_a_home_has_nothing_to_remember():
    flown = Flown()
    assert flown.mission.memory is None
    flown.mission.start(0.0)
    assert flown.mission.memory is None


@pytest.mark.parametrize('moment', [WAITING, MOVING, MEASURING, RETURNING])
def test_a_mission_goes_on_where_it_was(moment):
    flown = Flown(config(budget={'total_m': 150.0}))
    flown.tell()
    flown.mission.start(0.0)
    if moment is not WAITING:
        flown.until(MEASURING).until(MOVING).until(MEASURING)
        flown.fly(0.2)
        flown.until(moment)
    before = flown.mission.record()
    samples, spent, stops = before.samples, before.spent_m, before.stops
    targets = list(before.waypoints)
    killed(flown)
    assert flown.mission.state is SUSPENDED
    assert flown.mission.setpoint() is None
    assert flown.mission.begin(flown.now) is None
    record = flown.mission.record()
    assert record.samples == samples
    assert (record.spent_m, record.stops, record.waypoints) == (spent, stops, targets)
    flown.step()
    assert flown.mission.state is not SUSPENDED
    flown.until(DONE)
    record = flown.mission.record()
    assert at_home(flown)
    assert spent <= record.spent_m <= 150.0


def test_the_way_the_vehicle_made_while_nobody_listened_is_charged():
    flown = Flown().begin()
    flown.fly(1.0)
    spent = flown.mission.ledger.spent
    memory = remembered(flown)
    flown.place = flown.place + np.array([3.0, 4.0])
    killed(flown, memory)
    assert flown.mission.ledger.spent == spent
    flown.jump(*flown.place)
    assert flown.mission.ledger.spent == pytest.approx(spent + 5.0)
    flown.until(DONE)
    assert at_home(flown)


@pytest.mark.parametrize('away_s', [0.0, 200.0, -100.0])
def test_the_time_nobody_was_there_is_charged_to_a_time_limit(away_s):
    limited = config(budget={'total_m': math.nan, 'total_s': 300.0})
    flown = Flown(limited).begin()
    flown.fly(1.0)
    memory = remembered(flown)
    assert memory['clock_s'] == flown.now
    before, flown_s = flown.mission.ledger.remaining, flown.now
    flown.now += away_s - BOOT_S
    killed(flown, memory)
    flown.jump(*flown.place)
    # Not all of a store is surely enough to fly with: so much of each second.
    lost = max(away_s, 0.0) * before / (300.0 - flown_s)
    assert flown.mission.ledger.remaining == pytest.approx(before - lost, rel=0.05)
    flown.until(DONE)
    assert at_home(flown)


TIMED = config(budget={'total_m': math.nan, 'total_s': 150.0})


@pytest.fixture(scope='module')
def unbroken_s():
    """Time a mission under a time limit flies when nothing comes between, seconds."""
    return Flown(TIMED).begin().until(DONE).now


@pytest.mark.parametrize('away_s', [0.0, 60.0])
def test_a_restart_under_a_time_limit_costs_the_time_away_and_no_more(away_s, unbroken_s):
    """What was drawn before the first pose says nothing about the metres after it."""
    flown = Flown(TIMED).begin()
    while flown.now < 30.0:
        flown.step()
    flown.now += away_s - BOOT_S
    killed(flown)
    begun_at = flown.now
    flown.jump(*flown.place)
    flown.until(DONE)
    assert at_home(flown)
    left_s = unbroken_s - 30.0 - away_s
    assert 0.8 * left_s < flown.now - begun_at < 1.1 * left_s


def test_the_time_until_the_first_pose_of_a_restart_is_charged_with_that_pose():
    flown = Flown(TIMED).begin()
    flown.fly(1.0)
    before, flown_s = flown.mission.ledger.remaining, flown.now
    flown.now -= BOOT_S
    killed(flown)
    restored_at = flown.now
    while flown.now < restored_at + 60.0:
        flown.now += 0.5
        flown.mission.begin(flown.now)
    flown.tell()
    assert flown.mission.memory.place == pytest.approx(list(flown.place))
    share = 1.0 - 60.0 / (150.0 - flown_s)
    assert flown.mission.ledger.remaining == pytest.approx(share * before, rel=0.1)


@pytest.mark.parametrize('gap_s', [0.0, 60.0])
def test_what_is_drawn_before_the_first_pose_of_a_restart_teaches_nothing(gap_s):
    learning = config(
        budget={'total_m': math.nan, 'total_percent': 100.0, 'battery_low': 0.0},
        energy={'range_m': 600.0, 'hover_s': 200.0, 'learn': True},
    )
    flown = Flown(learning).begin()
    charge = [1.0]

    def draw(share):
        charge[0] -= share
        flown.mission.update_battery(charge[0], flown.now)

    def fly():
        place, before = flown.place, flown.now
        flown.step()
        moved = float(np.linalg.norm(flown.place - place))
        draw(moved / 600.0 if moved > 0.1 else (flown.now - before) / 200.0)

    while flown.now < 20.0:
        fly()
    killed(flown)
    for _ in range(int(2.0 * gap_s)):
        flown.now += 0.5
        flown.mission.begin(flown.now)
        draw(0.5 / 200.0)
    flown.jump(*flown.place)
    left = charge[0]
    while flown.mission.state is not DONE:
        fly()
    assert at_home(flown)
    assert 0.0 < charge[0] < 0.35 * left, 'what is left is used for the search'


def test_one_wild_pose_after_a_restart_costs_nothing():
    flown = killed(Flown().begin())
    spent = flown.mission.ledger.spent
    flown.mission.update_pose(Pose(9000.0, 0.0, stamp=flown.now), flown.now)
    flown.jump(*flown.place)
    assert flown.mission.ledger.spent == pytest.approx(spent)
    flown.until(DONE)
    assert at_home(flown)


def test_what_was_paused_stays_paused_and_what_was_done_stays_done():
    flown = Flown(config(budget={'total_m': 100.0})).begin()
    flown.mission.pause(flown.now)
    killed(flown)
    for _ in range(20):
        flown.step()
    assert flown.mission.state is PAUSED
    flown.mission.resume(flown.now)
    flown.until(DONE)
    spent = flown.mission.ledger.spent
    killed(flown)
    for _ in range(20):
        flown.step()
    assert flown.mission.state is DONE
    assert flown.mission.ledger.spent == pytest.approx(spent)
    assert flown.mission.start(flown.now) == (True, 'already started: done')
    assert flown.mission.swap_battery(flown.now)[0]
    flown.mission.resume(flown.now)
    flown.until(DONE)
    assert flown.mission.record().swaps == 1
    assert at_home(flown)


def test_zones_added_in_flight_and_zones_added_to_the_file_both_count():
    flown = Flown().begin()
    added = config(no_fly={'polygons': ('20,20; 24,20; 24,24; 20,24',)})
    assert flown.mission.reconfigure(added, flown.mission._policy)
    edited = config(no_fly={'polygons': ('10,30; 14,30; 14,34; 10,34',)})
    killed(flown, config_now=edited)
    assert len(flown.mission.explorer.area.zones) == 2
    flown.until(DONE)
    assert at_home(flown)


def test_an_area_changed_in_flight_stays_changed():
    flown = Flown().begin()
    small = (0.0, 0.0, 24.0, 0.0, 24.0, 24.0, 0.0, 24.0)
    assert flown.mission.reconfigure(config(area={'polygon': small}), flown.mission._policy)
    for _ in range(3):
        killed(flown, config_now=CONFIG)
        assert flown.mission.config.area.polygon == small
    flown.jump(*flown.place)
    flown.mission.pause(flown.now)
    flown.mission.reset(flown.now)
    flown.mission.start(flown.now)
    killed(flown, config_now=CONFIG)
    assert flown.mission.config.area.polygon == small


def test_an_area_edited_in_the_file_counts_more_than_one_changed_in_flight_before():
    small, edited = (0.0, 0.0, 24.0, 0.0, 24.0, 24.0, 0.0, 24.0), (0.0, 0.0, 30.0, 0.0, 30.0, 30.0)
    flown = Flown().begin()
    assert flown.mission.reconfigure(config(area={'polygon': small}), flown.mission._policy)
    memory = {**remembered(flown), 'polygon_given': list(CONFIG.area.polygon)}
    known = MissionMemory.from_dict(memory)
    assert resumed(CONFIG, known).area.polygon == small
    assert resumed(config(area={'polygon': edited}), known).area.polygon == edited


@pytest.mark.parametrize('is_paused', [True, False])
def test_a_vehicle_brought_elsewhere_in_the_meantime_is_not_led_back_through_a_zone(is_paused):
    zone = '10,-1; 20,-1; 20,30; 10,30'
    flown = Flown(config(budget={'total_m': 600.0}, no_fly={'polygons': (zone,)})).begin()
    while flown.place[0] < 25.0:
        flown.step()
    if is_paused:
        flown.mission.pause(flown.now)
        flown.step(3.0)
    memory = remembered(flown)
    flown.place = np.array([4.0, 4.0])
    killed(flown, memory)
    flown.jump(4.0, 4.0)
    track = [flown.place]
    # Nobody has made a plan yet.
    for _ in range(20):
        flown.fly()
        track.append(flown.place)
    assert np.linalg.norm(flown.place - [4.0, 4.0]) < 0.1
    if is_paused:
        assert flown.mission.state is PAUSED
        flown.mission.resume(flown.now)
    while flown.mission.state is not DONE:
        flown.step()
        track.append(flown.place)
    assert not flown.mission.explorer.area.crosses_zone(np.array(track))


def test_what_was_learned_is_not_forgotten():
    flown = Flown(config(model={'fit': True, 'fit_min_samples': 3}, budget={'total_m': 120.0}))
    flown.begin().until(MEASURING).until(MOVING).until(MEASURING)
    learned = flown.mission.explorer.learned
    assert learned is not None
    killed(flown)
    assert flown.mission.explorer.learned == learned
    np.testing.assert_allclose(
        flown.mission.explorer.best.mean, flown.mission.record().best.mean
    )


@settings(max_examples=12)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=4), st.integers(0, 3))
def test_kills_at_any_moment_lose_no_accepted_sample_and_no_metre(kills, lag):
    """The memory is a chain of changes, as in the file; the last few may not have been written."""
    flown = Flown(config(budget={'total_m': 120.0, 'reserve_m': 0.0}, vehicle={'dwell_s': 0.2}))
    flown.begin()
    true_cost, place = 0.0, flown.place
    for steps in [*kills, 10_000]:
        saved = chain = flown.mission.memory.to_dict()
        history = [chain]
        for _ in range(steps):
            if flown.mission.state is DONE:
                break
            flown.step()
            true_cost += float(np.linalg.norm(flown.place - place))
            place = flown.place
            after = flown.mission.memory.to_dict()
            step = json.loads(json.dumps(change(saved, after), allow_nan=False))
            chain, saved = changed(chain, step), after
            assert chain == json.loads(json.dumps(after))
            history.append(chain)
        if flown.mission.state is DONE:
            break
        # A killed process has written all; a power cut loses what was not yet on the disk.
        last = history[max(len(history) - 1 - lag, 0)]
        killed(flown, json.loads(json.dumps(last)))
        assert flown.mission.record().samples == last['samples']
        assert flown.mission.ledger.spent == last['spent_m']
    assert flown.mission.state is DONE, flown.mission.reason
    assert at_home(flown)
    assert flown.mission.ledger.overrun == 0.0
    if lag == 0:
        assert true_cost + flown.mission.record().stops <= 120.0


# What may come out of a file


GOOD = Flown(config(budget={'total_m': 60.0})).begin().until(MEASURING)


@pytest.mark.parametrize(
    'wrong',
    [
        {'state': 'flying'},
        {'state': 'idle'},
        {'spent_m': -1.0},
        {'spent_m': math.nan},
        {'spent_m': '5'},
        {'home': [1.0]},
        {'home': None},
        {'place': [math.inf, 0.0]},
        {'samples': [[1.0, 2.0, 3.0]]},
        {'samples': [[1.0, 2.0, math.nan, 1.0]]},
        {'samples': [[1.0, 2.0, 3.0, 0.0]]},
        {'learned': {'kernel': 'no such'}},
        {'zones': [1]},
        {'surprise': 1},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_what_is_no_memory_is_refused_and_changes_nothing(wrong):
    mission = Mission(CONFIG, make_policy('ucb'))
    with pytest.raises(MemoryFileError):
        mission.restore({**remembered(GOOD), **wrong}, 0.0)
    assert mission.state is IDLE
    assert mission.ledger.spent == 0.0


def test_only_a_mission_that_has_not_begun_can_be_restored():
    flown = Flown().begin()
    assert flown.mission.restore(remembered(GOOD), flown.now) == (False, 'already started: moving')


@pytest.mark.parametrize(
    'step', [{'set': 3}, {'samples': [99, []]}, {'samples': 1}, {'home': [1, 2]}, {'stops': [0]}]
)
def test_a_change_that_does_not_fit_is_refused(step):
    with pytest.raises(MemoryFileError):
        changed(remembered(GOOD), step)


def test_no_change_is_empty():
    memory = remembered(GOOD)
    assert change(memory, remembered(GOOD)) == {}


def test_the_changes_told_in_flight_add_up_to_what_is_remembered():
    """What a journal holds: a target that is added to a list in place must be seen."""
    flown = Flown().begin()
    told, before = remembered(flown), flown.mission.memory.to_dict()
    while flown.mission.state is not DONE:
        flown.step()
        after = flown.mission.memory.to_dict()
        told = changed(told, json.loads(json.dumps(change(before, after))))
        before = after
        assert told == remembered(flown)
    assert len(told['targets']) > 5
