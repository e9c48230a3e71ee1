# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""How a mission goes from one state to another: what belongs to each step."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .area import SearchArea
from .budget import BudgetLedger
from .config import ExplorerConfig
from .explorer import Explorer
from .job import Job
from .mission_state import FLYING, INTERRUPTED, SEARCHING, MissionState
from .mission_view import MissionView
from .policy import Policy
from .take_off import Refusal, find_home
from .types import FloatArray, Pose
from .watchdog import Fault

logger = logging.getLogger(__name__)

# Time that may have passed untold while the clock jumped, seconds.
_UNTOLD_S = 1.0

# Times in a row a vehicle may be stuck before it is called home.
_MOST_STUCK = 3

# States in which charge is drawn and nothing is flown.
_WAITS = frozenset(
    {
        MissionState.WAITING,
        MissionState.MEASURING,
        MissionState.PAUSED,
        MissionState.SUSPENDED,
    }
)


def geometry(config: ExplorerConfig) -> Any:
    """Return what decides which places are legal, to be compared."""
    return config.area.polygon, config.no_fly.polygons


def area_of(config: ExplorerConfig) -> SearchArea:
    """
    Return the area of some settings.

    :raises GeometryError: if it or a zone cannot be used.
    """
    return SearchArea.from_config(config.area, config.no_fly, config.search_plane())


