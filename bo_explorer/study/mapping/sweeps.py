# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Lawn-mower sweeps of the unit square."""

from __future__ import annotations

import numpy as np

from ...core.types import FloatArray

_EDGE = 0.08
_ROWS = range(2, 12)


def sweeps(start: FloatArray, end: FloatArray) -> list[FloatArray]:
    """
    Return sweeps of two to eleven rows, along each axis.

    :param start: where they begin.
    :param end: where they end.
    :return: vertices of each, both ends included, shape ``(P, 2)``.
    """
    paths = []
    for rows in _ROWS:
        lines = np.linspace(_EDGE, 1.0 - _EDGE, rows)
        turns = np.array(
            [
                (line, side if row % 2 == 0 else 1.0 - side)
                for row, line in enumerate(lines)
                for side in (_EDGE, 1.0 - _EDGE)
            ]
        )
        paths += [np.concatenate([start[np.newaxis], way, end[np.newaxis]])
                  for way in (turns, turns[:, ::-1])]
    return paths


def longest_sweep(start: FloatArray, end: FloatArray, budget: float) -> FloatArray:
    """
    Return the sweep that makes most of a budget: the rival without a model.

    :param start: where it begins.
    :param end: where it ends.
    :param budget: longest path.
    :return: vertices, both ends included; the straight line where no sweep fits.
    """
    best = np.stack([start, end])
    for path in sweeps(start, end):
        if _length(best) < _length(path) <= budget:
            best = path
    return best


def _length(path: FloatArray) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
