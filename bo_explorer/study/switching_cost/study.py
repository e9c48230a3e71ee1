# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
``study switching_cost``: regret and distance of the first paper's policies.

Settings of section 5: Latin hypercube of 20, 40 and 60 points, 100 evaluations more, noise 0.1,
Matern 5/2 by maximum likelihood after each, 32 simulations, three steps ahead; the tuning tasks
without noise of ours, five repeats, from 10 points for each dimension, of which the paper says
nothing. Distances are Euclidean in the unit cube; the way within the first design counts for
nobody. The full form has the paper's size.
"""

from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path

import numpy as np
from scipy.stats import qmc

from ...core.errors import ConfigError
from ...core.types import FloatArray
from ..problems.base import Problem
from ..problems.synthetic import SWITCHING, boxed_problem
from ..problems.tuning import SPAM_FILE, breast_cancer, spam, tuning_problem
from ..runner.definition import Block, Form, Metrics, Settings, Study, Task
from ..sequential.history import History
from ..sequential.likelihood import LikelihoodFit
from .policies import POLICIES, Effort, propose
from .results import figures, tables

TUNING = ('breast_cancer', 'spam')
FIRST_POINTS = {'ackley_2': 20, 'branin_2': 40, 'hartmann_6': 60}
"""Of the first design on the functions, section 5.1."""


def make_problem(name: str, seed: int, data: Path) -> Problem:
    """
    Return a problem of the study.

    :param name: of :data:`~bo_explorer.study.problems.synthetic.SWITCHING` or :data:`TUNING`.
    :param seed: of the split of the tuning tasks.
    :param data: folder of real measurements.
    """
    if name in SWITCHING:
        dimension, function = SWITCHING[name]
        return boxed_problem(function, dimension)
    load = breast_cancer if name == 'breast_cancer' else partial(spam, data)
    return tuning_problem(load, seed)


def n_first_points(problem: str, dimension: int, settings: Settings) -> int:
    """
    Return the size of the first design: the paper's, or ours where it has none.

    :param problem: name.
    :param dimension: its axes.
    :param settings: ``initial_per_dimension`` counts for the tuning tasks.
    """
    ours: int = settings['initial_per_dimension'] * dimension
    return FIRST_POINTS.get(problem, ours)


def first_design(dimension: int, n: int, seed: int) -> FloatArray:
    """
    Return the Latin hypercube every policy starts from.

    :param dimension: axes.
    :param n: points.
    :param seed: of the run.
    :return: shape ``(n, dimension)``.
    """
    sampler = qmc.LatinHypercube(dimension, rng=np.random.default_rng([seed, 1]))
    points: FloatArray = sampler.random(n)
    return points


def run(task: Task, settings: Settings) -> Metrics:
    """
    Optimise one problem once.

    :param task: which.
    :param settings: of the study.
    """
    problem = make_problem(task.problem, task.seed, settings['data'])
    noise_std = settings['noise_std'] if task.problem in SWITCHING else 0.0
    history = History(problem, noise_std, np.random.default_rng([task.seed, 2]))
    n_first = n_first_points(task.problem, problem.dimension, settings)
    for point in first_design(problem.dimension, n_first, task.seed):
        history.evaluate(point)
    effort = Effort(
        horizon=settings['horizon'],
        n_samples=settings['n_samples'],
        n_first=settings['n_first'],
        n_candidates=settings['n_candidates'],
        stop_cost=settings['stop_cost'],
    )
    generator = np.random.default_rng([task.seed, 3])
    fit, hyperparameters = LikelihoodFit(), None
    for _ in range(settings['iterations']):
        samples = history.samples
        hyperparameters = fit(samples.points, samples.values, hyperparameters)
        history.evaluate(
            propose(POLICIES[task.policy], history, hyperparameters, effort, generator)
        )
    return measures(history, n_first)


def measures(history: History, n_first: int) -> Metrics:
    """
    Return what is made of a run.

    Where nobody knows the best value, regrets are counted from 0: the test error itself.

    :param history: the whole run.
    :param n_first: evaluations of the first design.
    """
    best = history.problem.best
    values = np.array(history.values)
    regrets = (0.0 if np.isnan(best) else best) - values
    legs = np.linalg.norm(np.diff(history.points[n_first - 1 :], axis=0), axis=1)
    regret, distance = np.cumsum(regrets[n_first:]), np.cumsum(legs)
    simple = np.minimum.accumulate(regrets)[n_first:]
    return {
        'cumulative_regret': float(regret[-1]),
        'switching_cost': float(distance[-1]),
        'simple_regret': float(simple[-1]),
        'regret_curve': regret,
        'distance_curve': distance,
        'simple_curve': simple,
    }


def _check_policy(name: str) -> None:
    if name not in POLICIES:
        raise ConfigError('policies', f"'policies' must be of {list(POLICIES)}, got {name!r}.")


def _missing(problem: str, settings: Settings) -> str | None:
    if problem == 'breast_cancer' and importlib.util.find_spec('sklearn') is None:
        return 'it needs scikit-learn: pip install scikit-learn'
    if problem == 'spam' and not (settings['data'] / SPAM_FILE).is_file():
        return f'there is no {settings["data"] / SPAM_FILE}'
    return None


_ALL = tuple(POLICIES)
_PAPER = {
    'iterations': 100,
    'initial_per_dimension': 10,
    'noise_std': 0.1,
    'horizon': 3,
    'n_samples': 32,
    'n_first': 48,
    'n_candidates': 128,
    'stop_cost': 0.1,
}
_QUICK = {**_PAPER, 'iterations': 12, 'n_first': 16, 'n_candidates': 64, 'n_samples': 16}

SWITCHING_COST = Study(
    name='switching_cost',
    summary='Regret and distance travelled: the experiments of the distUCB paper.',
    quick=Form(
        (
            Block(('ackley_2', 'branin_2'), _ALL, seeds=3),
            Block(('hartmann_6', 'breast_cancer'), ('ei', 'dist_ucb_shift_rollout'), seeds=2),
        ),
        _QUICK,
    ),
    full=Form((Block(tuple(SWITCHING), _ALL, seeds=30), Block(TUNING, _ALL, seeds=5)), _PAPER),
    run=run,
    tables=tables,
    figures=figures,
    check_policy=_check_policy,
    missing=_missing,
)