class MissionFlow(MissionView):
    """The steps of a mission; :class:`.mission.Mission` decides when they are taken."""

    def _time(self, clock: float) -> float:
        """Return the time of the mission at a time of the clock, seconds."""
        now, jump = self._clock.advance(clock)
        if jump != 0.0 and self._state is not MissionState.IDLE:
            self._watchdog.report(Fault.CLOCK_JUMP, f'the clock jumped by {jump:+.1f} s', now)
        return now

    def _watch_progress(self, now: float) -> None:
        """Notice a vehicle that does not follow its path."""
        pose, is_led = self._last_pose, self._state in FLYING
        if pose is None:
            return
        setpoint = self._flight.setpoint if is_led else None
        if not self._watchdog.is_stuck(pose.position, setpoint, now):
            if Fault.VEHICLE_STUCK not in self.faults:
                self._n_stuck = 0
            return
        if self._flight.flown_m <= self.config.vehicle.arrival_radius_m:
            # Not armed, or still on the ground: another target would not help.
            return
        self._n_stuck += 1
        sentence, target = self.faults[Fault.VEHICLE_STUCK], self._flight.target
        if self._state is MissionState.MOVING and target is not None:
            self._change_explorer(partial(self._explorer.avoid, target))
            if self._n_stuck >= _MOST_STUCK:
                self._lose_path(sentence)
                self._end_search('failed', sentence)
                return
        self._lose_path(sentence)

    def _arrive(self, now: float) -> None:
        if self._state is MissionState.RETURNING and self._course.leads_home:
            self._ledger.release()
            self._watch.pause(now)
            self._enter(MissionState.DONE, self._reason)
        elif self._state is MissionState.MOVING:
            self._overtake_job()
            self._course.stop()
            self._log.add_stop()
            if self._flight.target is not None:
                self._change_explorer(partial(self._explorer.stopped_at, self._flight.target))
            self._measure_until = now + self.config.vehicle.dwell_s
            self._enter(MissionState.MEASURING, 'measuring at the target')

    def _is_carried(self, pose: Pose) -> bool:
        """Tell whether somebody takes the vehicle away from home: no flight of the mission."""
        if self._state is not MissionState.DONE or self._home is None:
            return False
        away_m = float(np.linalg.norm(pose.position - self._home))
        return away_m > self.config.vehicle.arrival_radius_m

    def _change_explorer(self, change: Callable[[], object]) -> None:
        """Make a change, or leave it for later: what a job decides must not depend on its pace."""
        if self._job is None:
            change()
        else:
            self._job.afterwards.append(change)

    def _interrupt(self, state: MissionState, reason: str, now: float) -> None:
        """Stop on the present path, for now."""
        if self._state not in INTERRUPTED:
            is_moving = self._state is MissionState.MOVING
            self._resume_to = MissionState.PLANNING if is_moving else self._state
            self._interrupted_at = now
        self._give_up_path()
        self._enter(state, reason)

    def _go_on(self, now: float, reason: str) -> None:
        """Do again what was interrupted; what was left of the time to measure is still left."""
        self._measure_until += now - self._interrupted_at
        self._enter(self._resume_to, reason)

    def _expect_readings(self, now: float) -> None:
        """Give a sensor that was heard before its whole time again."""
        if self._readings_before + self._inbox.n_readings > 0:
            self._watchdog.expect_reading(now)

    def _lose_path(self, why: str) -> None:
        """Drop the present path: it no longer starts where the vehicle is."""
        self._overtake_job()
        self._course.lose()
        if self._state in (MissionState.MOVING, MissionState.MEASURING):
            self._enter(MissionState.PLANNING, f'{why}: planning from here')
        self._wait_outside(self._clock.time)

    def _drop_path(self, why: str, within: SearchArea | None = None) -> None:
        """Brake on the present path, before it leaves an area, and plan another one."""
        self._give_up_path(within)
        if self._state in (MissionState.MOVING, MissionState.MEASURING):
            self._enter(MissionState.PLANNING, f'{why}: planning from here')

    def _end_search(self, outcome: str, reason: str) -> None:
        self._outcome = outcome
        self._give_up_path()
        self._enter(MissionState.RETURNING, reason)

    def _hold(self, reason: str) -> None:
        self._interrupt(MissionState.HOLD, reason, self._clock.time)

    def _give_up_path(self, within: SearchArea | None = None) -> None:
        """Brake on the present path; a plan that is being made starts elsewhere."""
        self._overtake_job()
        blind_s = self._watchdog.pose_age_s(self._clock.time)
        if Fault.CLOCK_JUMP in self.faults:
            # The last pose is older than the clock can tell: nobody shall turn back for the stop.
            blind_s += _UNTOLD_S
        self._course.give_up(blind_s, within)

    def _overtake_job(self) -> None:
        """Mark the plan being made: it starts from a path that is no more."""
        if self._job is not None:
            self._job.is_overtaken = True

    def _start_battery(self, now: float, *, gone_s: float = 0.0) -> None:
        self._battery_since = now - gone_s
        self._energy.start(now, gone_s=gone_s)

    def _abandon_job(self, job: Job, why: str) -> None:
        """Go on without a job that does not end, with a planner that knows what was accepted."""
        explorer = Explorer(self.config, self._policy)
        explorer.restore(self._known, self._learned, self._explorer.stops)
        self._explorer = explorer
        self._course.plan_with(explorer)
        self._inbox.put_back(job.readings)
        self._job = None
        self._watchdog.report(Fault.PLANNER_FAILING, why, self._clock.time)
        if self._state in SEARCHING:
            self._end_search('failed', why)

    def _limit_budget(self) -> None:
        """Let the budget follow what battery and clock surely pay for."""
        if self._energy.is_limiting and self._last_pose is not None:
            self._ledger.limit(self._energy.reach_m(self._last_pose.position, self._home))

    def _must_go_home(self) -> bool:
        """Return whether a vehicle that waits has just enough left for the way home."""
        pose, home = self._last_pose, self._home
        if pose is None or home is None or self._state not in _WAITS:
            return False
        if not self._ledger.is_limited:
            return False
        way = self._explorer.travel.path(pose.position, home)
        cost_m = math.inf if way is None else self._flight.cost(way)
        return not cost_m <= self._course.available_m

    def _take_off_from(self, pose: Pose, now: float) -> None:
        self._flight.place(pose)
        home = self._home_of(self.config)
        if isinstance(home, Refusal):
            self._hold(home.reason)
            return
        self._home = home
        self._booked_place = [pose.x, pose.y]
        self._explorer.stopped_at(pose.position)
        self._enter(MissionState.WAITING, 'waiting for the first reading')
        self._leave_forbidden_place(now)

    def _home_of(self, config: ExplorerConfig) -> FloatArray | Refusal:
        """Return where a mission with these settings ends, seen from where the vehicle is."""
        if self._flight.pose is None:
            return Refusal('there is no pose yet: wait for one')
        way = self._flight.braking_path()
        available = self._course.available_m - self._flight.cost(way)
        if self._state is MissionState.DONE:
            # Nobody flies there before the battery is swapped.
            available = BudgetLedger.from_config(config).available
        return find_home(config, self._explorer.travel, way[-1], available)

    # Live changes

    def _apply_change(self, config: ExplorerConfig, policy: Policy) -> None:
        """Go on with other live settings; no job may run."""
        before = self.config
        self._explorer.reconfigure(config, policy)
        self.config, self._policy = config, policy
        self._course.reconfigure(config)
        self._log.reconfigure(config, self._explorer.area)
        if self._state is MissionState.IDLE:
            return
        has_home_moved = config.home != before.home and self._move_home()
        if has_home_moved or geometry(config) != geometry(before):
            self._is_changed = True
            if self._state is not MissionState.DONE:
                self._revalidate()

    def _move_home(self) -> bool:
        """Take over a new home; return whether it counts."""
        if self._home is None:
            return True
        if self.config.home.mode != 'fixed':
            logger.warning(
                'home stays where it is: home.x and home.y count once home.mode is fixed'
            )
            return False
        home = self._home_of(self.config)
        if isinstance(home, Refusal):
            logger.warning('home stays where it is: %s', home.reason)
            return False
        self._home = home
        if self._state is MissionState.RETURNING:
            self._give_up_path()
        return True

    def _revalidate(self) -> None:
        """See whether the mission can still go home, and get out of what is forbidden now."""
        pose, now = self._last_pose, self._clock.time
        if pose is None:
            return
        if self._home is None:
            if self._state is MissionState.HOLD:
                self._take_off_from(pose, now)
            return
        travel = self._explorer.travel
        if travel.path(pose.position, self._home) is None:
            if self._state not in INTERRUPTED - {MissionState.SUSPENDED}:
                self._hold('home cannot be reached any more: change the zones, the area or home')
        elif self._state is MissionState.HOLD:
            self._go_on(now, 'a way home is open')
        target = self._flight.target
        if self._state is MissionState.MOVING and target is not None:
            way = travel.path(target, self._home)
            if way is None:
                self._drop_path('no way leads home from the target any more')
            else:
                self._course.home_cost_m = travel.path_cost(way)
        if self._state in INTERRUPTED - {MissionState.SUSPENDED} | {MissionState.WAITING}:
            self._leave_forbidden_place(now)

    def _wait_outside(self, now: float) -> None:
        """Let a vehicle that waits for a reading do so where readings count."""
        has_begun = self._home is not None and self._is_place_known
        if self._state is MissionState.WAITING and has_begun:
            self._leave_forbidden_place(now)

    def _leave_forbidden_place(self, now: float) -> None:
        """Fly to the nearest legal place: readings from forbidden ones do not count."""
        start = self._flight.lead_in()[-1]
        entry = self._explorer.travel.entry(start)
        if entry is None or (entry == start).all():
            self._flight.go_on()
            return
        logger.warning('the vehicle is in a forbidden place and leaves it')
        self._flight.fly(np.stack([start, entry]), now)

    def _enter(self, state: MissionState, reason: str) -> None:
        self._state, self._reason = state, reason
        self._log.add_event(state.value, reason, self._last_pose, self._ledger.spent)
