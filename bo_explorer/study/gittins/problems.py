# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The problems of the paper, by name, with their budgets."""

from __future__ import annotations

import importlib.util
from typing import NamedTuple

from ...core.gp.hyperparameters import Hyperparameters
from ..problems.base import Problem, unit_cost
from ..problems.gp_path import drawn_problem
from ..problems.lunar_lander import landing_problem
from ..problems.pest_control import pest_problem
from ..problems.robot_pushing import pushing_problem
from ..problems.synthetic import SCALED, boxed_problem, mean_cost
from ..runner.definition import Settings
from .search import NOISE_VARIANCE

COST = '_cost'
"""Ends the name of a problem whose evaluations cost differently."""

DRAWN = tuple(f'prior_{d}' for d in (4, 8, 16, 32))
SYNTHETIC = tuple(f'{name}_{d}' for name in SCALED for d in (4, 8, 16))
EMPIRICAL = ('pest_control', 'lunar_lander', 'robot_pushing')

# Evaluations, and cost, of the empirical problems in the paper.
_BUDGETS = {
    'pest_control': (100.0, 800.0),
    'lunar_lander': (200.0, 3200.0),
    'robot_pushing': (200.0, 800.0),
}
# Evaluations, and cost, for each dimension, by the lengthscale of a drawn function.
_DRAWN_BUDGETS = {1.0: (10.0, 25.0), 0.5: (15.0, 40.0), 0.1: (25.0, 50.0)}
_BUDGET = _DRAWN_BUDGETS[1.0]
# In so many dimensions the cost is that of the longest lengthscale.
_MANY = 32
_NEEDS = {
    'lunar_lander': ('gymnasium', 'Box2D', 'pygame'),
    'robot_pushing': ('Box2D',),
}


class Case(NamedTuple):
    """
    A problem and what a run of it has.

    :param problem: what is maximised.
    :param budget: what evaluations after the first design may cost.
    :param known: the process it was drawn from; ``None`` where there is none.
    """

    problem: Problem
    budget: float
    known: Hyperparameters | None


def make_case(name: str, seed: int, settings: Settings) -> Case:
    """
    Return a problem of the study.

    :param name: of :data:`DRAWN`, :data:`SYNTHETIC` or :data:`EMPIRICAL`, maybe with :data:`COST`.
    :param seed: of a drawn function.
    :param settings: ``lengthscale``, ``budget_share`` and ``terrains``. Of the lengthscales the
        paper has 1, 0.5 and 0.1, with greater budgets for the smaller ones.
    """
    base = name.removesuffix(COST)
    is_cost_aware = base != name
    share = settings['budget_share']
    known = None
    if base in EMPIRICAL:
        problem = _empirical(base, is_cost_aware, settings['terrains'])
        budget = _BUDGETS[base][is_cost_aware]
    else:
        family, _, axes = base.rpartition('_')
        dimension = int(axes)
        cost = mean_cost if is_cost_aware else unit_cost
        budget = dimension * _BUDGET[is_cost_aware]
        if family == 'prior':
            scale = settings['lengthscale']
            budget = dimension * _drawn_budget(scale, dimension)[is_cost_aware]
            problem = drawn_problem(dimension, scale, seed, cost)
            known = Hyperparameters(
                'matern52', (scale,) * dimension, 1.0, NOISE_VARIANCE**0.5, 0.0
            )
        else:
            problem = boxed_problem(SCALED[family], dimension, cost)
    return Case(problem, share * budget, known)


def _drawn_budget(lengthscale: float, dimension: int) -> tuple[float, float]:
    """Return evaluations and cost for each dimension."""
    evaluations, cost = _DRAWN_BUDGETS.get(lengthscale, _BUDGET)
    return evaluations, _BUDGET[1] if dimension >= _MANY else cost


def _empirical(name: str, is_cost_aware: bool, terrains: int) -> Problem:
    if name == 'pest_control':
        return pest_problem(is_cost_aware=is_cost_aware)
    if name == 'lunar_lander':
        return landing_problem(is_cost_aware=is_cost_aware, terrains=terrains)
    return pushing_problem(is_cost_aware=is_cost_aware)


def missing_package(name: str) -> str | None:
    """Return which package a problem needs and does not find, or ``None``."""
    for module in _NEEDS.get(name.removesuffix(COST), ()):
        if importlib.util.find_spec(module) is None:
            return f'it needs {module}: pip install "bo_explorer[study]"'
    return None
