# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Maps of a mission as SVG: the field as a picture, everything else as lines that stay sharp."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence
from xml.etree import ElementTree

import matplotlib
import matplotlib.image
import numpy as np
import shapely
from matplotlib.figure import Figure

from ..core.record import MissionRecord
from ..core.types import FloatArray
from .drawing import Axis, Drawing, tick_texts
from .findings import Finding
from .raster import Raster

_BAR_ROOM, _BAR_WIDTH, _BAR_GAP = 78.0, 13.0, 10.0
_BAR_STOPS = 17
_CONTOURS = 8
_TRACK_DETAIL = 5e-4


class MapDrawing(Drawing):
    """
    One map of the search area, as wide as the figure allows and true to scale.

    :param name: names the figure in the page.
    :param alt: what it shows, for those who cannot see it.
    :param record: the mission.
    :param raster: pixels over its area.
    """

    def __init__(self, name: str, alt: str, record: MissionRecord, raster: Raster) -> None:
        places = np.vstack(
            [np.array(ring, dtype=np.float64) for ring in record.area]
            + [np.array(record.track, dtype=np.float64).reshape(-1, 2)]
        )
        low, high = places.min(axis=0), places.max(axis=0)
        room = 0.02 * float((high - low).max())
        low, high = low - room, high + room
        super().__init__(
            name,
            alt,
            Axis(axis_names(record)[0], float(low[0]), float(high[0])),
            Axis(axis_names(record)[1], float(low[1]), float(high[1])),
            height=None,
            right=_BAR_ROOM,
        )
        self._record, self._raster = record, raster
        defs = self.add(self.root, 'defs')
        hatch = self.add(
            defs, 'pattern', id=f'{name}-hatch', width=7, height=7,
            patternUnits='userSpaceOnUse', patternTransform='rotate(45)',
        )  # fmt: skip
        self.add(hatch, 'rect', width=7, height=7, class_='hatch-ground')
        self.add(hatch, 'line', x1=0, y1=0, x2=0, y2=7, class_='hatch-line')
        clip = self.add(defs, 'clipPath', id=f'{name}-area')
        for ring in record.area:
            self._outline(ring, '', clip)
        self._in_area = self.add(self.plot, 'g', clip_path=f'url(#{name}-area)')

    def field(
        self, values: FloatArray, levels: tuple[float, float], colours: str, label: str
    ) -> None:
        """
        Draw values as colours with contours and a colour bar.

        :param values: at the pixels, NaN where there is none, shape ``(H, W)``.
        :param levels: least and greatest value of the colours.
        :param colours: colour map of matplotlib.
        :param label: of the colour bar, with unit.
        """
        left, right, bottom, top = self._raster.extent
        (x0, x1), (y1, y0) = self.xs([left, right]), self.ys([bottom, top])
        self.add(
            self._in_area, 'image', x=x0, y=y0, width=x1 - x0, height=y1 - y0,
            preserveAspectRatio='none', href=_picture(values, levels, colours),
        )  # fmt: skip
        self._contours(values, levels)
        self._bar(levels, colours, label)

    def ground(self) -> None:
        """Draw the borders of area and zones."""
        for ring in self._record.area:
            self._outline(ring, 'area')
        for zone in self._record.zones:
            self._outline(zone, 'zone').set('fill', f'url(#{self.name}-hatch)')

    def flight(self) -> None:
        """Draw the flown track and the targets."""
        track = np.array(self._record.track, dtype=np.float64).reshape(-1, 2)
        if len(track) > 1:
            detail = _TRACK_DETAIL * float(np.ptp(track, axis=0).max())
            track = shapely.get_coordinates(shapely.simplify(shapely.LineString(track), detail))
            for kind in ('track-casing', 'track'):
                self.line(track[:, 0], track[:, 1], kind)
        stops = np.array(self._record.waypoints, dtype=np.float64).reshape(-1, 2)
        self.dots(stops[:, 0], stops[:, 1], 'target', 2.6)

    def samples(self) -> None:
        """Draw where the map rests on readings."""
        samples = np.array(self._record.samples, dtype=np.float64).reshape(-1, 4)
        self.dots(samples[:, 0], samples[:, 1], 'sample', 1.2)

    def marks(self, found: Sequence[Finding], summit: tuple[float, float] | None) -> None:
        """
        Draw home, the findings with their numbers and the true summit.

        :param found: places, the best first.
        :param summit: where the true field is greatest, metres, where it is known.
        """
        if self._record.home is not None:
            x, y = self._place(*self._record.home[:2])
            self.add(self.plot, 'rect', x=x - 5, y=y - 5, width=10, height=10, class_='home')
        if summit is not None:
            x, y = self._place(*summit)
            self.add(self.plot, 'path', d=_star(x, y, 14.0), class_='summit')
        for place in reversed(found):
            x, y = self._place(place.x, place.y)
            kind = 'finding best' if place.rank == 1 else 'finding'
            group = self.add(self.plot, 'g', class_=kind)
            self.add(group, 'circle', cx=x, cy=y, r=7.0)
            self.add(group, 'text', str(place.rank), x=x, y=y + 3.6, text_anchor='middle')

    def _outline(
        self,
        ring: Sequence[Sequence[float]],
        kind: str,
        parent: ElementTree.Element | None = None,
    ) -> ElementTree.Element:
        corners = np.array(ring, dtype=np.float64)
        return self.polygon(corners[:, 0], corners[:, 1], kind, parent)

    def _place(self, x: float, y: float) -> tuple[float, float]:
        return float(self.xs([x])[0]), float(self.ys([y])[0])

    def _contours(self, values: FloatArray, levels: tuple[float, float]) -> None:
        if np.isfinite(values).sum() <= 4 or not np.nanmax(values) > np.nanmin(values):
            return
        axes = Figure().add_subplot()
        heights = np.linspace(*levels, _CONTOURS + 2)[1:-1]
        lines = axes.contour(self._raster.x, self._raster.y, values, levels=heights)
        group = self.add(self._in_area, 'g', class_='contour')
        for segments in lines.allsegs:
            for segment in segments:
                thin = segment[:: max(1, len(segment) // 200)]
                xy = zip(self.xs(thin[:, 0]), self.ys(thin[:, 1]))
                self.add(group, 'polyline', points=' '.join(f'{x:.1f},{y:.1f}' for x, y in xy))

    def _bar(self, levels: tuple[float, float], colours: str, label: str) -> None:
        gradient = self.add(
            self.add(self.root, 'defs'), 'linearGradient', id=f'{self.name}-bar', x1=0, x2=0, y1=1,
            y2=0,
        )  # fmt: skip
        for share in np.linspace(0.0, 1.0, _BAR_STOPS):
            rgb = matplotlib.colormaps[colours](float(share), bytes=True)[:3]
            self.add(
                gradient, 'stop', offset=f'{share:.4f}',
                stop_color='#' + ''.join(f'{int(v):02x}' for v in rgb),
            )  # fmt: skip
        x = self.left + self.width + _BAR_GAP
        self.add(
            self.root, 'rect', x=x, y=self.top, width=_BAR_WIDTH, height=self.height,
            fill=f'url(#{self.name}-bar)',
        )  # fmt: skip
        axis = Axis('', *levels)
        ticks = axis.ticks(max(3, round(self.height / 45.0))) if levels[1] > levels[0] else []
        for tick, text in zip(ticks, tick_texts(ticks)):
            y = self.top + self.height * (1.0 - (tick - levels[0]) / (levels[1] - levels[0]))
            self.add(
                self.root, 'text', text, x=x + _BAR_WIDTH + 4.0, y=y + 4.0, class_='tick',
            )  # fmt: skip
        self._bar_label(x, label)

    def _bar_label(self, x: float, label: str) -> ElementTree.Element:
        edge, middle = f'{x + _BAR_WIDTH + 50.0:.1f}', f'{self.top + 0.5 * self.height:.1f}'
        return self.add(
            self.root, 'text', label, x=edge, y=middle, class_='label', text_anchor='middle',
            transform=f'rotate(-90 {edge} {middle})',
        )  # fmt: skip


def axis_names(record: MissionRecord) -> tuple[str, str]:
    """Return what the two coordinates of a mission are called, with their unit."""
    return ('east [m]', 'north [m]') if record.is_map else ('x [m]', 'y [m]')


def _picture(values: FloatArray, levels: tuple[float, float], colours: str) -> str:
    """Return values as a PNG in a data URI, clear where there is none."""
    span = levels[1] - levels[0]
    share = np.clip((values - levels[0]) / span, 0.0, 1.0) if span > 0.0 else 0.0 * values
    rgba = matplotlib.colormaps[colours](np.nan_to_num(share), bytes=True)
    rgba[~np.isfinite(values), 3] = 0
    file = io.BytesIO()
    matplotlib.image.imsave(file, rgba[::-1], format='png')
    return 'data:image/png;base64,' + base64.b64encode(file.getvalue()).decode('ascii')


def _star(x: float, y: float, radius: float) -> str:
    corners = []
    for corner in range(10):
        r = radius if corner % 2 == 0 else 0.42 * radius
        angle = math.pi * (corner / 5.0 - 0.5)
        corners.append(f'{x + r * math.cos(angle):.2f} {y + r * math.sin(angle):.2f}')
    return 'M' + 'L'.join(corners) + 'Z'
