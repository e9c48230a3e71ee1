# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Keeping the record of a mission while it flies."""

from __future__ import annotations

import numpy as np

from .area import SearchArea
from .config import ExplorerConfig
from .explorer import Explorer
from .record import MissionRecord
from .types import FloatArray

_MAX_HISTORY = 5_000


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
            budget_m=config.budget.total_m,
            reserve_m=config.budget.reserve,
            area=[polygon.tolist() for polygon in area.polygons],
            zones=[zone.tolist() for zone in area.zones],
        )

    def reconfigure(self, config: ExplorerConfig, area: SearchArea) -> None:
        """Write down the settings that may change in flight."""
        self.record.policy = config.policy.name
        self.record.zones = [zone.tolist() for zone in area.zones]

    def add_target(self, target: FloatArray) -> None:
        """Write down a new target, shape ``(2,)``, metres."""
        self.record.waypoints.append([float(v) for v in target])

    def add_stop(self) -> None:
        """Write down that the vehicle measures at a target."""
        self.record.stops += 1

    def add_decision(self, elapsed_s: float) -> None:
        """Write down how long a choice took, seconds of wall time."""
        self.record.decision_ms.append(1e3 * elapsed_s)

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
        history = record.best_history
        history.append([spent_m, best.x, best.y, best.mean, best.std])
        if len(history) > _MAX_HISTORY:
            del history[1:-1:2]
