# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of the mapping study."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ..runner.figures import curves_figure
from ..runner.results import Results
from .belief import believe
from .chain import read_along
from .published import PUBLISHED
from .worlds import GRID_SIDE, STEP, MixtureWorld, grid

_OURS = '#0072B2'
_THEIRS = '#D55E00'


def figures(results: Results) -> dict[str, Figure]:
    """Return the trace along the path, trace against time, and the paths of one world."""
    longest = max(
        (results.curves('curve', p, policy).shape[1]
         for p in results.problems for policy in results.policies),
        default=0,
    )
    at = {problem: STEP * np.arange(longest) for problem in results.problems}
    made = {
        'trace': curves_figure(
            results, 'curve', x='path length, sides', y='trace in the area of interest', at=at,
            log_y=True,
        ),
        'trace_and_time': _trade(results),
    }
    example = _example(results)
    return made if example is None else {**made, 'paths': example}


def _trade(results: Results) -> Figure:
    """Draw each planner as one line over the budgets: what it leaves, and what it takes."""
    figure = Figure(figsize=(5.6, 3.9), layout='constrained')
    axes = figure.subplots()
    budgets = [int(problem.removeprefix('budget_')) for problem in results.problems]
    for planner, marker in zip(PUBLISHED, 'osv^D'):
        found = [PUBLISHED[planner][b] for b in budgets if b in PUBLISHED[planner]]
        axes.plot(
            [f.planning_s for f in found], [f.trace for f in found], color=_THEIRS,
            marker=marker, linewidth=0.8, markersize=5, label=f'{planner} (published)',
        )
    for policy, marker in zip((p for p in results.policies if p != 'sweep'), 'oxs'):
        times = [results.interval('planning_s', p, policy).mean for p in results.problems]
        traces = [results.interval('trace', p, policy).mean for p in results.problems]
        axes.plot(
            times, traces, color=_OURS, marker=marker, linewidth=0.8, markersize=5, label=policy
        )
    axes.set(xscale='log', yscale='log')
    axes.set_xlabel('planning time of a whole path, s (different machines)', fontsize=9)
    axes.set_ylabel('trace left in the area of interest', fontsize=9)
    axes.set_title(f'Budgets {", ".join(map(str, budgets))}', fontsize=10, loc='left')
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.spines[['top', 'right']].set_visible(False)
    figure.legend(loc='outside lower center', ncols=3, fontsize=7.5, frameon=False)
    return figure


def _example(results: Results) -> Figure | None:
    """Draw the paths of the first world over the field and what is left unknown of it."""
    problem = results.problems[-1]
    runs = {policy: results.of(problem, policy) for policy in results.policies}
    seeds = set.intersection(*(set(found) for found in runs.values())) if runs else set()
    if not seeds:
        return None
    seed = min(seeds)
    world, places = MixtureWorld(seed + 1), grid()
    truth = world(places).reshape(GRID_SIDE, GRID_SIDE).T
    figure = Figure(figsize=(2.6 * len(runs), 5.4), layout='constrained')
    panels = figure.subplots(2, len(runs), squeeze=False, sharex=True, sharey=True)
    half = 0.5 / (GRID_SIDE - 1)
    extent = (-half, 1.0 + half, -half, 1.0 + half)
    for column, (policy, found) in enumerate(runs.items()):
        metrics = found[seed].metrics
        path = np.stack([metrics['path_x'], metrics['path_y']], axis=1)
        readings = read_along(path, STEP)
        belief = believe(readings, world(readings), places)
        shown = np.where(belief.interest, np.sqrt(belief.variance), np.nan)
        top, bottom = panels[:, column]
        top.imshow(truth, origin='lower', extent=extent, cmap='cividis', vmin=0.0, vmax=1.0)
        top.plot(path[:, 0], path[:, 1], color='white', linewidth=1.0)
        top.scatter(readings[:, 0], readings[:, 1], s=6, color='white', edgecolor='black',
                    linewidth=0.3, zorder=3)
        top.set_title(policy, fontsize=9, loc='left')
        image = bottom.imshow(
            shown.reshape(GRID_SIDE, GRID_SIDE).T, origin='lower', extent=extent, cmap='magma',
            vmin=0.0, vmax=0.25,
        )
        bottom.plot(path[:, 0], path[:, 1], color='0.6', linewidth=0.5)
        bottom.set_title(f'trace {belief.trace:.2f}', fontsize=9, loc='left')
    panels[0, 0].set_ylabel('field and path', fontsize=9)
    panels[1, 0].set_ylabel('std, area of interest', fontsize=9)
    figure.colorbar(image, ax=panels[1, :], shrink=0.8)
    return figure
