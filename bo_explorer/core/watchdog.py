# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What may fail around a mission, noticed: each fault has a name, a sentence and an end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from .options import Options, option
from .types import FloatArray


@dataclass(frozen=True)
class WatchdogConfig(Options):
    """When something counts as failed; in seconds of the mission's clock."""

    pose_s: float = option(
        2.0,
        'Without a pose for this long the vehicle holds until there is one.',
        unit='s',
        low=0.0,
        open_low=True,
        high=3600.0,
    )
    sensor_s: float = option(
        10.0,
        'Without a finite reading for this long the search holds until there is one.',
        unit='s',
        low=0.0,
        open_low=True,
        high=3600.0,
    )
    sensor_return_s: float = option(
        60.0,
        'Without a finite reading for this long the vehicle is called home.',
        unit='s',
        low=0.0,
        open_low=True,
        high=1e6,
    )
    stuck_s: float = option(
        15.0,
        'A vehicle that has not moved by its arrival radius for this long is stuck: another '
        'target is chosen; after three in a row it is called home.',
        unit='s',
        low=1.0,
        high=3600.0,
    )
    planning_s: float = option(
        5.0,
        'A plan that takes longer than this is a fault; the vehicle holds until it is made.',
        unit='s',
        low=0.0,
        open_low=True,
        high=3600.0,
    )
    planning_return_s: float = option(
        60.0,
        'A plan that takes longer than this is given up; the vehicle is called home.',
        unit='s',
        low=0.0,
        open_low=True,
        high=1e6,
    )
    clock_s: float = option(
        2.0,
        'A clock that stands still for this long, by the steady clock, holds the vehicle.',
        unit='s',
        low=0.1,
        high=3600.0,
    )
    clock_jump_s: float = option(
        30.0,
        'A step of the clock greater than this, or any step back, does not count as time.',
        unit='s',
        low=1.0,
        high=1e6,
    )


class Fault(Enum):
    """What may fail; the values stand in the diagnostics."""

    POSE_STALE = 'pose_stale'
    POSE_JUMP = 'pose_jump'
    SENSOR_SILENT = 'sensor_silent'
    VEHICLE_STUCK = 'vehicle_stuck'
    CLOCK_FROZEN = 'clock_frozen'
    CLOCK_JUMP = 'clock_jump'
    PLANNER_SLOW = 'planner_slow'
    PLANNER_FAILING = 'planner_failing'
    FIT_FAILING = 'fit_failing'


_HOLDS_FLIGHT = frozenset({Fault.POSE_STALE, Fault.CLOCK_FROZEN, Fault.CLOCK_JUMP})
_HOLDS_SEARCH = _HOLDS_FLIGHT | {Fault.SENSOR_SILENT}

# How long a fault that is over at once is told, seconds.
_LINGER_S = {Fault.POSE_JUMP: 10.0, Fault.CLOCK_JUMP: 1.0}


class Watchdog:
    """
    Keeps the faults that are there now.

    :param config: the timeouts.
    :param radius_m: distance a vehicle that is not stuck moves, metres.
    """

    def __init__(self, config: WatchdogConfig, radius_m: float) -> None:
        self._config = config
        self._radius = radius_m
        self._until: dict[Fault, float] = {}
        self._pose_at = math.nan
        self._reading_at = math.nan
        self._n_readings = 0
        self._moved_from: FloatArray | None = None
        self._moved_at = math.nan
        self.faults: dict[Fault, str] = {}
        """Sentence of every fault that is there now."""

    def report(self, fault: Fault, sentence: str, now: float) -> None:
        """
        Take over a fault.

        :param fault: it stays until it is cleared, or for a while where it is over at once.
        :param sentence: for the operator.
        :param now: seconds.
        """
        self.faults[fault] = sentence
        self._until[fault] = now + _LINGER_S.get(fault, math.inf)

    def clear(self, fault: Fault) -> None:
        """Take over that a fault is gone."""
        self.faults.pop(fault, None)

    def holding(self, *, is_searching: bool) -> Fault | None:
        """Return a fault because of which the vehicle must hold, or ``None``."""
        kinds = _HOLDS_SEARCH if is_searching else _HOLDS_FLIGHT
        return next((fault for fault in self.faults if fault in kinds), None)

    def pose_heard(self, now: float) -> None:
        """Take over that there is a pose, at ``now`` seconds."""
        if Fault.POSE_STALE in self.faults:
            # Nobody knows whether the vehicle moved in the meantime.
            self._moved_from = None
        self._pose_at = now
        self.clear(Fault.POSE_STALE)

    def pose_age_s(self, now: float) -> float:
        """Return the time since the last pose, seconds; 0 before the first."""
        return 0.0 if math.isnan(self._pose_at) else now - self._pose_at

    def expect_reading(self, now: float) -> None:
        """Count its silence from ``now`` seconds on; a fault stays until the sensor is heard."""
        self._reading_at = now

    def sensor_silence_s(self, now: float) -> float:
        """Return the time since a finite reading or since one is expected, s; 0 before that."""
        return 0.0 if math.isnan(self._reading_at) else now - self._reading_at

    def look(self, now: float, *, n_readings: int, planning_since: float | None) -> None:
        """
        Notice what has been missing for too long, and what is back.

        :param now: seconds.
        :param n_readings: finite readings so far.
        :param planning_since: when the plan that is being made was begun, seconds.
        """
        for fault in [f for f in self.faults if now >= self._until[f]]:
            self.clear(fault)
        if self.pose_age_s(now) > self._config.pose_s:
            age = self.pose_age_s(now)
            self.report(Fault.POSE_STALE, f'no usable pose for {age:.1f} s', now)
        if n_readings != self._n_readings:
            self._n_readings, self._reading_at = n_readings, now
            self.clear(Fault.SENSOR_SILENT)
        silence = self.sensor_silence_s(now)
        if silence > self._config.sensor_s:
            self.report(Fault.SENSOR_SILENT, f'no finite reading for {silence:.0f} s', now)
        taken = 0.0 if planning_since is None else now - planning_since
        if taken > self._config.planning_s:
            self.report(Fault.PLANNER_SLOW, f'a plan is being made for {taken:.0f} s', now)
        elif planning_since is None:
            self.clear(Fault.PLANNER_SLOW)

    def is_stuck(self, position: FloatArray, setpoint: FloatArray | None, now: float) -> bool:
        """
        Take over where the vehicle is and should be, and tell whether it is stuck.

        Told once; then again after the same time.

        :param position: shape ``(2,)``, metres.
        :param setpoint: where it should fly, shape ``(2,)``, metres, or ``None`` for nowhere.
        :param now: seconds.
        """
        moved_from = self._moved_from
        has_moved = moved_from is None or np.linalg.norm(position - moved_from) > self._radius
        is_there = setpoint is None or np.linalg.norm(position - setpoint) <= self._radius
        if has_moved or is_there:
            self._moved_from, self._moved_at = position, now
            if moved_from is not None and has_moved:
                self.clear(Fault.VEHICLE_STUCK)
            return False
        if now - self._moved_at <= self._config.stuck_s:
            return False
        self._moved_at = now
        self.report(
            Fault.VEHICLE_STUCK,
            f'the vehicle has not moved for {self._config.stuck_s:.0f} s though it should fly',
            now,
        )
        return True
