# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Area, zones and home before a flight, and how far the budget goes."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path as Outline

from ..core.area import SearchArea
from ..core.types import FloatArray
from .raster import Raster
from .reach import Reach

_INK, _MUTED, _ZONE, _BEYOND = '#22272e', '#6b7480', '#e6e8eb', '#e0a596'
_DPI, _WIDTH = 150, 8.5


def draw_area(
    path: Path,
    area: SearchArea,
    reach: Reach | None,
    *,
    title: str,
    total_m: float,
    zone_margin_m: float,
) -> None:
    """
    Draw a search area into a PNG file.

    :param path: the file; its folder must exist.
    :param area: where the vehicle may be.
    :param reach: round trips from home, or ``None`` where there is no home.
    :param title: heading.
    :param total_m: the whole budget, metres-equivalent.
    :param zone_margin_m: distance kept from the zones, metres.
    :raises OSError: if the file cannot be written.
    """
    raster = Raster.over([polygon.tolist() for polygon in area.polygons])
    tallness = float(np.clip(raster.shape, 0.4, 1.6))
    with matplotlib.rc_context({'font.size': 10, 'font.family': 'DejaVu Sans'}):
        figure = Figure(
            figsize=(_WIDTH, _WIDTH * 0.82 * tallness + 1.4), dpi=_DPI, layout='constrained',
            facecolor='white',
        )  # fmt: skip
        axes = figure.add_subplot()
        handles: list[Line2D | Patch] = []
        for polygon in area.polygons:
            axes.add_patch(PathPatch(_outline(polygon), fill=False, edgecolor=_INK, linewidth=1.4))
        if reach is not None:
            handles += _draw_reach(axes, area, raster, reach, total_m)
        for zone in area.zones:
            shape = PathPatch(_outline(zone), facecolor=_ZONE, edgecolor=_MUTED, hatch='////')
            shape.set_zorder(3)
            axes.add_patch(shape)
        if area.zones:
            handles.append(
                Patch(facecolor=_ZONE, edgecolor=_MUTED, hatch='////',
                      label=f'no-fly zone, {zone_margin_m:g} m kept off')
            )  # fmt: skip
        axes.set_title(title, loc='left', fontweight='bold')
        axes.set_xlabel('x [m]')
        axes.set_ylabel('y [m]')
        axes.set_aspect('equal')
        axes.margins(0.03)
        axes.autoscale_view()
        axes.spines[:].set_visible(False)
        if handles:
            figure.legend(
                handles=handles, loc='outside lower center', ncols=len(handles), frameon=False
            )
        figure.savefig(path, format='png', dpi=_DPI)


def _draw_reach(
    axes: Axes, area: SearchArea, raster: Raster, reach: Reach, total_m: float
) -> list[Line2D | Patch]:
    """Colour what round trips cost up to the reserve, and mark home."""
    limit = 100.0 * reach.usable_m / total_m
    # Beyond any budget, but finite, so that it can be drawn.
    percent = np.where(np.isfinite(reach.round_m), 100.0 * reach.round_m / total_m, 1e3)
    cost = raster.interpolated(reach.points, percent)
    inside = PathPatch(
        Outline.make_compound_path(*[_outline(polygon) for polygon in area.polygons]),
        transform=axes.transData,
    )
    colours = matplotlib.colormaps['viridis_r'].with_extremes(over=_BEYOND)
    image = axes.imshow(
        cost, extent=raster.extent, origin='lower', cmap=colours, vmin=0.0, vmax=limit,
        interpolation='nearest',
    )  # fmt: skip
    image.set_clip_path(inside)
    if np.nanmax(cost) > np.nanmin(cost):
        levels = [level for level in (20.0, 40.0, 60.0, 80.0) if level < limit]
        lines = axes.contour(
            raster.x, raster.y, cost, levels=levels, colors='white', linewidths=0.9
        )
        lines.set_clip_path(inside)
        axes.clabel(lines, fmt='%.0f %%', fontsize=8, zorder=2.5)
    bar = axes.figure.colorbar(image, ax=axes, fraction=0.045, pad=0.02, extend='max')
    bar.set_label(f'round trip with one stop [% of the budget]; reserve from {limit:.0f} % on')
    bar.outline.set_visible(False)
    axes.plot(
        *reach.home, 's', color='white', markersize=10, markeredgecolor=_INK, markeredgewidth=2.0,
        zorder=5,
    )  # fmt: skip
    home = Line2D(
        [], [], marker='s', color='white', markeredgecolor=_INK, linestyle='', markersize=8,
        label='home',
    )  # fmt: skip
    if reach.is_affordable.all():
        return [home]
    return [home, Patch(facecolor=_BEYOND, label='out of reach')]


def _outline(polygon: FloatArray) -> Outline:
    return Outline(np.vstack([polygon, polygon[:1]]), closed=True)
