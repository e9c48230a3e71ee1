# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The picture of a mission."""

from __future__ import annotations

from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from bo_explorer.core.record import MissionRecord
from bo_explorer.report.ground_truth import GroundTruth
from bo_explorer.report.mission_picture import draw_mission

from .missions import grid, mission, slope, truth


@pytest.mark.parametrize('known', [truth(), None], ids=['with truth', 'without truth'])
def test_a_mission_becomes_a_large_colourful_picture(
    tmp_path: Path, known: GroundTruth | None
) -> None:
    path = tmp_path / 'mission.png'
    draw_mission(
        path,
        mission(),
        points=grid(),
        mean=slope(grid()),
        std=0.1 * slope(grid()),
        truth=known,
        unit='K',
    )
    pixels = matplotlib.image.imread(path)
    assert min(pixels.shape[:2]) > 1000
    assert len(np.unique(pixels[::7, ::7].reshape(-1, pixels.shape[2]), axis=0)) > 200


def test_a_mission_without_a_sample_can_be_drawn(tmp_path: Path) -> None:
    path = tmp_path / 'mission.png'
    empty = MissionRecord(policy='ei', area=mission().area, budget_m=10.0)
    draw_mission(
        path, empty, points=np.empty((0, 2)), mean=np.empty(0), std=np.empty(0), truth=None
    )
    assert path.stat().st_size > 10_000
