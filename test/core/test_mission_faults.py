# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Whatever fails around a mission has a name, holds the vehicle or brings it home, and heals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bo_explorer.core.gp.model import FitReport
from bo_explorer.core.job import Task
from bo_explorer.core.mission import MissionState
from bo_explorer.core.pose_gate import CONFIRMATIONS
from bo_explorer.core.types import Pose
from bo_explorer.core.watchdog import Fault

from .missions import CONFIG, Flown, config
from .test_memory import killed

PLANNING, MOVING, MEASURING = MissionState.PLANNING, MissionState.MOVING, MissionState.MEASURING
RETURNING, PAUSED = MissionState.RETURNING, MissionState.PAUSED
WAITING = MissionState.WAITING
SUSPENDED, HOLD, DONE = MissionState.SUSPENDED, MissionState.HOLD, MissionState.DONE


def at_home(flown):
    home = flown.mission.record().home
    return np.linalg.norm(flown.place - home) <= CONFIG.vehicle.arrival_radius_m


class Silenced(Flown):
    """A vehicle that flies on while pose or sensor are silent."""

    def see(self):
        """Let the localisation alone be heard."""
        place = Pose(float(self.place[0]), float(self.place[1]), stamp=self.now)
        self.mission.update_pose(place, self.now)

    def find_place(self):
        """Let the localisation alone be heard until it is believed."""
        for _ in range(CONFIRMATIONS):
            self.now += 0.1
            self.see()
        return self

    def silence(self, seconds, *, pose=False, reading=False):
        end = self.now + seconds
        while self.now < end:
            self.now += 0.1
            goal = self.mission.setpoint()
            ahead = np.array([goal.x, goal.y]) - self.place
            distance = float(np.linalg.norm(ahead))
            if distance > 0.0:
                self.place = self.place + ahead * min(0.4 / distance, 1.0)
            if not pose:
                self.see()
            if not reading:
                self.mission.add_reading(1.0, self.now)
            self.work()
            self.note_state()
        return self


def test_without_a_pose_the_vehicle_stops_on_its_path_until_there_is_one():
    flown = Silenced().begin()
    path = flown.mission.path()
    spent = flown.mission.ledger.spent
    flown.silence(1.5, pose=True)
    assert flown.mission.state is MOVING
    flown.silence(10.0, pose=True)
    assert flown.mission.state is SUSPENDED
    assert 'no usable pose' in flown.mission.faults[Fault.POSE_STALE]
    # It has not turned back: 4 m/s for 2 s, and the way to brake.
    gone = flown.place - path[0]
    way = (path[1] - path[0]) / np.linalg.norm(path[1] - path[0])
    assert gone @ way > 8.0
    assert abs(gone[0] * way[1] - gone[1] * way[0]) < 1e-9
    for _ in range(CONFIRMATIONS):
        flown.step()
    assert Fault.POSE_STALE not in flown.mission.faults
    assert flown.mission.state is MOVING
    assert flown.mission.ledger.spent - spent == pytest.approx(gone @ way, abs=0.5)
    flown.until(DONE)
    assert at_home(flown)


def test_a_vehicle_nobody_sees_that_hears_late_does_not_turn_back():
    """Found by the fault campaign: it had passed the place where it was to stop, unseen."""
    nimble = {'acceleration_mps2': 100.0, 'speed_mps': 4.0}
    flown = Flown(config(budget={'total_m': 600.0}, vehicle=nimble)).begin()
    start, end = flown.mission.path()
    way = (end - start) / np.linalg.norm(end - start)
    heard = [flown.mission.setpoint()] * 5
    along = [0.0]
    while along[-1] < 25.0 and len(along) < 100:
        flown.now += 0.1
        heard.append(flown.mission.setpoint())
        goal = heard.pop(0)
        ahead = np.array([goal.x, goal.y]) - flown.place
        distance = float(np.linalg.norm(ahead))
        flown.place = flown.place + ahead * min(0.4 / max(distance, 1e-9), 1.0)
        along.append(float((flown.place - start) @ way))
        flown.mission.begin(flown.now)
    assert flown.mission.state is SUSPENDED
    assert 8.0 < along[-1] < 20.0
    assert (np.diff(along) >= -1e-9).all()


