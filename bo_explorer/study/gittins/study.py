# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
``study gittins``: the second paper's policies, with costs that are alike, known or learned.

First design of 2 (D + 1) Sobol points, free; Matern 5/2 refitted after each evaluation, beyond 200
after some, or the true process where the function was drawn from it. Curves are what the best
evaluation paid for so far leaves; an evaluation that overruns the budget counts for nothing. Where
evaluations cost next to nothing a run ends after ``max_evaluations``.

As the paper does, entropy search is left out of the empirical problems.

The full form is smaller than the paper's: half its budgets, 8 repeats in 32 dimensions and 4 of
the empirical problems, not 16, 10 terrains of the lander, not 50, fewer ascents. Its size is
``--seeds 16 --set budget_share=1 --set terrains=50 --set n_raw=200 --set n_starts=640``.
"""

from __future__ import annotations

import math

import numpy as np

from ...core.acquisition.pandora import PandoraGittinsIndex
from ...core.errors import ConfigError
from ...core.optimise import sobol_points
from ...core.types import FloatArray
from ..runner.definition import Block, Form, Metrics, Settings, Study, Task
from . import counterexample
from .policies import POLICIES, calibrated_price
from .problems import COST, DRAWN, EMPIRICAL, SYNTHETIC, make_case, missing_package
from .results import SHARES, figures, tables
from .search import Effort, Search

STOPPING = 'pbgi_stop'
"""The index at the calibrated price, with the rule that stops; for drawn functions."""


def run(task: Task, settings: Settings) -> Metrics:
    """
    Search one problem once.

    :param task: which.
    :param settings: of the study.
    """
    if task.problem in counterexample.PROBLEMS:
        return _run_line(task, settings['line_budget'])
    case = make_case(task.problem, task.seed, settings)
    search = Search(
        case.problem,
        case.budget,
        case.known,
        np.random.default_rng([task.seed, 4]),
        Effort(settings['n_raw'], settings['n_starts']),
    )
    dimension = search.dimension
    search.start(
        sobol_points(
            2 * (dimension + 1), dimension, np.random.default_rng([task.seed, 5])
        ).numpy()
    )
    n_first = len(search.history.values)
    last = n_first + settings['max_evaluations']
    has_stopped = False
    if task.policy == STOPPING:
        has_stopped = _until_it_stops(search, last)
    else:
        while search.spent < search.budget and len(search.history.values) < last:
            search.pay_for(POLICIES[task.policy](search))
    values, costs = np.array(search.history.values), np.array(search.history.costs)
    best = np.maximum.accumulate(values)[n_first - 1 :]
    spent = np.concatenate([[0.0], np.cumsum(costs[n_first:])])
    return {
        **_measures(case.problem.best, spent, best, case.budget),
        'spent': search.spent,
        'evaluations': len(values) - n_first,
        'has_stopped': float(has_stopped),
    }


def _until_it_stops(search: Search, last: int) -> bool:
    """
    Evaluate until nothing is worth the calibrated price; return whether that came about.

    :param search: after its first design.
    :param last: evaluations at most.
    """
    price = calibrated_price(search)
    # Twice the budget: the calibration bounds the mean, and single runs may well exceed it.
    while search.spent < 2.0 * search.budget and len(search.history.values) < last:
        point, index = search.maximise(PandoraGittinsIndex(price))
        if index <= float(search.incumbent):
            return True
        search.pay_for(point)
    return False


def _run_line(task: Task, budget: float) -> Metrics:
    line = counterexample.make_line(task.problem, task.seed)
    spent, best = counterexample.open_places(line, task.policy, budget)
    return {
        **_measures(float(line.values.max()), np.array(spent), np.array(best), budget),
        'spent': spent[-1],
        'evaluations': len(spent) - 1,
    }


def _measures(
    highest: float, spent: FloatArray, best: FloatArray, budget: float
) -> dict[str, object]:
    """
    Return the loss at shares of the budget: the regret, or minus the value if that is unknown.

    :param highest: best value of the problem, NaN where unknown.
    :param spent: after each evaluation, from 0, shape ``(N + 1,)``.
    :param best: greatest value by then, shape ``(N + 1,)``.
    :param budget: at which the curve ends.
    """
    steps = np.searchsorted(spent, SHARES * budget * (1.0 + 1e-12), side='right') - 1
    paid = best[steps]
    loss = -paid if math.isnan(highest) else np.maximum(highest - paid, 0.0)
    return {'loss': float(loss[-1]), 'loss_curve': loss}


def _check_policy(name: str) -> None:
    known = [*POLICIES, STOPPING]
    if name not in known:
        raise ConfigError('policies', f"'policies' must be of {known}, got {name!r}.")


def _missing(problem: str, settings: Settings) -> str | None:
    return missing_package(problem)


_ALIKE = (
    'random', 'ei', 'ucb', 'thompson', 'knowledge_gradient', 'max_value_entropy',
    'multi_step_ei', 'pbgi_1e-4', 'pbgi_d',
)  # fmt: skip
_DIFFERENT = (
    'random', 'ei', 'ei_per_cost', 'ei_cooled', 'max_value_entropy', 'budgeted_multi_step_ei',
    'pbgi_1e-4', 'pbgi_d',
)  # fmt: skip
_ALIKE_EMPIRICAL = tuple(name for name in _ALIKE if name != 'max_value_entropy')
_DIFFERENT_EMPIRICAL = tuple(name for name in _DIFFERENT if name != 'max_value_entropy')
_SMALL = ('prior_4', 'ackley_4', 'levy_4', 'rosenbrock_4')
_HUGE = ('prior_32',)
_LARGE = tuple(name for name in (*DRAWN, *SYNTHETIC) if name not in (*_SMALL, *_HUGE))
_CHEAP = ('ei', 'pbgi_1e-4', 'pbgi_d')
_PRICES = ('pbgi_1e-2', 'pbgi_1e-3', 'pbgi_1e-4', STOPPING)


def _costly(problems: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name + COST for name in problems)


_FULL = {
    'budget_share': 0.5,
    'lengthscale': 1.0,
    'terrains': 10,
    'line_budget': 40.0,
    'max_evaluations': 1000,
    'n_raw': 32,
    'n_starts': 4,
}

GITTINS = Study(
    name='gittins',
    summary="Pandora's-box Gittins indices and their rivals: the experiments of the paper.",
    quick=Form(
        (
            Block(('prior_4', 'ackley_4'), ('random', *_CHEAP), seeds=2),
            Block(('prior_4_cost',), ('ei', 'ei_per_cost', 'pbgi_d', STOPPING), seeds=2),
            Block(
                ('pest_control_cost', 'lunar_lander_cost', 'robot_pushing_cost'),
                ('ei_per_cost', 'pbgi_1e-4'),
                seeds=1,
            ),
            Block(counterexample.PROBLEMS, ('ei', 'ei_per_cost', 'pbgi_1e-4'), seeds=1),
        ),
        {**_FULL, 'budget_share': 0.1, 'terrains': 3, 'n_raw': 16, 'n_starts': 2},
    ),
    full=Form(
        (
            Block(_LARGE, _ALIKE, seeds=16),
            Block(_costly(_LARGE), _DIFFERENT, seeds=16),
            Block(_HUGE, _ALIKE, seeds=8),
            Block(_costly(_HUGE), _DIFFERENT, seeds=8),
            Block(EMPIRICAL, _ALIKE_EMPIRICAL, seeds=4),
            Block(_costly(EMPIRICAL), _DIFFERENT_EMPIRICAL, seeds=4),
            Block(_SMALL, ('random', *_CHEAP), seeds=16),
            Block(_costly(_SMALL), ('random', 'ei_per_cost', *_CHEAP), seeds=16),
            Block(('prior_4_cost', 'prior_8_cost'), _PRICES, seeds=16),
            Block(counterexample.PROBLEMS, tuple(counterexample.POLICIES), seeds=16),
        ),
        _FULL,
    ),
    run=run,
    tables=tables,
    figures=figures,
    check_policy=_check_policy,
    missing=_missing,
)
