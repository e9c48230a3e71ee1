# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tables and figures of the Gittins study."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ..runner.claims import claim_tables
from ..runner.figures import curves_figure
from ..runner.results import Results
from ..runner.table import Cell, Table
from .claims import CLAIMS
from .problems import COST, EMPIRICAL

SHARES = np.linspace(0.0, 1.0, 51)
"""Of the budget, where curves are kept."""

_REFERENCES = ('pbgi_d', 'pbgi_1e-4')
_STOPPING = 'pbgi_stop'


def _groups(results: Results) -> dict[str, list[str]]:
    """Return the problems by what a table of theirs shows."""
    groups: dict[str, list[str]] = {}
    for problem in results.problems:
        if problem.startswith('hard_for'):
            name = 'counterexample'
        else:
            kind = 'empirical' if problem.removesuffix(COST) in EMPIRICAL else 'synthetic'
            name = f'{kind}_{"different" if problem.endswith(COST) else "alike"}'
        groups.setdefault(name, []).append(problem)
    return groups


_TITLES = {
    'synthetic_alike': 'Simple regret at the end, every evaluation costs 1',
    'synthetic_different': 'Simple regret at the end, costs 1 to 21',
    'empirical_alike': 'Loss at the end, every evaluation costs 1',
    'empirical_different': 'Loss at the end, costs differ (pest control: known; others: learned)',
    'counterexample': 'Simple regret at the end, a line of boxes',
}


def tables(results: Results) -> list[Table]:
    """Return the final losses, paired differences from both indices, and the stopping rule."""
    made = [_losses(results, name, problems) for name, problems in _groups(results).items()]
    made += [
        _differences(results, reference)
        for reference in _REFERENCES
        if reference in results.policies
    ]
    if _STOPPING in results.policies:
        made.append(_stopping(results))
    return claim_tables(results, CLAIMS) + made


def _policies_on(results: Results, problems: list[str]) -> list[str]:
    return [
        policy
        for policy in results.policies
        if any(results.has(problem, policy) for problem in problems)
    ]


def _losses(results: Results, name: str, problems: list[str]) -> Table:
    rows: list[list[Cell]] = [
        [policy, *(results.interval('loss', problem, policy) for problem in problems)]
        for policy in _policies_on(results, problems)
    ]
    return Table(name, _TITLES[name], ('policy', *problems), rows)


def _differences(results: Results, reference: str) -> Table:
    rows: list[list[Cell]] = [
        [problem, policy, results.difference('loss', policy, reference, (problem,))]
        for problem in results.problems
        if results.has(problem, reference)
        for policy in results.policies
        if policy not in (reference, _STOPPING) and results.has(problem, policy)
    ]
    return Table(
        f'against_{reference}',
        f'Loss greater than with {reference} by, over paired seeds',
        ('problem', 'policy', 'difference'),
        rows,
        note='Above 0: the index is ahead.',
    )


def _stopping(results: Results) -> Table:
    rows: list[list[Cell]] = [
        [
            problem,
            results.interval('spent', problem, _STOPPING),
            results.interval('evaluations', problem, _STOPPING),
            results.interval('has_stopped', problem, _STOPPING),
            results.interval('loss', problem, _STOPPING),
            *(
                results.interval(metric, problem, 'pbgi_d')
                for metric in ('spent', 'loss')
            ),
        ]
        for problem in results.problems
        if results.has(problem, _STOPPING)
    ]
    return Table(
        'stopping',
        'The stopping rule at the calibrated price',
        (
            'problem', 'spent', 'evaluations', 'share that stopped', 'regret', 'spent by pbgi_d',
            'regret of pbgi_d',
        ),
        rows,
        note=(
            'The price is `U / (B - C)`, which bounds the mean cost by the budget `B` '
            'that pbgi_d spends.'
        ),
    )  # fmt: skip


def figures(results: Results) -> dict[str, Figure]:
    """Return the loss by the budget spent, one figure for each group of problems."""
    made = {}
    for name, problems in _groups(results).items():
        is_regret = not name.startswith('empirical')
        made[name] = curves_figure(
            results,
            'loss_curve',
            x='share of the budget spent',
            y='simple regret' if is_regret else 'loss (less is better)',
            at={problem: SHARES for problem in problems},
            problems=problems,
            policies=[p for p in _policies_on(results, problems) if p != _STOPPING],
            log_y=is_regret,
        )
    return made
