# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Plans laid out by pymap3d, which shares no code with what is tested."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bo_explorer.core.types import FloatArray

LATITUDE, LONGITUDE, ALTITUDE = -36.8765, 174.7641, 196.0
AREA = np.array([[-50.0, -40.0], [300.0, -40.0], [300.0, 200.0], [120.0, 260.0], [-50.0, 200.0]])
ZONE = np.array([[100.0, 50.0], [150.0, 50.0], [150.0, 90.0]])
CIRCLE, RADIUS = np.array([[220.0, 120.0]]), 25.0


def on_earth(points: FloatArray) -> list[list[float]]:
    """Return ``[latitude, longitude]`` of places in the map frame, at the height of the origin."""
    pymap3d = pytest.importorskip('pymap3d', reason='pymap3d is the independent oracle')
    x, y = np.asarray(points, dtype=np.float64).T
    z = np.zeros(len(x))
    latitudes = longitudes = z
    for _ in range(4):
        latitudes, longitudes, heights = pymap3d.enu2geodetic(
            x, y, z, LATITUDE, LONGITUDE, ALTITUDE
        )
        z = z - (heights - ALTITUDE)
    return np.column_stack([latitudes, longitudes]).tolist()


def plan() -> dict[str, Any]:
    """Return a plan as QGroundControl 4 writes it, with survey, geofence and home."""
    return {
        'fileType': 'Plan',
        'groundStation': 'QGroundControl',
        'version': 1,
        'geoFence': {
            'version': 2,
            'circles': [
                {
                    'circle': {'center': on_earth(CIRCLE)[0], 'radius': RADIUS},
                    'inclusion': False,
                    'version': 1,
                }
            ],
            'polygons': [
                {'inclusion': True, 'polygon': on_earth(AREA), 'version': 1},
                {'inclusion': False, 'polygon': on_earth(ZONE), 'version': 1},
            ],
        },
        'mission': {
            'cruiseSpeed': 15,
            'firmwareType': 12,
            'hoverSpeed': 5,
            'items': [],
            'plannedHomePosition': [LATITUDE, LONGITUDE, ALTITUDE],
            'vehicleType': 2,
            'version': 2,
        },
        'rallyPoints': {'points': [], 'version': 2},
    }
