# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
One mission from start to home: the state machine that the ROS node and the simulated episode run.

No threads and no clock live here. Every method is cheap; the slow work is in :class:`.job.Job`,
made by :meth:`Mission.begin` and handed back to :meth:`Mission.finish`, and may run anywhere as
long as only one job runs at a time::

    IDLE -> WAITING -> PLANNING -> MOVING -> MEASURING -> PLANNING ... -> RETURNING -> DONE
    any flying state <-> PAUSED (operator), SUSPENDED (fault),   no legal way home <-> HOLD

RETURNING is latched: only :meth:`Mission.reset` and a fresh battery leave it for anything but
DONE, PAUSED, SUSPENDED or HOLD. SUSPENDED ends with its fault, HOLD with a change that opens a
way home.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from .config import ExplorerConfig
from .errors import ConfigError
from .flight import Event, flyable_area
from .job import Job, Task
from .mission_flow import area_of, geometry
from .mission_recall import MissionRecall
from .mission_state import FLYING, SEARCHING, MissionState
from .policy import Policy
from .pose_gate import Verdict
from .take_off import Refusal
from .types import Decision, Outcome, Pose
from .watchdog import Fault

__all__ = ['SEARCHING', 'Mission', 'MissionState']

_TELL_PERIOD_S = 1.0

# Age of a pose beyond which a flying vehicle gets no new plan: to wait for one it would fly back
# to where it was seen last, and nobody would see that.
_MOST_BLIND_S = 0.5

# States in which nobody leads the vehicle anywhere.
_RESETTABLE = frozenset(
    {MissionState.IDLE, MissionState.PAUSED, MissionState.HOLD, MissionState.DONE}
)


