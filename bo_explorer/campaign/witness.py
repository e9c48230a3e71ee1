# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Judges a mission by the vehicle's true places, and the records by one another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped

from ..core.area import SearchArea
from ..core.config import ExplorerConfig
from ..core.mission_state import MissionState
from ..core.types import FloatArray
from ..sim.audit import FlightAudit

RULES = ('overrun', 'crossing', 'outside', 'lost sample', 'hung', 'not home', 'crashed')
"""What can be wrong with a mission."""

# Rounding of sums of thousands of steps.
_ROUNDING = 1e-6

# Poses further apart than this, in metres, mean that some were not heard: the straight line
# between them is not what was flown.
_UNSEEN_M = 1.0


class Witness:
    """
    Sees the true poses and the records of one mission.

    :param config: the planner's settings at the start.
    """

    def __init__(self, config: ExplorerConfig) -> None:
        self._config = config
        self._audit = FlightAudit(area_of(config))
        self._last: FloatArray | None = None
        self._is_awaited = False
        self._unseen = self._unseen_faults = 0
        self.record: dict[str, Any] = {}
        self.broken: dict[str, str] = {}
        """A sentence for each rule that was broken."""

    @property
    def position(self) -> FloatArray | None:
        """Where the vehicle really is, metres."""
        return self._last

    @property
    def unseen(self) -> int:
        """Steps between whose ends poses were not heard."""
        return self._unseen

    @property
    def state(self) -> str:
        """State of the mission as last recorded, empty before."""
        return str(self.record.get('state', ''))

    def see(self, message: PoseStamped) -> None:
        """Take a true pose."""
        place = message.pose.position
        position = np.array([place.x, place.y])
        before, faults = self._last, self._faults
        self._audit.add(position)
        self._last = position
        if before is not None and np.linalg.norm(position - before) > _UNSEEN_M:
            self._unseen += 1
            self._unseen_faults += self._faults - faults

    def change_zones(self, config: ExplorerConfig) -> None:
        """Judge by other zones from now on."""
        self._audit.change(area_of(config))

    def take_record(self, record: dict[str, Any]) -> None:
        """Take a record and hold it against the last one, whichever process has told that."""
        if not record.get('home'):
            return
        if self.record:
            problem = lost(self.record, record)
            if problem:
                self.broken.setdefault('lost sample', problem)
        self._is_awaited = False
        self.record = record

    def expect_all_of_it(self) -> None:
        """Take note that an explorer was started again, which must know what the last one knew."""
        self._is_awaited = bool(self.record)

    def judge(self) -> None:
        """Hold the whole flight against the rules."""
        record, config = self.record, self._config
        cost = self._audit.flown_m + record.get('stops', 0) * config.budget.stop_cost_m
        spent = record.get('spent_m', 0.0)
        if max(cost, spent) > config.total_m + _ROUNDING:
            self.broken['overrun'] = f'{cost:.3f} m flown, {spent:.3f} m booked'
        faults = self._faults - self._unseen_faults
        if faults > 0:
            rule = 'crossing' if self._audit.zone_crossings else 'outside'
            self.broken[rule] = (
                f'{self._audit.zone_crossings} zones entered, {self._audit.outside} steps outside'
            )
        if self._is_awaited:
            self.broken['lost sample'] = 'the explorer said nothing any more'
        self._judge_end()

    def summary(self) -> dict[str, Any]:
        """Return what happened, as plain values."""
        keys = ('state', 'reason', 'outcome', 'spent_m', 'budget_m', 'stops', 'n_readings')
        return {
            **{key: self.record.get(key) for key in keys},
            'samples': len(self.record.get('samples', ())),
            'flown_m': self._audit.flown_m,
            'unseen_steps': self._unseen,
        }

    def _judge_end(self) -> None:
        record = self.record
        if self.state == MissionState.HOLD.value and record.get('reason'):
            return
        home, position = record.get('home'), self._last
        away = math.nan
        if home is not None and position is not None:
            away = float(np.linalg.norm(position - np.array(home)))
        is_near = away <= self._config.vehicle.arrival_radius_m + _ROUNDING
        if self.state != MissionState.DONE.value or not is_near:
            self.broken['not home'] = (
                f'{self.state or "no record"}, {away:.2f} m from home: {record.get("reason")}'
            )

    @property
    def _faults(self) -> int:
        return self._audit.zone_crossings + self._audit.outside


def area_of(config: ExplorerConfig) -> SearchArea:
    """Return the area and the zones of some settings."""
    return SearchArea.from_config(config.area, config.no_fly, config.search_plane())


def lost(before: dict[str, Any], after: dict[str, Any]) -> str:
    """
    Return what a record has lost against an earlier one, empty where it has lost nothing.

    A sample keeps its row, and the number of its readings never falls.

    :param before: the earlier record.
    :param after: the later one, of the same explorer or of one that was started again.
    """
    old, new = before['samples'], after['samples']
    if len(new) < len(old):
        return f'{len(old)} samples before, {len(new)} after'
    if any(row[3] < known[3] for known, row in zip(old, new)):
        return 'a sample has fewer readings than before'
    if after['spent_m'] < before['spent_m'] - _ROUNDING:
        return f'{before["spent_m"]:.3f} m spent before, {after["spent_m"]:.3f} m after'
    if after['home'] != before['home']:
        return f'home was {before["home"]} before, {after["home"]} after'
    return ''
