# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the Gittins study."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from bo_explorer.core.errors import ConfigError
from bo_explorer.study.gittins.problems import DRAWN, EMPIRICAL, SYNTHETIC, make_case
from bo_explorer.study.gittins.results import SHARES
from bo_explorer.study.gittins.study import GITTINS, STOPPING, run
from bo_explorer.study.registry import find_study
from bo_explorer.study.runner.definition import Task, make_plan
from bo_explorer.study.runner.run import make_backend, run_plan

SMALL: dict[str, Any] = {**GITTINS.quick.settings, 'n_raw': 8, 'budget_share': 0.1}


def test_curves_fall_from_the_first_design_to_the_loss() -> None:
    metrics = run(Task('ackley_4', 'ei', 0), SMALL)
    curve = metrics['loss_curve']
    assert len(curve) == len(SHARES)
    assert (np.diff(curve) <= 0.0).all()
    assert curve[-1] == metrics['loss'] >= 0.0
    assert metrics['evaluations'] == 4


def test_policies_start_from_the_same_design() -> None:
    first = {
        policy: run(Task('prior_4_cost', policy, 2), SMALL)['loss_curve'][0]
        for policy in ('random', 'ei')
    }
    assert first['random'] == first['ei']


def test_an_evaluation_that_overruns_the_budget_does_not_count() -> None:
    settings = {**SMALL, 'budget_share': 0.005}
    metrics = run(Task('prior_4_cost', 'random', 0), settings)
    assert metrics['spent'] > 0.5
    assert len(set(metrics['loss_curve'])) == 1


@pytest.mark.parametrize('policy', ['random', 'ei', STOPPING])
def test_evaluations_that_cost_next_to_nothing_end_as_well(policy: str) -> None:
    settings = {**SMALL, 'budget_share': 1e3, 'max_evaluations': 3}
    metrics = run(Task('prior_4_cost', policy, 0), settings)
    assert metrics['evaluations'] == 3
    assert metrics['spent'] < 1e3
    assert np.diff(metrics['loss_curve'][5:]).tolist() == [0.0] * (len(metrics['loss_curve']) - 6)


def test_the_stopping_rule_stops() -> None:
    metrics = run(Task('prior_4_cost', STOPPING, 0), {**SMALL, 'budget_share': 0.5})
    assert metrics['has_stopped'] == 1.0
    assert metrics['spent'] < 50.0


@pytest.mark.parametrize('name', ['prior_8', 'levy_16_cost', 'pest_control', 'pest_control_cost'])
def test_budgets_are_those_of_the_paper(name: str) -> None:
    budgets = {
        'prior_8': 80.0, 'levy_16_cost': 400.0, 'pest_control': 100.0, 'pest_control_cost': 800.0,
    }  # fmt: skip
    case = make_case(name, 0, {**SMALL, 'budget_share': 1.0})
    assert case.budget == budgets[name]
    assert (case.known is None) != name.startswith('prior')


@pytest.mark.parametrize(
    'name, lengthscale, budget',
    [
        ('prior_8', 0.5, 120.0),
        ('prior_8', 0.1, 200.0),
        ('prior_8_cost', 0.5, 320.0),
        ('prior_8_cost', 0.1, 400.0),
        ('prior_32_cost', 0.1, 800.0),
        ('ackley_8_cost', 0.1, 200.0),
    ],
)
def test_rougher_functions_get_the_greater_budgets_of_the_paper(
    name: str, lengthscale: float, budget: float
) -> None:
    settings = {**SMALL, 'budget_share': 1.0, 'lengthscale': lengthscale}
    assert make_case(name, 0, settings).budget == budget


def test_problems_of_different_costs_are_searched_by_those_who_know_costs(tmp_path: Path) -> None:
    """Found by review: those left to --problems got the policies of equal costs."""
    plan = make_plan(GITTINS, 'full', data=tmp_path, problems=['levy_8', 'levy_8_cost'], seeds=1)
    searched = {
        name: {task.policy for task in plan.tasks if task.problem == name}
        for name in plan.problems
    }
    assert 'knowledge_gradient' in searched['levy_8']
    assert {'ei_per_cost', 'budgeted_multi_step_ei'} <= searched['levy_8_cost']
    assert 'knowledge_gradient' not in searched['levy_8_cost']


def test_entropy_search_is_run_where_the_paper_runs_it() -> None:
    searched = {
        name
        for block in GITTINS.full.blocks
        if 'max_value_entropy' in block.policies
        for name in block.problems
    }
    assert searched == {
        name + end
        for name in (*DRAWN, *SYNTHETIC)
        for end in ('', '_cost')
        if not name.endswith('_4')
    }


def test_the_full_form_has_every_problem_of_the_paper(tmp_path: Path) -> None:
    names = [*DRAWN, *SYNTHETIC, *EMPIRICAL]
    wanted = {*names, *(name + '_cost' for name in names)}
    plan = make_plan(GITTINS, 'full', data=tmp_path)
    assert wanted <= set(plan.problems) | set(plan.skipped)
    runs = Counter((task.problem, task.policy) for task in plan.tasks)
    assert min(runs.values()) >= 4


def test_the_study_writes_tables_and_figures(tmp_path: Path) -> None:
    plan = make_plan(
        find_study('gittins'),
        'quick',
        data=tmp_path,
        seeds=1,
        problems=['prior_4_cost', 'pest_control_cost', 'hard_for_ei_per_cost'],
        settings={'budget_share': '0.02', 'n_raw': '4', 'line_budget': '2'},
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
        'synthetic_different', 'empirical_different', 'counterexample',
    }  # fmt: skip
    assert (tmp_path / 'stopping.csv').is_file()
    assert (tmp_path / 'against_pbgi_d.csv').is_file()


def test_an_unknown_policy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'policies' must be of"):
        make_plan(GITTINS, 'quick', data=tmp_path, policies=['magic'])
