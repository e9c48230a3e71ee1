# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
One mission from start to home: the state machine that the ROS node and the simulated episode run.

No threads and no clock live here. Every method is cheap; the slow work is in :class:`.job.Job`,
made by :meth:`Mission.begin` and handed back to :meth:`Mission.finish`, and may run anywhere as
long as only one job runs at a time::

    IDLE -> WAITING -> PLANNING -> MOVING -> MEASURING -> PLANNING ... -> RETURNING -> DONE
                   any flying state <-> PAUSED,   no legal way home -> HOLD

RETURNING is latched: only :meth:`Mission.reset` leaves it for anything but DONE, PAUSED or HOLD.
"""

from __future__ import annotations

import logging
import math
from collections import Counter

import numpy as np

from .budget import BudgetLedger
from .config import ExplorerConfig
from .course import Course
from .explorer import Explorer
from .flight import Event
from .inbox import Inbox
from .job import Job, Task
from .logbook import Logbook
from .mission_state import SEARCHING, MissionState
from .policy import Policy
from .record import MissionRecord
from .stopwatch import Stopwatch
from .take_off import Refusal, find_home
from .types import Decision, FloatArray, MapSnapshot, Outcome, Pose, Waypoint

logger = logging.getLogger(__name__)

__all__ = ['SEARCHING', 'Mission', 'MissionState']

_TELL_PERIOD_S = 1.0


class Mission:
    """
    Runs one mission.

    :param config: all settings of the planner.
    :param policy: scores the candidates.
    :raises GeometryError: if the search area or a zone cannot be used.
    """

    def __init__(self, config: ExplorerConfig, policy: Policy) -> None:
        self.config = config
        self._policy = policy
        self._reset()

    def _reset(self) -> None:
        config = self.config
        self._explorer = Explorer(config, self._policy)
        self._inbox = Inbox(config.ingest.max_age_s)
        self._watch = Stopwatch()
        self._ledger = BudgetLedger(config.budget.total_m, config.budget.reserve)
        self._course = Course(config, self._explorer, self._ledger)
        self._flight = self._course.flight
        self._state = MissionState.IDLE
        self._reason = 'not started'
        self._resume_to = MissionState.IDLE
        self._outcome = 'running'
        self._last_pose: Pose | None = None
        self._home: FloatArray | None = None
        self._job: Job | None = None
        self._rejections: Counter[str] = Counter()
        self._told_at = -math.inf
        self._measure_until = math.nan
        self._map: MapSnapshot | None = None
        self._log = Logbook(config, self._explorer.area)

    # Commands: each answers whether the mission now does what was asked, and a sentence.

    def start(self, now: float) -> tuple[bool, str]:
        """
        Start the mission; home is taken from the next pose unless it is fixed.

        :param now: seconds.
        :return: whether the mission runs, and a sentence.
        """
        if self._state is not MissionState.IDLE:
            return True, f'already started: {self._state.value}'
        self._watch.start(now)
        self._enter(MissionState.WAITING, 'waiting for the first pose')
        if self._last_pose is not None:
            self._take_off_from(self._last_pose, now)
        return True, 'started'

    def pause(self, now: float) -> tuple[bool, str]:
        """Stop on the present path and stay there; time does not count while paused."""
        if self._state is MissionState.PAUSED:
            return True, 'already paused'
        if self._state not in SEARCHING and self._state is not MissionState.RETURNING:
            return False, f'nothing to pause: {self._state.value}'
        self._resume_to = self._state
        if self._state is MissionState.MOVING:
            self._resume_to = MissionState.PLANNING
        self._watch.pause(now)
        self._give_up_path()
        self._enter(MissionState.PAUSED, 'paused by the operator')
        return True, 'paused'

    def resume(self, now: float) -> tuple[bool, str]:
        """Go on from where the mission was paused."""
        if self._state is not MissionState.PAUSED:
            return True, f'not paused: {self._state.value}'
        # What was left of the time to measure is still left.
        self._measure_until += self._watch.resume(now)
        self._enter(self._resume_to, 'resumed')
        return True, 'resumed'

    def return_home(self, now: float, reason: str = 'called home') -> tuple[bool, str]:
        """End the search and fly home; latched."""
        if self._state in (MissionState.RETURNING, MissionState.DONE):
            return True, f'already {self._state.value}'
        if self._home is None:
            return False, 'there is no home yet: the mission has not started'
        if self._state is MissionState.PAUSED:
            self.resume(now)
            if self._resume_to is MissionState.RETURNING:
                return True, 'already returning'
        self._end_search('returned', reason)
        return True, 'returning home'

    def reset(self, now: float) -> tuple[bool, str]:
        """Forget everything but the vehicle's place and wait for a new start."""
        pose = self._last_pose
        self._reset()
        if pose is not None:
            self.update_pose(pose, now)
        return True, 'reset'

    def reconfigure(self, config: ExplorerConfig, policy: Policy) -> bool:
        """
        Go on with other live settings.

        Where the no-fly zones change, the path being flown is given up and a new one is planned.

        :param config: differs from the present one in live options only.
        :param policy: scores the candidates from now on.
        :return: whether it was done; not while a job runs.
        :raises GeometryError: if a zone cannot be used; nothing has changed then.
        """
        if self._job is not None:
            return False
        is_area_new = config.no_fly != self.config.no_fly
        self._explorer.reconfigure(config, policy)
        self.config, self._policy = config, policy
        self._course.reconfigure(config)
        self._log.reconfigure(config, self._explorer.area)
        if is_area_new and self._flight.target is not None:
            self._lose_path('the no-fly zones have changed')
        return True

    # Inputs

    def update_pose(self, pose: Pose, now: float) -> None:
        """
        Take over where the vehicle is: count the distance, follow the path, notice arrival.

        :param pose: a finite pose in the map frame.
        :param now: seconds.
        """
        self._last_pose = pose
        self._inbox.add_pose(pose)
        if self._state is MissionState.IDLE:
            return
        if self._home is None:
            if self._state is MissionState.WAITING:
                self._take_off_from(pose, now)
            return
        event = self._flight.update(pose, now)
        if event in (Event.JUMPED, Event.LEFT_PATH):
            self._lose_path(event.value)
        elif event is Event.ARRIVED:
            self._arrive(now)

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

        :param fraction: 0 to 1, or ``None`` where it is unknown; NaN and negative numbers mean
            unknown as well. Unknown is never taken for empty.
        :param now: seconds.
        """
        self._log.add_battery(fraction, self._ledger.spent)
        if fraction is None or not 0.0 <= fraction <= self.config.budget.battery_low:
            return
        if self._state in SEARCHING or self._state is MissionState.PAUSED:
            self.return_home(now, f'the battery is low: {100.0 * fraction:.0f} %')

    # Outputs

    @property
    def state(self) -> MissionState:
        """What the mission is doing."""
        return self._state

    @property
    def reason(self) -> str:
        """Why, in one sentence."""
        return self._reason

    @property
    def ledger(self) -> BudgetLedger:
        """The account of the budget."""
        return self._ledger

    @property
    def explorer(self) -> Explorer:
        """The planner; only a running job may change it."""
        return self._explorer

    @property
    def target(self) -> FloatArray | None:
        """Place being flown to, shape ``(2,)``, or ``None`` without one."""
        return self._flight.target

    def setpoint(self) -> Waypoint | None:
        """Return where the vehicle should fly now, or ``None`` while there is nothing to say."""
        place = self._flight.setpoint
        if place is None:
            return None
        return Waypoint(float(place[0]), float(place[1]), self.config.vehicle.altitude_m)

    def path(self) -> FloatArray:
        """Return the polyline still to fly, first the vehicle's place, shape ``(Q, 2)``."""
        return self._flight.path()

    def map(self) -> MapSnapshot | None:
        """Return the last map, or ``None`` before the first sample."""
        return self._map

    def record(self) -> MissionRecord:
        """Return the record so far; later calls return the same object, brought up to date."""
        record = self._log.record
        record.state, record.reason = self._state.value, self._reason
        record.outcome = self._outcome
        record.n_readings = self._inbox.n_readings
        record.rejections = dict(self._rejections + self._inbox.refused)
        record.spent_m, record.flown_m = self._ledger.spent, self._flight.flown_m
        record.track = self._flight.track
        record.home = None if self._home is None else [float(v) for v in self._home]
        record.returned_home = self._state is MissionState.DONE
        return record

    # Work

    def begin(self, now: float) -> Job | None:
        """
        Return the work that is due, or ``None``.

        :param now: seconds.
        :return: a job; run it, then hand it to :meth:`finish`.
        """
        if self._job is not None or self._home is None:
            return None
        if self._state is MissionState.MEASURING and now >= self._measure_until:
            self._enter(MissionState.PLANNING, 'choosing the next target')
        if self._state is MissionState.MOVING and not self._course.is_affordable():
            self._end_search(Outcome.BUDGET_EXHAUSTED.value, 'the way costs more than planned')
        task = self._due_task(now)
        if task is None:
            return None
        self._told_at = now
        target = self._flight.target if self._state is MissionState.MOVING else None
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
        for place in job.stops:
            self._explorer.stopped_at(place)
        self._rejections = Counter(self._explorer.ingest.rejections)
        if job.map is not None:
            self._map = job.map
            self._log.add_belief(self._explorer, self._ledger.spent)
        if job.is_decision:
            self._log.add_decision(elapsed_s, self._ledger.spent)
        if not job.task.plans_path or job.is_overtaken:
            return
        if job.task is Task.RETURN:
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
            return Task.DECIDE
        if self._state in SEARCHING and self._explorer.is_fit_due():
            return Task.FIT
        is_tell_due = has_readings and now - self._told_at >= _TELL_PERIOD_S
        return Task.TELL if is_tell_due else None

    def _apply_decision(self, job: Job, decision: Decision) -> None:
        if decision.outcome is Outcome.NOT_ENOUGH_DATA:
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
        elif self._course.follow_home(job.path, job.started_at):
            self._arrive(job.started_at)

    def _arrive(self, now: float) -> None:
        if self._state is MissionState.RETURNING and self._course.leads_home:
            self._ledger.release()
            self._enter(MissionState.DONE, self._reason)
        elif self._state is MissionState.MOVING:
            self._overtake_job()
            self._course.stop()
            self._log.add_stop()
            self._remember_stop(self._flight.target)
            self._measure_until = now + self.config.vehicle.dwell_s
            self._enter(MissionState.MEASURING, 'measuring at the target')

    def _remember_stop(self, place: FloatArray | None) -> None:
        """Tell the explorer, which nobody else may touch while a job runs."""
        if place is None:
            return
        if self._job is None:
            self._explorer.stopped_at(place)
        else:
            self._job.stops.append(place)

    def _lose_path(self, why: str) -> None:
        """Drop the present path: it no longer starts where the vehicle is."""
        self._overtake_job()
        self._course.lose()
        if self._state in (MissionState.MOVING, MissionState.MEASURING):
            self._enter(MissionState.PLANNING, f'{why}: planning from here')

    def _end_search(self, outcome: str, reason: str) -> None:
        self._outcome = outcome
        self._give_up_path()
        self._enter(MissionState.RETURNING, reason)

    def _hold(self, reason: str) -> None:
        self._give_up_path()
        self._outcome = 'held'
        self._enter(MissionState.HOLD, reason)

    def _give_up_path(self) -> None:
        """Brake on the present path; a plan that is being made starts elsewhere."""
        self._overtake_job()
        self._course.give_up()

    def _overtake_job(self) -> None:
        """The plan being made starts from a path that is no more."""
        if self._job is not None:
            self._job.is_overtaken = True

    def _take_off_from(self, pose: Pose, now: float) -> None:
        self._flight.place(pose)
        home = find_home(
            self.config,
            self._explorer.travel,
            pose.position,
            self._ledger.available - self._flight.allowance_m,
        )
        if isinstance(home, Refusal):
            self._hold(home.reason)
            return
        self._home = home
        self._explorer.stopped_at(pose.position)
        self._enter(MissionState.WAITING, 'waiting for the first reading')
        entry = self._explorer.travel.entry(pose.position)
        if entry is not None and (entry != pose.position).any():
            # Readings from forbidden places do not count: out by the shortest way, then wait.
            logger.warning('the vehicle is in a forbidden place and leaves it')
            self._flight.fly(np.stack([pose.position, entry]), now)

    def _enter(self, state: MissionState, reason: str) -> None:
        self._state, self._reason = state, reason
        self._log.add_event(state.value, reason, self._last_pose, self._ledger.spent)
