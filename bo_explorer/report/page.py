# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A mission as one page of HTML that needs nothing but itself."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
from jinja2 import BaseLoader, Environment, StrictUndefined

from .. import __version__
from ..core.record import MissionRecord
from ..core.types import FloatArray
from ..geo.local_frame import LocalFrame
from . import words
from .charts import (
    battery_chart,
    best_chart,
    decision_chart,
    regret_chart,
    timeline_chart,
)
from .findings import Finding
from .findings_files import findings_csv, findings_geojson
from .map_drawing import MapDrawing, axis_names
from .mission_file import FlownMission
from .raster import Raster

# Significant digits of the standard deviation shown on hovering.
_FIGURES = 3

_ROUTINE = frozenset({'choosing the next target', 'measuring at the target'})
_MOST_EVENTS = 400
_STEPPED = ('best-chart', 'regret-chart', 'timeline-chart')


@dataclass(frozen=True)
class PageOptions:
    """
    What the user wants of the page.

    :param title: heading.
    :param unit: of the sensor, or empty.
    :param frame: where the map frame is on the earth, or ``None``.
    """

    title: str
    unit: str = ''
    frame: LocalFrame | None = None


def mission_page(flown: FlownMission, found: Sequence[Finding], options: PageOptions) -> str:
    """
    Return the page.

    :param flown: the mission.
    :param found: its places, the best first.
    :param options: what the user wants.
    """
    record, unit, frame = flown.record, options.unit, options.frame
    curve = np.array(flown.summary.get('regret_vs_distance') or [], dtype=np.float64)
    timeline = timeline_chart(record)
    made = [
        best_chart(record, unit),
        regret_chart(record, curve.reshape(-1, 2)),
        battery_chart(record),
        decision_chart(record),
    ]
    charts = [chart for chart in made if chart is not None]
    hovered = charts if timeline is None else [*charts, timeline]
    environment = Environment(
        loader=BaseLoader(), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    return environment.from_string(_template('page.html')).render(
        title=options.title,
        version=__version__,
        style=_template('page.css'),
        script=_template('page.js'),
        outcome=words.outcome(flown),
        finding=words.finding(flown, found, unit, frame),
        checks=words.checks(flown),
        maps=_maps(flown, found, unit),
        summit=_summit(flown),
        zones=record.zones,
        axes=axis_names(record),
        findings=_finding_rows(found, frame),
        frame=frame,
        is_map=record.is_map,
        unit_suffix=f' [{unit}]' if unit else '',
        files=_files(record, found, options),
        charts=charts,
        timeline=timeline,
        has_battery=bool(record.battery),
        events=_events(record),
        numbers=list(_numbers(flown, unit)),
        source=flown.path.name,
        data={
            'map': _map_data(flown, unit),
            'charts': {
                chart.drawing.name: {
                    'x': list(chart.x),
                    'texts': list(chart.texts),
                    'steps': chart.drawing.name in _STEPPED,
                }
                for chart in hovered
            },
        },
    )


def _template(name: str) -> str:
    return (resources.files(__package__) / 'template' / name).read_text(encoding='utf-8')


@dataclass(frozen=True)
class _Map:
    drawing: MapDrawing
    title: str
    caption: str


def _maps(flown: FlownMission, found: Sequence[Finding], unit: str) -> list[_Map]:
    record, belief = flown.record, flown.belief
    if not record.area:
        return []
    raster = Raster.over(record.area)
    mean = raster.interpolated(belief.points, belief.mean)
    std = raster.interpolated(belief.points, belief.std)
    truth = None if belief.truth is None else raster.interpolated(belief.points, belief.truth)
    values = mean if truth is None else np.stack([mean, truth])
    levels, summit = _levels(values), _summit(flown)
    suffix = f' [{unit}]' if unit else ''
    shown = [
        _Map(
            MapDrawing('belief-map', _alt('the posterior mean', flown, found), record, raster),
            'What the planner believes',
            'Posterior mean of the field, the flown track and its targets.',
        ),
        _Map(
            MapDrawing('doubt-map', _alt('the uncertainty', flown, found), record, raster),
            'Where it is unsure',
            'Posterior standard deviation, and the samples the map rests on.',
        ),
    ]
    shown[0].drawing.field(mean, levels, 'viridis', f'value{suffix}')
    shown[0].drawing.ground()
    shown[0].drawing.flight()
    shown[1].drawing.field(std, (0.0, _levels(std)[1]), 'cividis', f'standard deviation{suffix}')
    shown[1].drawing.ground()
    shown[1].drawing.samples()
    if truth is not None:
        true_map = MapDrawing('truth-map', _alt('the true field', flown, found), record, raster)
        true_map.field(truth, levels, 'viridis', f'value{suffix}')
        true_map.ground()
        shown.append(_Map(true_map, 'What is really there', 'The simulated field.'))
    for figure in shown:
        figure.drawing.marks(found, summit)
    return shown


def _alt(what: str, flown: FlownMission, found: Sequence[Finding]) -> str:
    text = f'Map of {what} over the search area'
    if flown.record.zones:
        text += f' with {len(flown.record.zones)} no-fly zones'
    if found:
        text += f'; the best place found is at east {found[0].x:.0f} m, north {found[0].y:.0f} m'
    return text + '.'


def _levels(values: FloatArray) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def _summit(flown: FlownMission) -> tuple[float, float] | None:
    summit = flown.summary.get('summit')
    return None if not summit else (float(summit['x']), float(summit['y']))


def _finding_rows(found: Sequence[Finding], frame: LocalFrame | None) -> list[list[str]]:
    rows = []
    for place in found:
        value, std = words.value_text(place.value, place.std).split(' ± ')
        on_earth = []
        if frame is not None:
            latitudes, longitudes = frame.to_wgs84(np.array([[place.x, place.y]]))
            on_earth = [f'{latitudes[0]:.7f}', f'{longitudes[0]:.7f}']
        rows.append([str(place.rank), f'{place.x:.1f}', f'{place.y:.1f}', *on_earth, value, std])
    return rows


def _files(
    record: MissionRecord, found: Sequence[Finding], options: PageOptions
) -> list[dict[str, str]]:
    """Return the findings as files that the page itself holds."""
    texts = {'findings.csv': ('text/csv', findings_csv(record, found, options.frame))}
    if options.frame is not None:
        texts['findings.geojson'] = (
            'application/geo+json',
            findings_geojson(record, found, options.frame, options.unit),
        )
    return [
        {
            'name': name,
            'href': f'data:{kind};base64,' + base64.b64encode(text.encode()).decode('ascii'),
        }
        for name, (kind, text) in texts.items()
    ]


def _events(record: MissionRecord) -> list[dict[str, str]]:
    """Return what happened; what happens at every target is left to the time line."""
    begin = next((event[0] for event in record.events if event[0] is not None), None)
    told = [event for event in record.events if event[3] not in _ROUTINE]
    if len(told) > _MOST_EVENTS:
        left_out = len(told) - _MOST_EVENTS
        half = _MOST_EVENTS // 2
        told[half:-half] = [[None, told[half][1], '...', f'{left_out} events are left out here']]
    return [
        {
            'time': '' if stamp is None else words.duration_text(stamp - begin),
            'spent': f'{spent:.0f}',
            'state': state,
            'reason': reason,
        }
        for stamp, spent, state, reason in told
    ]


def _numbers(flown: FlownMission, unit: str) -> Iterable[tuple[str, str]]:
    record, summary = flown.record, flown.summary
    suffix = f' {unit}' if unit else ''
    yield 'policy', f'{record.policy}, seed {record.seed}'
    yield 'budget', f'{record.budget_m:.0f} m, {record.reserve_m:.0f} m of it reserve'
    yield 'spent', f'{record.spent_m:.1f} m: {record.flown_m:.1f} m flown, {record.stops} stops'
    stamps = [event[0] for event in record.events if event[0] is not None]
    if len(stamps) > 1:
        yield 'duration', words.duration_text(stamps[-1] - stamps[0])
    yield 'readings', f'{record.n_readings}, averaged to {len(record.samples)} samples'
    if record.rejections:
        refused = ', '.join(f'{name} {n}' for name, n in sorted(record.rejections.items()))
        yield 'readings refused', refused
    times = summary.get('decision_ms') or {}
    if times.get('p50') is not None:
        yield 'decisions', (
            f"{len(record.decision_ms)}: {times['p50']:.0f} ms median, "
            f"{times['p95']:.0f} ms at 95\N{NO-BREAK SPACE}%"
        )
    model = record.hyperparameters
    if model:
        scales = ' x '.join(f'{scale:.3g}' for scale in _unique(model.get('lengthscales') or []))
        yield 'kernel', f"{model.get('kernel', '')}, lengthscale {scales} m"
        for key, name in (('signal_std', 'field deviates by'), ('noise_std', 'a reading errs by')):
            if model.get(key) is not None:
                yield name, f'{model[key]:.3g}{suffix} (standard deviation)'
    if summary.get('regret') is not None:
        share = words.percent_text(summary['regret_fraction'])
        yield 'regret', f"{summary['regret']:.3g}{suffix}, {share} of the range of the field"


def _unique(values: Sequence[float]) -> list[float]:
    return list(dict.fromkeys(values))


def _map_data(flown: FlownMission, unit: str) -> Mapping[str, Any] | None:
    belief = flown.belief
    if not len(belief):
        return None
    return {
        'x': [round(float(x), 1) for x in belief.points[:, 0]],
        'y': [round(float(y), 1) for y in belief.points[:, 1]],
        'mean': _rounded(belief.mean, belief.std),
        'std': _rounded(belief.std, belief.std),
        'truth': None if belief.truth is None else _rounded(belief.truth, belief.std),
        'unit': unit,
        'reach': 1.5 * belief.spacing_m or math.inf,
    }


def _rounded(values: FloatArray, std: FloatArray) -> list[float]:
    """Return values to the digits that the standard deviation leaves a meaning."""
    digits = _FIGURES - 1 - np.floor(np.log10(np.maximum(std, 1e-12))).astype(int)
    return [round(float(value), int(n)) for value, n in zip(values, digits)]
