# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A mission that can be left and gone on with by another process."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import MemoryFileError
from .memory import MissionMemory
from .mission_flow import MissionFlow
from .mission_state import INTERRUPTED, MissionState
from .types import Pose, Samples

logger = logging.getLogger(__name__)

# States that are begun anew: what they were about is found out again.
_RESUMED = {
    MissionState.MOVING: MissionState.PLANNING,
    MissionState.MEASURING: MissionState.PLANNING,
}


class MissionRecall(MissionFlow):
    """Tells what is to be remembered, and begins with what was."""

    @property
    def memory(self) -> MissionMemory | None:
        """What another process would need to go on; ``None`` before the mission has a home."""
        place = self._booked_place
        if self._home is None or place is None or self._state is MissionState.IDLE:
            return None
        state = self._resume_to if self._state in INTERRUPTED else self._state
        record, now = self._log.record, self._clock.time
        learned = self._learned
        return MissionMemory(
            state=_RESUMED.get(state, state).value,
            is_paused=self._state is MissionState.PAUSED,
            reason=self._reason,
            outcome=self._outcome,
            home=self._home.tolist(),
            place=place,
            spent_m=self._ledger.spent,
            spent_before_m=record.spent_before_m,
            swaps=record.swaps,
            flown_m=self._flown_before_m + self._flight.flown_m,
            elapsed_s=self._watch.elapsed(now),
            battery_s=max(now - self._battery_since, 0.0),
            clock_s=self._clock.reading,
            n_stops=record.stops,
            n_readings=self._readings_before + self._inbox.n_readings,
            rejections=dict(self._rejections_before + self._rejections + self._inbox.refused),
            polygon=list(self.config.area.polygon),
            zones=list(self.config.no_fly.polygons),
            learned=None if learned is None else learned.to_dict(),
            samples=self._sample_rows(),
            stops=[stop.tolist() for stop in self._explorer.stops],
            targets=list(record.waypoints),
            energy=self._energy.to_dict(),
        )

    def restore(self, memory: Mapping[str, Any], now: float) -> tuple[bool, str]:
        """
        Go on with a mission another process has begun.

        The way from where it was to the next pose is charged, and to the battery and the time
        limit the time nobody was there. Until then the mission is suspended.

        :param memory: plain values of a :class:`~.memory.MissionMemory`.
        :param now: seconds.
        :return: whether it was done, and a sentence; only before :meth:`.mission.Mission.start`.
        :raises MemoryFileError: if it is no memory; nothing has changed then.
        """
        before = MissionMemory.from_dict(memory)
        if self._state is not MissionState.IDLE:
            return False, f'already started: {self._state.value}'
        if before.state == MissionState.IDLE.value:
            raise MemoryFileError('this is the memory of a mission that was never begun')
        try:
            self._energy.recall(before.energy)
        except (KeyError, TypeError, ValueError) as error:
            raise MemoryFileError(f'this is no memory of a battery: {error}') from error
        now = self._time(now)
        rows = np.array(before.samples, dtype=np.float64).reshape(-1, 4)
        samples = Samples(rows[:, :2], rows[:, 2], rows[:, 3])
        self._explorer.restore(
            samples, before.hyperparameters(), [np.array(stop) for stop in before.stops]
        )
        self._take_samples()
        self._home = np.array(before.home, dtype=np.float64)
        self._watch.start(now - before.elapsed_s)
        away_s = _time_away(before, self._clock.reading)
        self._start_battery(now, gone_s=before.battery_s + away_s)
        self._ledger.spend(before.spent_m)
        self._flown_before_m = before.flown_m
        self._readings_before = before.n_readings
        self._rejections_before = Counter(before.rejections)
        self._outcome = before.outcome
        self._log.resume(before)
        self._map = self._explorer.map()
        self._log.add_belief(self._explorer, before.spent_m)
        self._booked_place = before.place
        self._is_place_known = False
        self._go_on_as(before, now)
        if self._last_pose is not None:
            self._find_place(self._last_pose, now)
        return True, f'going on with {len(samples)} samples and {before.spent_m:.1f} m spent'

    def _go_on_as(self, before: MissionMemory, now: float) -> None:
        state = MissionState(before.state)
        if state is MissionState.DONE:
            self._watch.pause(now)
            self._enter(MissionState.DONE, before.reason)
            return
        self._resume_to, self._interrupted_at = state, now
        if before.is_paused:
            self._watch.pause(now)
            self._enter(MissionState.PAUSED, before.reason)
        else:
            self._enter(MissionState.SUSPENDED, 'going on: waiting for a pose')

    def _find_place(self, pose: Pose, now: float) -> None:
        """Charge the way flown since the last pose another process has booked."""
        place = self._booked_place
        if place is None:
            return
        self._is_place_known = True
        self._booked_place = [pose.x, pose.y]
        self._flight.place(Pose(place[0], place[1], pose.z, stamp=pose.stamp))
        self._flight.update(pose, now)
        # Whoever brought it here, the vehicle is not led back to where the dead process left it.
        self._flight.drop_path()
        # Nothing is planned before the time that went by is known.
        self._energy.update_flight(self._flight.flown_cost_m, pose.position, now)
        self._limit_budget()
        self._expect_readings(now)
        if self._state is not MissionState.DONE:
            self._leave_forbidden_place(now)

    def _sample_rows(self) -> list[list[float]]:
        """Return the accepted samples; the same list until they change."""
        known, rows = self._known_rows
        if known is not self._known:
            columns = [self._known.points, self._known.values, self._known.counts]
            rows = np.column_stack(columns).tolist()
            self._known_rows = self._known, rows
        return rows


def _time_away(before: MissionMemory, clock_s: float) -> float:
    """Return how long no process flew the mission, seconds."""
    away_s = clock_s - before.clock_s
    if away_s >= 0.0:
        return away_s
    logger.warning('the clock has gone back: nobody knows how long the mission was left')
    return 0.0
