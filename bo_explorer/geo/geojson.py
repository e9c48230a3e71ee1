# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
GeoJSON (RFC 7946): positions are ``[longitude, latitude]`` or with an altitude, in WGS84.

What a feature means stands in its property ``role``: ``area``, ``no_fly`` or ``home``. A single
polygon or point without a role is the area, or home.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.errors import ConfigError
from ..core.types import FloatArray
from .fence import Fence, Ring
from .local_frame import LocalFrame, check_position

_ROLES = ('area', 'no_fly', 'home')

# The last of them is a millimetre.
_DECIMALS = 8


def fence_from_geojson(document: Any) -> Fence:
    """
    Read area, zones and home; features of other roles are left out.

    :param document: the parsed JSON.
    :raises ConfigError: if it is no GeoJSON, a part of it is malformed, or it is unclear what a
        feature means.
    """
    fence = Fence()
    shapes = [_shape(feature) for feature in _features(document)]
    for index, (role, geometry) in enumerate(shapes):
        name = f'feature {index + 1}'
        kind = geometry.get('type')
        if kind in ('Polygon', 'MultiPolygon'):
            role = role or _lone(shapes, ('Polygon', 'MultiPolygon'), 'area', name)
            if role in ('area', 'no_fly'):
                _take_polygons(fence, role, geometry, name)
        elif kind == 'Point':
            role = role or _lone(shapes, ('Point',), 'home', name)
            if role == 'home':
                if fence.home is not None:
                    raise ConfigError('file', f"'{name}' must be the only home, got a second one.")
                fence.home = _position(geometry.get('coordinates'), name)
    return fence


def feature(kind: str, coordinates: Any, properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return one feature; the coordinates as :func:`positions` gives them."""
    return {
        'type': 'Feature',
        'geometry': {'type': kind, 'coordinates': coordinates},
        'properties': dict(properties),
    }


def polygon_feature(
    corners: FloatArray, frame: LocalFrame, properties: Mapping[str, Any]
) -> dict[str, Any]:
    """
    Return a polygon as a feature, counter-clockwise and closed, as the standard has it.

    :param corners: metres, shape ``(V, 2)``.
    """
    x, y = np.asarray(corners, dtype=np.float64).T
    is_clockwise = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) < 0.0
    ring = positions(corners[::-1] if is_clockwise else corners, frame)
    return feature('Polygon', [[*ring, ring[0]]], properties)


def positions(points: FloatArray, frame: LocalFrame) -> list[list[float]]:
    """
    Return places as positions.

    :param points: metres, shape ``(M, 2)``.
    """
    latitudes, longitudes = frame.to_wgs84(points)
    rounded = np.round(np.column_stack([longitudes, latitudes]), _DECIMALS)
    return [[float(longitude), float(latitude)] for longitude, latitude in rounded]


def collection(features: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a document of some features."""
    return {'type': 'FeatureCollection', 'features': list(features)}


def _features(document: Any) -> list[Any]:
    kind = document.get('type') if isinstance(document, Mapping) else None
    if kind == 'FeatureCollection' and isinstance(document.get('features'), list):
        return list(document['features'])
    if kind == 'Feature':
        return [document]
    if kind in ('Polygon', 'MultiPolygon', 'Point'):
        return [{'type': 'Feature', 'geometry': document, 'properties': None}]
    raise ConfigError('file', f"GeoJSON must hold features or a geometry, got type {kind!r}.")


def _shape(item: Any) -> tuple[str, Mapping[str, Any]]:
    """Return role, empty where there is none, and geometry of a feature."""
    if not isinstance(item, Mapping) or item.get('type') != 'Feature':
        raise ConfigError('file', f"'features' must be of type Feature, got {item!r}.")
    geometry, properties = item.get('geometry'), item.get('properties')
    role = properties.get('role') if isinstance(properties, Mapping) else None
    role = role.strip().lower().replace('-', '_') if isinstance(role, str) else ''
    return role, geometry if isinstance(geometry, Mapping) else {}


def _lone(
    shapes: Sequence[tuple[str, Mapping[str, Any]]], kinds: tuple[str, ...], role: str, name: str
) -> str:
    """Return the role of a feature without one: clear only where it has no rival."""
    rivals = [
        given for given, geometry in shapes
        if geometry.get('type') in kinds and given in ('', role)
    ]
    if len(rivals) == 1:
        return role
    raise ConfigError(
        'file',
        f"'{name}' must have a property 'role', one of {', '.join(_ROLES)}: there are "
        f'{len(rivals)} candidates for the {role}.',
    )


def _take_polygons(fence: Fence, role: str, geometry: Mapping[str, Any], name: str) -> None:
    coordinates = geometry.get('coordinates')
    polygons = coordinates if geometry.get('type') == 'MultiPolygon' else [coordinates]
    if not isinstance(polygons, list):
        raise ConfigError('file', f"'{name}' must have coordinates, got {polygons!r}.")
    for polygon in polygons:
        if not isinstance(polygon, list) or not polygon:
            raise ConfigError('file', f"'{name}' must be made of rings, got {polygon!r}.")
        border, *holes = [_ring(ring, name) for ring in polygon]
        if role == 'area':
            fence.inclusions.append(border)
            fence.exclusions += holes
        else:
            fence.exclusions.append(border)
            if holes:
                fence.notes.append(f'the hole in {name} is forbidden as well')


def _ring(value: Any, name: str) -> Ring:
    if not isinstance(value, list) or len(value) < 3:
        raise ConfigError('file', f"'{name}' must have rings of corners, got {value!r}.")
    corners = np.array([_position(corner, name)[:2] for corner in value])
    return Ring(name, corners[:, 0], corners[:, 1])


def _position(value: Any, name: str) -> tuple[float, float, float]:
    """Return latitude, longitude and altitude of a position."""
    is_position = (
        isinstance(value, list)
        and len(value) >= 2
        and all(
            isinstance(number, (int, float)) and not isinstance(number, bool) for number in value
        )
    )
    if not is_position:
        raise ConfigError('file', f"'{name}' must have positions [lon, lat], got {value!r}.")
    longitude, latitude = float(value[0]), float(value[1])
    check_position(latitude, longitude, name)
    altitude = float(value[2]) if len(value) > 2 else 0.0
    return latitude, longitude, altitude if math.isfinite(altitude) else 0.0
