# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Figures as SVG that stands in a page: axes with units, lines, areas and pictures.

Colours stand in the style sheet of the page, by the classes of the elements, so that one drawing
serves a bright screen, a dark one and paper. What is drawn is given in the units of the axes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
from matplotlib.ticker import MaxNLocator

from ..core.types import FloatArray

WIDTH = 480.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 14.0, 12.0, 46.0


@dataclass(frozen=True)
class Axis:
    """
    One axis.

    :param label: what it shows, with unit.
    :param low: where it starts.
    :param high: where it ends, above ``low``.
    :param lanes: names of the lanes of width 1 from 0 on, instead of numbers.
    """

    label: str
    low: float
    high: float
    lanes: tuple[str, ...] = ()

    @classmethod
    def over(cls, label: str, values: Sequence[float] | FloatArray, *, zero: bool = False) -> Axis:
        """
        Return an axis that holds some values with a little room.

        :param label: what it shows, with unit.
        :param values: what is not finite is left out.
        :param zero: whether it starts at 0.
        """
        finite = np.asarray(values, dtype=np.float64)
        finite = finite[np.isfinite(finite)]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        low = min(low, 0.0) if zero else low
        room = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
        return cls(label, low if zero else low - room, high + room)

    def ticks(self, most: int) -> list[float]:
        """Return round numbers within the axis, or the middles of its lanes."""
        if self.lanes:
            return [lane + 0.5 for lane in range(len(self.lanes))]
        ticks = MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(self.low, self.high)
        room = 1e-9 * (self.high - self.low)
        return [float(t) for t in ticks if self.low - room <= t <= self.high + room]

    def texts(self, ticks: Sequence[float]) -> list[str]:
        """Return what is written at the ticks."""
        return list(self.lanes) or tick_texts(ticks)