def test_a_vehicle_nobody_sees_is_not_sent_to_and_fro():
    """Found by the fault campaign: it flew back to where it was seen to wait for a plan."""
    flown = Flown(
        config(
            budget={'total_m': 600.0},
            policy={'replan_period_s': 0.2},
            vehicle={'acceleration_mps2': 8.0},
        )
    ).begin()
    while np.linalg.norm(flown.mission.target - flown.place) < 20.0 or flown.place[0] < 5.0:
        flown.step()
    true_m, before, job = 0.0, flown.mission.ledger.spent, None
    for k in range(25):
        flown.now += 0.1
        goal = flown.mission.setpoint()
        ahead = np.array([goal.x, goal.y]) - flown.place
        way_m = min(0.4, float(np.linalg.norm(ahead)))
        if way_m > 0.0:
            flown.place = flown.place + ahead * way_m / np.linalg.norm(ahead)
        true_m += way_m
        if job is None:
            job = flown.mission.begin(flown.now)
        elif k % 5 == 0:
            job.run()
            flown.mission.finish(job, 0.0)
            job = None
    assert flown.mission.state is SUSPENDED
    if job is not None:
        job.run()
        flown.mission.finish(job, 0.0)
    flown.jump(*flown.place)
    assert true_m > 5.0
    assert flown.mission.ledger.spent - before == pytest.approx(true_m, abs=0.01)
    flown.until(DONE)
    assert at_home(flown)


def test_without_a_pose_the_way_home_waits_too():
    flown = Silenced().begin().until(MEASURING)
    flown.mission.return_home(flown.now)
    flown.step()
    flown.silence(5.0, pose=True)
    assert flown.mission.state is SUSPENDED
    flown.step()
    assert flown.mission.state is RETURNING
    flown.until(DONE)
    assert at_home(flown)


def test_poses_that_are_copies_of_one_are_no_poses():
    flown = Silenced().begin()
    frozen = Pose(*flown.place, stamp=flown.now)
    for _ in range(50):
        flown.now += 0.1
        flown.mission.update_pose(frozen, flown.now)
        flown.work()
    assert flown.mission.state is SUSPENDED
    assert flown.mission.pose_rejections['duplicate'] == 50


@pytest.mark.parametrize('is_restarted', [False, True])
def test_a_silent_sensor_holds_the_search_and_then_ends_it(is_restarted):
    flown = Silenced().begin()
    if is_restarted:
        killed(flown).find_place()
    flown.silence(12.0, reading=True)
    assert flown.mission.state is SUSPENDED
    assert Fault.SENSOR_SILENT in flown.mission.faults
    flown.silence(1.0)
    assert flown.mission.state in (PLANNING, MOVING, MEASURING)
    assert Fault.SENSOR_SILENT not in flown.mission.faults
    flown.silence(90.0, reading=True)
    assert flown.mission.state in (RETURNING, DONE)
    assert flown.mission.record().outcome == 'failed'
    assert 'no finite reading' in flown.mission.reason
    flown.silence(60.0, reading=True)
    assert flown.mission.state is DONE
    assert at_home(flown)


def test_a_restart_before_the_first_reading_waits_for_it_as_before():
    flown = Silenced().find_place()
    flown.mission.start(flown.now)
    killed(flown).find_place()
    flown.silence(90.0, reading=True)
    assert flown.mission.state is WAITING
    assert not flown.mission.faults
    flown.silence(2.0)
    assert flown.mission.state in (PLANNING, MOVING, MEASURING)


@pytest.mark.parametrize('is_swapped', [False, True])
def test_a_sensor_that_was_off_in_a_pause_has_its_time_again_after_it(is_swapped):
    flown = Silenced(config(budget={'total_m': 100.0})).begin()
    if is_swapped:
        flown.until(DONE)
        flown.silence(90.0, reading=True)
        assert flown.mission.swap_battery(flown.now)[0]
        flown.silence(1.0, reading=True)
    else:
        flown.mission.pause(flown.now)
        flown.silence(90.0, reading=True)
    assert flown.mission.state is PAUSED
    flown.mission.resume(flown.now)
    flown.silence(40.0, reading=True)
    assert flown.mission.state is SUSPENDED
    flown.silence(1.0)
    assert flown.mission.state in (PLANNING, MOVING, MEASURING)
    flown.silence(70.0, reading=True)
    assert flown.mission.record().outcome == 'failed'


def test_a_sensor_that_says_nan_is_silent():
    flown = Flown().begin()
    flown._field = lambda x, y: math.nan
    flown.until(SUSPENDED, seconds=20.0)
    flown._field = lambda x, y: 1.0
    flown.until(MOVING, MEASURING, seconds=2.0)


@pytest.fixture
def leaving():
    """Return a mission that has begun in a zone and is on its way out, with one reading."""
    zone = '10.0,10.0; 36.0,10.0; 36.0,36.0; 10.0,36.0'
    home = {'mode': 'fixed', 'x': 4.0, 'y': 4.0}
    flown = Silenced(
        config(budget={'total_m': 600.0}, home=home, no_fly={'polygons': (zone,)}),
        start=(23.0, 23.0),
    )
    flown.tell()
    flown.mission.start(flown.now)
    flown.silence(0.5)
    assert flown.mission.state is WAITING
    assert len(flown.mission.explorer.ingest.samples) == 0
    return flown


