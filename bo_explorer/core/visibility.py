# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
The visibility graph: which corners of free space see each other, and the shortest ways between.

A shortest path among polygons is a polyline that turns only at corners where free space turns by
more than 180 degrees (Lozano-Perez and Wesley, 1979). That holds for every travel cost that is
convex and grows in proportion to the step, so also in a steady wind.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from .area import SearchArea
from .types import BoolArray, FloatArray

SegmentCosts = Callable[[FloatArray, FloatArray], FloatArray]
"""Costs of straight legs: starts and ends of shape ``(..., 2)`` to ``(...)``."""


class VisibilityGraph:
    """
    Shortest ways between all corners, made once.

    :param area: where legs are legal.
    :param segment_costs: what a straight leg costs; it may differ by direction.
    """

    def __init__(self, area: SearchArea, segment_costs: SegmentCosts) -> None:
        self._area = area
        self.corners = area.turning_points
        """Corners of free space, shape ``(K, 2)``, metres."""
        first, second = np.triu_indices(len(self.corners), k=1)
        seen = area.legs_legal(self.corners[first], self.corners[second])
        first, second = first[seen], second[seen]
        tails, heads = np.concatenate([first, second]), np.concatenate([second, first])
        costs = segment_costs(self.corners[tails], self.corners[heads])
        n_corners = len(self.corners)
        graph = csr_array((costs, (tails, heads)), shape=(n_corners, n_corners))
        if n_corners:
            self.costs, self._before = dijkstra(graph, return_predecessors=True)
        else:
            self.costs, self._before = np.empty((0, 0)), np.empty((0, 0), dtype=np.int32)

    costs: FloatArray
    """Cost from corner to corner, shape ``(K, K)``; infinite where no way exists."""

    def sees(self, points: FloatArray) -> BoolArray:
        """
        Tell which corners see which places.

        :param points: shape ``(M, 2)``, metres.
        :return: shape ``(K, M)``.
        """
        seen = np.zeros((len(self.corners), len(points)), dtype=np.bool_)
        # Legs out of one place are tested together: loop over the fewer places.
        if len(points) < len(self.corners):
            for column, point in enumerate(points):
                seen[:, column] = self._area.legs_legal(point, self.corners)
        else:
            for row, corner in enumerate(self.corners):
                seen[row] = self._area.legs_legal(corner, points)
        return seen

    def way(self, first: int, last: int) -> list[int]:
        """Return the corners of the shortest way between two that are connected, both included."""
        way = [last]
        while way[-1] != first:
            way.append(int(self._before[first, way[-1]]))
        return way[::-1]
