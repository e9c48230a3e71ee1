# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Curves of a mission over the budget it spent, and its states over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.record import MissionRecord
from ..core.types import FloatArray
from .drawing import Axis, Drawing
from .words import duration_text, value_text

_STATES = ('waiting', 'planning', 'moving', 'measuring', 'returning', 'paused', 'hold')
_WIDE = 960.0

# Most rows of a curve that are drawn and spoken of.
_MOST_ROWS = 1500

# A log scale shows times that differ by more than this.
_LOG_RATIO = 30.0


@dataclass(frozen=True)
class Chart:
    """
    A figure of the page.

    :param drawing: the figure.
    :param title: its heading.
    :param caption: what to know to read it.
    :param x: places along the horizontal axis with something to say, sorted.
    :param texts: what is said there.
    """

    drawing: Drawing
    title: str
    caption: str
    x: Sequence[float] = ()
    texts: Sequence[str] = ()


def best_chart(record: MissionRecord, unit: str) -> Chart | None:
    """Return the best estimate over the budget, ``None`` before the first sample."""
    history = np.array(record.best_history, dtype=np.float64).reshape(-1, 5)
    if not len(history):
        return None
    history = _thinned(history)
    history = np.vstack([history, [_end(record, history[-1, 0]), *history[-1, 1:]]])
    spent, mean, std = history[:, 0], history[:, 3], history[:, 4]
    label = f'best estimate [{unit}]' if unit else 'best estimate'
    drawing = Drawing(
        'best-chart',
        f'Line of the best estimate over the budget spent; at the end '
        f'{value_text(mean[-1], std[-1], unit)}.',
        _spent_axis(record),
        Axis.over(label, np.concatenate([mean - 2.0 * std, mean + 2.0 * std])),
    )
    drawing.reserve(record.budget_m - record.reserve_m, record.budget_m)
    drawing.band(spent, mean - 2.0 * std, mean + 2.0 * std, 'band')
    drawing.steps(spent, mean, 'curve')
    return Chart(
        drawing,
        'Best estimate so far',
        'Posterior mean at the best place known, with two standard deviations either side.',
        spent.tolist(),
        [
            f'{s:.0f} m spent: {value_text(m, d, unit)}' for s, m, d in zip(spent, mean, std)
        ],
    )


def regret_chart(record: MissionRecord, curve: FloatArray) -> Chart | None:
    """
    Return the regret over the budget, ``None`` where it is unknown.

    :param curve: rows of spent budget, metres, and regret over the range, shape ``(K, 2)``.
    """
    if not len(curve):
        return None
    curve = _thinned(curve)
    curve = np.vstack([curve, [_end(record, curve[-1, 0]), curve[-1, 1]]])
    spent, percent = curve[:, 0], 100.0 * curve[:, 1]
    drawing = Drawing(
        'regret-chart',
        f'Line of the regret over the budget spent; at the end {percent[-1]:.2g} %.',
        _spent_axis(record),
        Axis.over('regret [% of the range]', percent, zero=True),
    )
    drawing.reserve(record.budget_m - record.reserve_m, record.budget_m)
    drawing.band(spent, np.zeros_like(percent), percent, 'band')
    drawing.steps(spent, percent, 'curve')
    return Chart(
        drawing,
        'Regret',
        'How far the true field at the best place known is below its maximum within reach.',
        spent.tolist(),
        [f'{s:.0f} m spent: {p:.3g} % of the range' for s, p in zip(spent, percent)],
    )


def battery_chart(record: MissionRecord) -> Chart | None:
    """Return the charge over the budget, ``None`` where it is unknown."""
    rows = _thinned(np.array(record.battery, dtype=np.float64).reshape(-1, 2))
    if not len(rows):
        return None
    spent, percent = rows[:, 0], 100.0 * rows[:, 1]
    drawing = Drawing(
        'battery-chart',
        f'Line of the battery charge over the budget spent, from {percent[0]:.0f} % to '
        f'{percent[-1]:.0f} %.',
        _spent_axis(record),
        Axis('charge [%]', 0.0, 104.0),
    )
    drawing.reserve(record.budget_m - record.reserve_m, record.budget_m)
    drawing.line(spent, percent, 'curve third')
    return Chart(
        drawing,
        'Battery',
        'Charge as the vehicle reported it, over the budget as the planner counted it.',
        spent.tolist(),
        [f'{s:.0f} m spent: {p:.1f} % charge' for s, p in zip(spent, percent)],
    )


