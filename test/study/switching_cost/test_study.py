# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the switching-cost study: its measures, its pairing and its claims in small."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from bo_explorer.core.errors import ConfigError
from bo_explorer.study.problems.base import Evaluation, Problem
from bo_explorer.study.problems.synthetic import SWITCHING
from bo_explorer.study.registry import find_study
from bo_explorer.study.runner.definition import Task, make_plan
from bo_explorer.study.runner.run import make_backend, run_plan
from bo_explorer.study.sequential.history import History
from bo_explorer.study.switching_cost import study
from bo_explorer.study.switching_cost.policies import POLICIES
from bo_explorer.study.switching_cost.study import SWITCHING_COST, first_design, measures, run

SMALL: dict[str, Any] = {
    **SWITCHING_COST.quick.settings,
    'iterations': 4,
    'n_first': 8,
    'n_candidates': 24,
    'n_samples': 8,
    'data': Path(),
}


def test_regret_and_distance_add_up_over_the_evaluations_after_the_first_design() -> None:
    hill = Problem(2, lambda p: Evaluation(-float(((p - 0.5) ** 2).sum()), 1.0), best=0.0)
    history = History(hill, 0.1, np.random.default_rng(0))
    for point in ([0.0, 0.0], [0.0, 1.0], [0.5, 1.0], [0.5, 0.5]):
        history.evaluate(np.array(point))
    metrics = measures(history, n_first=2)
    np.testing.assert_allclose(metrics['regret_curve'], [0.25, 0.25])
    np.testing.assert_allclose(metrics['distance_curve'], [0.5, 1.0])
    np.testing.assert_allclose(metrics['simple_curve'], [0.25, 0.0])
    assert metrics['switching_cost'] == 1.0


def test_without_a_known_best_the_regret_is_the_error() -> None:
    unknown = Problem(1, lambda p: Evaluation(-float(p[0]), 1.0))
    history = History(unknown, 0.0, np.random.default_rng(0))
    for point in (0.5, 0.25, 0.75):
        history.evaluate(np.array([point]))
    np.testing.assert_allclose(measures(history, 1)['simple_curve'], [0.25, 0.25])


def test_the_first_design_is_a_latin_hypercube_and_the_same_for_all() -> None:
    points = first_design(6, 60, seed=5)
    for axis in points.T:
        np.testing.assert_array_equal(np.sort(np.floor(60 * axis)), np.arange(60))
    np.testing.assert_array_equal(points, first_design(6, 60, seed=5))
    assert not np.array_equal(points, first_design(6, 60, seed=6))


@pytest.mark.parametrize(
    'problem, n', [('ackley_2', 20), ('branin_2', 40), ('hartmann_6', 60), ('breast_cancer', 40)]
)
def test_the_first_design_has_the_size_the_paper_gives(problem: str, n: int, monkeypatch) -> None:
    """Section 5.1; of the tuning tasks it says nothing."""
    plain = Problem(
        SWITCHING[problem][0] if problem in SWITCHING else 4, lambda p: Evaluation(-1.0, 1.0)
    )
    sizes = []

    def designed(dimension: int, size: int, seed: int) -> np.ndarray:
        sizes.append(size)
        return first_design(dimension, size, seed)

    monkeypatch.setattr(study, 'make_problem', lambda name, seed, data: plain)
    monkeypatch.setattr(study, 'first_design', designed)
    run(Task(problem, 'ei', 0), {**SMALL, 'iterations': 1})
    assert sizes == [n]


@pytest.mark.parametrize('policy', list(POLICIES))
def test_every_policy_optimises_and_can_be_repeated(policy: str) -> None:
    metrics = run(Task('branin_2', policy, 0), SMALL)
    assert len(metrics['regret_curve']) == 4
    assert metrics['simple_regret'] >= 0.0
    assert run(Task('branin_2', policy, 0), SMALL)['distance_curve'] == pytest.approx(
        metrics['distance_curve'], abs=1e-9
    )


def test_the_printed_form_of_dist_ucb_hardly_moves() -> None:
    printed = run(Task('hartmann_6', 'dist_ucb_paper_rollout', 0), SMALL)
    plain = run(Task('hartmann_6', 'ucb_rollout', 0), SMALL)
    assert printed['switching_cost'] < 0.05 * plain['switching_cost']


def test_more_evaluations_lead_to_the_peak() -> None:
    metrics = run(Task('branin_2', 'ei', 1), {**SMALL, 'iterations': 20})
    assert metrics['simple_regret'] < 0.05


def test_the_study_writes_tables_and_figures(tmp_path: Path) -> None:
    plan = make_plan(
        find_study('switching_cost'),
        'quick',
        data=tmp_path,
        seeds=1,
        problems=['branin_2'],
        policies=['ei', 'dist_ucb_shift_rollout'],
        settings={'iterations': '2', 'n_candidates': '24', 'n_first': '8'},
    )
    results = run_plan(
        plan,
        tmp_path,
        backend=make_backend('local', workers=0),
        console=Console(quiet=True),
        command=['test'],
    )
    assert not results.failures
    assert {path.stem for path in tmp_path.glob('*.png')} == {
        'cumulative_regret', 'switching_cost', 'simple_regret', 'trade',
    }  # fmt: skip
    assert (tmp_path / 'against_dist_ucb.csv').is_file()


def test_spam_is_left_out_where_its_data_are_absent(tmp_path: Path) -> None:
    plan = make_plan(
        find_study('switching_cost'), 'full', data=tmp_path, problems=['spam', 'branin_2']
    )
    assert 'spam' in plan.skipped and plan.problems == ('branin_2',)


def test_an_unknown_policy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'policies' must be of"):
        make_plan(find_study('switching_cost'), 'quick', data=tmp_path, policies=['magic'])
