# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The default is measured against everything that was published, and field by field."""

from __future__ import annotations

import re

import pytest

from bo_explorer.core.policy import POLICIES
from bo_explorer.study.runner.definition import Task
from bo_explorer.study.runner.journal import OK, RunRecord
from bo_explorer.study.runner.results import Results
from bo_explorer.study.search.study import DEFAULT, SEARCH
from bo_explorer.study.search.suite import SUITE
from bo_explorer.study.search.targets import NOT_PUBLISHED, PUBLISHED, target_tables

CITED = [name for name, made in POLICIES.items() if re.search(r'\b(19|20)\d\d\b', made.__doc__)]


@pytest.mark.parametrize('name', CITED)
def test_whatever_cites_a_paper_is_flown_as_published_or_says_why_not(name):
    """Found by review: no published lookahead or sampler was in the set."""
    flown = {label.partition(',')[0] for label in PUBLISHED if label.endswith('replan=0')}
    assert (name in flown) != (name in NOT_PUBLISHED)


def test_the_full_form_flies_all_that_was_published_as_often_as_the_default():
    flown = {
        (policy, block.seeds)
        for block in SEARCH.full.blocks
        if block.problems == SUITE
        for policy in block.policies
    }
    assert {(policy, 20) for policy in (DEFAULT, *PUBLISHED)} <= flown


def results_of(metric, values):
    records = {
        (task := Task(problem, policy, seed)): RunRecord(task, OK, 0.1, {metric: value})
        for (problem, policy), found in values.items()
        for seed, value in enumerate(found)
    }
    return Results(list(records), records, {})


def test_the_default_is_held_against_the_best_published_rule_on_every_field():
    results = results_of(
        'average',
        {
            ('easy', DEFAULT): [0.10, 0.11, 0.12],
            ('hard', DEFAULT): [0.50, 0.51, 0.52],
            ('easy', 'ucb,replan=0'): [0.30, 0.32, 0.31],
            ('hard', 'ucb,replan=0'): [0.40, 0.42, 0.43],
            ('easy', 'pi,replan=0'): [0.90, 0.90, 0.90],
            ('hard', 'pi,replan=0'): [0.10, 0.10, 0.10],
            ('easy', 'rollout'): [0.01, 0.02, 0.03],
            ('hard', 'rollout'): [0.01, 0.02, 0.03],
        },
    )
    policies = list(dict.fromkeys(task.policy for task in results.tasks))
    overall, fields = target_tables(results, DEFAULT, ['easy', 'hard'], policies)
    assert [row[1:3] for row in overall.rows] == [
        ['as published', 'ucb,replan=0'],
        ['all others', 'rollout'],
    ]
    assert [(row[1], row[2], row[-1]) for row in fields.rows] == [
        ('easy', 'ucb,replan=0', 'not behind'),
        ('hard', 'ucb,replan=0', 'behind'),
    ]
