# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
``study mapping``: what is left unknown of the places of interest after a path of given length.

Settings of the benchmark: unit square, from corner to corner, a reading every 0.2, the fixed model
of :mod:`~bo_explorer.study.mapping.belief`, judged on 30 x 30 cells.
"""

from __future__ import annotations

import time

import numpy as np

from ...core.errors import ConfigError
from ...core.types import FloatArray
from ..runner.definition import Block, Form, Metrics, Settings, Study, Task
from .belief import believe
from .chain import flown, read_along
from .pictures import figures
from .planner import PathPlanner, PlannerOptions
from .results import tables
from .sweeps import longest_sweep
from .worlds import END, START, STEP, MixtureWorld, grid

POLICIES = ('expected_trace', 'area_as_now', 'first_plan', 'sweep')
"""
Replanning for the expected trace; for the area of interest as it is at the time of the plan; the
first plan kept; a lawn-mower sweep.
"""

_BUDGETS = (6, 8, 10, 12)


def budget_of(problem: str) -> int:
    """Return the path length of a problem, sides."""
    return int(problem.removeprefix('budget_'))


def _fly(task: Task, settings: Settings) -> tuple[FloatArray, float]:
    """Return the vertices of the path flown and the seconds all planning took."""
    world, budget = MixtureWorld(task.seed + 1), float(budget_of(task.problem))
    if task.policy == 'sweep':
        return longest_sweep(START, END, budget), 0.0
    started = time.perf_counter()
    planner = PathPlanner(
        START,
        END,
        budget,
        STEP,
        PlannerOptions(
            cells=settings['cells'],
            every=0 if task.policy == 'first_plan' else settings['every'],
            iterations=settings['iterations'],
            first_iterations=settings['first_iterations'],
            area_as_now=task.policy == 'area_as_now',
        ),
    )
    seconds = time.perf_counter() - started
    readings, values = np.empty((0, 2)), np.empty(0)
    while not planner.is_done:
        started = time.perf_counter()
        points = planner.next_readings(readings, values)
        seconds += time.perf_counter() - started
        readings = np.concatenate([readings, points])
        values = np.concatenate([values, world(points)])
    return np.concatenate([START[np.newaxis], flown(readings, START, STEP), [END]]), seconds


def run(task: Task, settings: Settings) -> Metrics:
    """
    Fly one path, then judge it by its vertices alone.

    :param task: world number, less 1, as the seed; the budget as the problem.
    :param settings: of the planner.
    """
    path, seconds = _fly(task, settings)
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    world, places = MixtureWorld(task.seed + 1), grid()
    readings = read_along(path, STEP)
    values = world(readings)
    beliefs = [believe(readings[:n], values[:n], places) for n in range(len(readings) + 1)]
    last = beliefs[-1]
    return {
        'trace': last.trace,
        'cells_of_interest': int(last.interest.sum()),
        'trace_everywhere': float(last.variance.sum()),
        'rmse': float(np.sqrt(np.mean((last.mean - world(places)) ** 2))),
        'planning_s': seconds,
        'length': length,
        'overrun': max(length - budget_of(task.problem), 0.0),
        'curve': [belief.trace for belief in beliefs],
        'path_x': path[:, 0],
        'path_y': path[:, 1],
    }


def _check_policy(name: str) -> None:
    if name not in POLICIES:
        raise ConfigError('policies', f"'policies' must be of {list(POLICIES)}, got {name!r}.")


_SETTINGS = {'cells': 15, 'every': 3, 'iterations': 20, 'first_iterations': 60}

MAPPING = Study(
    name='mapping',
    summary=(
        'Mapping within a path budget in the thirty worlds of CAtNIPP, beside its published '
        'results.'
    ),
    quick=Form((Block(('budget_8', 'budget_10'), POLICIES, seeds=4),), _SETTINGS),
    full=Form((Block(tuple(f'budget_{b}' for b in _BUDGETS), POLICIES, seeds=30),), _SETTINGS),
    run=run,
    tables=tables,
    figures=figures,
    check_policy=_check_policy,
)
