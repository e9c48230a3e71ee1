# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Figures most studies share: curves of all policies with their intervals, problem by problem."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats

from ...core.types import FloatArray
from .results import CONFIDENCE, Results

# Of Okabe and Ito: told apart by every eye; line styles tell apart those that share a colour.
_COLOURS = ('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#222222')
_STYLES = ('-', '--', ':', '-.')

# With fewer runs an interval is wider than anything worth seeing.
_LEAST_RUNS = 5

_WIDTH, _HEIGHT = 3.4, 2.7
_MOST_COLUMNS = 3


def curves_figure(
    results: Results,
    metric: str,
    *,
    x: str,
    y: str,
    at: Mapping[str, FloatArray] | None = None,
    problems: Sequence[str] | None = None,
    policies: Sequence[str] | None = None,
    log_y: bool = False,
) -> Figure:
    """
    Draw the mean of a curve metric over the seeds; of five runs or more its interval as a band.

    :param results: of the study.
    :param metric: a list of numbers in every run, of one length for each problem.
    :param x: label.
    :param y: label.
    :param at: abscissae by problem, shape ``(T,)``; the index where left out.
    :param problems: one panel each; all of them if left out.
    :param policies: one line each; all of them if left out.
    :param log_y: whether the ordinate is logarithmic.
    """
    shown = results.problems if problems is None else tuple(problems)
    lines = results.policies if policies is None else tuple(policies)
    columns = min(_MOST_COLUMNS, max(1, len(shown)))
    rows = max(1, math.ceil(len(shown) / columns))
    figure = Figure(
        figsize=(_WIDTH * columns, _HEIGHT * rows + 0.25 * math.ceil(len(lines) / 3) + 0.3),
        layout='constrained',
    )
    panels = np.atleast_1d(figure.subplots(rows, columns, squeeze=False)).ravel()
    for axes in panels[len(shown) :]:
        axes.set_axis_off()
    for axes, problem in zip(panels, shown):
        for k, policy in enumerate(lines):
            _curve(
                axes, results.curves(metric, problem, policy),
                None if at is None else at.get(problem), k, policy,
            )
        axes.set_title(problem, fontsize=10, loc='left')
        axes.set_xlabel(x, fontsize=9)
        axes.set_ylabel(y, fontsize=9)
        axes.tick_params(labelsize=8)
        axes.grid(alpha=0.25, linewidth=0.6)
        axes.spines[['top', 'right']].set_visible(False)
        if log_y:
            axes.set_yscale('log')
    found = {
        label: handle
        for axes in panels[: len(shown)]
        for handle, label in zip(*axes.get_legend_handles_labels())
    }
    if found:
        figure.legend(
            list(found.values()), list(found), loc='outside lower center',
            ncols=min(len(found), max(1, int(columns * 1.5))), fontsize=8, frameon=False,
        )
    return figure


def _curve(axes: Axes, runs: FloatArray, at: FloatArray | None, k: int, label: str) -> None:
    if not runs.size:
        return
    mean, half = _band(runs)
    abscissae = np.arange(len(mean)) if at is None else at[: len(mean)]
    colour, style = _COLOURS[k % len(_COLOURS)], _STYLES[k // len(_COLOURS) % len(_STYLES)]
    axes.plot(abscissae, mean, color=colour, linestyle=style, linewidth=1.4, label=label)
    if len(runs) < _LEAST_RUNS:
        return
    axes.fill_between(abscissae, mean - half, mean + half, color=colour, alpha=0.12, linewidth=0)


def _band(runs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and half width at every abscissa, of the runs that know it."""
    n = np.isfinite(runs).sum(axis=0)
    with warnings.catch_warnings():
        # Where no run, or only one, knows a value there is no mean or no width: NaN, as it should.
        warnings.simplefilter('ignore', RuntimeWarning)
        mean = np.nanmean(runs, axis=0)
        spread = np.nanstd(runs, axis=0, ddof=1)
    quantile = stats.t.ppf(0.5 + 0.5 * CONFIDENCE, np.maximum(n - 1, 1))
    half = np.where(n > 1, quantile * spread / np.sqrt(np.maximum(n, 1)), np.nan)
    return mean, half