class Mission(MissionRecall):
    """
    Runs one mission.

    :param config: all settings of the planner.
    :param policy: scores the candidates.
    :raises GeometryError: if the search area or a zone cannot be used.
    """

    # Commands: each answers whether the mission now does what was asked, and a sentence.

    def start(self, now: float) -> tuple[bool, str]:
        """
        Start the mission; home is taken from the next pose unless it is fixed.

        :param now: seconds.
        :return: whether the mission runs, and a sentence.
        """
        if self._state is not MissionState.IDLE:
            return True, f'already started: {self._state.value}'
        now = self._time(now)
        self._watch.start(now)
        self._start_battery(now)
        self._enter(MissionState.WAITING, 'waiting for the first pose')
        if self._last_pose is not None:
            self._take_off_from(self._last_pose, now)
        return True, 'started'

    def pause(self, now: float) -> tuple[bool, str]:
        """Stop on the present path and stay there; time does not count while paused."""
        if self._state is MissionState.PAUSED:
            return True, 'already paused'
        if self._state not in FLYING | {MissionState.WAITING, MissionState.SUSPENDED}:
            return False, f'nothing to pause: {self._state.value}'
        now = self._time(now)
        self._watch.pause(now)
        self._interrupt(MissionState.PAUSED, 'paused by the operator', now)
        return True, 'paused'

    def resume(self, now: float) -> tuple[bool, str]:
        """Go on from where the mission was paused."""
        if self._state is not MissionState.PAUSED:
            return True, f'not paused: {self._state.value}'
        now = self._time(now)
        self._watch.resume(now)
        self._expect_readings(now)
        self._go_on(now, 'resumed')
        self._wait_outside(now)
        return True, 'resumed'

    def return_home(self, now: float, reason: str = 'called home') -> tuple[bool, str]:
        """End the search and fly home; latched."""
        if self._state in (MissionState.RETURNING, MissionState.DONE):
            return True, f'already {self._state.value}'
        if self._home is None:
            return False, 'there is no home yet: the mission has not started'
        if self._state is MissionState.PAUSED:
            self.resume(now)
        is_suspended = self._state is MissionState.SUSPENDED
        if MissionState.RETURNING is (self._resume_to if is_suspended else self._state):
            return True, 'already returning'
        self._end_search('returned', reason)
        return True, 'returning home'

    def reset(self, now: float) -> tuple[bool, str]:
        """
        Forget everything but the vehicle's place and wait for a new start.

        Refused while the vehicle is being led: it would be given a whole budget in the air. What
        is streamed stays until the new start.
        """
        if self._state not in _RESETTABLE:
            return False, f'fly home or pause first: {self._state.value}'
        pose, gate, place = self._last_pose, self._gate, self._flight.setpoint
        self._set_up()
        self._last_pose, self._gate = pose, gate
        self._flight.stay(place)
        if pose is not None:
            self._inbox.add_pose(pose)
        return True, 'reset'

    def swap_battery(self, now: float) -> tuple[bool, str]:
        """
        Begin a fresh budget and keep the map; the search goes on with :meth:`resume`.

        :param now: seconds.
        :return: whether it was done, and a sentence; only at home and in a hold.
        """
        if self._home is None or self._last_pose is None:
            return False, 'there is no mission to go on with'
        is_at_rest = self._state in (MissionState.DONE, MissionState.HOLD)
        if self._state in (MissionState.PAUSED, MissionState.SUSPENDED):
            away = float(np.linalg.norm(self._last_pose.position - self._home))
            is_at_rest = away <= self.config.vehicle.arrival_radius_m
        if not is_at_rest:
            return False, f'swapped at home or in a hold only, not while {self._state.value}'
        now = self._time(now)
        self._log.add_swap(self._ledger.spent)
        self._ledger = self._course.refuel()
        self._energy.swap_battery(now)
        self._has_battery_called = False
        self._battery_since = now
        self._outcome = 'running'
        if self._state is not MissionState.PAUSED:
            self._watch.pause(now)
        self._interrupt(MissionState.PAUSED, 'the battery was swapped: resume to go on', now)
        self._resume_to = MissionState.PLANNING
        return True, 'the budget is fresh; call resume to go on'

    def check_change(self, config: ExplorerConfig) -> None:
        """
        Tell whether the mission could go on with other live settings; changes nothing.

        :param config: differs from the present one in live options only.
        :raises BoExplorerError: if an area, a zone or a home cannot be used.
        """
        if geometry(config) != geometry(self.config):
            # Whether a home is good is seen when the ways round the new zones are known.
            shapes = config.area, config.no_fly
            if shapes != self._checked_shapes:
                area = area_of(config)
                area.candidates(config.area.resolution_m)
                flyable_area(config, area)
                self._checked_shapes = shapes
        elif config.home != self.config.home and config.home.mode == 'fixed':
            home = None if self._home is None else self._home_of(config)
            if isinstance(home, Refusal):
                raise ConfigError('home.x', home.reason)

    def reconfigure(self, config: ExplorerConfig, policy: Policy) -> bool:
        """
        Go on with other live settings.

        A path that is no longer legal is given up at once. While a job runs that is all: ask again
        when it is done.

        :param config: differs from the present one in live options only.
        :param policy: scores the candidates from now on.
        :return: whether the settings are in force.
        :raises BoExplorerError: as :meth:`check_change`; nothing has changed then.
        """
        self.check_change(config)
        if geometry(config) != geometry(self.config):
            self._overtake_job()
            if self._flight.target is not None and self._state is not MissionState.DONE:
                area = area_of(config)
                if not area.path_legal(self._flight.path()):
                    self._drop_path('the area or the zones have changed', area)
        if self._job is not None:
            return False
        self._apply_change(config, policy)
        return True

    # Inputs

    def update_pose(self, pose: Pose, now: float) -> None:
        """
        Take over where the vehicle is: count the distance, follow the path, notice arrival.

        :param pose: a finite pose in the map frame; late, doubled and wild ones are noticed.
        :param now: seconds.
        """
        now = self._time(now)
        verdict = self._gate.judge(pose, now)
        if verdict is Verdict.LATE:
            self._inbox.add_pose(pose)
        if verdict in (Verdict.DOUBTED, Verdict.JUMPED):
            place = f'({pose.x:.1f}, {pose.y:.1f})'
            sentence = f'the pose is doubtful: {place}'
            if verdict is Verdict.JUMPED:
                sentence = f'the pose jumped to {place}'
            self._watchdog.report(Fault.POSE_JUMP, sentence, now)
        if not verdict.is_place:
            self._pose_rejections[verdict.value] += 1
            return
        has_jumped = verdict is Verdict.JUMPED
        if verdict is not Verdict.GOOD:
            self._inbox.forget_poses()
        self._last_pose = pose
        self._inbox.add_pose(pose)
        if self._state is MissionState.IDLE:
            return
        self._watchdog.pose_heard(now)
        if self._home is None:
            if self._state is MissionState.WAITING:
                self._take_off_from(pose, now)
            return
        if not self._is_place_known:
            self._find_place(pose, now)
            return
        event = self._flight.update(
            pose, now, has_jumped=has_jumped, is_counted=not self._is_carried(pose)
        )
        self._booked_place = [pose.x, pose.y]
        if event in (Event.JUMPED, Event.LEFT_PATH):
            self._lose_path(event.value)
        elif event is Event.ARRIVED:
            self._arrive(now)
        if self._state is not MissionState.DONE:
            if self._energy.update_flight(self._flight.flown_cost_m, pose.position, now):
                self._limit_budget()
        self._watch_progress(now)

    def add_reading(self, value: float, stamp: float) -> None:
        """
        Queue a reading; it is matched to a pose and checked when the next job runs.

        Readings before the start and after the end do not belong to the mission.

        :param value: the scalar, sensor unit; may be bad.
        :param stamp: when it was taken, seconds.
        """
        if self._state in (MissionState.IDLE, MissionState.DONE):
            return
        self._inbox.add_reading(value, stamp)

    def update_battery(self, fraction: float | None, now: float) -> None:
        """
        Take over the battery state; a low one calls the vehicle home for good.

        It calls once, out of a pause too: whoever pauses the way home after that has his pause.

        :param fraction: 0 to 1, or ``None`` where it is unknown; NaN and negative numbers mean
            unknown as well. Unknown is never taken for empty.
        :param now: seconds.
        """
        self._log.add_battery(fraction, self._ledger.spent)
        if self._state is not MissionState.IDLE:
            is_told = self._energy.update_battery(fraction, self._time(now))
            if is_told and self._state is not MissionState.DONE:
                self._limit_budget()
        if fraction is None or not 0.0 <= fraction <= self.config.budget.battery_low:
            return
        interrupted = {MissionState.PAUSED, MissionState.SUSPENDED}
        if not self._has_battery_called and self._state in SEARCHING | interrupted:
            reason = f'the battery is low: {100.0 * fraction:.0f} %'
            self._has_battery_called, _ = self.return_home(now, reason)

    def report_clock(self, frozen_s: float, now: float) -> None:
        """
        Take over whether the clock stands still.

        :param frozen_s: for how long, by another clock, seconds; 0 where it runs.
        :param now: seconds.
        """
        if frozen_s > 0.0:
            sentence = f'the clock stands still for {frozen_s:.0f} s'
            self._watchdog.report(Fault.CLOCK_FROZEN, sentence, self._time(now))
        else:
            self._watchdog.clear(Fault.CLOCK_FROZEN)

    # Work

    def check(self, now: float) -> None:
        """
        Look whether something has failed or is back; to be called often, also while a job runs.

        :param now: seconds.
        """
        now = self._time(now)
        if self._state in (MissionState.IDLE, MissionState.DONE):
            return
        since = None if self._job is None else self._job.started_at
        self._watchdog.look(now, n_readings=self._inbox.n_finite, planning_since=since)
        if self._job is not None:
            taken = now - self._job.started_at
            if taken > self.config.watchdog.planning_return_s:
                self._abandon_job(self._job, f'{self._job.task.value} took over {taken:.0f} s')
        is_suspended = self._state is MissionState.SUSPENDED
        is_searching = (self._resume_to if is_suspended else self._state) in SEARCHING
        fault = self._watchdog.holding(is_searching=is_searching)
        if self._state in FLYING and fault is not None:
            self._interrupt(MissionState.SUSPENDED, self.faults[fault], now)
        elif is_suspended and fault is None and self._is_place_known:
            self._go_on(now, 'the fault is gone')
        elif fault is Fault.SENSOR_SILENT:
            silence = self._watchdog.sensor_silence_s(now)
            is_at_rest = is_suspended or (
                self._state is MissionState.WAITING and self._home is not None
            )
            if is_at_rest and silence > self.config.watchdog.sensor_return_s:
                self._end_search('failed', self.faults[fault])

    def begin(self, now: float) -> Job | None:
        """
        Return the work that is due, or ``None``.

        :param now: seconds.
        :return: a job; run it, then hand it to :meth:`finish`.
        """
        self.check(now)
        if self._job is None and self._must_go_home():
            self.return_home(now, 'what is left pays for the way home and for nothing more')
        now = self._time(now)
        if self._job is not None:
            return None
        if self._home is None or not self._is_place_known:
            return None
        if self._state is MissionState.MEASURING and now >= self._measure_until:
            self._enter(MissionState.PLANNING, 'choosing the next target')
        target = self._flight.target if self._state is MissionState.MOVING else None
        if target is not None and not self._course.is_affordable():
            if not self._ledger.is_limited:
                self._end_search(Outcome.BUDGET_EXHAUSTED.value, 'the way costs more than planned')
            # Battery or clock pay for less than they did: a nearer target may still be paid for.
            self._course.replan_at, target = now, None
        task = self._due_task(now)
        if task is None:
            return None
        self._told_at = now
        lead_in = self._flight.lead_in() if task.plans_path else np.empty((0, 2))
        self._job = Job(
            explorer=self._explorer,
            task=task,
            readings=self._inbox.take(),
            lead_in=lead_in,
            home=self._home,
            available_m=self._course.available_m - self._flight.cost(lead_in),
            total_m=self._ledger.total,
            started_at=now,
            elapsed_s=self._watch.elapsed(now),
            present_target=target,
        )
        return self._job

    def finish(self, job: Job, elapsed_s: float) -> None:
        """
        Take over what a job found; one made before a reset is dropped.

        :param job: the job :meth:`begin` returned, after it ran.
        :param elapsed_s: wall time it took, seconds; only recorded.
        """
        if job is not self._job:
            return
        self._job = None
        for change in job.afterwards:
            change()
        self._note_failure(job)
        self._take_samples()
        self._rejections = Counter(self._explorer.ingest.rejections)
        if job.map is not None:
            self._map = job.map
            self._log.add_belief(self._explorer, self._ledger.spent)
        if job.is_decision:
            self._log.add_decision(elapsed_s, self._ledger.spent)
        if not job.task.plans_path:
            return
        if job.is_overtaken:
            if self._state in (MissionState.MOVING, MissionState.WAITING):
                self._flight.go_on()
        elif job.task is Task.RETURN:
            self._apply_way_home(job)
        elif job.decision is None:
            self._end_search('failed', job.error or f'{job.task.value} failed')
        else:
            self._apply_decision(job, job.decision)

    def _due_task(self, now: float) -> Task | None:
        if self._state is MissionState.RETURNING and not self._course.leads_home:
            return Task.RETURN
        if self._state is MissionState.PLANNING:
            return Task.DECIDE
        has_readings = len(self._inbox) > 0
        if self._state is MissionState.WAITING and has_readings:
            return Task.DECIDE
        if self._state is MissionState.MOVING and now >= self._course.replan_at:
            if self._watchdog.pose_age_s(now) <= _MOST_BLIND_S:
                return Task.DECIDE
        if self._state in SEARCHING and self._explorer.is_fit_due():
            return Task.FIT
        is_tell_due = has_readings and now - self._told_at >= _TELL_PERIOD_S
        return Task.TELL if is_tell_due else None

    def _note_failure(self, job: Job) -> None:
        fault = Fault.FIT_FAILING if job.task is Task.FIT else Fault.PLANNER_FAILING
        problem = job.error or job.fit_problem
        if problem:
            self._watchdog.report(fault, problem, self._clock.time)
        else:
            self._watchdog.clear(fault)

    def _apply_decision(self, job: Job, decision: Decision) -> None:
        if decision.outcome is Outcome.NOT_ENOUGH_DATA:
            # It may be on its way out of a zone, where no reading counts.
            self._flight.go_on()
            self._enter(MissionState.WAITING, decision.reason)
            return
        if decision.path is None or decision.target is None:
            self._end_search(decision.outcome.value, decision.reason)
            return
        if not self._course.replaces(job, decision):
            self._flight.go_on()
            return
        self._log.add_target(decision.target)
        self._enter(MissionState.MOVING, decision.reason)
        if self._course.follow(
            decision.path, job.started_at, home_cost_m=decision.home_cost_m
        ):
            self._arrive(job.started_at)

    def _apply_way_home(self, job: Job) -> None:
        if job.path is None:
            self._hold(job.error or 'there is no legal way home from here')
            return
        # A battery that may not last is no reason to stay where it surely does not.
        cost, left = self._flight.cost(job.path), self._ledger.most - self._ledger.spent
        if self._is_changed:
            # No plan has kept this way in mind, nor what flying may cost more than its path.
            cost += self._flight.cost(job.lead_in) + self._flight.allowance_m
        is_far = self._flight.cost(job.path) > self.config.vehicle.arrival_radius_m
        if is_far and not cost <= left:
            self._hold(f'the way home costs {cost:.1f} m and {left:.1f} m are left')
        elif self._course.follow_home(job.path, job.started_at):
            self._arrive(job.started_at)
