# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the mapping study."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from bo_explorer.core.errors import ConfigError
from bo_explorer.study.mapping.published import PUBLISHED
from bo_explorer.study.mapping.study import POLICIES, run
from bo_explorer.study.registry import find_study
from bo_explorer.study.runner.definition import Task, make_plan
from bo_explorer.study.runner.run import make_backend, run_plan

SETTINGS = {'cells': 10, 'every': 3, 'iterations': 10, 'first_iterations': 30}


@pytest.mark.parametrize('budget', [8, 10])
def test_the_trace_is_far_below_the_best_published_one(budget: int) -> None:
    traces = [
        run(Task(f'budget_{budget}', 'expected_trace', seed), SETTINGS)['trace']
        for seed in range(3)
    ]
    best = min(budgets[budget].trace for budgets in PUBLISHED.values())
    assert np.mean(traces) < 0.8 * best


@pytest.mark.parametrize('policy', POLICIES)
def test_no_path_is_longer_than_its_budget(policy: str) -> None:
    metrics = run(Task('budget_6', policy, 0), SETTINGS)
    assert metrics['overrun'] < 1e-9
    assert metrics['curve'][0] == 900.0
    assert metrics['curve'][-1] == metrics['trace']


def test_the_study_writes_tables_and_figures(tmp_path: Path) -> None:
    plan = make_plan(
        find_study('mapping'),
        'quick',
        data=tmp_path,
        seeds=1,
        problems=['budget_6'],
        settings={'cells': '8', 'iterations': '3', 'first_iterations': '5'},
    )
    results = run_plan(
        plan,
        tmp_path,
        backend=make_backend('local', workers=0),
        console=Console(quiet=True),
        command=['test'],
    )
    assert not results.failures
    assert {path.name for path in tmp_path.glob('*.png')} == {
        'trace.png', 'trace_and_time.png', 'paths.png',
    }  # fmt: skip
    assert '22.07 (6.01)' in (tmp_path / 'results.md').read_text(encoding='utf-8')


def test_an_unknown_planner_is_refused() -> None:
    with pytest.raises(ConfigError, match="'policies' must be of"):
        make_plan(find_study('mapping'), 'quick', data=Path(), policies=['magic'])
