# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a mission keeps and what it tells: everything that changes nothing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from .budget import BudgetLedger
from .config import AreaConfig, ExplorerConfig, NoFlyConfig
from .course import Course
from .energy import EnergyAccount
from .explorer import Explorer
from .inbox import Inbox
from .job import Job
from .logbook import Logbook
from .mission_clock import MissionClock
from .mission_state import MissionState
from .policy import Policy
from .pose_gate import PoseGate
from .record import MissionRecord
from .stopwatch import Stopwatch
from .types import FloatArray, MapSnapshot, Pose, Samples, Waypoint
from .watchdog import Fault, Watchdog


class MissionView:
    """
    The state of one mission, for those who look at it.

    :param config: all settings of the planner.
    :param policy: scores the candidates.
    :raises GeometryError: if the search area or a zone cannot be used.
    """

    def __init__(self, config: ExplorerConfig, policy: Policy) -> None:
        self.config = config
        self._policy = policy
        self._clock = MissionClock(config.watchdog.clock_jump_s)
        self._set_up()

    def _set_up(self) -> None:
        """Make everything as it is before a mission."""
        config, vehicle = self.config, self.config.vehicle
        self._explorer = Explorer(config, self._policy)
        self._inbox = Inbox(config.ingest.max_age_s)
        self._gate = PoseGate(
            vehicle.speed_mps, 5.0 * vehicle.arrival_radius_m, config.ingest.max_age_s
        )
        self._watch = Stopwatch()
        self._watchdog = Watchdog(config.watchdog, vehicle.arrival_radius_m)
        self._ledger = BudgetLedger.from_config(config)
        self._energy = EnergyAccount(config)
        self._course = Course(config, self._explorer, self._ledger)
        self._flight = self._course.flight
        self._state = MissionState.IDLE
        self._reason = 'not started'
        self._resume_to = MissionState.IDLE
        self._interrupted_at = math.nan
        self._outcome = 'running'
        self._last_pose: Pose | None = None
        self._booked_place: list[float] | None = None
        self._is_place_known = True
        self._battery_since = math.nan
        self._has_battery_called = False
        self._flown_before_m = 0.0
        self._readings_before = 0
        self._rejections_before: Counter[str] = Counter()
        self._take_samples()
        self._known_rows: tuple[Samples | None, list[list[float]]] = None, []
        self._home: FloatArray | None = None
        self._job: Job | None = None
        self._rejections: Counter[str] = Counter()
        self._pose_rejections: Counter[str] = Counter()
        self._n_stuck = 0
        self._is_changed = False
        self._checked_shapes: tuple[AreaConfig, NoFlyConfig] | None = None
        self._told_at = -math.inf
        self._measure_until = math.nan
        self._map: MapSnapshot | None = None
        self._log = Logbook(config, self._explorer.area)

    def _take_samples(self) -> None:
        """Keep what the explorer has accepted; no job may run."""
        self._known = self._explorer.ingest.samples
        self._learned = self._explorer.learned

    @property
    def state(self) -> MissionState:
        """What the mission is doing."""
        return self._state

    @property
    def reason(self) -> str:
        """Why, in one sentence."""
        return self._reason

    @property
    def faults(self) -> Mapping[Fault, str]:
        """What has failed and has not come back yet, each with a sentence."""
        return self._watchdog.faults

    @property
    def pose_rejections(self) -> Mapping[str, int]:
        """Poses that did not say where the vehicle is, by reason."""
        return self._pose_rejections

    @property
    def has_job(self) -> bool:
        """Whether a job is under way that :meth:`.mission.Mission.finish` waits for."""
        return self._job is not None

    @property
    def ledger(self) -> BudgetLedger:
        """The account of the budget."""
        return self._ledger

    @property
    def energy(self) -> EnergyAccount:
        """What battery and clock are known to pay for."""
        return self._energy

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
        is_held = self._state is MissionState.HOLD
        record.outcome = 'held' if is_held else self._outcome
        record.n_readings = self._readings_before + self._inbox.n_readings
        record.rejections = dict(
            self._rejections_before + self._rejections + self._inbox.refused
        )
        record.spent_m = self._ledger.spent
        record.flown_m = self._flown_before_m + self._flight.flown_m
        record.track = self._flight.track
        record.home = None if self._home is None else [float(v) for v in self._home]
        record.returned_home = self._state is MissionState.DONE
        return record
