# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A mission on one page: the true field, the belief about it, and what the budget bought."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline
from matplotlib.patheffects import withStroke

from ..core.record import MissionRecord
from ..core.types import FloatArray
from .ground_truth import GroundTruth
from .mission_json import regret_vs_distance
from .raster import Raster

_INK = '#22272e'
_MUTED = '#6b7480'
_FOUND = '#e8453c'
_RC: dict[Any, Any] = {
    'font.size': 9.5,
    'font.family': 'DejaVu Sans',
    'text.color': _INK,
    'axes.edgecolor': '#b8bec6',
    'axes.labelcolor': _INK,
    'axes.titlesize': 11,
    'axes.titleweight': 'bold',
    'axes.titlelocation': 'left',
    'axes.linewidth': 0.8,
    'xtick.color': _MUTED,
    'ytick.color': _MUTED,
    'hatch.linewidth': 0.7,
}
_DPI = 160
_WIDTH = 12.0
_SHAPES = (0.5, 1.4)
_HOME: dict[str, Any] = {
    'marker': 's', 'color': 'white', 'markersize': 9, 'markeredgecolor': _INK,
    'markeredgewidth': 1.6, 'linestyle': '',
}
_SUMMIT: dict[str, Any] = {
    'marker': '*', 'color': '#ffd23f', 'markersize': 17, 'markeredgecolor': _INK,
    'markeredgewidth': 1.1, 'linestyle': '',
}
_BEST: dict[str, Any] = {
    'marker': 'X', 'color': _FOUND, 'markersize': 10, 'markeredgecolor': 'white',
    'markeredgewidth': 1.1, 'linestyle': '',
}


def draw_mission(
    path: Path,
    record: MissionRecord,
    *,
    points: FloatArray,
    mean: FloatArray,
    std: FloatArray,
    truth: GroundTruth | None = None,
    unit: str = '',
) -> None:
    """
    Draw a mission into a PNG file.

    :param path: the file; its folder must exist.
    :param record: the mission.
    :param points: places of the map, shape ``(M, 2)``, metres; ``M`` may be 0.
    :param mean: posterior mean there, sensor unit, shape ``(M,)``.
    :param std: posterior standard deviation there, sensor unit, shape ``(M,)``.
    :param truth: the true field, where it is known.
    :param unit: name of the sensor's unit, for the colour bars.
    :raises OSError: if the file cannot be written.
    """
    with matplotlib.rc_context(_RC):
        layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08, wspace=0.03, hspace=0.03)
        raster = Raster.over(record.area)
        shape = float(np.clip(raster.shape, *_SHAPES))
        figure = Figure(
            figsize=(_WIDTH, 0.84 * _WIDTH * shape + 2.0), dpi=_DPI, layout=layout,
            facecolor='white',
        )
        axes = figure.subplots(2, 2)
        figure.suptitle(
            _title(record), x=0.012, ha='left', fontsize=14, fontweight='bold', color=_INK
        )
        value = f'field [{unit}]' if unit else 'field'
        spread = f'standard deviation [{unit}]' if unit else 'standard deviation'
        belief, doubt = raster.interpolated(points, mean), raster.interpolated(points, std)
        levels = _levels(belief, truth)

        _field(axes[0, 0], raster, belief if truth is None else raster.values(truth.value), levels,
               value, 'Flight over the map' if truth is None else 'True field and flight', record)
        _flight(axes[0, 0], record, truth)
        _field(axes[0, 1], raster, belief, levels, value, 'Belief: posterior mean', record)
        _samples(axes[0, 1], record)
        _marks(axes[0, 1], record, truth)
        _doubt(axes[1, 0], raster, doubt, spread, record)
        _samples(axes[1, 0], record)
        _marks(axes[1, 0], record, None)
        if truth is None:
            _best_so_far(axes[1, 1], record, value)
        else:
            _regret(axes[1, 1], record, truth)
        axes[1, 1].set_box_aspect(shape)
        _legend(figure, record, truth)
        figure.savefig(path, format='png', dpi=_DPI)


