# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a mission as one JSON document."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from ..core.record import MissionRecord
from ..core.types import FloatArray
from .belief import Belief
from .ground_truth import GroundTruth
from .whole_file import write_whole


def summarise(
    record: MissionRecord,
    *,
    truth: GroundTruth | None = None,
    zone_crossings: int | None = None,
    belief: Belief | None = None,
) -> dict[str, Any]:
    """
    Sum a mission up in plain, finite values; what is unknown is ``None``.

    ``regret`` is the maximum of the true field minus its value at the best estimate, in the
    sensor's unit; ``regret_fraction`` is the same in parts of the range of the field.
    ``record`` is the whole record and ``map`` the last belief: from them the mission can be drawn
    again, see :func:`bo_explorer.report.mission_file.read_mission`.

    :param record: the mission.
    :param truth: the true field, where it is known.
    :param zone_crossings: legs that an independent audit saw cross a no-fly zone, or ``None``
        without an audit.
    :param belief: the last map, or ``None`` without one.
    :return: the values, ready for :func:`write_json`.
    """
    best, regret, fraction = record.best, None, None
    if best is not None and truth is not None:
        regret = float(truth.regret(np.array([[best.x, best.y]]))[0])
        fraction = _fraction(regret, truth)
    summary = {
        'outcome': record.outcome,
        'reason': record.reason,
        'policy': record.policy,
        'seed': record.seed,
        'budget_m': record.budget_m,
        'spent_m': record.spent_m,
        'flown_m': record.flown_m,
        'reserve_m': record.reserve_m,
        'returned_home': record.returned_home,
        'zone_crossings': zone_crossings,
        'n_readings': record.n_readings,
        'n_support': len(record.samples),
        'rejections': dict(record.rejections),
        'waypoints': record.waypoints,
        'best': None if best is None else dataclasses.asdict(best),
        'summit': None
        if truth is None
        else {'x': truth.summit[0], 'y': truth.summit[1], 'value': truth.maximum},
        'regret': regret,
        'regret_fraction': fraction,
        'regret_vs_distance': regret_vs_distance(record, truth).tolist(),
        'decision_ms': _percentiles(record.decision_ms),
        'hyperparameters': dict(record.hyperparameters),
        'record': record.to_dict(),
        'map': None if belief is None else belief.to_dict(),
    }
    finite = _finite(summary)
    assert isinstance(finite, dict)
    return finite


def regret_vs_distance(record: MissionRecord, truth: GroundTruth | None) -> FloatArray:
    """
    Return the regret of the best estimate as the budget was spent.

    :param record: the mission.
    :param truth: the true field, or ``None``.
    :return: rows of spent budget, metres, and regret in parts of the field's range, shape
        ``(K, 2)``; no rows without truth.
    """
    if truth is None or not record.best_history:
        return np.empty((0, 2))
    history = np.array(record.best_history, dtype=np.float64)
    scale = truth.range if truth.range > 0.0 else 1.0
    return np.column_stack([history[:, 0], truth.regret(history[:, 1:3]) / scale])


def write_json(path: Path, document: dict[str, Any]) -> None:
    """
    Write a document whole or not at all.

    :param path: where to; its folder must exist.
    :param document: plain values.
    :raises ValueError: if a number is not finite.
    :raises OSError: if the file cannot be written.
    """
    write_whole(path, _text(document) + '\n')


def _text(value: Any, indent: str = '') -> str:
    """Return JSON with one line for each key: a track of one line for each number is endless."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value, allow_nan=False)
    deeper = indent + '  '
    lines = [f'{deeper}{json.dumps(key)}: {_text(item, deeper)}' for key, item in value.items()]
    return '{\n' + ',\n'.join(lines) + f'\n{indent}}}'


def _fraction(regret: float, truth: GroundTruth) -> float:
    return regret / truth.range if truth.range > 0.0 else 0.0


def _percentiles(decision_ms: list[float]) -> dict[str, float | None]:
    if not decision_ms:
        return {'p50': None, 'p95': None, 'max': None}
    p50, p95 = np.percentile(decision_ms, [50.0, 95.0])
    return {'p50': float(p50), 'p95': float(p95), 'max': float(max(decision_ms))}


def _finite(value: Any) -> Any:
    """Return ``value`` as plain JSON values with ``None`` for every number that is not finite."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_finite(item) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return value