def is_out(flown):
    return bool(flown.mission.explorer.area.contains(flown.place[np.newaxis])[0])


def test_a_vehicle_that_waits_in_a_zone_leaves_it_without_another_reading_and_goes_home(leaving):
    """Readings from forbidden places do not count: nobody may wait there for one."""
    leaving.silence(5.0, reading=True)
    assert is_out(leaving)
    assert leaving.mission.state is WAITING
    leaving.silence(50.0, reading=True)
    assert leaving.mission.state is WAITING
    leaving.silence(20.0, reading=True)
    assert leaving.mission.record().outcome == 'failed'
    assert 'no finite reading' in leaving.mission.reason
    assert leaving.mission.state is DONE
    assert at_home(leaving)


@pytest.mark.parametrize('is_restarted', [False, True])
def test_a_vehicle_that_leaves_a_zone_goes_on_after_a_pause(leaving, is_restarted):
    leaving.mission.pause(leaving.now)
    leaving.silence(10.0)
    assert not is_out(leaving)
    if is_restarted:
        killed(leaving)
    leaving.mission.resume(leaving.now)
    leaving.find_place()
    leaving.silence(5.0, reading=True)
    assert is_out(leaving)


def test_a_vehicle_that_leaves_a_zone_goes_on_after_its_pose_has_jumped(leaving):
    leaving.place = leaving.place + [-8.0, 8.0]
    leaving.find_place()
    assert not is_out(leaving)
    leaving.silence(9.0, reading=True)
    assert is_out(leaving)


def stuck(flown, seconds):
    """Let time pass for a vehicle that does not follow."""
    for _ in range(int(10 * seconds)):
        flown.now += 0.1
        flown.tell()
        flown.work()


def test_a_stuck_vehicle_gets_another_target_and_is_called_home_after_three():
    """Field case F3: progress is watched, and what could not be reached is tried again later."""
    flown = Flown().begin()
    flown.fly(1.0)
    first = np.array(flown.mission.target)
    stuck(flown, 16.0)
    assert Fault.VEHICLE_STUCK in flown.mission.faults
    assert flown.mission.state is MOVING
    assert not np.array_equal(flown.mission.target, first)
    stuck(flown, 30.0)
    assert flown.mission.state is RETURNING
    assert flown.mission.record().outcome == 'failed'
    flown.fly(1.0)
    assert Fault.VEHICLE_STUCK not in flown.mission.faults
    flown.until(DONE)
    assert at_home(flown)


def test_a_vehicle_that_has_not_taken_off_is_not_called_home():
    flown = Flown().begin()
    stuck(flown, 100.0)
    assert Fault.VEHICLE_STUCK in flown.mission.faults
    assert flown.mission.state is MOVING
    assert len(flown.mission.record().waypoints) == 1
    flown.until(DONE)


def test_a_stuck_vehicle_that_moves_again_is_no_longer_stuck():
    flown = Flown().begin()
    flown.fly(1.0)
    stuck(flown, 16.0)
    flown.fly(1.0)
    flown.fly(1.0)
    assert Fault.VEHICLE_STUCK not in flown.mission.faults
    flown.until(DONE)
    assert flown.mission.record().outcome == 'budget_exhausted'


def test_a_frozen_clock_holds_the_vehicle():
    flown = Flown().begin()
    flown.mission.report_clock(3.0, flown.now)
    flown.mission.check(flown.now)
    assert flown.mission.state is SUSPENDED
    assert flown.mission.faults == {Fault.CLOCK_FROZEN: 'the clock stands still for 3 s'}
    flown.mission.report_clock(0.0, flown.now)
    flown.step()
    assert flown.mission.state is MOVING


@pytest.mark.parametrize('jump', [-1e5, -3.0, 1e6])
def test_a_clock_that_jumps_holds_the_vehicle_for_a_moment_and_ends_nothing(jump):
    """Field cases I3 and A11: no timeout ends by a jump, and readings keep their places."""
    settings = config(stop={'max_time_s': 60.0}, vehicle={'dwell_s': 5.0})
    flown = Flown(settings).begin().until(MEASURING)
    before = flown.mission.record().spent_m
    flown.now += jump
    flown.step()
    assert flown.mission.state is SUSPENDED
    assert Fault.CLOCK_JUMP in flown.mission.faults
    for _ in range(15):
        flown.step()
    assert flown.mission.state is MEASURING
    assert not flown.mission.faults.keys() - {Fault.POSE_JUMP}
    # It comes to rest within the arrival radius.
    assert flown.mission.record().spent_m <= before + 1.0
    n_samples = sum(count for *_, count in flown.mission.record().samples)
    flown.until(MOVING)
    flown.step(1.0)
    flown.until(DONE)
    assert sum(count for *_, count in flown.mission.record().samples) > n_samples + 10
    assert at_home(flown)


