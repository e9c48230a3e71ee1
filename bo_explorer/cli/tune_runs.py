# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Missions flown to compare settings: the same worlds for each of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..core.area import SearchArea
from ..core.config import ExplorerConfig
from ..core.types import FloatArray
from ..report.mission_json import regret_vs_distance
from ..sim.episode import run_episode
from ..study.runner.definition import Metrics, Settings, Task
from .scenario import Scenario
from .truth import field_of, truth_of

BASELINE = 'as in the file'
"""Name of the settings everything else is compared with."""

# Share of the side of the area that the model takes for the lengthscale where nobody knows.
_LENGTHSCALE_SIDES = 0.2


@dataclass(frozen=True)
class Entry:
    """
    Settings that are tried.

    :param name: for people.
    :param overrides: values by dotted key that stand above those of the file.
    """

    name: str
    overrides: Mapping[str, Any]


def fly_task(task: Task, settings: Settings) -> Metrics:
    """
    Fly one mission.

    :param task: its policy is the name of an entry; its seed that of planner and world.
    :param settings: ``flat``, the values of the file, and ``entries``, the overrides by name, as
        JSON; ``base``, the folder of the file.
    :return: regret at the end and averaged over the budget, both in parts of the range of the
        field; whether the vehicle came home; stops; median time of a decision, milliseconds.
    """
    flat = {
        **json.loads(settings['flat']),
        **json.loads(settings['entries'])[task.policy],
        'seed': task.seed,
        'simulator.seed': task.seed,
    }
    scenario = Scenario.from_flat(flat)
    field = field_of(scenario, Path(settings['base']))
    episode = run_episode(scenario.explorer, scenario.make_policy(), field, scenario.world)
    record = episode.record
    curve = regret_vs_distance(record, truth_of(field, scenario))
    times = record.decision_ms or [float('nan')]
    return {
        'final': float(curve[-1, 1]) if len(curve) else 1.0,
        'average': _average(curve, record.budget_m),
        'home': float(record.returned_home),
        'stops': float(record.stops),
        'decision_ms': float(np.median(times)),
    }


def pretend_world(
    config: ExplorerConfig, start: FloatArray, *, noise: float
) -> dict[str, Any]:
    """
    Return a world like the one the user expects, for a file that says nothing about one.

    :param config: settings of the planner.
    :param start: where the mission starts, shape ``(2,)``, metres.
    :param noise: standard deviation of a reading in parts of that of the field.
    :return: values by dotted key: fields drawn from a Gaussian process of the lengthscale and the
        noise the model is given, and a vehicle like the planner's.
    :raises GeometryError: if the area cannot be used.
    """
    area = SearchArea.from_config(config.area, config.no_fly, config.search_plane())
    low_x, low_y, high_x, high_y = area.bounds
    lengthscale, noise_std = config.model.lengthscale_m, config.model.noise_std
    scale = noise_std / noise if noise > 0.0 and noise_std > 0.0 else 1.0
    return {
        'simulator.field.kind': 'gp_draw',
        'simulator.field.origin_x': low_x,
        'simulator.field.origin_y': low_y,
        'simulator.field.width_m': high_x - low_x,
        'simulator.field.height_m': high_y - low_y,
        'simulator.field.lengthscale_m': (
            lengthscale if lengthscale > 0.0 else _LENGTHSCALE_SIDES * area.side
        ),
        'simulator.field.scale': scale,
        'simulator.sensor.noise_std': noise * scale,
        'simulator.vehicle.start_x': float(start[0]),
        'simulator.vehicle.start_y': float(start[1]),
        'simulator.vehicle.speed_mps': config.vehicle.speed_mps,
        'simulator.vehicle.acceleration_mps2': config.vehicle.acceleration_mps2,
    }


def _average(curve: FloatArray, budget_m: float) -> float:
    """Return the mean of a curve of steps over the whole budget; before its first step it is 1."""
    ends = np.append(np.append(0.0, curve[:, 0]), budget_m)
    heights = np.append(1.0, curve[:, 1])
    return float((np.maximum(np.diff(ends), 0.0) * heights).sum() / budget_m)
