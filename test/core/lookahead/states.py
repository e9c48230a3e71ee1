# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Planning states as the explorer makes them, small."""

from __future__ import annotations

import numpy as np
import torch

from bo_explorer.core.acquisition.base import AcquisitionContext
from bo_explorer.core.area import SearchArea
from bo_explorer.core.gp.field_map import FieldMap
from bo_explorer.core.gp.hyperparameters import Hyperparameters
from bo_explorer.core.lookahead.base import PlanningState
from bo_explorer.core.travel import CandidateRoutes, TravelCost
from bo_explorer.core.types import Samples

SIDE = 100.0
STOP = 3.0
SQUARE = SIDE * np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
ZONE = np.array([(30.0, 20.0), (60.0, 20.0), (60.0, 80.0), (30.0, 80.0)])
HYPERPARAMETERS = Hyperparameters('matern52', (25.0, 25.0), 2.0, 0.3, 5.0)


def scattered_places(n, seed=0):
    return np.random.default_rng(seed).uniform(0.0, SIDE, (n, 2))


def lattice(n):
    axis = np.linspace(0.5, n - 0.5, n) * SIDE / n
    return np.stack(np.meshgrid(axis, axis, indexing='xy'), axis=-1).reshape(-1, 2)


def readings(n, seed=1):
    rng = np.random.default_rng(seed)
    points = rng.uniform(0.0, SIDE, (n, 2))
    values = 5.0 + 2.0 * np.sin(points[:, 0] / 18.0) + rng.normal(0.0, 0.3, n)
    return Samples(points, values, np.ones(n))


def planning_state(
    candidates,
    *,
    available=250.0,
    zones=(),
    wind=(0.0, 0.0),
    samples=None,
    hyperparameters=HYPERPARAMETERS,
    position=(20.0, 30.0),
    home=(5.0, 5.0),
    legal=None,
    seed=7,
):
    area = SearchArea([SQUARE], zones)
    travel = TravelCost(area, stop_cost_m=STOP, wind_mps=wind)
    routes = CandidateRoutes(travel, candidates)
    legs = routes.costs_from(np.array(position))
    homes = routes.costs_to(np.array(home))
    field_map = FieldMap(candidates, hyperparameters)
    field_map.update(readings(6) if samples is None else samples)
    affordable = np.isfinite(legs + homes) & (legs + STOP + homes <= available)
    distance = torch.from_numpy(np.where(np.isfinite(legs), legs, 1e6 * SIDE) / SIDE)
    context = AcquisitionContext(
        incumbent=field_map.sample_posterior().mean.max(),
        distance=distance,
        cost=distance + STOP / SIDE,
        remaining=available / SIDE,
        total=4.0,
        n_samples=len(field_map.samples),
    )
    return PlanningState(
        field_map=field_map,
        posterior=field_map.posterior(),
        context=context,
        legal=affordable if legal is None else affordable & legal,
        routes=routes,
        leg_costs_m=legs,
        home_costs_m=homes,
        available_m=available,
        stop_cost_m=STOP,
        side_m=SIDE,
        generator=np.random.default_rng(seed),
    )
