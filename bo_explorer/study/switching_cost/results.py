# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Tables and figures of the switching-cost study, in the form of the paper's figures 1 to 4."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..problems.synthetic import SWITCHING
from ..runner.claims import claim_tables
from ..runner.figures import curves_figure
from ..runner.results import Results
from ..runner.table import Cell, Table
from .claims import CLAIMS

# The reading of the paper's formula that flies well, and the default of the planner.
_REFERENCE = 'dist_ucb_shift_rollout'
_COLOURS = ('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9')
_METRICS = (
    ('cumulative_regret', 'Cumulative regret at the end'),
    ('switching_cost', 'Cumulative switching cost at the end'),
    ('simple_regret', 'Simple regret at the end'),
)
_REGRET_NOTE = 'Tuning tasks: test error in place of the regret.'
_NOTES = {
    'cumulative_regret': _REGRET_NOTE,
    'switching_cost': 'Sides of the cube.',
    'simple_regret': _REGRET_NOTE,
}


def _policies_on(results: Results, problem: str) -> list[str]:
    return [policy for policy in results.policies if results.has(problem, policy)]


def tables(results: Results) -> list[Table]:
    """Return the final values, and the paired differences from distUCB."""
    columns = ('policy', *results.problems)
    made = []
    for metric, title in _METRICS:
        rows: list[list[Cell]] = [
            [policy, *(results.interval(metric, p, policy) for p in results.problems)]
            for policy in results.policies
        ]
        made.append(Table(metric, title, columns, rows, note=_NOTES[metric]))
    if _REFERENCE in results.policies:
        made.append(_differences(results))
    return claim_tables(results, CLAIMS) + made


def _differences(results: Results) -> Table:
    rows: list[list[Cell]] = [
        [
            problem,
            policy,
            *(
                results.difference(metric, policy, _REFERENCE, (problem,))
                for metric, _ in _METRICS
            ),
        ]
        for problem in results.problems
        for policy in _policies_on(results, problem)
        if policy != _REFERENCE and results.has(problem, _REFERENCE)
    ]
    return Table(
        'against_dist_ucb',
        f'Greater than with {_REFERENCE} by, over paired seeds',
        ('problem', 'policy', *(metric for metric, _ in _METRICS)),
        rows,
        note=(
            'The paper claims: the lowest switching cost (second column above 0) at a '
            'cumulative regret barely above that of the others (first column near 0).'
        ),
    )


def figures(results: Results) -> dict[str, Figure]:
    """Return cumulative curves, and regret against the distance travelled."""
    made = {
        'cumulative_regret': curves_figure(
            results, 'regret_curve', x='evaluation', y='cumulative regret'
        ),
        'switching_cost': curves_figure(
            results, 'distance_curve', x='evaluation', y='cumulative switching cost'
        ),
        'simple_regret': curves_figure(
            results, 'simple_curve', x='evaluation', y='simple regret', log_y=True
        ),
        'trade': _trade(results),
    }
    return made


def _trade(results: Results) -> Figure:
    """Draw, as figure 2 of the paper, the simple regret against the distance travelled."""
    n = max(len(results.problems), 1)
    columns = min(n, 3)
    rows = -(-n // columns)
    figure = Figure(figsize=(3.4 * columns, 2.7 * rows + 0.6), layout='constrained')
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in panels[len(results.problems) :]:
        axes.set_axis_off()
    for axes, problem in zip(panels, results.problems):
        _trade_panel(axes, results, problem)
    if results.problems:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(
            handles, labels, loc='outside lower center', ncols=max(2, columns), fontsize=8,
            frameon=False,
        )
    return figure


def _trade_panel(axes: Axes, results: Results, problem: str) -> None:
    for k, policy in enumerate(results.policies):
        distance = results.curves('distance_curve', problem, policy)
        regret = results.curves('simple_curve', problem, policy)
        if distance.size:
            axes.plot(
                distance.mean(axis=0), regret.mean(axis=0), color=_COLOURS[k % len(_COLOURS)],
                linestyle='-' if k < len(_COLOURS) else '--', linewidth=1.4, label=policy,
            )
    positive = [
        results.curves('simple_curve', problem, policy).min(initial=np.inf)
        for policy in _policies_on(results, problem)
    ]
    if positive and min(positive) > 0.0:
        axes.set_yscale('log')
    axes.set_title(problem, fontsize=10, loc='left')
    axes.set_xlabel('cumulative switching cost, sides', fontsize=9)
    axes.set_ylabel('simple regret' if problem in SWITCHING else 'test error', fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.spines[['top', 'right']].set_visible(False)
