# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""One mission in one process: the planner and the pretend world without ROS."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.mission import Mission
from ..sim.episode import run_episode
from .progress import MissionProgress, make_console
from .result import MissionResult, publish_result
from .scenario import Scenario
from .truth import field_of, truth_of

_SHOW_PERIOD_S = 10.0


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
    console = make_console()
    with MissionProgress(console) as progress:
        episode = run_episode(
            scenario.explorer,
            scenario.make_policy(),
            field,
            scenario.world,
            progress=_Every(_SHOW_PERIOD_S, progress),
        )
    belief = episode.map
    result = MissionResult(
        record=episode.record,
        audit=episode.audit,
        points=np.empty((0, 2)) if belief is None else belief.points,
        mean=np.empty(0) if belief is None else belief.mean,
        std=np.empty(0) if belief is None else belief.std,
        truth=truth_of(field, scenario),
    )
    return publish_result(result, out, console)


class _Every:
    """Shows a mission, but not at every step of the pretend world."""

    def __init__(self, period_s: float, progress: MissionProgress) -> None:
        self._period_s = period_s
        self._progress = progress
        self._shown_at = -period_s

    def __call__(self, mission: Mission, now: float) -> None:
        if now - self._shown_at >= self._period_s:
            self._shown_at = now
            self._progress.show(mission.record())
