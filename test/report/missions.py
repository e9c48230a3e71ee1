# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A small made-up mission for the tests of the report."""

from __future__ import annotations

import numpy as np

from bo_explorer.core.record import MissionRecord
from bo_explorer.core.types import Estimate, FloatArray
from bo_explorer.report.ground_truth import GroundTruth


def slope(points: FloatArray) -> FloatArray:
    """Rise by one per metre to the east."""
    return np.asarray(points, dtype=np.float64)[:, 0]


def grid() -> FloatArray:
    """Return an 11 x 11 grid over the area, metres."""
    x, y = np.meshgrid(np.linspace(0.0, 10.0, 11), np.linspace(0.0, 10.0, 11))
    return np.column_stack([x.ravel(), y.ravel()])


def truth() -> GroundTruth:
    """Return the truth over the grid: 0 to 10."""
    return GroundTruth.over(slope, grid())


def mission() -> MissionRecord:
    """Return a mission that ended two metres short of the summit."""
    return MissionRecord(
        policy='dist_ucb',
        seed=3,
        state='done',
        outcome='budget_exhausted',
        reason='no target can be afforded',
        budget_m=40.0,
        reserve_m=2.0,
        spent_m=30.0,
        flown_m=27.0,
        returned_home=True,
        home=[1.0, 1.0],
        area=[[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]],
        zones=[[[4.0, 6.0], [6.0, 6.0], [5.0, 8.0]]],
        n_readings=50,
        rejections={'no_pose': 2},
        waypoints=[[5.0, 2.0], [8.0, 4.0]],
        samples=[[1.0, 1.0, 1.1, 4.0], [5.0, 2.0, 5.0, 3.0], [8.0, 4.0, 7.9, 5.0]],
        track=[[1.0, 1.0], [5.0, 2.0], [8.0, 4.0], [1.0, 1.0]],
        best=Estimate(x=8.0, y=4.0, mean=7.9, std=0.1),
        best_history=[
            [0.0, 1.0, 1.0, 1.1, 0.2],
            [5.0, 5.0, 2.0, 5.0, 0.2],
            [10.0, 8.0, 4.0, 7.9, 0.1],
        ],
        decision_ms=[10.0, 20.0, 30.0],
        hyperparameters={'noise_std': 0.1},
    )
