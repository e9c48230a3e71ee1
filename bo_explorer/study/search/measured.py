# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Real measurements as worlds: fields somebody measured, learned model, a home drawn by the seed.

Where only points were measured the field between them is interpolated, and the noise of a reading
is what the measurements themselves scatter by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
import shapely
from scipy import ndimage

from ...core.area import SearchArea
from ...core.types import FloatArray
from ...sim.fields.base import KnownField
from ...sim.fields.files import find_file
from ...sim.fields.raster import raster_field, read_raster
from ...sim.fields.scattered import read_columns, scattered_field
from .suite import BUDGET_SIDES, READING_STEP_SIDES, STOP_COST_SIDES
from .world import SearchWorld, Truth

# Candidates along the side of the area, and places the truth is judged at.
_GRID = 40
_DENSE = 90

# Degrees of latitude in metres.
_DEGREE_M = 111_320.0


@dataclass(frozen=True)
class MeasuredField:
    """
    A field, where it is known, and how well it can be read.

    :param field: the ground truth.
    :param outline: where it is known, shape ``(K, 2)``, metres.
    :param noise_std: of one reading, sensor unit.
    :param source: the place looked for where that is not the peak, shape ``(2,)``, metres.
    """

    field: KnownField
    outline: FloatArray
    noise_std: float
    source: FloatArray | None = None


def measured_world(name: str, seed: int, data: Path) -> SearchWorld:
    """
    Make a world of a measured field.

    :param name: a key of :data:`MEASURED`.
    :param seed: of the home.
    :param data: folder of the measurements.
    """
    measured, area = _prepared(name, data)
    side = area.side
    candidates = area.candidates(side / _GRID)
    home = candidates[int(np.random.default_rng([seed, 3]).integers(len(candidates)))]
    return SearchWorld(
        area=area,
        candidates=candidates,
        truth=Truth.over(
            measured.field, area, area.candidates(side / _DENSE), source=measured.source
        ),
        home=home,
        budget_m=BUDGET_SIDES * side,
        noise_std=measured.noise_std,
        reading_step_m=READING_STEP_SIDES * side,
        stop_cost_m=STOP_COST_SIDES * side,
        model=None,
    )


def missing_measurement(name: str, data: Path) -> str | None:
    """Return why a field cannot be had, ``None`` where it can."""
    file = data / MEASURED[name].file
    if MEASURED[name].is_shipped or file.is_file():
        return None
    return f'there is no {file}; name the folder of the measurements with --data'


@lru_cache(maxsize=4)
def _prepared(name: str, data: Path) -> tuple[MeasuredField, SearchArea]:
    source = MEASURED[name]
    measured = source.read(Path(source.file) if source.is_shipped else data / source.file)
    return measured, SearchArea([measured.outline])


def _terrain(path: Path) -> MeasuredField:
    """Ground seen by LiDAR, 400 m a side; a laser altimeter is good to 0.3 m."""
    field = raster_field(np.ascontiguousarray(read_raster(path, 'z')[::-1]), 1.0, (0.0, 0.0))
    return MeasuredField(field, _rectangle(field), 0.3)


def _volcano(path: Path) -> MeasuredField:
    """Maunga Whau on its grid of 10 m; the demonstration's altimeter is good to 0.5 m."""
    heights = read_raster(find_file(str(path), None))
    field = raster_field(np.ascontiguousarray(heights[::-1]), 10.0, (0.0, 0.0))
    return MeasuredField(field, _rectangle(field), 0.5)


def _soil(path: Path) -> MeasuredField:
    """Electrical conductivity of a wheat field; a reading is good to half a mS/m."""
    x, y, values = read_columns(
        path, {'column_x': 'x', 'column_y': 'y', 'column_value': 'CE30'}
    )
    points = np.stack([x, y], axis=1)
    points -= points.min(axis=0)
    hull = shapely.get_coordinates(shapely.MultiPoint(points).convex_hull)[:-1]
    return MeasuredField(scattered_field(points, values), hull, 0.5)


