# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
``study search``: the peak of a field, within a budget that includes the way home.

Three groups of problems: the synthetic suite, with the model known; fields somebody measured, with
the model learned in flight; and whole missions round no-fly zones.
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

from ...core.policy import POLICIES
from ..runner.definition import Block, Form, Metrics, Settings, Study, Task
from ..runner.figures import curves_figure
from ..runner.results import Results
from ..runner.table import Cell, Table
from .entries import RIVALS, check_label, make_entry
from .measured import MEASURED, measured_world, missing_measurement
from .measures import SHARES, measure
from .searcher import Searcher
from .suite import SUITE, suite_world
from .targets import PUBLISHED, rank, target_tables
from .zones import ZONES, fly_zones

DEFAULT = 'log_ei'
"""What the product does unless told otherwise: reconsidered in flight."""

_GROUPS = {'suite': SUITE, 'measured': tuple(MEASURED), 'zones': tuple(ZONES)}

_STEPS = (
    DEFAULT, 'log_ei,replan=0', 'ei', 'ei,replan=0', 'ei_per_cost', 'ei_per_cost,replan=0', 'pi',
    'ucb', 'ucb,replan=0', 'dist_ucb', 'dist_ucb,replan=0', 'dist_ucb,scaling=floor',
    'dist_ucb,scaling=floor,replan=0', 'ducb', 'ducb,replan=0', 'pbgi', 'pbgi,replan=0', 'pbgi_d',
    'max_std',
)  # fmt: skip
_SAMPLERS = ('thompson', 'max_value_entropy', 'knowledge_gradient')
_LOOKAHEAD = (
    'rollout', 'rollout,replan=0', 'dist_ucb_rollout', 'ucb_rollout', 'pbgi_rollout',
    'ei_rollout', 'ei_per_cost_rollout', 'mean_path', 'budgeted_multi_step_ei',
)  # fmt: skip
# A decision of this takes seconds.
_SLOW = ('one_shot,replan=0',)
_RIVALS = tuple(RIVALS)
_NAMED = {label.partition(',')[0] for label in (*_STEPS, *_SAMPLERS, *_LOOKAHEAD, *_SLOW)}
# Whatever policy the planner gets is tried everywhere.
_OTHERS = tuple(name for name in POLICIES if name not in _NAMED)

# Whole missions: the default, the best of each kind, and the rivals.
_FLOWN = (
    DEFAULT, 'ei_per_cost', 'ucb', 'dist_ucb', 'ducb', 'pbgi', 'pbgi,replan=0', 'thompson',
    'max_value_entropy', 'rollout,replan=0', *_OTHERS, *_RIVALS,
)  # fmt: skip

# Lines of one figure, so that they can be told apart.
_FIGURES = {
    'rivals': (DEFAULT, 'pbgi', *_OTHERS, *_RIVALS),
    'one_step': (DEFAULT, 'ei_per_cost', 'pi', 'ucb', 'dist_ucb', 'ducb', 'pbgi', 'pbgi_d'),
    'lookahead': (DEFAULT, *_SAMPLERS, *_LOOKAHEAD, *_SLOW),
    'on_arrival': (
        DEFAULT, 'log_ei,replan=0', 'ei_per_cost', 'ei_per_cost,replan=0', 'ucb', 'ucb,replan=0',
        'pbgi', 'pbgi,replan=0',
    ),
}  # fmt: skip

# Metrics of the overview in its order: from the decisions on without an interval.
_MEANS = (
    'average', 'final', 'found', 'found_at', 'source_distance', 'rmse', 'log_likelihood',
    'decisions', 'decision_ms', 'decision_p95_ms',
)  # fmt: skip
_SUMS = ('overrun', 'crossings', 'not_home')

_SETTINGS = {'replan': 0.1, 'home': True}


def _run(task: Task, settings: Settings) -> Metrics:
    is_flown = task.problem in ZONES
    entry = make_entry(
        task.policy, replan_sides=settings['replan'], stops_are_free=not is_flown
    )
    if is_flown:
        trace, truth, budget, side = fly_zones(
            task.problem, task.seed, entry.policy, entry.replan_sides
        )
        return measure(trace, truth, budget_m=budget, side_m=side)
    if task.problem in MEASURED:
        world = measured_world(task.problem, task.seed, Path(settings['data']))
    else:
        world = suite_world(task.problem, task.seed)
    side = world.area.side
    searcher = Searcher(world, task.seed, comes_home=settings['home'])
    trace = searcher.run(entry.policy, entry.replan_sides * side)
    metrics = measure(trace, world.truth, budget_m=world.budget_m, side_m=side)
    if not settings['home']:
        # Nobody was asked to come home.
        metrics['not_home'] = 0
    return metrics