def decision_chart(record: MissionRecord) -> Chart | None:
    """Return the time each choice of a target took, ``None`` where none is known."""
    n = min(len(record.decided_at), len(record.decision_ms))
    if not n:
        return None
    times = np.array(record.decision_ms[:n], dtype=np.float64)
    median, late = (float(v) for v in np.percentile(times, [50.0, 95.0]))
    spent, times = _thinned(np.column_stack([record.decided_at[:n], times])).T
    is_log = float(times.max()) > _LOG_RATIO * max(median, 1e-9) and float(times.min()) > 0.0
    shown = np.log10(times) if is_log else times
    label = 'log10 of decision time [ms]' if is_log else 'decision time [ms]'
    drawing = Drawing(
        'decision-chart',
        f'Time of each of {n} decisions over the budget spent; median {median:.0f} ms, '
        f'95 % within {late:.0f} ms.',
        _spent_axis(record),
        Axis.over(label, shown, zero=not is_log),
    )
    for value, name in ((median, 'median'), (late, '95 %')):
        drawing.level(math.log10(value) if is_log else value, f'{name} {value:.0f} ms')
    drawing.dots(spent, shown, 'dot')
    return Chart(
        drawing,
        'Decision times',
        'Wall time of each choice of a target on the computer that flew the mission.',
        spent.tolist(),
        [f'{s:.0f} m spent: {t:.0f} ms' for s, t in zip(spent, times)],
    )


def timeline_chart(record: MissionRecord) -> Chart | None:
    """Return the states over time, ``None`` where no event has a time."""
    events = [event for event in record.events if event[0] is not None]
    if len(events) < 2:
        return None
    begin, end = float(events[0][0]), float(events[-1][0])
    lanes = tuple(
        state for state in reversed(_STATES) if any(event[2] == state for event in events)
    )
    if not end > begin or not lanes:
        return None
    unit, length = ('min', 60.0) if end - begin > 180.0 else ('s', 1.0)
    drawing = Drawing(
        'timeline-chart',
        f'States of the mission over {duration_text(end - begin)}; the table below has the '
        'same events.',
        Axis(f'time since the first pose [{unit}]', 0.0, (end - begin) / length),
        Axis('', 0.0, float(len(lanes)), lanes),
        width=_WIDE,
        left=84.0,
        height=24.0 * len(lanes),
    )
    for event, after in zip(events, events[1:]):
        if event[2] in lanes:
            x0, x1 = ((float(e[0]) - begin) / length for e in (event, after))
            lane = lanes.index(event[2])
            y0, y1 = lane + 0.18, lane + 0.82
            drawing.polygon([x0, x1, x1, x0], [y0, y0, y1, y1], f'state {event[2]}')
    return Chart(
        drawing,
        'Time line',
        'What the mission was doing when.',
        [(float(event[0]) - begin) / length for event in events],
        [
            f'{duration_text(float(event[0]) - begin)}, {event[1]:.0f} m spent: '
            f'{event[2]}: {event[3]}'
            for event in events
        ],
    )


def _spent_axis(record: MissionRecord) -> Axis:
    most = max(record.budget_m, record.spent_m) or 1.0
    return Axis('budget spent [m of flight]', 0.0, most)


def _thinned(rows: FloatArray) -> FloatArray:
    """Leave some rows of too many out, evenly, but neither the first nor the last."""
    kept = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _MOST_ROWS)).round().astype(int))
    thinned: FloatArray = rows[kept]
    return thinned


def _end(record: MissionRecord, last: float) -> float:
    """Return where a curve of steps ends: what was spent in the end."""
    return max(record.spent_m, float(last))