class Drawing:
    """
    A figure with two axes.

    :param name: names the figure in the page.
    :param alt: what it shows, for those who cannot see it.
    :param x: horizontal axis.
    :param y: vertical axis.
    :param width: of the whole, in units of the drawing.
    :param height: of the plot without its margins; ``None``: a unit of y is as long as one of x.
    :param left: room on the left, for the texts of the vertical axis.
    :param right: room on the right, for a colour bar.
    """

    def __init__(
        self,
        name: str,
        alt: str,
        x: Axis,
        y: Axis,
        *,
        width: float = WIDTH,
        height: float | None = 200.0,
        left: float = _LEFT,
        right: float = _RIGHT,
    ) -> None:
        self.name, self._x, self._y = name, x, y
        self.left, self.top = left, _TOP
        self.width = width - left - right
        if height is None:
            scale = min(self.width / (x.high - x.low), 1.25 * width / (y.high - y.low))
            self.width, height = scale * (x.high - x.low), scale * (y.high - y.low)
        self.height = height
        self.root = ElementTree.Element(
            'svg',
            {
                'viewBox': f'0 0 {width:g} {_number(self.height + _TOP + _BOTTOM)}',
                'role': 'img',
                'id': name,
                'aria-label': alt,
                'data-plot': ' '.join(
                    _number(v) for v in (self.left, self.top, self.width, self.height)
                ),
                'data-domain': ' '.join(repr(float(v)) for v in (x.low, x.high, y.low, y.high)),
            },
        )
        self._axes()
        clip = self.add(self.add(self.root, 'defs'), 'clipPath', id=f'{name}-plot')
        self._rectangle(clip)
        self.plot = self.add(self.root, 'g', clip_path=f'url(#{name}-plot)')

    def svg(self) -> str:
        """Return the figure as text."""
        return ElementTree.tostring(self.root, encoding='unicode')

    def add(
        self, parent: ElementTree.Element, tag: str, text: str = '', **attributes: object
    ) -> ElementTree.Element:
        """Add an element; ``_`` in a name stands for ``-``, one at its end for nothing."""
        named = {
            key.rstrip('_').replace('_', '-'): _number(value)
            for key, value in attributes.items()
        }
        element = ElementTree.SubElement(parent, tag, named)
        element.text = text or None
        return element

    def xs(self, values: Sequence[float] | FloatArray) -> FloatArray:
        """Return horizontal places in the drawing."""
        share = (np.asarray(values, dtype=np.float64) - self._x.low) / (self._x.high - self._x.low)
        places: FloatArray = self.left + self.width * share
        return places

    def ys(self, values: Sequence[float] | FloatArray) -> FloatArray:
        """Return vertical places in the drawing."""
        share = (np.asarray(values, dtype=np.float64) - self._y.low) / (self._y.high - self._y.low)
        places: FloatArray = self.top + self.height * (1.0 - share)
        return places

    def line(
        self, x: Sequence[float] | FloatArray, y: Sequence[float] | FloatArray, kind: str
    ) -> None:
        """Draw a line through places, of a class of the style sheet."""
        self.add(self.plot, 'polyline', points=_points(self.xs(x), self.ys(y)), class_=kind)

    def steps(self, x: FloatArray, y: FloatArray, kind: str) -> None:
        """Draw a line that keeps each value until the next."""
        self.line(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1], kind)

    def band(self, x: FloatArray, low: FloatArray, high: FloatArray, kind: str) -> None:
        """Fill the room between two lines of steps."""
        along = np.repeat(x, 2)[1:]
        lower, upper = np.repeat(low, 2)[:-1], np.repeat(high, 2)[:-1]
        self.polygon(
            np.concatenate([along, along[::-1]]), np.concatenate([lower, upper[::-1]]), kind
        )

    def polygon(
        self,
        x: Sequence[float] | FloatArray,
        y: Sequence[float] | FloatArray,
        kind: str,
        parent: ElementTree.Element | None = None,
    ) -> ElementTree.Element:
        """Fill a polygon."""
        into = self.plot if parent is None else parent
        return self.add(into, 'polygon', points=_points(self.xs(x), self.ys(y)), class_=kind)

    def dots(
        self,
        x: Sequence[float] | FloatArray,
        y: Sequence[float] | FloatArray,
        kind: str,
        radius: float = 3.0,
    ) -> None:
        """Draw a circle at each place."""
        group = self.add(self.plot, 'g', class_=kind)
        for cx, cy in zip(self.xs(x), self.ys(y)):
            self.add(group, 'circle', cx=cx, cy=cy, r=radius)

    def level(self, y: float, label: str) -> None:
        """Draw a horizontal line with a text above its right end."""
        if not self._y.low <= y <= self._y.high:
            return
        self.line([self._x.low, self._x.high], [y, y], 'level')
        place = float(self.ys([y])[0])
        self.add(
            self.root, 'text', label, x=self.left + self.width - 4.0,
            y=place - 4.0 if place > self.top + 16.0 else place + 13.0,
            class_='note', text_anchor='end',
        )  # fmt: skip

    def reserve(self, low: float, high: float) -> None:
        """Shade the part of the horizontal axis that no plan may use."""
        if not high > low:
            return
        self.polygon([low, high, high, low], [*[self._y.low] * 2, *[self._y.high] * 2], 'reserve')
        x, y = float(self.xs([0.5 * (low + high)])[0]) + 4.0, self.top + 6.0
        self.add(
            self.root, 'text', 'reserve', x=x, y=y, class_='note', text_anchor='end',
            transform=f'rotate(-90 {_number(x)} {_number(y)})',
        )  # fmt: skip

    def _axes(self) -> None:
        bottom, right = self.top + self.height, self.left + self.width
        frame = self.add(self.root, 'g', class_='frame')
        self._rectangle(frame)
        grid, ticks = self.add(self.root, 'g', class_='grid'), self.add(self.root, 'g')
        x_ticks = self._x.ticks(max(3, round(self.width / 65.0)))
        for x, text in zip(self.xs(x_ticks), self._x.texts(x_ticks)):
            self.add(grid, 'line', x1=x, x2=x, y1=self.top, y2=bottom)
            self.add(
                ticks, 'text', text, x=x, y=bottom + 17.0, class_='tick', text_anchor='middle'
            )
        y_ticks = self._y.ticks(max(3, round(self.height / 40.0)))
        for y, text in zip(self.ys(y_ticks), self._y.texts(y_ticks)):
            self.add(grid, 'line', x1=self.left, x2=right, y1=y, y2=y)
            self.add(
                ticks, 'text', text, x=self.left - 7.0, y=y + 4.0, class_='tick', text_anchor='end'
            )
        middle = self.top + 0.5 * self.height
        self.add(
            self.root, 'text', self._x.label, x=self.left + 0.5 * self.width, y=bottom + 37.0,
            class_='label', text_anchor='middle',
        )  # fmt: skip
        self.add(
            self.root, 'text', self._y.label, x=13.0, y=middle, class_='label',
            text_anchor='middle', transform=f'rotate(-90 13 {_number(middle)})',
        )  # fmt: skip

    def _rectangle(self, parent: ElementTree.Element) -> None:
        self.add(
            parent, 'rect', x=self.left, y=self.top, width=self.width, height=self.height
        )


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Return the texts of evenly spaced numbers, all with the same decimals."""
    if len(ticks) < 2:
        return [f'{tick:g}' for tick in ticks]
    step = abs(ticks[1] - ticks[0])
    decimals = next(
        (n for n in range(8) if math.isclose(round(step, n), step, rel_tol=1e-6)), 8
    )
    if max(abs(tick) for tick in ticks) >= 1e6:
        return [f'{tick:.6g}' for tick in ticks]
    return [f'{tick + 0.0:.{decimals}f}'.replace('-', '\N{MINUS SIGN}') for tick in ticks]


def _points(x: FloatArray, y: FloatArray) -> str:
    return ' '.join(f'{_number(a)},{_number(b)}' for a, b in zip(x, y))


def _number(value: object) -> str:
    if isinstance(value, (float, np.floating)):
        return f'{value:.2f}'.rstrip('0').rstrip('.')
    return str(value)
