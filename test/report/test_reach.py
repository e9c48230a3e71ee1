# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What a budget allows, against plain geometry."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from bo_explorer.core.config import (
    AreaConfig,
    BudgetConfig,
    ExplorerConfig,
    NoFlyConfig,
    VehicleConfig,
)
from bo_explorer.core.explorer import Explorer
from bo_explorer.core.policy import make_policy
from bo_explorer.report.area_picture import draw_area
from bo_explorer.report.reach import Reach

SQUARE = (0.0, 0.0, 100.0, 0.0, 100.0, 100.0, 0.0, 100.0)
HOME = np.array([0.0, 0.0])


def explorer(total_m: float, *zones: str) -> Explorer:
    config = ExplorerConfig(
        area=AreaConfig(polygon=SQUARE, resolution_m=5.0),
        no_fly=NoFlyConfig(polygons=zones, margin_m=0.0),
        budget=BudgetConfig(total_m=total_m, reserve_m=10.0, stop_cost_m=4.0),
        vehicle=VehicleConfig(arrival_radius_m=1.0),
    )
    return Explorer(config, make_policy('ei'))


def test_without_zones_a_round_trip_is_twice_the_distance_and_a_stop() -> None:
    made = explorer(150.0)
    reach = Reach.of(made, HOME)
    distance = np.hypot(*reach.points.T)
    assert reach.round_m == pytest.approx(2.0 * distance + 4.0)
    assert reach.usable_m == pytest.approx(138.0)
    assert reach.is_affordable.tolist() == (2.0 * distance + 4.0 <= 138.0).tolist()
    assert reach.longest_m == pytest.approx(distance[2.0 * distance <= 134.0].max())
    assert reach.area_m2 == pytest.approx(0.25 * math.pi * 67.0**2, rel=0.08)


def test_a_wall_makes_the_way_longer_or_cuts_off() -> None:
    walled = Reach.of(explorer(400.0, '20,-1; 21,-1; 21,60; 20,60'), HOME)
    behind = int(np.argmin(np.hypot(*(walled.points - [40.0, 0.0]).T)))
    assert walled.out_m[behind] == pytest.approx(math.hypot(20, 60) + 1.0 + math.hypot(19, 60))
    cut = Reach.of(explorer(400.0, '48,-1; 49,-1; 49,101; 48,101'), HOME)
    assert cut.cut_off == (cut.points[:, 0] > 48.5).sum()


def test_the_stops_fit_into_the_budget_they_were_made_from() -> None:
    reach = Reach.of(explorer(600.0), HOME)
    few, many = reach.stops
    side = math.sqrt(reach.area_m2)
    assert few * (0.5214 * side + 4.0) <= reach.usable_m < (few + 1) * (0.5214 * side + 4.0)
    cost = [0.7124 * side * math.sqrt(n) + 4.0 * n for n in (many, many + 1)]
    assert cost[0] <= reach.usable_m < cost[1]


def test_the_mean_leg_is_the_mean_distance_of_random_places() -> None:
    places = np.random.default_rng(0).uniform(size=(2, 200_000, 2))
    assert np.hypot(*(places[0] - places[1]).T).mean() == pytest.approx(0.5214, abs=2e-3)


def test_a_budget_for_nothing_reaches_nothing() -> None:
    reach = Reach.of(explorer(11.0), HOME)
    assert reach.share == 0.0 and reach.stops == (0, 0) and reach.longest_m == 0.0


@pytest.mark.parametrize('has_home', [True, False])
def test_the_picture_shows_area_and_reach(tmp_path: Path, has_home: bool) -> None:
    made = explorer(150.0, '20,20; 40,20; 40,40')
    path = tmp_path / 'check.png'
    draw_area(
        path, made.area, Reach.of(made, HOME) if has_home else None, title='a', total_m=150.0,
        zone_margin_m=0.0,
    )  # fmt: skip
    pixels = matplotlib.image.imread(path)[::5, ::5]
    n_colours = len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0))
    assert n_colours > (100 if has_home else 5)
