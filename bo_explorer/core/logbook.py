# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Keeping the record of a mission while it flies."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from .area import SearchArea
from .config import ExplorerConfig
from .explorer import Explorer
from .memory import MissionMemory
from .record import MissionRecord
from .types import FloatArray, Pose

logger = logging.getLogger(__name__)

# Rows of each list: the whole record is sent every second, between two waypoints.
_MAX_ROWS = 1_000
_MAX_DECISIONS = 5_000

# Changes of the charge that are worth a row.
_CHARGE_STEP = 0.002


class Logbook:
    """
    Writes the record of one mission.

    :param config: all settings of the planner.
    :param area: where it searches.
    """

    def __init__(self, config: ExplorerConfig, area: SearchArea) -> None:
        self.record = MissionRecord(
            policy=config.policy.name,
            seed=config.seed,
            budget_m=config.total_m,
            reserve_m=config.reserve_m,
            is_map=config.search_plane().is_map,
            area=[polygon.tolist() for polygon in area.polygons],
            zones=[zone.tolist() for zone in area.zones],
        )

    def reconfigure(self, config: ExplorerConfig, area: SearchArea) -> None:
        """Write down the settings that may change in flight."""
        self.record.policy = config.policy.name
        self.record.area = [polygon.tolist() for polygon in area.polygons]
        self.record.zones = [zone.tolist() for zone in area.zones]

    def resume(self, memory: MissionMemory) -> None:
        """Write on where the record of another process has ended."""
        self.record.waypoints = [list(target) for target in memory.targets]
        self.record.stops = memory.n_stops
        self.record.swaps = memory.swaps
        self.record.spent_before_m = memory.spent_before_m

    def add_swap(self, spent_m: float) -> None:
        """Write down a fresh battery after ``spent_m`` metres-equivalent on the one before."""
        self.record.swaps += 1
        self.record.spent_before_m += spent_m

    def add_target(self, target: FloatArray) -> None:
        """Write down a new target, shape ``(2,)``, metres."""
        self.record.waypoints.append([float(v) for v in target])
        _thin(self.record.waypoints, _MAX_DECISIONS)

    def add_stop(self) -> None:
        """Write down that the vehicle measures at a target."""
        self.record.stops += 1

    def add_event(self, state: str, reason: str, pose: Pose | None, spent_m: float) -> None:
        """
        Write down what the mission does from now on, and why.

        :param state: value of the mission state.
        :param reason: one sentence.
        :param pose: the newest pose, or ``None`` before the first.
        :param spent_m: budget spent so far, metres-equivalent.
        """
        events = self.record.events
        before = events[-1][2:] if events else ['idle', '']
        if before == [state, reason]:
            return
        if before[0] != state:
            logger.info('%s -> %s: %s', before[0], state, reason)
        events.append([None if pose is None else pose.stamp, spent_m, state, reason])
        _thin(events, _MAX_ROWS)

    def add_battery(self, fraction: float | None, spent_m: float) -> None:
        """
        Write down the charge where it has changed; what is unknown is left out.

        :param fraction: 0 to 1; ``None`` and other numbers mean unknown.
        :param spent_m: budget spent so far, metres-equivalent.
        """
        rows = self.record.battery
        if fraction is None or not 0.0 <= fraction <= 1.0:
            return
        if not rows or abs(fraction - rows[-1][1]) >= _CHARGE_STEP:
            rows.append([spent_m, fraction])
            _thin(rows, _MAX_ROWS)

    def add_decision(self, elapsed_s: float, spent_m: float) -> None:
        """
        Write down one choice.

        :param elapsed_s: wall time it took, seconds.
        :param spent_m: budget spent so far, metres-equivalent.
        """
        self.record.decision_ms.append(1e3 * elapsed_s)
        self.record.decided_at.append(spent_m)
        for rows in (self.record.decision_ms, self.record.decided_at):
            _thin(rows, _MAX_DECISIONS)

    def add_belief(self, explorer: Explorer, spent_m: float) -> None:
        """
        Write down what the map says now.

        :param explorer: keeps the map; nothing is written before there is one.
        :param spent_m: budget spent so far, metres-equivalent.
        """
        record, best, field_map = self.record, explorer.best, explorer.field_map
        if best is None or field_map is None:
            return
        samples = field_map.samples
        record.best = best
        record.samples = np.column_stack(
            [samples.points, samples.values, samples.counts]
        ).tolist()
        record.hyperparameters = field_map.hyperparameters.to_dict()
        record.best_history.append([spent_m, best.x, best.y, best.mean, best.std])
        _thin(record.best_history, _MAX_ROWS)


def _thin(rows: list[Any], most: int) -> None:
    """Drop every second row of too many, the ends left out."""
    if len(rows) > most:
        del rows[1:-1:2]
