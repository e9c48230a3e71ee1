# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
What the default was meant to reach beside the rules of the literature, and whether it does.

All are flown with the options they come with. The target speaks of the best published rule, tuned
to the suite, which would be harder to beat.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from ..runner.results import Interval, Results
from ..runner.table import Cell, Table
from .entries import RIVALS

PUBLISHED = (
    *(
        f'{name},replan=0'
        for name in (
            'ei', 'log_ei', 'ei_per_cost', 'pi', 'ucb', 'dist_ucb', 'dist_ucb,scaling=floor',
            'ducb', 'pbgi', 'pbgi_d', 'thompson', 'max_value_entropy', 'knowledge_gradient',
            'ei_rollout', 'ei_per_cost_rollout', 'dist_ucb_rollout', 'ucb_rollout',
            'budgeted_multi_step_ei',
        )
    ),
    *RIVALS,
)  # fmt: skip
"""As published: a target is kept until it is reached; and searchers that are no policies."""

NOT_PUBLISHED: Mapping[str, str] = MappingProxyType(
    {
        'max_std': 'published for maps; it never looks for a peak',
        'rollout': 'base, worth and screening are ours; published are its instances by name',
        'mean_path': 'the same along one future; published is budgeted_multi_step_ei',
        'one_shot': 'costs and the way home are ours, and a decision takes seconds: one seed',
    }
)
"""Policies whose literature is cited and that are not flown as published, with the reason."""

# Regret of the default in parts of that of the best published policy.
_TARGETS = {'average': 0.75, 'final': 0.5}


def target_tables(
    results: Results, default: str, problems: list[str], policies: list[str]
) -> list[Table]:
    """
    Return the default beside the best of the others, on the whole suite and field by field.

    :param results: of the study.
    :param default: label of the default.
    :param problems: of the suite.
    :param policies: that have them all.
    """
    rows: list[list[Cell]] = []
    fields: list[list[Cell]] = []
    others = [p for p in policies if p != default]
    published = [p for p in others if p in PUBLISHED]
    for metric, target in _TARGETS.items():
        own = results.overall(metric, default, problems)
        for kind, group in (('as published', published), ('all others', others)):
            means = {p: results.overall(metric, p, problems) for p in group}
            # The mean of fewer seeds is one of other worlds.
            means = {p: mean for p, mean in means.items() if mean.n == own.n}
            best = min(means, key=lambda p: rank(means[p]), default=None)
            if best is None or not means[best].mean > 0.0:
                continue
            ratio = own.mean / means[best].mean
            verdict = 'reached' if ratio <= target else 'not reached'
            rows.append([metric, kind, best, means[best], own, ratio, target, verdict])
            if kind == 'as published':
                fields += _by_field(results, metric, default, best, problems)
    return [
        Table(
            'search_targets',
            f'The default, {default} reconsidered in flight, beside the best of the others',
            ('regret', 'among', 'best', 'its regret', 'regret of the default', 'ratio', 'target',
             'verdict'),
            rows,
            note=(
                'As published: the rules of the literature, which keep a target until it is '
                'reached, and the rivals. All others: everything with as many seeds, reconsidered '
                'in flight as the default is where the label does not say otherwise. Nothing is '
                'tuned to the suite.'
            ),
        ),
        Table(
            'search_targets_by_field',
            'The default beside the best published rule, field by field',
            ('regret', 'field', 'best published', 'its regret', 'regret of the default',
             'default less best', 'verdict'),
            fields,
            note=(
                'The rule is the best of the whole suite. The target: on no field behind it by '
                'more than noise; behind is where the 95 % interval of the paired difference lies '
                'above 0.'
            ),
        ),
    ]  # fmt: skip


def _by_field(
    results: Results, metric: str, default: str, best: str, problems: list[str]
) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for problem in problems:
        difference = results.difference(metric, default, best, (problem,))
        low = difference.mean - difference.half
        verdict = 'undecided' if np.isnan(low) else 'behind' if low > 0.0 else 'not behind'
        own, its = (results.interval(metric, problem, p) for p in (default, best))
        rows.append([metric, problem, best, its, own, difference, verdict])
    return rows


def rank(cell: Cell) -> float:
    """Return the mean by which rows are sorted: what is unknown stands last."""
    mean = cell.mean if isinstance(cell, Interval) else np.nan
    return mean if np.isfinite(mean) else np.inf
