# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Fewer samples for the same readings: coarse where the field is flat, fine where it is steep."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from .types import FloatArray

_Groups = NDArray[np.intp]

# Cells that only meet at the origin never become one; there are four of them.
_LEAST_ROWS = 4

# What flat ground counts for beside differences of value: its cells are at most eight times, plus
# one, as wide as those at the steepest place, so that it stays known where was measured.
_FLAT_SHARE = 1.0 / 8.0


def merge_rows(rows: FloatArray, cell_m: float, most: int) -> FloatArray:
    """
    Merge all samples of one cell, and of ever larger cells until there are few enough.

    A cell of side ``s`` whose values differ by the share ``v`` of what all values differ by is
    merged before others where ``s (v + 1/8)`` is less. Merging weighs by count, so the number of
    readings and their mean stay what they were.

    :param rows: ``(x, y, value, count)``, shape ``(N, 4)``, finite.
    :param cell_m: size of the smallest cells, metres.
    :param most: how many may be left, at least 4.
    :return: shape ``(M, 4)``, in the order of their latest members.
    :raises ValueError: if fewer than 4 are asked for.
    """
    if most < _LEAST_ROWS:
        raise ValueError(f"'most' must be at least {_LEAST_ROWS}, got {most!r}.")
    rows = _merged(rows, _cells(rows, cell_m))
    if len(rows) <= most:
        return rows
    n = len(rows)
    differences = max(float(np.ptp(rows[:, 2])), np.finfo(np.float64).tiny)
    # Cells lie in the cells of the next level, so that what merging takes grows from level to
    # level, and each row stands in the largest cell that is still worth it.
    levels, losses, size = [np.arange(n)], [], cell_m
    while levels[-1].max() >= _LEAST_ROWS:
        size *= 2.0
        cells = _cells(rows, size)
        levels.append(cells)
        losses.append((size * (_ranges(rows[:, 2], cells) / differences + _FLAT_SHARE))[cells])
    groups = np.array(levels) + n * np.arange(len(levels))[:, np.newaxis]
    loss = np.array(losses)

    def groups_at(limit: float) -> _Groups:
        taken: _Groups = groups[(loss <= limit).sum(axis=0), np.arange(n)]
        return taken

    limits = np.unique(loss)
    at = bisect_left(limits, True, key=lambda limit: len(np.unique(groups_at(limit))) <= most)
    return _merged(rows, groups_at(limits[at]))


def _cells(rows: FloatArray, size: float) -> _Groups:
    """Return the number of the cell each row lies in, shape ``(N,)``, without gaps."""
    cells = np.floor(rows[:, :2] / size)
    # A complex number is a pair that NumPy sorts far faster than rows.
    numbers: _Groups = np.unique(cells[:, 0] + 1j * cells[:, 1], return_inverse=True)[1]
    return numbers


def _ranges(values: FloatArray, groups: _Groups) -> FloatArray:
    """Return by how much the values of each group differ, shape ``(G,)``."""
    n = int(groups.max()) + 1
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, groups, values)
    np.maximum.at(high, groups, values)
    ranges: FloatArray = high - low
    return ranges


def _merged(rows: FloatArray, groups: _Groups) -> FloatArray:
    """Return one row for each group, in the order of their latest members."""
    numbers, groups = np.unique(groups, return_inverse=True)
    n = len(numbers)
    counts = np.bincount(groups, rows[:, 3], n)
    means = [np.bincount(groups, rows[:, k] * rows[:, 3], n) / counts for k in range(3)]
    latest = np.zeros(n, dtype=np.intp)
    np.maximum.at(latest, groups, np.arange(len(rows)))
    merged: FloatArray = np.column_stack([*means, counts])[np.argsort(latest)]
    return merged
