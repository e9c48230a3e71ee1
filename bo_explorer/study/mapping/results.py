# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of the mapping study: our planners and the published ones."""

from __future__ import annotations

from ..runner.results import Results
from ..runner.table import Cell, Table
from .published import PUBLISHED


def _budget(problem: str) -> int:
    return int(problem.removeprefix('budget_'))


def _greatest(results: Results, metric: str, problem: str, policy: str) -> float:
    return float(results.values(metric, problem, policy).max(initial=0.0))


def tables(results: Results) -> list[Table]:
    """Return traces, planning times, and what else was measured."""
    problems = results.problems
    columns = ('planner', *(f'budget {_budget(problem)}' for problem in problems))
    traces: list[list[Cell]] = []
    times: list[list[Cell]] = []
    for policy in results.policies:
        traces.append([policy, *(results.interval('trace', p, policy) for p in problems)])
        times.append([policy, *(results.interval('planning_s', p, policy) for p in problems)])
    detail: list[list[Cell]] = [
        [
            problem,
            policy,
            results.interval('rmse', problem, policy),
            results.interval('trace_everywhere', problem, policy),
            results.interval('cells_of_interest', problem, policy),
            _greatest(results, 'planning_s', problem, policy),
            _greatest(results, 'overrun', problem, policy),
        ]
        for problem in problems
        for policy in results.policies
    ]
    source = (
        'Published: marmotlab/CAtNIPP, mean (standard deviation) of ten runs in each of the '
        'thirty worlds; ours: one run a world, mean ± 95 % interval.'
    )
    return [
        Table(
            'trace',
            'Trace of the covariance in the area of interest at the end',
            columns,
            [*traces, *_published(results, 'trace')],
            note=source,
        ),
        Table(
            'planning_time',
            'Planning time of a whole path, seconds',
            columns,
            [*times, *_published(results, 'planning_s')],
            note=source + ' On different machines.',
        ),
        Table(
            'detail',
            'Also measured',
            (
                'budget', 'planner', 'RMSE', 'trace everywhere', 'cells of interest',
                'slowest planning, s', 'greatest overrun',
            ),
            detail,
        ),
    ]  # fmt: skip


def _published(results: Results, metric: str) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for planner, budgets in PUBLISHED.items():
        row: list[Cell] = [f'{planner} (published)']
        for problem in results.problems:
            found = budgets.get(_budget(problem))
            if found is None:
                row.append(None)
            elif metric == 'trace':
                row.append(f'{found.trace:.2f} ({found.trace_std:.2f})')
            else:
                row.append(f'{found.planning_s:.1f}')
        rows.append(row)
    return rows
