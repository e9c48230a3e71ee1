# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a budget allows: which places can be reached, measured and left again for home."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely

from ..core.explorer import Explorer
from ..core.types import BoolArray, FloatArray

# Length of the shortest round trip through n random places in an area A: 0.7124 sqrt(n A)
# [Beardwood, Halton and Hammersley 1959; constant of Johnson and McGeoch 1996].
_TOUR = 0.7124

# Mean distance of two random places in a square of side 1: (2 + sqrt(2) + 5 asinh(1)) / 15.
_MEAN_LEG = 0.5214


@dataclass(frozen=True)
class Reach:
    """
    Round trips from home to every candidate.

    :param home: where the mission starts and ends, shape ``(2,)``, metres.
    :param points: the candidates, shape ``(M, 2)``, metres.
    :param out_m: cost of the way there, metres-equivalent, shape ``(M,)``; infinite without one.
    :param round_m: cost of the way there, a stop and the way back, shape ``(M,)``.
    :param usable_m: budget a plan may use, metres-equivalent.
    :param stop_m: what one stop costs, metres-equivalent.
    :param cell_m2: area one candidate stands for, square metres.
    """

    home: FloatArray
    points: FloatArray
    out_m: FloatArray
    round_m: FloatArray
    usable_m: float
    stop_m: float
    cell_m2: float

    @classmethod
    def of(cls, explorer: Explorer, home: FloatArray) -> Reach:
        """
        Work the round trips out.

        :param explorer: knows area, candidates and costs.
        :param home: a legal place, shape ``(2,)``, metres.
        """
        config, travel = explorer.config, explorer.travel
        out = explorer.routes.costs_from(home)
        back = explorer.routes.costs_to(home)
        wind = math.hypot(config.vehicle.wind_east_mps, config.vehicle.wind_north_mps)
        # What flying may cost more than its path, there and back, is kept back by the mission.
        allowance_m = config.vehicle.arrival_radius_m / (1.0 - wind / config.vehicle.speed_mps)
        return cls(
            home=home,
            points=explorer.candidates,
            out_m=out,
            round_m=out + travel.stop_cost_m + back,
            usable_m=config.total_m - config.reserve_m - 2.0 * allowance_m,
            stop_m=travel.stop_cost_m,
            cell_m2=_flyable_m2(explorer) / max(len(explorer.candidates), 1),
        )

    @property
    def is_affordable(self) -> BoolArray:
        """Which candidates the budget pays a round trip to, shape ``(M,)``."""
        affordable: BoolArray = self.round_m <= self.usable_m
        return affordable

    @property
    def share(self) -> float:
        """Affordable candidates in parts of all; 0 without candidates."""
        return float(self.is_affordable.mean()) if len(self.points) else 0.0

    @property
    def cut_off(self) -> int:
        """Candidates no legal way leads to, whatever the budget."""
        return int((~np.isfinite(self.round_m)).sum())

    @property
    def area_m2(self) -> float:
        """Area within reach, square metres."""
        return float(self.is_affordable.sum()) * self.cell_m2

    @property
    def longest_m(self) -> float:
        """Cost of the longest way out the budget pays for, metres-equivalent."""
        return float(self.out_m[self.is_affordable].max(initial=0.0))

    @property
    def stops(self) -> tuple[int, int]:
        """
        Roughly how many stops fit in.

        :return: if they come in random order, and if they lie evenly and come in the best order;
            stops that cluster at a peak are more.
        """
        side = math.sqrt(self.area_m2)
        if not side > 0.0:
            return 0, 0
        random = self.usable_m / (_MEAN_LEG * side + self.stop_m)
        # stop n + tour side sqrt(n) = usable, a quadratic in sqrt(n).
        half = 0.5 * _TOUR * side
        root = (math.sqrt(half**2 + self.stop_m * self.usable_m) - half) / self.stop_m
        return max(1, int(random)), max(1, int(root**2))


def _flyable_m2(explorer: Explorer) -> float:
    """Return the area without the zones, margins left out, square metres."""
    area = explorer.area
    inside, zones = (
        shapely.union_all([shapely.Polygon(polygon) for polygon in polygons])
        for polygons in (area.polygons, area.zones)
    )
    return float(shapely.area(shapely.difference(inside, zones)))
