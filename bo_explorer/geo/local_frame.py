# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The map frame on the earth: x east, y north of an origin given in WGS84."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from pyproj import Transformer

from ..core.errors import ConfigError
from ..core.types import FloatArray

REACH_M = 100e3
"""Furthest a place may be from the origin: there the map is 4 m short of the way over ground."""

# The height found from a place changes by 1e-9 of itself at the second pass.
_PASSES = 2


@dataclass(frozen=True)
class LocalFrame:
    """
    The plane that touches the WGS84 ellipsoid, raised by the altitude, at the origin (REP 103).

    Places have no height of their own: all are taken at the altitude of the origin. The conversion
    is the topocentric one of PROJ (EPSG method 9837).

    :param latitude: of the origin, degrees.
    :param longitude: of the origin, degrees.
    :param altitude_m: of the origin above the ellipsoid, metres; a kilometre more stretches the
        map by 0.016 %.
    :raises ConfigError: if the origin is no place on the earth.
    """

    latitude: float
    longitude: float
    altitude_m: float = 0.0

    def __post_init__(self) -> None:
        check_position(self.latitude, self.longitude, 'origin')
        if not -1e4 <= self.altitude_m <= 1e5:
            raise ConfigError(
                'origin',
                f"'origin' must have an altitude from -10000 to 100000 m, "
                f'got {self.altitude_m!r}.',
            )

    @classmethod
    def parse(cls, text: str) -> LocalFrame:
        """
        Read an origin from the command line.

        :param text: ``'LAT,LON'`` or ``'LAT,LON,ALT'``, degrees and metres.
        :raises ConfigError: if it is not that.
        """
        try:
            numbers = [float(part) for part in text.split(',')]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 3):
            raise ConfigError(
                'origin',
                f"'origin' must be LAT,LON or LAT,LON,ALT in degrees and metres, got {text!r}.",
            )
        return cls(*numbers)

    def __str__(self) -> str:
        return f'{self.latitude:.8f},{self.longitude:.8f},{self.altitude_m:.2f}'

    def to_local(self, latitudes: FloatArray, longitudes: FloatArray) -> FloatArray:
        """
        Return where places are in the map frame.

        :param latitudes: degrees, shape ``(M,)``.
        :param longitudes: degrees, shape ``(M,)``.
        :return: x east and y north, metres, shape ``(M, 2)``.
        :raises ConfigError: if a place is further than 100 km from the origin.
        """
        heights = np.full(np.shape(latitudes), self.altitude_m)
        x, y, _ = self._transform.transform(longitudes, latitudes, heights)
        points = np.column_stack([x, y])
        if len(points):
            furthest = float(np.hypot(x, y).max())
            if not furthest <= REACH_M:
                raise ConfigError(
                    'origin',
                    f"'origin' must be within {REACH_M / 1e3:.0f} km of every place, got one "
                    f'{furthest / 1e3:.0f} km away from {self}; is it LAT,LON in this order?',
                )
        return points

    def to_wgs84(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """
        Return where places of the map frame are on the earth.

        :param points: x east and y north, metres, shape ``(M, 2)``.
        :return: latitudes and longitudes, degrees, each of shape ``(M,)``.
        """
        x, y = np.asarray(points, dtype=np.float64).reshape(-1, 2).T
        z = np.zeros(len(x))
        longitudes, latitudes = np.empty(len(x)), np.empty(len(x))
        for _ in range(_PASSES + 1):
            longitudes, latitudes, heights = self._transform.transform(
                x, y, z, direction='INVERSE'
            )
            z = z - (heights - self.altitude_m)
        return latitudes, longitudes

    @cached_property
    def _transform(self) -> Transformer:
        origin = f'+lat_0={self.latitude!r} +lon_0={self.longitude!r} +h_0={self.altitude_m!r}'
        return Transformer.from_pipeline(
            '+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad '
            f'+step +proj=cart +ellps=WGS84 +step +proj=topocentric +ellps=WGS84 {origin}'
        )


def check_position(latitude: float, longitude: float, name: str) -> None:
    """
    Check that a place is on the earth.

    :param latitude: degrees.
    :param longitude: degrees.
    :param name: for the error text.
    :raises ConfigError: if it is not.
    """
    for what, value, limit in (('latitude', latitude, 90.0), ('longitude', longitude, 180.0)):
        if not (math.isfinite(value) and abs(value) <= limit):
            raise ConfigError(
                name,
                f"'{name}' must have a {what} from -{limit:.0f} to {limit:.0f} degrees, "
                f'got {value!r}.',
            )
