# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the planner of whole paths."""

from __future__ import annotations

import numpy as np
import pytest

from bo_explorer.study.mapping.belief import believe
from bo_explorer.study.mapping.chain import excess, read_along
from bo_explorer.study.mapping.planner import PathPlanner, PlannerOptions
from bo_explorer.study.mapping.sweeps import longest_sweep
from bo_explorer.study.mapping.worlds import END, START, STEP, MixtureWorld, grid

QUICK = PlannerOptions(cells=8, iterations=8, first_iterations=20)


def fly(budget: float, options: PlannerOptions, number: int = 1) -> np.ndarray:
    world = MixtureWorld(number)
    planner = PathPlanner(START, END, budget, STEP, options)
    readings, values = np.empty((0, 2)), np.empty(0)
    while not planner.is_done:
        points = planner.next_readings(readings, values)
        readings = np.concatenate([readings, points])
        values = np.concatenate([values, world(points)])
    return readings


def trace(readings: np.ndarray, number: int = 1) -> float:
    return believe(readings, MixtureWorld(number)(readings), grid()).trace


@pytest.mark.parametrize('budget', [np.sqrt(2.0), 1.5, 3.0, 6.0])
def test_a_path_uses_its_readings_and_reaches_its_end(budget: float) -> None:
    readings = fly(float(budget), QUICK)
    assert len(readings) == int(np.ceil(budget / STEP - 1e-9)) - 1
    assert excess(readings, START, END, STEP) <= 1e-9
    assert ((readings >= 0.0) & (readings <= 1.0)).all()


def test_a_budget_that_does_not_reach_the_end_is_refused() -> None:
    with pytest.raises(ValueError, match="'budget' must be at least 1.41421"):
        PathPlanner(START, END, 1.4, STEP)


def test_a_plan_beats_the_sweep_of_its_budget_and_replanning_the_plan() -> None:
    sweep = read_along(longest_sweep(START, END, 6.0), STEP)
    kept = fly(6.0, PlannerOptions(cells=10, every=0))
    replanned = fly(6.0, PlannerOptions(cells=10))
    assert trace(replanned) < trace(kept) < trace(sweep)


def test_the_same_readings_give_the_same_path() -> None:
    np.testing.assert_array_equal(fly(3.0, QUICK), fly(3.0, QUICK))


def test_sweeps_fit_their_budget() -> None:
    for budget in (1.5, 3.0, 6.0, 12.0):
        path = longest_sweep(START, END, budget)
        assert np.linalg.norm(np.diff(path, axis=0), axis=1).sum() <= budget
        np.testing.assert_array_equal(path[[0, -1]], [START, END])
