# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A table of a study, as CSV for programs and Markdown for people."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

from .results import CONFIDENCE, Interval

Cell = str | int | float | Interval | None
"""``None`` and NaN are unknown: an empty field in CSV, a dash in Markdown."""

_UNKNOWN = '–'


@dataclass(frozen=True)
class Table:
    """
    Rows under headings.

    :param name: of the CSV file, without suffix.
    :param title: a heading for people.
    :param columns: headings.
    :param rows: one cell a column; a column is of intervals in every row or in none.
    :param note: what a reader has to know, a sentence or two of Markdown.
    :param digits: significant digits in Markdown.
    :raises ValueError: if a row has another number of cells.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]
    note: str = ''
    digits: int = 3

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"'rows' must have {len(self.columns)} cells each, got {len(row)}: {row!r}."
                )

    def csv(self) -> str:
        """Return the table with every digit; an interval is a mean, a half width and a count."""
        wide = [any(isinstance(row[k], Interval) for row in self.rows)
                for k in range(len(self.columns))]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator='\n')
        header: list[str] = []
        for name, is_wide in zip(self.columns, wide):
            header.append(name)
            if is_wide:
                header += [f'{name} ci{100 * CONFIDENCE:.0f}', f'{name} n']
        writer.writerow(header)
        for row in self.rows:
            cells: list[str] = []
            for cell, is_wide in zip(row, wide):
                if isinstance(cell, Interval):
                    cells += [_exact(cell.mean), _exact(cell.half), str(cell.n)]
                else:
                    cells += [_exact(cell), '', ''] if is_wide else [_exact(cell)]
            writer.writerow(cells)
        return text.getvalue()

    def markdown(self) -> str:
        """Return the table rounded for people, under its title."""
        lines = [f'### {self.title}', '']
        if self.note:
            lines += [self.note, '']
        lines += [_line(self.columns), '|---' * len(self.columns) + '|']
        lines += [_line([self._shown(cell) for cell in row]) for row in self.rows]
        return '\n'.join(lines) + '\n'

    def _shown(self, cell: Cell) -> str:
        if isinstance(cell, Interval):
            mean = rounded(cell.mean, self.digits)
            if not math.isfinite(cell.half):
                return mean
            return f'{mean} ± {rounded(cell.half, 2)}'
        if cell is None:
            return _UNKNOWN
        return rounded(cell, self.digits) if isinstance(cell, float) else str(cell)


def rounded(number: float, digits: int) -> str:
    """
    Return a number for people: no exponent where four zeros do.

    :param digits: significant ones.
    """
    if not math.isfinite(number):
        return _UNKNOWN
    if number == 0.0:
        return '0'
    if not 1e-5 < abs(number) < 1e6:
        return f'{number:.{digits - 1}e}'
    places = max(0, digits - 1 - math.floor(math.log10(abs(number))))
    return f'{number:.{places}f}'


def _exact(cell: Cell) -> str:
    if cell is None or isinstance(cell, float) and not math.isfinite(cell):
        return ''
    return repr(cell) if isinstance(cell, float) else str(cell)


def _line(cells: Sequence[str]) -> str:
    shown = (' '.join(cell.split()).replace('|', '\\|') for cell in cells)
    return '| ' + ' | '.join(shown) + ' |'
