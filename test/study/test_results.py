# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Means, intervals, tables and what JSON cannot hold."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest
from scipy import stats

from bo_explorer.study.runner.definition import Task
from bo_explorer.study.runner.figures import curves_figure
from bo_explorer.study.runner.journal import FAILED, OK, RunRecord, plain
from bo_explorer.study.runner.results import Interval, Results
from bo_explorer.study.runner.table import Table, rounded


def results_of(values: dict[tuple[str, str, int], float | None]) -> Results:
    records = {}
    for key, value in values.items():
        task = Task(*key)
        status = FAILED if value is None else OK
        metrics = {} if value is None else {'m': value, 'c': [value, 2.0 * value]}
        records[task] = RunRecord(task, status, 1.0, metrics)
    return Results(list(records), records, {})


def test_an_interval_is_the_one_of_student():
    values = np.random.default_rng(0).normal(3.0, 2.0, 12)
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    interval = Interval.of(values)
    assert interval.mean - interval.half == pytest.approx(low)
    assert interval.mean + interval.half == pytest.approx(high)


def test_what_is_unknown_does_not_count():
    assert Interval.of([1.0, math.nan, 3.0]) == Interval.of([1.0, 3.0])
    assert Interval.of([math.nan]).n == 0
    assert math.isnan(Interval.of([]).mean)
    assert math.isnan(Interval.of([5.0]).half)


def test_a_difference_pairs_the_seeds():
    # Seeds differ by far more than policies: only pairs can tell.
    values = {('p', 'a', s): 100.0 * s for s in range(5)}
    values.update({('p', 'b', s): 100.0 * s + 1.0 for s in range(1, 7)})
    difference = results_of(values).difference('m', 'b', 'a')
    assert (difference.mean, difference.half, difference.n) == (1.0, 0.0, 4)


def test_the_mean_over_problems_takes_seeds_that_every_problem_has():
    values = {('p', 'a', 0): 1.0, ('p', 'a', 1): 3.0, ('q', 'a', 0): 10.0, ('q', 'a', 1): None}
    interval = results_of(values).overall('m', 'a')
    assert (interval.mean, interval.n) == (5.5, 1)
    assert results_of(values).overall('m', 'a', ['p']).n == 2


def test_failed_runs_are_no_values_but_failures():
    results = results_of({('p', 'a', 0): None, ('p', 'a', 1): 2.0})
    assert results.values('m', 'p', 'a').tolist() == [2.0]
    assert [record.task.seed for record in results.failures] == [0]


def test_a_value_of_a_list_is_a_metric_too():
    results = results_of({('p', 'a', 0): 3.0, ('p', 'a', 1): 5.0})
    assert results.values('c[1]', 'p', 'a').tolist() == [6.0, 10.0]
    for unknown in ('c[2]', 'm[0]', 'x[0]'):
        assert np.isnan(results.values(unknown, 'p', 'a')).all()


def test_curves_of_different_lengths_end_in_nan():
    tasks = [Task('p', 'a', 0), Task('p', 'a', 1)]
    metrics = ({'c': [1.0]}, {'c': [1, 2]})
    runs = [RunRecord(task, OK, 1.0, found) for task, found in zip(tasks, metrics)]
    curves = Results(tasks, dict(zip(tasks, runs)), {}).curves('c', 'p', 'a')
    np.testing.assert_array_equal(curves, [[1.0, math.nan], [1.0, 2.0]])


def test_json_has_no_nan_and_refuses_what_it_cannot_hold():
    value = {'a': np.array([1.0, math.nan]), 'b': np.float64(2.0), 'c': (np.int64(3), 'x', None)}
    assert plain(value) == {'a': [1.0, None], 'b': 2.0, 'c': [3, 'x', None]}
    for bad in (math.inf, {'a': [-math.inf]}, object()):
        with pytest.raises(ValueError, match="'metrics' must be"):
            plain(bad)


def test_a_table_loses_no_digit_as_csv():
    third = Interval(1.0 / 3.0, 0.1, 7)
    table = Table('t', 'T', ('name', 'value', 'n'), [('a|b', third, 3), ('c', None, 4)])
    rows = list(csv.reader(io.StringIO(table.csv())))
    assert rows[0] == ['name', 'value', 'value ci95', 'value n', 'n']
    assert float(rows[1][1]) == third.mean
    assert rows[2] == ['c', '', '', '', '4']


def test_a_table_is_round_as_markdown():
    table = Table('t', 'T', ('a', 'b'), [('x|y', Interval(1.0 / 3.0, 0.1234, 7)), (None, 1e-9)])
    lines = table.markdown().splitlines()
    assert lines[0] == '### T'
    assert lines[-2] == '| x\\|y | 0.333 ± 0.12 |'
    assert lines[-1] == '| – | 1.00e-09 |'


def test_a_row_has_a_cell_for_every_column():
    with pytest.raises(ValueError, match="'rows' must have 2 cells"):
        Table('t', 'T', ('a', 'b'), [('x',)])


@pytest.mark.parametrize(
    'number, text',
    [(0.0, '0'), (1234.5, '1234'), (0.012345, '0.0123'), (-2.0, '-2.00'), (math.nan, '–')],
)
def test_numbers_are_rounded_to_significant_digits(number, text):
    assert rounded(number, 3) == text


def test_a_figure_has_a_panel_a_problem_and_a_line_a_policy():
    values = {(p, a, s): s + 1.0 for p in 'pqrs' for a in 'ab' for s in range(6)}
    figure = curves_figure(results_of(values), 'c', x='step', y='value', log_y=True)
    drawn = [axes for axes in figure.axes if axes.axison]
    assert [axes.get_title(loc='left') for axes in drawn] == list('pqrs')
    np.testing.assert_allclose(drawn[0].lines[0].get_ydata(), [3.5, 7.0])
    assert len(drawn[0].lines) == len(drawn[0].collections) == 2
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ['a', 'b']


def test_few_runs_are_drawn_without_a_band():
    values = {('p', 'a', s): s + 1.0 for s in range(2)}
    figure = curves_figure(results_of(values), 'c', x='step', y='value')
    assert len(figure.axes[0].collections) == 0
