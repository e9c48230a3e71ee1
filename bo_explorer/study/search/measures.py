# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""How good a search was, by the truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.types import FloatArray
from .searcher import SearchTrace
from .world import Truth

SHARES = np.linspace(0.0, 1.0, 61)
"""Parts of the budget at which the curve of regret is given, shape ``(61,)``."""

FOUND = 0.05
"""Regret at which the peak counts as found, in parts of the range."""

# Rounding of sums of thousands of steps, relative.
_ROUNDING = 1e-9


def measure(
    trace: SearchTrace, truth: Truth, *, budget_m: float, side_m: float
) -> dict[str, Any]:
    """
    Judge a search.

    :param trace: what it did.
    :param truth: the field.
    :param budget_m: whole budget, metres-equivalent.
    :param side_m: unit of the lengths.
    :return: ``average`` and ``final`` regret over the range, averaged over the budget and at its
        end; ``found``, 1 where the regret of the best estimate came to :data:`FOUND` at some
        time, and ``found_at``, the budget spent by then in sides, the whole of it where it never
        did; ``source_distance`` of the best estimate in sides; ``rmse`` of the map over the
        range of the field and ``log_likelihood``, the mean log density the belief gives a reading
        without noise, values in standard deviations of the field; ``decision_ms`` and
        ``decision_p95_ms``; ``decisions``; ``overrun``, ``crossings``, ``not_home``; and the
        ``regret`` at :data:`SHARES` of the budget.
    """
    regrets = truth.regret(trace.places)
    distances = np.minimum(trace.distances, budget_m)
    spans = np.diff(np.append(distances, budget_m))
    hits = np.flatnonzero(regrets <= FOUND)
    values = truth.value(trace.points)
    spread = float(values.std()) or 1.0
    errors = (trace.mean - values) / spread
    std = trace.std / spread
    log_density = -0.5 * (errors / std) ** 2 - np.log(std) - 0.5 * np.log(2.0 * np.pi)
    milliseconds = 1e3 * trace.decision_s
    has_decided = len(milliseconds) > 0
    return {
        'average': float((spans * regrets).sum() / budget_m),
        'final': float(regrets[-1]),
        'found': int(len(hits) > 0),
        'found_at': float(distances[hits[0]] if len(hits) else budget_m) / side_m,
        'source_distance': float(np.linalg.norm(trace.places[-1] - truth.source)) / side_m,
        'rmse': float(np.sqrt(np.mean((trace.mean - values) ** 2))) / (truth.top - truth.bottom),
        'log_likelihood': float(log_density.mean()),
        'decisions': len(milliseconds),
        'decision_ms': float(milliseconds.mean()) if has_decided else np.nan,
        'decision_p95_ms': float(np.quantile(milliseconds, 0.95)) if has_decided else np.nan,
        'overrun': int(trace.spent_m > budget_m * (1.0 + _ROUNDING)),
        'crossings': trace.crossings,
        'not_home': int(not trace.is_home),
        'regret': regret_curve(distances, regrets, budget_m),
    }


def regret_curve(distances: FloatArray, regrets: FloatArray, budget_m: float) -> FloatArray:
    """
    Return the last regret known at each of :data:`SHARES` of the budget.

    :param distances: rising, the first 0, metres-equivalent, shape ``(N,)``.
    :param regrets: shape ``(N,)``.
    :param budget_m: metres-equivalent.
    """
    last = np.searchsorted(distances, SHARES * budget_m * (1.0 + _ROUNDING), side='right') - 1
    curve: FloatArray = regrets[np.maximum(last, 0)]
    return curve
