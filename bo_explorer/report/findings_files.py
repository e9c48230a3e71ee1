# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Findings as files: CSV for a spreadsheet, GeoJSON for a map."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import numpy as np
import shapely

from ..core.record import MissionRecord
from ..geo.geojson import collection, feature, polygon_feature, positions
from ..geo.local_frame import LocalFrame
from .findings import Finding

# Corners that bend the track less are left out.
_TRACK_DETAIL_M = 0.1


def findings_csv(
    record: MissionRecord, found: Sequence[Finding], frame: LocalFrame | None = None
) -> str:
    """
    Return findings as CSV (RFC 4180).

    :param record: the mission.
    :param found: the best first.
    :param frame: where the map frame is on the earth; without it latitudes and longitudes are
        left out.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    places = ['east_m', 'north_m'] if record.is_map else ['x_m', 'y_m']
    columns = ['rank', *places, 'value', 'std']
    writer.writerow(columns if frame is None else [*columns, 'latitude_deg', 'longitude_deg'])
    for place, on_earth in zip(found, _on_earth(found, frame)):
        local = [f'{v:.3f}' for v in (place.x, place.y)]
        writer.writerow([place.rank, *local, repr(place.value), repr(place.std), *on_earth])
    return text.getvalue()


def findings_geojson(
    record: MissionRecord, found: Sequence[Finding], frame: LocalFrame, unit: str = ''
) -> str:
    """
    Return findings, flown track, area, zones and home as GeoJSON (RFC 7946), which is in WGS84.

    :param record: the mission.
    :param found: the best first.
    :param frame: where the map frame is on the earth.
    :param unit: of the sensor, or empty.
    """
    features = [
        feature(
            'Point',
            positions(np.array([[place.x, place.y]]), frame)[0],
            {
                'role': 'finding',
                'rank': place.rank,
                'value': place.value,
                'std': place.std,
                'unit': unit,
                'east_m': round(place.x, 3),
                'north_m': round(place.y, 3),
            },
        )
        for place in found
    ]
    if len(record.track) > 1:
        line = shapely.simplify(shapely.LineString(record.track), _TRACK_DETAIL_M)
        track = shapely.get_coordinates(line)
        properties = {'role': 'track', 'length_m': record.flown_m}
        features.append(feature('LineString', positions(track, frame), properties))
    features += [polygon_feature(np.array(ring), frame, {'role': 'area'}) for ring in record.area]
    features += [
        polygon_feature(np.array(zone), frame, {'role': 'no_fly'}) for zone in record.zones
    ]
    if record.home is not None:
        home = positions(np.array([record.home[:2]]), frame)[0]
        features.append(feature('Point', home, {'role': 'home'}))
    return json.dumps(collection(features), indent=1, allow_nan=False) + '\n'


def _on_earth(found: Sequence[Finding], frame: LocalFrame | None) -> list[list[str]]:
    if frame is None:
        return [[] for _ in found]
    places = np.array([[place.x, place.y] for place in found]).reshape(-1, 2)
    return [[f'{lat:.8f}', f'{lon:.8f}'] for lat, lon in zip(*frame.to_wgs84(places))]