def _title(record: MissionRecord) -> str:
    outcome = record.outcome.replace('_', ' ')
    home = 'home again' if record.returned_home else 'not home'
    return (
        f'{record.policy}: {outcome}, {home} with {record.spent_m:.0f} of '
        f'{record.budget_m:.0f} m spent'
    )


def _levels(belief: FloatArray, truth: GroundTruth | None) -> tuple[float, float]:
    if truth is not None:
        return truth.minimum, truth.maximum
    finite = belief[np.isfinite(belief)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def _field(
    axes: Axes,
    raster: Raster,
    values: FloatArray,
    levels: tuple[float, float],
    label: str,
    title: str,
    record: MissionRecord,
) -> None:
    image = axes.imshow(
        values, extent=raster.extent, origin='lower', cmap='viridis',
        vmin=levels[0], vmax=levels[1], interpolation='bilinear',
    )
    if np.isfinite(values).sum() > 4 and np.nanmax(values) > np.nanmin(values):
        lines = axes.contour(
            raster.x, raster.y, values, levels=np.linspace(*levels, 9)[1:-1],
            colors='white', linewidths=0.5, alpha=0.45,
        )
        lines.set_clip_path(_inside(axes, record))
    image.set_clip_path(_inside(axes, record))
    _bar(axes, image, label)
    _ground(axes, record, title)


def _doubt(
    axes: Axes, raster: Raster, values: FloatArray, label: str, record: MissionRecord
) -> None:
    top = np.nanmax(values) if np.isfinite(values).any() else 1.0
    image = axes.imshow(
        values, extent=raster.extent, origin='lower', cmap='cividis', vmin=0.0, vmax=top or 1.0,
        interpolation='bilinear',
    )
    image.set_clip_path(_inside(axes, record))
    _bar(axes, image, label)
    _ground(axes, record, 'Doubt: posterior standard deviation')


def _bar(axes: Axes, image: ScalarMappable, label: str) -> None:
    bar = axes.figure.colorbar(image, cax=axes.inset_axes((1.02, 0.0, 0.035, 1.0)))
    bar.set_label(label)
    bar.outline.set_visible(False)


def _ground(axes: Axes, record: MissionRecord, title: str) -> None:
    """Draw the borders of area and zones, and the axes of the map frame."""
    for polygon in record.area:
        axes.add_patch(PathPatch(_outline(polygon), fill=False, edgecolor=_INK, linewidth=1.0))
    for zone in record.zones:
        axes.add_patch(
            PathPatch(
                _outline(zone), facecolor='#e6e8eb', edgecolor='#7c8590', hatch='////',
                linewidth=1.0, zorder=2.5,
            )
        )
    axes.set_title(title)
    axes.set_xlabel('east [m]')
    axes.set_ylabel('north [m]')
    axes.set_aspect('equal')
    axes.use_sticky_edges = False  # a track along the border is drawn whole
    axes.margins(0.02)
    axes.autoscale_view()
    axes.spines[:].set_visible(False)


def _inside(axes: Axes, record: MissionRecord) -> PathPatch:
    """Return the search area as a shape to clip to."""
    outlines = [_outline(polygon) for polygon in record.area]
    return PathPatch(Outline.make_compound_path(*outlines), transform=axes.transData)


def _outline(polygon: list[list[float]]) -> Outline:
    return Outline(np.array([*polygon, polygon[0]]), closed=True)


def _flight(axes: Axes, record: MissionRecord, truth: GroundTruth | None) -> None:
    track = np.array(record.track).reshape(-1, 2)
    axes.plot(
        *track.T, color='white', linewidth=1.6, solid_joinstyle='round', zorder=3,
        path_effects=[withStroke(linewidth=3.0, foreground=_INK)],
    )
    stops = np.array(record.waypoints).reshape(-1, 2)
    axes.plot(*stops.T, 'o', color='white', markersize=4.2, markeredgecolor=_INK,
              markeredgewidth=0.9, zorder=4)
    _marks(axes, record, truth)


def _samples(axes: Axes, record: MissionRecord) -> None:
    samples = np.array(record.samples).reshape(-1, 4)
    axes.plot(*samples[:, :2].T, '.', color='white', markersize=2.6, alpha=0.85, zorder=3)


def _marks(axes: Axes, record: MissionRecord, truth: GroundTruth | None) -> None:
    """Draw home, the true summit and the best estimate."""
    if record.home is not None:
        axes.plot(record.home[0], record.home[1], **_HOME, zorder=5)
    if truth is not None:
        axes.plot(truth.summit[0], truth.summit[1], **_SUMMIT, zorder=5)
    if record.best is not None:
        axes.plot(record.best.x, record.best.y, **_BEST, zorder=6)


def _regret(axes: Axes, record: MissionRecord, truth: GroundTruth) -> None:
    curve = regret_vs_distance(record, truth)
    axes.step(curve[:, 0], 100.0 * curve[:, 1], where='post', color=_FOUND, linewidth=2.0)
    axes.fill_between(
        curve[:, 0], 100.0 * curve[:, 1], step='post', color=_FOUND, alpha=0.12, linewidth=0
    )
    axes.set_ylim(bottom=0.0)
    _against_budget(axes, record)
    title = 'Regret of the best estimate'
    axes.set_title(f'{title}: {100.0 * curve[-1, 1]:.2g} % at the end' if len(curve) else title)
    axes.set_ylabel('regret [% of the range of the field]')


def _best_so_far(axes: Axes, record: MissionRecord, label: str) -> None:
    history = np.array(record.best_history).reshape(-1, 5)
    spent, mean, std = history[:, 0], history[:, 3], history[:, 4]
    axes.step(spent, mean, where='post', color=_FOUND, linewidth=2.0)
    axes.fill_between(
        spent, mean - 2.0 * std, mean + 2.0 * std, step='post', color=_FOUND, alpha=0.15,
        linewidth=0,
    )
    _against_budget(axes, record)
    axes.set_title('Best estimate, with two standard deviations')
    axes.set_ylabel(label)


def _against_budget(axes: Axes, record: MissionRecord) -> None:
    """Make the horizontal axis the budget, with the reserve marked."""
    axes.set_xlim(0.0, record.budget_m if record.budget_m > 0.0 else None)
    if record.reserve_m > 0.0:
        axes.axvspan(
            record.budget_m - record.reserve_m, record.budget_m, color='#e6e8eb', linewidth=0
        )
        axes.text(
            record.budget_m - 0.5 * record.reserve_m, 0.97, 'reserve', rotation=90, ha='center',
            va='top', color=_MUTED, fontsize=8.5, transform=axes.get_xaxis_transform(),
        )
    axes.set_xlabel('budget spent [m of flight]')
    axes.grid(axis='y', color='#e6e8eb', linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[['top', 'right']].set_visible(False)


def _legend(figure: Figure, record: MissionRecord, truth: GroundTruth | None) -> None:
    handles: list[Artist] = [
        Line2D([], [], color='white', linewidth=1.6, label='flown track',
               path_effects=[withStroke(linewidth=3.0, foreground=_INK)]),
        Line2D([], [], marker='o', linestyle='', color='white', markersize=5,
               markeredgecolor=_INK, label='target'),
        Line2D([], [], marker='o', linestyle='', color='white', markersize=3.2,
               markeredgecolor='#9aa3ad', label='sample'),
        Line2D([], [], label='home', **_HOME),
        Line2D([], [], label='best estimate', **_BEST),
    ]
    if truth is not None:
        handles.append(Line2D([], [], label='true summit', **_SUMMIT))
    if record.zones:
        handles.append(
            PathPatch(Outline([[0, 0]]), facecolor='#e6e8eb', edgecolor='#7c8590', hatch='////',
                      label='no-fly zone')
        )
    figure.legend(
        handles=handles, loc='outside lower center', ncols=len(handles), frameon=False,
        handletextpad=0.5, columnspacing=1.6,
    )
