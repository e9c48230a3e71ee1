# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The map frame on the earth, against pymap3d and against distances on the ellipsoid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip('pyproj')
from pyproj import Geod

from bo_explorer.core.errors import ConfigError
from bo_explorer.geo.local_frame import LocalFrame

LATITUDES = st.floats(-85.0, 85.0)
LONGITUDES = st.floats(-180.0, 180.0)
OFFSETS = st.lists(st.tuples(st.floats(-9e3, 9e3), st.floats(-9e3, 9e3)), min_size=1, max_size=5)


@settings(deadline=None, max_examples=60)
@given(LATITUDES, LONGITUDES, st.floats(-100.0, 5e3), OFFSETS)
def test_it_agrees_with_pymap3d(
    latitude: float, longitude: float, altitude: float, offsets: list[tuple[float, float]]
) -> None:
    pymap3d = pytest.importorskip('pymap3d', reason='pymap3d is the independent oracle')
    frame = LocalFrame(latitude, longitude, altitude)
    latitudes, longitudes = frame.to_wgs84(np.array(offsets))
    east, north, _ = pymap3d.geodetic2enu(
        latitudes, longitudes, altitude, latitude, longitude, altitude
    )
    assert np.column_stack([east, north]) == pytest.approx(np.array(offsets), abs=1e-5)
    assert frame.to_local(latitudes, longitudes) == pytest.approx(
        np.column_stack([east, north]), abs=1e-6
    )


@settings(deadline=None, max_examples=60)
@given(LATITUDES, LONGITUDES, OFFSETS)
def test_there_and_back_is_the_same_place(
    latitude: float, longitude: float, offsets: list[tuple[float, float]]
) -> None:
    frame = LocalFrame(latitude, longitude)
    back = frame.to_local(*frame.to_wgs84(np.array(offsets)))
    assert back == pytest.approx(np.array(offsets), abs=1e-5)


def test_east_is_east_and_distances_are_those_on_the_ellipsoid() -> None:
    frame = LocalFrame(52.0, 13.0)
    latitudes, longitudes = frame.to_wgs84(np.array([[1000.0, 0.0], [0.0, 1000.0]]))
    azimuths, _, distances = Geod(ellps='WGS84').inv(
        [13.0, 13.0], [52.0, 52.0], longitudes, latitudes
    )
    assert azimuths == pytest.approx([90.0, 0.0], abs=1e-3)
    assert distances == pytest.approx([1000.0, 1000.0], abs=1e-4)


def test_at_its_reach_the_map_is_four_metres_short() -> None:
    longitude, latitude, _ = Geod(ellps='WGS84').fwd(13.0, 52.0, 0.0, 99.9e3)
    x, y = LocalFrame(52.0, 13.0).to_local(np.array([latitude]), np.array([longitude]))[0]
    assert 99.9e3 - np.hypot(x, y) == pytest.approx(4.1, abs=0.2)


def test_an_area_over_the_date_line_is_not_torn() -> None:
    longitudes = np.array([180.0, -179.9998])
    points = LocalFrame(-17.0, 179.9999).to_local(np.full(2, -17.0), longitudes)
    assert 0.0 < points[0, 0] < points[1, 0] < 50.0


@pytest.mark.parametrize(
    ('text', 'rule'),
    [
        ('52', 'LAT,LON or LAT,LON,ALT'),
        ('52;13', 'LAT,LON or LAT,LON,ALT'),
        ('north,13', 'LAT,LON or LAT,LON,ALT'),
        ('1,2,3,4', 'LAT,LON or LAT,LON,ALT'),
        ('91,13', 'latitude from -90 to 90'),
        ('52,181', 'longitude from -180 to 180'),
        ('nan,13', 'latitude'),
        ('52,13,1e9', 'altitude'),
    ],
)
def test_what_is_no_place_on_the_earth_is_refused(text: str, rule: str) -> None:
    with pytest.raises(ConfigError, match=rule):
        LocalFrame.parse(text)


def test_an_origin_is_read_as_it_is_written() -> None:
    frame = LocalFrame.parse('-36.8765,174.7641,196')
    assert frame == LocalFrame(-36.8765, 174.7641, 196.0) == LocalFrame.parse(str(frame))
    assert LocalFrame.parse(' 52.0, 13.0 ').altitude_m == 0.0


def test_a_far_place_is_refused_with_the_distance() -> None:
    with pytest.raises(ConfigError, match=r'within 100 km .* LAT,LON in this order'):
        LocalFrame(52.0, 13.0).to_local(np.array([13.0]), np.array([52.0]))
