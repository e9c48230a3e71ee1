# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""
Plans of QGroundControl (``.plan``): geofence and planned home.

The format is described in the developer guide of QGroundControl, "Plan File Format": positions
are ``[latitude, longitude]`` or ``[latitude, longitude, altitude]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.errors import ConfigError
from .fence import Circle, Fence, Ring
from .local_frame import check_position


def fence_from_plan(document: Any) -> Fence:
    """
    Read geofence and home; where no inclusion is drawn, a single survey area stands in.

    :param document: the parsed JSON.
    :raises ConfigError: if it is no plan, or a part of it is malformed.
    """
    if not isinstance(document, Mapping) or document.get('fileType') != 'Plan':
        raise ConfigError('file', "a .plan file must hold 'fileType': 'Plan'; is it another file?")
    fence = Fence(home=_home(_mapping(document.get('mission', {}), 'mission')))
    drawn = _mapping(document.get('geoFence', {}), 'geoFence')
    if drawn.get('polygon'):
        # Geofences of version 1, written until 2018, are one polygon to stay inside of.
        fence.inclusions.append(_ring(drawn['polygon'], 'geofence polygon'))
    for index, item in enumerate(_items(drawn, 'polygons')):
        name = f'geofence polygon {index + 1}'
        _take(fence, item, _ring(item.get('polygon'), name))
    for index, item in enumerate(_items(drawn, 'circles')):
        name = f'geofence circle {index + 1}'
        circle = _mapping(item.get('circle'), name)
        latitude, longitude, _ = _position(circle.get('center'), name)
        _take(fence, item, Circle(name, latitude, longitude, _number(circle.get('radius'), name)))
    if not fence.inclusions:
        surveys = [
            _ring(item['polygon'], 'survey area')
            for item in _items(_mapping(document.get('mission', {}), 'mission'), 'items')
            if item.get('complexItemType') == 'survey' and item.get('polygon')
        ]
        if len(surveys) == 1:
            fence.inclusions.append(surveys[0])
            fence.notes.append('the geofence has no inclusion: the survey area is searched')
    return fence


def _take(fence: Fence, item: Mapping[str, Any], shape: Ring | Circle) -> None:
    (fence.inclusions if item.get('inclusion') else fence.exclusions).append(shape)


def _home(mission: Mapping[str, Any]) -> tuple[float, float, float] | None:
    planned = mission.get('plannedHomePosition')
    return None if planned is None else _position(planned, 'plannedHomePosition')


def _ring(value: Any, name: str) -> Ring:
    if not isinstance(value, list) or len(value) < 3:
        raise ConfigError('file', f"'{name}' must be at least three corners, got {value!r}.")
    corners = np.array([_position(corner, name)[:2] for corner in value])
    return Ring(name, corners[:, 0], corners[:, 1])


def _position(value: Any, name: str) -> tuple[float, float, float]:
    if not isinstance(value, list) or len(value) not in (2, 3):
        raise ConfigError('file', f"'{name}' must have places [lat, lon], got {value!r}.")
    numbers = [0.0 if number is None else _number(number, name) for number in value]
    check_position(numbers[0], numbers[1], name)
    return numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0.0


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ConfigError('file', f"'{name}' must be made of numbers, got {value!r}.")
    return float(value)


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigError('file', f"'{name}' must be an object, got {value!r}.")
    return value


def _items(section: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    items = section.get(key, [])
    if not isinstance(items, list):
        raise ConfigError('file', f"'{key}' must be a list, got {items!r}.")
    return [_mapping(item, key) for item in items]
