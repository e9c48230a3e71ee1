# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What it costs to fly: the shortest legal path, in metres-equivalent.

In a steady wind ``w`` a vehicle of airspeed ``v`` that crabs along the direction ``u`` has the
groundspeed ``g(u) = w.u + sqrt(v^2 - |w - (w.u) u|^2)``, and a leg of length ``l`` costs
``l v / g``: the metres of calm flight that take as long. This is the gauge of a disc that is off
its centre: it depends on direction, and the triangle inequality holds.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from .area import SearchArea
from .errors import ConfigError
from .types import BoolArray, FloatArray
from .visibility import VisibilityGraph

# Memory for cached rows of costs between candidates.
_MAX_CACHE_BYTES = 256 * 2**20

# Seven by seven cells of a grid without the middle: directions every ten degrees.
_N_NEIGHBOURS = 48


class TravelCost:
    """
    Costs and paths between places.

    A start that is not legal (the wind has carried the vehicle into a zone or out of the area)
    first goes the shortest way that comes into no zone, :meth:`SearchArea.way_in`, and that leg is
    paid for. A destination that is not legal cannot be reached.

    :param area: where legs are legal.
    :param stop_cost_m: what one stop for a measurement costs, metres-equivalent, above 0.
    :param speed_mps: airspeed at cruise, above 0.
    :param wind_mps: steady wind towards east and north; slower than the airspeed.
    :raises ConfigError: if a value is outside its range.
    """

    def __init__(
        self,
        area: SearchArea,
        *,
        stop_cost_m: float,
        speed_mps: float = 1.0,
        wind_mps: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        for key, value in (('budget.stop_cost_m', stop_cost_m), ('vehicle.speed_mps', speed_mps)):
            if not 0.0 < value < math.inf:
                raise ConfigError(key, f"'{key}' must be finite and above 0, got {value!r}.")
        wind = math.hypot(*wind_mps)
        if not wind < speed_mps:
            raise ConfigError(
                'vehicle.wind_east_mps',
                f"'vehicle.wind_east_mps' and wind_north_mps must be below speed_mps = "
                f'{speed_mps!r} together, got {wind_mps!r}: no vehicle flies against that.',
            )
        self.area = area
        self.stop_cost_m = float(stop_cost_m)
        # Wind in units of the airspeed: only the ratio matters.
        self._wind = np.array(wind_mps, dtype=np.float64) / speed_mps
        self._is_calm = wind == 0.0

    @cached_property
    def graph(self) -> VisibilityGraph:
        """The corners of the area and the shortest ways between them."""
        return VisibilityGraph(self.area, self.segment_costs)

    def segment_costs(self, starts: FloatArray, ends: FloatArray) -> FloatArray:
        """
        Return what straight legs cost, legal or not.

        With ``d`` the step and ``w`` the wind over the airspeed, the cost ``c`` solves
        ``|d - c w| = c``.

        :param starts: shape ``(..., 2)``, metres; broadcast against ``ends``.
        :param ends: shape ``(..., 2)``, metres.
        :return: metres-equivalent, shape ``(...)``; at least one axis.
        """
        starts, ends = np.asarray(starts, dtype=np.float64), np.asarray(ends, dtype=np.float64)
        east = np.atleast_1d(ends[..., 0] - starts[..., 0])
        north = np.atleast_1d(ends[..., 1] - starts[..., 1])
        lengths: FloatArray = np.sqrt(east**2 + north**2)
        if self._is_calm:
            return lengths
        tail = self._wind[0] * east + self._wind[1] * north
        spare = 1.0 - float(self._wind @ self._wind)
        root = np.sqrt(tail**2 + spare * lengths**2)
        # The two forms of the root of a quadratic, each where it does not cancel.
        with np.errstate(divide='ignore', invalid='ignore'):
            before_wind, into_wind = lengths**2 / (root + tail), (root - tail) / spare
        costs: FloatArray = np.where(tail > 0.0, before_wind, into_wind)
        return costs

    def path_cost(self, path: FloatArray) -> float:
        """
        Return what a polyline costs, stops left out.

        :param path: vertices, shape ``(Q, 2)``, metres; fewer than two cost nothing.
        :return: metres-equivalent.
        """
        path = np.asarray(path, dtype=np.float64)
        return float(self.segment_costs(path[:-1], path[1:]).sum()) if len(path) > 1 else 0.0

    def path(self, start: FloatArray, end: FloatArray) -> FloatArray | None:
        """
        Return the cheapest legal path.

        :param start: shape ``(2,)``, metres.
        :param end: shape ``(2,)``, metres.
        :return: vertices, first the start, last the end, none twice in a row, shape
            ``(Q, 2)``; one vertex where the start is the end. ``None`` where no legal path exists.
        """
        end = np.asarray(end, dtype=np.float64)
        start = np.asarray(start, dtype=np.float64)
        entry = self.entry(start)
        if entry is None or not self.area.contains(end[np.newaxis])[0]:
            return None
        way = self._way(entry, end)
        if way is None or not self.area.path_legal(way):
            return None
        whole = np.concatenate([start[np.newaxis], way])
        is_new = np.concatenate([[True], (np.diff(whole, axis=0) != 0.0).any(axis=1)])
        path: FloatArray = whole[is_new]
        return path

    def costs_from(self, origin: FloatArray, points: FloatArray) -> FloatArray:
        """
        Return what the cheapest legal paths from one place cost, stops left out.

        :param origin: shape ``(2,)``, metres.
        :param points: shape ``(M, 2)``, metres.
        :return: metres-equivalent, shape ``(M,)``; infinite where no legal path exists.
        """
        return CandidateRoutes(self, points).costs_from(origin)

    def costs_to(self, points: FloatArray, destination: FloatArray) -> FloatArray:
        """
        Return what the cheapest legal paths to one place cost, stops left out.

        :param points: shape ``(M, 2)``, metres.
        :param destination: shape ``(2,)``, metres.
        :return: metres-equivalent, shape ``(M,)``; infinite where no legal path exists.
        """
        return CandidateRoutes(self, points).costs_to(destination)

    def entry(self, start: FloatArray) -> FloatArray | None:
        """
        Return where a path from ``start`` becomes legal.

        :param start: shape ``(2,)``, metres.
        :return: the start itself where it is legal, the nearest legal place it may fly straight
            to elsewhere, ``None`` where there is none or the start is not finite.
        """
        if self.area.contains(start[np.newaxis])[0]:
            return start
        return self.area.way_in(start)

    def _way(self, start: FloatArray, end: FloatArray) -> FloatArray | None:
        """Return the cheapest polyline between two legal places, ``None`` if there is none."""
        if self.area.legs_legal(start, end)[0]:
            return np.stack([start, end])
        graph = self.graph
        leave = np.where(
            graph.sees(start[np.newaxis])[:, 0], self.segment_costs(start, graph.corners), np.inf
        )
        reach = np.where(
            graph.sees(end[np.newaxis])[:, 0], self.segment_costs(graph.corners, end), np.inf
        )
        totals = leave[:, np.newaxis] + graph.costs + reach
        if not np.isfinite(totals).any():
            return None
        first, last = np.unravel_index(int(np.argmin(totals)), totals.shape)
        corners = graph.corners[graph.way(int(first), int(last))]
        return self._without_needless(np.concatenate([[start], corners, [end]]))

    def _without_needless(self, path: FloatArray) -> FloatArray:
        """Leave out the vertices a straight leg can skip: on a shortest path they lie on it."""
        kept = [path[0]]
        for vertex, after in zip(path[1:-1], path[2:]):
            if not self.area.legs_legal(kept[-1], after)[0]:
                kept.append(vertex)
        return np.stack([*kept, path[-1]])


class CandidateRoutes:
    """
    Costs between the candidates and any place, with what depends on the candidates alone kept.

    :param travel: costs and paths.
    :param candidates: shape ``(M, 2)``, metres.
    """

    def __init__(self, travel: TravelCost, candidates: FloatArray) -> None:
        self._travel = travel
        self._candidates = np.asarray(candidates, dtype=np.float64)
        self._is_legal = travel.area.contains(self._candidates)
        self._costs_to: dict[bytes, FloatArray] = {}
        self._rows: dict[int, FloatArray] = {}
        row_bytes = 8 * max(len(self._candidates), 1)
        self._max_rows = max(_MAX_CACHE_BYTES // row_bytes, 1)

    def costs_from(self, origin: FloatArray) -> FloatArray:
        """
        Return what the cheapest legal path to each candidate costs.

        :param origin: shape ``(2,)``, metres.
        :return: metres-equivalent, shape ``(M,)``; infinite where no legal path exists.
        """
        travel, candidates = self._travel, self._candidates
        origin = np.asarray(origin, dtype=np.float64)
        entry = travel.entry(origin)
        if entry is None:
            return np.full(len(candidates), np.inf)
        is_clear = travel.area.legs_legal(entry, candidates)
        costs = np.where(is_clear, travel.segment_costs(entry, candidates), np.inf)
        if not is_clear.all() and not travel.area.is_convex:
            graph = travel.graph
            sees = graph.sees(entry[np.newaxis])[:, 0]
            leave = travel.segment_costs(entry, graph.corners[sees])
            via = (leave[:, np.newaxis] + graph.costs[sees]).min(axis=0, initial=np.inf)
            round_corners = (via[:, np.newaxis] + self._from_corners).min(axis=0, initial=np.inf)
            costs = np.where(is_clear, costs, round_corners)
        if entry is not origin:
            costs += travel.segment_costs(origin, entry)[0]
        return costs

    def costs_to(self, destination: FloatArray) -> FloatArray:
        """
        Return what the cheapest legal path from each candidate costs; kept for each destination.

        :param destination: shape ``(2,)``, metres.
        :return: metres-equivalent, read-only, shape ``(M,)``; infinite where no legal path exists.
        """
        destination = np.asarray(destination, dtype=np.float64)
        key = destination.tobytes()
        if key not in self._costs_to:
            # Homes change rarely: a handful is plenty.
            if len(self._costs_to) >= 16:
                self._costs_to.pop(next(iter(self._costs_to)))
            costs = self._fresh_costs_to(destination)
            costs.setflags(write=False)
            self._costs_to[key] = costs
        return self._costs_to[key]

    def costs_between(self, indices: ArrayLike, others: ArrayLike | None = None) -> FloatArray:
        """
        Return what the cheapest legal paths from some candidates to all, or to some others, cost.

        :param indices: of the candidates to start from, shape ``(K,)``, integers.
        :param others: of the candidates to end at, shape ``(J,)``; all of them if left out.
        :return: metres-equivalent, shape ``(K, M)`` or ``(K, J)``; infinite where no legal path
            exists.
        """
        chosen = [int(index) for index in np.asarray(indices).ravel()]
        ends = slice(None) if others is None else np.asarray(others)
        candidates = self._candidates
        if self._travel.area.is_convex and self._is_legal.all():
            return self._travel.segment_costs(candidates[chosen][:, np.newaxis], candidates[ends])
        rows = np.empty((len(chosen), len(candidates[ends])))
        for row, index in zip(rows, chosen):
            row[:] = self._row(index)[ends]
        return rows

    def _row(self, index: int) -> FloatArray:
        if index not in self._rows:
            if len(self._rows) >= self._max_rows:
                self._rows.pop(next(iter(self._rows)))
            self._rows[index] = self.costs_from(self._candidates[index])
        return self._rows[index]

    def _fresh_costs_to(self, destination: FloatArray) -> FloatArray:
        travel, candidates = self._travel, self._candidates
        costs = np.full(len(candidates), np.inf)
        if not travel.area.contains(destination[np.newaxis])[0]:
            return costs
        is_clear = travel.area.legs_legal(candidates, destination)
        costs[is_clear] = travel.segment_costs(candidates[is_clear], destination)
        if not travel.area.is_convex:
            graph = travel.graph
            sees = graph.sees(destination[np.newaxis])[:, 0]
            reach = travel.segment_costs(graph.corners[sees], destination)
            via = (graph.costs[:, sees] + reach).min(axis=1, initial=np.inf)
            round_corners = (via[:, np.newaxis] + self._to_corners).min(axis=0, initial=np.inf)
            costs = np.where(is_clear, costs, round_corners)
        for index in np.flatnonzero(~self._is_legal):
            way_out = travel.path(candidates[index], destination)
            costs[index] = np.inf if way_out is None else travel.path_cost(way_out)
        return costs

    @cached_property
    def neighbours(self) -> tuple[NDArray[np.int64], FloatArray]:
        """
        The candidates round each one, and what the straight legs from them cost, ``(M, K)``.

        At the border of the area some are as far as no others; legs from those cost infinity.
        """
        n = len(self._candidates)
        tree = cKDTree(self._candidates)
        found = tree.query(self._candidates, min(_N_NEIGHBOURS + 1, n))
        apart, near = (part.reshape(n, -1)[:, 1:] for part in found)
        costs = self._travel.segment_costs(
            self._candidates[near], self._candidates[:, np.newaxis]
        ).reshape(near.shape)
        reach = np.median(apart.max(axis=1, initial=0.0)) if n else 0.0
        return near, np.where(apart <= (1.0 + 1e-9) * reach, costs, np.inf)

    @cached_property
    def _seen(self) -> BoolArray:
        """Which corners see which candidates, shape ``(K, M)``."""
        return self._travel.graph.sees(self._candidates)

    @cached_property
    def _from_corners(self) -> FloatArray:
        """Cost of the leg from each corner to each candidate it sees, shape ``(K, M)``."""
        corners = self._travel.graph.corners[:, np.newaxis]
        return np.where(
            self._seen, self._travel.segment_costs(corners, self._candidates), np.inf
        )

    @cached_property
    def _to_corners(self) -> FloatArray:
        """Cost of the leg to each corner from each candidate it sees, shape ``(K, M)``."""
        corners = self._travel.graph.corners[:, np.newaxis]
        return np.where(
            self._seen, self._travel.segment_costs(self._candidates, corners), np.inf
        )
