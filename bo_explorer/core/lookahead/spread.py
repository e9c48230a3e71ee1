# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Which candidates are worth the time of a policy that looks ahead.

All choices are deterministic, and those that only spread are prefixes of one order that depends on
the places alone. Decisions one after the other thus look at almost the same candidates, for which
the routes keep their costs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..optimise import top_candidates
from ..types import BoolArray, FloatArray

_BITS = 62


def spread_order(points: FloatArray) -> NDArray[np.int64]:
    """
    Return an order whose every prefix covers the places evenly: coarse grids first, then finer.

    Candidates are sorted by the bits of their grid coordinates, least significant first (the
    Morton code reversed): those at multiples of ``2^k`` cells in every axis come before others.

    :param points: shape ``(M, D)``.
    :return: indices, shape ``(M,)``.
    """
    dimension = points.shape[1]
    keys = np.zeros(len(points), dtype=np.int64)
    for axis in range(dimension):
        offsets = points[:, axis] - points[:, axis].min(initial=np.inf)
        # Coordinates that differ by rounding only belong to one line of the grid.
        scaled = np.round(offsets / (offsets.max(initial=0.0) or 1.0), 9)
        line = np.unique(scaled, return_inverse=True)[1].astype(np.int64)
        for bit in range(_BITS // dimension):
            place = _BITS - 1 - (dimension * bit + axis)
            keys |= ((line >> bit) & 1) << place
    return np.argsort(keys, kind='stable')


def first_moves(
    scores: FloatArray, legal: BoolArray, order: NDArray[np.int64], n: int
) -> NDArray[np.int64]:
    """
    Choose the first moves to look into: the better half by score, the other spread.

    :param scores: of a myopic policy, shape ``(M,)``.
    :param legal: shape ``(M,)``.
    :param order: :func:`spread_order`.
    :param n: how many, at least 1.
    :return: at most ``n`` legal candidates, rising, shape ``(K,)``; all of them where they fit,
        and the best by score always.
    """
    if int(legal.sum()) <= n:
        return np.flatnonzero(legal)
    best = top_candidates(scores, legal, (n + 1) // 2)
    left = legal.copy()
    left[best] = False
    spread = order[left[order]][: n - len(best)]
    return np.sort(np.concatenate([np.array(best, dtype=np.int64), spread]))


def inner_grid(
    moves: NDArray[np.int64], legal: BoolArray, order: NDArray[np.int64], n: int
) -> NDArray[np.int64]:
    """
    Choose the candidates of the simulated steps: the first moves and spread legal ones.

    :param moves: :func:`first_moves`, shape ``(K,)``.
    :param legal: shape ``(M,)``.
    :param order: :func:`spread_order`.
    :param n: how many.
    :return: the first moves and as many others as fit into ``n``, rising, shape ``(J,)``.
    """
    chosen = np.zeros(len(legal), dtype=np.bool_)
    chosen[moves] = True
    rest = order[(legal & ~chosen)[order]]
    chosen[rest[: max(n - len(moves), 0)]] = True
    return np.flatnonzero(chosen)
