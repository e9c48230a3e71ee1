# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A small made-up mission for the tests of the report."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from bo_explorer.core.record import MissionRecord
from bo_explorer.core.types import Estimate, FloatArray
from bo_explorer.report.belief import Belief
from bo_explorer.report.ground_truth import GroundTruth
from bo_explorer.report.mission_file import FlownMission
from bo_explorer.report.mission_json import summarise


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


def flown() -> FlownMission:
    """Return the mission as it is read from its document, with events, battery and map."""
    record = dataclasses.replace(
        mission(),
        stops=2,
        decided_at=[0.0, 5.0, 10.0],
        battery=[[0.0, 1.0], [15.0, 0.7], [30.0, 0.4]],
        events=[
            [None, 0.0, 'waiting', 'waiting for the first pose'],
            [100.0, 0.0, 'waiting', 'waiting for the first reading'],
            [101.0, 0.0, 'moving', 'target (5.0, 2.0) with score 1'],
            [103.0, 5.0, 'measuring', 'measuring at the target'],
            [104.0, 5.0, 'planning', 'choosing the next target'],
            [104.0, 5.0, 'moving', 'target (8.0, 4.0) with score <b>2</b>'],
            [110.0, 15.0, 'returning', 'no target can be afforded'],
            [120.0, 30.0, 'done', 'no target can be afforded'],
        ],
        hyperparameters={
            'kernel': 'matern52',
            'lengthscales': [3.0, 3.0],
            'signal_std': 3.0,
            'noise_std': 0.1,
            'mean': 4.0,
        },
    )
    belief = Belief(grid(), slope(grid()), np.full(len(grid()), 0.5), slope(grid()))
    summary = summarise(record, truth=truth(), zone_crossings=0, belief=belief)
    return FlownMission(record, belief, summary, Path('somewhere/mission.json'))