def _missing(problem: str, settings: Settings) -> str | None:
    if problem in MEASURED:
        return missing_measurement(problem, Path(settings['data']))
    return None


def _tables(results: Results) -> list[Table]:
    tables = []
    for group, names in _GROUPS.items():
        problems = [name for name in names if name in results.problems]
        policies = [
            policy for policy in results.policies
            if problems and all(results.has(problem, policy) for problem in problems)
        ]  # fmt: skip
        if policies:
            if group == 'suite' and DEFAULT in policies:
                tables += target_tables(results, DEFAULT, problems, policies)
            tables.append(_overview(results, group, problems, policies))
            tables += [
                _by_problem(results, group, metric, title, problems, policies)
                for metric, title in (('average', 'average'), ('final', 'final'))
            ]
    return tables


def _overview(
    results: Results, group: str, problems: list[str], policies: list[str]
) -> Table:
    columns = (
        'policy', 'runs', 'failed', 'average regret', 'final regret',
        f'average less that of {DEFAULT}', 'found', 'found at', 'source distance', 'map RMSE',
        'map log likelihood', 'decisions', 'ms a decision', 'ms at p95', 'overruns', 'crossings',
        'not home',
    )  # fmt: skip
    rows: list[list[Cell]] = []
    runs = {q: sum(len(results.of(p, q)) for p in problems) for q in policies}
    for policy in policies:
        means = {name: results.overall(name, policy, problems) for name in _MEANS}
        sums = {
            name: int(sum(results.values(name, p, policy).sum() for p in problems))
            for name in _SUMS
        }
        others = policy != DEFAULT and DEFAULT in policies
        rows.append([
            policy,
            runs[policy],
            sum(r.task.policy == policy and r.task.problem in problems for r in results.failures),
            means['average'],
            means['final'],
            results.difference('average', policy, DEFAULT, problems) if others else None,
            *(means[name] for name in _MEANS[2:7]),
            *(means[name].mean for name in _MEANS[7:]),
            *sums.values(),
        ])  # fmt: skip
    # Fewer runs are of other worlds: they stand last.
    most = max(runs.values())
    rows.sort(key=lambda row: (runs[str(row[0])] < most, rank(row[3])))
    note = (
        'Regret in parts of the range of the field, averaged over the budget and at its end; '
        'found: share of runs whose best estimate came within 5 % of the range of the peak; found '
        'at: budget spent by then, in sides, the whole of it where it never did; source distance '
        'in sides; map RMSE in parts of the range. Policies reconsider their target every '
        f'{results.settings["replan"]:g} sides unless they say `replan=0`: on arrival only.'
    )
    return Table(f'search_{group}', f'{group.capitalize()}: overview', columns, rows, note)


def _by_problem(
    results: Results, group: str, metric: str, title: str, problems: list[str], policies: list[str]
) -> Table:
    rows: list[list[Cell]] = [
        [policy, *(results.interval(metric, problem, policy) for problem in problems)]
        for policy in policies
    ]
    return Table(
        f'search_{group}_{metric}', f'{group.capitalize()}: {title} regret', ('policy', *problems),
        rows,
    )  # fmt: skip


def _figures(results: Results) -> dict[str, Figure]:
    figures = {}
    for group, names in _GROUPS.items():
        problems = [name for name in names if name in results.problems]
        for kind, listed in _FIGURES.items():
            policies = [
                policy for policy in listed
                if any(results.has(problem, policy) for problem in problems)
            ]  # fmt: skip
            if len(policies) > 1:
                figures[f'search_{group}_{kind}'] = curves_figure(
                    results, 'regret', x='budget spent', y='regret',
                    at=dict.fromkeys(problems, SHARES), problems=problems, policies=policies,
                )  # fmt: skip
    return figures


SEARCH = Study(
    name='search',
    summary='The peak of a field within a budget that includes the way home.',
    quick=Form(
        (
            Block(('gp_0.2', 'hot_spots'), (DEFAULT, 'ei_per_cost', 'pbgi', *_RIVALS), 2),
            Block(('volcano',), (DEFAULT, 'lawn_mower'), 1),
            Block(('zones_gp',), (DEFAULT, 'lawn_mower'), 1),
        ),
        _SETTINGS,
    ),
    full=Form(
        (
            Block(SUITE, (*_STEPS, *_OTHERS, *_SAMPLERS, *_LOOKAHEAD, *PUBLISHED), 20),
            Block(SUITE, _SLOW, 1),
            Block(tuple(MEASURED), _FLOWN, 10),
            Block(tuple(ZONES), _FLOWN, 10),
        ),
        _SETTINGS,
    ),
    run=_run,
    tables=_tables,
    figures=_figures,
    check_policy=check_label,
    missing=_missing,
)