def test_one_wild_pose_changes_nothing():
    flown = Flown().begin()
    flown.fly(0.5)
    setpoint, spent = flown.mission.setpoint(), flown.mission.ledger.spent
    flown.mission.update_pose(Pose(-500.0, 900.0, stamp=flown.now + 0.01), flown.now + 0.01)
    assert flown.mission.setpoint() == setpoint
    assert flown.mission.ledger.spent == spent
    assert flown.mission.state is MOVING
    assert flown.mission.faults == {Fault.POSE_JUMP: 'the pose is doubtful: (-500.0, 900.0)'}
    flown.wait(11.0)
    flown.mission.check(flown.now)
    assert Fault.POSE_JUMP not in flown.mission.faults


def decision_of(flown):
    """Return the next job that chooses a target, which has not run yet."""
    while True:
        flown.fly()
        job = flown.mission.begin(flown.now)
        if job is None:
            continue
        if job.task is Task.DECIDE:
            return job
        job.run()
        flown.mission.finish(job, 0.0)


def test_a_slow_plan_is_named_and_the_vehicle_waits_for_it():
    flown = Flown(config(watchdog={'planning_return_s': 1e6})).begin().until(MEASURING)
    job = decision_of(flown)
    for _ in range(60):
        flown.fly()
        flown.mission.check(flown.now)
    assert Fault.PLANNER_SLOW in flown.mission.faults
    place = flown.place
    flown.fly(5.0)
    np.testing.assert_array_equal(flown.place, place)
    job.run()
    flown.mission.finish(job, 6.0)
    flown.step()
    assert Fault.PLANNER_SLOW not in flown.mission.faults
    assert flown.mission.state is MOVING


def test_a_plan_that_never_ends_is_given_up_and_the_vehicle_comes_home():
    flown = Flown(config(watchdog={'planning_return_s': 20.0})).begin().until(MEASURING)
    job = decision_of(flown)
    assert job.readings
    n_accepted = flown.mission.explorer.ingest.n_accepted
    for _ in range(210):
        flown.fly()
        flown.mission.check(flown.now)
    assert flown.mission.state is RETURNING
    assert flown.mission.explorer is not job.explorer
    assert not flown.mission.has_job
    assert Fault.PLANNER_FAILING in flown.mission.faults
    flown.step()
    assert flown.mission.explorer.ingest.n_accepted >= n_accepted + len(job.readings)
    job.run()
    flown.mission.finish(job, 1e3)
    flown.until(DONE)
    assert at_home(flown)
    assert flown.mission.record().outcome == 'failed'


def test_a_failing_fit_is_named_until_one_succeeds(monkeypatch):
    from bo_explorer.core import explorer

    real, broken = explorer.fit, [True]

    def fit(samples, settings, start, **named):
        if broken[0]:
            return FitReport(start, math.nan, False, 'no progress')
        return real(samples, settings, start, **named)

    monkeypatch.setattr(explorer, 'fit', fit)
    flown = Flown(config(model={'fit': True, 'fit_min_samples': 3}, budget={'total_m': 150.0}))
    flown.begin()
    while Fault.FIT_FAILING not in flown.mission.faults:
        flown.step()
    assert flown.mission.faults[Fault.FIT_FAILING] == 'no progress'
    broken[0] = False
    while flown.mission.faults:
        flown.step()
    flown.until(DONE)
    assert at_home(flown)


def test_what_is_suspended_obeys_the_operator_and_the_battery():
    flown = Silenced().begin()
    flown.silence(4.0, pose=True)
    mission = flown.mission
    assert mission.state is SUSPENDED
    assert mission.resume(flown.now) == (True, 'not paused: suspended')
    assert mission.pause(flown.now)[0] and mission.state is PAUSED
    assert mission.resume(flown.now)[0]
    flown.work()
    assert mission.state is SUSPENDED
    mission.update_battery(0.1, flown.now)
    flown.work()
    assert mission.state is SUSPENDED
    assert mission.return_home(flown.now) == (True, 'already returning')
    flown.step()
    assert mission.state is RETURNING
    flown.until(DONE)
    assert 'the battery is low' in ' '.join(event[3] for event in mission.record().events)