def _wifi(room: str) -> Callable[[Path], MeasuredField]:
    """Return a reader of the strength of a room's first access point, on a grid of 0.6 m."""
    access_points = {'lecture_theatre': (3.0, 9.0), 'office': (1.0, 5.0)}

    def read(path: Path) -> MeasuredField:
        columns = {
            'column_x': 'x_m', 'column_y': 'y_m', 'column_value': 'AP1 RSS(dBm) mean',
            'noise': 'AP1 RSS(dBm) std',
        }  # fmt: skip
        x, y, values, scatter = read_columns(path, columns)
        points = np.stack([x, y], axis=1)
        return MeasuredField(
            scattered_field(points, values),
            _outline(points, 0.6),
            float(np.sqrt(np.mean(scatter**2))),
            0.6 * np.array(access_points[room]),
        )

    return read


def _gas(path: Path) -> MeasuredField:
    """
    CO2 round a car, from a drone: a hard case, since the car is no clean peak in these data.

    The truth is the mean over cells of 10 m, smoothed by one cell; the noise is what the readings
    scatter about it.
    """
    latitude, longitude, values = read_columns(
        path, {'column_x': 'Latitude', 'column_y': 'Longitude', 'column_value': 'CO2 (ppm)'}
    )
    car = (53.32860045464625, 5.933187224731924)
    scale = np.array([_DEGREE_M * np.cos(np.radians(car[0])), _DEGREE_M])
    points = np.stack([longitude - car[1], latitude - car[0]], axis=1) * scale
    low = points.min(axis=0)
    cells = np.floor((points - low) / 10.0).astype(int)
    shape = tuple(cells.max(axis=0) + 1)
    index = np.ravel_multi_index((cells[:, 0], cells[:, 1]), shape)
    counts = np.bincount(index, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    sums = np.bincount(index, values, minlength=shape[0] * shape[1]).reshape(shape)
    weight = ndimage.gaussian_filter(counts, 1.0, mode='constant')
    smooth = ndimage.gaussian_filter(sums, 1.0, mode='constant') / np.maximum(weight, 1e-12)
    known = counts > 0
    centres = low + 10.0 * (np.argwhere(known) + 0.5)
    field = scattered_field(centres, smooth[known])
    noise = float((values - field.value(points)).std())
    hull = shapely.get_coordinates(shapely.MultiPoint(centres).convex_hull)[:-1]
    return MeasuredField(field, hull, noise, np.zeros(2))


def _rectangle(field: KnownField) -> FloatArray:
    west, south, east, north = field.bounds
    return np.array([(west, south), (east, south), (east, north), (west, north)])


def _outline(points: FloatArray, spacing_m: float) -> FloatArray:
    """Return the outline of the cells round grid points, shape ``(K, 2)``, metres."""
    half = 0.5 * spacing_m * (1.0 + 1e-6)
    cells = [shapely.box(x - half, y - half, x + half, y + half) for x, y in points]
    whole = max(shapely.get_parts(shapely.union_all(cells)), key=shapely.area)
    outline = shapely.Polygon(whole.exterior).simplify(0.1 * spacing_m)
    corners: FloatArray = shapely.get_coordinates(outline)[:-1]
    return corners


@dataclass(frozen=True)
class Measurement:
    """
    Where a measured field comes from.

    :param file: below the folder of the measurements, or the name of a file of this package.
    :param read: makes the field of the file.
    :param is_shipped: whether the file is part of this package.
    """

    file: str
    read: Callable[[Path], MeasuredField]
    is_shipped: bool = False


MEASURED: Mapping[str, Measurement] = MappingProxyType(
    {
        'volcano': Measurement('volcano.json', _volcano, is_shipped=True),
        'terrain': Measurement('terrain_lidar_400m/dem_1m.npz', _terrain),
        'soil': Measurement('soil_eca_paar/wheat.csv.gz', _soil),
        'wifi_lecture': Measurement(
            'wifi_rss_rooms/lecture_theatre.csv', _wifi('lecture_theatre')
        ),
        'wifi_office': Measurement('wifi_rss_rooms/office.csv', _wifi('office')),
        'gas': Measurement('gas_uav_co2/day1_200m.csv.gz', _gas),
    }
)
"""Measured fields by name."""
