# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
A field on a regular grid of nodes, read from an array, a table or an image; bilinear in between.

Every format is read the same way: columns run east, and row 0 is the north edge (largest y),
unless the option ``first_row`` says ``south``. Nodes are one spacing apart, so ``W x H`` nodes
cover ``(W - 1) x (H - 1)`` spacings.

============ =====================================================================================
suffix       content
============ =====================================================================================
.npy         one two-dimensional array
.npz         the array named by the option ``array``, or the only one
.csv .csv.gz rows of comma-separated numbers, no header, ``#`` starts a comment
.json        ``{"width": W, "height": H, "values": [...]}``, row by row, or a list of rows
an image     brightness 0 (black) to 1 (white); .png .jpg .jpeg .bmp .tif .tiff .gif .webp .pgm
============ =====================================================================================
"""

from __future__ import annotations

import json
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import ndimage

from ...core.errors import ConfigError
from ...core.types import FloatArray
from .base import Bounds, Extreme, KnownField, field_error
from .files import find_file

if TYPE_CHECKING:
    from ..config import FieldConfig

_MOST_NODES = 64_000_000


def raster_field(
    values: FloatArray, spacing_m: float, origin: tuple[float, float], smooth_m: float = 0.0
) -> KnownField:
    """
    Make the bilinear field over a grid of nodes; outside, the nearest edge goes on.

    A bilinear surface has its extremes at nodes, so both are exact.

    :param values: shape ``(H, W)``, row 0 in the south.
    :param spacing_m: metres between neighbouring nodes.
    :param origin: south-west node, metres.
    :param smooth_m: standard deviation of the Gaussian the values are smoothed with, metres.
    """
    if smooth_m > 0.0:
        values = ndimage.gaussian_filter(values, smooth_m / spacing_m, mode='nearest')
    n_y, n_x = values.shape
    bounds = Bounds(
        origin[0],
        origin[1],
        origin[0] + (n_x - 1) * spacing_m,
        origin[1] + (n_y - 1) * spacing_m,
    )

    def value(points: FloatArray) -> FloatArray:
        nodes = (points - origin) / spacing_m
        surface = ndimage.map_coordinates(
            values, [nodes[:, 1], nodes[:, 0]], order=1, mode='nearest', output=np.float64
        )
        return np.asarray(surface)

    def extreme(index: np.intp) -> Extreme:
        row, column = np.unravel_index(index, values.shape)
        place = np.array([origin[0] + column * spacing_m, origin[1] + row * spacing_m])
        return Extreme(place, float(values[row, column]))

    return KnownField(value, bounds, extreme(values.argmax()), extreme(values.argmin()))


def read_raster(path: Path, array: str = '') -> FloatArray:
    """
    Read a grid of finite numbers.

    :param path: file whose suffix tells the format.
    :param array: name of the array in an ``.npz`` file; may be empty where there is only one.
    :return: shape ``(H, W)``, rows as in the file, at least 2 x 2.
    :raises ConfigError: if the file cannot be read as one, or a node has no value.
    """
    suffix = ''.join(path.suffixes[-2:]) if path.suffix == '.gz' else path.suffix
    reader = _READERS.get(suffix.lower())
    if reader is None:
        known = ', '.join(_READERS)
        raise field_error('file', f'must end in one of {known}, got {str(path)!r}.')
    try:
        with warnings.catch_warnings():
            # An empty table and an image of a suspicious size are only warned of.
            warnings.simplefilter('error')
            values = np.asarray(reader(path, array), dtype=np.float64)
    except ConfigError:
        raise
    except _UNREADABLE as error:
        raise field_error(
            'file', f'must be a readable grid of numbers, got {str(path)!r}: {error}'
        ) from error
    if values.ndim != 2 or min(values.shape) < 2:
        raise field_error(
            'file', f'must hold at least 2 x 2 nodes, got the shape {values.shape} in {path}.'
        )
    if values.size > _MOST_NODES:
        raise field_error(
            'file', f'must hold at most {_MOST_NODES} nodes, got {values.size} in {path}.'
        )
    unknown = np.argwhere(~np.isfinite(values))
    if len(unknown):
        row, column = unknown[0]
        raise field_error(
            'file',
            f'must have a finite number at every node, got {values[row, column]!r} at row {row}, '
            f'column {column} and {len(unknown)} such nodes in {path}; fill them or cut them off.',
        )
    return values


def _read_npy(path: Path, array: str) -> Any:
    return np.load(path, allow_pickle=False)


def _read_npz(path: Path, array: str) -> Any:
    with np.load(path, allow_pickle=False) as arrays:
        names = list(arrays)
        name = array or (names[0] if len(names) == 1 else '')
        if name not in names:
            listed = ', '.join(names) or 'none'
            raise field_error(
                'array', f'must name an array of {path}, got {array!r}; it has {listed}.'
            )
        return arrays[name]


def _read_csv(path: Path, array: str) -> Any:
    return np.loadtxt(path, delimiter=',', ndmin=2, encoding='utf-8-sig')


def _read_json(path: Path, array: str) -> Any:
    content = json.loads(path.read_text(encoding='utf-8'))
    if not isinstance(content, dict):
        return content
    rows, columns, values = (content.get(key) for key in ('height', 'width', 'values'))
    if not (isinstance(rows, int) and isinstance(columns, int) and isinstance(values, list)):
        raise ValueError("it has no 'width', 'height' and 'values'.")
    if rows < 1 or columns < 1 or len(values) != rows * columns:
        raise ValueError(f'width {columns} x height {rows} does not fit {len(values)} values.')
    # None becomes NaN here, which the check of the nodes then names.
    return np.array(values, dtype=np.float64).reshape(rows, columns)


def _read_image(path: Path, array: str) -> Any:
    from PIL import Image

    with Image.open(path) as image:
        if image.mode.startswith('I'):
            return np.asarray(image, dtype=np.float64) / 65535.0
        if image.mode == 'F':
            return np.asarray(image, dtype=np.float64)
        return np.asarray(image.convert('L'), dtype=np.float64) / 255.0


_IMAGES = ('.png', '.jpg', '.jpeg', '.bmp', '.tif', '.tiff', '.gif', '.webp', '.pgm')

_READERS: Mapping[str, Callable[[Path, str], Any]] = {
    '.npy': _read_npy,
    '.npz': _read_npz,
    '.csv': _read_csv,
    '.csv.gz': _read_csv,
    '.json': _read_json,
    **dict.fromkeys(_IMAGES, _read_image),
}

# What numpy, json, zipfile and Pillow raise on files that are not what their name says.
_UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    TypeError,
    KeyError,
    OverflowError,
    SyntaxError,
    Warning,
    zipfile.BadZipFile,
)


def make(config: FieldConfig, rng: np.random.Generator, base: Path | None) -> KnownField:
    """Build the field the options ask for; needs no randomness."""
    values = read_raster(find_file(config.file, base), config.array)
    if config.first_row == 'north':
        values = values[::-1]
    return raster_field(
        np.ascontiguousarray(values), config.spacing_m, config.origin, config.smooth_m
    )
