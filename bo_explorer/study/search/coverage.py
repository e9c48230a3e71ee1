# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Rivals that look at everything alike: a lawn-mower and a spiral, as dense as the budget pays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...core.acquisition.base import AcquisitionContext
from ...core.policy import PlanningState
from ...core.types import FloatArray

# A denser pattern may fit where a thinner one does not, round zones: this many are tried.
_PATIENCE = 3


class Coverage:
    """
    Flies a pattern that is laid out once, at the first decision, and never looks at a reading.

    :param stops_are_free: whether the budget is path length alone.
    """

    def __init__(self, *, stops_are_free: bool) -> None:
        self._stops_are_free = stops_are_free
        self._tour: list[int] | None = None

    def scores(self, state: PlanningState) -> FloatArray:
        """Return the order of the pattern, negated; minus infinity off it, shape ``(M,)``."""
        if self._tour is None:
            self._tour = self._densest(state)
        scores = np.full(len(state.legal), -np.inf)
        # Places flown to are not legal any more, so the first legal one is the next.
        for k, index in reversed(list(enumerate(self._tour))):
            scores[index] = -float(k)
        return scores

    def price(self, context: AcquisitionContext) -> float | None:
        """Return ``None``: no price is bet with."""
        return None

    def patterns(self, n: int, state: PlanningState) -> list[list[int]]:
        """
        Return the ways to fly a pattern of density ``n``, as candidates in their order.

        :param n: lines, or rings, at least 1.
        :param state: what is flown over.
        """
        raise NotImplementedError

    def _densest(self, state: PlanningState) -> list[int]:
        """Return the densest pattern the budget pays for, or what it pays of the thinnest."""
        best: list[int] = []
        failures, n, most = 0, 1, int(state.legal.sum())
        while failures < _PATIENCE and n <= most:
            ways = [(self._cost(way, state), way) for way in self.patterns(n, state) if way]
            cost, way = min(ways, key=lambda pair: pair[0], default=(np.inf, []))
            if cost <= state.available_m:
                best, failures = way, 0
            else:
                failures += 1
            n += 1
        return best or max((self._start(w, state) for w in self.patterns(1, state)), key=len)

    def _start(self, way: list[int], state: PlanningState) -> list[int]:
        """Return as much of a pattern as can be flown and come home from."""
        n = len(way)
        while n and self._cost(way[:n], state) > state.available_m:
            n -= 1
        return way[:n]

    def _cost(self, way: Sequence[int], state: PlanningState) -> float:
        between = state.routes.costs_between(way, way)
        legs = between[np.arange(len(way) - 1), np.arange(1, len(way))].sum()
        stops = 0.0 if self._stops_are_free else len(way) * state.stop_cost_m
        return float(
            state.leg_costs_m[way[0]] + legs + state.home_costs_m[way[-1]] + stops
        )


class LawnMower(Coverage):
    """Parallel lines along the longer side of the area, one after the other."""

    def patterns(self, n: int, state: PlanningState) -> list[list[int]]:
        """Return ``n`` lines from each of the four corners."""
        chosen, points = _reachable(state)
        low, high = points.min(axis=0), points.max(axis=0)
        across = int(np.argmin(high - low))
        along = 1 - across
        width = (high[across] - low[across]) / n
        lines = []
        for k in range(n):
            middle = low[across] + (k + 0.5) * width
            # The row of candidates next to the line, from its one end to the other.
            offsets = np.abs(points[:, across] - middle)
            row = np.flatnonzero(offsets <= offsets.min() + 1e-9 * (high - low).max())
            row = row[np.argsort(points[row, along], kind='stable')]
            lines.append([int(chosen[row[0]]), int(chosen[row[-1]])])
        ways = []
        for rows in (lines, lines[::-1]):
            for first in (0, 1):
                ways.append(
                    _distinct(
                        end
                        for k, row in enumerate(rows)
                        for end in (row if (k + first) % 2 == 0 else row[::-1])
                    )
                )
        return ways


class Spiral(Coverage):
    """Rectangles one within the other, from the border inwards."""

    def patterns(self, n: int, state: PlanningState) -> list[list[int]]:
        """Return ``n`` rings from each of the four corners, either way round."""
        chosen, points = _reachable(state)
        low, high = points.min(axis=0), points.max(axis=0)
        corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
        ways = []
        for first in range(4):
            for turn in (1, -1):
                places = []
                for ring in range(n):
                    inset = (ring + 0.5) / (2.0 * n)
                    for k in range(4):
                        corner = corners[(first + turn * k) % 4]
                        places.append(low + (inset + (1.0 - 2.0 * inset) * corner) * (high - low))
                ways.append(_distinct(int(chosen[_nearest(points, p)]) for p in places))
        return ways


def _reachable(state: PlanningState) -> tuple[NDArray[np.int64], FloatArray]:
    """Return the candidates that can be flown to and home from, and where they are."""
    chosen = np.flatnonzero(state.legal)
    return chosen, state.field_map.candidates[chosen]


def _nearest(points: FloatArray, place: FloatArray) -> int:
    return int(np.argmin(np.linalg.norm(points - place, axis=1)))


def _distinct(indices: Iterable[int]) -> list[int]:
    """Return each candidate once, where it comes first."""
    return list(dict.fromkeys(indices))
