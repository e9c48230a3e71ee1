# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the small missions that the system tests fly."""

from __future__ import annotations

from typing import Any


def small_mission(**changes: Any) -> dict[str, Any]:
    """
    Return the parameters of a mission over 40 x 40 m that takes a few seconds.

    :param changes: groups to add or replace, merged one level deep.
    """
    parameters: dict[str, Any] = {
        'area': {'polygon': [0, 0, 40, 0, 40, 40, 0, 40], 'resolution_m': 8},
        'budget': {'total_m': 160, 'stop_cost_m': 4},
        'vehicle': {'speed_mps': 40, 'acceleration_mps2': 80, 'dwell_s': 0.1},
        'policy': {'name': 'ucb'},
        'model': {'fit': False, 'lengthscale_m': 8, 'noise_std': 0.1},
        'output': {'map_period_s': 0.2, 'record_period_s': 0.2},
        'simulator': {
            'field': {'kind': 'hot_spots', 'width_m': 40, 'height_m': 40, 'n_hot_spots': 1},
            'vehicle': {'speed_mps': 40, 'acceleration_mps2': 80},
            'sensor': {'rate_hz': 20, 'noise_std': 0.02},
        },
    }
    for name, group in changes.items():
        if isinstance(group, dict):
            group = {**parameters.get(name, {}), **group}
        parameters[name] = group
    return parameters
