# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A map of a flight that somebody else has planned: readings in, belief out, nothing flown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.config import ExplorerConfig
from ..core.errors import RecordingError
from ..core.explorer import Explorer
from ..core.logbook import Logbook
from ..core.policy import Policy
from ..core.pose_history import PoseHistory
from ..core.record import MissionRecord
from ..core.types import FloatArray, MapSnapshot, Pose, Reading

# Readings told at once: as many as a vehicle takes in on a short leg.
_BLOCK = 64

_MAX_TRACK = 5_000


@dataclass(frozen=True)
class Survey:
    """
    What the readings of a flight say.

    :param record: track, samples, best estimate; the budget is what was flown.
    :param map: belief at the candidates.
    """

    record: MissionRecord
    map: MapSnapshot


def survey(
    config: ExplorerConfig,
    policy: Policy,
    poses: Sequence[Pose],
    values: Sequence[tuple[float, float]],
) -> Survey:
    """
    Put readings on the map, in the order they were taken, and learn the model as a mission would.

    :param config: settings of the planner; the budget is not read.
    :param policy: of the planner; it chooses nothing.
    :param poses: in the order of their stamps, at least one.
    :param values: value, sensor unit, and stamp, seconds, in the order of the stamps.
    :return: what they say.
    :raises RecordingError: if no reading can be used.
    :raises GeometryError: if the area cannot be used.
    """
    explorer = Explorer(config, policy)
    log = Logbook(config, explorer.area)
    history = PoseHistory(config.ingest.max_age_s, capacity=len(poses))
    plane = config.search_plane()
    for pose in poses:
        history.add(plane.pose(pose))
    track = np.array([plane.pose(pose).position for pose in poses])
    stamps = np.array([pose.stamp for pose in poses])
    flown = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(track, axis=0), axis=1))])
    for begin in range(0, len(values), _BLOCK):
        block = values[begin : begin + _BLOCK]
        explorer.tell(_placed(block, history, explorer))
        if explorer.is_fit_due():
            explorer.fit()
        log.add_belief(explorer, float(np.interp(block[-1][1], stamps, flown)))
    if config.model.fit and len(explorer.ingest.samples) >= config.model.fit_min_samples:
        explorer.fit()
        log.add_belief(explorer, float(flown[-1]))
    belief, record = explorer.map(), log.record
    if belief is None or record.best is None:
        reasons = ', '.join(f'{n} {reason}' for reason, n in explorer.ingest.rejections.items())
        raise RecordingError(f'none of {len(values)} readings can be used: {reasons or "none"}.')
    record.policy, record.state, record.outcome = 'recording', 'done', 'surveyed'
    record.reason = f'{explorer.ingest.n_accepted} of {len(values)} readings of a recording'
    record.n_readings = len(values)
    record.rejections = explorer.ingest.rejections
    record.flown_m = record.spent_m = record.budget_m = float(flown[-1])
    record.reserve_m = 0.0
    ends_apart = float(np.linalg.norm(track[-1] - track[0]))
    record.returned_home = ends_apart <= config.vehicle.arrival_radius_m
    record.home = track[0].tolist()
    record.track = track[:: math.ceil(len(track) / _MAX_TRACK)].tolist()
    return Survey(record, belief)


def rectangle_round(points: FloatArray) -> tuple[float, ...]:
    """
    Return the corners of a rectangle round places, a little larger, as ``area.polygon`` has them.

    :param points: shape ``(M, 2)``, metres.
    :raises RecordingError: if they are all at one place.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.02 * float((high - low).max())
    if margin == 0.0:
        raise RecordingError('the vehicle of the recording has not moved: there is no map.')
    (x0, y0), (x1, y1) = (low - margin).tolist(), (high + margin).tolist()
    return (x0, y0, x1, y0, x1, y1, x0, y1)


def _placed(
    values: Sequence[tuple[float, float]], history: PoseHistory, explorer: Explorer
) -> list[Reading]:
    readings = []
    for value, stamp in values:
        pose = history.at(stamp)
        if pose is None:
            explorer.ingest.reject('no_pose')
        else:
            readings.append(Reading(value, pose.x, pose.y, stamp))
    return readings
