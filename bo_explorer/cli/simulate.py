# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One mission in one process: the planner and the pretend world without ROS."""

from __future__ import annotations

from pathlib import Path

from ..sim.episode import run_episode
from .result import MissionResult, publish_result
from .scenario import Scenario
from .truth import field_of, truth_of


def simulate(scenario: Scenario, out: Path, *, base: Path) -> bool:
    """
    Fly one mission and write what came of it.

    :param scenario: all settings.
    :param out: folder for the files; made if missing.
    :param base: folder of the scenario file, for relative paths in it.
    :return: whether the vehicle came home within its budget and kept out of every no-fly zone.
    :raises BoExplorerError: if area, field or policy cannot be used.
    :raises OSError: if a file cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    field = field_of(scenario, base)
    episode = run_episode(
        scenario.explorer, scenario.make_policy(), field, scenario.world, scenario.world.seed
    )
    result = MissionResult(
        record=episode.record,
        audit=episode.audit,
        points=episode.map[0],
        mean=episode.map[1],
        std=episode.map[2],
        truth=truth_of(field, scenario),
    )
    return publish_result(result, out)
