# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""A field through scattered measurements: linear inside their hull, the nearest one outside."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator
from scipy.spatial import QhullError

from ...core.errors import ConfigError
from ...core.types import FloatArray
from .base import Bounds, Extreme, KnownField, field_error
from .files import find_file

if TYPE_CHECKING:
    from ..config import FieldConfig


def scattered_field(points: FloatArray, values: FloatArray) -> KnownField:
    """
    Interpolate scattered measurements; several at one place count as their mean.

    Both interpolants stay within the measurements, so the extremes lie at measured places.

    :param points: shape ``(N, 2)``, metres.
    :param values: shape ``(N,)``.
    :raises ConfigError: if the places do not span an area.
    """
    if len(points) < 3:
        raise _too_few(len(points))
    places, inverse, counts = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    means = np.bincount(inverse.ravel(), weights=values) / counts
    # Map projections have coordinates of millions of metres, which would cost digits.
    centre = places.mean(axis=0)
    try:
        linear = LinearNDInterpolator(places - centre, means)
    except (QhullError, ValueError) as error:
        raise _too_few(len(places)) from error
    nearest = NearestNDInterpolator(places - centre, means)

    def value(points: FloatArray) -> FloatArray:
        inside = np.asarray(linear(points - centre), dtype=np.float64)
        is_outside = np.isnan(inside)
        if is_outside.any():
            inside[is_outside] = nearest(points[is_outside] - centre)
        return inside

    best, worst = int(means.argmax()), int(means.argmin())
    return KnownField(
        value,
        Bounds(*places.min(axis=0).tolist(), *places.max(axis=0).tolist()),
        Extreme(places[best], float(means[best])),
        Extreme(places[worst], float(means[worst])),
    )


def read_columns(path: Path, columns: dict[str, str]) -> list[FloatArray]:
    """
    Read named columns of a table with a header.

    :param path: a ``.csv`` or ``.csv.gz`` file.
    :param columns: header of each wanted column, by the option that names it.
    :return: one array of shape ``(N,)`` for each.
    :raises ConfigError: if the table cannot be read, lacks a column or a number.
    """
    try:
        content = path.read_bytes()
        text = gzip.decompress(content) if path.suffix == '.gz' else content
        rows = list(csv.reader(io.StringIO(text.decode('utf-8-sig'))))
    except (OSError, EOFError, ValueError, csv.Error) as error:
        raise field_error(
            'file', f'must be a readable table, got {str(path)!r}: {error}'
        ) from error
    header = [name.strip() for name in rows[0]] if rows else []
    for option, name in columns.items():
        if name not in header:
            listed = ', '.join(header) or 'none'
            raise field_error(
                option, f'must name a column of {path}, got {name!r}; it has {listed}.'
            )
    # Blank lines are no rows; the line number in an error counts them all the same.
    lines = [(number, row) for number, row in enumerate(rows[1:], start=2) if any(row)]
    return [_numbers(path, lines, header.index(name), name) for name in columns.values()]


def _too_few(n_places: int) -> ConfigError:
    return field_error(
        'file', f'must hold at least three places that are not on one line, got {n_places}.'
    )


def _numbers(path: Path, lines: list[tuple[int, list[str]]], index: int, name: str) -> FloatArray:
    numbers = []
    for number, row in lines:
        cell = row[index] if index < len(row) else ''
        try:
            value = float(cell)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise field_error(
                'file',
                f'must have a finite number in every row, got {cell!r} in line {number}, column '
                f'{name!r} of {path}; remove the row.',
            )
        numbers.append(value)
    return np.array(numbers, dtype=np.float64)


def make(config: FieldConfig, rng: np.random.Generator, base: Path | None) -> KnownField:
    """Build the field the options ask for; needs no randomness."""
    x, y, values = read_columns(
        find_file(config.file, base),
        {
            'column_x': config.column_x,
            'column_y': config.column_y,
            'column_value': config.column_value,
        },
    )
    points = np.stack([x, y], axis=1)
    if config.has_origin and len(points):
        points = points - points.min(axis=0) + config.origin
    return scattered_field(points, values)
